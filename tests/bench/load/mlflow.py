"""MLflow's own server in the same run, where the path of a Python that has it is given; never a dependency.

The same spans in batches of 100, as OTLP protobuf, to one server process of it on SQLite, which stores before it answers.
"""

import os
import statistics
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from tests.bench.load.reports import BATCH, PROTOBUF, exported_spans, request
from tests.bench.load.wire import pour
from tests.live.house import free_port

NAMED = "SWITCHBOARD_BENCH_MLFLOW"
START_WITHIN_S = 120


class MLflow:
    """A running server and what it took, round by round."""

    def __init__(self, python):
        self.port, self.rates = free_port(), []
        self.home = tempfile.TemporaryDirectory()
        store = f"sqlite:///{self.home.name}/mlflow.db"
        argv = [
            "-m",
            "mlflow",
            "server",
            "--backend-store-uri",
            store,
            "--port",
            str(self.port),
            "--workers",
            "1",
        ]
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DJANGO", "SWITCHBOARD"))
        }
        self.process = subprocess.Popen(
            [python, *argv], cwd=self.home.name, env=clean, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        self._wait()

    def _wait(self):
        until = time.monotonic() + START_WITHIN_S
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5):
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.3)
        raise SystemExit("MLflow did not start.")

    def round(self, seconds):
        """Pour the same spans into it."""
        bodies = [exported_spans(BATCH) for _ in range(int(seconds * 40))]
        path = "/v1/traces HTTP/1.1\r\nx-mlflow-experiment-id: 0"
        prepared = [
            request("none", path, body, PROTOBUF).replace(b"0 HTTP/1.1\r\nHost", b"0\r\nHost")
            for body in bodies
        ]
        done, took = pour(self.port, prepared, seconds, 4)
        self.rates.append(done * BATCH / took)

    def told(self, ours):
        rate = statistics.median(self.rates)
        print(f"MLflow beside it: {rate:,.0f} spans/s; batches here are {ours / rate:.1f} times that")
        os.killpg(self.process.pid, 15)
        self.process.wait(20)
        self.home.cleanup()


def beside():
    """Start it, or give None where no Python with MLflow is named."""
    python = os.environ.get(NAMED)
    return MLflow(python) if python else None
