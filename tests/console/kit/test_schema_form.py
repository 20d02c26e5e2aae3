"""What is typed into a form made from a schema becomes the value it says, and nothing else changes."""

import json

import pytest

from console.kit.schema_form import build, read
from console.kit.schema_form.patterns import in_words

UPGRADE = {
    "type": "object",
    "required": ["flight", "cabin", "points_max", "notify"],
    "properties": {
        "flight": {"type": "string"},
        "cabin": {"enum": ["business", "premium"]},
        "points_max": {"type": "integer", "minimum": 0, "maximum": 38400},
        "ratio": {"type": "number"},
        "notify": {"type": "boolean"},
        "day": {"type": "string", "format": "date"},
        "remark": {"type": ["string", "null"]},
        "quiet": {"type": "boolean"},
        "passenger": {"$ref": "#/$defs/person"},
        "stops": {"type": "array", "items": {"type": "string"}},
        "legs": {"type": "array", "items": {"$ref": "#/$defs/leg"}},
        "anything": {},
    },
    "$defs": {
        "person": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
        "leg": {"type": "object", "properties": {"to": {"type": "string"}, "km": {"type": "integer"}}},
    },
}
VALUE = {
    "flight": "MU5138",
    "cabin": "business",
    "points_max": 32000,
    "notify": True,
    "unheard_of": [1, {"a": 1.0}],
}


def typed(**fields):
    return {f"s/{name}": [text] if isinstance(text, str) else text for name, text in fields.items()}


def after(value=VALUE, schema=UPGRADE, **fields):
    return read(schema, value, prefix="s", typed=typed(**fields))


def test_a_form_that_was_not_touched_gives_the_same_value():
    shown = {one.name: [one.shown] for one in build(UPGRADE, VALUE, prefix="s").leaves()}
    reading = read(UPGRADE, VALUE, prefix="s", typed=shown)
    assert (json.dumps(reading.value), reading.errors) == (json.dumps(VALUE), {})


def test_a_browser_that_sends_no_field_changes_nothing():
    assert after().value == VALUE


@pytest.mark.parametrize(
    ("fields", "changed"),
    [
        ({"points_max": "28000"}, {"points_max": 28000}),
        ({"points_max": " 28000 "}, {"points_max": 28000}),
        ({"ratio": "0.5"}, {"ratio": 0.5}),
        ({"cabin": '"premium"'}, {"cabin": "premium"}),
        ({"notify": ["false"]}, {"notify": False}),
        ({"notify": ["false", "true"]}, {}),
        ({"flight": ""}, {"flight": ""}),
        ({"flight": "靠窗\r\n<b>"}, {"flight": "靠窗\n<b>"}),
        ({"day": "2026-12-12"}, {"day": "2026-12-12"}),
        ({"quiet": "true"}, {"quiet": True}),
        ({"quiet": ""}, {}),
        ({"anything": '{"a": [1]}'}, {"anything": {"a": [1]}}),
        ({"passenger?": "true", "passenger/name": "Li"}, {"passenger": {"name": "Li"}}),
        ({"stops/0": "SHA", "stops/1": ""}, {"stops": ["SHA"]}),
        ({"stops/0": "SHA", "stops/1": "PEK"}, {"stops": ["SHA", "PEK"]}),
        ({"legs/0?": "true", "legs/0/to": "PEK", "legs/0/km": "1200"}, {"legs": [{"to": "PEK", "km": 1200}]}),
        ({"legs/0?": "", "legs/0/to": "PEK"}, {}),
    ],
)
def test_what_is_typed_becomes_the_value(fields, changed):
    reading = after(**fields)
    assert (reading.value, reading.errors) == (VALUE | changed, {})


def test_items_of_a_list_can_be_changed_and_dropped():
    value = VALUE | {"stops": ["SHA", "HGH", "PEK"]}
    assert after(value, **{"stops/0": "SHA", "stops/1": "", "stops/2": "PKX"}).value["stops"] == [
        "SHA",
        "PKX",
    ]


def test_an_optional_place_that_is_emptied_goes_away():
    assert "day" not in after(VALUE | {"day": "2026-12-12"}, day="").value


def test_a_nullable_place_that_is_required_becomes_null():
    schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": ["integer", "null"]}}}
    assert after({"n": 3}, schema, n="").value == {"n": None}


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"points_max": "many"}, "s/points_max"),
        ({"points_max": "1.5"}, "s/points_max"),
        ({"points_max": "9007199254740993"}, "s/points_max"),
        ({"ratio": "NaN"}, "s/ratio"),
        ({"ratio": "true"}, "s/ratio"),
        ({"day": "12.12.2026"}, "s/day"),
        ({"anything": "{"}, "s/anything"),
        ({"anything": "[Infinity]"}, "s/anything"),
        ({"anything": "[" * 100_000}, "s/anything"),
    ],
)
def test_what_cannot_be_understood_is_named_and_the_rest_stands(fields, at):
    reading = after(**fields)
    assert list(reading.errors) == [at]
    assert reading.value == VALUE


def test_redacted_values_have_no_field_to_type_in():
    value = VALUE | {"flight": {"$ref": "card-1"}}
    assert after(value, flight="4111").value["flight"] == {"$ref": "card-1"}


def test_a_value_against_its_own_schema_is_shown_as_it_stands():
    value = VALUE | {"cabin": "jump seat", "points_max": "plenty"}
    form = {one.label: one for one in build(UPGRADE, value, prefix="s").leaves()}
    assert form["cabin"].choices[0] == ('"jump seat"', "jump seat")
    assert form["points_max"].shown == "plenty"
    assert after(value).value == value


