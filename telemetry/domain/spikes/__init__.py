"""When a failure class of a tool rises beyond what its traffic explains.

The rate is tested, not the count: traffic that grows with an unchanged share of failures alarms nobody. Failures in a
window are compared with a negative binomial around calls × usual share, whose spread was learned as well: a share that
varies by itself varies more calls the more there are, so the spread grows with what is expected. What is usual is not
learned while something unusual goes on, and silence is neither recovery nor a lesson.
"""

from telemetry.domain.spikes.chance import tail
from telemetry.domain.spikes.judging import WINDOWS, YOUNG, tick
from telemetry.domain.spikes.learning import after_hours, share, spread_at
from telemetry.domain.spikes.shapes import Baseline, Lesson, Move, Seen, Test, Tick
from telemetry.domain.spikes.stored import baseline, plain

__all__ = [
    "WINDOWS",
    "YOUNG",
    "Baseline",
    "Lesson",
    "Move",
    "Seen",
    "Test",
    "Tick",
    "after_hours",
    "baseline",
    "plain",
    "share",
    "spread_at",
    "tail",
    "tick",
]
