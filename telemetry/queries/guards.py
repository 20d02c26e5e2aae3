"""Which breakers guard a tool: those that name it, and those of what its newest calls depend on."""

import orjson

from telemetry.models import Breaker, BreakerPart, Call, Series, Tool
from telemetry.queries.calls import NEWEST, newest_of_series

LOOKED_AT = 20  # calls


def guards(tool: str) -> tuple[str, ...]:
    """Give the names of the breakers before a tool, in the order of the alphabet."""
    named = BreakerPart.objects.filter(tool=tool).values_list("breaker__name", flat=True)
    wanted = {tool, *named, *_dependencies(tool)}
    return tuple(Breaker.objects.filter(name__in=wanted).order_by("name").values_list("name", flat=True))


def _dependencies(tool: str) -> set[str]:
    """Give what the newest calls of a tool say they depend on."""
    tool_id = Tool.objects.filter(name=tool).values_list("pk", flat=True).first()
    if tool_id is None:
        return set()
    series = Series.objects.filter(kind="o", tool_id=tool_id).exclude(agent_id=0)
    newest = newest_of_series(series.values_list("pk", flat=True), NEWEST, LOOKED_AT)
    details = Call.objects.filter(pk__in=newest).values_list("detail", flat=True)
    said = [orjson.loads(detail) for detail in details]
    return {one["dependency"] for one in said if isinstance(one, dict) and one.get("dependency")}
