"""Where the framework that asked cannot carry an edit, the page does not offer one and says why."""

import json

import pytest

from escalations import contract, operations
from tests.escalations import made
from tests.escalations.pages.browser import opened, show

pytestmark = pytest.mark.django_db
CALL = {"call_id": "c1", "tool_name": "book", "arguments": {"flight": "MU5138"}}
NO_EDIT = "No edit: the framework of this agent cannot carry changed arguments."


def asked(kind, request):
    told = {"key": f"{kind}-1", "trace_id": "t", "request": request}
    said = contract.AskInKind.model_validate_json(json.dumps(told))
    return operations.open_in_kind(kind=kind, said=said, by=made.AGENT, at=made.NOON).escalation


def test_a_framework_that_carries_no_edits_is_named_as_the_reason(ana):
    html = show(ana, asked("openai_agents", {"interruptions": [CALL]}))
    assert NO_EDIT in html
    assert "data-edit-first" not in html


def test_a_framework_without_a_reject_is_named_as_the_reason(ana):
    wanted = {
        "action_request": {"action": "book", "args": {}},
        "config": {"allow_accept": True, "allow_edit": True},
    }
    html = show(ana, asked("interrupt", wanted))
    assert "No reject: this kind of request has none." in html
    assert "No edit" not in html


def test_where_everything_is_offered_nothing_is_explained(ana):
    html = show(ana, opened())
    assert "No edit" not in html
    assert "No reject" not in html


def test_who_only_looks_is_not_told_what_deciders_may_not(client, stranger):
    client.force_login(stranger)
    assert "No edit" not in show(client, asked("openai_agents", {"interruptions": [CALL]}))
