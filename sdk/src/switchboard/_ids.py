"""Names that nobody else will make: time-ordered ids, and who this process is."""

import os
import random
import socket
import threading
import time
from uuid import UUID

_random = random.Random()  # noqa: S311  # seeded by the system, and never by whoever seeds the module's own
_MASK_12 = (1 << 12) - 1
_lock = threading.Lock()
_last_ms = 0
_count = 0


def uuid7() -> str:
    """Give a UUID version 7 (RFC 9562): later ones of one process sort after earlier ones.

    Time-ordered keys keep the console's index flat, which is why call ids are made here and not at random.
    """
    global _last_ms, _count  # noqa: PLW0603  # one counter per process is what makes them sort
    noise = _random.getrandbits(64)
    with _lock:
        now = time.time_ns() // 1_000_000
        if now > _last_ms:
            # 11 random bits leave 2,048 numbers of room in this millisecond.
            _last_ms, _count = now, noise >> 53
        else:
            _count += 1
            if _count > _MASK_12:
                _last_ms, _count = _last_ms + 1, 0
        ms, count = _last_ms, _count
    value = (ms << 80) | (0x7 << 76) | (count << 64) | (0b10 << 62) | (noise & ((1 << 62) - 1))
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def random_hex(digits: int) -> str:
    """Give a number nobody else has, as so many hexadecimal digits."""
    return f"{_random.getrandbits(digits * 4):0{digits}x}"


def _forked() -> None:
    global _lock  # noqa: PLW0603  # the parent may have held it
    _lock = threading.Lock()
    _random.seed()  # a child must not go on with its parent's numbers


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def boot_id() -> str:
    """Give a name for this life of the process; a restart makes another."""
    return uuid7()


def instance_name(boot: str) -> str:
    """Give `host-pid-boot`: the same process is never taken for an earlier one with its number."""
    host = socket.gethostname().split(".")[0][:40] or "host"
    return f"{host}-{os.getpid()}-{boot[-8:]}"


def uuid_from(digest_hex: str) -> str:
    """Give the UUID that stands for this content: the same content always makes the same one."""
    raw = bytearray.fromhex(digest_hex[:32])
    raw[6] = (raw[6] & 0x0F) | 0x80  # version 8: made our own way
    raw[8] = (raw[8] & 0x3F) | 0x80
    return str(UUID(bytes=bytes(raw)))
