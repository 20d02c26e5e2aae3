"""How a batch ended, as counts, and how many items the call asked for."""

import re
from dataclasses import dataclass, field
from typing import Any

from telemetry.domain.classification.items.vocabulary import COUNT_ARGS
from telemetry.domain.classification.plain import key, some
from telemetry.domain.classification.sight import Sight

MAX_ITEMS = 2_000
_SEPARATOR = re.compile(r"[|,;]")


@dataclass(slots=True)
class Tally:
    """How a batch ended; None where it cannot be counted."""

    ok: int | None = 0
    failed: int | None = 0
    said: list[Any] = field(default_factory=list)
    """What the failed items say."""
    rule: str = ""

    @property
    def mixed(self) -> bool:
        """At least one worked and at least one failed."""
        return self.ok != 0 and self.failed != 0

    @property
    def all_failed(self) -> bool:
        """Nothing worked and something failed."""
        return self.ok == 0 and self.failed != 0

    def count(self, *, failed: bool, said: object = None) -> None:
        """One more item."""
        if failed:
            self.failed = (self.failed or 0) + 1
            self.said.append(said)
        else:
            self.ok = (self.ok or 0) + 1


def asked_for(sight: Sight) -> int | None:
    """How many items the call asked for: the longest list of the arguments, or a count in their place."""
    lists = [len(value) for value in some(sight.args.values(), 40) if isinstance(value, list | tuple)]
    if lists:
        return max(lists)
    counts = [
        value for name, value in some(sight.args.items(), 40) if key(name) in COUNT_ARGS and _is_count(value)
    ]
    return max(counts, default=None)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 100_000


def size(value: object) -> int | None:
    """The members of a list, or of a text that is one (`lisi|wangwu`)."""
    if isinstance(value, dict | list):
        return len(value)
    if isinstance(value, str):
        return len([part for part in _SEPARATOR.split(value[:2_000]) if part.strip()])
    return None
