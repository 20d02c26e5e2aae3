"""Opens envelopes (JSON-RPC, MCP, Lambda, LLM answers) and reads bodies that claim a failure or come with one."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from telemetry.domain.classification import markup
from telemetry.domain.classification.causes import Cause, Finding
from telemetry.domain.classification.claims import SAYS, claims_failure
from telemetry.domain.classification.messages import read_message
from telemetry.domain.classification.packs import fine_codes
from telemetry.domain.classification.phrases import read_text
from telemetry.domain.classification.plain import (
    MISSING,
    blank,
    clip,
    json_in,
    key,
    mapping,
    names,
    names_within,
    some,
)
from telemetry.domain.classification.problems import Problem, problems_of
from telemetry.domain.classification.protocols import read_json_rpc
from telemetry.domain.classification.reading import read_problems, read_sentence
from telemetry.domain.classification.sight import Sight

PREFIX = re.compile(
    r"^\s*(?:error executing tool [\w./-]{1,80}|error calling tool ['\"]?[\w./-]{1,80}['\"]?|tool (?:execution )?(?:failed|error)|mcp error -?\d+|error|failed|failure|tool [\w./'\"-]{1,60} (?:failed|raised an error|returned an error)|exception)\s*:\s*",
    re.IGNORECASE,
)
ERRORS = re.compile(
    r"^\W{0,4}(?:(?:\w+ ){0,3}?(?:error|exception|fehler|erreur|errore?|erro|failure)\b(?:\s*[:(\[-]|\s+(?:executing|calling|while|occurred|code|from|during|in|fetching|reading|performing|running|processing|invoking|connecting|\d{3}\b))|(?:failed|unable|could ?n[o']t|can ?not|can't|cannot) (?:to |be )?\w+|failure\b|fatal:|traceback|panic:|fehler\b|エラー|错误|錯誤|失败|失敗|오류|ошибка|err:|err-|\[error\]|❌|⚠️ ?error|mcp error|http (?:error )?[45]\d\d\b|[45]\d\d (?:client|server) error|access denied|permission denied|unauthorized\b|forbidden\b|rate limit\w*\b|too many requests|internal server error|service unavailable|bad gateway|[^\n.:]{0,60}\b(?:failed with (?:error|status|code)|returned (?:an? )?(?:http )?error)\b|request failed|timed out|timeout\b|请求失败|调用失败|操作失败|権限がありません|8=fix[^\n]{0,300}\b(?:39=8|35=[39j])\b|[a-z_.]*(?:error|exception): )",
    re.IGNORECASE,
)
LONGEST_ERROR = 1_500


def opened(sight: Sight) -> Sight:
    """The answer inside JSON-RPC, MCP, A2A and OpenAI-style tool envelopes."""
    for _ in range(3):
        body = mapping(sight.body)
        if body is None:
            return sight
        if "jsonrpc" in body and isinstance(body.get("error"), Mapping):
            return replace(sight, claims=True, body=body)
        if "jsonrpc" in body and "result" in body and "error" not in body:
            sight = replace(sight, body=body["result"])
        elif isinstance(body.get("content"), list) and _is_mcp(body):
            return _from_mcp(body, sight)
        else:
            return sight
    return sight


def _is_mcp(body: Mapping[str, Any]) -> bool:
    content = body["content"]
    typed = all(isinstance(part, dict) and "type" in part for part in some(content, 20))
    return typed and (
        "isError" in body or "structuredContent" in body or set(body) <= {"content", "_meta", "meta"}
    )


def _from_mcp(body: Mapping[str, Any], sight: Sight) -> Sight:
    parts = [part for part in some(body["content"], 20) if isinstance(part, dict)]
    text = "\n".join(clip(part.get("text"), 6_000) for part in parts if part.get("type") == "text")
    failed = body.get("isError") is True
    structured = body.get("structuredContent")
    inner: Any = structured if isinstance(structured, dict) else json_in(text)
    if isinstance(inner, dict | list):
        only = inner.get("result") if isinstance(inner, dict) and set(inner) == {"result"} else inner
        text_inside = only if isinstance(only, str) else ""
        return replace(
            sight,
            body=MISSING if text_inside else only,
            text=text_inside,
            claims=failed or None,
            spoken=text if failed else "",
            html=False,
        )
    if any(part.get("type") != "text" for part in parts) and not failed:
        return replace(sight, body={"content": "present"}, text="", claims=False)
    return replace(
        sight, body=MISSING, text=text, claims=failed or None, spoken=text if failed else "", html=False
    )


def read_body(sight: Sight) -> list[Finding]:
    """What the body says went wrong; nothing where it claims no failure."""
    failed = sight.status is not None and sight.status >= 400
    found = _special(sight)
    if sight.spoken:
        return found + _spoken(sight.spoken, sight)
    body = sight.body
    if isinstance(body, dict | list):
        forced = failed or sight.claims is True
        if not forced and sight.claims is not False and isinstance(body, dict):
            forced = claims_failure(
                body, writes=not sight.reads, fine=fine_codes(sight.packs) if _numbered(body) else frozenset()
            )
        if forced:
            return found + _json(body, sight, whole=failed)
        return found + _no_results(body, sight)
    if isinstance(body, str) and not sight.text:
        sight = replace(sight, text=body)
    return found + _text(sight, failed=failed)


def _numbered(body: Mapping[str, Any]) -> bool:
    """True where a number stands for the outcome, so that the vendor's own number for success has to be known."""
    return any(
        key(name) in NUMBERED and (isinstance(value, int) or (isinstance(value, str) and value[:1].isdigit()))
        for name, value in some(body.items(), 40)
    )


