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
from telemetry.operations.breakers import (
    NoSuchCommand,
    NoSuchInstance,
    acknowledge_command,
    beat,
    notice_one_silence,
    report_events,
)
from telemetry.operations.commands import BadCommand, NoSuchBreaker, command_breaker, end_one_command
from telemetry.operations.retention import prune_breaker_events, prune_calls, prune_counters
from telemetry.operations.tools import (
    BadRule,
    NoSuchRule,
    NoSuchTool,
    drop_fingerprint_rule,
    set_fingerprint_rule,
    set_not_found_is_empty,
)

__all__ = [
    "BadAddress",
    "BadCommand",
    "BadName",
    "BadRule",
    "NameTaken",
    "NoSuchAgent",
    "NoSuchBreaker",
    "NoSuchCommand",
    "NoSuchInstance",
    "NoSuchKey",
    "NoSuchRule",
    "NoSuchTool",
    "acknowledge_command",
    "beat",
    "command_breaker",
    "create_agent",
    "drop_fingerprint_rule",
    "end_one_command",
    "issue_key",
    "notice_one_silence",
    "prune_breaker_events",
    "prune_calls",
    "prune_counters",
    "report_events",
    "revoke_key",
    "set_fingerprint_rule",
    "set_not_found_is_empty",
    "set_owner",
    "set_webhook",
]
