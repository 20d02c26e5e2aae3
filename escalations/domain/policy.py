"""Policies: which rule a case falls under, and what follows; from values, the same for real and for a backtest."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any

from escalations.vocabulary import Comparison, OnTimeout

MISSING = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What an argument must be; `path` is dotted, as in `amount` or `fare.price`."""

    path: str
    is_: Comparison
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Which cases; everything that is said must hold, and what is not said does not matter."""

    tool: str = ""
    agent: str = ""
    trigger: str = ""
    failure_class: str = ""
    severity: str = ""
    risk: str = ""
    arguments: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What follows for the case: where it stands, how long, how many have to agree, who may not decide."""

    queue: str = ""
    deadline_s: int | None = None
    on_timeout: OnTimeout | None = None  # never approve: a default decides nothing that writes
    quorum: int = 1
    four_eyes: bool = False
    require_claim: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One policy; `live` is False for one that only says what it would have done."""

    name: str
    version: int
    match: Match
    effect: Effect
    live: bool = True
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A case as far as policies look at it."""

    agent: str
    package: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The first live rule that holds, if any, and the names of rules that only watch."""

    rule: Rule | None
    shadows: tuple[str, ...] = field(default=())


def rule_for(rules: Iterable[Rule], subject: Subject, *, at: datetime) -> Ruling:
    """Give what the rules say of a case; they are asked in order."""
    found: Rule | None = None
    shadows: list[str] = []
    for rule in rules:
        if (rule.expires_at is not None and rule.expires_at <= at) or not holds(rule.match, subject):
            continue
        if not rule.live:
            shadows.append(rule.name)
        elif found is None:
            found = rule
    return Ruling(rule=found, shadows=tuple(shadows))


def holds(match: Match, subject: Subject) -> bool:
    """Say whether a case falls under a match."""
    package = subject.package
    failure = package.get("failure") or {}
    words = (
        (match.agent, subject.agent),
        (match.trigger, package.get("trigger")),
        (match.failure_class, failure.get("class")),
        (match.severity, package.get("severity")),
    )
    if any(wanted and wanted != found for wanted, found in words):
        return False
    if match.risk and match.risk not in _risks(package):
        return False
    calls = [call for call in _calls(package) if not match.tool or fnmatchcase(call[0], match.tool)]
    if match.tool and not calls:
        return False
    return all(any(_is(condition, args) for _, args in calls) for condition in match.arguments)


def deadline(effect: Effect, asked: datetime, *, at: datetime) -> datetime:
    """Give the deadline: the earlier of the agent's and the policy's."""
    if effect.deadline_s is None:
        return asked
    return min(asked, at + timedelta(seconds=effect.deadline_s))


def copied(ruling: Ruling, *, four_eyes: bool, require_claim: bool) -> dict[str, Any]:
    """Give what a case keeps of its policy: a later change of the rule changes no open case."""
    effect = ruling.rule.effect if ruling.rule else Effect()
    return {
        "name": ruling.rule.name if ruling.rule else "",
        "version": ruling.rule.version if ruling.rule else 0,
        "on_timeout": effect.on_timeout.value if effect.on_timeout else "",
        "quorum": effect.quorum,
        "four_eyes": four_eyes or effect.four_eyes,
        "require_claim": require_claim or effect.require_claim,
        "shadows": list(ruling.shadows),
    }


def _risks(package: Mapping[str, Any]) -> set[str]:
    return {proposal.get("risk") or "" for proposal in package.get("proposals") or ()}


def _calls(package: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every call the case is about: the one that failed, and those that could be made."""
    failure = package.get("failure")
    if failure:
        yield failure["tool"], failure.get("args")
    for proposal in package.get("proposals") or ():
        for step in proposal.get("steps") or ():
            yield step["tool"], step.get("args")


def _is(condition: Condition, args: Any) -> bool:
    """An argument that is not there fits no condition: a missing one must never mean "any"."""
    found = _at(args, condition.path)
    if found is MISSING:
        return False
    match condition.is_:
        case Comparison.EQUAL:
            return bool(found == condition.value) and type(found) is type(condition.value)
        case Comparison.NOT_EQUAL:
            return bool(found != condition.value)
        case Comparison.ONE_OF:
            return isinstance(condition.value, list) and found in condition.value
        case Comparison.LIKE:
            return isinstance(found, str) and fnmatchcase(found, str(condition.value))
        case Comparison.MORE_THAN | Comparison.LESS_THAN:
            return _beyond(condition, found)


def _beyond(condition: Condition, found: Any) -> bool:
    numbers = (found, condition.value)
    if any(isinstance(each, bool) or not isinstance(each, int | float) for each in numbers):
        return False
    if not all(math.isfinite(each) for each in numbers):
        return False
    more = condition.is_ is Comparison.MORE_THAN
    return bool(found > condition.value) if more else bool(found < condition.value)


def _at(value: Any, path: str) -> Any:
    for part in path.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return MISSING
        value = value[part]
    return value
