"""Commands that went on after an item failed: find, cp, rsync, git push, ansible, kubectl apply."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from telemetry.domain.classification.commands import Command, command_of, output_of
from telemetry.domain.classification.items import Tally
from telemetry.domain.classification.shell_table import PARTLY
from telemetry.domain.classification.sight import Sight

_COMPLAINT = re.compile(
    r"^(?:[\w./-]{1,60}): (?:cannot |can't |error |failed |unable )?.{1,300}: (?:permission denied|no such file or directory|is a directory|not a directory|input/output error|operation not permitted|device or resource busy|file exists|not found|no such .{1,40})\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_APPLIED = re.compile(
    r"^\S.{0,200} (?:created|configured|unchanged|deleted|patched|scaled|labeled|annotated|serverside-applied)(?: \(.{1,40}\))?\s*$",
    re.MULTILINE,
)
_SERVER_ERRORS = re.compile(
    r"^(?:Error from server|(?:upload|download|copy|move|delete) failed: |error: |The .{1,80} is invalid|Error: |╷?[ \t]*│? ?Error: )",
    re.MULTILINE,
)
_COMPLETED = re.compile(
    r"\b(?:Creation|Modifications?|Destruction) complete after|^(?:Successfully|Uploaded|Published|Created|Installed|upload:|copy:|Deployed) .{1,200}$|^[ \t]*✔ ",
    re.MULTILINE,
)
_RECAP = re.compile(
    r"^(\S{1,80})\s+: ok=(\d+)\s+changed=\d+\s+unreachable=(\d+)\s+failed=(\d+)", re.MULTILINE
)
_HOSTS = re.compile(r"^\S{1,80} \| (UNREACHABLE|FAILED|SUCCESS|CHANGED)\b", re.MULTILINE)
_IGNORED = re.compile(r"\berrors ignored on restore: (\d{1,9})")
_TRANSFERRED = re.compile(r"^Transferred:\s+(\d{1,9}) / \d{1,9}, ", re.MULTILINE)
_ERRORS = re.compile(r"^Errors:\s+([1-9]\d{0,8})\b", re.MULTILINE)
_REFS = re.compile(r"^ ([!*+=\- ]) .{0,40}\s\S{1,100}\s+-> \S{1,100}", re.MULTILINE)
_SUMMARY = re.compile(
    r"\b(\d{1,9}) (?:\w{1,30} )?(?:succeeded|successful|uploaded|copied|ok|passed|synced|imported|processed|sent|migrated|transferred)\b.{0,80}?\b(\d{1,9}) (?:\w{1,30} )?(?:failed|errors?|failures)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that failed, and what it printed."""

    command: Command
    code: int
    out: str
    said: str
    reads: bool


def tally(sight: Sight) -> Tally | None:
    """How many of a command's items worked and failed, where it says so; None for everything else."""
    if not sight.exit_code:
        return None
    ended = Ended(command_of(sight), sight.exit_code, output_of(sight), sight.stderr, sight.reads)
    return next((found for read in READERS if (found := read(ended)) is not None), None)


def _partly(ended: Ended) -> Tally | None:
    """A copy or backup that ended with its code for "made, but without some of the files"."""
    head = next((one for one in ended.command.heads if ended.code in PARTLY.get(one, ())), None)
    if head is None:
        return None
    failed = len(_COMPLAINT.findall(ended.said)) or None
    return Tally(ok=None, failed=failed, rule=f"exit/{head}-{ended.code}")


def _transferred(ended: Ended) -> Tally | None:
    """Rclone counts the files that it got across, and its errors."""
    lost, files = _ERRORS.search(ended.said[-4_000:]), _TRANSFERRED.findall(ended.said[-4_000:])
    ok = int(files[-1]) if files else 0
    if lost is None or not ok:
        return None
    return Tally(
        ok=ok, failed=int(lost.group(1)), said=[{"message": ended.said[-400:]}], rule="shell/transferred"
    )


def _recap(ended: Ended) -> Tally | None:
    """Ansible's lines per host, of a playbook or of a single module."""
    ended_so = _HOSTS.findall(ended.out[-8_000:])
    lost = sum(1 for word in ended_so if word in {"UNREACHABLE", "FAILED"})
    if lost:
        return Tally(ok=len(ended_so) - lost, failed=lost, rule="shell/hosts")
    hosts = _RECAP.findall(ended.out[-8_000:])
    bad = sum(1 for _, _, unreachable, failed in hosts if unreachable != "0" or failed != "0")
    return Tally(ok=len(hosts) - bad, failed=bad, rule="shell/recap") if bad else None


def _push(ended: Ended) -> Tally | None:
    if "git" not in ended.command.heads:
        return None
    refs = _REFS.findall(ended.said + "\n" + ended.out[-4_000:])
    bad = refs.count("!")
    return Tally(ok=len(refs) - bad, failed=bad, rule="shell/git-push") if 0 < bad < len(refs) else None


def _complaints(ended: Ended) -> Tally | None:
    """A complaint a line, of a command that goes on."""
    failed, operands = len(_COMPLAINT.findall(ended.said)), ended.command.operands
    if (
        not failed
        or not ended.command.goes_on
        or "not recoverable" in ended.said
        or not (ended.out.strip() or operands > failed)
    ):
        return None
    ok = operands - failed if operands > failed else None
    return Tally(ok=ok, failed=failed, said=[{"message": ended.said[:300]}], rule="shell/complaints")


def _each(ended: Ended) -> Tally | None:
    """Xargs ends with 123 where one of its commands failed, pg_restore counts the errors that it passed over."""
    if ended.code == 123 and "xargs" in ended.command.text and ended.out.strip():
        return Tally(ok=None, failed=None, said=[{"message": ended.said[:300]}], rule="exit/xargs-123")
    ignored = _IGNORED.search(ended.said)
    return Tally(ok=None, failed=int(ignored.group(1)), rule="shell/errors-ignored") if ignored else None


def _applied(ended: Ended) -> Tally | None:
    """`kubectl apply` says which objects it made and which it could not."""
    applied, refused = len(_APPLIED.findall(ended.out)), len(_SERVER_ERRORS.findall(ended.said))
    if "kubectl" not in ended.command.heads or not applied or not refused:
        return None
    return Tally(ok=applied, failed=refused, said=[{"message": ended.said[:400]}], rule="shell/kubectl")


def _completed(ended: Ended) -> Tally | None:
    """Terraform, `aws s3 sync` and the like: lines for what was done before an error."""
    done = 0 if ended.reads else len(_COMPLETED.findall(ended.out))
    failed = len(_SERVER_ERRORS.findall(ended.said + "\n" + ended.out)) if done else 0
    if not failed:
        return None
    return Tally(ok=done, failed=failed, said=[{"message": ended.said[:400]}], rule="shell/completed")


def _summary(ended: Ended) -> Tally | None:
    """`12 uploaded, 3 failed`, except of tests, whose failures are the answer."""
    match = _SUMMARY.search(ended.out[-3_000:] + "\n" + ended.said[-2_000:])
    if match is None or ended.command.tests:
        return None
    ok, failed = int(match.group(1)), int(match.group(2))
    return Tally(ok=ok, failed=failed, rule="shell/summary") if ok and failed else None


READERS: tuple[Callable[[Ended], Tally | None], ...] = (
    _partly,
    _transferred,
    _recap,
    _push,
    _complaints,
    _each,
    _applied,
    _completed,
    _summary,
)
