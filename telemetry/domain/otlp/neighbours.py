"""What the spans around a tool's span say of its call, as far as they came in the same export."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from telemetry.domain.otlp.reading import Place, Reading
from telemetry.domain.otlp.spans import Span

MOST_STEPS = (
    4  # a tool's span, a client's, a server's, and one more; spans may also claim to hang at themselves
)
_OPENAI_AGENTS = "openinference.instrumentation.openai_agents"


@dataclass(frozen=True, slots=True)
class Around:
    """The spans of an export by where they hang, and the tool spans among them."""

    children: Mapping[Place, list[Span]]
    spans: Mapping[Place, Span]
    tools: Mapping[Place, Reading]

    def below(self, read: Reading) -> list[Span]:
        """Give the spans that hang at this one."""
        return self.children.get(read.place, [])

    def failed_message(self, read: Reading, steps: int = MOST_STEPS) -> Span | None:
        """Give the message of MCP that failed a call; nothing where one of several tries got through."""
        failed = None
        for child in self.below(read) if steps else ():
            carried = self.tools.get((child.trace_id, child.span_id))
            if carried and carried.is_mcp and carried.tool == read.tool:
                failed = child if child.failed else self.failed_message(carried, steps - 1)
                if failed is None:
                    return None
        return failed

    def waits(self, read: Reading) -> bool:
        """Say whether the run stopped at this call until somebody approves it.

        The OpenAI Agents SDK ends the span of such a call like any other, with no output. So does a tool that gives
        nothing; after that one the model has another turn.
        """
        span = read.span
        if span.scope != _OPENAI_AGENTS or span.failed or read.has_result or not read.has_args:
            return False
        turn = self.spans.get(read.above)
        agent = self.spans.get((turn.trace_id, turn.parent_id)) if turn else None
        if turn is None or agent is None or agent.failed:
            return False
        turns = self.children.get((agent.trace_id, agent.span_id), [])
        return all(each.start <= turn.start for each in turns)


def around(spans: Iterable[Span], found: Iterable[Reading]) -> Around:
    """Arrange the spans of an export."""
    children: dict[Place, list[Span]] = defaultdict(list)
    places: dict[Place, Span] = {}
    for span in spans:
        children[span.trace_id, span.parent_id].append(span)
        places[span.trace_id, span.span_id] = span
    return Around(children, places, {read.place: read for read in found})
