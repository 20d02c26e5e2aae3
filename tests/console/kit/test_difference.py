"""Only what differs is marked, and what is marked differs."""

from hypothesis import given
from hypothesis import strategies as st

from console.kit.difference import changes, lines, same

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab靠<", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("xyz", min_size=1, max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)
OLD = {"flight": "MU5138", "points_max": 32000, "seat": {"pref": "any"}, "tags": ["a", "b"]}
NEW = {"flight": "MU5138", "points_max": 28000, "seat": {"pref": "window"}, "tags": ["a"], "note": "靠窗"}


def told(kind):
    return [(line.before + line.marked + line.after).strip() for line in lines(OLD, NEW) if line.kind == kind]


def test_changes_name_the_places():
    assert [(each.path, each.old, each.new) for each in changes(OLD, NEW)] == [
        ("points_max", 32000, 28000),
        ("seat.pref", "any", "window"),
        ("tags[1]", "b", None),
        ("note", None, "靠窗"),
    ]
    assert [each.added or each.removed for each in changes(OLD, NEW)] == [False, False, True, True]


def test_only_what_differs_is_marked():
    assert told("del") == ['"points_max": 32000,', '"pref": "any"', '"b"']
    assert told("add") == ['"points_max": 28000,', '"pref": "window"', '"note": "靠窗"']


def test_a_change_to_something_of_another_kind_replaces_it():
    assert [(line.kind, line.marked) for line in lines({"a": 1}, {"a": [1]})][1:3] == [
        ("del", "1"),
        ("add", "[1]"),
    ]


def test_json_is_not_python():
    assert not same(1, True)
    assert not same(0, False)
    assert same(1, 1.0)
    assert not same("1", 1)
    assert not same(None, False)


@given(JSON, JSON)
def test_equal_values_have_no_difference_and_others_have_one(old, new):
    equal = same(old, new)
    assert (not changes(old, new)) == equal
    assert all(line.kind == "same" for line in lines(old, new)) == equal


def test_a_huge_difference_is_cut():
    old, new = {str(n): n for n in range(900)}, {str(n): n + 1 for n in range(900)}
    assert len(lines(old, new)) == 401
