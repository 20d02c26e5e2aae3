"""What people say about tools and causes; the next calls are judged by it."""

from datetime import datetime

from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.clean import clean_text
from console.kit.refusal import FieldError, Kind, Refused
from telemetry.models import FingerprintRule, Tool
from telemetry.operations.backfill import start_backfill
from telemetry.operations.judging import is_code
from telemetry.vocabulary import FailureClass

MOST_RULES = 500
LEAST_TEXT = 3  # a shorter text would take in everything by chance


class NoSuchTool(Refused):
    """No call of a tool of that name was ever reported."""

    kind, code = Kind.MISSING, "NO_SUCH_TOOL"


class BadRule(Refused):
    """A rule without a text to look for, or without a title."""

    kind, code = Kind.INVALID, "BAD_RULE"


class NoSuchRule(Refused):
    """There is no rule of that id."""

    kind, code = Kind.MISSING, "NO_SUCH_RULE"


class TooManyRules(Refused):
    """Every failure of every report is held against every rule."""

    kind, code = Kind.CONFLICT, "TOO_MANY_RULES"


@transaction.atomic(durable=True)
def set_not_found_is_empty(*, tool: str, value: bool | None, by: Actor, at: datetime) -> None:
    """Say whether "not found" is an empty answer of this tool (a look-up), a failure, or as the rules think."""
    row = Tool.objects.select_for_update().filter(name=tool).first()
    if row is None:
        raise NoSuchTool(f"There is no tool called {tool[:200]!r}.")
    before = row.not_found_is_empty
    Tool.objects.filter(pk=row.pk).update(not_found_is_empty=value)
    detail: dict[str, object] = {"value": value}
    start_backfill(
        tool=tool, why="not found", by=by, at=at
    )  # before the audit: whoever relabels locks in this order
    record(
        subject=f"tool:{tool[:150]}",
        verb="not_found_is_empty",
        actor=by,
        at=at,
        before=before,
        after=value,
        detail=detail,
    )


@transaction.atomic(durable=True)
def set_fingerprint_rule(
    *,
    contains: str,
    title: str,
    tool: str = "",
    failure_class: FailureClass | None = None,
    code: str = "",
    by: Actor,
    at: datetime,
) -> int:
    """Say that failures whose message holds this text are one cause of this title; give the rule's id.

    With a class they are of that class. Stored failures are judged again by it.
    """
    text, name = clean_text(contains.strip(), limit=200), clean_text(title.strip(), limit=160)
    if wrong := _wrong(text, name, code):
        raise BadRule("A rule needs a text to look for and a title.", errors=tuple(wrong))
    said = {"title": name, "failure_class": str(failure_class or ""), "code": code}
    known = FingerprintRule.objects.select_for_update().filter(tool=tool[:200], contains=text).first()
    before = None if known is None else {word: getattr(known, word) for word in said}
    rule, _ = FingerprintRule.objects.update_or_create(
        tool=tool[:200], contains=text, defaults={**said, "made_at": at, "made_by": by.name[:160]}
    )
    detail: dict[str, object] = {"contains": text, "tool": tool[:200], **said}
    subject = f"fingerprint_rule:{rule.pk}"
    start_backfill(tool=tool[:200], why=f"rule: {name}", by=by, at=at)
    record(subject=subject, verb="set", actor=by, at=at, before=before, after=detail, detail=detail)
    if known is None and FingerprintRule.objects.count() > MOST_RULES:  # counted behind the audit's lock
        raise TooManyRules(
            f"There are {MOST_RULES} rules, the most there may be. Take one back that no longer helps."
        )
    return rule.pk


def _wrong(contains: str, title: str, code: str) -> list[FieldError]:
    wrong = []
    if len(contains) < LEAST_TEXT:
        wrong.append(FieldError("LENGTH", "contains", f"{LEAST_TEXT} to 200 characters", contains))
    if not title:
        wrong.append(FieldError("EMPTY", "title", "some text"))
    if not is_code(code):
        wrong.append(FieldError("CODE", "code", "UPPER_SNAKE, at most 64 characters", code[:80]))
    return wrong


@transaction.atomic(durable=True)
def drop_fingerprint_rule(*, rule_id: int, by: Actor, at: datetime) -> None:
    """Take a rule back; stored failures are judged again without it."""
    rule = FingerprintRule.objects.filter(pk=rule_id).first()
    if rule is None:
        raise NoSuchRule("There is no such rule.")
    rule.delete()
    detail: dict[str, object] = {"contains": rule.contains, "title": rule.title, "tool": rule.tool}
    start_backfill(tool=rule.tool, why=f"without the rule: {rule.title}", by=by, at=at)
    record(
        subject=f"fingerprint_rule:{rule_id}", verb="dropped", actor=by, at=at, before=detail, detail=detail
    )
