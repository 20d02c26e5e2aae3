"""Picks the finding that decides, after the few rules that no single piece of evidence can know."""

import re

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.emptiness import is_asked, looks_up, searches
from telemetry.domain.classification.fields.naming import given_in
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.identifiers import words_of
from telemetry.domain.classification.limits import LIMITS, limit_in_place
from telemetry.domain.classification.plain import clip, key, names
from telemetry.domain.classification.problems import leaves
from telemetry.domain.classification.reading import best
from telemetry.domain.classification.sight import Sight
from telemetry.domain.classification.waits import retry_after

_NONE_FOUND = re.compile(
    r"\bno (?:\w+ ){0,2}(?!results|records|entries|matches)\w+[^s]s (?:were |was |are )?found\b",
    re.IGNORECASE,
)
"""`No flights found`: said of several things, a 404 is what a search answers."""
CONTAINERS = names(
    """
    index collection table database bucket project account route endpoint page url path repository repo site
    tenant workspace namespace org organization model method queue topic class schema
    """
)


def settled(findings: list[Finding], sight: Sight) -> Finding | None:
    """The finding that decides, or None where nothing failed."""
    finding = best(findings)
    if finding is None:
        return None
    finding = _replayed(finding, findings, sight)
    if finding.cause is Cause.UNKNOWN and any(one.cause is Cause.TIMEOUT for one in findings):
        return _turned(finding, Cause.TIMEOUT)
    searched = looks_up(sight) or is_asked(sight)
    by_id = sight.status in {404, 410} and not searched and not finding.rule.startswith("pack.")
    by_id = by_id and not any(_NONE_FOUND.search(text[:200]) for text in _texts_of(findings))
    typed = any(one.cause is Cause.NOT_FOUND and one.rule.startswith("exception/") for one in findings)
    if finding.cause is Cause.NO_RESULTS and (not sight.reads or by_id or typed):
        return _turned(finding, Cause.NOT_FOUND)
    if (
        sight.status == 404
        and not finding.rule.startswith("pack.")
        and _is_missing_in_other_words(finding, findings)
    ):
        finding = Finding(Cause.NOT_FOUND, finding.weight, "http/404", finding.problem)
    if finding.cause is Cause.QUOTA and _is_throttled(finding, findings) and _waits_shortly(findings, sight):
        return _turned(finding, Cause.RATE_LIMITED)
    if turned := _in_its_place(finding, findings, sight):
        return _turned(finding, turned)
    if finding.cause is Cause.NOT_FOUND and (
        _is_statements_fault(findings, sight) or _is_bad_choice(finding, sight)
    ):
        return _turned(finding, Cause.VALIDATION)
    if finding.cause is Cause.NOT_FOUND and _is_lookup_miss(finding, findings, sight):
        return _turned(finding, Cause.NO_RESULTS)
    return finding


def _is_missing_in_other_words(finding: Finding, findings: list[Finding]) -> bool:
    """A 404 that speaks of rights or of an invalid id, unless it is the format of the id that is wrong."""
    if finding.cause is Cause.FORBIDDEN:
        return finding.weight < 85
    said = " ".join(leaves([one.problem for one in findings if one.problem])).lower()[:2_000]
    return (
        finding.cause is Cause.VALIDATION
        and finding.weight <= 63
        and not any(word in said for word in FORMATS)
    )


FORMATS = (
    "format",
    "must",
    "should",
    "uuid",
    "integer",
    "malformed",
    "numeric",
    "digits",
    "character",
    "length",
    "not a valid",
    "expected",
    "syntax",
    "parse",
)


def _turned(finding: Finding, cause: Cause) -> Finding:
    return Finding(cause, finding.weight, finding.rule, finding.problem)


STATEMENTS = names("sql query cql statement cypher aql hql")
_SQL_CLIENT = re.compile(
    r"(?:^|[\s/|;&])(?:psql|mysql|mariadb|sqlite3|duckdb|clickhouse(?:-client)?|sqlcmd|trino|snowsql|cqlsh|bq)\s"
)
"""Command lines that carry a statement."""
PARTS = names("table view column relation function identifier schema object")