NUMBERED = names(
    """
    code ret status errcode resultcode retcode respcode returncode errno infocode statuscode apiresultcode
    errorcode
    """
)


def _json(body: Mapping[str, Any] | list[Any], sight: Sight, *, whole: bool) -> list[Finding]:
    problems = problems_of(body, skip_payload=not whole)
    found = read_problems(problems, sight)
    if not whole and not any(finding.weight for finding in found):
        problems = problems_of(body)
        found = read_problems(problems, sight)
    if isinstance(body, dict) and "jsonrpc" in body and (error := mapping(body.get("error"))) is not None:
        if finding := read_json_rpc(error.get("code")):
            found.append(Finding(finding.cause, finding.weight, finding.rule, next(iter(problems), None)))
        found += read_message(PREFIX.sub("", clip(error.get("message"), 3_000)), sight)
    if not any(finding.weight for finding in found):
        cause, weight = (Cause.SERVER_ERROR, 34)
        found.append(Finding(cause, weight, "body/claims-failure", next(iter(problems), None)))
    return found


def _text(sight: Sight, *, failed: bool) -> list[Finding]:
    text = sight.text
    if not text.strip():
        return []
    if text.strip() == "false" and not sight.reads and not failed:
        return [Finding(Cause.PRECONDITION, 55, "body/false")]
    if sight.html:
        return _page(sight, failed=failed)
    if failed:
        return [_about(finding, text) for finding in read_message(clip(text, 4_000), sight)]
    if sight.claims is False or (
        len(text) > LONGEST_ERROR
        and not text.lstrip().lower().startswith(("traceback", "error:", "error executing"))
    ):
        return []
    if not ERRORS.match(text[:300]):
        return []
    return _spoken(text, sight) or [Finding(Cause.SERVER_ERROR, 40, "text/error")]


def _spoken(text: str, sight: Sight) -> list[Finding]:
    """A tool's own error text: with its usual prefix removed, JSON inside it included."""
    inner = json_in(text)
    if isinstance(inner, dict | list):
        return _json(inner, sight, whole=True)
    plain = text
    for _ in range(3):
        plain = PREFIX.sub("", plain, count=1)
    bare = re.fullmatch(r"['\"][\w .-]{1,60}['\"]", plain.strip())
    if bare:
        return [Finding(Cause.CRASH, 70, "text/bare-key", Problem(texts=[plain]))]
    found = [_about(finding, plain) for finding in read_message(plain, sight)]
    return found or [Finding(Cause.CRASH, 30, "text/error", Problem(texts=[plain]))]


def _about(finding: Finding, text: str) -> Finding:
    if finding.problem is not None:
        return finding
    return Finding(finding.cause, finding.weight, finding.rule, Problem(texts=[clip(text, 2_000)]))


