"""How long to wait, from every place where systems write it. Silence gives None, never a guess."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from telemetry.domain.classification.plain import clip, key, names, number, some
from telemetry.domain.classification.sight import Sight

LONGEST_S = 400 * 86_400.0
_UNITS: dict[str, float] = {
    "ms": 0.001,
    "msec": 0.001,
    "msecs": 0.001,
    "millisecond": 0.001,
    "milliseconds": 0.001,
    "millis": 0.001,
    "毫秒": 0.001,
    "ミリ秒": 0.001,
    "millisekunden": 0.001,
    "s": 1,
    "sec": 1,
    "secs": 1,
    "second": 1,
    "seconds": 1,
    "秒": 1,
    "秒钟": 1,
    "秒間": 1,
    "sekunde": 1,
    "sekunden": 1,
    "sek": 1,
    "seconde": 1,
    "secondes": 1,
    "segundo": 1,
    "segundos": 1,
    "secondi": 1,
    "초": 1,
    "секунд": 1,
    "секунды": 1,
    "сек": 1,
    "": 1,
    "m": 60,
    "min": 60,
    "mins": 60,
    "minute": 60,
    "minutes": 60,
    "分": 60,
    "分钟": 60,
    "分鐘": 60,
    "分間": 60,
    "minuten": 60,
    "minuto": 60,
    "minutos": 60,
    "minuti": 60,
    "분": 60,
    "минут": 60,
    "минуты": 60,
    "мин": 60,
    "h": 3600,
    "hr": 3600,
    "hrs": 3600,
    "hour": 3600,
    "hours": 3600,
    "小时": 3600,
    "小時": 3600,
    "時間": 3600,
    "stunde": 3600,
    "stunden": 3600,
    "heure": 3600,
    "heures": 3600,
    "hora": 3600,
    "horas": 3600,
    "ore": 3600,
    "시간": 3600,
    "часов": 3600,
    "часа": 3600,
    "d": 86400,
    "day": 86400,
    "days": 86400,
    "天": 86400,
    "日": 86400,
    "tag": 86400,
    "tage": 86400,
    "tagen": 86400,
}
_UNIT = "|".join(sorted((re.escape(unit) for unit in _UNITS if unit), key=len, reverse=True))
_SPAN = re.compile(rf"(\d+(?:\.\d+)?)\s?({_UNIT})?(?![a-z0-9])", re.IGNORECASE)
_GO_SPAN = re.compile(r"^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$")
_WAIT = re.compile(
    rf"(?:(?:try|retry|retrying|available|again|wait|reset|resets|back ?off|come back|renews?|refill\w*)\b[^.;\n]{{0,50}}?\b(?:in|after|for|of|at least|another|within)?[ :=]{{0,3}}\[?\s?|please wait |retry[-_ ]?after[^0-9]{{0,12}}|wait \[? ?|take a break for |(?<!requests )(?<!calls )(?<!queries )(?<!messages )\bin |nach |in etwa |dans |en |fra |dentro de |em |через )(\d+(?:\.\d+)?)\s?\]?\s?({_UNIT})?(?![a-z0-9%])(?:[ ,]{{0,2}}(?:and )?(\d+(?:\.\d+)?)\s?({_UNIT})(?![a-z0-9]))?",
    re.IGNORECASE,
)
_WAIT_SPAN = re.compile(r"\b(?:in|after|wait)\s+((?:\d+h)?\d+m\d+(?:\.\d+)?s|\d+h\d+m)\b", re.IGNORECASE)
_WAIT_EAST = re.compile(
    rf"(\d+(?:\.\d+)?)\s?({_UNIT})\s?(?:钟)?(?:之)?(?:后|後|以后|以後|内请|内勿|待って|お待ち|経過|待機|후|뒤|空けて|おいて|以上(?:待|空|おい))|(?:等待|请等|稍等|请在|間隔|间隔)\D{{0,6}}(\d+(?:\.\d+)?)\s?({_UNIT})"
)
_WAIT_OF = re.compile(
    r"\bwait of (\d+) seconds\b|\bflood_?wait_?(\d+)\b|\bretry after (\d+)\b|\bwait (\d+(?:\.\d+)?) ?(?:s|seconds)\b",
    re.IGNORECASE,
)
_WAIT_MS = re.compile(r"\bwait \[ ?(\d+) ?\] and retry", re.IGNORECASE)
_UNTIL = re.compile(
    r"(?:until|after|at|by|on|before)\s+(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z| ?UTC| ?[+-]\d\d:?\d\d)?)",
    re.IGNORECASE,
)

SECONDS = (
    "retry-after",
    "x-retry-after",
    "x-rate-limit-retry-after-seconds",
    "x-ratelimit-retry-after",
    "x-rate-limit-retry-after",
    "x-retry-after-seconds",
    "ratelimit-retry-after",
    "retry-after-seconds",
    "x-sentinel-retry-after",
    "x-ratelimit-reset-after",
    "x-rate-limit-reset-after",
)
MILLISECONDS = (
    "retry-after-ms",
    "x-ms-retry-after-ms",
    "x-retry-after-ms",
    "x-ms-retry-after",
    "x-ratelimit-retry-after-ms",
    "x-rate-limit-retry-after-ms",
)
RESETS = (
    "x-ratelimit-reset",
    "x-rate-limit-reset",
    "ratelimit-reset",
    "x-ratelimit-requests-reset",
    "x-ratelimit-reset-requests",
    "x-ratelimit-reset-tokens",
    "anthropic-ratelimit-requests-reset",
    "anthropic-ratelimit-tokens-reset",
    "anthropic-ratelimit-input-tokens-reset",
    "anthropic-ratelimit-output-tokens-reset",
    "x-bapi-limit-reset-timestamp",
    "bapi-limit-reset-timestamp",
    "x-ratelimit-limit-reset",
    "x-rate-limit-reset-time",
    "x-api-limit-reset",
    "x-ratelimit-reset-second",
    "x-ratelimit-reset-minute",
    "gw-ratelimit-reset",
    "x-discourse-rate-limit-reset",
    "ratelimit-policy-reset",
    "x-requests-reset",
    "x-quota-reset",
    "x-ratelimit-resetat",
    "x-rate-limit-expires",
)
BODY_SECONDS = names(
    """
    estimatedtime retryafter retryafterseconds retryaftersecs retryafters retryinseconds retryin waitseconds
    waittime retrydelay retryafterinseconds secondstowait waitfor backoff waitsec cooldown wait resetafter
    resetsafter resetin resetsin resetseconds secondsuntilreset retryaftersec timetoreset waittimeseconds
    retryinsec suggestedwait nextallowedin secondsremaining retrywait remainingseconds
    """
)
BODY_MILLISECONDS = names(
    """
    retryafterms retryaftermilliseconds retryinms waitms msbeforenext retrydelayms backoffms waitmillis
    retryaftermillis resetms
    """
)
BODY_MOMENTS = names(
    """
    resetat reset resettime retryat resetsat nextavailableat availableat retryafterdate ratelimitreset
    retryaftertime resettimestamp retryaftertimestamp blockeduntil nextretryat untiltime bannedto
    nextallowedat
    """
)


def retry_after(sight: Sight, texts: list[str]) -> float | None:
    """Seconds to wait before sending again, or None where nobody says."""
    for found in (_from_headers(sight), _from_body(sight), _from_texts(texts, sight), _from_resets(sight)):
        if found is not None and 0 <= found <= LONGEST_S:
            return round(found, 3)
    return None


def _from_headers(sight: Sight) -> float | None:
    headers = sight.headers
    for name in MILLISECONDS:
        if name in headers and (found := number(headers[name])) is not None:
            return found / 1000
    for name in SECONDS:
        if name in headers and (found := span(headers[name], sight)) is not None:
            return found
    return None


def span(text: str, sight: Sight) -> float | None:
    """Seconds from `30`, `1.5s`, `6m0s`, an HTTP date or an RFC 3339 moment."""
    text = text.strip()
    if (plain := number(text)) is not None:
        return _from_now(plain, sight) if plain > 1e9 else max(plain, 0)
    if text and len(text) < 30 and (parts := _GO_SPAN.match(text)) and any(parts.groups()):
        hours, minutes, seconds, millis = (float(part or 0) for part in parts.groups())
        return hours * 3600 + minutes * 60 + seconds + millis / 1000
    if (when := moment(text)) is not None:
        return _until(when, sight)
    if match := _SPAN.fullmatch(text):
        return float(match.group(1)) * _UNITS.get((match.group(2) or "").lower(), 1)
    return None


def moment(text: str) -> datetime | None:
    """A point in time from an HTTP date or RFC 3339."""
    if not 8 < len(text) < 60:
        return None
    try:
        found = (
            datetime.fromisoformat(text.replace(" UTC", "Z").replace("Z", "+00:00"))
            if text[:4].isdigit()
            else parsedate_to_datetime(text)
        )
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _now(sight: Sight) -> datetime | None:
    """The server's own clock: its Date header; no other clock is asked, so that the answer is the same tomorrow."""
    return moment(sight.headers.get("date", ""))


