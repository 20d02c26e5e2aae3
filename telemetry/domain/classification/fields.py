"""Which argument is wrong, what it has to be, and what was sent: from pointers, names in texts, and the arguments."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from telemetry.domain.classification.plain import MISSING, clip, key, names, some
from telemetry.domain.classification.problems import Problem
from telemetry.domain.classification.sight import Sight

MAX_ARGUMENTS = 120
PREFIXES = names(
    """
    body query path header headers data attributes params parameters args arguments input variables request
    payload form cookie json
    """
)
STATEMENTS = (
    "sql",
    "query",
    "cql",
    "statement",
    "cypher",
    "aql",
    "gql",
    "pipeline",
    "q",
    "jql",
    "soql",
    "expression",
    "code",
    "script",
    "filter",
    "command",
    "kql",
    "promql",
    "flux",
    "formula",
)
SELECTORS = ("css", "selector", "xpath", "locator", "element")
ADDRESSES = ("url", "uri", "endpoint", "address", "href", "link")

_PARTS = re.compile(r"[^\w一-鿿ぁ-ヿ$-]+")
_NAME = r"[\w$\u4e00-\u9fff\u3041-\u30ff][\w.$\[\]\-\u4e00-\u9fff\u3041-\u30ff]{0,79}"
_SURE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bargument (--?[\w-]{1,40})",
        r"\b(?:unknown|unrecognized|unrecognised|invalid|bad|illegal|ambiguous) (?:long |short )?(?:flag|option|switch|arguments?)s?\b[:= '\"`]{0,4}(--?[\w-]{1,40})",
        r"\bfollowing arguments are required: (--?[\w-]{1,40}|\w{1,40})",
        r"\boption[ '\"`]{1,3}(--?[\w-]{1,40})",
        rf"\b(?:unexpected keyword argument|required positional arguments?|required keyword-only arguments?|missing argument)[: ]{{1,3}}['\"`]?({_NAME})",
        rf"\bPath: \$?\.?({_NAME})",
        r"\bjson-pointer:(/[\w/.$~-]{1,120})",
        r"\bconstraint failed: (?:\w+\.)?(\w{1,80})",
        r"\bnull value in column \"(\w{1,80})\"",
        r"\bColumn '(\w{1,80})' cannot be null",
    )
)
_NAMED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:\bparam(?:eter)?s?|\bfields?|\bproperty|\battribute|\bargument|\bcolumn|\bkey|\bvariable|\binput|\bFeld|\bParameter|\bEigenschaft|\bSpalte|\bchamp|\bcampo|\bpar[aá]metro|参数|參數|字段|項目|パラメータ|パラメーター|フィールド)(?: named| name| with name|名)?[ :=]{{0,3}}['\"`“「『\[<(]({_NAME})['\"`”」』\]>)]",
        rf"['\"`“「『]({_NAME})['\"`”」』] ?(?:is (?:a )?(?:required|missing|invalid|not|mandatory|an? invalid)|must|should|cannot|can't|may not|has to|needs|expects|failed|does not match|field|parameter|property|param|attribute|argument|wurde|ist|muss|darf|fehlt|est|es |doit|debe)",
        rf"\b(?:for|of|in|on) (?:the )?(?:field|parameter|property|argument|attribute|column|key|param|input)s? ['\"`]?({_NAME})",
        rf"\b(?:missing|required|invalid|illegal|unknown|unsupported|unexpected|empty|blank|incorrect|malformed|bad) (?:(?:value|format|type|data) (?:for|of|in) )?(?:the )?(?:required |query |request |body |path |input |form |mandatory )*(?:parameter|param|field|property|argument|attribute|column|key|input|value|variable)s?(?: for| name| named| in)?[: ]{{1,3}}['\"`]?({_NAME})",
        rf"\b(?:parameter|param|field|property|argument|attribute|column)s?[: ]{{1,2}}['\"`]?({_NAME})['\"`]? (?:is|was|must|has|cannot|should|does|not|needs|required|can't|may|contains|exceeds|expects)",
        rf"\b(?:Pflichtfeld|Feld|Parameter|Angabe|Eigenschaft) ({_NAME}) (?:fehlt|ist|muss|darf|hat|enth.lt|wurde)",
        rf"\binvalid(?:[ _-]\w+)?(?: value)?[ :]{{1,3}}['\"`]({_NAME})['\"`]",
        rf"^['\"`]?({_NAME})['\"`]? (?:is (?:a )?(?:required|missing|invalid|not|mandatory|too|an? )|must|cannot be|can't be|should be|has to|may not|needs to|が|は|の|を|不能|不正确|必须|格式|为空|ist |darf|muss)",
        r"^(?![A-Z]\w*\.)("
        rf"{_NAME}): ",
        rf"\b(?:value|format|type|data) (?:\w+ )?(?:passed |given |provided |supplied |set |sent )?(?:for|of) ['\"`]?({_NAME})",
        rf"\binvalid ({_NAME}) (?:provided|given|supplied|value|parameter|passed)\b",
        rf"\b({_NAME}) (?:expects|expected|needs to be|has to be|must be|should be|cannot be|can't be|is required|is missing)\b",
        rf"\b(?:缺少|缺失|无效的?|非法的?|错误的?|请填写|请输入|请传入)(?:必填|必要|必需|请求)?(?:参数|字段)?[: ]{{0,2}}['\"`「]?([A-Za-z_]{_NAME[2:]})",
        r"参数(?:错误|无效|缺失|不合法|不正确|异常)?[:：, ]{1,2}['\"`「]?([A-Za-z_][\w.\[\]-]{0,60})",
        r"([A-Za-z_][A-Za-z0-9_.\[\]-]{1,60}) ?(?:参数|字段|不能为空|为必填|格式|不合法|必须|不正确|无效|取值|错误|长度|为空|超过|应为|は必須|が不正|が無効|を指定|を入力|の形式|の値|は無効|が正しく)",
    )
)
_GIVEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:but was|got|received|given|found|actual|instead of|you (?:passed|provided|sent|gave)|input_value=|provided)[:= ]{1,3}['\"`“]{0,2}([^'\"`”,;\n]{1,120})['\"`”]",
        r"\b(?:invalid|incorrect|illegal|unknown|unsupported|bad|malformed|unrecognized|unexpected|ung.ltige\w*|invalide|inv.lido)\b(?: [\w.-]+){0,5}?[: ]{1,3}['\"`“「]([^'\"`”」\n]{1,120})['\"`”」]",
        r"\b(?:value|wert|valeur|valor|值|値)[ :=]{0,3}['\"`“「]([^'\"`”」\n]{1,120})['\"`”」]",
        r"['\"`“「]([^'\"`”」\n]{1,120})['\"`”」] (?:is not|was not|isn't|does not|cannot be|can't|ist (?:kein|f.r|nicht)|n'est|no es|is invalid|as)",
        r"\binput syntax for (?:type )?[\w ]{1,40}: ['\"]([^'\"\n]{1,120})['\"]",
    )
)


@dataclass(frozen=True, slots=True)
class Blamed:
    """The argument that is wrong."""

    field: str | None = None
    constraint: str | None = None
    received: Any = MISSING


def blame(sight: Sight, problems: list[Problem], texts: list[str]) -> Blamed:
    """The first argument that the problems or, failing that, the texts point to."""
    arguments = dict(flattened(sight.args))
    if problem := next((one for one in problems if one.field_path and one.named), None):
        return _from_problem(problem, arguments)
    if not any(pattern.search(text[:1_500]) for text in some(texts, 8) for pattern in _SURE):
        if problem := next((one for one in problems if one.field_path and _plausible(one, arguments)), None):
            return _from_problem(problem, arguments)
    constraint = next((problem.constraint for problem in problems if problem.constraint), None)
    received = next((problem.received for problem in problems if problem.received is not MISSING), MISSING)
    said = texts + [code for problem in problems for code in problem.codes if len(code) < 200]
    field = (
        _statement(sight, texts)
        or named_in(said, arguments)
        or _blank(said, arguments)
        or _by_nature(sight, texts)
    )
    if field is None:
        return Blamed(None, constraint or _first_sentence(texts), received)
    if received is MISSING:
        received = _value_at(field, arguments)
    given = given_in(texts)
    if given and (
        received is MISSING
        or (isinstance(received, str) and _last(field).lower() in STATEMENTS and given in received)
    ):
        received = given
    return Blamed(field, constraint or _first_sentence(texts), received)


def _blank(said: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """The one argument that was left blank, where a text complains about something missing, blank or too short."""
    if not _LACKS.search(" ".join(some(said, 8)).lower()[:1_500]):
        return None
    blank = [path for path, value in arguments.items() if value is None or value in ("", [], {})]
    return blank[0] if len(blank) == 1 else None


_LACKS = re.compile(
    r"missing|required|blank|empty|length|short|null|mandatory|not ?found|缺|空|必填|必須|未入力|fehlt|leer|pflicht|obligatoire|vide|obligatori|vac"
)
TYPE_NAMES = names(
    """
    number string undefined null object boolean array nan integer float int str nonetype bool list dict date
    """
)


def flattened(args: Mapping[str, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every argument by its dotted path, outer ones first."""
    nested: list[tuple[str, Any]] = []
    for name, value in some(args.items(), 60):
        path = f"{prefix}{clip(name, 80)}"
        yield path, value
        if depth < 4:
            if isinstance(value, dict):
                nested.append((path, value))
            elif isinstance(value, list | tuple):
                nested += [
                    (f"{path}.{index}", one)
                    for index, one in enumerate(some(value, 8))
                    if isinstance(one, dict)
                ]
    for path, value in nested[:MAX_ARGUMENTS]:
        yield from flattened(value, f"{path}.", depth + 1)


