import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError

from console.bootstrap.environment import ROOT
from console.serving import command_line


def run(tmp_path, *argv, **env):
    clean = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    argv = [sys.executable, str(ROOT / "manage.py"), *argv]
    done = subprocess.run(
        argv,
        env={**clean, "SWITCHBOARD_DATA": str(tmp_path), **env},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.strip()


def test_a_command_before_the_first_start_says_what_to_do_instead_of_where_it_failed(tmp_path):
    code, said = run(tmp_path, "agent", "create", "trip-booker")
    assert code == 1
    assert said == (
        "The database is not set up for this code (no such table: telemetry_agent): "
        "`manage.py up` or `manage.py prepare` does that."
    )


def test_a_wrong_setting_is_one_sentence(tmp_path):
    code, said = run(tmp_path, "up", CLAIM_LEASE_S="soon")
    assert (code, said) == (1, "CLAIM_LEASE_S must be a whole number of at least 10, not 'soon'.")


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (ImproperlyConfigured("NAME is wrong."), "NAME is wrong."),
        (
            OperationalError("connection refused\n\tIs it running?"),
            "The database refused: connection refused.",
        ),
        (OperationalError("no such column: x"), "The database is not set up for this code"),
        (KeyboardInterrupt(), "130"),
    ],
)
def test_what_ends_a_command_is_said_in_a_sentence(monkeypatch, raised, said):
    def fail(_argv):
        raise raised

    monkeypatch.setattr(command_line, "execute_from_command_line", fail)
    with pytest.raises(SystemExit) as ended:
        command_line.run(["manage.py", "recount"])
    assert str(ended.value).startswith(said)


def test_whoever_asks_for_the_traceback_gets_it(monkeypatch):
    def fail(_argv):
        raise OperationalError("no such table: x")

    monkeypatch.setattr(command_line, "execute_from_command_line", fail)
    with pytest.raises(OperationalError):
        command_line.run(["manage.py", "recount", "--traceback"])
