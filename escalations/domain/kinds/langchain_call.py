"""LangChain's human-in-the-loop middleware in its `per_call` mode: one interrupt for each call, one decision for each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from escalations.domain.kinds.langchain_answers import decisions
from escalations.domain.kinds.shapes import Asked, Call, Decision, Family, Request, arguments, text
from escalations.vocabulary import Action

TYPE = "tool_approval"


def is_one_call(request: Request) -> bool:
    """Say whether a request is one call's."""
    return request.get("type") == TYPE


def ask(request: Request) -> Asked:
    """Read `ToolApprovalRequest {type, tool_call_id, name, args, description}` and the interrupt's `response_schema`.

    The schema names the decisions that may be taken, and what edited arguments must look like.
    """
    tool, description = text(request, "name"), text(request, "description", "")
    schema = request.get("response_schema")
    branches = dict(_branches(schema)) if isinstance(schema, Mapping) else {}
    offered = {Action(name) for name in branches if name in set(Action)}
    call = Call(
        id=text(request, "tool_call_id"),
        tool=tool,
        args=arguments(request, "args"),
        args_schema=_args_schema(branches.get("edit", {}), schema),
        description=description,
    )
    title = f"Approve {tool}"
    return Asked(
        title=title,
        goal=description or title,
        calls=(call,),
        allowed=frozenset(offered or Action),
        kind=LANGCHAIN_CALL.name,
    )


def tell(ids: Sequence[str], decision: Decision) -> Any:
    """Write one `Decision`, for the interrupt that asked."""
    (one,) = decisions(ids, decision)
    return one


def _branches(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give each decision of a schema by its type: a union of objects, or a single one."""
    for branch in (
        schema,
        *_objects(schema.get("$defs")),
        *_objects(schema.get("oneOf")),
        *_objects(schema.get("anyOf")),
    ):
        fields = branch.get("properties")
        kind = fields.get("type") if isinstance(fields, Mapping) else None
        if isinstance(kind, Mapping) and isinstance(kind.get("const"), str):
            yield kind["const"], branch


def _objects(value: Any) -> list[Mapping[str, Any]]:
    found = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [each for each in found if isinstance(each, Mapping)]


def _args_schema(edit: Mapping[str, Any], whole: Any) -> dict[str, Any] | None:
    """Give the schema of the arguments from the branch of an edit."""
    action = _resolved(edit.get("properties", {}).get("edited_action"), whole)
    fields = action.get("properties")
    found = _resolved(fields.get("args") if isinstance(fields, Mapping) else None, whole)
    if not found:
        return None
    named = whole.get("$defs")
    return {**found, "$defs": named} if isinstance(named, Mapping) and "$ref" in str(found) else dict(found)


def _resolved(value: Any, whole: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        return {}
    named = str(value.get("$ref", "")).removeprefix("#/$defs/")
    inside = whole.get("$defs") if isinstance(whole, Mapping) else None
    if named and isinstance(inside, Mapping) and isinstance(inside.get(named), Mapping):
        found: Mapping[str, Any] = inside[named]
        return found
    return value


LANGCHAIN_CALL = Family(name="langchain_call", ask=ask, tell=tell)
