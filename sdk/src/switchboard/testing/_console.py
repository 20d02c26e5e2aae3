"""A console in memory, for the suites of agent authors: the same routes, no network, no thread, no sleeping."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from switchboard._cases import AsyncCase, Case
from switchboard._clean import SECRET_NAMES, Cleaner
from switchboard._client import AsyncClient, Client, Parts
from switchboard._config import Config, Process, read_config
from switchboard._mailbox import Mailbox
from switchboard._pump import Pump
from switchboard._queue import Queue, Stats
from switchboard._records import Records
from switchboard._reporter import Reporter
from switchboard._talk import Talk, refusal
from switchboard._transport import Answer, NoAnswer, Request
from switchboard.testing._book import FakeCase, No
from switchboard.testing._clock import FakeClock
from switchboard.testing._parts import FakeLine, InlineCourier, InMemory
from switchboard.testing._routes import Routes
from switchboard.wire.cases import ActionWord

ADDRESS = "http://console.test"
AnyCase = str | FakeCase | Case | AsyncCase


class FakeConsole(Routes):
    """Give your agent `console.client()` and decide its cases with `console.decide(…)`.

    `calls`, `cases`, `acks`, `outcomes`, `breaker_events`, `breaker_acks` and `heartbeats` hold what was sent.
    `on_open` is called with each new case and `on_revise` with each further revision, to decide it at once. `clock` moves only when told to.
    """

    def __init__(self, clock: FakeClock | None = None) -> None:
        super().__init__()
        self.clock: FakeClock = clock or FakeClock()
        self._lock = threading.RLock()
        self._parts: list[Parts] = []
        self._down = False
        self._planned: list[tuple[str, Answer | None]] = []

    # -- what the agent holds -----------------------------------------------------------------------------------

    def client(
        self,
        *,
        agent_version: str | None = None,
        instance: str = "test",
        session_id: str | None = None,
        secret_names: str = SECRET_NAMES,
    ) -> Client:
        """Give a client of this console. Each one is a process of its own: make another to try a restart."""
        said = {"agent_version": agent_version, "instance": instance, "session_id": session_id}
        config = read_config(url=ADDRESS, key="sb_testtest_key", timeout_s=10.0, spool=None, **said)
        parts = self._made(config, secret_names)
        self._parts.append(parts)
        return Client.of(parts)

    def async_client(self, **settings: Any) -> AsyncClient:
        """Give a client for coroutines, as `client`."""
        return self.client(**settings).aio

    def _made(self, config: Config, secret_names: str) -> Parts:
        mailbox = Mailbox(lambda: self._replay(mailbox))
        line = FakeLine(
            clock=self.clock,
            mailbox=mailbox,
            talk=Talk(InMemory(self.handle), self.clock, config.timeout_s),
            process=Process.of(config),
            up=lambda: self.reachable,
        )
        stats = Stats()
        queue = Queue(stats, self.clock)
        courier = InlineCourier(self.handle)
        pump = Pump(queue=queue, stats=stats, courier=courier, clock=self.clock, spool=None, timeout_s=10.0)
        reporter = Reporter(queue=queue, stats=stats, pump=pump, abort=courier.abort, threaded=False)
        cleaner = Cleaner(secret_names=secret_names)
        records = Records(config=config, line=line, cleaner=cleaner, clock=self.clock)
        return Parts(config=config, line=line, reporter=reporter, stats=stats, records=records)

    # -- what people do -----------------------------------------------------------------------------------------

    def decide(
        self,
        case: AnyCase,
        action: ActionWord = "approve",
        *,
        proposal_id: str | None = None,
        steps: Sequence[Mapping[str, Any]] = (),
        answer: Any = None,
        message: str = "",
        by: str = "Operator",
    ) -> dict[str, Any]:
        """Decide a case as a person would, and give the row the agent gets.

        `steps` are the person's choices, `{"id", "run"?, "args"?}`; without a `proposal_id` the recommended or only
        proposal is meant.
        """
        with self._lock, _raised():
            row = self.book.decide(
                self.book.find(case),
                action=action,
                by=by,
                at=self.clock.now(),
                proposal_id=proposal_id,
                steps=steps,
                answer=answer,
                message=message,
            )
        self.push(row)
        return row

    def expire(self, case: AnyCase) -> dict[str, Any]:
        """Let the case's time run out."""
        with _raised():
            return self.ended(self.book.find(case), "expired", "")

    def cancel(self, case: AnyCase, message: str = "") -> dict[str, Any]:
        """Withdraw the case, as an admin may."""
        with _raised():
            return self.ended(self.book.find(case), "cancelled", message)

    def now(self) -> datetime:
        return self.clock.now()

    def order(
        self,
        breaker: str,
        command: str,
        *,
        reason: str = "A test says so.",
        by: str = "SRE",
        for_s: float = 600.0,
        instances: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """Order a breaker about: force_open, reset, disable or release."""
        at = self.clock.now()
        row = {
            "command_id": str(uuid4()),
            "number": len(self.orders) + 1,
            "breaker": breaker,
            "command": command,
            "instances": list(instances) if instances is not None else None,
            "reason": reason,
            "by": by,
            "issued_at": at.isoformat(),
            "expires_at": (at + timedelta(seconds=for_s)).isoformat(),
        }
        self.orders.append(row)
        self.listen()
        return row

    def beat(self) -> None:
        """Let every client send one heartbeat of its breakers."""
        for each in self._parts:
            each.line.engine.run(each.breakers.beat())

    def listen(self) -> None:
        """Let every client ask for new orders."""
        for each in self._parts:
            each.line.engine.run(each.breakers.listen())

    # -- what goes wrong ----------------------------------------------------------------------------------------

    def down(self) -> None:
        """Be unreachable from now on."""
        self._down = True

    def up(self) -> None:
        """Be reachable again; what was decided meanwhile reaches those who wait."""
        self._down = False
        for parts in self._parts:
            self._replay(parts.line.mailbox, again=True)

    @contextmanager
    def outage(self) -> Iterator[None]:
        """Be unreachable inside the block."""
        self.down()
        try:
            yield
        finally:
            self.up()

    def answer_next(
        self, status: int, body: bytes = b"", *, headers: Mapping[str, str] | None = None, path: str = "/"
    ) -> None:
        """Answer the next request whose path begins with `path` like this, instead of handling it."""
        self._planned.append((path, Answer(status, dict(headers or {}), body)))

    def lose_next(self, *, path: str = "/") -> None:
        """Handle the next request whose path begins with `path`, and lose the answer on the way back."""
        self._planned.append((path, None))

    @property
    def reachable(self) -> bool:
        """Whether it answers."""
        return not self._down

    # -- what was sent ------------------------------------------------------------------------------------------

    @property
    def cases(self) -> list[FakeCase]:
        """Every case, oldest first."""
        return self.book.cases

    @property
    def acks(self) -> list[dict[str, Any]]:
        """Every acknowledgement."""
        return [ack for case in self.cases for ack in case.acks]

    @property
    def outcomes(self) -> list[dict[str, Any]]:
        """Every outcome report."""
        return [outcome for case in self.cases for outcome in case.outcomes]

    # -- how it gets there --------------------------------------------------------------------------------------

    def handle(self, request: Request) -> Answer:
        """Answer one request. Raises NoAnswer while down."""
        if self._down:
            raise NoAnswer("The fake console is down.")
        with self._lock:
            for planned in self._planned:
                path, instead = planned
                if request.path.startswith(path):
                    self._planned.remove(planned)
                    if instead is not None:
                        return instead
                    self.answer(request)
                    raise NoAnswer("The fake console's answer was lost.")
            return self.answer(request)

    def push(self, row: Mapping[str, Any]) -> None:
        """Hand a row to whoever waits for it, unless the console is down."""
        if not self._down:
            for parts in self._parts:
                parts.line.mailbox.deliver(row)

    def _open(self, query: object, said: dict[str, Any]) -> tuple[int, Any]:
        status, case = super()._open(query, said)
        if status == 201:
            self._plan_expiry(self.book.find(case["id"]))
        return status, self.book.find(case["id"]).wire()

    def _plan_expiry(self, case: FakeCase) -> None:
        if (moment := case.package.get("expires_at")) is None:
            return
        left = (datetime.fromisoformat(moment) - self.clock.now()).total_seconds()
        self.clock.call_later(left, lambda: self.expire(case) if case.state == "open" else None)

    def _replay(self, mailbox: Mailbox, *, again: bool = False) -> None:
        asked = mailbox.asked()
        if self._down:
            return
        wanted = {*mailbox.fresh(), *(mailbox.ids() if again else ())}
        for row in self.book.unacknowledged(wanted, even_acknowledged=asked):
            mailbox.deliver(row)


@contextmanager
def _raised() -> Iterator[None]:
    """Raise the console's no as people's clients see it: NotFound, Conflict, Refused."""
    try:
        yield
    except No as no:
        raise refusal(Answer(no.status, {}, json.dumps(no.wire()).encode())) from None
