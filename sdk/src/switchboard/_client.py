"""The two clients: the same line, the same reporter, the same verbs."""

import asyncio
import atexit
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from switchboard._breakers import BreakerLink
from switchboard._cases import DEADLINE_S, AsyncCase, Case, CaseFields
from switchboard._clean import SECRET_NAMES, Cleaner
from switchboard._config import Config, read_config
from switchboard._desk import Desk, make_package
from switchboard._forks import at_end_of_child, renew_after_fork
from switchboard._line import EngineCourier, Line, line_for
from switchboard._pump import Pump
from switchboard._queue import Queue, Stats
from switchboard._quiet import fault, quiet
from switchboard._recorder import Recorder
from switchboard._records import Records, traced
from switchboard._reporter import Reporter
from switchboard._spool import Spool
from switchboard.clock import Clock, SystemClock
from switchboard.wire import Call, Package

T = TypeVar("T")
CLOSE_S = 2.0


class Parts:
    """What both kinds of client are made of; made once, shared by a client and its other kind."""

    def __init__(
        self, *, config: Config, line: Line, reporter: Reporter, stats: Stats, records: Records
    ) -> None:
        self.config = config
        self.line = line
        self.reporter = reporter
        self.stats = stats
        self.records = records
        self.cleaner: Cleaner = records.cleaner
        self.desk: Desk = Desk(line, url=config.url, cleaner=self.cleaner)
        self.breakers: BreakerLink = BreakerLink.of(line, agent_version=config.agent_version)
        self.closed: bool = False
        self.clock: Clock = records.clock

    def close(self, deadline_s: float) -> None:
        """Close the reporter, and the line where nobody else uses it."""
        if self.closed:
            return
        self.closed = True
        _open.discard(self)
        try:
            self.reporter.close(deadline_s)
            self.breakers.drain(deadline_s)
        finally:
            self.line.release()

    async def in_thread(self, work: Callable[[float], T], deadline_s: float) -> T:
        """Run something that blocks, without blocking the caller's loop."""
        if self.line.inline:
            return work(deadline_s)
        # A thread of its own: one from the loop's pool would outlive the client.
        future: Future[T] = Future()
        thread = Thread(target=_into, args=(future, work, deadline_s), name="switchboard-close", daemon=True)
        thread.start()
        try:
            return await asyncio.wrap_future(future)
        finally:
            if future.done():
                thread.join()


class Reporting:
    """What is the same with and without an event loop."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        agent_version: str | None = None,
        instance: str | None = None,
        session_id: str | None = None,
        timeout_s: float = 10.0,
        clock: Clock | None = None,
        spool: Path | str | None = "auto",
        secret_names: str = SECRET_NAMES,
    ) -> None:
        config = read_config(
            url=url,
            key=key,
            agent_version=agent_version,
            instance=instance,
            timeout_s=timeout_s,
            session_id=session_id,
            spool=spool,
        )
        self._parts = real_parts(config, clock=clock or SystemClock(), secret_names=secret_names)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Give a client made of these parts."""
        made = cls.__new__(cls)
        made._parts = parts  # noqa: SLF001  # a class may fill its own instance
        return made

    @property
    def instance(self) -> str:
        """This process's name at the console."""
        return self._parts.line.process.instance

    @property
    def stats(self) -> Stats:
        """What became of the calls reported so far."""
        return self._parts.reporter.stats()

    @property
    def breakers(self) -> BreakerLink:
        """Where breakers register and report."""
        return self._parts.breakers

    def report(self, call: Call | Mapping[str, Any]) -> None:
        """Report one call, later and in the background. Never blocks, never raises."""
        try:
            self._parts.reporter.put(*self._parts.records(call))
        except Exception as exc:  # noqa: BLE001  # whatever it is, it is not the agent's
            fault("reporting a call", exc)

    def call(self, tool: str, **fields: Any) -> Recorder:
        """A `with` block around one tool call: side_effect, args, dependency, trace_id, session_id, … as in `Call`."""
        return Recorder(self.report, self._parts.clock, {"tool": tool, **fields})

    def _package(self, fields: CaseFields) -> Package:
        given = {name: value for name, value in fields.items() if value is not None}
        return make_package({"session_id": self._parts.config.session_id, **traced(), **given})


