"""The two tables as a picture: the documentation is generated from what the code obeys."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from escalations.domain.lifecycle import DECISIONS, EXECUTIONS
from escalations.vocabulary import ATTENTION, Decision, Execution

W = TypeVar("W", bound=StrEnum)
HEAD = """\
# The life of a case

Written by `manage.py statemachine`; a test compares this page with the code. Two fields, never one. Both tables are
about one revision: the next revision begins at the top again.

A claim is no state: it is a holder and a lease. A deadline is no state either: until the sweep has closed the row, a
person's decision wins.
"""


def page() -> str:
    """Give the whole page."""
    return "\n".join(
        [
            HEAD,
            "## Decision: what was said about this revision",
            "",
            picture(DECISIONS, first=Decision.OPEN),
            "",
            "Back to `open` leads only the undo window, before the decision may be delivered. `expired`, `cancelled` and",
            "`superseded` are nobody's no.",
            "",
            "## Execution: what became of it",
            "",
            picture(EXECUTIONS, first=Execution.NOT_STARTED),
            "",
            f"In the attention queue stand {', '.join(f'`{word}`' for word in sorted(ATTENTION))}. `no_report` is the",
            "console's word for silence and a late outcome replaces it; `unknown` is the agent's own word.",
            "",
        ]
    )


def picture(table: Mapping[W, frozenset[W]], *, first: str) -> str:
    """Draw a table as a Mermaid state diagram."""
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {first}"]
    for word, following in table.items():
        lines += [f"    {word} --> {after}" for after in sorted(following)]
        if not following:
            lines.append(f"    {word} --> [*]")
    return "\n".join([*lines, "```"])
