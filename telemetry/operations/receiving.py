"""What was reported, stored; and what only the store can tell of it then."""

from collections.abc import Sequence

from telemetry.contract import CallsAnswer
from telemetry.operations.counting import Counting, count
from telemetry.operations.intake import Submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.operations.transport import counted_twice
from telemetry.operations.words import Words


def receive(
    submissions: Sequence[Submission],
    *,
    knowledge: Knowledge,
    counting: Counting = count,
    words: Words | None = None,
) -> list[CallsAnswer]:
    """Store these and answer each. What their spans show to be no call of its own is taken back before anybody is answered.

    Whoever gets no answer sends again; the second time is the same.
    """
    answers = store(submissions, counting=counting, words=words)
    if twice := counted_twice(submissions, knowledge=knowledge):
        store(twice, counting=counting, words=words)
    return answers
