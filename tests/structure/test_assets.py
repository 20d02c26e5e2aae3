"""What a browser is sent: nothing inline, no page with another's script, vendored files as they were fetched, every
text in every language."""

import re
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.template import engines

from console.management.commands.vendor_js import VENDOR, manifest, sha256
from tests.structure import catalog

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
PAGES = [page for page in TEMPLATES if "{% extends" in page.read_text(encoding="utf-8")]
MODULES = sorted((ROOT / "static" / "pages").rglob("*.js"))
OURS_JS = [path for path in (ROOT / "static").rglob("*.js") if "vendor" not in path.parts]
FORBIDDEN = {
    "an inline script": r"<script(?![^>]*\bsrc=)",
    "an inline style": r"<style|\sstyle=",
    "an event handler": r"<[^<>]*\son[a-z]+=",
    "a script address": r"javascript:",
    "another site": r"(src|href|action)=[\"']?(https?:)?//",
}
PLACE = re.compile(r"%\((\w+)\)s|(?<!\{)\{(\w+)\}(?!\})")


def name_of(path):
    return str(path.relative_to(ROOT))


def named(paths):
    return [pytest.param(path, id=name_of(path)) for path in paths]


@pytest.mark.parametrize("page", named(TEMPLATES))
def test_every_template_can_be_read(page):
    engines["django"].get_template(str(page.relative_to(ROOT / "templates")))


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_template_holds_what_the_content_policy_forbids(what):
    found = [
        name_of(path) for path in TEMPLATES if re.search(FORBIDDEN[what], path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_content_policy_allows_nothing_inline_and_nobody_else():
    allowed = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert allowed["default-src"] == ["'none'"]
    assert allowed["script-src"] == allowed["style-src"] == ["'self'"]


@pytest.mark.parametrize("page", named(PAGES))
def test_a_page_loads_the_module_of_its_own_name_and_no_other(page):
    name = str(page.relative_to(ROOT / "templates").with_suffix(""))
    loaded = re.findall(r"static ['\"]pages/(.+?)\.js['\"]", page.read_text(encoding="utf-8"))
    assert loaded in ([], [name])
    assert (ROOT / f"static/pages/{name}.js").exists() == bool(loaded)


def test_every_module_of_a_page_has_its_page():
    names = [path.relative_to(ROOT / "static/pages").with_suffix(".html") for path in MODULES]
    assert names
    assert [str(name) for name in names if not (ROOT / "templates" / name).exists()] == []


@pytest.mark.parametrize("module", named(OURS_JS))
def test_modules_import_from_the_library_only(module):
    imported = re.findall(r"""(?:from|import)\s+["'](.+?)["']""", module.read_text(encoding="utf-8"))
    targets = [(module.parent / each).resolve() for each in imported]
    assert [
        name_of(each) for each in targets if each.parent != ROOT / "static/lib" or not each.exists()
    ] == []


def test_vendored_files_are_those_of_the_manifest():
    files = {str(path.relative_to(VENDOR)) for path in VENDOR.rglob("*") if path.is_file()} - {
        "VERSIONS.json"
    }
    assert files == set(manifest())
    assert {name for name, entry in manifest().items() if sha256(VENDOR / name) != entry["sha256"]} == set()


def test_every_vendored_library_brings_its_licence():
    folders = {path.parent for path in VENDOR.rglob("*.js")}
    assert folders
    assert [folder.name for folder in folders if not (folder / "LICENSE").exists()] == []


@pytest.mark.parametrize("path", named(catalog.catalogs()))
def test_every_text_is_translated(path):
    entries = {catalog.key_of(entry): entry for entry in polib.pofile(str(path)) if not entry.obsolete}
    assert sorted(set(catalog.texts()) - set(entries)) == [], "run python -m tests.structure.catalog"
    assert sorted(set(entries) - set(catalog.texts())) == [], "run python -m tests.structure.catalog"
    assert [key[1] for key, entry in entries.items() if entry.fuzzy or not entry.translated()] == []


@pytest.mark.parametrize("path", named(catalog.catalogs()))
def test_translations_keep_the_places_for_values(path):
    wrong = [
        (entry.msgid, text)
        for entry in polib.pofile(str(path))
        for text in [entry.msgstr, *entry.msgstr_plural.values()]
        if text and not fits(text, entry)
    ]
    assert wrong == []


@pytest.mark.parametrize("path", named(catalog.catalogs()))
def test_the_compiled_catalogue_is_the_one_of_its_source(path):
    compiled = {catalog.key_of(entry): value(entry) for entry in polib.mofile(str(path.with_suffix(".mo")))}
    source = {catalog.key_of(entry): value(entry) for entry in polib.pofile(str(path)) if entry.translated()}
    assert compiled == source


def fits(text, entry):
    """A translation names the values of its text; only the number of a plural may go without."""
    one, many = places(entry.msgid), places(entry.msgid_plural)
    return places(text) <= one | many and not (one & (many or one)) - places(text) - {"n"}


def places(text):
    return {one or other for one, other in PLACE.findall(text)}


def value(entry):
    return entry.msgstr or {int(form): text for form, text in entry.msgstr_plural.items()}


def test_a_part_that_stands_before_punctuation_ends_without_a_line_break():
    """A line break at the end of a file is a space on the page: `2 closed , one word for all`."""
    before = re.compile(
        r'{% include "([^"]+)"[^%]*%}(?:{% translate "[,.;:]|{% blocktranslate[^%]*%}[,.;:]|[,.;:，。；])'
    )
    templates = ROOT / "templates"
    parts = {name for path in templates.rglob("*.html") for name in before.findall(path.read_text("utf-8"))}
    assert parts
    assert [name for name in sorted(parts) if (templates / name).read_bytes().endswith(b"\n")] == []