def _until(when: datetime, sight: Sight) -> float | None:
    now = _now(sight)
    try:
        return max((when - now).total_seconds(), 0) if now else None
    except OverflowError:
        return None


def _from_now(epoch: float, sight: Sight) -> float | None:
    """Seconds from the server's Date to an epoch in seconds, milliseconds or microseconds."""
    while epoch > 1e11:
        epoch /= 1000
    now = _now(sight)
    return max(epoch - now.timestamp(), 0) if now else None


def _from_resets(sight: Sight) -> float | None:
    """Reset headers, of buckets that are used up."""
    headers = sight.headers
    found: list[float] = []
    for name in RESETS:
        if name not in headers or _left(name, headers):
            continue
        text = headers[name].split(",")[0]
        if (seconds := span(text, sight)) is not None:
            found.append(seconds)
    if found:
        return max(found)
    for name in ("ratelimit", "x-ratelimit", "rate-limit"):
        if (
            name in headers
            and (match := re.search(r"\b(?:t|reset)=(\d+)", headers[name]))
            and not re.search(r"\b(?:r|remaining)=[1-9]", headers[name])
        ):
            return float(match.group(1))
    return None


def _left(reset: str, headers: Mapping[str, str]) -> bool:
    """True where the bucket of this reset still has something in it."""
    candidates = {
        reset.replace("reset", "remaining"),
        reset.replace("-reset", "") + "-remaining",
        reset.replace("reset-timestamp", "status"),
        reset.replace("reset-time", "remaining"),
    } - {reset}
    left = [found for name in candidates if (found := number(headers.get(name, ""))) is not None]
    return any(value > 0 for value in left)


