"""What answers before Django, and what lives as long as the server."""

from console.kit.asgi import Lifetime, Mount
from escalations.consumers import long_poll, waiting_room, waits

UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
DECISION = rf"/api/v1/escalations/(?P<escalation_id>{UUID})/decision"

http_mounts: list[Mount] = [Mount(DECISION, long_poll, frozenset({"GET"}), when=waits)]
lifetimes: list[Lifetime] = [waiting_room]
