"""Each check that a failure elsewhere asks for is named by a test here: by the words it begins with, as "Check: …"."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CHECKS = (
    "two operators decide at once",
    "same decision and same key again returns the stored result",
    "decide on the deadline tick: the person or the default, never both",
    "kill the agent between decide and delivery; reconnect: decision arrives, once",
    "event or decision that comes before the agent starts waiting is kept",
    "answer `false`, `0`, empty object counts as an answer",
    "reject maps to an explicit reject in every adapter",
    "reject always carries a reason",
    "two parallel calls in one run keep separate ids",
    "arguments change after the form opened: 409",
    "edit cannot change the tool unless policy says so; the new tool's own rule is applied",
    "new item arrives, or socket drops, while editing: nothing resets, nothing defaults to approve",
    "refresh restores the draft",
    "GET on any link changes nothing",
    "one permission function; a demoted user's open tab gets 403",
    "badge = list count",
    "requester (agent owner) cannot approve on any route",
    "expired, cancelled, auto-approved and superseded are never worded as a person's decision",
    "acked or decided item is never paged again; an old timer wakes and does nothing",
    "quorum outcome is its own field, votes are separate rows",
    "same failed call re-raised after reject shows the earlier decision and opens no second item",
    "outcome `failed` after approve changes the row, badge and queue",
    "no outcome in N minutes raises",
    "compensation 2 of 3 fails: partial, still open, rest of the plan kept",
    "auto job skips an item under a live claim",
    "rule with an empty or missing argument condition is refused",
)


def named():
    for path in sorted(TESTS.rglob("test_*.py")):
        yield from re.findall(r'"""Check: ([^"]+)', path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("check", CHECKS)
def test_a_test_names_the_check(check):
    assert any(told.startswith(check) for told in named())
