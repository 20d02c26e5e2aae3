"""The texts of the console and their translations.

`python -m tests.structure.catalog` reads every template and module, brings locale/*/LC_MESSAGES/django.po up to date
and compiles it. It needs no gettext tools, only Babel and polib; the structure tests use the same functions.
"""

import io
from collections.abc import Iterator
from pathlib import Path

import polib
from babel.messages.extract import extract
from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "locale"
CODE = ("console", "escalations", "telemetry")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
Key = tuple[str, str, str]  # context, text, plural


def texts() -> dict[Key, list[str]]:
    """Give every text a page can show, with the places it stands in."""
    found: dict[Key, list[str]] = {}
    for path, messages in sources():
        for message, context in messages:
            text, plural = (message, "") if isinstance(message, str) else (message[0], message[1])
            found.setdefault((context or "", text, plural), []).append(path)
    return found


def sources() -> Iterator[tuple[str, list[tuple[str | tuple[str, ...], str | None]]]]:
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield str(path.relative_to(ROOT)), _extracted("python", path.read_bytes())
    for path in sorted((ROOT / "templates").rglob("*.html")):
        source = templatize(path.read_text(encoding="utf-8"), origin=str(path))
        yield str(path.relative_to(ROOT)), _extracted("javascript", source.encode())


def catalogs() -> list[Path]:
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


def key_of(entry: polib.POEntry) -> Key:
    return entry.msgctxt or "", entry.msgid, entry.msgid_plural


def update(path: Path) -> None:
    """Bring one catalog up to date: new texts untranslated, gone ones dropped, all in one order."""
    old = {key_of(entry): entry for entry in polib.pofile(str(path))}
    fresh = polib.POFile(wrapwidth=110)
    fresh.metadata = polib.pofile(str(path)).metadata
    for key, places in sorted(texts().items(), key=lambda item: (item[1][0], item[0])):
        entry = old.get(key) or _entry(key)
        entry.occurrences = [(place, "") for place in sorted(set(places))]
        entry.obsolete = False
        fresh.append(entry)
    fresh.save(str(path))
    fresh.save_as_mofile(str(path.with_suffix(".mo")))


def _entry(key: Key) -> polib.POEntry:
    context, text, plural = key
    forms = {"msgid_plural": plural, "msgstr_plural": {0: ""}} if plural else {}
    flags = ["python-format"] if "%(" in text else []
    return polib.POEntry(msgctxt=context or None, msgid=text, msgstr="", flags=flags, **forms)


def _extracted(method: str, source: bytes) -> list[tuple[str | tuple[str, ...], str | None]]:
    found = extract(method, io.BytesIO(source), keywords=KEYWORDS, options={"encoding": "utf-8"})
    return [(message, context) for _line, message, _comments, context in found]


if __name__ == "__main__":
    for catalog in catalogs():
        update(catalog)
        left = [entry.msgid for entry in polib.pofile(str(catalog)).untranslated_entries()]
        print(f"{catalog.relative_to(ROOT)}: {len(left)} to translate", *left[:400], sep="\n  ")
