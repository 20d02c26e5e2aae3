"""What is known of a tool's effects from its own calls, whatever somebody says of it elsewhere."""

from collections.abc import Iterable

import orjson

from telemetry.models import Call, Series, Tool
from telemetry.vocabulary import SideEffect

LOOKED_AT = 50  # of each tool, its newest calls


def writing_tools(names: Iterable[str]) -> frozenset[str]:
    """Give those of these tools that one of their newest calls was reported of as writing."""
    tools = Tool.objects.filter(name__in=sorted(set(names)))
    return frozenset(tool.name for tool in tools if _writes(tool))


def _writes(tool: Tool) -> bool:
    series = Series.objects.filter(tool=tool, kind="o").exclude(agent_id=0)
    newest = Call.objects.filter(series__in=list(series.values_list("pk", flat=True))).order_by("-id")
    return any(
        _effect(detail) != SideEffect.READ for detail in newest.values_list("detail", flat=True)[:LOOKED_AT]
    )


def _effect(detail: str) -> str:
    return str(orjson.loads(detail).get("side_effect", SideEffect.READ))
