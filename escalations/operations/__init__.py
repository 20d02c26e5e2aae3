"""Every write. One function per verb of the product, one durable transaction per function."""

from escalations.operations.asides import assign, snooze
from escalations.operations.automatic import decide_by_policy_one
from escalations.operations.bulk import bulk
from escalations.operations.chain_posts import chain_post_answered, redeliver_chain_post, take_one_chain_post
from escalations.operations.claims import claim, free_one_of, lapse_one, release
from escalations.operations.deadlines import expire_one
from escalations.operations.decisions import Outcome as Decided
from escalations.operations.decisions import decide, retract
from escalations.operations.delivery import acknowledge, mark_delivered
from escalations.operations.groups import decide_group
from escalations.operations.learning import dismiss_suggestion, take_suggestion
from escalations.operations.notes import add_note, discard_draft, save_draft
from escalations.operations.opening import cancel, open_case, open_in_kind, revise
from escalations.operations.outcomes import no_report_one, report_outcome, resolve
from escalations.operations.pauses import pause, unpause
from escalations.operations.policies import drop_policy, set_policy, switch_policy
from escalations.operations.rest import open_rest
from escalations.operations.teams import add_override, drop_override, drop_team, set_team
from escalations.operations.timers import chain_one, remind_one, wake_one
from escalations.operations.webhooks import Post, post_answered, redeliver, take_one_post

__all__ = [
    "Decided",
    "Post",
    "acknowledge",
    "add_note",
    "add_override",
    "assign",
    "bulk",
    "cancel",
    "chain_one",
    "chain_post_answered",
    "claim",
    "decide",
    "decide_by_policy_one",
    "decide_group",
    "discard_draft",
    "dismiss_suggestion",
    "drop_override",
    "drop_policy",
    "drop_team",
    "expire_one",
    "free_one_of",
    "lapse_one",
    "mark_delivered",
    "no_report_one",
    "open_case",
    "open_in_kind",
    "open_rest",
    "pause",
    "post_answered",
    "redeliver",
    "redeliver_chain_post",
    "release",
    "remind_one",
    "report_outcome",
    "resolve",
    "retract",
    "revise",
    "save_draft",
    "set_policy",
    "set_team",
    "snooze",
    "switch_policy",
    "take_one_chain_post",
    "take_one_post",
    "take_suggestion",
    "unpause",
    "wake_one",
]
