"""What is done about a failure: an ordered table, the first row that fits is the one."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from switchboard.failure import ToolError
from switchboard.policy import Backoff, Policy
from switchboard.result import Firing
from switchboard.tool import Tool
from switchboard.vocabulary import Effect, FailureClass

Parser = Callable[[str, datetime], str | None]
_FOLD = re.compile(r"[-_\s]+")
_ONE_OF = "one of: "


class Action(StrEnum):
    """One rung of a rule's ladder. A rung that is not possible is passed over."""

    RETRY = "retry"
    REPAIR = "repair"
    REFRESH = "refresh"
    RECONCILE = "reconcile"
    FALLBACK = "fallback"
    REPLAN = "replan"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class When:
    """What a rule is about; a field left out fits everything."""

    status: tuple[range, ...] = ()
    classes: frozenset[FailureClass] = frozenset()
    codes: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    dependencies: frozenset[str] = frozenset()
    effects: frozenset[Effect] = frozenset()

    def fits(self, error: ToolError, tool: Tool) -> bool:
        """Whether this failure of this tool is meant."""
        status = error.http_status
        return (
            (not self.status or (status is not None and any(status in each for each in self.status)))
            and (not self.classes or error.class_ in self.classes)
            and (not self.codes or error.code in self.codes)
            and (not self.fields or error.field in self.fields)
            and (not self.tools or tool.name in self.tools)
            and (not self.dependencies or tool.dependency in self.dependencies)
            and (not self.effects or tool.effect in self.effects)
        )


@dataclass(frozen=True, slots=True)
class Rule:
    """When this happens, try these, in this order. `attempts` can only lower the policy's."""

    id: str
    when: When
    do: tuple[Action, ...]
    attempts: int | None = None
    backoff: Backoff | None = None
    base_s: float | None = None
    cap_s: float | None = None

    def over(self, policy: Policy) -> Policy:
        """The tool's policy as this rule has it."""
        given: dict[str, Any] = {}
        if self.attempts is not None:
            given["attempts"] = min(self.attempts, policy.attempts)
        if self.backoff is not None:
            given["backoff"] = self.backoff
        if self.base_s is not None:
            given["base_s"] = self.base_s
        if self.cap_s is not None:
            given["cap_s"] = self.cap_s
        return replace(policy, **given) if given else policy


@dataclass(frozen=True, slots=True)
class Repair:
    """How a wrong argument is put right: a map of words, or a parser of phrases."""

    id: str
    field: str
    tools: frozenset[str] = frozenset()
    values: Mapping[str, Any] | None = None
    parser: Parser | None = None

    def fits(self, tool: Tool, field: str) -> bool:
        """Whether this argument of this tool is meant."""
        return self.field == field and (not self.tools or tool.name in self.tools)

    def after(self, received: Any, at: datetime) -> Any:
        """The right value, or None when this repair has nothing to say."""
        if self.values is not None and isinstance(received, str):
            return self.values.get(received.strip(), self.values.get(received.strip().casefold()))
        if self.parser is not None and isinstance(received, str):
            return self.parser(received, at)
        return None


@dataclass(frozen=True, slots=True)
class Rules:
    """The whole table. `refused` ids are switched off, repairs included."""

    rules: tuple[Rule, ...]
    repairs: tuple[Repair, ...] = ()
    refused: frozenset[str] = frozenset()

    def first(self, error: ToolError, tool: Tool) -> Rule:
        """The rule for this failure; the last row of the default table fits everything."""
        for rule in self.rules:
            if rule.id not in self.refused and rule.when.fits(error, tool):
                return rule
        return LAST

    def without(self, *ids: str) -> "Rules":
        """The same table with these ids switched off."""
        return replace(self, refused=self.refused | frozenset(ids))

    def repaired(
        self, args: Mapping[str, Any], error: ToolError, tool: Tool, *, at: datetime
    ) -> tuple[dict[str, Any], tuple[Firing, ...]]:
        """The arguments with what could be put right, and which rules did it. One pass, one repair for each field."""
        after = dict(args)
        firings: list[Firing] = []
        for field, received, allowed in _wrong(error, args):
            if field in tool.critical or field in {firing.field for firing in firings}:
                continue
            found = self._repair(tool, field, received, allowed, at)
            if found is not None and found[1] != received and _put(after, field, found[1]):
                firings.append(Firing(found[0], "repair", before=received, after=found[1], field=field))
        return after, tuple(firings)

    def _repair(
        self, tool: Tool, field: str, received: Any, allowed: Sequence[Any], at: datetime
    ) -> tuple[str, Any] | None:
        for repair in self.repairs:
            if repair.id in self.refused or not repair.fits(tool, field):
                continue
            if (value := repair.after(received, at)) is not None:
                return repair.id, value
        if FOLD in self.refused or not isinstance(received, str):
            return None
        same = [value for value in allowed if isinstance(value, str) and _folded(value) == _folded(received)]
        return (FOLD, same[0]) if len(same) == 1 else None


