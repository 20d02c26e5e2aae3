"""Spans and moments as systems write them: `30`, `1.5s`, `6m0s`, HTTP dates, RFC 3339, epochs."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from telemetry.domain.classification.plain import number
from telemetry.domain.classification.sight import Sight

UNITS: dict[str, float] = {
    unit: seconds
    for seconds, units in {
        0.001: "ms msec msecs millisecond milliseconds millis 毫秒 ミリ秒 millisekunden",
        1: "s sec secs second seconds 秒 秒钟 秒間 sekunde sekunden sek seconde secondes segundo segundos secondi 초 секунд секунды сек",
        60: "m min mins minute minutes 分 分钟 分鐘 分間 minuten minuto minutos minuti 분 минут минуты мин",
        3600: "h hr hrs hour hours 小时 小時 時間 stunde stunden heure heures hora horas ore 시간 часов часа",
        86400: "d day days 天 日 tag tage tagen",
    }.items()
    for unit in units.split()
} | {"": 1}
"""Seconds in a unit of time, in ten languages; no unit means seconds."""
UNIT = "|".join(sorted((re.escape(unit) for unit in UNITS if unit), key=len, reverse=True))
EPOCH = 1e9
"""A number from here on is a point in time and no span."""
_SPAN = re.compile(rf"(\d{{1,12}}(?:\.\d{{1,9}})?)\s?({UNIT})?(?![a-z0-9])", re.IGNORECASE)
_GO_SPAN = re.compile(
    r"^(?:(\d{1,9})h)?(?:(\d{1,9})m(?!s))?(?:(\d{1,9}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?$"
)
_CLOCK_SPAN = re.compile(r"(\d{1,2}):(\d\d):(\d\d(?:\.\d{1,9})?)")
"""`00:00:05`, as .NET writes a TimeSpan."""


def span(text: str, sight: Sight) -> float | None:
    """Seconds from `30`, `1.5s`, `6m0s`, an HTTP date or an RFC 3339 moment."""
    text = text.strip()
    if (plain := number(text)) is not None:
        return from_now(plain, sight) if plain > EPOCH else max(plain, 0)
    if text and len(text) < 30 and (parts := _GO_SPAN.match(text)) and any(parts.groups()):
        hours, minutes, seconds, millis = (float(part or 0) for part in parts.groups())
        return hours * 3600 + minutes * 60 + seconds + millis / 1000
    if (when := moment(text)) is not None:
        return until(when, sight)
    if match := _CLOCK_SPAN.fullmatch(text):
        hours, minutes, seconds = (float(part) for part in match.groups())
        return hours * 3600 + minutes * 60 + seconds
    if match := _SPAN.fullmatch(text):
        return float(match.group(1)) * UNITS.get((match.group(2) or "").lower(), 1)
    return None


def moment(text: str) -> datetime | None:
    """A point in time from an HTTP date or RFC 3339."""
    if not 8 < len(text) < 60:
        return None
    read = datetime.fromisoformat if text[:4].isdigit() else parsedate_to_datetime
    try:
        found = read(text.replace(" UTC", "Z"))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _now(sight: Sight) -> datetime | None:
    """The server's own clock: its Date header; no other clock is asked, so that the answer is the same tomorrow."""
    return moment(sight.headers.get("date", ""))


def until(when: datetime, sight: Sight) -> float | None:
    """Seconds from the server's Date to a moment."""
    now = _now(sight)
    return max((when - now).total_seconds(), 0) if now else None


def from_now(epoch: float, sight: Sight) -> float | None:
    """Seconds from the server's Date to an epoch in seconds, milliseconds or microseconds."""
    while epoch > 1e11:
        epoch /= 1000
    now = _now(sight)
    return max(epoch - now.timestamp(), 0) if now else None
