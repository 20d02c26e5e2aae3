"""Whether an address can be listened on, said in one sentence before anything is started."""

import errno
import socket


def why_not_listen(host: str, port: int) -> str | None:
    """Say why the address cannot be listened on, or None. Tries it, and lets go again."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as refused:
            return sentence(refused.errno, host, port)
        except OverflowError:
            return f"There is no port {port}: choose one from 1024 to 65535 with --port."
    return None


def sentence(number: int | None, host: str, port: int) -> str:
    """Put a refusal of the operating system into words with what to do about it."""
    if number == errno.EADDRINUSE:
        return f"Port {port} on {host} is taken by another program: stop that one, or choose another with --port."
    if number == errno.EACCES:
        return f"Port {port} needs administrator rights: choose one above 1023 with --port."
    return f"{host} is not an address of this machine: leave out --host, or give one that is."
