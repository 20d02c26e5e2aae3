"""How long a service asked to be left alone."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

_DIGITS = re.compile(r"[0-9]+")
_DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?")
_RFC850 = "%A, %d-%b-%y %H:%M:%S GMT"
_ASCTIME = "%a %b %d %H:%M:%S %Y"
_BODY_FIELDS = ("retry_after", "retry_after_s", "retryAfter")
_LONGEST_S = 10 * 365 * 86400.0  # beyond this a number is nonsense, but it must still mean "not now"


def retry_after_s(headers: Mapping[str, str], *, at: datetime) -> float | None:
    """Seconds from `retry-after-ms` or `Retry-After` (a number or an HTTP date); None when absent or unreadable."""
    lower = {str(name).lower(): str(value).strip() for name, value in headers.items()}
    if _DECIMAL.fullmatch(milliseconds := lower.get("retry-after-ms", "")):
        return min(float(milliseconds) / 1000, _LONGEST_S)
    value = lower.get("retry-after", "")
    if _DIGITS.fullmatch(value):
        return min(float(value), _LONGEST_S)
    moment = _http_date(value) if value else None
    return None if moment is None else max(0.0, (moment - at).total_seconds())


def retry_after_in(body: Any) -> float | None:
    """Seconds a JSON body names in a field of its own."""
    if not isinstance(body, Mapping):
        return None
    for name in _BODY_FIELDS:
        value = body.get(name)
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and value >= 0
            and math.isfinite(value)
        ):
            return min(float(value), _LONGEST_S)
    return None


def _http_date(value: str) -> datetime | None:
    for layout in (_RFC850, _ASCTIME):
        try:
            return datetime.strptime(value, layout).replace(tzinfo=UTC)
        except ValueError:
            continue
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
