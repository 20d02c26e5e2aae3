"""Requests read within bounds, answers written from the contract."""

from typing import TypeVar

from rest_framework.request import Request
from rest_framework.response import Response

from console.kit.http import body_of
from console.kit.refusal import FieldError, Kind, Refused
from console.kit.wire import Inbound, Outbound

T = TypeVar("T", bound=Inbound)
MOST_ROWS = 200
LONGEST_NUMBER = 9  # digits


class BadQuery(Refused):
    """A part of the query string cannot be read."""

    kind, code = Kind.INVALID, "BAD_QUERY"


def said(request: Request, model: type[T], *, optional: bool = False) -> T:
    """Read the body, of JSON and nothing else, as a contract model; an optional one may be empty."""
    body = body_of(request, optional=optional)
    return model.read(b"{}" if optional and not body.strip() else body)


def insist(refusal: Refused | None) -> None:
    """Turn away whoever may not, before a word of the body is read."""
    if refusal is not None:
        raise refusal


def answer(body: Outbound, status: int = 200) -> Response:
    """Answer a contract value."""
    return Response(body.model_dump(mode="json", by_alias=True), status=status)


def named(text: str, *, most: int = 120) -> str:
    """Give a name out of an address, or refuse what no name here can be."""
    if not text.isprintable() or not 0 < len(text.strip()) <= most:
        wrong = FieldError(
            "NAME",
            "name",
            f"1 to {most} characters that can be read",
            text[:40].encode("ascii", "replace").decode(),
        )
        raise BadQuery("There can be nothing of this name.", errors=(wrong,))
    return text


def number(request: Request, name: str, *, default: int, least: int, most: int) -> int:
    """Read a whole number of the query string within bounds."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not (
        text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER and least <= int(text) <= most
    ):
        wrong = FieldError(
            "RANGE", name, f"a number from {least} to {most}", text[:40], "Leave it out for the default."
        )
        raise BadQuery(f"`{name}` cannot be read.", errors=(wrong,))
    return int(text)
