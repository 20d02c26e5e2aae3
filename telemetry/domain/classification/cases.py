"""The corpus' shape of a case in, one flat answer out: what `manage.py classify` reads and prints."""

from collections.abc import Mapping
from typing import Any

from telemetry.domain.classification.classifier import classify
from telemetry.domain.classification.evidence import Classification, Evidence
from telemetry.domain.classification.plain import clip
from telemetry.vocabulary import SideEffect

SIDE_EFFECTS = {
    (True, True): SideEffect.IDEMPOTENT_WRITE,
    (True, False): SideEffect.WRITE,
}


def classify_case(case: object) -> dict[str, Any]:
    """Classify one object with `tool`, `side_effect`, `idempotent`, `request` and `outcome`."""
    told = _mapping(case)
    return {"id": told.get("id"), **answer(classify(evidence_of(told)))}


def evidence_of(case: Mapping[str, Any]) -> Evidence:
    """The evidence that a case of the corpus holds; labels beside it are not read."""
    request = _mapping(case.get("request"))
    outcome = _mapping(case.get("outcome"))
    return Evidence(
        tool=clip(case.get("tool"), 200),
        side_effect=_effect(case),
        args=request.get("args"),
        args_schema=request.get("json_schema", request.get("args_schema")),
        http_status=outcome.get("http_status"),
        headers=_mapping(outcome.get("headers")),
        body=outcome.get("body"),
        has_body=bool(outcome),
        exception=outcome.get("exception"),
        grpc_status=outcome.get("grpc_status"),
        exit_code=outcome.get("exit_code"),
        stderr=outcome.get("stderr"),
        stdout=outcome.get("stdout"),
        duration_ms=outcome.get("duration_ms"),
        timeout_ms=outcome.get("timeout_ms"),
    )


def answer(found: Classification) -> dict[str, Any]:
    """The classification as flat JSON."""
    return {
        "class": str(found.verdict),
        "code": found.code,
        "retryable": str(found.retryable),
        "retry_after_s": found.retry_after_s,
        "field": found.field,
        "constraint": found.constraint,
        "received": found.received,
        "rule": found.rule,
    }


def _effect(case: Mapping[str, Any]) -> SideEffect:
    """Read the corpus' two flags, or the one word that reports have."""
    told = case.get("side_effect")
    if isinstance(told, str) and told in set(SideEffect):
        return SideEffect(told)
    return SIDE_EFFECTS.get((told is True, case.get("idempotent") is True), SideEffect.READ)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
