"""Reads what a command left behind: exit code, signal, standard error, and which program it was."""

import re
from dataclasses import replace
from typing import Any

from telemetry.domain.classification.bodies import read_body
from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.commands import Command, command_of, output_of
from telemetry.domain.classification.emptiness import is_empty_text
from telemetry.domain.classification.fault import Fault
from telemetry.domain.classification.faults import read_fault
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.messages import read_message
from telemetry.domain.classification.packs import marked
from telemetry.domain.classification.phrases import read_text
from telemetry.domain.classification.plain import clip, json_in
from telemetry.domain.classification.problems import Problem
from telemetry.domain.classification.shell_table import BY_HEAD, SIGNALS, SILENCE_IS_EMPTY, SYSEXITS
from telemetry.domain.classification.sight import Sight

_LAST_LINE = re.compile(
    r"^(?:Exception in thread \"[^\"]{0,60}\" |Uncaught |Unhandled exception\. |fatal error: )?((?:[A-Za-z_][\w$]{0,60}[.:]{1,2}){0,8}[A-Z]\w{2,60}(?:Error|Exception|Timeout|Exit|Interrupt|Warning|Refused|NotFound|Failure|Denied|Expired))(?:: (.{0,600}))?$",
    re.MULTILINE,
)
_USAGE = re.compile(
    r"^usage: |\berror: (?:argument|unrecognized arguments|the following arguments)|\bUsage: .{1,200}\n.{0,400}(?:Error|error): (?:invalid|no such option|missing|got unexpected)|^Error: (?:Invalid value|No such option|Missing (?:option|argument|parameter)|Got unexpected extra|unknown (?:flag|command|shorthand))|\b(?:unknown|unrecognized|invalid|illegal) option\b|\bflag provided but not defined\b|\bTry '.{1,80} --?help'|\bunknown flag: |\bunexpected argument '|\bunrecognized arguments?\b",
    re.IGNORECASE | re.MULTILINE,
)
_COMPLAINS = re.compile(
    r"^(?:[a-z][\w.+-]{1,30}|error|fatal|failed|E|ERROR|Error|FAILURE|\[ERROR\])(?: \w{1,12})?: \S",
    re.MULTILINE,
)
"""A program that says in a line of its own what it could not do has not crashed."""
_CRASH = re.compile(
    r"^Traceback \(most recent call last\)|^ {2}File \"[^<\"\n]{1,200}\", line \d+$|^thread '.{1,60}' panicked|^panic: |^fatal error: |^[ \t]+at .{1,200}:\d+:\d+\)?$|^goroutine \d+|^Node\.js v\d+|Segmentation fault|core dumped|^Exception in thread|^Unhandled exception|Assertion .{0,200} failed|stack backtrace:",
    re.MULTILINE,
)


def read(sight: Sight) -> list[Finding]:
    """What the command's end says; an OK or NO_RESULTS finding where it is no failure."""
    code = sight.exit_code or 0
    command = command_of(sight)
    sight = replace(sight, _packs=marked([*command.heads, *sight.words]))
    out = output_of(sight)
    if code == 0:
        return _after_success(command, out, sight)
    if (known := _by_exit(command, code, sight)) is not None:
        return [known]
    found = _by_signal(code, sight) + _by_text(out, sight)
    for head in command.heads:
        if (cause := BY_HEAD.get(head, {}).get(code)) and cause not in {Cause.OK, Cause.NO_RESULTS}:
            found.append(Finding(cause, 64, f"exit/{head}-{code}"))
    if code in SYSEXITS:
        found.append(Finding(SYSEXITS[code], 48, f"exit/{code}"))
    if not found and _COMPLAINS.search(sight.stderr):
        return [Finding(Cause.REFUSED, 30, f"exit/{code}-said", Problem(texts=[sight.stderr[:2_000]]))]
    return found or [Finding(Cause.CRASH, 24, f"exit/{code}")]


def _by_exit(command: Command, code: int, sight: Sight) -> Finding | None:
    """Exit codes that are an answer and no failure: grep's 1, diff's 1, pytest's 5."""
    if _USAGE.search(sight.stderr) or _CRASH.search(sight.stderr):
        return None
    for head in command.heads:
        cause = BY_HEAD.get(head, {}).get(code)
        if cause is Cause.NO_RESULTS and (
            not sight.stderr.strip() or head not in {"grep", "egrep", "fgrep", "rg"}
        ):
            return Finding(Cause.NO_RESULTS, 90, f"exit/{head}-{code}")
        if cause is Cause.OK:
            return Finding(Cause.OK, 88, f"exit/{head}-{code}")
    return None