def _plausible(problem: Problem, arguments: Mapping[str, Any]) -> bool:
    """A key that an error stands under names a field only where a field may be called so."""
    last = _last(problem.field_path or "")
    return bool(last) and (
        any(key(last) == key(_last(path)) for path in arguments) or set(problem.codes) <= set(problem.texts)
    )


def _from_problem(problem: Problem, arguments: Mapping[str, Any]) -> Blamed:
    path = problem.field_path or ""
    received = problem.received
    if received is MISSING or (
        isinstance(received, str) and (received in problem.texts or received.lower() in TYPE_NAMES)
    ):
        sent = _value_at(path, arguments)
        received = sent if sent is not MISSING else received
    given = given_in(problem.texts)
    if given and (
        received is MISSING or (given != received and any(given == value for value in arguments.values()))
    ):
        received = given
    if received is MISSING and (sent_path := valued_in(problem.texts, arguments)):
        received = arguments[sent_path]
    return Blamed(
        path,
        problem.constraint or _first_sentence(problem.texts) or next(iter(problem.codes), None),
        received,
    )


def segments(path: str) -> list[str]:
    """`#/items/0/qty`, `$.items[0].qty` and `body.items.0.qty` as parts, without the envelope's own."""
    parts = [part for part in _PARTS.split(path.replace("~1", "/")) if part and part != "$"]
    while len(parts) > 1 and parts[0].lower() in PREFIXES:
        parts = parts[1:]
    return parts