def test_without_a_schema_the_value_is_typed_as_json():
    assert read(None, {"a": 1}, prefix="s", typed={"s!json": ['{"a": 2}']}).value == {"a": 2}
    assert list(read(None, {"a": 1}, prefix="s", typed={"s!json": ["{a"]}).errors) == ["s!json"]
    assert read(None, {"a": 1}, prefix="s", typed={}).value == {"a": 1}


def test_the_person_may_choose_json_where_there_is_a_schema():
    chosen = {"s!as": ["json"], "s!json": ['{"flight": "X"}'], "s/flight": ["ignored"]}
    assert read(UPGRADE, VALUE, prefix="s", typed=chosen).value == {"flight": "X"}


@pytest.mark.parametrize(
    "schema", [{}, {"type": "object"}, {"$ref": "#"}, {"properties": {"a": {"$ref": "#/x"}}}, {"type": 3}]
)
def test_an_odd_schema_never_breaks_the_form(schema):
    assert list(build(schema, VALUE, prefix="s").leaves()) or schema
    assert read(schema, VALUE, prefix="s", typed={}).value == VALUE


def test_ids_are_safe_whatever_the_fields_are_called():
    schema = {"type": "object", "properties": {'"><script>': {"type": "string"}, "靠窗": {"type": "string"}}}
    ids = [one.id for one in build(schema, {}, prefix="s").leaves()]
    assert len(set(ids)) == 2
    assert all(each.replace("-", "").replace("_", "").isalnum() and each.isascii() for each in ids)


def test_fields_say_what_they_may_hold():
    hints = {one.label: one.hint for one in build(UPGRADE, VALUE, prefix="s").leaves()}
    assert hints["points_max"] == "integer, 0 to 38,400"


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"^[0-9]{1,7}\.[0-9]{2}$", "1 to 7 digits, “.”, 2 digits"),
        ("^[0-9]{1,2}[A-F]$", "1 to 2 digits, one of A to F"),
        (r"^C-\d+$", "“C-”, one or more digits"),
        ("^[A-Z]{3}$", "3 capital letters"),
        ("^(a|b)$", ""),
        ("[0-9]", ""),
        ("^" + "[0-9]a" * 40 + "$", ""),
    ],
)
def test_a_simple_pattern_is_said_in_words(pattern, words):
    assert in_words(pattern) == words


def test_a_pattern_without_words_stands_last_and_says_what_it_is():
    schema = {
        "type": "object",
        "properties": {"x": {"type": "string", "pattern": "^(a|b)$", "description": "Side."}},
    }
    (field,) = build(schema, {"x": "a"}, prefix="s").leaves()
    assert field.hint == "Side.; must fit the pattern ^(a|b)$"


PAY = {
    "type": "object",
    "properties": {
        "pay": {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"card": {"type": "string"}, "cents": {"type": "integer"}},
                    "required": ["card"],
                },
                {"type": "object", "properties": {"points": {"type": "integer"}}, "required": ["points"]},
            ]
        }
    },
    "required": ["pay"],
}


def test_of_several_shapes_the_form_shows_the_one_that_the_value_has():
    form = build(PAY, {"pay": {"card": "tok_1", "cents": 5}}, prefix="f")
    assert [(each.name, each.kind.name) for each in form.leaves()] == [
        ("f/pay/card", "text"),
        ("f/pay/cents", "integer"),
    ]
    typed = {"f?": ["true"], "f/pay?": ["true"], "f/pay/card": ["tok_1"], "f/pay/cents": ["9"]}
    assert read(PAY, {"pay": {"card": "tok_1", "cents": 5}}, prefix="f", typed=typed).value == {
        "pay": {"card": "tok_1", "cents": 9}
    }


@pytest.mark.parametrize(
    "value", [{}, {"pay": None}, {"pay": {}}, {"pay": 3}, {"pay": {"card": "a", "points": 1}}]
)
def test_where_the_value_does_not_say_which_shape_is_meant_it_stays_json(value):
    assert [each.kind.name for each in build(PAY, value, prefix="f").leaves()] == ["json"]


def test_named_constants_are_one_choice_under_their_names():
    schema = {
        "oneOf": [
            {"const": "#ff0000", "title": "Red"},
            {"const": "#00ff00", "title": "Green"},
            {"type": "null"},
        ]
    }
    field = build(schema, "#00ff00", prefix="f")
    assert (field.kind.name, field.kind.nullable) == ("choice", True)
    assert field.choices == (('"#ff0000"', "Red (#ff0000)"), ('"#00ff00"', "Green (#00ff00)"))
    assert read(schema, "#00ff00", prefix="f", typed={"f": ['"#ff0000"']}).value == "#ff0000"


def test_a_yes_or_one_of_some_words_is_one_choice():
    field = build({"anyOf": [{"type": "boolean"}, {"enum": ["window", "aisle"]}]}, "aisle", prefix="f")
    assert [sent for sent, _shown in field.choices] == ["true", "false", '"window"', '"aisle"']


@pytest.mark.parametrize(
    "branches",
    [
        [],
        [1, None],
        [{"required": 3}, {"properties": 4}],
        [{"type": 5}, {"enum": {}}],
        [{"$ref": "#"}, {"$ref": "#/a"}],
    ],
)
def test_branches_that_make_no_sense_break_no_form(branches):
    for value in (None, 1, "x", {"a": 1}, [1]):
        assert build({"oneOf": branches, "properties": {}}, value, prefix="f").name == "f"
