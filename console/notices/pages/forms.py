"""The form of a channel: what was typed, and what it asks for."""

import re
from dataclasses import dataclass, field
from typing import TypeVar

import orjson
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import get_language

from console.kit.refusal import Refused
from console.kit.wire import Inbound
from console.notices.pages import words
from console.notices.queries.shapes import ChannelLine
from console.notices.vocabulary import ChannelKind

T = TypeVar("T", bound=Inbound)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelForm:
    """What stands in the form of a channel; `fault` is why it was not taken, with what was typed still there."""

    kind: ChannelKind
    team: bool
    name: str = ""
    address: str = ""
    language: str = ""
    topics: frozenset[str] = frozenset()
    queues: str = ""
    digest_minutes: int = 0
    version: int = 1
    fault: str = ""
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def kind_name(self) -> object:
        """Give the word for the kind."""
        return words.KINDS[self.kind]

    @property
    def address_label(self) -> object:
        """Give what the address is; nothing where there is none."""
        return words.ADDRESSES.get(self.kind, "")

    @property
    def topic_groups(self) -> object:
        """Give the boxes to tick."""
        return words.topics(self.topics, team=self.team)

    @property
    def digest_choices(self) -> object:
        """Give the paces to choose from."""
        return words.digests(self.digest_minutes)

    @property
    def languages(self) -> list[words.Choice]:
        """Give the languages that a team's messages can be in."""
        return [
            words.Choice(code, name, code == (self.language or "en")) for code, name in settings.LANGUAGES
        ]


def fresh(kind: ChannelKind, *, team: bool) -> ChannelForm:
    """Give the form of a new channel, with the topics ticked that most people want."""
    ticked = words.TEAMS if team else words.MINE
    name = "" if team else str(words.KINDS[kind])
    return ChannelForm(kind=kind, team=team, name=name, topics=frozenset(topic.value for topic in ticked))


def of_line(line: ChannelLine) -> ChannelForm:
    """Give the form of a channel as it stands."""
    return ChannelForm(
        kind=ChannelKind(line.kind),
        team=line.person_id is None,
        name=line.name,
        address=line.address,
        language=line.language,
        topics=frozenset(line.topics),
        queues=", ".join(line.queues),
        digest_minutes=line.digest_minutes,
        version=line.version,
    )


def typed(post: QueryDict, kind: ChannelKind, *, team: bool, refusal: Refused | None = None) -> ChannelForm:
    """Give the form as it was sent, with what was wrong with it."""
    faults = {error.field or "": error.constraint or "" for error in refusal.errors} if refusal else {}
    return ChannelForm(
        kind=kind,
        team=team,
        name=post.get("name", "")[:200],
        address=post.get("address", "")[:1000],
        language=post.get("language", ""),
        topics=frozenset(post.getlist("topics")),
        queues=post.get("queues", "")[:4000],
        digest_minutes=_number(post.get("digest_minutes", "")),
        version=_number(post.get("base_version", "")) or 1,
        fault=refusal.detail if refusal else "",
        faults=faults,
    )


def asked(form: ChannelForm, model: type[T], **more: object) -> T:
    """Read the form as the contract does the body of a request: one set of rules for both.

    A person's own channel speaks the language of the page it was set up on, where their account names none.
    """
    spoken = form.language if form.team else get_language() or ""
    said = {
        "name": form.name.strip(),
        "address": form.address.strip(),
        "language": spoken if spoken in dict(settings.LANGUAGES) else "",
        "topics": sorted(form.topics),
        "queues": [name.strip() for name in re.split(r"[,，\n]", form.queues) if name.strip()],
        "digest_minutes": form.digest_minutes,
    }
    return model.read(orjson.dumps(said | more))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0
