"""What the kit needs of a console: somewhere to report to, and people to ask."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from switchboard.runtime import Runtime


class Console(Protocol):
    """A `switchboard.Client`, or anything shaped like it. `aio` has the same verbs for coroutines."""

    @property
    def aio(self) -> Any:
        """The same verbs, for coroutines."""
        ...

    def report(self, call: Any, /) -> object:
        """Take a finished call; neither block nor raise."""
        ...

    @property
    def escalate(self) -> Callable[..., Any]:
        """Open a case."""
        ...

    @property
    def case(self) -> Callable[..., Any]:
        """Find a case by its key or id."""
        ...


async def ask(whom: Any, verb: str, /, *args: Any, **kwargs: Any) -> Any:
    """Call a verb of a client or a case and wait for it, in the loop or blocking."""
    value = getattr(whom, verb)(*args, **kwargs)
    return await value if inspect.isawaitable(value) else value


def side(runtime: Runtime, client: Console) -> Any:
    """The half of a client that this kind of waiting uses."""
    return client.aio if runtime.is_async else client


def without_none(seen: Mapping[str, Any]) -> dict[str, Any]:
    """The same mapping without what was left out."""
    return {name: value for name, value in seen.items() if value is not None}
