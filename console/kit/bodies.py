"""Request bodies read within a bound, before and after decompression, whoever speaks HTTP."""

import zlib

from console.kit.refusal import FieldError, Kind, Refused

MEMBERS = 64  # a gzip body of more parts than this is an attack on patience
BODY_WITHIN_S = 60.0
WBITS = {"gzip": 31, "deflate": 15}  # deflate is what HTTP calls zlib


class TooSlow(Refused):
    """The body did not arrive in time."""

    kind, code = Kind.TOO_SLOW, "TOO_SLOW"


class TooLarge(Refused):
    """The body is longer than this console takes."""

    kind, code = Kind.TOO_LARGE, "TOO_LARGE"


class WrongMedia(Refused):
    """The body is of a type, or packed in a way, that this address does not take."""

    kind, code = Kind.UNSUPPORTED, "UNSUPPORTED_MEDIA_TYPE"


class BadPacking(Refused):
    """The body says it is gzip and is not."""

    kind, code = Kind.INVALID, "BAD_GZIP"


def check_length(length: str | None, *, limit: int) -> None:
    """Refuse by the Content-Length header, before anything is read."""
    if length and length.isascii() and length.isdigit() and int(length) > limit:
        raise too_large(limit)


def too_slow() -> TooSlow:
    """Make the refusal of a body that did not arrive within `BODY_WITHIN_S`."""
    return TooSlow("The request body did not arrive in time.")


def too_large(limit: int) -> TooLarge:
    """Make the refusal of a body that is too long."""
    wrong = FieldError("TOO_LARGE", None, f"at most {limit} bytes, before and after decompression")
    return TooLarge(f"The body is longer than {limit} bytes. Send it in several requests.", errors=(wrong,))


def media_type(header: str, *, allowed: frozenset[str]) -> str:
    """Give the media type without its parameters, or refuse it."""
    kind = header.partition(";")[0].strip().lower()
    if kind not in allowed:
        wrong = FieldError("CONTENT_TYPE", "Content-Type", " or ".join(sorted(allowed)), header[:100])
        raise WrongMedia(f"Send {' or '.join(sorted(allowed))}.", errors=(wrong,))
    return kind


def unpacked(body: bytes, encoding: str, *, limit: int) -> bytes:
    """Give the body without its Content-Encoding; nothing longer than `limit` is ever held."""
    match encoding.strip().lower():
        case "" | "identity":
            return body
        case "gzip" | "deflate" as packing:
            return _inflated(body, packing, limit)
        case _:
            wrong = FieldError(
                "CONTENT_ENCODING", "Content-Encoding", "gzip, deflate or none", encoding[:100]
            )
            raise WrongMedia("Send the body packed with gzip or deflate, or not at all.", errors=(wrong,))


def _inflated(body: bytes, packing: str, limit: int) -> bytes:
    parts: list[bytes] = []
    length, rest = 0, body
    try:
        while rest:  # gzip files may be several, one after another
            member = zlib.decompressobj(wbits=WBITS[packing])
            part = member.decompress(rest, limit - length + 1)
            length += len(part)
            if length > limit:
                raise too_large(limit)
            parts.append(part)
            if not member.eof or len(parts) > MEMBERS:
                raise BadPacking(f"The {packing} body ends before its end, or has too many parts.")
            rest = member.unused_data
    except zlib.error as exc:
        raise BadPacking(f"The body is not valid {packing}: {exc}.") from exc
    return b"".join(parts)
