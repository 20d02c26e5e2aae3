"""Decisions as LangChain's human-in-the-loop middleware takes them, one for each call that was asked about."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from escalations.domain.kinds.shapes import Decision, decided, final_steps, words
from escalations.vocabulary import Action


def decisions(ids: Sequence[str], decision: Decision) -> list[dict[str, Any]]:
    """Write as many as were asked about, in their order."""
    if decided(decision) is Action.RESPOND:
        return [{"type": "respond", "message": _answer(decision)} for _ in ids]
    return [_one(step, decision) for step in final_steps(ids, decision)]


def _one(step: Mapping[str, Any] | None, decision: Decision) -> dict[str, Any]:
    if step is None:
        return {"type": "reject", "message": words(decision)}
    if step["edited"]:
        return {"type": "edit", "edited_action": {"name": step["tool"], "args": step["args"]}}
    return {"type": "approve"}


def _answer(decision: Decision) -> str:
    if "answer" not in decision:
        return words(decision)
    answer = decision["answer"]
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
