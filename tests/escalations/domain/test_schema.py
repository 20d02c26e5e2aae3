import pytest

from escalations.domain import schema

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "born": {"type": "string", "format": "date"},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
        "home": {"oneOf": [{"type": "string"}, {"type": "object", "required": ["city"]}]},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def found(value, shape=PERSON):
    return {(error.code, error.field) for error in schema.errors_of(shape, value, prefix="args")}


def test_each_fault_is_named_by_its_field():
    wrong = {"name": "x", "tags": ["a", "c"], "other": 1}
    assert found(wrong) == {
        ("MIN_LENGTH", "args.name"), ("ENUM", "args.tags.1"), ("ADDITIONAL_PROPERTIES", "args.other"),
    }  # fmt: skip
    assert found({}) == {("REQUIRED", "args.name")}
    assert found({"name": "xy", "tags": ["a"], "home": {"city": "x"}}) == set()


def test_the_received_value_is_repeated_but_never_a_whole_document():
    (error,) = schema.errors_of(PERSON, {"name": "x" * 1, "tags": []})
    assert error.received == "x"
    (error,) = schema.errors_of({"type": "string"}, {"a": list(range(9999))})
    assert error.received == "an object of 1"
    assert len(schema.errors_of({"items": {"type": "string"}}, [1] * 1000)) == schema.MOST_ERRORS


@pytest.mark.parametrize(
    "value",
    [{"name": {"$ref": "r"}}, {"name": "xy", "home": {"$ref": "r"}}, {"name": "xy", "tags": {"$ref": "r"}}],
)
def test_what_is_hidden_is_not_judged(value):
    assert found(value) == set()


def test_only_an_exact_reference_is_a_redacted_value():
    assert list(schema.refs({"a": {"$ref": "x"}, "b": [{"$ref": "y"}], "c": {"$ref": 1}, "d": {"$ref": "z", "e": 1}})) == [
        ("a",), ("b", 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "bad",
    [{"type": "mood"}, [], "x", {"$ref": "http://127.0.0.1:9/x"}, {"pattern": "(a+"}, {"minimum": "3"}],
)
def test_a_schema_that_cannot_be_used_says_why(bad):
    assert schema.fault_of_schema(bad)


def test_a_pattern_that_would_run_for_ever_is_stopped():
    evil = {"pattern": "^(([a-z])+.)+[A-Z]([a-z])+$"}
    assert {error.code for error in schema.errors_of(evil, "a" * 3000)} == {"PATTERN"}


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("keyword", ["enum", "const", "default", "examples", "maximum"])
def test_a_schema_with_a_number_that_is_no_json_is_faulty(keyword, number):
    value = [number] if keyword in {"enum", "examples"} else number
    assert schema.fault_of_schema({"properties": {"a": {keyword: value}}}) is not None
