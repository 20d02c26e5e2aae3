"""What exception types mean, by simple name: the table `faults.toml`."""

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.knowledge import table

_TABLE = table("faults.toml")

LOOKUP: dict[str, tuple[Cause, int]] = {
    name: (Cause(row["cause"]), row["weight"]) for row in _TABLE["types"] for name in row["names"].split()
}
GENERIC = frozenset(_TABLE["generic"].split())
"""Types that the tool's own code raises for its own bugs and for bad arguments alike."""
