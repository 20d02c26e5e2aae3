from escalations.domain import diagram
from escalations.domain.lifecycle import DECISIONS, EXECUTIONS


def test_every_transition_is_drawn_and_nothing_else():
    for table, first in ((DECISIONS, "open"), (EXECUTIONS, "not_started")):
        drawn = diagram.picture(table, first=first).splitlines()[3:-1]
        expected = {f"{word} --> {after}" for word, following in table.items() for after in following}
        expected |= {f"{word} --> [*]" for word, following in table.items() if not following}
        assert {line.strip() for line in drawn} == {str(line) for line in expected}


def test_the_page_shows_both_fields():
    assert diagram.page().count("```mermaid") == 2
    assert "`no_report`" in diagram.page()
