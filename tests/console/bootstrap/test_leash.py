import os
import signal
import subprocess
import sys

from console.bootstrap.children import LIFELINE
from console.bootstrap.leash import leashed
from tests.console.bootstrap.test_children import gone

PARENT = """
import subprocess, time
from console.bootstrap import children, leash
child = children.start("sleeper", leash.leashed(["sh", "-c", "sleep 60 & echo $!; wait"]), out=subprocess.PIPE)
print(child.process.stdout.readline().decode().strip(), flush=True)
time.sleep(60)
"""


def test_a_program_that_follows_nobody_is_gone_with_its_family_when_its_starter_is_killed():
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        pid = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    assert gone(pid)


def test_the_exit_code_is_the_programs_and_the_lifeline_is_not_passed_on():
    code = f"import os, sys; sys.exit(7 if {LIFELINE!r} not in os.environ else 1)"
    read, write = os.pipe()
    done = subprocess.run(
        leashed([sys.executable, "-c", code]),
        env={**os.environ, LIFELINE: str(read)},
        pass_fds=[read],
        check=False,
    )
    os.close(read)
    os.close(write)
    assert done.returncode == 7
