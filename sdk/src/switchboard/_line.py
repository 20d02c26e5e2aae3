"""What every client of one console and key shares in a process: a thread, a connection pool, a socket."""

import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from switchboard._config import Config, Process
from switchboard._engine import Engine, ThreadEngine
from switchboard._errors import Closed
from switchboard._forks import hold_at_fork, renew_first
from switchboard._link import Link
from switchboard._mailbox import Mailbox
from switchboard._poll import Poller
from switchboard._talk import Talk
from switchboard._transport import Answer, HttpTransport, NoAnswer, Request, WebSocketDial
from switchboard.clock import Clock, SystemClock

T = TypeVar("T")
STOP_S = 3.0
DIAL_S = 5.0


class Listener:
    """Somebody who reads socket messages that are no decisions."""

    def take(self, kind: str, message: Mapping[str, Any]) -> None:
        """Read one message."""


class Line:
    """The parts a client is made of. A fake console makes one of its own."""

    breakers: Listener | None = None

    def __init__(
        self, *, engine: Engine, talk: Talk, mailbox: Mailbox, process: Process, clock: Clock
    ) -> None:
        self.engine = engine
        self.talk = talk
        self.mailbox = mailbox
        self.process = process
        self.clock = clock

    @property
    def inline(self) -> bool:
        """Whether everything happens in the caller's thread, as it does for a fake console."""
        return True

    @property
    def reachable(self) -> bool:
        """Whether the console has said anything lately."""
        return True

    def listen(self, listener: Listener) -> None:
        """Remember who reads socket messages that are no decisions."""

    def wake(self) -> None:
        """Look again at what is wanted of the socket."""

    def hold(self) -> None:
        """One more client uses this line."""

    def release(self) -> None:
        """One client less; the last one closes the line."""


class RealLine(Line):
    """The line to a real console. It knows its process: in a child it starts anew."""

    def __init__(self, config: Config, on_close: Callable[[], None]) -> None:
        self._config = config
        self._on_close = on_close
        self._holders = 0
        self._listeners: list[Listener] = []
        self.clock = SystemClock()
        self._begin(forked=False)

    def _begin(self, *, forked: bool) -> None:
        config, agent = self._config, f"switchboard-sdk/{own_version()}"
        self.process = Process.of(config, forked=forked)
        self._threads = ThreadEngine()
        hold_at_fork(self._threads)
        self.engine = self._threads
        transport = LazyTransport(lambda: HttpTransport(url=config.url, key=config.key, agent=agent))
        self.talk = Talk(transport, self.clock, config.timeout_s)
        self._threads.at_stop(transport.close)
        self.mailbox = Mailbox(self.wake)
        self._link: Link | None = None
        self._starting = threading.Lock()

    @property
    def inline(self) -> bool:
        return False

    @property
    def reachable(self) -> bool:
        link = self._link
        return link is not None and (link.connected or link.poller.reachable)

    @property
    def alive(self) -> bool:
        """Whether its thread is there."""
        return self._threads.alive

    def submit(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Start `work` in the line's own thread."""
        return self._threads.submit(work)

    def soon(self, action: Callable[[], object]) -> None:
        """Run a short function in the line's own thread."""
        self._threads.soon(action)

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def wake(self) -> None:
        with self._starting:
            if self._link is None:
                self._threads.submit(self._serve())
                return
            link = self._link
        self._threads.soon(link.wake)

    def hold(self) -> None:
        self._holders += 1

    def release(self) -> None:
        with _lines_lock:
            self._holders -= 1
            if self._holders > 0:
                return
            self._on_close()
        self.mailbox.fail_all(Closed("The client was closed while waiting. Nothing was approved."))
        self._threads.stop(STOP_S)

    def forked(self) -> None:
        """Begin again in a child process. What the parent opened stays the parent's, so it is kept, not closed."""
        _inherited.append((self._threads, self.talk, self._link))
        self._begin(forked=True)

    async def _serve(self) -> None:
        if self._link is not None:
            return
        config = self._config
        dial = WebSocketDial(
            url=config.socket_url,
            key=config.key,
            agent=f"switchboard-sdk/{own_version()}",
            timeout_s=min(DIAL_S, config.timeout_s),
        )
        link = Link(
            mailbox=self.mailbox,
            dial=dial,
            poller=Poller(mailbox=self.mailbox, talk=self.talk),
            on_message=self._hand_out,
        )
        self._link = link
        await link.run()

    def _hand_out(self, kind: str, message: Mapping[str, Any]) -> None:
        for listener in self._listeners:
            listener.take(kind, message)


class LazyTransport:
    """Makes the HTTP client with the first request, in the engine's own thread."""

    def __init__(self, make: Callable[[], HttpTransport]) -> None:
        self._make = make
        self._made: HttpTransport | None = None

    async def send(self, request: Request, *, timeout_s: float) -> Answer:
        if self._made is None:
            self._made = self._make()
        return await self._made.send(request, timeout_s=timeout_s)

    async def close(self) -> None:
        if self._made is not None:
            await self._made.close()


class EngineCourier:
    """Carries the reporting thread's requests through the line's engine."""

    def __init__(self, line: RealLine) -> None:
        self._line = line
        self._abort: Callable[[], object] = lambda: None

    def send(self, request: Request, *, timeout_s: float) -> Answer:
        try:
            future = self._line.submit(self._line.talk.transport.send(request, timeout_s=timeout_s))
            self._abort = future.cancel
            return future.result(timeout_s + 5.0)
        except (Closed, TimeoutError, CancelledError) as exc:
            raise NoAnswer(str(exc)) from exc

    def abort(self) -> None:
        """Give up the request under way."""
        self._abort()


_lines: dict[tuple[str, str, str | None], RealLine] = {}
_lines_lock = threading.Lock()
_inherited: list[object] = []


def line_for(config: Config) -> RealLine:
    """Give the line to this console: the same one for every client of the process with the same key."""
    name = (config.url, config.key, config.instance)
    with _lines_lock:
        line = _lines.get(name)
        if line is None:
            line = _lines[name] = RealLine(config, lambda: _forget(name))
        line.hold()
        return line


def _forget(name: tuple[str, str, str | None]) -> None:
    _lines.pop(name, None)


def own_version() -> str:
    """Give the installed version of this package."""
    try:
        return version("switchboard-sdk")
    except PackageNotFoundError:
        return "0"


def _forked() -> None:
    global _lines_lock  # noqa: PLW0603  # the parent may have held it
    _lines_lock = threading.Lock()
    for line in _lines.values():
        line.forked()


renew_first(_forked)