def _page(sight: Sight, *, failed: bool) -> list[Finding]:
    """A web page where data was expected: its title and headings."""
    said = markup.html_text(sight.text)
    if failed:
        return [_about(finding, said) for finding in read_sentence(said, sight)]
    if "json" not in sight.headers.get("content-type", "") and any(
        word in sight.words
        for word in ("webpage", "page", "html", "url", "browser", "crawl", "scrape", "http", "fetch", "web")
    ):
        wall = [
            finding
            for finding in read_text(said[:300])
            if finding.rule == "text/forbidden"
            and re.search(
                r"captcha|just a moment|verify you are|attention required", said[:300], re.IGNORECASE
            )
        ]
        return wall
    return [
        _about(finding, said)
        for finding in read_sentence(said[:400], sight)
        if finding.cause in {Cause.UNAUTHORIZED, Cause.FORBIDDEN, Cause.BUSY, Cause.RATE_LIMITED}
    ]


def _no_results(body: object, sight: Sight) -> list[Finding]:
    """A message beside an answer that worked: `該当するデータはありません`, `No rooms found`."""
    if not sight.reads or not isinstance(body, dict):
        return []
    if names_within(body).isdisjoint(SAYS):
        return []
    texts = [value for value in _says(body, 0) if len(value) < 300]
    if any(finding.cause is Cause.NO_RESULTS for text in texts for finding in read_text(text)):
        return [Finding(Cause.NO_RESULTS, 60, "text/no_results")]
    return []


def _says(body: Mapping[str, Any], depth: int) -> list[str]:
    found = [
        value
        for name, value in some(body.items(), 40)
        if isinstance(value, str) and key(name) in SAYS and value
    ]
    if len(body) <= 4 and depth < 3:
        for value in body.values():
            parts = some(value, 3) if isinstance(value, list) and len(value) <= 3 else [value]
            for part in parts:
                if isinstance(part, dict):
                    found += _says(part, depth + 1)
    return found


def _special(sight: Sight) -> list[Finding]:
    """Marks outside the usual places: Lambda's function error, a bot challenge, a blocked prompt."""
    found: list[Finding] = []
    headers = sight.headers
    if "x-amz-function-error" in headers:
        found += _lambda(sight)
    if headers.get("cf-mitigated") == "challenge":
        found.append(Finding(Cause.FORBIDDEN, 92, "header/cf-mitigated"))
    if headers.get("idempotent-replayed", "").lower() == "true" and (sight.status or 0) < 400:
        found.append(Finding(Cause.REPLAY, 90, "header/idempotent-replayed"))
    if status := headers.get("grpc-status"):
        from_header = _grpc_header(status, headers.get("grpc-message", ""), sight)
        found += from_header
    if isinstance(sight.body, dict):
        found += _blocked(sight.body)
    return found


def _grpc_header(status: str, message: str, sight: Sight) -> list[Finding]:
    from telemetry.domain.classification.protocols import read_grpc

    finding = read_grpc(status)
    if finding is None:
        return []
    return [finding, *read_message(message.replace("%20", " "), sight)]


def _lambda(sight: Sight) -> list[Finding]:
    body = mapping(sight.body) or {}
    message = clip(body.get("errorMessage"), 1_000)
    if "Task timed out" in message:
        return [Finding(Cause.TIMEOUT, 95, "aws/lambda-timeout")]
    return [
        Finding(Cause.CRASH, 82, "aws/lambda-function-error", Problem(texts=[message] if message else []))
    ]


def _blocked(body: Mapping[str, Any]) -> list[Finding]:
    """LLM answers that a filter withheld: Gemini, OpenAI and Azure, Anthropic, Bedrock."""
    feedback = mapping(body.get("promptFeedback")) or mapping(body.get("prompt_feedback")) or {}
    if not blank(feedback.get("blockReason") or feedback.get("block_reason")):
        return [Finding(Cause.POLICY, 93, "llm/block-reason")]
    if body.get("stop_reason") in {"refusal", "content_filtered", "guardrail_intervened"} or body.get(
        "stopReason"
    ) in {"content_filtered", "guardrail_intervened"}:
        return [Finding(Cause.POLICY, 93, "llm/stop-reason")]
    choices = body.get("choices") or body.get("candidates")
    for choice in some(choices if isinstance(choices, list) else (), 3):
        reason = (
            clip(choice.get("finish_reason") or choice.get("finishReason"), 60)
            if isinstance(choice, dict)
            else ""
        )
        if key(reason) in FILTERED:
            return [Finding(Cause.POLICY, 93, f"llm/{reason}")]
    return []


FILTERED = names(
    """
    contentfilter safety prohibitedcontent recitation blocklist spii imagesafety sensitive refusal
    """
)
