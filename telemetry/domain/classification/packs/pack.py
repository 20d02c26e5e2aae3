"""The shape of a knowledge pack: a small table from one vendor's codes to causes, with its source."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from telemetry.domain.classification.causes import Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """What one vendor's codes mean.

    `marks` are words of tool names, hosts, modules or headers that tell the vendor. `codes` maps a cause to codes
    separated by white space, compared without case; a trailing `*` stands for any rest. `everywhere` says that the
    codes are distinctive enough to be read without a mark. `texts` maps a cause to patterns over lower-case text, and
    is read only with a mark. `fine` are codes that mean success in a body.
    """

    name: str
    source: str
    marks: tuple[str, ...] = ()
    codes: Mapping[Cause, str] = field(default_factory=dict)
    texts: Mapping[Cause, str] = field(default_factory=dict)
    fine: str = ""
    everywhere: bool = False
    weight: int = 95

    def entries(self) -> Iterator[tuple[str, Cause]]:
        """Every code with its cause."""
        for cause, codes in self.codes.items():
            for code in codes.split():
                yield code.lower(), cause
