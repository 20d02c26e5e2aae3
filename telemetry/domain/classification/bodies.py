"""Reads bodies that claim a failure or come with one: JSON, sentences, web pages."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from telemetry.domain.classification import markup
from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.claims import SAYS, claims_failure, is_problem
from telemetry.domain.classification.claims.runs import ran_badly, starts_run
from telemetry.domain.classification.envelopes import read_marks
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.mending import mended
from telemetry.domain.classification.messages import read_message
from telemetry.domain.classification.packs import fine_codes
from telemetry.domain.classification.phrases import read_text
from telemetry.domain.classification.plain import clip, json_in, key, mapping, names, names_within, some
from telemetry.domain.classification.problems import Problem, problems_of
from telemetry.domain.classification.protocols import read_json_rpc
from telemetry.domain.classification.reading import read_problems, read_sentence
from telemetry.domain.classification.sight import Sight

PREFIX = re.compile(
    r"^\s*(?:an error occurred while running the tool\. please try again\. error|error executing tool [\w./-]{1,80}|error calling tool ['\"]?[\w./-]{1,80}['\"]?|tool (?:execution )?(?:failed|error)|mcp error -?\d+|error|failed|failure|tool [\w./'\"-]{1,60} (?:failed|raised an error|returned an error)|exception)\s*:\s*",
    re.IGNORECASE,
)
ERRORS = re.compile(
    r"^(?!#\d)\W{0,4}(?:an error occurred while running the tool\b|(?:\w+ ){0,3}?(?:error|exception|fehler|erreur|errore?|erro|failure)\b(?:\s*[:(\[-]|\s+(?:executing|calling|while|occurred|code|from|during|in|fetching|reading|performing|running|processing|invoking|connecting|\d{3}\b))|(?:unable|could ?n[o']t|can ?not|can't|cannot) (?:to |be )?\w+|failed (?:to|with|while|when|because|due|after|on|in|at|during|for|as|by|\w+ing|validation|request|authentication|login|connection)\b|failure\b|fatal:|traceback|panic:|fehler\b|エラー|错误|錯誤|失败|失敗|오류|ошибка|err:|err-|\[error\]|code: \d{1,4}\. db::exception|error code: \d{3,4}\b|❌|⚠️ ?error|mcp error|http (?:error )?[45]\d\d\b|[45]\d\d (?:client|server) error|access denied|permission denied|unauthorized\b|forbidden\b|rate limit\w*\b|too many requests|internal server error|service unavailable|bad gateway|[^\n.:]{0,60}\b(?:failed with (?:error|status|code)|returned (?:an? )?(?:http )?error)\b|[^\n:]{0,60}\bfailed: (?=.{0,80}(?:net::err_|error|exception|errno|timed? ?out|refused|denied))|request failed|timed out|timeout\b|请求失败|调用失败|操作失败|権限がありません|hirm[gs]:[^\n]{0,400}\+(?:9\d{3}|3010):|8=fix[^\n]{0,300}\b(?:39=8|35=[39j])\b|[a-z_.]*(?:error|exception)(?:: |\(['\"]))",
    re.IGNORECASE,
)
LONGEST_ERROR = 1_500
OPENINGS = ("traceback", "error:", "error executing")
"""A text that opens so is an error however long it is."""
FILES = names("file files document documents cat doc docs article wiki note notes")
"""Tools that show texts, which may begin with any word."""
LOGS = names("log logs tail journal transcript console output")
FETCHING = names("webpage page html url browser crawl scrape http fetch web")
_WALL = re.compile(r"captcha|just a moment|verify you are|attention required", re.IGNORECASE)
_BROKE = re.compile(
    r"\b(?:errors?|fail\w*|system|internal|servers?|exhaust\w*|process\w*|unavailable|again|later|crash\w*|exception|unknown|pending|progress|inprocess)\b",
    re.IGNORECASE,
)
"""Words of a breakdown; a refusal that nobody could read and that has none of them was decided, not broken."""
_ERROR_PAGE = re.compile(
    r"\b(?:error(?: code)?:? (?:[45]\d\d|10\d\d)\b|[45]\d\d: |[45]\d\d (?:bad|gateway|service|internal|not found|forbidden|too many))",
    re.IGNORECASE,
)
"""Title of a proxy's or CDN's own page."""
_LOGIN = re.compile(r"\b(?:sign|log)[ -]?(?:in|on)\b|\blogin\b|登录|ログイン|anmelden", re.IGNORECASE)
_MARKED_WALL = re.compile(
    r"_Incapsula_Resource|px-captcha|cdn-cgi/challenge-platform|captcha-delivery\.com|distil_r_captcha"
)
"""What the walls of Imperva, HUMAN, Cloudflare and DataDome load."""
_BARE_KEY = re.compile(r"['\"][\w .-]{1,60}['\"]")


def read_body(sight: Sight) -> list[Finding]:
    """What the body says went wrong; nothing where it claims no failure."""
    failed = sight.status is not None and sight.status >= 400
    found = read_marks(sight)
    if sight.spoken:
        return found + _spoken(sight.spoken, sight)
    body = _body_of(sight, failed=failed)
    if isinstance(body, dict | list):
        if failed or sight.claims is True or _claims(body, sight):
            return found + _json(body, sight, whole=failed)
        return found + _no_results(body, sight)
    if isinstance(body, str) and not sight.text:
        sight = replace(sight, text=body)
    return found + _text(sight, failed=failed)


def _body_of(sight: Sight, *, failed: bool) -> Any:
    """The body, or what is left of one that was cut off on its way to us."""
    text = sight.text.lstrip()[:1]
    cut = not isinstance(sight.body, dict | list) and text in {"{", "["}
    return (
        mended(sight.text)
        if cut and (failed or sight.status is None or not sight.evidence.complete)
        else sight.body
    )


def _claims(body: object, sight: Sight) -> bool:
    if sight.claims is False or not isinstance(body, dict):
        return False
    fine = fine_codes(sight.packs) if _is_numbered(body) else frozenset()
    if claims_failure(body, writes=not sight.reads, fine=fine):
        return True
    if sight.reads and starts_run(sight.words) and ran_badly(body):
        return True
    return sight.status is None and is_problem(body)


def _is_numbered(body: Mapping[str, Any]) -> bool:
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
    if not whole and not any(finding.weight >= TELLING for finding in found):
        problems = problems_of(body)
        found = read_problems(problems, sight)
    first = next(iter(problems), None)
    error = mapping(body.get("error")) if isinstance(body, dict) and "jsonrpc" in body else None
    if error is not None:
        if finding := read_json_rpc(error.get("code")):
            found.append(Finding(finding.cause, finding.weight, finding.rule, first))
        found += read_message(PREFIX.sub("", clip(error.get("message"), 3_000)), sight)
    if not any(finding.weight for finding in found):
        cause = Cause.SERVER_ERROR if whole else _cause_of(problems)
        found.append(Finding(cause, 34, "body/claims-failure", first))
    return found


TELLING = 55
"""Of findings lighter than this the payload may know more, such as the issues beside `"status": "INVALID"`."""


def _cause_of(problems: list[Problem]) -> Cause:
    """Of a refusal that nobody could read: decided, where it is said without a word of a breakdown."""
    texts = [text for problem in problems for text in problem.texts]
    return (
        Cause.REFUSED
        if texts and not any(_BROKE.search(text[:400]) for text in texts)
        else Cause.SERVER_ERROR
    )


def unread_cause(said: list[Any]) -> Cause:
    """The cause of items that failed with words that nobody could read."""
    return _cause_of([problem for one in said for problem in problems_of(one)])


def _text(sight: Sight, *, failed: bool) -> list[Finding]:
    text = sight.text
    if not text.strip():
        return []
    if sight.html:
        return _page(sight, failed=failed)
    if failed:
        return _about(read_message(clip(text, 4_000), sight), text)
    if text.strip() == "false" and not sight.reads:
        return [Finding(Cause.PRECONDITION, 55, "body/false")]
    opens = text.lstrip()[:20].lower().startswith(OPENINGS) and FILES.isdisjoint(sight.words)
    too_long = (len(text) > LONGEST_ERROR and not opens) or (
        "\n" in text and not LOGS.isdisjoint(sight.words)
    )
    if sight.claims is False or too_long or not ERRORS.match(text[:300]):
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
    if _BARE_KEY.fullmatch(plain.strip()):
        return [Finding(Cause.CRASH, 70, "text/bare-key", Problem(texts=[plain]))]
    found = _about(read_message(plain, sight), plain)
    return found or [Finding(Cause.CRASH, 30, "text/error", Problem(texts=[plain]))]


def _about(findings: list[Finding], text: str) -> list[Finding]:
    """The findings, each with the text that it was read from."""
    problem = Problem(texts=[clip(text, 2_000)])
    return [Finding(one.cause, one.weight, one.rule, one.problem or problem) for one in findings]


def _page(sight: Sight, *, failed: bool) -> list[Finding]:
    """A web page where data was expected: its title and headings."""
    said = markup.html_text(sight.text)
    if _MARKED_WALL.search(sight.text[:6_000]):
        return [Finding(Cause.FORBIDDEN, 90, "page/bot-wall", Problem(texts=[said[:300]]))]
    if failed or (sight.status is None and _ERROR_PAGE.search(said[:200])):
        return _about(read_message(said, sight), said)
    if _LOGIN.search(said[:120]) and FETCHING.isdisjoint(sight.words):
        return [Finding(Cause.UNAUTHORIZED, 80, "page/sign-in", Problem(texts=[said[:300]]))]
    asked_for = "json" not in sight.headers.get("content-type", "") and not FETCHING.isdisjoint(sight.words)
    if asked_for:
        walled = _WALL.search(said[:300])
        return [one for one in read_text(said[:300]) if one.cause is Cause.FORBIDDEN] if walled else []
    return [one for one in _about(read_sentence(said[:400], sight), said) if one.cause in WALLS]


WALLS = frozenset({Cause.UNAUTHORIZED, Cause.FORBIDDEN, Cause.BUSY, Cause.RATE_LIMITED})
"""What a page may say that comes with 200 instead of data."""


def _no_results(body: object, sight: Sight) -> list[Finding]:
    """A message beside an answer that worked: `該当するデータはありません`, `No rooms found`."""
    if not sight.reads or not isinstance(body, dict) or names_within(body, 7).isdisjoint(SAYS):
        return []
    texts = [value for value in _sentences(body, 0) if len(value) < 300]
    if any(finding.cause is Cause.NO_RESULTS for text in texts for finding in read_text(text)):
        return [Finding(Cause.NO_RESULTS, 60, "text/no_results")]
    return []


def _sentences(body: Mapping[str, Any], depth: int) -> list[str]:
    members = some(body.items(), 40)
    says = SAYS | {"content"} if any(key(name) == "code" for name, _ in members) else SAYS
    found = [value for name, value in members if isinstance(value, str) and key(name) in says and value]
    for value in body.values() if len(body) <= 4 and depth < 3 else ():
        parts = value if isinstance(value, list) and len(value) <= 3 else [value]
        for part in parts:
            if isinstance(part, dict):
                found += _sentences(part, depth + 1)
    return found
