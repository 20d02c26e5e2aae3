"""The chain of a policy as rows of a form: what is done while nobody decides, one line each."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from escalations.pages import policy_rows, policy_text

MINUTE = 60


@dataclass(frozen=True, slots=True)
class Line:
    """One row: what is done, and with whom or how much, as typed; and what is wrong with it."""

    n: int
    do: str
    what: str
    fault: str = ""


def lines(typed: Mapping[str, str], errors: Mapping[str, str] | None = None) -> list[Line]:
    """Give every row, empty ones among them."""
    wrong = errors or {}
    return [
        Line(n, typed.get(f"do{n}", ""), typed.get(f"what{n}", ""), wrong.get(f"do{n}", ""))
        for n in policy_rows.shown(typed, policy_rows.LINE)
    ]


def steps(typed: Mapping[str, str]) -> list[dict[str, Any]]:
    """Read the rows as the steps of a chain."""
    said = range(policy_rows.count(typed, policy_rows.LINE))
    return [_step(typed.get(f"do{n}", ""), typed.get(f"what{n}", "").strip()) for n in said]


def typed_of(chain: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Write a chain as rows."""
    typed: dict[str, str] = {}
    for n, step in enumerate(chain):
        typed |= {f"do{n}": str(step["do"]), f"what{n}": _what(step)}
    return typed


def minutes(seconds: float) -> str:
    """Write seconds as minutes, to the second: whole where they are, else so that they are read back the same."""
    return str(seconds // MINUTE) if seconds % MINUTE == 0 else repr(seconds / MINUTE)


def _step(do: str, what: str) -> dict[str, Any]:
    match do:
        case "wait":
            return {"do": "wait", "seconds": _whole(what, MINUTE)}
        case "repeat":
            return {"do": "repeat", "times": _whole(what, 1)}
        case "webhook":
            return {"do": "webhook", "url": what}
        case "on_call":
            return {"do": "on_call", "team": policy_text.meant(what)}
        case _:
            team = what.startswith("@")
            return {"do": do, "team" if team else "person": policy_text.meant(what.removeprefix("@"))}


def _what(step: Mapping[str, Any]) -> str:
    if step.get("seconds"):
        return minutes(step["seconds"])
    if step.get("team"):
        told = policy_text.shown(step["team"])
        return f"@{told}" if step["do"] == "notify" else told
    if person := step.get("person"):
        # one whose name begins with @ would be read as a team
        return json.dumps(person, ensure_ascii=False) if person.startswith("@") else policy_text.shown(person)
    return str(step.get("times") or step.get("url") or "")


def _whole(text: str, unit: int) -> int | str:
    try:
        return round(float(text) * unit)
    except (ValueError, OverflowError):
        return text
