"""Loads the tables of knowledge that lie beside the code as TOML: rows of patterns, types, packs."""

import tomllib
from pathlib import Path
from typing import Any

from telemetry.domain.classification.causes import Cause

HERE = Path(__file__).parent

Row = tuple[Cause, int, tuple[str, ...]]


def table(name: str) -> dict[str, Any]:
    """One file of knowledge, by its path inside this package."""
    with (HERE / name).open("rb") as file:
        return tomllib.load(file)


def rows(name: str) -> list[Row]:
    """The rows of a pattern table: cause, weight, patterns in their order."""
    return [
        (Cause(row["cause"]), row["weight"], tuple(row["patterns"].strip("\n").split("\n")))
        for row in table(name)["rows"]
    ]
