"""Which cases a rule means: values only, the same for a real case, a backtest and a decision by policy."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Any

from escalations.domain import plan, schema
from escalations.domain.policy.arguments import MISSING, at_path
from escalations.vocabulary import Comparison

DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,6})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What an argument must be; `path` is dotted, as in `fare.price`, or a JSON pointer, as in `/fare/price/0`."""

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
class Subject:
    """A case as far as policies look at it."""

    agent: str
    package: Mapping[str, Any]


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
    return all(any(fits(condition, args) for _, args in calls) for condition in match.arguments)


def holds_for_plan(match: Match, proposal: plan.Proposal) -> bool:
    """Say whether everything a plan would change falls under the match, every condition on every writing call.

    A rule that decides by itself is read narrowly: one harmless call in the case must not wave another through.
    """
    writes = [step for step in proposal.steps if step.side_effect != plan.READ] or list(proposal.steps)
    for step in writes:
        if match.tool and not fnmatchcase(step.tool, match.tool):
            return False
        if not all(fits(condition, step.args) for condition in match.arguments):
            return False
    return bool(writes)


def fits(condition: Condition, args: Any) -> bool:
    """Say whether arguments are so. What is not there fits no condition: a missing one must never mean "any".

    Nor does what was redacted, in whole or in part: nobody here can see what it is, so nobody knows what it is not.
    """
    found = at_path(args, condition.path)
    if found is MISSING or next(schema.refs(found), None) is not None:
        return False
    match condition.is_:
        case Comparison.EQUAL:
            return same(found, condition.value)
        case Comparison.NOT_EQUAL:
            return not same(found, condition.value)
        case Comparison.ONE_OF:
            return isinstance(condition.value, list) and any(same(found, each) for each in condition.value)
        case Comparison.LIKE:
            return isinstance(found, str) and fnmatchcase(found, str(condition.value))
        case _:
            return _beyond(condition, found)


def same(left: Any, right: Any) -> bool:
    """Say whether two JSON values are the same: 1 is 1.0, and neither is `true` or "1"."""
    one, other = plan.canonicalised(left), plan.canonicalised(right)
    return one is not None and one == other


def _beyond(condition: Condition, found: Any) -> bool:
    amount, limit = _amount(found), _amount(condition.value)
    if amount is None or limit is None:
        return False
    compared = {
        Comparison.MORE_THAN: amount > limit,
        Comparison.LESS_THAN: amount < limit,
        Comparison.AT_LEAST: amount >= limit,
        Comparison.AT_MOST: amount <= limit,
    }
    return compared.get(condition.is_, False)


def _amount(value: Any) -> Decimal | None:
    """Read an amount: a number, or a plain decimal as text, which is how exact money is written in JSON."""
    if isinstance(value, str):
        return Decimal(value) if DECIMAL.fullmatch(value) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)  # 0.1 is what was written


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
