"""Everything that is counted, as it is stored and as it follows from the rows alone."""

from telemetry.domain.sketch import unpack
from telemetry.domain.tally import Tally
from telemetry.models import Call, Rollup, Sketch
from telemetry.operations.store import counted_as


def counters():
    """Everything that is counted, as plain values."""
    rollups = {
        (row.agent_id, row.grain, row.bucket, row.series_id): (
            row.n,
            row.first_time,
            row.attempts,
            row.duration_us,
            row.recovery_us,
        )
        for row in Rollup.objects.all()
        if row.n or row.attempts
    }
    sketches = {
        (row.grain, row.bucket, row.tool_id, row.agent_id, row.kind): unpack(bytes(row.bins))
        for row in Sketch.objects.all()
        if bytes(row.bins)
    }
    return rollups, sketches


def recount():
    """The same from the rows alone."""
    tally = Tally()
    for row in Call.objects.select_related("series"):
        tally.add(counted_as(row.series, row))
    rollups = {row[:4]: row[4:] for row in tally.rollups()}
    return rollups, tally.sketches()
