"""The filter as links: each narrows or widens the list, and an address says all of it."""

from urllib.parse import parse_qs

from escalations.pages.filters import chips, groups
from escalations.queries.shapes.many import Facet


def asked(href):
    return {name: values[0] for name, values in parse_qs(href[1:]).items()}


def test_each_part_of_a_filter_can_be_taken_away():
    found = chips('queue:"refund desk" severity:high refund', "open")
    assert [chip.label for chip in found] == ["queue refund desk", "severity high", "“refund”"]
    assert asked(found[0].href) == {"view": "open", "q": "severity:high refund"}
    assert asked(chips("class:hard", "mine")[0].href) == {"view": "mine"}


def test_a_choice_narrows_what_is_narrowed_already():
    (group,) = groups([Facet(name="queue", values=(("refund desk", 3), ("seats", 1)))], "class:hard", "open")
    assert [(choice.label, choice.n) for choice in group.choices] == [("refund desk", 3), ("seats", 1)]
    assert asked(group.choices[0].href)["q"] == 'class:hard queue:"refund desk"'
