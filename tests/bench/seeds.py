"""Two thousand tasks whose tools, process and console come and go by chance inside one process, and what became of them.

`manage.py bench seeds [tasks] [first seed]`. Every failure, death and outage comes from the seed: a task that ends badly
can be run again alone. It fails where an effect happened twice or a task was lost.
"""

import logging
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sdk" / "tests" / "support"))

from chaos import Verdict, run_task  # noqa: E402  # found by the line above

MEMORY = Path("/dev/shm")


def run(tasks, first):
    """Run the tasks; in memory where that can be, because nobody here pulls the plug of the disk."""
    verdict = Verdict()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for seed in range(first, first + tasks):
            run_task(seed, Path(folder), verdict)
            (Path(folder) / f"{seed}.sqlite3").unlink()
    return verdict


def table(rows):
    """Print names and numbers under each other."""
    for name, number in rows:
        print(f"  {name:<24}{number:>8}")


if __name__ == "__main__":
    tasks = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000
    logging.getLogger("switchboard").setLevel(logging.ERROR)  # a console that is away is no news here
    began = time.monotonic()
    verdict = run(tasks, first)
    print(f"{tasks} tasks in {time.monotonic() - began:.0f} s, seeds from {first}")
    print("what was done to them")
    table(sorted(verdict.seen.items()))
    print("how they ended")
    table(sorted(verdict.ends.items()))
    print("verdict")
    table(
        [
            ("effects", verdict.effects),
            ("effects twice", len(verdict.twice)),
            ("tasks lost", len(verdict.lost)),
        ]
    )
    if verdict.twice or verdict.lost:
        sys.exit(f"twice: {verdict.twice[:10]}, lost: {verdict.lost[:10]}")
