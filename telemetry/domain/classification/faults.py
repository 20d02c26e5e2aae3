"""Reads exceptions: their type, their codes, what their message holds, and whether anything was sent."""

import re

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.fault import Fault
from telemetry.domain.classification.fault_types import GENERIC, LOOKUP
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.messages import read_message
from telemetry.domain.classification.packs import numbers, read_pack_code
from telemetry.domain.classification.plain import integer, key
from telemetry.domain.classification.problems import problems_of
from telemetry.domain.classification.protocols import ERRNO_NUMBERS, read_errno, read_sqlstate
from telemetry.domain.classification.reading import read_any_code, read_problems
from telemetry.domain.classification.sight import Sight
from telemetry.domain.classification.statuses import read_status
from telemetry.domain.classification.words import read_code

_SEPARATORS = re.compile(r"[.$\\:/]")
_SENT = re.compile(
    r"\b(?:byteswritten|bytes were sent|during recv|while reading|error reading from server|read timed out|readtimeouterror|after sending|reading response|waiting for (?:a |the )?(?:response|reply|answer) (?:to|from|of|for))\b",
    re.IGNORECASE,
)
_CONNECT = re.compile(
    r"\bawaiting '(?:connect|lookup|secureConnect|socket)'|\b(?:connect|dial tcp|dial unix)\b[^\n]{0,60}\b(?:ETIMEDOUT|ECONNRESET|EPIPE|timed out|i/o timeout)|\btime\w* ?(?:out|exceeded)\b[^\n]{0,30}\bconnect(?:ing)?\b|\b(?:ETIMEDOUT|timed out)\b[^\n]{0,40}\bconnect\b",
    re.IGNORECASE,
)


def read_fault(sight: Sight, fault: Fault) -> list[Finding]:
    """Every finding in one exception."""
    found: list[Finding] = []
    for detail in fault.details:
        found += read_problems(problems_of(detail), sight)
    for code in fault.codes:
        found += _read_fault_code(code, fault, sight)
    found += read_message(fault.message, sight)
    found += read_types(fault, sight)
    if fault.status and (finding := read_status(fault.status, sight.side_effect)):
        found.append(finding)
    return _with_sending(found, fault)


def _read_fault_code(code: str, fault: Fault, sight: Sight) -> list[Finding]:
    number = integer(code)
    if number is not None and number == fault.errno and number in ERRNO_NUMBERS:
        finding = read_errno(ERRNO_NUMBERS[number])
        return [finding] if finding else []
    if known := read_pack_code(code, sight.packs):
        return [known]
    if not (code.isdigit() and numbers(sight.packs)) and (finding := read_sqlstate(code)):
        return [finding]
    return read_any_code(code, sight)


def read_types(fault: Fault, sight: Sight) -> list[Finding]:
    """The exception's type and those of its causes, by table and then by their words."""
    found: list[Finding] = []
    for number, name in enumerate(fault.types[:6]):
        simple = _simple(name)
        if known := LOOKUP.get(key(simple)):
            if not number or key(simple) not in GENERIC:
                found.append(Finding(*known, f"exception/{simple}"))
        elif worded := read_any_code(simple, sight) or [one for one in [read_code(simple)] if one]:
            found += worded
        else:
            found.append(Finding(Cause.CRASH, 36, f"exception/{simple[:60]}"))
    return found


def _simple(name: str) -> str:
    """`requests.exceptions.ReadTimeout` → `ReadTimeout`; Go's `*url.Error` keeps its package, which tells it apart."""
    qualified = name.lstrip("*")
    if qualified.count(".") == 1 and key(qualified) in LOOKUP:
        return qualified.replace(".", "")
    return _SEPARATORS.split(name)[-1]


def _with_sending(found: list[Finding], fault: Fault) -> list[Finding]:
    """A timeout or reset while connecting proves that nothing was sent; bytes that were written prove the opposite."""
    text = fault.message[:2_000]
    if fault.wrote or _SENT.search(text):
        return [_sent(finding) for finding in found]
    if fault.wrote is False or _CONNECT.search(text):
        return [_unsent(finding) for finding in found]
    return found


def _sent(finding: Finding) -> Finding:
    swap = {
        Cause.NETWORK_UNSENT: Cause.NETWORK,
        Cause.TIMEOUT_UNSENT: Cause.TIMEOUT,
        Cause.BUSY: Cause.UNAVAILABLE,
    }
    return Finding(swap.get(finding.cause, finding.cause), finding.weight, finding.rule, finding.problem)


def _unsent(finding: Finding) -> Finding:
    swap = {Cause.NETWORK: Cause.NETWORK_UNSENT, Cause.TIMEOUT: Cause.TIMEOUT_UNSENT}
    return Finding(swap.get(finding.cause, finding.cause), finding.weight, finding.rule, finding.problem)
