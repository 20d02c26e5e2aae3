"""Whether anybody still wants a notice: asked of the row it is about, at the moment of sending."""

from collections.abc import Callable

from django.conf import settings
from django.utils.module_loading import import_string

Wanted = Callable[[str, str, str], bool]


def still_wanted(*, topic: str, subject_key: str, person_id: str) -> bool:
    """Ask whoever knows the subject; `person_id` is blank for a team's channel. What nobody knows is wanted."""
    kind, _, key = subject_key.partition(":")
    path = settings.NOTICE_SUBJECTS.get(kind)
    if path is None:
        return True
    ask: Wanted = import_string(path)
    return ask(topic, key, person_id)
