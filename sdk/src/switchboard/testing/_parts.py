"""What stands in for a network under a fake console: function calls."""

from collections.abc import Callable

from switchboard._config import Process
from switchboard._line import Line
from switchboard._mailbox import Mailbox
from switchboard._talk import Talk
from switchboard._transport import Answer, Request
from switchboard.testing._clock import FakeClock
from switchboard.testing._engine import InlineEngine

Handle = Callable[[Request], Answer]


class FakeLine(Line):
    """A line without a thread."""

    def __init__(
        self, *, clock: FakeClock, mailbox: Mailbox, talk: Talk, process: Process, up: Callable[[], bool]
    ) -> None:
        super().__init__(engine=InlineEngine(clock), talk=talk, mailbox=mailbox, process=process, clock=clock)
        self._up = up

    @property
    def reachable(self) -> bool:
        return self._up()


class InMemory:
    """A transport that is a function call."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    async def send(self, request: Request, *, timeout_s: float) -> Answer:  # noqa: ARG002  # nothing takes time here
        return self._handle(request)

    async def close(self) -> None:
        return


class InlineCourier:
    """The same for the reporter."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    def send(self, request: Request, *, timeout_s: float) -> Answer:  # noqa: ARG002  # nothing takes time here
        return self._handle(request)

    def abort(self) -> None:
        return
