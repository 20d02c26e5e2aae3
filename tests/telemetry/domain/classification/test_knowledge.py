"""The tables of knowledge: every one names its source, and no short cut hides a rule."""

import ast
from pathlib import Path

from telemetry.domain import classification
from telemetry.domain.classification.causes import MEANINGS, Cause
from telemetry.domain.classification.packs import PACKS

PACKAGE = Path(classification.__file__).parent
IMPURE = {"django", "rest_framework", "channels", "celery", "requests", "httpx"}


def test_every_pack_names_its_source_and_its_vendor():
    assert [pack.name for pack in PACKS.values() if not pack.source.strip()] == []
    assert [pack.name for pack in PACKS.values() if not (pack.marks or pack.everywhere)] == []


def test_no_pack_gives_one_code_two_meanings():
    meanings = {}
    for pack in PACKS.values():
        for code, cause in pack.entries():
            meanings.setdefault((pack.name, code), set()).add(cause)
    assert {code: causes for code, causes in meanings.items() if len(causes) > 1} == {}


def test_every_cause_has_a_meaning():
    assert set(MEANINGS) == set(Cause)


def test_the_package_is_plain_python():
    imported = {
        name.split(".")[0]
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
        )
    }
    assert imported.isdisjoint(IMPURE)
