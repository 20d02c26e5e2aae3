import os

import pytest
from django.core.management import call_command

from console.management.commands import bench


def test_without_a_known_name_it_lists_what_there_is():
    with pytest.raises(SystemExit, match=r"^The benchmarks are: .*\bstart\b"):
        call_command("bench", "no-such-thing")


def test_whoever_has_read_enough_ends_it_without_a_traceback(tmp_path, monkeypatch):
    (tmp_path / "tests/bench").mkdir(parents=True)
    (tmp_path / "tests/bench/loud.py").write_text("print('a figure')\n")
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as nobody:
        monkeypatch.setattr("sys.stdout", nobody)
        with pytest.raises(SystemExit) as ended:
            call_command("bench", "loud")
    assert ended.value.code == bench.NOBODY_READS
