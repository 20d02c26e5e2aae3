"""What one object of an error body says, by the role of its members."""

import re
from dataclasses import dataclass, field
from typing import Any

from telemetry.domain.classification.identifiers import is_identifier
from telemetry.domain.classification.plain import MISSING, clip, integer, key, names, some
from telemetry.domain.classification.roles import CODES, CONSTRAINTS, ECHOES, FIELDS, TEXTS, VALUES

_CODED = re.compile(
    r"([A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}|[A-Z][a-z]{1,20}(?:[A-Z][a-z]{1,20}){1,6}) ?:"
)
"""A code that opens a sentence: `TOO_MANY_ATTEMPTS_TRY_LATER : Access …`."""
NAMING = ("field", "param", "parameter", "fieldname", "paramname", "parametername", "argument")
"""Ends of keys that name a field."""
SPEAKING = (
    *("message", "messages", "msg", "text", "response", "desc", "description", "reason"),
    *("code", "errortype", "detail", "details"),
)
"""Ends of keys that hold a sentence or a code."""
PLACES = names("body query path payload header headers params querystring business client server cookie form")
"""Where a field stands, which some bodies write where others write the field."""


TRACES = names("debug trace stack stacktrace traceback")


def _end_of_trace(value: str) -> str:
    """The line of a stack trace that says what was raised: Python's last, everybody else's first."""
    if "\n" not in value.strip():
        return value
    lines = [line.strip() for line in value[-4_000:].splitlines() if line.strip()]
    return (lines[-1] if "Traceback" in value[:200] else value.strip().splitlines()[0].strip())[:600]


@dataclass(slots=True)
class Problem:
    """What one object of an error body says."""

    codes: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    """Numbers between 400 and 599 that stand where a status stands, without the minus that some write before them."""
    field_path: str | None = None
    constraint: str | None = None
    received: Any = MISSING
    depth: int = 0
    named: bool = False
    """True where the body has a key for the field, False where the field is the key the error stands under."""

    def __bool__(self) -> bool:
        return bool(self.codes or self.texts or self.statuses)

    def code(self, value: object) -> None:
        """Keep an identifier or number, and its use as a status."""
        text = clip(value, 200).strip()
        if text and text not in self.codes:
            self.codes.append(text)
        status = integer(text)
        if status is not None and 400 <= abs(status) <= 599:
            self.statuses.append(abs(status))

    def text(self, value: str) -> None:
        """Keep a sentence once."""
        if value and value not in self.texts:
            self.texts.append(value)

    def say(self, value: str) -> None:
        """Keep a text as what it is: an identifier, a sentence, or a few words that may be either."""
        text = clip(value, 2_000).strip()
        if not is_identifier(text):
            self.text(text)
            if coded := _CODED.match(text):
                self.code(coded.group(1))
            return
        self.code(text)
        if " " in text:
            self.text(text)

    def leaf(self, role: str, value: object) -> None:
        """Keep a single value by the role of its key."""
        if self.field_path is None and _names_field(role, value):
            name, _, said = str(value).partition(": ")
            self.field_path = name
            self.text(said)
        if role in VALUES:
            self.received = value
        if role == "id" and isinstance(value, str) and _is_code(value):
            self.code(value)
        if value is None or isinstance(value, bool) or role in ECHOES:
            return
        if role in CONSTRAINTS and isinstance(value, str | int | float):
            self.constraint = clip(value, 300)
        if isinstance(value, str) and role in TRACES:
            self.say(_end_of_trace(value))
        elif isinstance(value, str) and (role in TEXTS or role in CODES or role.endswith(SPEAKING)):
            self.say(value)
        elif role in CODES or role.endswith("code"):
            self.code(value)

    def parts(self, role: str, value: Any) -> bool:
        """Read an object or list by its role; True where it is to be walked as well."""
        if (role in FIELDS or role.endswith(NAMING)) and (path := _path(value)):
            self.field_path = path
            return False
        if role in VALUES:
            self.received = value
            return False
        if role == "constraints" and isinstance(value, dict):
            for said in some(value.values(), 8):
                if isinstance(said, str):
                    self.say(said)
            return False
        if role in CODES and isinstance(value, list | tuple):
            for item in some(value, 5):
                if isinstance(item, str):
                    self.code(item)
        return role not in ECHOES


def _is_code(value: str) -> bool:
    """True for the name of an error where others have the number of a request: `"id": "too_many_requests"`."""
    words = value.replace("_", "")
    return len(words) < len(value) <= 60 and words.isalpha() and (value.islower() or value.isupper())


def _names_field(role: str, value: object) -> bool:
    named = role in FIELDS or role.endswith(NAMING)
    return named and isinstance(value, str) and 0 < len(value) <= 200 and key(value) not in PLACES


def _path(value: object) -> str | None:
    """`["body", "items", 0, "qty"]` → `body.items.0.qty`; objects such as JSON:API's `source` → their pointer."""
    if isinstance(value, dict):
        inner = [value.get(name) for name in ("pointer", "parameter", "header", "field", "path", "attribute")]
        return next((one for one in inner if isinstance(one, str) and one), None)
    if isinstance(value, list | tuple) and value:
        parts = some(value, 12)
        named = [str(part.get("fieldName") or "") for part in parts if isinstance(part, dict)]
        if named and all(named):
            return ".".join(named)
        if all(isinstance(part, str | int) and not isinstance(part, bool) for part in parts):
            return ".".join(clip(part, 80) for part in parts)
    return None
