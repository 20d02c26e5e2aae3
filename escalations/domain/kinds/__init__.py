"""Requests of other families as packages, and decisions as their answers: pure functions, with golden files."""

from collections.abc import Mapping
from typing import Any

from console.kit.refusal import Kind, Refused
from escalations.domain.kinds.ag_ui import AG_UI
from escalations.domain.kinds.approvals import OPENAI_AGENTS, VERCEL_AI
from escalations.domain.kinds.interrupt import INTERRUPT
from escalations.domain.kinds.langchain import LANGCHAIN
from escalations.domain.kinds.langchain_call import LANGCHAIN_CALL
from escalations.domain.kinds.mcp import MCP
from escalations.domain.kinds.pydantic_ai import PYDANTIC_AI
from escalations.domain.kinds.shapes import Call, Family, NotThisKind, wrong

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        LANGCHAIN,
        LANGCHAIN_CALL,
        INTERRUPT,
        AG_UI,
        OPENAI_AGENTS,
        VERCEL_AI,
        PYDANTIC_AI,
        MCP,
    )
}


class NoSuchKind(Refused):
    """There is no adapter of that name."""

    kind, code = Kind.MISSING, "NO_SUCH_KIND"


def family(name: str) -> Family:
    """Give the adapter of this name."""
    if name not in FAMILIES:
        raise NoSuchKind(f"There is no kind {name[:40]!r}; there are {', '.join(FAMILIES)}.")
    return FAMILIES[name]


def packaged(
    name: str, request: Mapping[str, Any], effects: Mapping[str, Mapping[str, Any]], *, key: str
) -> dict[str, Any]:
    """Give the parts of a package that a request says; `key` is the case's, each call's key is made from it.

    `effects` tells of each tool what calling it does (`side_effect`, `reversible`); of others the worst is assumed.
    """
    asked = family(name).ask(request)
    if not asked.calls and asked.response_schema is None:
        raise wrong("request", "about at least one call")
    plan = {
        "id": "as asked",
        "kind": "continue",
        "title": asked.title[:300],
        "recommended": True,
        "steps": [_step(call, effects.get(call.tool, {}), key) for call in asked.calls],
    }
    ids = [call.id for call in asked.calls] or list(asked.ids) or ["question"]
    context: dict[str, Any] = {"kind": asked.kind or name, "ids": ids}
    if asked.cannot:
        context["cannot"] = asked.cannot
    return {
        "title": asked.title[:300],
        "goal": asked.goal,
        "allowed": sorted(asked.allowed),
        "proposals": [plan] if asked.calls else [],
        "question": {"response_schema": asked.response_schema} if asked.response_schema is not None else None,
        "expires_at": asked.expires_at,
        "context": context,
    }


def in_kind(context: Mapping[str, Any], decision: Mapping[str, Any]) -> Any:
    """Give a decision as the answer of the family that the case came from."""
    name = context.get("kind")
    if not isinstance(name, str) or name not in FAMILIES:
        raise NoSuchKind("This case was not asked in kind.")
    return FAMILIES[name].tell(context.get("ids") or (), decision)


def _step(call: Call, effect: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {
        "id": call.id,
        "tool": call.tool,
        "args": dict(call.args),
        "args_schema": dict(call.args_schema) if call.args_schema else None,
        "side_effect": effect.get("side_effect", "write"),
        "reversible": bool(effect.get("reversible")),
        "note": call.description or None,
        "idempotency_key": f"{key}:{call.id}",
    }


__all__ = ["FAMILIES", "Family", "NoSuchKind", "NotThisKind", "family", "in_kind", "packaged"]
