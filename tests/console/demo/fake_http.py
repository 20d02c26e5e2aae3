"""The SDK's fake console behind a real port, for agents that are processes of their own."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from switchboard._transport import Request
from switchboard.testing import FakeConsole


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        request = Request(self.command, self.path, body, {k.lower(): v for k, v in self.headers.items()})
        answer = self.server.console.handle(request)
        self.send_response(answer.status)
        for name, value in {**answer.headers, "content-length": str(len(answer.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    do_GET = do_POST = do_PUT = answer  # noqa: N815 - the names are the library's

    def log_message(self, *args):
        """Say nothing."""


class HttpConsole:
    """Listens from `with` to the end of it."""

    def __init__(self):
        self.console = FakeConsole()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.console = self.console
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
