import json

import pytest
from django.core.management import call_command

from tests.console.demo.fake_http import HttpConsole
from tests.console.demo.test_corpus import CRASHED, WRITE_TIMED_OUT


@pytest.fixture
def corpus(tmp_path):
    file = tmp_path / "failures.jsonl"
    file.write_text("\n".join(json.dumps(case) for case in (CRASHED, WRITE_TIMED_OUT)))
    return file


def test_every_line_arrives_once_however_often_the_file_is_imported(corpus, capsys):
    with HttpConsole() as console:
        for _ in range(2):
            call_command("import", "corpus", corpus, url=console.url, key="sb_key")
        assert sorted(call["tool"] for call in console.console.calls) == ["bash", "create_invoice"]
    assert capsys.readouterr().out.splitlines() == [
        "2 calls: 2 accepted, 0 duplicate, 0 rejected.",
        "2 calls: 0 accepted, 2 duplicate, 0 rejected.",
    ]


@pytest.mark.django_db(transaction=True)
def test_without_a_key_the_agent_of_the_corpus_gets_one(corpus, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    with HttpConsole() as console:
        call_command("import", "corpus", corpus, url=console.url)
        sent = console.console.requests[-1].headers["authorization"]
    kept = json.loads((tmp_path / "demo" / "corpus-key.json").read_text())
    assert sent == f"Bearer {kept['corpus']}"


def test_a_file_that_is_no_corpus_is_refused_with_its_line(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("Hello")
    with pytest.raises(SystemExit) as refusal:
        call_command("import", "corpus", file, key="sb_key")
    assert refusal.value.code.startswith("Line 1 of notes.txt is no corpus case")


def test_a_console_that_is_not_there_is_named(corpus):
    with pytest.raises(SystemExit) as refusal:
        call_command("import", "corpus", corpus, url="http://127.0.0.1:9", key="sb_key")
    assert "could not be posted to http://127.0.0.1:9" in refusal.value.code
