"""What people have decided alike again and again, as a rule that could be tried; precedent is evidence, not authority.

Nothing here decides: a suggestion is a narrow rule with its evidence, and somebody has to take it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from console.kit.canonical import digest
from escalations.domain.policy import leaves, same
from escalations.vocabulary import Action, Execution

LEAST = 8  # equal decisions before anything is suggested
FEW = 5  # different words of one argument that a rule may list
GOOD = frozenset({Execution.EXECUTED})
LEARNED = frozenset({Action.APPROVE, Action.REJECT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """One case that a person decided: what it was about, what was said and how it ended.

    `tools` and `args` are those of the plan that was approved, or that the agent recommended; `changed` where the
    person edited it; `bad` where the agent's report says so.
    """

    ref: str
    tool: str
    failure_class: str
    code: str
    action: Action
    changed: bool
    tools: tuple[str, ...]
    args: Mapping[str, Any]
    acting_tool: str
    writes: bool
    by: str
    decided_at: datetime
    execution: Execution
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A rule that people have followed already: what it would match, what it would decide, and on which evidence."""

    id: str
    name: str
    match: Mapping[str, Any]
    decide: Mapping[str, Any]
    refs: tuple[str, ...]
    people: tuple[str, ...]
    since: datetime
    until: datetime


def suggestions(history: Iterable[Past], *, least: int = LEAST) -> tuple[Suggestion, ...]:
    """Give every rule that enough equal decisions speak for, none against, and whose outcomes were good."""
    causes: dict[tuple[str, str, str], list[Past]] = {}
    for past in history:
        causes.setdefault((past.tool, past.failure_class, past.code), []).append(past)
    found = (_suggested(cause, pasts, least) for cause, pasts in sorted(causes.items()))
    return tuple(each for each in found if each is not None)


def _suggested(cause: tuple[str, str, str], pasts: Sequence[Past], least: int) -> Suggestion | None:
    first = pasts[0]
    if (
        not cause[0]
        or len(pasts) < least
        or first.action not in LEARNED
        or any(each.changed for each in pasts)
    ):
        return None
    if any((each.action, each.tools) != (first.action, first.tools) for each in pasts):
        return None  # one contrary decision and there is nothing to learn
    if first.action is Action.APPROVE and any(each.execution not in GOOD for each in pasts):
        return None
    conditions = conditions_of([each.args for each in pasts])
    if not conditions or not first.acting_tool:
        return None  # a rule on the tool alone would be about everything the tool can do
    match = {"tool": first.acting_tool, "class": cause[1] or None, "arguments": conditions}
    decide: dict[str, Any] = {"action": first.action.value, "tools": list(first.tools)}
    if first.action is Action.APPROVE:
        decide["writes"] = any(each.writes for each in pasts)
    else:
        decide |= {"tools": [], "message": pasts[-1].message}
    match = {name: value for name, value in match.items() if value}
    return Suggestion(
        id=digest([match, decide])[:32],
        name=f"{first.action.value} {first.acting_tool}"[:100],
        match=match,
        decide=decide,
        refs=tuple(each.ref for each in pasts),
        people=tuple(dict.fromkeys(each.by for each in pasts)),
        since=min(each.decided_at for each in pasts),
        until=max(each.decided_at for each in pasts),
    )


def conditions_of(args: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give what all these arguments had in common: one value, a few words, or a range of numbers seen."""
    seen: dict[str, list[Any]] = {}
    for each in args:
        for path, value in leaves(each):
            seen.setdefault(path, []).append(value)
    found: list[dict[str, Any]] = []
    for path, values in sorted(seen.items()):
        if len(values) == len(args):
            found += _condition(path, values)
    return found[:20]


def _condition(path: str, values: Sequence[Any]) -> list[dict[str, Any]]:
    if values[0] != "" and all(same(each, values[0]) for each in values):
        return [{"path": path, "is": "equal", "value": values[0]}]
    if all(isinstance(each, int | float) and not isinstance(each, bool) for each in values):
        low, high = min(values), max(values)
        return [
            {"path": path, "is": "at_least", "value": low},
            {"path": path, "is": "at_most", "value": high},
        ]
    words = list(dict.fromkeys(each for each in values if isinstance(each, str)))
    if len(words) <= FEW and all(isinstance(each, str) and each for each in values):
        return [{"path": path, "is": "one_of", "value": words}]
    return []
