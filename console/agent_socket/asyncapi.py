"""The sockets as AsyncAPI 3: what is said on each, by whom; the payloads are the contract's own schemas."""

from typing import Any

from pydantic import BaseModel

from escalations import contract
from telemetry import contract as facts

HEARD: dict[str, type[BaseModel]] = {  # from the agent
    "subscribe": contract.Subscribe,
    "ack": contract.Ack,
    "breaker_ack": facts.AcknowledgeCommand,
}
TOLD: dict[str, type[BaseModel]] = {  # from the console
    "hello": contract.Hello,
    "decision": contract.Decided,
    "refusal": contract.Refusal,
    "breaker_command": facts.BreakerCommand,
}
HINT = {
    "type": "object",
    "description": "Something moved: look again. A hint may be lost; it never carries the thing itself.",
    "properties": {
        "type": {"const": "hint"},
        "topic": {"enum": ["cases", "groups", "policies", "telemetry", "breakers"]},
        "id": {"type": "string"},
        "revision": {"type": "integer"},
    },
    "required": ["type", "topic", "id", "revision"],
}
LOOK = {
    "type": "object",
    "description": "The page shows this case, or none; said again every 20 seconds.",
    "properties": {"type": {"const": "look"}, "id": {"type": ["string", "null"], "format": "uuid"}},
    "required": ["type", "id"],
}
PRESENCE = {
    "type": "object",
    "description": "Who else shows the same case just now, by name.",
    "properties": {
        "type": {"const": "presence"},
        "id": {"type": "string", "format": "uuid"},
        "people": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["type", "id", "people"],
}
PAGES = ("hint", "look", "presence")
ABOUT_AGENTS = """\
One socket for an agent process. Show the agent's key in the `Authorization: Bearer sb_…` header, or, where a client
cannot set headers, offer the subprotocols `switchboard.agent.v1` and `bearer.<key>`. A key in the address is refused.
Subscribe with the ids of the cases this process waits for: everything unacknowledged of them comes at once, in `seq`
order, and again after every new connection, until it is acknowledged here or by `POST …/ack`.
"""


def document() -> dict[str, Any]:
    """Give the whole document."""
    schemas: dict[str, Any] = {"hint": HINT, "look": LOOK, "presence": PRESENCE}
    messages = {name: _message(name, model, schemas) for name, model in {**HEARD, **TOLD}.items()}
    for name in PAGES:
        messages[name] = {"name": name, "payload": {"$ref": f"#/components/schemas/{name}"}}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Switchboard's sockets", "version": "1"},
        "defaultContentType": "application/json",
        "channels": {
            "agent": _channel("/ws/agent/v1", ABOUT_AGENTS, [*HEARD, *TOLD]),
            "hints": _channel("/ws/hints", "Hints for a signed-in person's pages.", list(PAGES)),
        },
        "operations": {
            "hear": _operation("receive", "agent", list(HEARD)),
            "tell": _operation("send", "agent", list(TOLD)),
            "hint": _operation("send", "hints", ["hint", "presence"]),
            "look": _operation("receive", "hints", ["look"]),
        },
        "components": {
            "messages": messages,
            "schemas": schemas,
            "securitySchemes": {
                "agentKey": {"type": "http", "scheme": "bearer"},
                "session": {"type": "httpApiKey", "in": "cookie", "name": "sessionid"},
            },
        },
    }


def _message(name: str, model: type[BaseModel], schemas: dict[str, Any]) -> dict[str, Any]:
    shape = model.model_json_schema(
        mode="validation" if name in HEARD else "serialization", ref_template="#/components/schemas/{model}"
    )
    schemas.update(shape.pop("$defs", {}))
    if "type" not in shape["properties"]:
        shape["properties"] = {"type": {"const": name}, **shape["properties"]}
        shape["required"] = ["type", *shape.get("required", [])]
    schemas[name] = shape
    return {"name": name, "payload": {"$ref": f"#/components/schemas/{name}"}}


def _channel(address: str, about: str, names: list[str]) -> dict[str, Any]:
    refs = {name: {"$ref": f"#/components/messages/{name}"} for name in names}
    return {"address": address, "description": about, "messages": refs}


def _operation(action: str, channel: str, names: list[str]) -> dict[str, Any]:
    security = "agentKey" if channel == "agent" else "session"
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in names],
        "security": [{"$ref": f"#/components/securitySchemes/{security}"}],
    }
