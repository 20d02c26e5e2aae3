"""Reads messages: codes, statuses, bodies and sentences inside an exception's or a tool's text."""

import re

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.packs import read_pack_code
from telemetry.domain.classification.plain import MISSING, integer, json_within, key
from telemetry.domain.classification.problems import Problem, problems_of
from telemetry.domain.classification.protocols import ERRNO_NUMBERS, read_errno, read_grpc, read_sqlstate
from telemetry.domain.classification.reading import read_any_code, read_problems, read_sentence
from telemetry.domain.classification.sight import Sight
from telemetry.domain.classification.statuses import read_status

_STATUS = re.compile(
    r"(?:\bstatus(?: code)?[:= ]{1,3}|\berror code: |\bhttp(?:/\d(?:\.\d)?)? |\bresponse code[:= ]{1,3}|\breturned (?:http |status |a )?|\bfailed with (?:status )?(?:code )?|\banswered (?:with )?|\bgot (?:a )?|\bsaid (?:a )?|\btold us (?:a )?|\bresponded with (?:a )?|^|\bhttperror |\berror[ :(]{1,2}|\bresponded |\bupstream )\(?([45]\d\d)\b(?! (?:bytes|ms|items|rows|files|records|tokens|characters|results))"
)
_AWS = re.compile(
    r"An error occurred \(([A-Za-z0-9_.]{2,80})\) when calling the \w{1,80} operation|\bapi error ([A-Z][A-Za-z0-9_.]{2,80}):"
)
"""How boto3 and the AWS SDK for Go name the code."""
_GRPC = re.compile(
    r"(?:\bstatus = (?:StatusCode\.)?|StatusCode\.|\bcode = |\bcode: |^|io\.grpc\.Status\w*Exception: |^\d{1,2} )([A-Za-z_]{5,20})\b"
)
_SQLSTATE = re.compile(r"\b(?:sqlstate|SQLSTATE|SQLState|ERROR:|state)[ :=\[(']{1,3}([0-9A-Z]{5})\b")
_ODBC = re.compile(r"^\W{0,3}(?:[0-9A-Z]{5}\W{1,6})?\[([0-9A-Z]{5})\] ?\[")
_NATIVE = re.compile(r"\((-?\d{2,5})\)(?: \(SQL\w+\))?['\")]{0,4}$")
_SHOUTED = re.compile(r"\b[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}\b")
_CODED = re.compile(
    r"(?:^|Error\) )\((-?\d{2,6}), ?['\"]|\[Error (\d{3,6})\]|^(\d{6}) ?(?:\([0-9A-Z]{5}\))?: |\b[A-Z]\w{2,40}(?:Error|Exception)\[([A-Za-z]{3,40})\]|\b(?:error[ _]?)?code[:= ]{1,3}['\"(]?(-?[A-Za-z0-9_.\-]{2,80}[A-Za-z0-9])"
)
_ERRNO = re.compile(r"\b(E[A-Z]{3,14}|UND_ERR_[A-Z_]{3,40}|ERR_[A-Z0-9_]{3,40}|CERT_[A-Z_]{3,30})\b")
_ERRNO_NUMBER = re.compile(
    r"\[(?:Errno|WinError) (-?\d{1,5})\]|\bos error (\d{1,5})\b|\berrno[:= ](-?\d{1,5})\b", re.IGNORECASE
)
_RETRIES = re.compile(r"Max retries exceeded(?: with url: [^\s()]{0,300})?")
_TOO_MANY = re.compile(r"too many ([45]\d\d) error responses")
_NODE_GRPC = re.compile(r"(\d{1,2}) ([A-Z_]{5,20}):")
_PYTHON_PAIR = re.compile(r"'([\w.]{1,40})': (?:'([^']{0,300})'|\"([^\"]{0,300})\"|(\d{1,10}))")


def read_message(message: str, sight: Sight) -> list[Finding]:
    """Codes, statuses, bodies and sentences inside an exception's message or a tool's error text."""
    if not message:
        return []
    message = _RETRIES.sub("", message)
    head = message[:3_000]
    found: list[Finding | None] = [
        *read_sentence(message, sight),
        *_codes(head, sight),
        *_protocol_codes(head),
    ]
    if _speaks_grpc(head, sight):
        found += [read_grpc(name) for name in _GRPC.findall(head)[:6]]
    elif grpc := _NODE_GRPC.match(head):
        found.append(read_grpc(grpc.group(2)))
    if status := _STATUS.search(head.lower()) or _TOO_MANY.search(head):
        number = status.group(1)
        found.append(read_pack_code(number, sight.packs) or read_status(int(number), sight.side_effect))
    return [finding for finding in found if finding is not None] + _embedded(head, sight)


def _codes(head: str, sight: Sight) -> list[Finding]:
    """AWS' code in its sentence, and `code=…`; a bare number means something only to a vendor's table."""
    found: list[Finding] = []
    if aws := _AWS.search(head):
        code = aws.group(1) or aws.group(2)
        found += [Finding(one.cause, _aws_weight(one), f"aws/{code}") for one in read_any_code(code, sight)]
    for code in _coded(head):
        vendors = code.isdigit()
        found += [one for one in read_any_code(code, sight) if not vendors or one.rule.startswith("pack.")]
    if _ODBC.match(head) and (native := _NATIVE.search(head.rstrip())):
        found += [one for one in [read_pack_code(native.group(1), sight.packs)] if one]
    return found


def _coded(head: str) -> list[str]:
    """Codes that a message marks as such, and names in capitals such as `MQRC_Q_FULL`."""
    marked = [next(filter(None, groups)) for groups in _CODED.findall(head)[:4]]
    return list(dict.fromkeys([*marked, *_SHOUTED.findall(head)[:4]]))


def _protocol_codes(head: str) -> list[Finding | None]:
    """SQLSTATE and errno, by name and by number."""
    found: list[Finding | None] = []
    if state := _ODBC.match(head) or _SQLSTATE.search(head):
        found.append(read_sqlstate(state.group(1)))
    found += [read_errno(name) for name in _ERRNO.findall(head)[:4]]
    for groups in _ERRNO_NUMBER.findall(head)[:3]:
        number = integer(groups[0] or groups[1] or groups[2])
        found.append(read_errno(ERRNO_NUMBERS.get(number or 0, "")))
    return found


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
            problem.say(single or double)
    return read_problems([problem], sight)


def _speaks_grpc(head: str, sight: Sight) -> bool:
    if sight.fault and "grpc" in sight.fault.module.lower():
        return True
    return any(mark in head for mark in ("rpc error", "StatusCode", "RpcError", "io.grpc"))
