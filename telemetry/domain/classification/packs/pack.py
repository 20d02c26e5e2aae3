"""The shape of a knowledge pack: a small table from one vendor's codes to causes, with its source."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from telemetry.domain.classification.causes import Cause

CERTAIN = 95


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """What one vendor's codes mean; one TOML file each.

    `source` names the vendor's documentation. `marks` are words of tool names, hosts, modules or headers that tell
    the vendor. `codes` maps a cause to codes separated by white space, compared without case; a trailing `*` stands
    for any rest. `everywhere` says that the codes are distinctive enough to be read without a mark. `texts` maps a
    cause to patterns over lower-case text, one a line, and is read only with a mark. `fine` are codes that mean
    success in a body. `weight` is below 95 where other evidence may know better.
    """

    name: str
    source: str
    marks: tuple[str, ...]
    codes: Mapping[Cause, str]
    texts: Mapping[Cause, str]
    fine: frozenset[str]
    everywhere: bool
    weight: int

    @classmethod
    def of(cls, name: str, table: Mapping[str, Any]) -> Self:
        """The pack that a TOML table describes; KeyError or ValueError where it does not."""
        return cls(
            name=name,
            source=table["source"],
            marks=tuple(table.get("marks", ())),
            codes={Cause(cause): codes for cause, codes in table.get("codes", {}).items()},
            texts={
                Cause(cause): "|".join(f"(?:{line})" for line in lines.strip("\n").split("\n"))
                for cause, lines in table.get("texts", {}).items()
            },
            fine=frozenset(table.get("fine", "").lower().split()),
            everywhere=table.get("everywhere", False),
            weight=table.get("weight", CERTAIN),
        )

    def entries(self) -> Iterator[tuple[str, Cause]]:
        """Every code with its cause."""
        for cause, codes in self.codes.items():
            for code in codes.split():
                yield code.lower(), cause
