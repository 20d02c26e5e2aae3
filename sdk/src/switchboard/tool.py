"""What a tool is: a function, what it does to the world, and how it recovers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from switchboard._canonical import digest
from switchboard.arguments import Signature
from switchboard.policy import Policy
from switchboard.vocabulary import Effect

Empty = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Context:
    """What the kit gives a tool that asks for it by annotation. No model can see or set any of it."""

    call_id: str
    idempotency_key: str
    attempt: int
    timeout_s: float
    trace_id: str
    session_id: str | None = None

    def key_for(self, item: str) -> str:
        """The idempotency key of one item of a batch: the same when only that item is sent again."""
        return digest([self.idempotency_key, item])


@dataclass(frozen=True, slots=True)
class Undo:
    """How one call leads to another: the tool, and its arguments.

    `args` maps names to values; `"$result.id"` and `"$args.flight"` are looked up in the first call. Without `args`
    each parameter of the tool is looked up by its name, in the result first, then in the arguments.
    """

    tool: str
    args: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool, complete. `resource` names what it reads or changes, so that a repeated read can be told from a new one."""

    name: str
    function: Callable[..., Any]
    effect: Effect
    version: str
    policy: Policy
    dependency: str
    signature: Signature
    is_async: bool
    description: str = ""
    result: TypeAdapter[Any] | None = None
    summary: Callable[[Any], str] | None = None
    fallbacks: tuple[Any, ...] = ()
    compensate: Undo | None = None
    reconcile: Undo | None = None
    critical: frozenset[str] = frozenset()
    unfingerprinted: frozenset[str] = frozenset()
    redact_result: frozenset[str] = frozenset()
    repair: bool = False
    repeatable: bool = False
    optional: str | None = None
    empty: Empty | bool = True
    resource: str | None = None
    point_of_no_return: bool = False
    payment: bool = False
    max_calls: int | None = None
    max_age_s: float = 30.0
    batch: str | None = None
    batch_key: Callable[[Any], str] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def may_be_sent_again(self) -> bool:
        """Whether a call whose result is unknown may be repeated with the same key."""
        return self.effect is not Effect.WRITE or self.policy.honours_key

    @property
    def repairable(self) -> bool:
        """Whether rules may touch its arguments."""
        return self.effect is not Effect.WRITE or self.repair

    def narrow(self, args: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any] | None:
        """The same batch with only the items of these keys; None when the items cannot be told apart."""
        whole = args.get(self.batch) if self.batch else None
        if self.batch is None or not isinstance(whole, list):
            return None
        chosen = [item for item in whole if self.key_of_item(item) in keys]
        return {**args, self.batch: chosen} if len(chosen) == len(keys) else None

    def key_of_item(self, item: Any) -> str:
        """The key of one item of the batch: what `batch_key` says, its `key` or `id`, or itself."""
        if self.batch_key is not None:
            return self.batch_key(item)
        if isinstance(item, Mapping):
            return str(item.get("key", item.get("id")))
        return str(item)

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments, as a model is given it."""
        return self.signature.schema

    def is_empty(self, data: Any) -> bool:
        """A read that worked and gave nothing useful. A write that returns nothing has simply been done."""
        if self.empty is False or self.effect is not Effect.READ:
            return False
        if callable(self.empty):
            return bool(self.empty(data))
        if data is None or (isinstance(data, str | list) and not data):
            return True
        return isinstance(data, dict) and (not data or _holds_only_an_empty_list(data))


_LISTS = ("results", "items", "data", "hits", "rows", "matches", "records")


def _holds_only_an_empty_list(data: Mapping[str, Any]) -> bool:
    lists = [value for value in data.values() if isinstance(value, list)]
    return len(lists) == 1 and lists[0] == [] and any(data.get(name) == [] for name in _LISTS)


def next_args(
    link: Undo, parameters: Sequence[str], *, args: Mapping[str, Any], result: Any
) -> dict[str, Any]:
    """The arguments of the tool that undoes or checks a call, from that call's own arguments and result.

    A value that cannot be found is left out: validation then says which one is missing.
    """
    known = {"args": args, "result": result if isinstance(result, Mapping) else {}}
    if link.args is None:
        found = {name: known["result"].get(name, args.get(name)) for name in parameters}
        return {name: value for name, value in found.items() if value is not None}
    filled = {name: _filled(value, known) for name, value in link.args.items()}
    return {name: value for name, value in filled.items() if value is not None}


def _filled(value: Any, known: Mapping[str, Any]) -> Any:
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    at: Any = known
    for part in value[1:].split("."):
        at = at.get(part) if isinstance(at, Mapping) else None
    return at
