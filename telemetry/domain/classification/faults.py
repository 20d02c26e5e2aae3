"""Reads exceptions: their type, their codes, what their message holds, and whether anything was sent."""

import re

from telemetry.domain.classification.causes import Cause, Finding
from telemetry.domain.classification.fault_types import GENERIC, LOOKUP
from telemetry.domain.classification.packs import read_pack_code
from telemetry.domain.classification.phrases import read_text
from telemetry.domain.classification.plain import MISSING, integer, json_within, key
from telemetry.domain.classification.problems import Problem, problems_of
from telemetry.domain.classification.protocols import ERRNO_NUMBERS, read_errno, read_grpc, read_sqlstate
from telemetry.domain.classification.reading import read_any_code, read_problems, read_sentence
from telemetry.domain.classification.sight import Fault, Sight
from telemetry.domain.classification.statuses import read_status
from telemetry.domain.classification.words import read_code

_STATUS = re.compile(
    r"(?:\bstatus(?: code)?[:= ]{1,3}|\berror code: |\bhttp(?:/\d(?:\.\d)?)? |\bresponse code[:= ]{1,3}|\breturned (?:http |status |a )?|\bfailed with (?:status )?(?:code )?|\banswered (?:with )?|\bgot (?:a )?|\bresponded with (?:a )?|^|\bhttperror |\berror[ :(]{1,2}|\bresponded |\bupstream )\(?([45]\d\d)\b(?! (?:bytes|ms|items|rows|files|records|tokens|characters|results))"
)
_AWS = re.compile(r"An error occurred \(([A-Za-z0-9_.]{2,80})\) when calling the (\w{1,80}) operation")
_GRPC = re.compile(
    r"(?:\bstatus = (?:StatusCode\.)?|StatusCode\.|\bcode = |\bcode: |^|io\.grpc\.Status\w*Exception: |^\d{1,2} )([A-Za-z_]{5,20})\b"
)
_SQLSTATE = re.compile(r"\b(?:sqlstate|SQLSTATE|SQLState|ERROR:|state)[ :=\[(']{1,3}([0-9A-Z]{5})\b")
_CODED = re.compile(r"\b(?:error[ _]?)?code[:= ]{1,3}['\"(]?(-?[A-Za-z0-9_.\-]{2,80}[A-Za-z0-9])")
_ERRNO = re.compile(r"\b(E[A-Z]{3,14}|UND_ERR_[A-Z_]{3,40}|ERR_[A-Z0-9_]{3,40}|CERT_[A-Z_]{3,30})\b")
_ERRNO_NUMBER = re.compile(
    r"\[(?:Errno|WinError) (-?\d{1,5})\]|\bos error (\d{1,5})\b|\berrno[:= ](-?\d{1,5})\b", re.IGNORECASE
)
_RETRIES = re.compile(r"Max retries exceeded(?: with url: [^\s()]{0,300})?")
_TOO_MANY = re.compile(r"too many ([45]\d\d) error responses")
_SENT = re.compile(
    r"\b(?:byteswritten|bytes were sent|during recv|while reading|after sending|reading response)\b",
    re.IGNORECASE,
)
_CONNECT = re.compile(
    r"\bawaiting '(?:connect|lookup|secureConnect|socket)'|\b(?:connect|dial tcp|dial unix)\b[^\n]{0,60}\b(?:ETIMEDOUT|ECONNRESET|EPIPE|timed out|i/o timeout)|\b(?:ETIMEDOUT|timed out)\b[^\n]{0,40}\bconnect\b",
    re.IGNORECASE,
)
_QUOTED_DICT = re.compile(r"\{'[^{}]{0,2000}(?:\{[^{}]{0,1000}\}[^{}]{0,500})?\}")
_PYTHON_PAIR = re.compile(r"'([\w.]{1,40})': (?:'([^']{0,300})'|\"([^\"]{0,300})\"|(\d{1,10}))")


def read_fault(sight: Sight, fault: Fault) -> list[Finding]:
    """Every finding in one exception."""
    found: list[Finding] = []
    for detail in fault.details:
        found += read_problems(problems_of(detail), sight)
    for code in fault.codes:
        found += _read_fault_code(code, sight)
    found += read_message(fault.message, sight)
    found += read_types(fault, sight)
    if fault.status:
        found += [finding for finding in [read_status(fault.status, sight.side_effect)] if finding]
    return _with_sending(found, fault)


def _read_fault_code(code: str, sight: Sight) -> list[Finding]:
    number = integer(code)
    if number is not None and number in ERRNO_NUMBERS and sight.fault and "errno" in _names(sight):
        return [finding for finding in [read_errno(ERRNO_NUMBERS[number])] if finding]
    if finding := read_sqlstate(code):
        return [finding]
    return read_any_code(code, sight)


def _names(sight: Sight) -> frozenset[str]:
    exception = sight.evidence.exception
    return frozenset(map(str, exception)) if hasattr(exception, "keys") else frozenset()


