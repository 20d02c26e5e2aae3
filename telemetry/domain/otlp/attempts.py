"""The attempts of a call: spans that say so, else the requests beneath where there are several."""

import re
from collections.abc import Sequence
from typing import Any

from telemetry.domain.otlp.spans import Span, written_time
from telemetry.vocabulary import FailureClass

MOST_ATTEMPTS = 50
_ARGUMENTS = re.compile(r"ValidationError$|JSONDecodeError$")


def attempts(tries: Sequence[Span], below: Sequence[Span]) -> list[dict[str, Any]]:
    """Give the attempts as agents report them, in their order; nothing where there was but one."""
    if len(tries) == 1 and not below:
        return []
    spoken = [one for one in below if one.get("http.request.method", "http.method") is not None]
    shown = list(tries) if len(tries) > 1 else spoken if len(spoken) > 1 else []
    shown = sorted(shown, key=lambda one: one.start)[:MOST_ATTEMPTS]
    found, ended = [], None
    for n, one in enumerate(shown, start=1):
        attempt: dict[str, Any] = {
            "n": n,
            "started_at": written_time(one.start),
            "duration_ms": (one.end - one.start) / 1e6,
            "wait_ms": max(0, one.start - ended) / 1e6 if ended is not None else 0,
        }
        status = one.get("http.response.status_code", "http.status_code")
        if isinstance(status, int) and 0 <= status <= 999:
            attempt["http_status"] = status
        if n < len(shown) and (one.failed or (isinstance(status, int) and status >= 400)):
            attempt["class"] = _class_of(one, status)
        found.append(attempt)
        ended = one.end
    return found


def _class_of(span: Span, status: Any) -> str:
    """An attempt after which another was made was worth trying again, except where it says otherwise."""
    if isinstance(status, int) and status in {400, 422}:
        return str(FailureClass.INVALID_ARGS)
    if isinstance(status, int) and 401 <= status < 500 and status not in {408, 425, 429}:
        return str(FailureClass.HARD)
    if any(_ARGUMENTS.search(str(event.attributes.get("exception.type"))) for event in span.events):
        return str(FailureClass.INVALID_ARGS)
    return str(FailureClass.TRANSIENT)
