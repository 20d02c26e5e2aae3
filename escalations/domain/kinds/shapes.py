"""What every adapter gives and takes: the parts of a package one way, the answer in kind the other way."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from console.kit.refusal import FieldError, Kind, Refused
from escalations.vocabulary import Action

Request = Mapping[str, Any]
Decision = Mapping[str, Any]  # a decision as the wire spells it


class NotThisKind(Refused):
    """The request is not of the family it says it is."""

    kind, code = Kind.INVALID, "NOT_THIS_KIND"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call that somebody has to decide about."""

    id: str
    tool: str
    args: Mapping[str, Any]
    args_schema: Mapping[str, Any] | None = None
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request as a package wants it.

    `cannot` says in words why an action is missing. `kind`: the family that is to answer, where not the one asked.
    `ids`: what was asked about, where it is no call.
    """

    title: str
    goal: str
    calls: tuple[Call, ...] = ()
    response_schema: Mapping[str, Any] | None = None
    allowed: frozenset[Action] = frozenset(Action)
    expires_at: str | None = None
    cannot: str = ""
    kind: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One family of requests and answers. `tell` gets the ids that were asked about, in order."""

    name: str
    ask: Callable[[Request], Asked]
    tell: Callable[[Sequence[str], Decision], Any]


def wrong(field: str, constraint: str, received: object = None) -> NotThisKind:
    """Refuse a request, naming the field."""
    error = FieldError("NOT_THIS_KIND", field, constraint, received, None)
    return NotThisKind(f"`{field}` must be {constraint}.", errors=(error,))


def text(value: Request, name: str, default: str | None = None) -> str:
    """Give a text of the request."""
    found = value.get(name, default)
    if not isinstance(found, str):
        raise wrong(name, "a text", type(found).__name__)
    return found


def mapping(value: object, name: str) -> Mapping[str, Any]:
    """Give an object of the request."""
    if not isinstance(value, Mapping):
        raise wrong(name, "an object", type(value).__name__)
    return value


def listed(value: Request, name: str) -> list[Mapping[str, Any]]:
    """Give a list of objects of the request."""
    found = value.get(name)
    if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
        raise wrong(name, "a list of objects", type(found).__name__)
    return found


def arguments(value: Request, name: str) -> Mapping[str, Any]:
    """Give a call's arguments: an object, or its JSON as models write it."""
    found = value.get(name)
    if isinstance(found, str) and found.strip():
        try:
            found = json.loads(found)
        except ValueError:
            raise wrong(name, "an object, or the JSON of one", found[:200]) from None
    return mapping(found or {}, name)


def words(decision: Decision) -> str:
    """Give the words for the model. What nobody decided says so: it must never read as a person's no."""
    said = {
        "expired": "Nobody decided by the deadline; nothing was approved.",
        "cancelled": "The request was withdrawn; nothing was approved.",
        "superseded": "A later revision replaced the request; nothing was approved.",
    }
    message = str(decision.get("message") or "")
    return said.get(str(decision["kind"])) or message or f"Decided: {decision['action']}."


def decided(decision: Decision) -> Action | None:
    """Give the action, or None where nobody decided."""
    return Action(decision["action"]) if decision["kind"] == "decision" else None


def final_steps(ids: Sequence[str], decision: Decision) -> list[Mapping[str, Any] | None]:
    """Give the decided step of each call that was asked about, in order; None where nothing may run."""
    runs = decided(decision) in {Action.APPROVE, Action.EDIT}
    by_id = {step["id"]: step for step in decision["steps"]} if runs else {}
    found = [by_id.get(each) for each in ids]
    return [step if step is not None and step["run"] else None for step in found]
