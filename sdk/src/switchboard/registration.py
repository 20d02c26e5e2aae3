"""From a function and what its author says of it to a tool."""

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from pydantic import TypeAdapter

from switchboard.arguments import Signature
from switchboard.fallback import Fallback
from switchboard.policy import Policy
from switchboard.tool import Context, Empty, Tool, Undo
from switchboard.vocabulary import Effect


class ToolFields(TypedDict, total=False):
    """What a tool can say of itself; docs/recovery.md has a sentence for each."""

    effect: Effect | str
    name: str
    description: str
    signature: Signature
    version: str
    policy: str | Policy
    dependency: str
    result: Any
    summary: Callable[[Any], str]
    fallbacks: Sequence[Fallback]
    compensate: str | Undo
    reconcile: str | Undo
    critical: str | Sequence[str]
    unfingerprinted: str | Sequence[str]
    redact: str | Sequence[str]
    redact_result: str | Sequence[str]
    repair: bool
    repeatable: bool
    optional: str
    empty: Empty | bool
    resource: str
    point_of_no_return: bool
    payment: bool
    max_calls: int
    max_age_s: float
    batch: str | None
    batch_key: Callable[[Any], str]
    metadata: Mapping[str, Any]
    uses: Sequence[Any]


_AS_NAMES = ("critical", "unfingerprinted", "redact_result")
_AS_LINKS = ("compensate", "reconcile")


def make_tool(function: Callable[..., Any], said: ToolFields, policies: Mapping[str, Policy]) -> Tool:
    """Read the signature once and put the words in their places. Raises KeyError for a policy nobody has named."""
    fields: dict[str, Any] = dict(said)
    _warn_of_second_layers(fields.pop("uses", ()))
    policy = fields.pop("policy", "default")
    name = fields.pop("name", None) or function.__name__
    result = fields.pop("result", None)
    redact = _names(fields.pop("redact", ()))
    for word in _AS_NAMES:
        fields[word] = _names(fields.get(word, ()))
    for word in _AS_LINKS:
        link = fields.get(word)
        fields[word] = Undo(link) if isinstance(link, str) else link
    return Tool(
        name=name,
        function=function,
        effect=Effect(fields.pop("effect", Effect.WRITE)),
        version=fields.pop("version", "1"),
        policy=policies[policy] if isinstance(policy, str) else policy,
        dependency=fields.pop("dependency", None) or name,
        signature=fields.pop("signature", None) or Signature(function, context=Context, redact=redact),
        is_async=inspect.iscoroutinefunction(inspect.unwrap(function)),
        description=fields.pop("description", None) or inspect.getdoc(function) or "",
        result=result if result is None or isinstance(result, TypeAdapter) else TypeAdapter(result),
        fallbacks=tuple(fields.pop("fallbacks", ())),
        **fields,
    )


def _names(given: str | Sequence[str]) -> frozenset[str]:
    return frozenset([given] if isinstance(given, str) else given)


def _warn_of_second_layers(clients: Sequence[Any]) -> None:
    """One layer retries: four attempts here times three there are twelve requests."""
    for client in clients:
        retries = getattr(client, "max_retries", 0)
        if isinstance(retries, int) and retries > 0:
            warnings.warn(
                f"{type(client).__name__} retries {retries} times by itself; set max_retries=0, the toolbox retries.",
                stacklevel=4,
            )
