"""What lives exactly as long as the server: the claim on the data folder, the bound layer, the embedded worker."""

import asyncio
import fcntl
import logging
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from channels.layers import get_channel_layer
from django.conf import settings

from console.embedded.layer import LoopBoundInMemoryChannelLayer
from console.embedded.tasks import EmbeddedTasks
from console.kit.asgi import Lifetime, Receive, Scope, Send
from console.serving.health import load_addresses

if TYPE_CHECKING:
    from celery import Celery

log = logging.getLogger(__name__)

ALONE = (
    "Another process serves this data folder ({folder}). Without REDIS_URL one process is the whole console: "
    "stop the other one, or set DATABASE_URL and REDIS_URL to run several."
)


class NotAlone(Exception):
    """A second process was started in the embedded way of running."""


class Lifespan:
    """The ASGI lifespan: enters every lifetime in order at the start, leaves them in reverse at the end."""

    def __init__(self, lifetimes: Sequence[Lifetime]) -> None:
        self._lifetimes = lifetimes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # ASGI's signature
        """Follow the server's start and end."""
        await receive()
        async with AsyncExitStack() as stack:
            try:
                for lifetime in self._lifetimes:
                    await stack.enter_async_context(lifetime())
            except Exception as exc:  # noqa: BLE001  # the server prints the message and stops
                await stack.aclose()
                await send({"type": "lifespan.startup.failed", "message": str(exc) or type(exc).__name__})
                return
            await send({"type": "lifespan.startup.complete"})
            with suppress(asyncio.CancelledError):  # a second Ctrl-C: nobody asks for the end, it just comes
                await receive()
        await send({"type": "lifespan.shutdown.complete"})


@asynccontextmanager
async def bound_layer() -> AsyncIterator[None]:
    """Make the running loop the owner of the in-memory channel layer; a no-op with Redis."""
    layer = get_channel_layer()
    if not isinstance(layer, LoopBoundInMemoryChannelLayer):
        yield
        return
    layer.bind(asyncio.get_running_loop())
    try:
        yield
    finally:
        layer.bind(None)


@asynccontextmanager
async def warmed() -> AsyncIterator[None]:
    """Load the views while the server already answers, so that the first page is as quick as the second."""
    loading = asyncio.create_task(_warm())
    yield
    await loading


async def _warm() -> None:
    try:
        await asyncio.to_thread(load_addresses)
    except Exception:  # every request would say the same, and so does /readyz
        log.exception("The views of the console could not be loaded.")


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Hold the data folder for this process alone; the kernel lets go of it when the process dies."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "serving.lock").open("a") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotAlone(ALONE.format(folder=folder)) from None
        held.truncate(0)
        held.write(f"{os.getpid()}\n")
        held.flush()
        yield


def why_not_alone(folder: Path) -> str | None:
    """Say that another process serves the folder, before anything is started; at scale there may be many."""
    if not settings.EMBEDDED:
        return None
    try:
        with claimed(folder):
            return None
    except NotAlone as refusal:
        return str(refusal)


class Embedded:
    """The embedded way of running as one lifetime; `tasks` is what readiness asks about."""

    def __init__(self, app: "Callable[[], Celery]") -> None:
        self._app = app
        self._tasks: EmbeddedTasks | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Claim the folder and run worker and beat; a no-op at scale, where they are processes of their own."""
        if not settings.EMBEDDED:
            yield
            return
        with claimed(Path(settings.DATA_DIR)):
            self._tasks = EmbeddedTasks(self._app)
            self._tasks.start()
            try:
                yield
            finally:
                await asyncio.to_thread(self._tasks.stop)

    def wait_until_ready(self, within_s: float) -> bool:
        """Wait until tasks are taken; True at once at scale."""
        return self._tasks is None or self._tasks.wait_until_ready(within_s)

    async def check(self) -> str | None:
        """Say what is wrong with the embedded worker, or None."""
        if self._tasks is None or self._tasks.alive:
            return None
        return "the embedded worker is not running"
