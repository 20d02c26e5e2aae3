import os
import subprocess
import sys

from console.bootstrap.environment import ROOT, began, keep_bytecode, why_not_write


def test_a_folder_that_can_be_written_is_not_refused(tmp_path):
    assert why_not_write(tmp_path) is None


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    assert str(tmp_path / "none") in why_not_write(tmp_path / "none")


def test_the_start_of_the_command_is_asked_for_once(monkeypatch):
    monkeypatch.setenv("SWITCHBOARD_STARTED", "12.5")
    assert began() == 12.5
    assert "SWITCHBOARD_STARTED" not in os.environ


def test_compiled_modules_are_kept_in_our_folder_where_they_are_forbidden_beside_the_sources(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", "")
    keep_bytecode(tmp_path)
    assert (sys.dont_write_bytecode, sys.pycache_prefix) == (False, str(tmp_path))
    assert os.environ["PYTHONPYCACHEPREFIX"] == str(tmp_path)
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ


def test_compiled_modules_stay_where_they_are_when_nobody_forbade_them(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    keep_bytecode(tmp_path)
    assert sys.pycache_prefix is None


def test_the_set_up_needs_nothing_but_the_standard_library():
    """`-S` leaves out site-packages: what is imported here is imported on a bare Python too."""
    modules = "children, environment, leash, lock, ports, venv"
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from console.bootstrap import {modules}"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


def test_an_old_python_is_told_what_is_needed():
    """The version check comes first, so a Python that only claims to be old is enough to see it."""
    code = (
        "import sys, runpy; sys.version_info = (3, 9, 1); sys.argv = ['manage.py', 'up'];"
        f"runpy.run_path({str(ROOT / 'manage.py')!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.startswith("Switchboard needs Python 3.11 or newer; this is Python 3.9")
    assert done.stderr.count("\n") == 1
    assert done.returncode == 1
