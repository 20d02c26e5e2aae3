"""Baselines as JSON, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from telemetry.domain.spikes.shapes import Baseline, Lesson


def plain(known: Baseline) -> dict[str, object]:
    """Give a baseline as JSON."""
    return {
        "failures": known.failures,
        "calls": known.calls,
        "spread": [*known.spread, *known.excess, *known.square],
        "hours": {str(hour): [list(day) for day in days] for hour, days in known.hours.items()},
        "hour": [known.hour, known.hour_failures, known.hour_calls],
        "age": known.age,
        "hot": known.hot,
        "quiet": known.quiet,
        "lessons": [
            [one.minute, one.calls, one.failures, *one.residuals, *one.expected] for one in known.lessons
        ],
        "cool": known.cool,
        "is_open": known.is_open,
    }


def baseline(stored: Mapping[str, Any]) -> Baseline:
    """Read a baseline back."""
    hour, hour_failures, hour_calls = stored["hour"]
    spread = [*stored["spread"], 0.0, 0.0, 0.0, 0.0][:6]
    return Baseline(
        failures=stored["failures"],
        calls=stored["calls"],
        spread=(spread[0], spread[1]),
        excess=(spread[2], spread[3]),
        square=(spread[4], spread[5]),
        hours={int(of): tuple((day[0], day[1]) for day in days) for of, days in stored["hours"].items()},
        hour=hour,
        hour_failures=hour_failures,
        hour_calls=hour_calls,
        age=stored["age"],
        hot=stored["hot"],
        quiet=stored["quiet"],
        lessons=tuple(_lesson(one) for one in stored["lessons"]),
        cool=stored["cool"],
        is_open=stored["is_open"],
    )


def _lesson(stored: Sequence[Any]) -> Lesson:
    minute, calls, failures, short, long, *expected = stored
    return Lesson(
        minute, calls, failures, (short, long), (expected[0], expected[1]) if expected else (0.0, 0.0)
    )