class Client(Reporting):
    """Switchboard for code without an event loop. One per process is enough; threads may share it."""

    @property
    def aio(self) -> "AsyncClient":
        """The same client for coroutines."""
        return AsyncClient.of(self._parts)

    def escalate(
        self, *, key: str | None = None, deadline_s: float = DEADLINE_S, **fields: Unpack[CaseFields]
    ) -> Case:
        """Hand a task over to people; title, goal and trigger are needed.

        The same `key` with the same content gives the same case, so this may be repeated after a crash. Without a key
        one is made from the failed call. Raises IdempotencyConflict when the key was used for other content, Refused
        for what the console will not take, Unsendable for what cannot be written down, Unreachable after the deadline.
        """
        parts = self._parts
        state = parts.line.engine.run(parts.desk.open(self._package(fields), key, deadline_s=deadline_s))
        return Case(parts.desk, parts.line.engine, state)

    def case(self, key_or_id: str, *, deadline_s: float = DEADLINE_S) -> Case:
        """Find a case again, after a restart for example. Raises NotFound, Unreachable."""
        parts = self._parts
        state = parts.line.engine.run(parts.desk.find(key_or_id, deadline_s=deadline_s))
        return Case(parts.desk, parts.line.engine, state)

    def flush(self, deadline_s: float = 5.0) -> bool:
        """Wait until every call reported so far is stored at the console; False when the deadline came first."""
        with quiet("flushing reports"):
            return self._parts.reporter.flush(deadline_s)
        return False

    def close(self, deadline_s: float = CLOSE_S) -> None:
        """Send what can be sent, keep the rest on disk, end every thread."""
        self._parts.close(deadline_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Reporting):
    """Switchboard for coroutines, in any event loop; `report`, `call` and `breakers` are as in `Client`."""

    @property
    def sync(self) -> Client:
        """The same client for code without an event loop."""
        return Client.of(self._parts)

    async def escalate(
        self, *, key: str | None = None, deadline_s: float = DEADLINE_S, **fields: Unpack[CaseFields]
    ) -> AsyncCase:
        """Hand a task over to people, as `Client.escalate`."""
        parts = self._parts
        state = await parts.line.engine.join(
            parts.desk.open(self._package(fields), key, deadline_s=deadline_s)
        )
        return AsyncCase(parts.desk, parts.line.engine, state)

    async def case(self, key_or_id: str, *, deadline_s: float = DEADLINE_S) -> AsyncCase:
        """Find a case again, as `Client.case`."""
        parts = self._parts
        state = await parts.line.engine.join(parts.desk.find(key_or_id, deadline_s=deadline_s))
        return AsyncCase(parts.desk, parts.line.engine, state)

    async def flush(self, deadline_s: float = 5.0) -> bool:
        """Wait until every call reported so far is stored, as `Client.flush`."""
        return await self._parts.in_thread(self.sync.flush, deadline_s)

    async def close(self, deadline_s: float = CLOSE_S) -> None:
        """Send what can be sent, keep the rest on disk, end every thread."""
        await self._parts.in_thread(self._parts.close, deadline_s)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self.close()


def real_parts(config: Config, *, clock: Clock, secret_names: str) -> Parts:
    """Give the parts of a client of a real console."""
    line = line_for(config)
    stats = Stats()
    queue = Queue(stats, line.clock)
    courier = EngineCourier(line)
    spool = Spool(config.spool, limit=config.spool_limit) if config.spool is not None else None
    pump = Pump(
        queue=queue, stats=stats, courier=courier, clock=line.clock, spool=spool, timeout_s=config.timeout_s
    )
    reporter = Reporter(queue=queue, stats=stats, pump=pump, abort=courier.abort)
    renew_after_fork(reporter)
    cleaner = Cleaner(secret_names=secret_names)
    records = Records(config=config, line=line, cleaner=cleaner, clock=clock)
    parts = Parts(config=config, line=line, reporter=reporter, stats=stats, records=records)
    _open.add(parts)
    return parts


def _into(future: "Future[T]", work: Callable[[float], T], deadline_s: float) -> None:
    try:
        future.set_result(work(deadline_s))
    except BaseException as exc:  # noqa: BLE001  # it is raised where the result is awaited
        future.set_exception(exc)


_open: set[Parts] = set()


@atexit.register
def _close_all() -> None:
    for parts in tuple(_open):
        with quiet("closing at exit"):
            parts.close(CLOSE_S)


at_end_of_child(_close_all)
