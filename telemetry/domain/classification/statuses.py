"""What an HTTP status says when nothing better is known. Sources: RFC 9110, 6585, 4918, 9457; Cloudflare, nginx, AWS ALB."""

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.plain import clip, key, some
from telemetry.vocabulary import SideEffect

TABLE: dict[int, tuple[Cause, int]] = {
    400: (Cause.VALIDATION, 50),
    401: (Cause.UNAUTHORIZED, 72),
    402: (Cause.FUNDS, 58),
    403: (Cause.FORBIDDEN, 62),
    404: (Cause.NOT_FOUND, 62),
    405: (Cause.UNSUPPORTED, 63),
    406: (Cause.VALIDATION, 40),
    407: (Cause.UNAUTHORIZED, 72),
    408: (Cause.TIMEOUT_UNSENT, 68),
    409: (Cause.CONFLICT, 62),
    410: (Cause.NOT_FOUND, 62),
    411: (Cause.VALIDATION, 60),
    412: (Cause.PRECONDITION, 72),
    413: (Cause.VALIDATION, 70),
    414: (Cause.VALIDATION, 70),
    415: (Cause.VALIDATION, 70),
    416: (Cause.VALIDATION, 64),
    417: (Cause.VALIDATION, 40),
    418: (Cause.FORBIDDEN, 45),
    419: (Cause.UNAUTHORIZED, 60),
    420: (Cause.RATE_LIMITED, 60),
    421: (Cause.NETWORK_UNSENT, 50),
    422: (Cause.VALIDATION, 56),
    423: (Cause.CONTENTION, 65),
    424: (Cause.PRECONDITION, 46),
    425: (Cause.BUSY, 62),
    426: (Cause.UNSUPPORTED, 52),
    428: (Cause.PRECONDITION, 62),
    429: (Cause.RATE_LIMITED, 65),
    430: (Cause.RATE_LIMITED, 58),
    431: (Cause.VALIDATION, 64),
    440: (Cause.UNAUTHORIZED, 62),
    444: (Cause.NETWORK, 62),
    449: (Cause.CONTENTION, 80),
    450: (Cause.FORBIDDEN, 52),
    451: (Cause.FORBIDDEN, 66),
    456: (Cause.QUOTA, 66),
    460: (Cause.TIMEOUT, 62),
    494: (Cause.VALIDATION, 62),
    495: (Cause.UNAUTHORIZED, 62),
    496: (Cause.UNAUTHORIZED, 62),
    498: (Cause.UNAUTHORIZED, 64),
    499: (Cause.TIMEOUT, 62),
    500: (Cause.SERVER_ERROR, 58),
    501: (Cause.UNSUPPORTED, 64),
    502: (Cause.UNAVAILABLE, 62),
    503: (Cause.BUSY, 62),
    504: (Cause.TIMEOUT, 70),
    505: (Cause.UNSUPPORTED, 60),
    507: (Cause.STORAGE_FULL, 72),
    508: (Cause.REFUSED, 50),
    509: (Cause.RATE_LIMITED, 58),
    511: (Cause.UNAUTHORIZED, 52),
    520: (Cause.UNAVAILABLE, 76),
    521: (Cause.BUSY, 91),
    522: (Cause.TIMEOUT_UNSENT, 91),
    523: (Cause.NETWORK_UNSENT, 91),
    524: (Cause.TIMEOUT, 91),
    525: (Cause.NETWORK_UNSENT, 87),
    526: (Cause.REFUSED, 87),
    529: (Cause.BUSY, 66),
    530: (Cause.NETWORK_UNSENT, 66),
    561: (Cause.UNAUTHORIZED, 62),
    598: (Cause.TIMEOUT, 64),
    599: (Cause.TIMEOUT, 64),
    999: (Cause.FORBIDDEN, 52),
}
"""Status to cause and weight: 400 and 422 say little, 412 and Cloudflare's 52x say nearly all."""

ON_WRITES = {500: 60, 502: 77, 504: 77}
"""A gateway's page asks to try again whether or not the write went through: only proof outweighs it."""


def read_status(status: int, side_effect: str) -> Finding | None:
    """The cause a status stands for; None where it is no failure."""
    if status < 400:
        return None
    cause, weight = TABLE.get(status, (None, 0))
    if cause is None:
        cause, weight = (Cause.VALIDATION, 38) if status < 500 else (Cause.SERVER_ERROR, 50)
        if status >= 600:
            cause, weight = Cause.SERVER_ERROR, 30
    if side_effect != SideEffect.READ:
        weight = ON_WRITES.get(status, weight)
    return Finding(cause, weight, f"http/{status}")


HIDDEN = frozenset({"statuscode", "httpstatus", "httpstatuscode"})


def read_hidden_timeout(body: object) -> Finding | None:
    """A search that holds nothing since it was stopped in time, as Elasticsearch and Overpass say it."""
    if not isinstance(body, dict):
        return None
    gave_up = body.get("timed_out") is True or body.get("timedOut") is True
    gave_up = gave_up or "timed out" in clip(body.get("remark"), 300)
    return Finding(Cause.TIMEOUT, 80, "body/timed-out") if gave_up else None


def read_hidden_status(body: object, side_effect: str) -> Finding | None:
    """The status of the page behind an answer that holds nothing, as scrapers report it beside the empty text."""
    level = [body]
    for _ in range(4):
        below: list[object] = []
        for one in level:
            for name, value in some(one.items(), 40) if isinstance(one, dict) else ():
                if key(name) in HIDDEN and isinstance(value, int) and 400 <= value <= 599:
                    return read_status(value, side_effect)
                below.append(value)
        level = below[:60]
    return None
