"""What may be the address of a channel, and how much of it is shown."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from console.kit.outbound import Network, NotAllowed, check
from console.kit.refusal import FieldError, Kind, Refused
from console.notices.vocabulary import ChannelKind

LONGEST = 500
MAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?")


class BadAddress(Refused):
    """Nothing can be sent to this address, or nothing may be."""

    kind, code = Kind.INVALID, "BAD_ADDRESS"


def checked(kind: ChannelKind, address: str, *, networks: Sequence[Network]) -> str:
    """Give the address as it is kept, or refuse it."""
    address = address.strip()
    match kind:
        case ChannelKind.BROWSER:
            return ""
        case ChannelKind.EMAIL if MAIL.fullmatch(address) and len(address) <= LONGEST:
            return address
        case ChannelKind.EMAIL:
            raise _bad("an e-mail address such as ana@example.com", address)
        case ChannelKind.SLACK | ChannelKind.WEBHOOK:
            return _web(address, networks)


def shown(kind: str, address: str) -> str:
    """Give as much of an address as may be read: whoever knows a webhook's whole address can post to it."""
    if kind not in {ChannelKind.SLACK, ChannelKind.WEBHOOK} or not address:
        return address
    parts = urlsplit(address)
    rest = address.removeprefix(f"{parts.scheme}://{parts.netloc}")
    return f"{parts.scheme}://{parts.netloc}" + (
        f"/…{rest[-4:]}" if len(rest) > 8 else "/…" if rest.strip("/") else ""
    )


def _web(address: str, networks: Sequence[Network]) -> str:
    if len(address) > LONGEST:
        raise _bad(f"at most {LONGEST} characters", address)
    try:
        check(address, networks)
    except NotAllowed as exc:
        raise _bad("a public http or https address, or one of WEBHOOK_NETWORKS", address, str(exc)) from exc
    return address


def _bad(constraint: str, address: str, detail: str = "") -> BadAddress:
    wrong = FieldError("ADDRESS", "address", constraint, address[:80])
    return BadAddress(detail or "This is no address that a notice can go to.", errors=(wrong,))
