"""A client on the same two cores must not be what is measured: prepared bytes, bare protocols, uvloop."""

import asyncio
import time

import uvloop

FINE = b"HTTP/1.1 200"


class Connection(asyncio.Protocol):
    """One keep-alive connection: the next request goes out when the last is answered."""

    def __init__(self, pour):
        self.pour, self.seen = pour, b""
        self.closed = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        self._next()

    def data_received(self, data):
        self.seen += data
        head, found, body = self.seen.partition(b"\r\n\r\n")
        if not found or len(body) < length_of(head):
            return
        self.seen = b""
        if head.startswith(FINE):
            self.pour.done += 1
            self._next()
        else:
            self.pour.wrong = f"{head.decode()}\n{body[:500].decode()}"
            self.transport.close()

    def connection_lost(self, _):
        self.closed.set_result(None)

    def _next(self):
        data = (
            None if self.pour.wrong or time.perf_counter() > self.pour.until else next(self.pour.left, None)
        )
        if data is None:
            self.transport.close()
        else:
            self.transport.write(data)


class Pour:
    """Requests poured over some connections for so many seconds."""

    def __init__(self, requests, seconds):
        self.left, self.until = iter(requests), time.perf_counter() + seconds
        self.done, self.wrong = 0, ""

    async def run(self, port, connections):
        loop = asyncio.get_running_loop()
        lines = [
            await loop.create_connection(lambda: Connection(self), "127.0.0.1", port)
            for _ in range(connections)
        ]
        await asyncio.gather(*[line.closed for _, line in lines])


def length_of(head):
    """Give the length of a response's body."""
    return int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])


def pour(port, requests, seconds, connections):
    """Send what was prepared; give how many requests were answered well, and the seconds it took."""
    pouring, started = Pour(requests, seconds), time.perf_counter()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(pouring.run(port, connections))
    if pouring.wrong:
        raise SystemExit(pouring.wrong)
    return pouring.done, time.perf_counter() - started
