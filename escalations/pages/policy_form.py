"""The form of a policy: flat fields as typed, and the rule they say. Whatever a rule may say has its field here."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from console.kit.refusal import FieldError, Refused
from escalations import contract
from escalations.pages import names, policy_chain, policy_rows
from escalations.pages.faults import said
from escalations.pages.policy_text import listed, meant, meant_value, shown, shown_value, unlisted

WORDS = ("tool", "agent", "trigger", "class", "severity", "risk")
FLAGS = ("four_eyes", "require_claim")
MINUTE = 60
LONGEST = 100_000  # of one field; what is longer is refused, and not cut
PLACES = {
    "name": "name",
    "position": "position",
    "expires_at": "expires_at",
    "match": "tool",
    "effect.deadline_s": "deadline",
    "effect.queue": "queue",
    "effect.quorum": "quorum",
    "effect.on_timeout": "on_timeout",
    "effect.remind_before_s": "remind",
    "effect.break_glass": "glass",
    "effect.chain": "chain",
    "effect.tools_may_become": "tools_may_become",
    "effect.decide": "decide",
    "effect.decide.tools": "decide_tools",
    "effect.decide.message": "decide_message",
    "effect.decide.undo_s": "decide_undo",
    "effect": "",
}


@dataclass(frozen=True, slots=True)
class Condition:
    """One row of the conditions on arguments, as typed, and what is wrong with it."""

    n: int
    path: str
    how: str
    value: str
    fault: str


@dataclass(frozen=True, slots=True)
class Form:
    """What was typed, and what of it is wrong: the name of a field → a sentence."""

    typed: Mapping[str, str]
    errors: Mapping[str, str] = field(default_factory=dict)
    rule: contract.SetPolicy | None = None

    @property
    def conditions(self) -> list[Condition]:
        """Give the rows of argument conditions, empty ones among them."""
        typed = self.typed
        return [
            Condition(
                n,
                typed.get(f"path{n}", ""),
                typed.get(f"is{n}", ""),
                typed.get(f"value{n}", ""),
                self.errors.get(f"path{n}", ""),
            )
            for n in policy_rows.shown(typed, policy_rows.CONDITION)
        ]

    @property
    def klass(self) -> str:
        """Give the failure class that was chosen."""
        return self.typed.get("class", "")

    @property
    def top(self) -> str:
        """Give the fault that stands at no field."""
        return self.errors.get("", "")

    @property
    def chain(self) -> list[policy_chain.Line]:
        """Give the rows of the chain."""
        return policy_chain.lines(self.typed, self.errors)


def of_policy(told: contract.Policy) -> dict[str, str]:
    """Write a policy as the fields of the form."""
    match: Mapping[str, Any] = told.match
    effect: Mapping[str, Any] = told.effect
    typed = {name: shown(match[name]) if name in match else "" for name in WORDS}
    for n, each in enumerate(match.get("arguments") or []):
        typed |= {
            f"path{n}": shown(each["path"]),
            f"is{n}": each["is"],
            f"value{n}": shown_value(each["value"]),
        }
    return {
        **typed,
        **_of_effect(effect),
        **_of_decide(effect.get("decide") or {}),
        "name": told.name,
        "mode": told.mode.value,
        "position": str(told.position),
        "expires_at": _local(told.expires_at.isoformat()) if told.expires_at else "",
        "expires_exact": told.expires_at.isoformat() if told.expires_at else "",
    }


def _of_effect(effect: Mapping[str, Any]) -> dict[str, str]:
    deadline = effect.get("deadline_s")
    return {
        **policy_chain.typed_of(effect.get("chain") or ()),
        "queue": shown(effect["queue"]) if "queue" in effect else "",
        "deadline": policy_chain.minutes(deadline) if deadline else "",
        "on_timeout": str(effect.get("on_timeout") or ""),
        "quorum": str(effect.get("quorum") or 1),
        "remind": ", ".join(map(policy_chain.minutes, effect.get("remind_before_s") or ())),
        "glass": " ".join(effect.get("break_glass") or ()),
        "tools_may_become": listed(effect.get("tools_may_become") or ()),
        **{name: "1" if effect.get(name) else "" for name in FLAGS},
    }


def _of_decide(decide: Mapping[str, Any]) -> dict[str, str]:
    message = str(decide.get("message") or "")
    return {
        "decide": str(decide.get("action") or ""),
        "decide_tools": listed(decide.get("tools") or ()),
        "decide_message": shown(message, lines=True) if message else "",
        "decide_writes": "1" if decide.get("writes") else "",
        "decide_undo": str(decide.get("undo_s", "")),
    }


def read(typed: Mapping[str, str], *, taken: bool = False) -> Form:
    """Read the fields as a rule; what does not fit is said at its field. A name that is taken makes no new rule."""
    fault = names.fault(typed.get("name", "").strip())
    fault = fault or (_("There is a policy of this name already.") if taken else "")
    wrong = {"name": fault} if fault else {}
    long = {name: _("Too long for one field.") for name, text in typed.items() if len(text) > LONGEST}
    if long:
        return Form(typed, {**wrong, **long})
    try:
        body = {
            "mode": typed.get("mode") or "shadow",
            "position": _number(typed, "position", 100),
            "match": _match(typed),
            "effect": _effect(typed),
            "expires_at": _expires(typed),
        }
        rule = contract.SetPolicy.read(json.dumps(body).encode())
    except NotUnderstood as exc:
        return Form(typed, {**wrong, exc.place: exc.why})
    except Refused as refusal:
        return Form(typed, {**wrong, **_placed(refusal.errors)})
    return Form(typed, wrong, rule=None if wrong else rule)


def flat(form: QueryDict) -> dict[str, str]:
    """Give the fields of a request as typed, rows closed up; of a box with its hidden twin the last one counts."""
    return policy_rows.closed_up({name: str(form.getlist(name)[-1]) for name in form})


def with_rows(typed: Mapping[str, str], do: str) -> dict[str, str]:
    """Give the form with more empty rows of a kind: `more-path` or `more-do`."""
    kind = policy_rows.CONDITION if do == "more-path" else policy_rows.LINE
    rows = len(policy_rows.shown(typed, kind)) + policy_rows.SPARE
    return {**typed, f"rows_{kind[0]}": str(rows)}


class NotUnderstood(ValueError):
    """The text in a field is none of what it holds."""

    def __init__(self, place: str, why: str) -> None:
        """Keep which field, and what is wrong with it."""
        super().__init__(why)
        self.place, self.why = place, why


def _match(typed: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {name: meant(typed[name]) for name in WORDS if typed.get(name, "").strip()}
    arguments = [
        {
            "path": meant(typed.get(f"path{n}", "")),
            "is": typed.get(f"is{n}") or "equal",
            "value": meant_value(typed.get(f"value{n}", "")),
        }
        for n in range(policy_rows.count(typed, policy_rows.CONDITION))
    ]
    return found | ({"arguments": arguments} if arguments else {})


def _effect(typed: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {name: typed.get(name) == "1" for name in FLAGS}
    if typed.get("queue", "").strip():
        found["queue"] = meant(typed["queue"])
    if typed.get("deadline", "").strip():
        found["deadline_s"] = round(_amount(typed["deadline"], "deadline") * MINUTE)
    if typed.get("on_timeout"):
        found["on_timeout"] = typed["on_timeout"]
    found["quorum"] = _number(typed, "quorum", 1)
    reminders = typed.get("remind", "").replace(",", " ").replace("，", " ").split()
    found["remind_before_s"] = [round(_amount(each, "remind") * MINUTE) for each in reminders]
    found["break_glass"] = typed.get("glass", "").split()
    found["chain"] = policy_chain.steps(typed)
    found["tools_may_become"] = unlisted(typed.get("tools_may_become", ""))
    if typed.get("decide"):
        found["decide"] = _decide(typed)
    return found


def _decide(typed: Mapping[str, str]) -> dict[str, Any]:
    return {
        "action": typed["decide"],
        "tools": unlisted(typed.get("decide_tools", "")),
        "message": meant(typed.get("decide_message", "")),
        "writes": typed.get("decide_writes") == "1",
        "undo_s": _number(typed, "decide_undo", 60),
    }


def _expires(typed: Mapping[str, str]) -> str | None:
    """Read the end; the field knows minutes only, so an end that was not touched stays what it was to the second."""
    text, exact = typed.get("expires_at", "").strip(), typed.get("expires_exact", "")
    if not text:
        return None
    if exact and _local(exact) == text:
        return exact
    found = _time(text)
    if found is None:
        raise NotUnderstood("expires_at", _("“%(text)s” is not a time.") % {"text": text[:60]})
    return found.isoformat()


def _local(text: str) -> str:
    """Write a moment as the field has it: in the person's zone, to the minute; blank where it is none."""
    found = _time(text)
    return timezone.localtime(found).strftime("%Y-%m-%dT%H:%M") if found else ""


