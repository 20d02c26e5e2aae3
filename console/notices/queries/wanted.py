"""Whether anybody still wants a notice: asked of the row it is about, at the moment of sending."""

import logging
from collections.abc import Callable

from django.conf import settings
from django.utils.module_loading import import_string

log = logging.getLogger(__name__)
Wanted = Callable[[str, str, str], bool]


def still_wanted(*, topic: str, subject_key: str, person_id: str) -> bool:
    """Ask whoever knows the subject; `person_id` is blank for a team's channel. What nobody knows is wanted."""
    kind, _, key = subject_key.partition(":")
    path = settings.NOTICE_SUBJECTS.get(kind)
    if path is None:
        return True
    ask: Wanted = import_string(path)
    try:
        return ask(topic, key, person_id)
    except (
        ValueError
    ):  # a key that its own kind cannot read: told rather than lost, and no stop for all others
        log.exception("nobody can read the subject %s", subject_key)
        return True
