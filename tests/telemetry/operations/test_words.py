"""What was committed need not be written again; what was rolled back must."""

from telemetry.operations.words import Words


def test_only_what_was_committed_is_not_missing():
    words = Words()
    words.begin()
    assert words.missing("tool", {1: "a", 2: "b"}) == {1: "a", 2: "b"}
    words.committed()
    words.begin()
    assert words.missing("tool", {2: "b", 3: "c"}) == {3: "c"}
    words.begin()  # that one was rolled back
    assert words.missing("tool", {2: "b", 3: "c"}) == {3: "c"}
    assert words.missing("series", {1: "a"}) == {1: "a"}
