import pytest
from django.core.management import call_command

from escalations.domain.diagram import page


def test_the_documented_diagram_is_the_one_the_code_obeys(capsys):
    call_command("statemachine", "--check")
    assert "agrees" in capsys.readouterr().out


def test_an_old_page_is_noticed_and_written_anew(capsys, settings, tmp_path):
    settings.BASE_DIR = tmp_path
    (tmp_path / "docs").mkdir()
    with pytest.raises(SystemExit):
        call_command("statemachine", "--check")
    call_command("statemachine")
    assert (tmp_path / "docs/lifecycle.md").read_text(encoding="utf-8") == page()
    call_command("statemachine", "--check")
