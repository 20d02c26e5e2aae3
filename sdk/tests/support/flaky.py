"""A tool that fails before it works."""

from typing import Any

import switchboard as sb


class Flaky:
    """A tool that fails with each of these in turn, then works."""

    def __init__(self, box: sb.Toolbox, *failures: BaseException, **fields: Any) -> None:
        self.failures = list(failures)
        self.calls = 0
        box.tool(**{"effect": "read", "name": "flaky", **fields})(self.run)

    async def run(self) -> str:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return "fine"
