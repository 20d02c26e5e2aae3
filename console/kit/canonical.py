"""RFC 8785 canonical JSON, and the digests that are taken over it."""

import hashlib

import rfc8785

from console.kit.refusal import Kind, Refused


class NotCanonical(Refused):
    """A value that has no one canonical form: NaN, an integer beyond ±2^53, a key that is no string."""

    kind, code = Kind.INVALID, "NOT_CANONICAL"


def canonical(value: object) -> bytes:
    """Give the one byte string that RFC 8785 has for this JSON value.

    Raises NotCanonical, with the reason, for what JSON between two languages cannot carry unchanged.
    """
    try:
        return rfc8785.dumps(value)  # type: ignore[arg-type]  # its recursive alias does not take `object`
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as exc:
        raise NotCanonical(f"This value cannot be digested: {exc}. Send large integers as strings.") from exc


def digest(value: object) -> str:
    """Give the SHA-256 of the canonical form, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value)).hexdigest()
