"""Every write. One function per verb of the product, one durable transaction per function."""

from escalations.operations.asides import assign, snooze
from escalations.operations.bulk import bulk
from escalations.operations.claims import claim, lapse_one, release
from escalations.operations.deadlines import expire_one
from escalations.operations.decisions import Outcome as Decided
from escalations.operations.decisions import decide, retract
from escalations.operations.delivery import acknowledge, mark_delivered
from escalations.operations.notes import add_note, discard_draft, save_draft
from escalations.operations.opening import cancel, open_case, open_in_kind, revise
from escalations.operations.outcomes import no_report_one, report_outcome, resolve
from escalations.operations.policies import drop_policy, set_policy
from escalations.operations.webhooks import Post, post_answered, redeliver, take_one_post

__all__ = [
    "Decided",
    "Post",
    "acknowledge",
    "add_note",
    "assign",
    "bulk",
    "cancel",
    "claim",
    "decide",
    "discard_draft",
    "drop_policy",
    "expire_one",
    "lapse_one",
    "mark_delivered",
    "no_report_one",
    "open_case",
    "open_in_kind",
    "post_answered",
    "redeliver",
    "release",
    "report_outcome",
    "resolve",
    "retract",
    "revise",
    "save_draft",
    "set_policy",
    "snooze",
    "take_one_post",
]
