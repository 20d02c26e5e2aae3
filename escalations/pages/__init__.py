"""What operators see and do: request in, one query or one operation, page or redirect out."""

from escalations.pages.asides import assign, go_on, redeliver, snooze
from escalations.pages.bulk import bulk, done, pick
from escalations.pages.case_view import case
from escalations.pages.decisions import claim, decide, draft, note, release, resolve, retract
from escalations.pages.group_view import group
from escalations.pages.package_page import package
from escalations.pages.policies import policies, policy, save, suggested, switch
from escalations.pages.queue_view import preview, queue, row

__all__ = [
    "assign",
    "bulk",
    "case",
    "claim",
    "decide",
    "done",
    "draft",
    "go_on",
    "group",
    "note",
    "package",
    "pick",
    "policies",
    "policy",
    "preview",
    "queue",
    "redeliver",
    "release",
    "resolve",
    "retract",
    "row",
    "save",
    "snooze",
    "suggested",
    "switch",
]
