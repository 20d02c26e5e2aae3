"""The chain of a policy as rows of a form: what is done while nobody decides, one line each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LINES = 6
MINUTE = 60


@dataclass(frozen=True, slots=True)
class Line:
    """One row: what is done, and with whom or how much, as typed."""

    n: int
    do: str
    what: str


def lines(typed: Mapping[str, str]) -> list[Line]:
    """Give every row, the empty ones among them."""
    return [Line(n, typed.get(f"do{n}", ""), typed.get(f"what{n}", "")) for n in range(LINES)]


def steps(typed: Mapping[str, str]) -> list[dict[str, Any]]:
    """Read the rows as the steps of a chain; a row without a verb is none."""
    return [_step(line) for line in lines(typed) if line.do]


def typed_of(chain: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Write a chain as rows."""
    typed: dict[str, str] = {}
    for n, step in enumerate(chain[:LINES]):
        typed |= {f"do{n}": str(step["do"]), f"what{n}": _what(step)}
    return typed


def _step(line: Line) -> dict[str, Any]:
    what = line.what.strip()
    match line.do:
        case "wait":
            return {"do": "wait", "seconds": _whole(what, MINUTE)}
        case "repeat":
            return {"do": "repeat", "times": _whole(what, 1)}
        case "webhook":
            return {"do": "webhook", "url": what}
        case "on_call":
            return {"do": "on_call", "team": what}
        case _:
            team, name = what.startswith("@"), what.removeprefix("@").strip()
            return {"do": line.do, "team" if team else "person": name}


def _what(step: Mapping[str, Any]) -> str:
    if step.get("seconds"):
        return f"{step['seconds'] / MINUTE:g}"
    if step["do"] == "notify" and step.get("team"):
        return f"@{step['team']}"
    return str(step.get("times") or step.get("person") or step.get("team") or step.get("url") or "")


def _whole(text: str, unit: int) -> int | str:
    try:
        return round(float(text) * unit)
    except (ValueError, OverflowError):
        return text
