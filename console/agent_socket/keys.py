"""Where a socket shows its key: in a header, never in the address, which every proxy writes down."""

from console.kit.asgi import Scope

PROTOCOL = "switchboard.agent.v1"
BEARER = "bearer."


def key_shown(scope: Scope) -> str:
    """Give the key of `Authorization: Bearer …`, or of the subprotocol `bearer.<key>` for clients without headers.

    A client that uses the subprotocol offers `switchboard.agent.v1` as well, which is the one that is answered.
    """
    for name, value in scope["headers"]:
        if name == b"authorization":
            kind, _, key = value.decode("latin-1").partition(" ")
            return key.strip() if kind.lower() == "bearer" else ""
    offered = [each for each in scope.get("subprotocols", ()) if each.startswith(BEARER)]
    return offered[0].removeprefix(BEARER) if offered else ""
