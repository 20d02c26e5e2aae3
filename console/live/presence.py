"""Who else looks at the same case: pages tell each other over a group of the case, and each keeps its own list.

Ephemeral on purpose: a page says every twenty seconds that it is still there, and who stops saying so is gone.
"""

import time
from typing import Any, Protocol
from uuid import UUID

from escalations.domain.presence import Roster

Message = dict[str, Any]


class Page(Protocol):
    """One page's socket."""

    channel_layer: Any
    channel_name: str

    async def send_json(self, content: Message) -> None:
        """Tell the browser."""


class Looking:
    """What one page looks at, and who else does."""

    def __init__(self, page: Page, *, person: str, name: str) -> None:
        self._page = page
        self._person, self._name = person, name
        self._case = ""
        self._others = Roster(me=person)

    async def look(self, case_id: object) -> None:
        """Look at a case, or still; at another one, or at none with null. What is no case's id is none."""
        case = _id(case_id)
        if case != self._case:
            await self.leave()
            if not case:
                return
            self._case = case
            await self._page.channel_layer.group_add(_group(case), self._page.channel_name)
            await self._say(asks=True)
            await self._tell()
        elif case:
            await self._say(asks=False)
            await self._tell()

    async def leave(self) -> None:
        """Say that the page is left."""
        if not self._case:
            return
        case, self._case = self._case, ""
        self._others = Roster(me=self._person)
        layer = self._page.channel_layer
        await layer.group_discard(_group(case), self._page.channel_name)
        gone = {"type": "presence.gone", "case": case, "page": self._page.channel_name}
        await layer.group_send(_group(case), gone)

    async def here(self, event: Message) -> None:
        """Hear that another page looks at the case; answer one that has just come."""
        if event["case"] != self._case or event["page"] == self._page.channel_name:
            return
        if event["asks"]:
            await self._page.channel_layer.send(event["page"], self._me(asks=False))
        if self._others.here(event["page"], event["person"], event["name"], now=time.monotonic()):
            await self._tell()

    async def gone(self, event: Message) -> None:
        """Hear that another page was left."""
        if event["case"] == self._case and self._others.gone(event["page"], now=time.monotonic()):
            await self._tell()

    async def _say(self, *, asks: bool) -> None:
        await self._page.channel_layer.group_send(_group(self._case), self._me(asks=asks))

    async def _tell(self) -> None:
        people = list(self._others.people(now=time.monotonic()))
        await self._page.send_json({"type": "presence", "id": self._case, "people": people})

    def _me(self, *, asks: bool) -> Message:
        return {
            "type": "presence.here",
            "case": self._case,
            "page": self._page.channel_name,
            "person": self._person,
            "name": self._name,
            "asks": asks,
        }


def _group(case: str) -> str:
    return f"looking.{case}"


def _id(said: object) -> str:
    try:
        return str(UUID(said)) if isinstance(said, str) else ""
    except ValueError:
        return ""
