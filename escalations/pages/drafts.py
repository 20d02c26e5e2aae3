"""What a person has typed about a case, kept as typed: a form is never reset, not even by a reload."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.http import HttpRequest, QueryDict

from console.kit.actor import Actor
from console.kit.schema_form import Typed
from escalations import operations
from escalations.queries import CasePage
from escalations.vocabulary import Verb

NOT_TYPED = frozenset(
    {"csrfmiddlewaretoken", "action", "back", "seen", "shown", "base_revision", "undo", "answering"}
)
NEVER = 10**9 - 1  # a revision that no case has: what was not looked at is judged as an old one
STEP = re.compile(r"p\d+s\d+(?=[/.!])")
FIELDS = "fields"


def typed_in(form: QueryDict) -> dict[str, list[str]]:
    """Give what was typed, without what the page itself put into the form."""
    return {name: list(map(str, values)) for name, values in form.lists() if name not in NOT_TYPED}


def kept(page: CasePage) -> Typed | None:
    """Give the draft of the person who asks, where it was made on this very revision."""
    if page.draft is None or page.draft.stale:
        return None
    return fields_of(page.draft.body)


def fields_of(body: Mapping[str, object]) -> dict[str, list[str]]:
    """Read the fields out of a stored draft."""
    fields = body.get(FIELDS)
    if not isinstance(fields, dict):
        return {}
    return {
        name: [str(value) for value in values] for name, values in fields.items() if isinstance(values, list)
    }


def keep(request: HttpRequest, page: CasePage, *, by: Actor, at: datetime) -> None:
    """Keep what this request carries together with what was kept before; a person who may only look has no draft."""
    if page.why_not.get(Verb.DRAFT) is not None:
        return
    revision = base_revision(request.POST, page)
    before = kept(page) if revision == page.row.revision else None
    fields = merged(before or {}, typed_in(request.POST), undo=request.POST.get("undo", ""))
    operations.save_draft(case_id=page.row.id, revision=revision, body={FIELDS: fields}, by=by, at=at)


def merged(before: Typed, typed: Mapping[str, list[str]], *, undo: str = "") -> dict[str, list[str]]:
    """Put what a form holds in the place of what it held before; what it does not show keeps its earlier text."""
    here = {_step(name) for name in typed}
    rest = {
        name: list(values) for name, values in before.items() if not _step(name) or _step(name) not in here
    }
    fields = {**rest, **typed}
    return {name: values for name, values in fields.items() if not undo or not _within(name, undo)}


def base_revision(form: QueryDict, page: CasePage) -> int:
    """Give the revision the person looked at when typing; what nobody can have looked at is not the current one."""
    text = form.get("base_revision")
    if text is None:
        return page.row.revision
    return (int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0) or NEVER


def words_in(fields: Typed) -> Sequence[str]:
    """Give the sentences a person wrote, for showing them when the form they stood in is gone."""
    return [
        values[-1] for name in ("reason", "message") if (values := fields.get(name)) and values[-1].strip()
    ]


def last(typed: Typed | None, name: str) -> str:
    """Give what was typed or chosen in a field, blank where nothing was."""
    values = (typed or {}).get(name)
    return values[-1] if values else ""


def _step(name: str) -> str:
    """Give the step a field belongs to (`p0s1`), blank for the others."""
    found = STEP.match(name)
    return found[0] if found else ""


def _within(name: str, prefix: str) -> bool:
    return name.startswith((f"{prefix}/", f"{prefix}.", f"{prefix}!"))
