"""Which argument a text names: as a parameter, in passing, or by what it lacks."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from telemetry.domain.classification.fields.arguments import blanks, last_of, segments, valued_in
from telemetry.domain.classification.fields.patterns import COUNTED, GIVEN, NAMED, SURE
from telemetry.domain.classification.plain import key, names, some

READ = 800
"""Characters of a text that are searched for names."""
COMMANDS = names("command cmd script commandline shell bash")
_QUOTES = frozenset("'\"`“「[")
_CAMEL = re.compile(r"[a-z][A-Z]|\w\.\w")
_LACKS = re.compile(
    r"missing|required|blank|empty|length|short|null|mandatory|not ?found|缺|空|必填|必須|未入力|fehlt|leer|pflicht|obligatoire|vide|obligatori|vac"
)
_OPENS = re.compile(
    r":? (?:is|are) (?:a )?(?:missing|required|mandatory)|:? (?:is|are) too (?:short|long|large|small|big)|:? (?:should|must) not be (?:empty|blank|null)|:? must be (?:given|set|provided|present|specified)|:?(?: cannot| can't) be (?:blank|empty|null)| ?は必須| ?が必要| ?不能为空| ?为必填| ?必填"
)
_ONE_WORD = re.compile(r"[A-Z][\w-]{1,30} ")
_CALLED = re.compile(
    r"\b(?:field|parameter|param|property|argument|attribute|column|feld|pflichtfeld|champ|campo) ?:? ?$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"$|[.,;:)\]'\"]| (?:is|are|was|must|cannot|does|has|should|muss|fehlt|ist|darf|est|doit|es|debe)\b"
)
_IS_CALLED = re.compile(
    r" (?:parameter|param|field|argument|property|attribute|header|column) (?:is|was|must|cannot|has|should|needs)\b"
    r"| (?:passed|provided|given|supplied|specified)\b"
    r"| value ['\"`]"
)
_STOP = names(
    """
    the a an is are was this that value values field fields parameter parameters type types error errors
    request format it must be required name and or of for not valid invalid in with argument arguments
    property properties body json string number integer query input data names given provided missing
    unknown you your schema at to path form mandatory following other extra additional specified url
    another these those each any some one first second last new same all
    """
) | {""}


_HINTED = re.compile(r"\buse (?:the )?['\"`]?$", re.IGNORECASE)
"""`Use `repo_type` argument if needed`: advice, and no complaint."""


def named_in(texts: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """An argument that a text names, else one whose value it repeats, else a name that it calls a parameter."""
    paths = {key(last_of(path)): path for path in reversed(list(arguments)) if key(last_of(path))}
    spoken: str | None = None
    for text in some(texts, 12):
        named, loose = _named(text[:READ], paths)
        if named is not None:
            return named
        spoken = spoken or loose
    if spoken and (sent := valued_in([f"'{spoken}'"], arguments) or _part_of(spoken, texts, arguments)):
        return sent
    mentioned = _mentioned(texts, paths)
    if (
        mentioned
        and arguments.get(mentioned) not in (None, "", [], {})
        and (blank := left_blank(texts, arguments))
    ):
        return blank
    if (
        mentioned
        and spoken
        and (key(spoken).startswith(key(last_of(mentioned))) or isinstance(arguments.get(mentioned), dict))
    ):
        return spoken
    return mentioned or valued_in(texts, arguments) or spoken


def _part_of(spoken: str, texts: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """The command line that holds what a text quotes: `invalid date '2025-02-30'` of `date -d 2025-02-30`."""
    if spoken != given_in(texts):
        return None
    for path, value in arguments.items():
        if key(last_of(path)) in COMMANDS and isinstance(value, str) and spoken in value.split():
            return path
    return None


def names_surely(texts: Iterable[str]) -> bool:
    """True where a text has one of the wordings that can only stand before a name."""
    return any(pattern.search(text[:READ]) for text in some(texts, 8) for pattern in SURE)


def _named(text: str, paths: Mapping[str, str]) -> tuple[str | None, str | None]:
    """(a name that is surely an argument, a name that may be one)."""
    spoken: str | None = None
    for pattern in (*SURE, *NAMED):
        for match in some(pattern.finditer(text), 3):
            name = match.group(1).strip("'\"`.,:;")
            if (found := _as_argument(name, paths)) is not None:
                return found, spoken
            if pattern in SURE and key(name) and not _HINTED.search(text[: match.start(1)]):
                return name, spoken
            if spoken is None and _sounds_like_a_name(
                name, sure=_marked_as_name(text, match), called=_is_called(text, match.start(1))
            ):
                spoken = name
    return None, spoken


def _as_argument(name: str, paths: Mapping[str, str]) -> str | None:
    """The argument that a name stands for: itself, its plural, or a path that goes through it."""
    last = key(last_of(name))
    other = last[:-1] if last.endswith("s") else last + "s"
    if last not in paths and len(last) > 3 and other in paths:
        last = other
    if last in paths:
        is_path = any(mark in name for mark in "./[") or name.startswith("-")
        return name if is_path else paths[last]
    return name if any(key(part) in paths for part in segments(name)) else None


def _marked_as_name(text: str, match: re.Match[str]) -> bool:
    """True for names in quotes, and for `title is missing`, where the name opens the sentence."""
    start, end = match.span(1)
    if (_CALLED.search(text[:start]) and _ENDS.match(text, end)) or _IS_CALLED.match(text, end):
        return True
    return text[start - 1 : start] in _QUOTES or (
        (start == 0 or _ONE_WORD.fullmatch(text[:start]) is not None) and _OPENS.match(text, end) is not None
    )


def _is_called(text: str, start: int) -> bool:
    """True for a name in quotes after the word for one: `column 'name'`, where any word may be a name."""
    quoted = text[start - 1 : start] in _QUOTES
    return (quoted or text[start - 2 : start] == ": ") and _CALLED.search(text[: start - 1]) is not None


def _sounds_like_a_name(name: str, *, sure: bool, called: bool) -> bool:
    """Identifiers have a mark, a capital inside or stood between quotes; plain prose words are no fields."""
    if name.startswith("-"):
        return True
    if (
        (key(name) in _STOP and not called)
        or not any(char.isalpha() for char in name)
        or not 1 < len(name) <= 60
    ):
        return False
    return sure or "_" in name or "[" in name or bool(_CAMEL.search(name)) or not name.isascii()


def _mentioned(texts: Iterable[str], paths: Mapping[str, str]) -> str | None:
    """The first argument that a text mentions; of `stay.checkIn` the whole path and not its first part."""
    found: list[tuple[int, int, int, str]] = []
    for order, text in enumerate(some(texts, 12)):
        lower = text[:1_500].lower().replace("message type", "msgtype")
        for path in paths.values():
            whole = lower.find(path.lower()) if "." in path else -1
            at = whole if whole >= 0 else _place(last_of(path), lower)
            if at is not None:
                found.append((order, at, -len(path), path))
    return min(found)[3] if found else None


def _place(name: str, text: str) -> int | None:
    """Where a text mentions an argument: as it is spelled, inside a code, or with spaces (`Due Date`)."""
    if len(name) < 2:
        return None
    spelled = name.lower()
    at = text.find(spelled)
    if at >= 0 and " " not in text and len(spelled) > 3:
        return at
    if " " not in text and len(key(name)) > 5 and key(name) in key(text):
        return len(text)
    while at >= 0:
        if not _goes_on(text[at - 1 : at]) and not _goes_on(
            text[at + len(spelled) : at + len(spelled) + 1], but="s"
        ):
            return at
        at = text.find(spelled, at + 1)
    if spelled.endswith("s") and len(spelled) > 4:
        match = re.search(rf"\b{re.escape(spelled[:-1])}\b", text)
        return match.start() if match else None
    spaced = re.sub(r"[_\-]|(?<=[a-z])(?=[A-Z])", " ", name).lower()
    if spaced != spelled and len(key(name)) > 3 and (at := text.find(spaced)) >= 0:
        return at
    return None


def _goes_on(char: str, *, but: str = "") -> bool:
    """True where a Latin word goes on; East Asian text has no spaces around names."""
    return char.isalnum() and char.isascii() and char != but


def left_blank(said: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """The one argument that was left blank, where a text complains about something missing or too short."""
    if not _LACKS.search(" ".join(some(said, 8)).lower()[:1_500]):
        return None
    found = blanks(arguments)
    return found[0] if len(found) == 1 else None


def given_in(texts: Iterable[str], but: str | None = None) -> str | None:
    """The value that a text says it was given; `but` is the argument's own name, which may stand in quotes as well."""
    for text in some(texts, 6):
        for pattern in GIVEN:
            for match in some(pattern.finditer(text[:READ]), 3):
                given: str = match.group(1).strip().strip("\\").strip('"')
                if given != but:
                    return given
    return None


def counted_in(texts: Iterable[str]) -> int | None:
    """The amount that a text says was sent, where that was too much or the wrong number of things."""
    for text in some(texts, 6):
        if match := COUNTED.search(text[:READ]):
            return int(match.group(1).replace(",", ""))
    return None
