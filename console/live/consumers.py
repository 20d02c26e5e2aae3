"""Who may listen, and passing hints through. A hint says "look again"; nothing is decided by socket."""

from time import monotonic
from typing import Any

from channels.generic.websocket import AsyncJsonWebsocketConsumer

from console.live.presence import Looking
from console.notices.announce import TEAMS, person_group

GROUPS = ("people.cases", "people.telemetry", "people.breakers", TEAMS)
SIGNED_OUT = 4401
MOST_LOOKS = 20  # of one socket in a second; each is told to every page at the case


class Hints(AsyncJsonWebsocketConsumer):
    """One browser page. Being signed in is the permission, asked once, when it connects."""

    groups_joined: tuple[str, ...] = ()
    looking: Looking | None = None
    looks_since, looks = 0.0, 0

    async def connect(self) -> None:
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            # Accept first: a browser is told a close code only of a socket that was open.
            await self.accept()
            await self.close(code=SIGNED_OUT)
            return
        self.groups_joined = (*GROUPS, person_group(user.pk))
        for group in self.groups_joined:
            await self.channel_layer.group_add(group, self.channel_name)
        self.looking = Looking(self, person=str(user.pk), name=str(user))
        await self.accept()

    async def disconnect(self, code: int) -> None:  # noqa: ARG002  # Channels' signature
        if self.looking is not None:
            await self.looking.leave()
        for group in self.groups_joined:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(
        self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any
    ) -> None:
        """Take text; pages send nothing else."""
        if text_data and bytes_data is None:
            await super().receive(text_data=text_data, **kwargs)

    async def receive_json(self, content: Any, **kwargs: Any) -> None:  # noqa: ARG002  # Channels' signature
        """Answer a ping, so that the browser notices a dead line; hear which case the page shows."""
        said = content.get("type") if isinstance(content, dict) else None
        if said == "ping":
            await self.send_json({"type": "pong"})
        elif said == "look" and self.looking is not None and self._may_look():
            await self.looking.look(content.get("id"))

    def _may_look(self) -> bool:
        """Count the looks of this second; what is more than a person can do is dropped."""
        now = monotonic()
        if now - self.looks_since >= 1:
            self.looks_since, self.looks = now, 0
        self.looks += 1
        return self.looks <= MOST_LOOKS

    @classmethod
    async def decode_json(cls, text_data: str) -> Any:
        """Take whatever a browser sends; what is not JSON is nothing."""
        try:
            return await super().decode_json(text_data)
        except (ValueError, RecursionError):
            return None

    async def presence_here(self, event: dict[str, Any]) -> None:
        """Hear that another page looks at the same case."""
        if self.looking is not None:
            await self.looking.here(event)

    async def presence_gone(self, event: dict[str, Any]) -> None:
        """Hear that another page was left."""
        if self.looking is not None:
            await self.looking.gone(event)

    async def signed_out(self, event: dict[str, Any]) -> None:  # noqa: ARG002  # Channels' signature
        """End what an open page hears: its person may no longer come in."""
        await self.close(code=SIGNED_OUT)

    async def hint(self, event: dict[str, Any]) -> None:
        """Pass one hint on: topic, id, revision."""
        await self.send_json(
            {name: value for name, value in event.items() if name != "type"} | {"type": "hint"}
        )
