"""What was reported, stored; and what only the store can tell of it then."""

from collections.abc import Sequence

from telemetry.contract import CallsAnswer
from telemetry.operations.counting import Counting, count
from telemetry.operations.intake import Submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.operations.transport import settling
from telemetry.operations.words import Words


def receive(
    submissions: Sequence[Submission],
    *,
    knowledge: Knowledge,
    counting: Counting = count,
    words: Words | None = None,
) -> list[CallsAnswer]:
    """Store these and answer each. What their spans and others say of each other's calls is settled before anybody is answered.

    Whoever gets no answer sends again; the second time is the same.
    """
    answers = store(submissions, counting=counting, words=words)
    if later := settling(submissions, knowledge=knowledge):
        store(later, counting=counting, words=words)
    return answers