def _is_statements_fault(findings: list[Finding], sight: Sight) -> bool:
    """A statement that names a table or column that is not there is repaired by another statement."""
    refused = (
        sight.fault is not None or sight.status in {None, 200, 400, 422, 500} or sight.exit_code is not None
    )
    stated = any(
        str(name).lower() in STATEMENTS
        or (sight.exit_code is not None and _SQL_CLIENT.search(clip(sent, 400)))
        for name, sent in list(sight.args.items())[:20]
    )
    if not refused or not stated:
        return False
    texts = [sight.fault.message] if sight.fault else _texts_of(findings)
    return any(not PARTS.isdisjoint(words_of(text[:600]).split()) for text in texts[:4])


def _is_bad_choice(finding: Finding, sight: Sight) -> bool:
    """`{"status_id": "No such status."}`: a complaint that stands under the argument it is about."""
    problem = finding.problem
    if sight.status not in {400, 422} or problem is None or problem.named or not problem.field_path:
        return False
    return finding.weight < 70 and problem.field_path in {str(name) for name in sight.args}


def _in_its_place(finding: Finding, findings: list[Finding], sight: Sight) -> Cause | None:
    """What a cause means beside this status, this field or this argument, where that is something else."""
    cause = finding.cause
    if cause is Cause.VALIDATION:
        return _bad_input_in_place(finding, findings, sight)
    if cause in LIMITS:
        if finding.rule == "http/403" and _waits_shortly(findings, sight):
            return Cause.RATE_LIMITED
        return limit_in_place(finding, findings, sight, " ".join(_texts_of(findings))[:1_000])
    if (
        cause is Cause.BUSY
        and finding.weight < 60
        and any(one.cause is Cause.SERVER_ERROR for one in findings)
    ):
        # «An internal error, please try again»: the request for another try proves nothing about this one.
        return Cause.SERVER_ERROR
    if cause is Cause.REFUSED and finding.weight < 80:
        if sight.status == 503:
            return Cause.BUSY
        none = sight.reads and any(_NONE_LEFT.search(text[:300]) for text in _texts_of(findings))
        return Cause.NO_RESULTS if none else None
    if cause in {Cause.UNAUTHORIZED, Cause.PRECONDITION} and _is_about_argument(finding, sight):
        return Cause.VALIDATION
    if cause in {Cause.UNSUPPORTED, Cause.SERVER_ERROR} and finding.weight < 80:
        return Cause.VALIDATION if _quotes_argument(findings, sight) else None
    return None


def _bad_input_in_place(finding: Finding, findings: list[Finding], sight: Sight) -> Cause | None:
    """What a complaint about the input is instead: about the caller's key, about money, about rights."""
    if _is_credential(finding, sight):
        return Cause.UNAUTHORIZED
    if sight.status == 402 and finding.rule.startswith("text/"):
        return Cause.FUNDS
    vague = finding.weight < 70 and finding.problem is not None and not finding.problem.named
    if sight.status != 403 or not vague:
        return None
    said = " ".join(_texts_of(findings)).lower()[:1_000]
    told = any(word in said for word in (*FORMATS, "field", "param", "argument"))
    return None if told else Cause.FORBIDDEN


def _is_about_argument(finding: Finding, sight: Sight) -> bool:
    """A vague sentence in a refusal of the input that has a key for the field: `"path": "metricSelector"`."""
    problem = finding.problem
    if sight.status not in {400, 422} or problem is None or not problem.named or finding.weight >= 80:
        return False
    last = key((problem.field_path or "").rsplit(".", 1)[-1])
    return finding.rule.startswith("text/") and last not in CREDENTIALS


_NONE_LEFT = re.compile(r"\bno (?:availability|rooms|flights|seats|vacanc\w+)\b", re.IGNORECASE)
"""What a search says that finds nothing to be had."""
_UNREAD = re.compile(
    r"\b(?:invalid|malformed|(?:can ?not|could not|unable to|failed to) parse)\b", re.IGNORECASE
)