def read_types(fault: Fault, sight: Sight) -> list[Finding]:
    """The exception's type and those of its causes, by table and then by their words."""
    found: list[Finding] = []
    for number, name in enumerate(fault.types[:6]):
        simple = re.split(r"[.$\\:/]", name)[-1]
        qualified = name.lstrip("*")
        if qualified.count(".") == 1 and key(qualified) in LOOKUP:
            simple = qualified.replace(".", "")
        if known := LOOKUP.get(key(simple)):
            cause, weight = known
            if number and key(simple) in GENERIC:
                continue
            found.append(Finding(cause, weight, f"exception/{simple}"))
        elif worded := read_any_code(simple, sight) or [one for one in [read_code(simple)] if one]:
            found += worded
        else:
            found.append(Finding(Cause.CRASH, 36, f"exception/{simple[:60]}"))
    return found


def read_message(message: str, sight: Sight) -> list[Finding]:
    """Codes, statuses, bodies and sentences inside an exception's message or a tool's error text."""
    if not message:
        return []
    message = _RETRIES.sub("", message)
    found = read_sentence(message, sight)
    head = message[:3_000]
    if aws := _AWS.search(head):
        found += [
            Finding(one.cause, _aws_weight(one), f"aws/{aws.group(1)}")
            for one in read_any_code(aws.group(1), sight)
        ]
    for code in _CODED.findall(head)[:4]:
        found += [
            one for one in read_any_code(code, sight) if not code.isdigit() or one.rule.startswith("pack.")
        ]
    if state := _SQLSTATE.search(head):
        found += [finding for finding in [read_sqlstate(state.group(1))] if finding]
    for name in _ERRNO.findall(head)[:4]:
        found += [finding for finding in [read_errno(name)] if finding]
    for groups in _ERRNO_NUMBER.findall(head)[:3]:
        name = ERRNO_NUMBERS.get(integer(groups[0] or groups[1] or groups[2]) or 0, "")
        found += [finding for finding in [read_errno(name)] if finding]
    if _speaks_grpc(head, sight):
        found += [finding for name in _GRPC.findall(head)[:6] if (finding := read_grpc(name))]
    elif grpc := re.match(r"(\d{1,2}) ([A-Z_]{5,20}):", head):
        found += [finding for finding in [read_grpc(grpc.group(2))] if finding]
    if (status := _STATUS.search(head.lower()) or _TOO_MANY.search(head)) and (
        own := read_pack_code(status.group(1), sight.packs)
    ):
        found.append(own)
    elif status:
        found += [finding for finding in [read_status(int(status.group(1)), sight.side_effect)] if finding]
    return found + _embedded(head, sight)


def _aws_weight(finding: Finding) -> int:
    """AWS names its errors well; only throttling may be a daily quota, as the sentence then says."""
    return finding.weight if finding.cause is Cause.RATE_LIMITED else max(finding.weight, 90)


def _embedded(head: str, sight: Sight) -> list[Finding]:
    """A JSON body, or a Python dict printed like one, inside a message."""
    value = json_within(head) if "{" in head else MISSING
    if value is not MISSING:
        return read_problems(problems_of(value), sight)
    if "{'" not in head:
        return []
    problem = Problem()
    for name, single, double, digits in _PYTHON_PAIR.findall(head)[:20]:
        role = key(name)
        if role in {"code", "type", "status", "reason", "errorcode", "errortype"}:
            problem.code(single or double or digits)
        elif role in {"message", "detail", "error", "msg", "param"}:
            problem.text(single or double)
    return read_problems([problem], sight)


def _with_sending(found: list[Finding], fault: Fault) -> list[Finding]:
    """A timeout or reset while connecting proves that nothing was sent; bytes that were written prove the opposite."""
    text = fault.message[:2_000]
    if fault.wrote or _SENT.search(text):
        return [_sent(finding) for finding in found]
    if fault.wrote is False or _CONNECT.search(text):
        return [_unsent(finding) for finding in found]
    return found


def _speaks_grpc(head: str, sight: Sight) -> bool:
    if sight.fault and "grpc" in sight.fault.module.lower():
        return True
    return any(mark in head for mark in ("rpc error", "StatusCode", "RpcError", "io.grpc"))


def _sent(finding: Finding) -> Finding:
    swap = {Cause.NETWORK_UNSENT: Cause.NETWORK, Cause.TIMEOUT_UNSENT: Cause.TIMEOUT}
    return Finding(swap.get(finding.cause, finding.cause), finding.weight, finding.rule, finding.problem)


def _unsent(finding: Finding) -> Finding:
    swap = {Cause.NETWORK: Cause.NETWORK_UNSENT, Cause.TIMEOUT: Cause.TIMEOUT_UNSENT}
    return Finding(swap.get(finding.cause, finding.cause), finding.weight, finding.rule, finding.problem)


def is_generic(fault: Fault) -> bool:
    """True where the type alone cannot tell a bug of the tool from bad arguments."""
    return bool(fault.types) and key(re.split(r"[.$\\:/]", fault.types[0])[-1]) in GENERIC


def said(fault: Fault) -> list[Finding]:
    """What the message's sentences say, without the type."""
    return read_text(fault.message)
