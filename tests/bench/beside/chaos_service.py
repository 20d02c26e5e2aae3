"""The flaky service of `manage.py bench chaos`: it fails in every way there is, and keeps the books of what it did.

It is the only one that is never killed, and the only witness: what happened is what stands in its ledger. It never lies:
a refusal has done nothing, and what it did not do before it went silent it does not do later.
"""

import json
import socket
import struct
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SILENCE_S = 4  # longer than an agent waits
BEFORE = (400, 401, 403, 404, 409, 429, 429, 500, 503, 503, "reset", "silence", "garbage")
AFTER = (500, "reset", "silence", "garbage")
READING = (404, 429, 500, 503, "reset", "silence", "garbage")
HEADERS = {429: {"Retry-After": "0"}}
BODIES = {400: {"errors": [{"field": "what", "message": "not today"}]}}


class Ledger:
    """What was done, how often, and what of it still stands."""

    def __init__(self):
        self.done, self.standing, self.keys, self.met = Counter(), set(), set(), Counter()
        self.lock = threading.Lock()

    def act(self, what, key):
        """Do it; the same key only once."""
        with self.lock:
            if key and (key, what) in self.keys:
                return
            self.keys.add((key, what))
            self.done[what] += 1
            self.standing.add(what)

    def undo(self, what):
        """Take it back."""
        with self.lock:
            self.standing.discard(what)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Whoever asked has been killed."""


class Service:
    """Answers over HTTP on a port of its own."""

    def __init__(self, dice):
        self.dice, self.ledger = dice, Ledger()
        self.server = _Server(("127.0.0.1", 0), type("Bound", (_Door,), {"service": self}))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def one_of(self, failures, share):
        """Maybe one of these failures."""
        with self.ledger.lock:
            found = self.dice.choice(failures) if self.dice.random() < share else None
            if found is not None:
                self.ledger.met[f"answered {found}" if isinstance(found, int) else found] += 1
            return found

    def answer(self, verb, asked, key):
        """Give what is to be said: a failure, or None and the answer."""
        failure = self.one_of(READING if verb in {"search", "find"} else BEFORE, 0.15)
        if failure is not None:
            return failure, None
        match verb:
            case "search":
                return None, [] if self.one_of(("nothing found",), 0.1) else [asked["city"]]
            case "find":
                return None, {"what": asked["what"]} if asked["what"] in self.ledger.standing else None
            case "cancel":
                self.ledger.undo(asked["what"])
                return None, {"what": asked["what"]}
            case "pack":
                return None, [self.packed(part, key) for part in asked["parts"]]
        self.ledger.act(asked["what"], key)
        return self.one_of(AFTER, 0.12), {"what": asked["what"]}

    def packed(self, part, key):
        """One item of a batch; some fail alone."""
        if self.one_of(("an item failed",), 0.15):
            return {"key": part, "failed": True}
        self.ledger.act(part, key)
        return {"key": part, "failed": False}


class _Door(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: Service

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        asked = json.loads(self.rfile.read(length))
        failure, answer = self.service.answer(
            self.path.strip("/"), asked, self.headers.get("Idempotency-Key")
        )
        match failure:
            case None:
                self.say(200, json.dumps(answer))
            case "silence":
                time.sleep(SILENCE_S)
                self.close_connection = True
            case "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
            case "garbage":
                self.say(200, '{"what": ')
            case status:
                self.say(status, json.dumps(BODIES.get(status, {"message": "no"})), HEADERS.get(status, {}))

    def say(self, status, text, headers=None):
        self.send_response(status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(text)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass
