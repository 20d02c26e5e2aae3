"""An answer that does not fit is marked at its fields once it was tried, and never before."""

from escalations.pages.answers import laid

ASKED = {
    "type": "object",
    "required": ["happened", "seat"],
    "properties": {"happened": {"type": "boolean"}, "seat": {"type": "string", "maxLength": 3}},
}


def errors(form):
    return {one.name: one.error for one in form.walk() if one.error}


def test_an_empty_form_reproaches_nobody():
    reading, form = laid(ASKED, None, checked=False)
    assert errors(form) == {}
    assert not reading.errors


def test_what_is_missing_is_marked_once_the_answer_was_tried_and_the_first_has_the_cursor():
    _, form = laid(ASKED, {}, checked=True)
    assert errors(form) == {"answer/happened": "Needed, and empty.", "answer/seat": "Needed, and empty."}
    assert [one.name for one in form.walk() if one.focus] == ["answer/happened"]


def test_what_does_not_fit_is_marked_where_it_stands_and_keeps_its_text():
    _, form = laid(ASKED, {"answer/happened": ["true"], "answer/seat": ["12ABC"]}, checked=True)
    assert errors(form) == {"answer/seat": "Too much: you sent 12ABC."}
    assert {one.name: one.shown for one in form.leaves()}["answer/seat"] == "12ABC"


def test_a_single_value_is_marked_itself():
    _, form = laid({"type": "boolean"}, {}, checked=True)
    assert errors(form) == {"answer": "Needed, and empty."}


def test_false_is_an_answer():
    reading, form = laid({"type": "boolean"}, {"answer": ["false"]}, checked=True)
    assert reading.value is False
    assert errors(form) == {}
