"""Other people's servers on sockets of this machine: one for HTTP, one for mail."""

import socketserver
import threading
from dataclasses import dataclass
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Got:
    path: str
    headers: dict[str, str]
    body: bytes


class _Serving:
    """A server in a thread, for as long as a `with` lasts."""

    server: socketserver.BaseServer

    def __enter__(self):
        self.port = self.server.server_address[1]
        self._thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self._thread.join()
        self.server.server_close()


class HttpReceiver(_Serving):
    """Keeps what is posted; `answers` are its statuses, the last one for ever. `hold` keeps it from answering."""

    def __init__(self, *answers):
        self.got, self.hold, self.came = [], threading.Event(), threading.Event()
        self.hold.set()
        receiver, left = self, list(answers or (204,))

        class Door(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.got.append(Got(self.path, headers, body))
                receiver.came.set()
                receiver.hold.wait(30)
                status = left.pop(0) if len(left) > 1 else left[0]
                self.send_response(status)
                if status == 302:
                    self.send_header("location", f"http://127.0.0.1:{receiver.port}/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
        self.server.daemon_threads = True

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/hook"


class MailReceiver(_Serving):
    """Speaks as much SMTP as it takes to be sent mail; `refuse` makes it say no to every recipient."""

    def __init__(self, *, refuse=False):
        self.mails, self.envelopes = [], []
        receiver = self

        class Door(socketserver.StreamRequestHandler):
            def handle(self):
                self.say("220 here")
                recipients = []
                while line := self.rfile.readline().decode().strip():
                    match line.split(":", 1)[0].upper().split()[0]:
                        case "RCPT" if refuse:
                            self.say("550 nobody of that name")
                        case "RCPT":
                            recipients.append(line.split(":", 1)[1].strip("<> "))
                            self.say("250 fine")
                        case "DATA":
                            self.say("354 go on")
                            raw = b"".join(iter(self.rfile.readline, b".\r\n"))
                            receiver.envelopes.append(recipients)
                            receiver.mails.append(message_from_bytes(raw, policy=policy.default))
                            self.say("250 kept")
                        case "QUIT":
                            self.say("221 bye")
                            return
                        case _:
                            self.say("250 fine")

            def say(self, text):
                self.wfile.write(f"{text}\r\n".encode())

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Door)
        self.server.daemon_threads = True
