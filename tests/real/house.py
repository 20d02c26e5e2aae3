"""A console in a process and a Python of its own, agents' keys, and a person who decides over REST."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass

import httpx2

from console.bootstrap import children
from console.bootstrap.environment import ROOT

READY_WITHIN_S = 120
INSIDE = "from tests.real.inside import answer; answer()"


@dataclass(frozen=True)
class Agent:
    """An agent's name and key."""

    name: str
    key: str


class Console:
    """A running console with one person, ada."""

    def __init__(self, home):
        python = os.environ.get("SWITCHBOARD_CONSOLE_PYTHON") or str(ROOT / ".venv" / "bin" / "python")
        assert python != sys.executable, "the console and the agent share no environment"
        self.home, self.port = home, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._env = {**os.environ, "SWITCHBOARD_DATA": str(home), "LOG_LEVEL": "WARNING"}
        if self._env.pop("PYTHONPYCACHEPREFIX", ""):  # a folder of the agent's; the console finds its own
            self._env["PYTHONDONTWRITEBYTECODE"] = "1"
        self._manage = [python, str(ROOT / "manage.py")]
        self._log = home / "console.log"
        self._child = self._inside = self._person = None

    def start(self):
        subprocess.run([*self._manage, "prepare"], env=self._env, cwd=ROOT, check=True, capture_output=True)
        with self._log.open("ab") as out:
            serve = [*self._manage, "serve", "--port", str(self.port)]
            self._child = children.start("console", serve, env=self._env, out=out, cwd=str(ROOT))
            self._inside = subprocess.Popen(
                [*self._manage, "shell", "-c", INSIDE],
                env=self._env, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=out, text=True,
            )  # fmt: skip
        until = time.monotonic() + READY_WITHIN_S
        while not self._ready():
            assert time.monotonic() < until, self._log.read_text()
            time.sleep(0.05)
        self._person = self.http(self.ask("person", "ada"))

    def stop(self):
        """End everything; who answers from inside ends when nobody can ask any more."""
        if self._person:
            self._person.close()
        if self._inside:
            self._inside.stdin.close()
            self._inside.wait(timeout=20)
            self._inside.stdout.close()
        children.stop([self._child])

    def ask(self, *said):
        """Ask from inside the console's Python."""
        self._inside.stdin.write(json.dumps(said) + "\n")
        self._inside.stdin.flush()
        for line in self._inside.stdout:
            if line.startswith("SAID "):
                return json.loads(line[5:])
        raise AssertionError(self._log.read_text())

    def agent(self, name):
        return Agent(name, self.ask("agent", name))

    def heard(self, *trace_ids):
        """Give the calls of these traces as the console stored them."""
        return [call for calls in self.ask("calls", *trace_ids) for call in calls]

    def http(self, token):
        return httpx2.Client(base_url=self.url, headers={"authorization": f"Bearer {token}"}, timeout=30)

    def decide(self, case, action="approve", **said):
        """Decide a case as ada, over REST."""
        told = {"decision_key": uuid.uuid4().hex, "base_revision": case["revision"], "action": action, **said}
        answer = self._person.post(f"/api/v1/escalations/{case['id']}/decision", json=told)
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()

    def case(self, case_id):
        """Read a case whole, as ada."""
        return self._person.get(f"/api/v1/escalations/{case_id}").json()

    def _ready(self):
        assert self._child.process.poll() is None, self._log.read_text()
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5):
                return True
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
