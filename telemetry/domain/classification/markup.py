"""XML and HTML as far as failures need them: a bounded tag reader, no entities, no network."""

import re
from typing import Any

MARKUP_LIMIT = 30_000
MAX_TAGS = 1_500
MAX_DEPTH = 30
_TAG = re.compile(r"<(/?)([A-Za-z_][\w:.-]{0,80})(?=[\s/>])([^<>]{0,2000})>")
_ATTRIBUTE = re.compile(r"([\w:.-]{1,60})\s*=\s*[\"']([^\"'<>]{0,300})[\"']")
_HEADING = re.compile(
    r"<(title|h1|h2|h3|p|pre|b|strong|li|div|span|center|code)\b[^<>]{0,300}>([^<]{1,500})", re.IGNORECASE
)
_ANY_TAG = re.compile(r"<[^<>]{1,2000}>")
_UNSEEN = re.compile(r"<(script|style|head|title)\b.{0,4000}?</\1>", re.IGNORECASE | re.DOTALL)
SHORT_PAGE = 2_500
"""A page so short is read whole: it says nothing but what went wrong."""
_ENTITIES = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&apos;": "'",
    "&nbsp;": " ",
    "&middot;": "·",
    "&amp;": "&",
}


def is_html(text: str) -> bool:
    """True for a web page, whatever its content type says."""
    head = text[:400].lstrip().lower()
    return (
        head.startswith(("<!doctype html", "<html", "<head", "<body", "<center", "<h1", "<br", "<b>"))
        or "<html" in head
    )


def is_xml(text: str) -> bool:
    """True for a document of tags that is no web page."""
    head = text[:200].lstrip()
    return (
        head.startswith("<")
        and len(head) > 2
        and (head[1] in "?!" or head[1].isalpha())
        and not is_html(text)
    )


def unescaped(text: str) -> str:
    """The few entities that error pages use."""
    for entity, plain in _ENTITIES.items():
        text = text.replace(entity, plain)
    return text


def html_text(text: str) -> str:
    """Title, headings and short paragraphs of a page: where error pages say what happened."""
    parts = [unescaped(match.group(2)).strip() for match in _HEADING.finditer(text[:MARKUP_LIMIT])]
    seen = dict.fromkeys(part for part in parts if part)
    if len(text) < SHORT_PAGE:
        plain = unescaped(_ANY_TAG.sub(" ", _UNSEEN.sub(" ", text)))
        seen[" ".join(plain.split())] = None
    return ". ".join(seen)[:3_000]


def xml_value(text: str) -> dict[str, Any] | None:
    """An XML document as nested objects: repeated tags become lists, attributes become keys, text becomes values."""
    text = _without_cdata(text[:MARKUP_LIMIT])
    root: dict[str, Any] = {}
    stack: list[tuple[str, dict[str, Any]]] = [("", root)]
    position = 0
    for count, tag in enumerate(_TAG.finditer(text)):
        if count >= MAX_TAGS:
            break
        closing, name, rest = tag.groups()
        between = text[position : tag.start()].strip()
        position = tag.end()
        if between and len(stack) > 1:
            stack[-1][1]["#text"] = unescaped(between)
        name = name.rsplit(":", 1)[-1]
        if not closing:
            _opened(stack, name, rest)
        elif len(stack) > 1 and stack[-1][0] == name:
            _closed(stack)
    while len(stack) > 1:
        _closed(stack)
    return root or None


def _opened(stack: list[tuple[str, dict[str, Any]]], name: str, rest: str) -> None:
    attributes = {
        found.group(1).rsplit(":", 1)[-1]: unescaped(found.group(2))
        for found in _ATTRIBUTE.finditer(rest[:300])
        if not found.group(1).startswith("xmlns")
    }
    node: dict[str, Any] = dict(attributes)
    if rest.endswith("/"):
        _add(stack[-1][1], name, node or "")
    elif len(stack) < MAX_DEPTH:
        stack.append((name, node))


def _closed(stack: list[tuple[str, dict[str, Any]]]) -> None:
    name, node = stack.pop()
    only_text = set(node) <= {"#text"}
    _add(stack[-1][1], name, node.get("#text", "") if only_text else node)


def _add(parent: dict[str, Any], name: str, value: Any) -> None:
    if name not in parent:
        parent[name] = value
    elif isinstance(parent[name], list):
        parent[name].append(value)
    else:
        parent[name] = [parent[name], value]


def _without_cdata(text: str) -> str:
    head, *chunks = text.split("<![CDATA[")
    plain = [head]
    for chunk in chunks:
        literal, _, rest = chunk.partition("]]>")
        plain += [literal.replace("<", "&lt;").replace(">", "&gt;"), rest]
    return "".join(plain)
