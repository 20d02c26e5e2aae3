"""Chains on the wire: what happens, in order, while nobody has decided."""

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import Field, model_validator

from console.kit.wire import Inbound, Outbound
from escalations.contract.words import Name
from escalations.vocabulary import Action, ChainDo

WAITS = 7 * 24 * 3600
NEEDED = {
    ChainDo.NOTIFY: {("person",), ("team",)},
    ChainDo.ON_CALL: {("team",)},
    ChainDo.WAIT: {("seconds",)},
    ChainDo.REPEAT: {("times",)},
    ChainDo.WEBHOOK: {("url",)},
}
Url = Annotated[str, Field(max_length=500, pattern=r"^https?://[^\s\x00-\x1f\x7f]+$")]


class ChainStep(Inbound):
    """One step. `notify` tells a person or a whole team, `on_call` hands over to the next of a team's order."""

    do: ChainDo
    person: Name | None = None
    team: Name | None = None
    seconds: Annotated[int, Field(ge=10, le=WAITS)] | None = None
    times: Annotated[int, Field(ge=1, le=10)] | None = None
    url: Url | None = None

    @model_validator(mode="after")
    def _says_what_it_needs(self) -> Self:
        """Refuse a step that lacks what it is about, or says what it has no use for."""
        names = ("person", "team", "seconds", "times", "url")
        said = tuple(name for name in names if getattr(self, name) is not None)
        if said not in NEEDED[self.do]:
            wanted = " or ".join(", ".join(each) for each in sorted(NEEDED[self.do]))
            raise ValueError(f"{self.do} takes {wanted}, and nothing else")
        return self


class ChainSecret(Outbound):
    """What messages of chains to an address are signed with."""

    url: str
    secret: str


class AutoDecision(Inbound):
    """What a policy decides by itself. `tools` are the calls of the plan that it means, in order."""

    action: Action
    tools: Annotated[tuple[Name, ...], Field(max_length=100)] = ()
    message: Annotated[str, Field(max_length=2_000)] = ""
    writes: bool = False
    undo_s: Annotated[int, Field(ge=0, le=3600)] = 60

    @model_validator(mode="after")
    def _can_be_meant(self) -> Self:
        """Refuse what no rule can say for everybody: an edit, an answer, a plan without calls, a no without a reason."""
        match self.action:
            case Action.APPROVE if not self.tools:
                raise ValueError("approve names the calls of the plan it means")
            case Action.REJECT if not self.message.strip():
                raise ValueError("reject says why: without a reason, agents ask again")
            case Action.EDIT | Action.RESPOND:
                raise ValueError("a policy approves or rejects")
            case _:
                return self


def check_chain(steps: Sequence[ChainStep]) -> None:
    """Refuse a chain that would run without a pause, or that begins again anywhere but at its end."""
    repeats = [n for n, step in enumerate(steps) if step.do is ChainDo.REPEAT]
    if repeats and repeats != [len(steps) - 1]:
        raise ValueError("repeat stands once, at the end")
    if repeats and not any(step.do is ChainDo.WAIT for step in steps):
        raise ValueError("a chain that repeats waits somewhere")
