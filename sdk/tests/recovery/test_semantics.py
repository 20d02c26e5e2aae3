"""Every promise of docs/semantics.md has a test that bears its number."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
DOC = TESTS.parent / "docs" / "semantics.md"


def numbered() -> set[int]:
    """The numbers that tests bear."""
    texts = [path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")]
    return {int(number) for text in texts for number in re.findall(r"def test_(\d+)_\w+\(", text)}


def test_each_promise_is_listed_once_and_in_order() -> None:
    assert [int(number) for number in re.findall(r"(?m)^(\d+)\. ", DOC.read_text(encoding="utf-8"))] == [
        *range(1, 106)
    ]


def test_each_promise_has_a_test_of_its_number() -> None:
    assert set(range(1, 106)) - numbered() == set()


def test_what_is_done_otherwise_says_why() -> None:
    promises = re.split(r"(?m)^(?=\d+\. )", DOC.read_text(encoding="utf-8"))[1:]
    otherwise = {int(each.split(".")[0]): each for each in promises if "**Otherwise**" in each}
    assert set(otherwise) == {8, 34, 45, 60, 68, 75, 79, 103, 105}
    assert all(len(each.split("**Otherwise**: ")[1].split()) > 8 for each in otherwise.values())
