"""What DBOS takes from a committed `send` to the waiting workflow's `recv` having returned, on PostgreSQL.

Run by a Python that has `dbos` (DBOS_PYTHON of `manage.py bench decisions`); it is no dependency of this project. Prints
one JSON list of milliseconds. A commit's moment is when `send` has returned, which is a little late: in DBOS's favour.
"""

import json
import os
import sys
import threading
import time

from dbos import DBOS, SetWorkflowID

URL, AGENTS, SENT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
DBOS(
    config={
        "name": "bench",
        "system_database_url": URL,
        "log_level": "ERROR",
        "sys_db_pool_size": 30,
        "max_executor_threads": AGENTS + 10,
    }
)
got: dict[str, int] = {}
all_there = threading.Event()


@DBOS.workflow()
def waits(name: str) -> None:
    """Wait for one message, as an agent waits for one decision."""
    if DBOS.recv("decision", timeout_seconds=300) is None:
        return
    got[name] = time.time_ns()
    if len(got) == SENT:
        all_there.set()


def main() -> None:
    """Let AGENTS workflows wait, send to SENT of them one after the other, print what each took."""
    DBOS.launch()
    run = f"{time.time_ns()}"
    names = [f"{run}-{n}" for n in range(AGENTS)]
    for name in names:
        with SetWorkflowID(name):
            DBOS.start_workflow(waits, name)
    time.sleep(3)
    committed: dict[str, int] = {}
    for name in names[:SENT]:
        DBOS.send(name, "approve", "decision")
        committed[name] = time.time_ns()
        time.sleep(0.005)
    all_there.wait(30)
    print(json.dumps([(got[name] - committed[name]) / 1e6 for name in committed if name in got]), flush=True)
    os._exit(0)  # those that still wait would be waited for


if __name__ == "__main__":
    main()
