"""Opens envelopes (JSON-RPC, MCP) and reads the marks outside the usual places: headers, withheld answers of models."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.messages import read_message
from telemetry.domain.classification.plain import MISSING, blank, clip, json_in, key, mapping, names, some
from telemetry.domain.classification.problems import Problem
from telemetry.domain.classification.protocols import read_grpc
from telemetry.domain.classification.reading import read_any_code
from telemetry.domain.classification.sight import Sight

FILTERED = names(
    "contentfilter safety prohibitedcontent recitation blocklist spii imagesafety sensitive refusal"
)
STOPPED = frozenset({"refusal", "content_filtered", "guardrail_intervened"})
PRESENT = {"content": "present"}
"""Stands for an image or a file, so that it is not taken for an empty answer."""


def opened(sight: Sight) -> Sight:
    """The answer inside JSON-RPC, MCP, A2A and OpenAI-style tool envelopes."""
    for _ in range(3):
        if (ended := _ended_badly(sight.body)) is not None:
            return replace(sight, claims=True, body=ended)
        body = mapping(sight.body)
        if body is None:
            return sight
        if "jsonrpc" in body and isinstance(body.get("error"), dict):
            return replace(sight, claims=True, body=body)
        if "jsonrpc" in body and "result" in body and "error" not in body:
            sight = replace(sight, body=body["result"])
        elif isinstance(body.get("content"), list) and _is_mcp(body):
            return _from_mcp(body, sight)
        else:
            return sight
    return sight


def _ended_badly(body: object) -> dict[str, Any] | None:
    """The last frame of an answer in frames, where it says that there were errors: Kusto's `DataSetCompletion`."""
    last = body[-1] if isinstance(body, list) and body else None
    return last if isinstance(last, dict) and last.get("HasErrors") is True and "FrameType" in last else None


def _is_mcp(body: Mapping[str, Any]) -> bool:
    content = body["content"]
    typed = all(isinstance(part, dict) and "type" in part for part in some(content, 20))
    return typed and (
        "isError" in body
        or "is_error" in body
        or "structuredContent" in body
        or set(body) <= {"content", "_meta", "meta"}
    )


def _from_mcp(body: Mapping[str, Any], sight: Sight) -> Sight:
    parts = [part for part in some(body["content"], 20) if isinstance(part, dict)]
    text = "\n".join(clip(part.get("text"), 6_000) for part in parts if part.get("type") == "text")
    failed = body.get("isError") is True or body.get("is_error") is True
    spoken = text if failed else ""
    structured = body.get("structuredContent")
    inner: Any = structured if isinstance(structured, dict) else json_in(text)
    if isinstance(inner, dict | list):
        only = inner.get("result") if isinstance(inner, dict) and set(inner) == {"result"} else inner
        said = only if isinstance(only, str) else ""
        inside = MISSING if said else only
        return replace(sight, body=inside, text=said, claims=failed or None, spoken=spoken, html=False)
    if not body["content"] and not structured and not failed:
        return replace(sight, body=[], text="", claims=False)
    if any(part.get("type") != "text" for part in parts) and not failed:
        return replace(sight, body=PRESENT, text="", claims=False)
    return replace(sight, body=MISSING, text=text, claims=failed or None, spoken=spoken, html=False)


def read_marks(sight: Sight) -> list[Finding]:
    """Marks outside the usual places: Lambda's function error, a bot challenge, a blocked prompt."""
    found: list[Finding] = []
    headers = sight.headers
    if "x-amz-function-error" in headers:
        found.append(_lambda(sight))
    if headers.get("cf-mitigated") == "challenge":
        found.append(Finding(Cause.FORBIDDEN, 92, "header/cf-mitigated"))
    if headers.get("idempotent-replayed", "").lower() == "true" and (sight.status or 0) < 400:
        found.append(Finding(Cause.REPLAY, 90, "header/idempotent-replayed"))
    if "grpc-status" in headers and (finding := read_grpc(headers["grpc-status"])):
        found += [finding, *read_message(headers.get("grpc-message", "").replace("%20", " "), sight)]
    if (sight.status or 500) >= 400:
        found += [finding for code in _codes_of(headers) for finding in read_any_code(code, sight)]
    if isinstance(sight.body, dict):
        found += _withheld(sight.body) + _stopped(sight.body)
    return found


def _codes_of(headers: Mapping[str, str]) -> list[str]:
    """`x-amzn-errortype: ThrottlingException:http://…`, `x-mashery-error-code`, `x-ms-error-code`."""
    return [value.split(":")[0].strip() for name, value in headers.items() if name.endswith(CODE_HEADERS)]


CODE_HEADERS = ("error-code", "errortype", "error-type", "errorcode")


def _lambda(sight: Sight) -> Finding:
    message = clip((mapping(sight.body) or {}).get("errorMessage"), 1_000)
    if "Task timed out" in message:
        return Finding(Cause.TIMEOUT, 95, "aws/lambda-timeout")
    return Finding(Cause.CRASH, 82, "aws/lambda-function-error", Problem(texts=[message] if message else []))


def _stopped(body: Mapping[str, Any]) -> list[Finding]:
    """An agent's task that goes no further until somebody signs in, as A2A gives it."""
    state = (mapping(body.get("status")) or {}).get("state")
    waits = body.get("kind") == "task" and isinstance(state, str) and key(state).endswith("authrequired")
    return [Finding(Cause.UNAUTHORIZED, 90, "task/auth-required")] if waits else []


def _withheld(body: Mapping[str, Any]) -> list[Finding]:
    """LLM answers that a filter withheld: Gemini, OpenAI and Azure, Anthropic, Bedrock."""
    feedback = mapping(body.get("promptFeedback")) or mapping(body.get("prompt_feedback")) or {}
    if not blank(feedback.get("blockReason") or feedback.get("block_reason")):
        return [Finding(Cause.POLICY, 93, "llm/block-reason")]
    if clip(body.get("stop_reason") or body.get("stopReason"), 60) in STOPPED:
        return [Finding(Cause.POLICY, 93, "llm/stop-reason")]
    choices = body.get("choices") or body.get("candidates")
    for choice in some(choices, 3) if isinstance(choices, list) else ():
        if isinstance(choice, dict):
            reason = clip(choice.get("finish_reason") or choice.get("finishReason"), 60)
            if key(reason) in FILTERED:
                return [Finding(Cause.POLICY, 93, f"llm/{reason}")]
    return []
