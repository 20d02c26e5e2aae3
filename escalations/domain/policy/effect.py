"""What follows from a rule: the copy that a case keeps of it, at its opening and with each revision."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from escalations.domain.policy.match import Condition, Match, Subject, holds
from escalations.vocabulary import ChainDo, Comparison, OnTimeout


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStep:
    """One thing that happens while nobody has decided."""

    do: ChainDo
    person: str = ""
    team: str = ""
    seconds: int = 0
    times: int = 0
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Auto:
    """What a policy decides by itself: `tools` are the plan's calls in order, and no other plan is meant."""

    action: str
    tools: tuple[str, ...] = ()
    message: str = ""
    writes: bool = False
    undo_s: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What follows for the case: where it stands, how long, who decides, who is told, and who may not."""

    queue: str = ""
    deadline_s: int | None = None
    on_timeout: OnTimeout | None = None  # never approve: a default decides nothing that writes
    quorum: int = 1
    four_eyes: bool = False
    require_claim: bool = False
    chain: tuple[ChainStep, ...] = ()
    remind_before_s: tuple[int, ...] = ()
    tools_may_become: tuple[str, ...] = ()
    break_glass: tuple[str, ...] = ()
    decide: Auto | None = None


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


def deadline(within_s: int | None, asked: datetime, *, at: datetime) -> datetime:
    """Give the deadline: the earlier of the agent's and the policy's."""
    return asked if within_s is None else min(asked, at + timedelta(seconds=within_s))


def copied(ruling: Ruling, *, four_eyes: bool, require_claim: bool) -> dict[str, Any]:
    """Give what a case keeps of its policy: a later change of the rule changes no open case."""
    rule = ruling.rule
    effect = rule.effect if rule else Effect()
    return {
        "name": rule.name if rule else "",
        "version": rule.version if rule else 0,
        "queue": effect.queue,
        "deadline_s": effect.deadline_s,
        "on_timeout": effect.on_timeout.value if effect.on_timeout else "",
        "quorum": effect.quorum,
        "four_eyes": four_eyes or effect.four_eyes,
        "require_claim": require_claim or effect.require_claim,
        "chain": [_told(step) for step in effect.chain],
        "remind_before_s": list(effect.remind_before_s),
        "tools_may_become": list(effect.tools_may_become),
        "break_glass": list(effect.break_glass),
        "decide": {**asdict(effect.decide), "match": _narrowed(rule)} if rule and effect.decide else None,
        "shadows": list(ruling.shadows),
    }


def revised(kept: Mapping[str, Any], fresh: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a case keeps when its next revision comes: the same rule stays the copy it was.

    Where another rule holds for the new package, that one is copied, and nothing gets easier by it: nobody escapes
    a second pair of eyes by revising.
    """
    if kept.get("name", "") == fresh["name"]:
        return {**kept, "shadows": fresh["shadows"]}
    stricter = {
        "quorum": max(int(kept.get("quorum") or 1), fresh["quorum"]),
        "four_eyes": bool(kept.get("four_eyes")) or fresh["four_eyes"],
        "require_claim": bool(kept.get("require_claim")) or fresh["require_claim"],
    }
    decide = None if stricter["quorum"] > 1 else fresh["decide"]
    return {**fresh, **stricter, "decide": decide, "queue": fresh["queue"] or kept.get("queue") or ""}


def kept_chain(kept: Mapping[str, Any]) -> tuple[ChainStep, ...]:
    """Read the chain out of what a case keeps."""
    return tuple(chain_step(each) for each in kept.get("chain") or ())


def chain_step(said: Mapping[str, Any]) -> ChainStep:
    """Read one step of a chain."""
    return ChainStep(
        do=ChainDo(said["do"]),
        person=said.get("person") or "",
        team=said.get("team") or "",
        seconds=int(said.get("seconds") or 0),
        times=int(said.get("times") or 0),
        url=said.get("url") or "",
    )


def kept_auto(kept: Mapping[str, Any]) -> tuple[Auto, Match] | None:
    """Read what the case's policy decides by itself, and for which calls."""
    said = kept.get("decide")
    if not said:
        return None
    auto = Auto(**{**{name: said[name] for name in Auto.__slots__}, "tools": tuple(said["tools"])})
    narrow = said["match"]
    conditions = tuple(
        Condition(path=each["path"], is_=Comparison(each["is"]), value=each["value"])
        for each in narrow["arguments"]
    )
    return auto, Match(tool=narrow["tool"], arguments=conditions)


def _told(step: ChainStep) -> dict[str, Any]:
    said = {**asdict(step), "do": step.do.value}
    return {name: value for name, value in said.items() if value}


def _narrowed(rule: Rule) -> dict[str, Any]:
    conditions = [
        {"path": each.path, "is": each.is_.value, "value": each.value} for each in rule.match.arguments
    ]
    return {"tool": rule.match.tool, "arguments": conditions}