def _last(path: str) -> str:
    parts = [part for part in segments(path) if not part.isdigit()]
    return parts[-1] if parts else ""


def _value_at(path: str, arguments: Mapping[str, Any]) -> Any:
    """What was sent under a path: the exact one, else any argument whose name is the path's last part."""
    wanted = [key(part) for part in segments(path)]
    if not wanted:
        return MISSING
    best: tuple[int, Any] = (0, MISSING)
    for at, value in arguments.items():
        have = [key(part) for part in segments(at)]
        if have == wanted:
            return value
        common = 0
        while common < min(len(have), len(wanted)) and have[-1 - common] == wanted[-1 - common]:
            common += 1
        if common > best[0]:
            best = (common, value)
    if best[0] == 0 and len(wanted) > 1 and wanted[-1] in {"value", "key", "text", "id"}:
        return _value_at(".".join(segments(path)[:-1]), arguments)
    return best[1]


def named_in(texts: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """An argument that a text names, else one whose value it repeats, else a name that it calls a parameter."""
    paths = {key(_last(path)): path for path in reversed(list(arguments)) if key(_last(path))}
    spoken: str | None = None
    for text in some(texts, 12):
        short = text[:1_500]
        for pattern in (*_SURE, *_NAMED):
            for match in some(pattern.finditer(short), 3):
                name = match.group(1).strip("'\"`.,:;")
                last = key(_last(name))
                last = last if last in paths else _plural(last, paths)
                if last in paths:
                    return name if "." in name or "/" in name or "[" in name else _kept(name, paths[last])
                if any(key(part) in paths for part in segments(name)):
                    return name
                if pattern in _SURE and key(name):
                    return name
                quoted = short[match.start(1) - 1 : match.start(1)] in {"'", '"', "`", "“", "「", "["}
                if spoken is None and _sounds_like_a_name(name, quoted=quoted or _lacks(short, match)):
                    spoken = name
    mentioned = _mentioned(texts, paths)
    if (
        mentioned
        and arguments.get(mentioned) not in (None, "", [], {})
        and (blank := _blank(texts, arguments))
    ):
        return blank
    if mentioned and spoken and key(spoken).startswith(key(_last(mentioned))):
        return spoken
    return mentioned or valued_in(texts, arguments) or spoken


def _plural(last: str, paths: Mapping[str, str]) -> str:
    """`coordinate` for an argument called `coordinates`, and the other way round."""
    other = last[:-1] if last.endswith("s") else last + "s"
    return other if len(last) > 3 and other in paths else last


def _kept(name: str, path: str) -> str:
    return name if name.startswith("-") else path


_STOP = names(
    """
    the a an is are was this that value values field fields parameter parameters type types error errors
    request format it must be required name and or of for not valid invalid in with argument arguments
    property properties body json string number integer query input data names given provided missing
    unknown you your schema at to
    """
) | {""}


def _lacks(text: str, match: re.Match[str]) -> bool:
    """True for `title is missing`, where the name opens the sentence."""
    return match.start(1) == 0 and bool(
        re.match(
            r" (?:is|are) (?:a )?(?:missing|required|mandatory)|(?: cannot| can't) be (?:blank|empty|null)| ?は必須| ?が必要| ?不能为空| ?为必填| ?必填",
            text[match.end(1) :],
        )
    )


def _sounds_like_a_name(name: str, *, quoted: bool) -> bool:
    """Identifiers have a mark, a capital inside or stood between quotes; plain prose words are no fields."""
    if name.startswith("-"):
        return True
    if key(name) in _STOP or name.isdigit() or not 1 < len(name) <= 60:
        return False
    return quoted or "_" in name or bool(_CAMEL.search(name)) or not name.isascii()


_CAMEL = re.compile(r"[a-z][A-Z]|\w\.\w")


def _mentioned(texts: Iterable[str], paths: Mapping[str, str]) -> str | None:
    found: list[tuple[int, int, str]] = []
    for order, text in enumerate(some(texts, 12)):
        squashed = text[:1_500].lower().replace("message type", "msgtype")
        for name, path in paths.items():
            at = _place(path, name, squashed)
            if at is not None:
                found.append((order, at, path))
    return min(found)[2] if found else None


def _place(path: str, name: str, text: str) -> int | None:
    """Where a text mentions an argument: as it is spelled, or with spaces (`Due Date` for `DueDate`)."""
    last = _last(path)
    if len(last) < 2:
        return None
    spelled = last.lower()
    at = text.find(spelled)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(spelled) : at + len(spelled) + 1]
        if not (before.isalnum() and before.isascii()) and not (
            after.isalnum() and after.isascii() and after != "s"
        ):
            return at
        at = text.find(spelled, at + 1)
    if (
        spelled.endswith("s")
        and len(spelled) > 4
        and (match := re.search(rf"\b{re.escape(spelled[:-1])}\b", text))
    ):
        return match.start()
    spaced = re.sub(r"[_\-]|(?<=[a-z])(?=[A-Z])", " ", last).lower()
    if spaced != spelled and len(name) > 3 and (at := text.find(spaced)) >= 0:
        return at
    return None


