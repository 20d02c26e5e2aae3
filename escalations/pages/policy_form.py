"""The form of a policy: flat fields as typed, and the rule they say; what is typed travels in the address."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from console.kit.refusal import FieldError, Refused
from escalations import contract
from escalations.pages import policy_chain
from escalations.pages.faults import said

CONDITIONS = 3
WORDS = ("tool", "agent", "trigger", "class", "severity", "risk")
FLAGS = ("four_eyes", "require_claim")
MINUTE = 60
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
    "effect.chain": "chain",
    "effect": "chain",
}


@dataclass(frozen=True, slots=True)
class Form:
    """What was typed, and what of it is wrong: the name of a field → a sentence."""

    typed: Mapping[str, str]
    errors: Mapping[str, str] = field(default_factory=dict)
    rule: contract.SetPolicy | None = None

    @property
    def conditions(self) -> list[tuple[int, str, str, str, str]]:
        """Give the rows of argument conditions, with the fault of each."""
        return [
            (
                n,
                self.typed.get(f"path{n}", ""),
                self.typed.get(f"is{n}", ""),
                self.typed.get(f"value{n}", ""),
                self.errors.get(f"path{n}", ""),
            )
            for n in range(CONDITIONS)
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
        return policy_chain.lines(self.typed)


def of_policy(told: contract.Policy) -> dict[str, str]:
    """Write a policy as the fields of the form."""
    match: Mapping[str, Any] = told.match
    effect: Mapping[str, Any] = told.effect
    typed = {name: str(match.get(name) or "") for name in WORDS}
    for n, each in enumerate((match.get("arguments") or [])[:CONDITIONS]):
        value = each["value"]
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        typed |= {f"path{n}": each["path"], f"is{n}": each["is"], f"value{n}": shown}
    deadline = effect.get("deadline_s")
    expires = timezone.localtime(told.expires_at).strftime("%Y-%m-%dT%H:%M") if told.expires_at else ""
    return {
        **typed,
        **policy_chain.typed_of(effect.get("chain") or ()),
        "name": told.name,
        "mode": told.mode.value,
        "position": str(told.position),
        "queue": str(effect.get("queue") or ""),
        "deadline": f"{deadline / MINUTE:g}" if deadline else "",
        "on_timeout": str(effect.get("on_timeout") or ""),
        "quorum": str(effect.get("quorum") or 1),
        "remind": ", ".join(f"{each / MINUTE:g}" for each in effect.get("remind_before_s") or ()),
        "glass": " ".join(effect.get("break_glass") or ()),
        "expires_at": expires,
        **{name: "1" if effect.get(name) else "" for name in FLAGS},
    }


def read(typed: Mapping[str, str], *, before: contract.Policy | None) -> Form:
    """Read the fields as a rule. What the form does not show of a rule is kept as it was."""
    wrong = {"name": _("Needed, and empty.")} if not typed.get("name", "").strip() else {}
    try:
        body = {
            "mode": typed.get("mode") or "shadow",
            "position": _number(typed, "position", 100),
            "match": _match(typed),
            "effect": _effect(typed, before.effect if before else {}),
            "expires_at": _expires(typed),
        }
        rule = contract.SetPolicy.read(orjson.dumps(body))
    except NotUnderstood as exc:
        return Form(typed, {**wrong, exc.place: exc.why})
    except Refused as refusal:
        return Form(typed, {**wrong, **_placed(refusal.errors)})
    return Form(typed, wrong, rule=None if wrong else rule)


def flat(form: QueryDict) -> dict[str, str]:
    """Give the fields of a request as they were typed; of a box with its hidden twin the last one counts."""
    return {name: str(form.getlist(name)[-1])[:2_000] for name in form}


class NotUnderstood(ValueError):
    """The text in a field is none of what it holds."""

    def __init__(self, place: str, why: str) -> None:
        """Keep which field, and what is wrong with it."""
        super().__init__(why)
        self.place, self.why = place, why


def _match(typed: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {name: typed[name].strip() for name in WORDS if typed.get(name, "").strip()}
    arguments = [
        {
            "path": path.strip(),
            "is": typed.get(f"is{n}") or "equal",
            "value": _value(typed.get(f"value{n}", "")),
        }
        for n in range(CONDITIONS)
        if (path := typed.get(f"path{n}", "")).strip()
    ]
    return found | ({"arguments": arguments} if arguments else {})


def _effect(typed: Mapping[str, str], before: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: before[name] for name in ("decide", "tools_may_become") if before.get(name)}
    found: dict[str, Any] = {**kept, **{name: typed.get(name) == "1" for name in FLAGS}}
    if queue := typed.get("queue", "").strip():
        found["queue"] = queue
    if typed.get("deadline", "").strip():
        found["deadline_s"] = round(_amount(typed["deadline"], "deadline") * MINUTE)
    if typed.get("on_timeout"):
        found["on_timeout"] = typed["on_timeout"]
    found["quorum"] = _number(typed, "quorum", 1)
    reminders = typed.get("remind", "").replace(",", " ").split()
    found["remind_before_s"] = [round(_amount(each, "remind") * MINUTE) for each in reminders]
    found["break_glass"] = typed.get("glass", "").split()
    found["chain"] = policy_chain.steps(typed)
    return found


def _expires(typed: Mapping[str, str]) -> str | None:
    text = typed.get("expires_at", "").strip()
    if not text:
        return None
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None:
        raise NotUnderstood("expires_at", _("“%(text)s” is not a time.") % {"text": text[:60]})
    return (found if timezone.is_aware(found) else timezone.make_aware(found)).isoformat()


def _value(text: str) -> Any:
    """Read a value as JSON where it is JSON, else as the text it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text


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
        where = error.field or ""
        parts = where.split(".")
        place = PLACES.get(where) or PLACES.get(".".join(parts[:2]))
        if where.startswith("match.arguments.") and len(parts) > 2:
            place = f"path{parts[2]}"
        elif where.startswith("match.") and parts[1] in WORDS:
            place = parts[1]
        found.setdefault(place or PLACES.get(parts[0], ""), said(error))
    return found
