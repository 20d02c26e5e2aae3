"""What operators see and do: request in, one query or one operation, page or redirect out."""

from escalations.pages.asides import assign, go_on, redeliver, redeliver_post, snooze
from escalations.pages.bulk import bulk, done, pick
from escalations.pages.case_view import case
from escalations.pages.decisions import claim, decide, draft, note, release, resolve, retract
from escalations.pages.group_view import group
from escalations.pages.package_page import package
from escalations.pages.pauses import hold, let_go_on, pauses
from escalations.pages.policies import policies, policy, save, suggested, switch
from escalations.pages.queue_view import preview, queue, row
from escalations.pages.teams import change_team, drop_stand_in, drop_team, stand_in, team, teams

__all__ = [
    "assign",
    "bulk",
    "case",
    "change_team",
    "claim",
    "decide",
    "done",
    "draft",
    "drop_stand_in",
    "drop_team",
    "go_on",
    "group",
    "hold",
    "let_go_on",
    "note",
    "package",
    "pauses",
    "pick",
    "policies",
    "policy",
    "preview",
    "queue",
    "redeliver",
    "redeliver_post",
    "release",
    "resolve",
    "retract",
    "row",
    "save",
    "snooze",
    "stand_in",
    "suggested",
    "switch",
    "team",
    "teams",
]
