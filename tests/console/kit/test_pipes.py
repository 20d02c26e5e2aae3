import subprocess
import sys

PRINTS_FOR_EVER = """
from console.kit.pipes import until_nobody_reads
with until_nobody_reads():
    while True:
        print("line" * 1000)
"""


def test_output_that_nobody_reads_any_more_ends_quietly():
    with subprocess.Popen(
        [sys.executable, "-c", PRINTS_FOR_EVER], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as printing:
        assert printing.stdout.readline()
        printing.stdout.close()
        assert printing.stderr.read() == b""
        assert printing.wait(20) == 0
