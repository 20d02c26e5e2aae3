"""Every example of docs/recovery.md is run, in order, against a console on a port."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest

DOC = Path(__file__).parents[2] / "docs" / "recovery.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)


def test_the_examples_run_and_do_what_they_say(
    server: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def decide(case: Any) -> None:
        action = "respond" if case.package.get("question") else "approve"
        plan = next(
            (each["id"] for each in case.package.get("proposals", ()) if each["kind"] == "compensate"), None
        )
        more = {"answer": 3} if action == "respond" else {"proposal_id": plan}
        threading.Timer(0.02, lambda: server.decide(case, action, message="Go on.", **more)).start()

    server.on_open = decide
    monkeypatch.setenv("SWITCHBOARD_URL", server.url)
    monkeypatch.setenv("SWITCHBOARD_KEY", server.key)
    names: dict[str, Any] = {"__name__": "example"}
    for number, example in enumerate(EXAMPLES, start=1):
        exec(compile(example, f"docs/recovery.md example {number}", "exec", dont_inherit=True), names)
    names["toolbox"].close()
    names["patient"].close()
    names["folder"].cleanup()
    said = capsys.readouterr().out
    assert "hard POINTS_INSUFFICIENT Offer the paid upgrade" in said
    assert "partial [('12A', 'succeeded'), ('12B', 'failed')]" in said
    assert '"field":"price"' in said
    assert "4111" not in said
    assert "{'seat': 'window'} rule [('unauthorized', None, None), ('seat-words', '靠窗', 'window')]" in said
    assert "{'price': '420 to NRT'} alternate:other_prices 3" in said
    assert "\n1\n" in said
    assert "escalated auth_failure" in said
    assert "approve executed Go on." in said
    assert said.rstrip().endswith("3")
    assert not [each for each in threading.enumerate() if each.name.startswith("switchboard")]
