"""The form of a policy holds all that a policy may say: whatever is stored comes back from the browser the same."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.kit.actor import Actor, ActorKind
from console.kit.refusal import Refused
from escalations import contract, operations
from escalations.models import Policy
from escalations.pages import policy_text
from tests.escalations.pages import controls

pytestmark = pytest.mark.django_db
ADMIN = Actor(ActorKind.PERSON, "1", "ada", frozenset({"admin"}))
NOON = datetime(2026, 12, 1, 12, 0, 30, 123456, tzinfo=UTC)

# Texts that forms are known to spoil, beside any others.
SPOILED = [
    " ",
    " a ",
    '"',
    '"x"',
    '""',
    "@bob",
    "a\nb",
    "a\rb",
    "a,b",
    "007",
    "null",
    "true",
    "[1]",
    "1e3",
    "NaN",
    "退款",
    "\u2028",
    "<b>&amp;</b>",
    "x\x7f",
]
texts = st.one_of(
    st.sampled_from(SPOILED),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12),
)
names = texts.filter(lambda text: not any(char < " " or char == "\x7f" for char in text))
tools = names.map(lambda text: "t" + text)
seconds = st.integers(60, 7 * 24 * 3600)
values = st.one_of(
    texts,
    st.integers(-(2**53), 2**53),
    st.floats(-1e9, 1e9),
    st.booleans(),
    st.lists(st.one_of(texts, st.integers(-5, 5), st.none()), min_size=1, max_size=3),
    st.dictionaries(texts, st.integers(-5, 5), min_size=1, max_size=2),
)
paths = st.one_of(
    st.sampled_from(["a", "fare.price", "/fare/0", " a", '"a"', "a b"]), texts.map(lambda text: "/" + text)
)
conditions = st.fixed_dictionaries(
    {"path": paths, "is": st.sampled_from(["equal", "not_equal"]), "value": values}
)
steps = st.one_of(
    st.builds(lambda name: {"do": "notify", "person": name}, names),
    st.builds(lambda name: {"do": "notify", "team": name}, names),
    st.builds(lambda name: {"do": "on_call", "team": name}, names),
    st.builds(lambda n: {"do": "wait", "seconds": n}, seconds),
    st.just({"do": "webhook", "url": 'https://x.example/?a="b"&c=<d>'}),
)
decisions = st.one_of(
    st.fixed_dictionaries(
        {
            "action": st.just("approve"),
            "tools": st.lists(names, min_size=1, max_size=3),
            "writes": st.booleans(),
            "undo_s": st.integers(0, 3600),
        }
    ),
    st.fixed_dictionaries(
        {
            "action": st.just("reject"),
            "message": texts.map(lambda text: f"No.\n{text}"),
            "undo_s": st.integers(0, 3600),
        }
    ),
)
matches = st.fixed_dictionaries(
    {"tool": tools, "arguments": st.lists(conditions, min_size=1, max_size=20)},
    optional={
        "agent": names,
        "trigger": st.sampled_from(["requested", "other"]),
        "class": st.just("hard"),
        "severity": st.just("high"),
        "risk": texts,
    },
)
effects = st.fixed_dictionaries(
    {"chain": st.lists(steps, max_size=20)},
    optional={
        "queue": texts,
        "deadline_s": seconds,
        "on_timeout": st.sampled_from(["expire", "reject"]),
        "four_eyes": st.booleans(),
        "require_claim": st.booleans(),
        "remind_before_s": st.lists(seconds, max_size=5),
        "tools_may_become": st.lists(tools, max_size=20),
        "break_glass": st.lists(st.sampled_from(["admin", "operator"]), max_size=5),
        "decide": decisions,
    },
)
ends = st.integers(-(10**9), 2 * 10**11).map(lambda ms: (NOON + timedelta(milliseconds=ms)).isoformat())
policies = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["on", "shadow", "off"]),
        "position": st.integers(-100_000, 100_000),
        "match": matches,
        "effect": effects,
        "expires_at": ends,
    }
)


@pytest.fixture
def chief(ana, operator):
    operator.groups.add(Group.objects.get_or_create(name="admin")[0])
    return ana


def kept():
    return Policy.objects.values("mode", "position", "match", "effect", "expires_at").get()


def save_as_shown(client, name="any"):
    page = client.get(reverse("policy", args=[name]))
    return client.post(reverse("policy-save"), {**controls.sent(page.content.decode(), "rule"), "do": "save"})


def stored(body):
    said = contract.SetPolicy.read(json.dumps(body).encode())
    operations.set_policy(name="any", said=said, by=ADMIN, at=NOON)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=policies)
def test_any_policy_comes_back_from_its_form_as_it_was(chief, body):
    Policy.objects.all().delete()
    try:
        stored(body)
    except Refused:
        return  # nothing that the contract refuses can be in a form
    before = kept()
    answer = save_as_shown(chief)
    assert answer.status_code == 302, answer.context["form"].errors
    assert kept() == before
    assert Policy.objects.get().version == 2


def test_twenty_conditions_and_twenty_steps_all_stand_in_the_form(chief):
    arguments = [{"path": f"a{n}", "is": "equal", "value": n} for n in range(20)]
    chain = [{"do": "wait", "seconds": 61 + n} for n in range(20)]
    stored({"match": {"tool": "pay.*", "arguments": arguments}, "effect": {"chain": chain}})
    before = kept()
    assert save_as_shown(chief).status_code == 302
    assert kept() == before


@settings(max_examples=200)
@given(texts)
def test_a_text_reads_back_from_a_field_as_it_was(text):
    assert policy_text.meant(policy_text.shown(text)) == text
    assert policy_text.meant(policy_text.shown(text, lines=True).replace("\n", "\r\n")) == text
    assert policy_text.meant_value(policy_text.shown_value(text)) == text


@settings(max_examples=200)
@given(values)
def test_a_value_reads_back_with_its_type(value):
    found = policy_text.meant_value(policy_text.shown_value(value))
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (" EUR ", "EUR"),
        ("500", 500),
        ('"500"', "500"),
        ("NaN", "NaN"),
        ("[" * 1500, "[" * 1500),
        ("12345678901234567890123", 12345678901234567890123),
    ],
)
def test_what_is_typed_is_read_as_it_looks(typed, meant):
    assert policy_text.meant_value(typed) == meant


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"value5": "7"}, "path1"),
        ({"path5": "amount"}, "path1"),
        ({"what7": "ana"}, "do0"),
        ({"do7": "wait"}, "do0"),
        ({"value0": "99999999999999999999999", "is0": "more_than"}, "path0"),
        ({"decide": "reject", "decide_message": ""}, "decide"),
        ({"decide": "approve", "decide_tools": "a"}, ""),
        ({"decide_undo": "x", "decide": "reject"}, "decide_undo"),
        ({"tools_may_become": "*"}, ""),
        ({"queue": "q" * 100_001}, "queue"),
        ({"name": "a/b"}, "name"),
        ({"name": "n" * 121}, "name"),
    ],
)
def test_half_a_row_is_marked_and_never_dropped(chief, change, place):
    said = {
        "name": "r",
        "tool": "pay.*",
        "path0": "amount",
        "is0": "more_than",
        "value0": "5",
        "quorum": "1",
        **change,
    }
    answer = chief.post(reverse("policy-save"), {**said, "do": "save"})
    assert answer.status_code == 422
    assert place in answer.context["form"].errors
    assert not Policy.objects.exists()


def test_rows_are_added_without_a_script_and_nothing_is_lost_on_the_way(chief):
    said = {"name": "r", "tool": "pay.*", "path4": "amount", "value4": "5", "do": "more-path"}
    for n in range(3):
        answer = chief.post(reverse("policy-save"), said)
        said = {**controls.sent(answer.content.decode(), "rule"), "do": "more-path"}
        assert len(answer.context["form"].conditions) == 6 + 3 * n
    assert (said["path0"], said["value0"], said["tool"]) == (["amount"], ["5"], ["pay.*"])
    more = chief.post(reverse("policy-save"), {**said, "do": "more-do"})
    assert len(more.context["form"].chain) == 6
    assert not Policy.objects.exists()


def test_a_new_rule_never_replaces_another_of_its_name(chief):
    stored({"match": {"tool": "pay.*"}, "effect": {}})
    answer = chief.post(reverse("policy-save"), {"name": "any", "tool": "x", "do": "save"})
    assert answer.status_code == 422
    assert "There is a policy of this name already." in answer.content.decode()
    assert Policy.objects.get().match == {"tool": "pay.*"}


def test_an_end_that_is_changed_is_the_new_one_and_one_that_is_not_keeps_its_seconds(chief):
    stored({"match": {"tool": "p"}, "effect": {}, "expires_at": (NOON + timedelta(days=9)).isoformat()})
    exact = kept()["expires_at"]
    assert save_as_shown(chief).status_code == 302
    assert kept()["expires_at"] == exact
    page = chief.get(reverse("policy", args=["any"])).content.decode()
    changed = {**controls.sent(page, "rule"), "expires_at": "2027-01-01T10:00", "do": "save"}
    chief.post(reverse("policy-save"), changed)
    assert kept()["expires_at"] == datetime(2027, 1, 1, 10, 0, tzinfo=UTC)
