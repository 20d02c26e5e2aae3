"""The one agent socket of a process, and what stands in for it while it is down."""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from switchboard._mailbox import Mailbox
from switchboard._poll import Poller
from switchboard._quiet import log, once, quiet
from switchboard._talk import backoff
from switchboard._transport import Dial, NoAnswer, Socket, SocketRefused

IDS_A_MESSAGE = 500
RESUBSCRIBE_S = 30.0  # a hint may be lost on an open socket; the row is not, so ask for it again now and then
GRACE_S = 1.0  # how long the first connection may take before the long poll begins
LONGEST_PAUSE_S = 15.0


class Link:
    """Keeps the socket open while somebody waits, subscribes, and hands what arrives to the mailbox."""

    def __init__(
        self,
        *,
        mailbox: Mailbox,
        dial: Dial,
        poller: Poller,
        on_message: Callable[[str, Mapping[str, Any]], None],
    ) -> None:
        self._mailbox = mailbox
        self._dial = dial
        self.poller = poller
        self._on_message = on_message
        self._wake = asyncio.Event()
        self.connected = False

    def wake(self) -> None:
        """Look again at what is wanted. Only from the engine's own thread."""
        for escalation_id in self._mailbox.asked():
            self.poller.ask_once(escalation_id)
        self._wake.set()
        self.poller.wake()

    async def run(self) -> None:
        """Connect, serve, and connect again, for ever."""
        self.wake()
        polling = asyncio.create_task(self.poller.run())
        try:
            await self._keep_connected()
        finally:
            polling.cancel()

    async def _keep_connected(self) -> None:
        tries = 0
        while True:
            while not self._wanted():
                self.poller.stand_down()
                await self._woken(None)
            tries += 1
            began = time.monotonic()
            with contextlib.suppress(NoAnswer):
                await self._once()
            if time.monotonic() - began > LONGEST_PAUSE_S:
                tries = 0  # it held for a while: this is a new break, not one more failure to connect
            await asyncio.sleep(backoff(tries + 1, base=0.05, cap=LONGEST_PAUSE_S))

    async def _once(self) -> None:
        """Serve one connection until it breaks. Raises NoAnswer, after the long poll has taken over."""
        grace = asyncio.get_running_loop().call_later(GRACE_S, self.poller.stand_in)
        try:
            socket = await self._dial()
        except NoAnswer as exc:
            self._complain(exc)
            self.poller.stand_in()
            raise
        finally:
            grace.cancel()
        writer = asyncio.create_task(self._write(socket))
        try:
            self.connected = True
            await self._read(socket)
        finally:
            self.connected = False
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
            with quiet("closing the agent socket"):
                await socket.close()

    async def _read(self, socket: Socket) -> None:
        while True:
            text = await socket.receive()
            self.poller.stand_down()
            self.poller.heard()
            with quiet("reading a message from the console"):
                self._take(text)

    def _take(self, text: str) -> None:
        try:
            message: Any = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            return  # nothing of ours; whatever it hid is asked for again with the next subscription
        kind = str(message.get("type"))
        if kind == "decision":
            self._mailbox.deliver(message)
        elif kind == "refusal":
            self._refused(message)
        elif kind != "hello":
            self._on_message(kind, message)

    def _refused(self, message: Mapping[str, Any]) -> None:
        # The socket's no is a hint like everything on it: the HTTP answer about the case decides.
        about = message.get("about")
        named = about.get("escalation_ids") if isinstance(about, dict) else None
        if isinstance(named, list) and named:
            for escalation_id in named:
                if isinstance(escalation_id, str) and escalation_id in self._mailbox:
                    self.poller.ask_once(escalation_id)
        elif once(f"refusal {message.get('code')}"):
            log.warning(
                "The console refused a socket message: %s %s", message.get("code"), message.get("detail")
            )

    async def _write(self, socket: Socket) -> None:
        self._mailbox.fresh()
        await self._subscribe(socket, self._mailbox.ids())
        while True:
            if await self._woken(RESUBSCRIBE_S):
                await self._subscribe(socket, self._mailbox.fresh())
            elif self._wanted():
                await self._subscribe(socket, self._mailbox.ids())
            else:
                await socket.close()

    @staticmethod
    async def _subscribe(socket: Socket, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), IDS_A_MESSAGE):
            part = list(ids[start : start + IDS_A_MESSAGE])
            await socket.send(json.dumps({"type": "subscribe", "escalation_ids": part}))

    async def _woken(self, timeout_s: float | None) -> bool:
        try:
            async with asyncio.timeout(timeout_s):
                await self._wake.wait()
        except TimeoutError:
            return False
        self._wake.clear()
        return True

    def _wanted(self) -> bool:
        return len(self._mailbox) > 0

    @staticmethod
    def _complain(exc: NoAnswer) -> None:
        if isinstance(exc, SocketRefused) and once(f"socket {exc.status}"):
            log.warning("%s Waiting goes on by long poll.", exc)
