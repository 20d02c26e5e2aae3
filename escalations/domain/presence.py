"""Who else looks at a case: kept by each open page for itself, from what the others say, for as long as they say it.

Nobody's decision depends on it and no row holds it; a claim is what says whose a case is.
"""

from dataclasses import dataclass, field

LAPSES_S = 45.0  # pages say that they are still there every 20 seconds
MOST = 30


@dataclass(slots=True)
class Roster:
    """The other pages of one case: page → (person, name, when it last said so). Seconds are any clock that only grows."""

    me: str
    pages: dict[str, tuple[str, str, float]] = field(default_factory=dict)

    def here(self, page: str, person: str, name: str, *, now: float) -> bool:
        """Note a page; say whether the people shown have changed. Beyond a bound nobody new is noted."""
        before = self.people(now=now)
        self._forget(now)
        if page in self.pages or len(self.pages) < MOST:
            self.pages[page] = (person, name[:160], now)
        return self.people(now=now) != before

    def gone(self, page: str, *, now: float) -> bool:
        """Forget a page that was left; say whether the people shown have changed."""
        before = self.people(now=now)
        self.pages.pop(page, None)
        return self.people(now=now) != before

    def people(self, *, now: float) -> tuple[str, ...]:
        """Give the others by name, each once, without the person whose page this is."""
        live = (page for page in self.pages.values() if now - page[2] < LAPSES_S)
        return tuple(sorted({name for person, name, _ in live if person != self.me}))

    def _forget(self, now: float) -> None:
        self.pages = {page: seen for page, seen in self.pages.items() if now - seen[2] < LAPSES_S}