def _by_signal(code: int, sight: Sight) -> list[Finding]:
    if code == 124 or (code == 137 and "timeout" in sight.stderr.lower()):
        return [Finding(Cause.TIMEOUT, 90, f"exit/{code}")]
    if code == 126:
        return [Finding(Cause.FORBIDDEN, 80, "exit/126")]
    if code in {127, 9009}:
        return [Finding(Cause.NOT_FOUND, 82, f"exit/{code}")]
    if code in {3221225477, -1073741819, 3221225725, -1073741571}:
        return [Finding(Cause.CRASH, 90, f"exit/{code}")]
    number = -code if code < 0 else code - 128
    if number in SIGNALS and not (code > 0 and number in {1, 2, 13} and sight.stderr.strip()):
        cause, weight = SIGNALS[number]
        if number in {9, 15} and _timed_out(sight):
            cause, weight = Cause.TIMEOUT, 88
        return [Finding(cause, weight, f"exit/signal-{number}")]
    return []


def _timed_out(sight: Sight) -> bool:
    took, limit = sight.evidence.duration_ms, sight.evidence.timeout_ms
    numbers = isinstance(took, int | float) and isinstance(limit, int | float)
    return numbers and took >= limit * 0.98


def _by_text(out: str, sight: Sight) -> list[Finding]:
    """Standard error first, the end of standard output where that is silent."""
    said = sight.stderr if sight.stderr.strip() else clip(out[-2_000:], 2_000)
    if not said.strip():
        return []
    problem = Problem(texts=[said[:2_000]])
    if _USAGE.search(said) and not said.lstrip().startswith("Traceback"):
        return [Finding(Cause.VALIDATION, 87, "shell/usage", problem)]
    if raised := _raised(said, sight):
        return raised
    found = [
        Finding(one.cause, one.weight, one.rule, one.problem or problem)
        for one in read_message(_short(said), sight)
    ]
    if _CRASH.search(said) and not any(one.weight > 84 for one in found):
        found.append(Finding(Cause.CRASH, 84, "shell/crash", problem))
    return found


def _short(said: str) -> str:
    """The lines that matter: the first and the last few."""
    lines = [line for line in said.splitlines() if line.strip()]
    return "\n".join([*lines[:4], *lines[4:][-6:]])


def _raised(said: str, sight: Sight) -> list[Finding]:
    """An exception that ended a script: its type and message decide, as if the tool had raised it."""
    if not _CRASH.search(said):
        return []
    lines = _LAST_LINE.findall(said)
    if not lines:
        return []
    kind, message = lines[-1] if "Traceback" in said else lines[0]
    fault = Fault(types=[kind], message=message)
    inner = replace(sight, fault=fault)
    found = read_fault(inner, fault)
    return [
        Finding(one.cause, one.weight, one.rule, one.problem or Problem(texts=[f"{kind}: {message}"]))
        for one in found
    ]


def _after_success(command: Command, out: str, sight: Sight) -> list[Finding]:
    """Exit 0: an answer, unless what was fetched is itself an error, or there is nothing in it."""
    if not sight.reads or not sight.evidence.complete:
        return _fetched(out, sight) if command.fetches else []
    plain = out.strip()
    if not plain:
        said = sight.stderr.strip()
        if said and len(said) < 300 and any(one.cause is Cause.NO_RESULTS for one in read_text(said)):
            return [Finding(Cause.NO_RESULTS, 85, "shell/no-results")]
        quiet = bool(command.heads) and command.heads[0] in SILENCE_IS_EMPTY and not said
        return [Finding(Cause.NO_RESULTS, 80, f"shell/{command.heads[0]}-silent")] if quiet else []
    if command.fetches and (failed := _fetched(out, sight)):
        return failed
    tabular = bool({"docker", "kubectl", "podman", "helm"} & set(command.heads))
    header_only = tabular and "\n" not in plain and plain.isupper() and "  " in plain
    if header_only or (len(plain) < 200 and not command.prints and is_empty_text(plain)):
        return [Finding(Cause.NO_RESULTS, 82, "shell/no-results")]
    return []


def _fetched(out: str, sight: Sight) -> list[Finding]:
    """`curl` exits 0 whatever the server answers: its output is read like a body."""
    value: Any = json_in(out)
    if not isinstance(value, dict):
        return []
    return read_body(replace(sight, body=value, text="", exit_code=None, status=None))