FOLD = "fold-enum"
LAST = Rule("otherwise", When(), (Action.REPLAN,))


def _statuses(*given: int) -> tuple[range, ...]:
    return tuple(range(each, each + 1) for each in given)


_R = Action
DEFAULT_RULES = (
    Rule("rate-limited", When(codes=frozenset({"RATE_LIMITED"})), (_R.RETRY, _R.FALLBACK, _R.REPLAN),
         attempts=3, backoff="full_jitter", base_s=1.0),
    Rule("breaker-open", When(codes=frozenset({"BREAKER_OPEN"})), (_R.FALLBACK, _R.REPLAN)),
    Rule("unauthorized", When(status=_statuses(401)), (_R.REFRESH, _R.PERSON)),
    Rule("forbidden", When(status=_statuses(403)), (_R.PERSON,)),
    Rule("bad-argument", When(classes=frozenset({FailureClass.INVALID_ARGS})), (_R.REPAIR, _R.REPLAN)),
    Rule("unknown-write", When(classes=frozenset({FailureClass.UNKNOWN_OUTCOME})), (_R.RETRY, _R.RECONCILE, _R.PERSON)),
    Rule("server-error", When(status=(range(500, 600),)), (_R.RETRY, _R.FALLBACK, _R.PERSON), attempts=3),
    Rule("transient", When(classes=frozenset({FailureClass.TRANSIENT})), (_R.RETRY, _R.FALLBACK, _R.REPLAN)),
    Rule("crashed-write", When(classes=frozenset({FailureClass.INTERNAL}), effects=frozenset({Effect.WRITE})),
         (_R.RECONCILE, _R.PERSON)),
    Rule("crashed", When(classes=frozenset({FailureClass.INTERNAL})), (_R.FALLBACK, _R.REPLAN)),
    Rule("partial", When(classes=frozenset({FailureClass.PARTIAL})), (_R.RETRY, _R.REPLAN)),
    LAST,
)  # fmt: skip


def _wrong(error: ToolError, args: Mapping[str, Any]) -> list[tuple[str, Any, Sequence[Any]]]:
    """The wrong fields with the value as it was given (an error repeats only a clipped one)."""
    named = [(each.field, each.constraint) for each in error.errors]
    if not named and error.field:
        named = [(error.field, error.constraint)]
    return [(field, _get(args, field), _allowed(constraint)) for field, constraint in named]


def _allowed(constraint: str | None) -> list[str]:
    if not constraint or not constraint.startswith(_ONE_OF):
        return []
    listed = constraint.removeprefix(_ONE_OF).replace(" or ", ", ")
    return [each.strip().strip("'\"") for each in listed.split(", ")]


def _folded(text: str) -> str:
    return _FOLD.sub("", text.casefold())


def _get(args: Any, field: str) -> Any:
    for part in field.split("."):
        if isinstance(args, Mapping):
            args = args.get(part)
        elif isinstance(args, list) and part.isdigit() and int(part) < len(args):
            args = args[int(part)]
        else:
            return None
    return args


def _put(args: dict[str, Any], field: str, value: Any) -> bool:
    """Set one value by its path, copying what is on the way, so that the caller's own arguments stay as they are."""
    at: Any = args
    *way, last = field.split(".")
    for part in way:
        key: Any = int(part) if isinstance(at, list) and part.isdigit() else part
        if not isinstance(at, list | dict) or (isinstance(at, dict) and key not in at):
            return False
        if isinstance(at, list) and (not isinstance(key, int) or key >= len(at)):
            return False
        at[key] = (
            dict(at[key])
            if isinstance(at[key], Mapping)
            else list(at[key])
            if isinstance(at[key], list)
            else at[key]
        )
        at = at[key]
    if isinstance(at, dict) and last in at:
        at[last] = value
        return True
    if isinstance(at, list) and last.isdigit() and int(last) < len(at):
        at[int(last)] = value
        return True
    return False
