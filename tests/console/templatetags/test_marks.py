"""A sign never stands for a word: it is hidden where one stands beside it, and drawn for every word there is."""

import re
from pathlib import Path

import pytest

from console.templatetags import marks
from telemetry.vocabulary import BreakerState, FailureClass, FleetState

SPRITE = (Path(__file__).parents[3] / "templates/components/_sprite.html").read_text(encoding="utf-8")
SYMBOLS = set(re.findall(r'<symbol id="([\w-]+)"', SPRITE))


def used(html):
    return set(re.findall(r'href="#([\w-]+)"', html))


@pytest.mark.parametrize("failure_class", [*FailureClass, "", "<b>"])
def test_every_class_has_a_mark_in_the_sprite(failure_class):
    assert used(marks.mark(failure_class)) <= SYMBOLS
    assert 'aria-hidden="true"' in marks.mark(failure_class)


def test_a_class_is_mark_and_word_with_the_word_of_the_wire():
    assert "unknown_outcome" in marks.cls("unknown_outcome")
    assert "<b>" not in marks.cls("<b>")
    assert (marks.look("hard"), marks.look("")) == ("hard", "ink3")


@pytest.mark.parametrize("state", ["open", "me", "other", "done", "warn", "empty"])
def test_every_jack_is_in_the_sprite_and_can_be_read_aloud(state):
    assert used(marks.jack(state)) <= SYMBOLS
    assert 'aria-label="kestrel has it"' in marks.jack(state, "kestrel has it")


@pytest.mark.parametrize("state", [*BreakerState, *FleetState])
def test_every_breaker_state_has_a_lamp_and_a_handle(state):
    drawn = marks.lamp_of(state)
    assert used(marks.lamp(drawn)) | used(marks.handle(drawn)) | used(marks.handle(drawn, "x")) <= SYMBOLS


def test_what_is_not_known_is_never_drawn_as_closed():
    assert marks.lamp_of("not_known") == marks.lamp_of("whatever") == "stale"


@pytest.mark.parametrize(
    ("side_effect", "reversible", "words"),
    [
        ("read", None, "read"),
        ("write", True, "can be undone"),
        ("write", False, "cannot be undone"),
        ("idempotent_write", None, "write"),
    ],
)
def test_an_effect_says_what_a_step_does_to_the_world(side_effect, reversible, words):
    html = marks.effect(side_effect, reversible)
    assert words in html
    assert used(html) <= SYMBOLS
    assert ("final" in html) == (reversible is False)


def test_what_may_have_happened_is_said_as_loudly_as_what_cannot_be_undone():
    assert "final" in marks.may_have_happened()


def test_every_icon_named_in_a_template_is_in_the_sprite():
    templates = (Path(__file__).parents[3] / "templates").rglob("*.html")
    named = {
        f"i-{name}"
        for path in templates
        for name in re.findall(r'{% icon "(\w+)"', path.read_text(encoding="utf-8"))
    }
    assert named
    assert named <= SYMBOLS