def _time(text: str) -> datetime | None:
    try:
        found = parse_datetime(text)
        return found if found is None or timezone.is_aware(found) else timezone.make_aware(found)
    except (ValueError, OverflowError):
        return None


def _number(typed: Mapping[str, str], name: str, otherwise: int) -> int:
    text = typed.get(name, "").strip()
    return round(_amount(text, name)) if text else otherwise


def _amount(text: str, name: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < 1e9:
        raise NotUnderstood(name, _("“%(text)s” is not a number.") % {"text": text[:60]})
    return number


def _placed(errors: tuple[FieldError, ...]) -> dict[str, str]:
    """Put each fault at its field; what belongs to none stands at the top."""
    found: dict[str, str] = {}
    for error in errors:
        found.setdefault(_place(error.field or ""), said(error))
    return found


def _place(where: str) -> str:
    parts = where.split(".")
    if where.startswith(("match.arguments.", "effect.chain.")) and len(parts) > 2:
        return f"{'path' if parts[0] == 'match' else 'do'}{parts[2]}"
    if parts[0] == "match" and len(parts) > 1 and parts[1] in WORDS:
        return parts[1]
    for depth in (3, 2, 1):
        if (place := PLACES.get(".".join(parts[:depth]))) is not None:
            return place
    return ""
