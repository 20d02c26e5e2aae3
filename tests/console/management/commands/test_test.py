import pytest
from django.core.management import call_command

from console.checking.running import Outcome
from console.management.commands import test as command


@pytest.fixture
def outcomes(monkeypatch):
    given = []
    monkeypatch.setattr(command, "run", lambda _step: given.pop(0))
    return given


def said(capsys, *argv):
    with pytest.raises(SystemExit) as left:
        call_command("test", *argv)
    return left.value.code, capsys.readouterr().out


def test_the_last_line_counts_the_tests(outcomes, capsys):
    outcomes.append(Outcome("tests", 12, 0, 0, 1.0, ""))
    code, out = said(capsys, "-k", "x")
    assert code == 0
    assert out.splitlines()[-1] == "12 passed, 0 failed"


def test_a_failure_shows_what_was_printed_and_is_the_exit_code(outcomes, capsys):
    outcomes.append(Outcome("tests", 12, 1, 2, 1.0, "the reason\n", ("a: No Chromium",)))
    code, out = said(capsys, "tests/console")
    assert code == 1
    assert "the reason" in out
    assert "skipped: a: No Chromium" in out
    assert out.splitlines()[-1] == "12 passed, 1 failed, 2 skipped"


def test_of_a_long_output_the_end_is_shown():
    shown = command.shortened("\n".join(map(str, range(1000)))).splitlines()
    assert (shown[0], shown[1], shown[-1]) == ("(600 lines left out)", "600", "999")
    assert command.shortened("short\n") == "short"