def _from_body(sight: Sight) -> float | None:
    bodies = [sight.body, *(sight.fault.details if sight.fault else [])]
    for body in bodies:
        if isinstance(body, dict | list) and (found := _search(body, sight, 0)) is not None:
            return found
    exception = sight.evidence.exception
    return _search(exception, sight, 2) if isinstance(exception, dict) else None


def _search(body: object, sight: Sight, depth: int) -> float | None:
    if depth > 5:
        return None
    if isinstance(body, list | tuple):
        return next(
            (found for one in some(body, 10) if (found := _search(one, sight, depth + 1)) is not None), None
        )
    if not isinstance(body, dict):
        return None
    for name, value in some(body.items(), 60):
        if (found := _member(key(name), value, sight)) is not None:
            return found
    return next(
        (
            found
            for value in some(body.values(), 40)
            if isinstance(value, dict | list) and (found := _search(value, sight, depth + 1)) is not None
        ),
        None,
    )


def _member(role: str, value: Any, sight: Sight) -> float | None:
    if role in BODY_MILLISECONDS:
        found = number(value)
        return None if found is None else found / 1000
    if role in BODY_SECONDS:
        if isinstance(value, dict):
            seconds = number(value.get("seconds"))
            nanos = number(value.get("nanos")) or 0
            return None if seconds is None else seconds + nanos / 1e9
        plain = number(value)
        if plain is not None:
            return _from_now(plain, sight) if plain > 1e9 else max(plain, 0)
        return span(clip(value, 60), sight)
    if role in BODY_MOMENTS and isinstance(value, str | int | float) and not isinstance(value, bool):
        plain = number(value)
        if plain is not None:
            return _from_now(plain, sight) if plain > 1e9 else None
        when = moment(clip(value, 60))
        return _until(when, sight) if when else None
    return None


def _from_texts(texts: list[str], sight: Sight) -> float | None:
    for text in texts[:12]:
        short = text[:1_500]
        if match := _WAIT_MS.search(short):
            return float(match.group(1)) / 1000
        if match := _WAIT_EAST.search(short):
            amount, unit = (
                (match.group(1), match.group(2)) if match.group(1) else (match.group(3), match.group(4))
            )
            return float(amount) * _UNITS.get(unit.lower(), 1)
        if (match := _WAIT_SPAN.search(short)) and (found := span(match.group(1), sight)) is not None:
            return found
        if match := _WAIT.search(short):
            amount, unit, more, more_unit = match.groups()
            if "timed out" in match.group(0).lower() or "timeout" in match.group(0).lower():
                continue
            if unit or "after" in match.group(0).lower() or "wait" in match.group(0).lower():
                total = float(amount) * _UNITS.get((unit or "").lower(), 1)
                return total + (float(more) * _UNITS.get(more_unit.lower(), 1) if more and more_unit else 0)
        if match := _WAIT_OF.search(short):
            return float(next(group for group in match.groups() if group))
        if (
            (match := _UNTIL.search(short))
            and (when := moment(match.group(1)))
            and (found := _until(when, sight)) is not None
        ):
            return found
    return None
