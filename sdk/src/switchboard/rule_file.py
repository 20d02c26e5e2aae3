"""Rules from a TOML file, so that a team changes its thresholds without changing code."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from switchboard._errors import Misconfigured
from switchboard.phrases import moment, plain_date
from switchboard.policy import Backoff
from switchboard.rules import DEFAULT_RULES, Action, Parser, Repair, Rule, Rules, When
from switchboard.vocabulary import Effect, FailureClass

PARSERS: Mapping[str, Parser] = {"date": plain_date, "moment": moment}
_HUNDRED = 100


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class _When(_Closed):
    status: list[int | str] = Field(default_factory=list)
    classes: list[FailureClass] = Field(default_factory=list, alias="class")
    codes: list[str] = Field(default_factory=list, alias="code")
    fields: list[str] = Field(default_factory=list, alias="field")
    tools: list[str] = Field(default_factory=list, alias="tool")
    dependencies: list[str] = Field(default_factory=list, alias="dependency")
    effects: list[Effect] = Field(default_factory=list, alias="effect")


class _Rule(_Closed):
    id: str
    when: _When = Field(default_factory=_When)
    do: list[Action]
    attempts: int | None = Field(default=None, ge=1)
    backoff: Backoff | None = None
    base_s: float | None = Field(default=None, ge=0)
    cap_s: float | None = Field(default=None, ge=0)


class _Repair(_Closed):
    id: str
    field: str
    tools: list[str] = Field(default_factory=list)
    values: dict[str, Any] | None = None
    parser: str | None = None


class _File(_Closed):
    defaults: bool = True
    refuse: list[str] = Field(default_factory=list)
    rule: list[_Rule] = Field(default_factory=list)
    repair: list[_Repair] = Field(default_factory=list)


def load_rules(source: str | Path, *, parsers: Mapping[str, Parser] | None = None) -> Rules:
    """Read a rule table: a path, or TOML text.

    The file's rules come before the default ones (`defaults = false` leaves those out), `refuse` lists ids that are
    switched off, and a repair names its parser: `date`, `moment`, or one of `parsers`. Raises Misconfigured with
    every line that is wrong.
    """
    text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
    try:
        read = _File.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as exc:
        raise Misconfigured(f"The rules are not TOML: {exc}") from exc
    except ValidationError as exc:
        wrong = "; ".join(
            f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in exc.errors(include_url=False)
        )
        raise Misconfigured(f"The rules cannot be used: {wrong}") from exc
    known = {**PARSERS, **(parsers or {})}
    rules = tuple(_rule(each) for each in read.rule)
    return Rules(
        rules=rules + (DEFAULT_RULES if read.defaults else ()),
        repairs=tuple(_repair(each, known) for each in read.repair),
        refused=frozenset(read.refuse),
    )


def _rule(row: _Rule) -> Rule:
    when = When(
        status=tuple(_status(each) for each in row.when.status),
        classes=frozenset(row.when.classes),
        codes=frozenset(row.when.codes),
        fields=frozenset(row.when.fields),
        tools=frozenset(row.when.tools),
        dependencies=frozenset(row.when.dependencies),
        effects=frozenset(row.when.effects),
    )
    return Rule(row.id, when, tuple(row.do), row.attempts, row.backoff, row.base_s, row.cap_s)


def _status(given: int | str) -> range:
    if isinstance(given, int):
        return range(given, given + 1)
    if len(given) == 3 and given[0].isdigit() and given[1:] == "xx":
        first = int(given[0]) * _HUNDRED
        return range(first, first + _HUNDRED)
    raise Misconfigured(f"A status is a number or a group such as 5xx, not {given!r}.")


def _repair(row: _Repair, parsers: Mapping[str, Parser]) -> Repair:
    if (row.values is None) == (row.parser is None):
        raise Misconfigured(f"Repair {row.id!r} needs values or a parser, one of them.")
    if row.parser is not None and row.parser not in parsers:
        raise Misconfigured(
            f"Repair {row.id!r} names the parser {row.parser!r}; known: {', '.join(sorted(parsers))}."
        )
    return Repair(
        row.id,
        row.field,
        frozenset(row.tools),
        row.values,
        parsers[row.parser] if row.parser is not None else None,
    )
