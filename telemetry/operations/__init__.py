"""Every write of telemetry, one function per verb."""

from telemetry.operations.agents import (
    BadAddress,
    BadName,
    NameTaken,
    NoSuchAgent,
    NoSuchKey,
    create_agent,
    issue_key,
    revoke_key,
    set_owner,
    set_webhook,
)
from telemetry.operations.backfill import backfill_one_chunk
from telemetry.operations.breakers import (
    NoSuchCommand,
    NoSuchInstance,
    acknowledge_command,
    beat,
    notice_one_silence,
    report_events,
)
from telemetry.operations.commands import BadCommand, NoSuchBreaker, command_breaker, end_one_command
from telemetry.operations.judging import Backfill, BadLabel, NoSuchCall, judge_again, relabel_call
from telemetry.operations.markers import BadMarker, mark_deploy
from telemetry.operations.retention import prune_breaker_events, prune_calls, prune_contexts, prune_counters
from telemetry.operations.spikes import (
    BadMute,
    NoSuchSpike,
    acknowledge_spike,
    mute_spikes,
    unmute_spikes,
    watch_one_minute,
)
from telemetry.operations.tools import (
    BadRule,
    NoSuchRule,
    NoSuchTool,
    TooManyRules,
    drop_fingerprint_rule,
    set_fingerprint_rule,
    set_not_found_is_empty,
)

__all__ = [
    "Backfill",
    "BadAddress",
    "BadCommand",
    "BadLabel",
    "BadMarker",
    "BadMute",
    "BadName",
    "BadRule",
    "NameTaken",
    "NoSuchAgent",
    "NoSuchBreaker",
    "NoSuchCall",
    "NoSuchCommand",
    "NoSuchInstance",
    "NoSuchKey",
    "NoSuchRule",
    "NoSuchSpike",
    "NoSuchTool",
    "TooManyRules",
    "acknowledge_command",
    "acknowledge_spike",
    "backfill_one_chunk",
    "beat",
    "command_breaker",
    "create_agent",
    "drop_fingerprint_rule",
    "end_one_command",
    "issue_key",
    "judge_again",
    "mark_deploy",
    "mute_spikes",
    "notice_one_silence",
    "prune_breaker_events",
    "prune_calls",
    "prune_contexts",
    "prune_counters",
    "relabel_call",
    "report_events",
    "revoke_key",
    "set_fingerprint_rule",
    "set_not_found_is_empty",
    "set_owner",
    "set_webhook",
    "unmute_spikes",
    "watch_one_minute",
]
