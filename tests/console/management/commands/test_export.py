import json

import pytest
from django.core.management import call_command

from tests.escalations import made


@pytest.mark.django_db
def test_decisions_are_written_as_json_lines(capsys):
    for n in range(2):
        made.decided(made.opened(key=f"k{n}", title=f"靠窗 {n}").id, "reject")
    call_command("export", "decisions")
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["title"] for line in lines] == ["靠窗 0", "靠窗 1"]
    assert "靠窗" in lines[0]
