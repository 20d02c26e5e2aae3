"""What agents write into addresses and query strings, read or refused."""

from console.kit.refusal import FieldError, Kind, Refused

LONGEST_NAME = 128
LONGEST_WAIT_S = 60.0


class BadQuery(Refused):
    """A part of the query string or the address cannot be read."""

    kind, code = Kind.INVALID, "BAD_QUERY"


def instance_name(text: str) -> str:
    """Give an instance's name."""
    if 0 < len(text) <= LONGEST_NAME and "\x00" not in text:
        return text
    raise _bad("instance", f"1 to {LONGEST_NAME} characters", text)


def command_number(text: str) -> int:
    """Give the number of a command, 0 before any."""
    if text.isascii() and text.isdecimal() and len(text) <= 18:
        return int(text)
    raise _bad("after", "the number of a command, or 0", text)


def seconds(text: str) -> float:
    """Give how long a request wants to wait, at most LONGEST_WAIT_S."""
    try:
        wanted = float(text)
    except ValueError:
        wanted = -1.0
    if 0 <= wanted < float("inf"):
        return min(wanted, LONGEST_WAIT_S)
    raise _bad("wait", f"seconds, from 0 to {LONGEST_WAIT_S:g}", text)


def _bad(name: str, constraint: str, got: str) -> BadQuery:
    wrong = FieldError("RANGE", name, constraint, got[:40])
    return BadQuery(f"`{name}` cannot be read.", errors=(wrong,))