def valued_in(texts: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """The argument whose value a text repeats."""
    joined = "\n".join(text[:800] for text in some(texts, 6))
    for path, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            continue
        text = clip(value, 200)
        short = len(text) < 2 or (isinstance(value, int) and abs(value) < 10)
        if text and not short and re.search(rf"(?<![\w.]){re.escape(text)}(?![\w])", joined):
            return path
        if text and short and any(quote + text + quote in joined for quote in ("'", '"', "`")):
            return path
    return None


def given_in(texts: Iterable[str]) -> str | None:
    """The value that a text says it was given."""
    for text in some(texts, 6):
        for pattern in _GIVEN:
            if match := pattern.search(text[:1_000]):
                return match.group(1).strip().strip("\\").strip('"')
    return None


GRAMMAR = (
    "syntax",
    "parse error",
    "parseexception",
    "mismatched input",
    "unexpected token",
    "cannot recognize input",
    "parsing_exception",
    "parsing error",
)


def _statement(sight: Sight, texts: list[str]) -> str | None:
    """The statement, where its own grammar is broken: what stands in quotes is a piece of it."""
    if not any(mark in text[:800].lower() for text in some(texts, 4) for mark in GRAMMAR):
        return None
    names = {key(name): str(name) for name in some(sight.args, 40)}
    return next(
        (
            names[name]
            for name in STATEMENTS
            if name in names and name not in {"code", "command", "filter", "q"}
        ),
        None,
    )


def _by_nature(sight: Sight, texts: list[str]) -> str | None:
    """A statement, selector or address is the one thing that its own parser can refuse."""
    names = {key(name): str(name) for name in some(sight.args, 40)}
    joined = " ".join(texts)[:2_000].lower()
    if "selector" in joined or "xpath" in joined or "locator" in joined:
        return next((names[name] for name in SELECTORS if name in names), None)
    if "url" in joined or "protocol" in joined or "scheme" in joined:
        return next((names[name] for name in ADDRESSES if name in names), None)
    return next((names[name] for name in STATEMENTS if name in names), None)


def _first_sentence(texts: list[str]) -> str | None:
    return clip(texts[0], 200) if texts else None
