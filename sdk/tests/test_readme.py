"""Every example of the README is run, in order, against a console on a port."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
RECOVERY = README.parent / "docs" / "recovery.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def decided(server):
    """Decide each case a moment after it was opened, as a quick person would."""

    def decide(case):
        action = "approve" if case.package.get("proposals") else "respond"
        threading.Timer(0.02, lambda: server.decide(case, action, answer="window", message="Go on.")).start()

    server.on_open = decide


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_every_example_runs(number, server, monkeypatch, capsys):
    monkeypatch.setenv("SWITCHBOARD_URL", server.url)
    monkeypatch.setenv("SWITCHBOARD_KEY", server.key)
    decided(server)
    opened_before = [each for each in EXAMPLES[:number] if 'key="trip-42:upgrade"' in each]
    for example in (*opened_before, EXAMPLES[number]):
        exec(compile(example, f"README example {number + 1}", "exec"), {"__name__": "example"})
    assert not [each for each in threading.enumerate() if each.name.startswith("switchboard")]


def test_the_examples_do_what_they_say(server, monkeypatch, capsys):
    monkeypatch.setenv("SWITCHBOARD_URL", server.url)
    monkeypatch.setenv("SWITCHBOARD_KEY", server.key)
    decided(server)
    for example in EXAMPLES:
        exec(compile(example, "README", "exec"), {"__name__": "example"})
    out = capsys.readouterr().out
    assert "respond Go on." in out
    assert "running refund_booking {'booking': 'B1', 'amount': 100} trip-42:refund:B1" in out
    assert "seat: window" in out
    assert "decision http://127.0.0.1" in out
    assert {call["tool"] for call in server.calls} == {"search_flights", "points_balance", "seat_select"}
    assert server.book.find("trip-42:upgrade").execution == "executed"
    assert server.breaker_events[0]["breaker"] == "flights-api"


def test_copied_examples_pass_a_strict_type_checker(tmp_path):
    whole = "\n".join(re.findall(r"```python\n(.*?)```", RECOVERY.read_text(encoding="utf-8"), re.DOTALL))
    for name, text in [("recovery", whole), *((f"readme_{n}", text) for n, text in enumerate(EXAMPLES))]:
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    checker = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary"]
    run = subprocess.run(
        [*checker, *sorted(tmp_path.glob("*.py"))], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.stdout == ""
    assert run.returncode == 0