def _quotes_argument(findings: list[Finding], sight: Sight) -> bool:
    """A breakdown that merely wraps the parser's complaint about an argument, which it repeats."""
    texts = [text for text in _texts_of(findings) if _UNREAD.search(text[:400])]
    given = given_in(texts)
    return given is not None and any(given == clip(value, 200) for value in list(sight.args.values())[:40])


_NOT_RIGHT = re.compile(r"\b(?:invalid|incorrect|wrong|expired|unknown|revoked|not valid)\b", re.IGNORECASE)
CREDENTIALS = names(
    "apikey accesstoken token authtoken authorization secret signature appkey accesskey clientsecret"
)


def _is_credential(finding: Finding, sight: Sight) -> bool:
    """A parameter that is wrong and is the caller's key, which the model did not write."""
    problem = finding.problem
    if problem is None or not problem.named or not problem.field_path:
        return False
    name = key(problem.field_path)
    refused = any(_NOT_RIGHT.search(text[:300]) for text in problem.texts)
    return refused and name in CREDENTIALS and name not in {key(own) for own in sight.args}


def _texts_of(findings: list[Finding]) -> list[str]:
    return [text for finding in findings if finding.problem for text in finding.problem.texts]


def _is_throttled(finding: Finding, findings: list[Finding]) -> bool:
    """True where a quota may be a rate: it is said vaguely or by a code, or a code speaks of throttling beside it."""
    vague = finding.weight < 80 or not finding.rule.startswith("text/")
    return vague or any(
        one.cause is Cause.RATE_LIMITED and one.weight >= 80 and not one.rule.startswith("text/")
        for one in findings
    )


def _waits_shortly(findings: list[Finding], sight: Sight) -> bool:
    """A quota that says to come back within the hour is a rate limit."""
    wait = retry_after(sight, _texts_of(findings))
    return wait is not None and wait <= 3_600


def _is_lookup_miss(finding: Finding, findings: list[Finding], sight: Sight) -> bool:
    """A 404 of a search or look-up is an empty answer, unless what is missing is the place that was searched."""
    override = sight.evidence.not_found_is_empty
    if not sight.reads or override is False or (finding.rule.startswith("pack.") and override is None):
        return False
    if override is True:
        return True
    if (
        sight.status not in {None, 200, 404}
        or sight.fault is not None
        or not searches(sight)
        or any(word in sight.words for word in ("get", "read", "list", "fetch"))
    ):
        return False
    said = {
        word
        for text in leaves([finding.problem for finding in findings if finding.problem])
        for word in words_of(text[:200]).split()
    }
    return not said & CONTAINERS


def _replayed(finding: Finding, findings: list[Finding], sight: Sight) -> Finding:
    """A conflict over an idempotency key whose answer hands back the original is a success."""
    if sight.status != 409 or sight.reads:
        return finding
    if "x-line-accepted-request-id" in sight.headers or "original-request" in sight.headers:
        return Finding(Cause.REPLAY, 90, "http/409-replay", finding.problem)
    said = " ".join(leaves([one.problem for one in findings if one.problem])).lower()[:2_000]
    keyed = "idempoten" in said or "retry key" in said
    if keyed and _hands_back(sight.body, 0):
        return Finding(Cause.REPLAY, 90, "http/409-replay", finding.problem)
    return finding


def _hands_back(body: object, depth: int) -> bool:
    """True where the body names the resource that the first request made."""
    if isinstance(body, dict) and depth < 5:
        return any(
            (
                isinstance(value, str)
                and value
                and ("resource_id" in str(name) or "original" in str(name) or "existing" in str(name))
            )
            or _hands_back(value, depth + 1)
            for name, value in list(body.items())[:40]
        )
    if isinstance(body, list) and depth < 5:
        return any(_hands_back(one, depth + 1) for one in body[:10])
    return False
