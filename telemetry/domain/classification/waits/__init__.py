"""How long to wait, from every place where systems write it. Silence gives None, never a guess."""

import re
from collections.abc import Mapping
from typing import Any

from telemetry.domain.classification.plain import clip, json_within, key, names, number, some
from telemetry.domain.classification.sight import Sight
from telemetry.domain.classification.waits.moments import EPOCH, from_now, moment, span, until
from telemetry.domain.classification.waits.texts import from_text

__all__ = ["retry_after"]

LONGEST_S = 400 * 86_400.0
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
    "gw-ratelimit-reset",
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
    "x-discourse-rate-limit-reset",
    "ratelimit-policy-reset",
    "x-requests-reset",
    "x-quota-reset",
    "x-next-replenish-time",
    "x-ratelimit-resetat",
    "x-rate-limit-expires",
)
BODY_SECONDS = names(
    """
    ratereset
    estimatedtime retryafter retryafterseconds retryaftersecs retryafters retryinseconds retryin waitseconds
    waittime retrydelay retryafterinseconds secondstowait waitfor backoff waitsec cooldown wait resetafter
    resetsafter resetin resetsin resetseconds secondsuntilreset retryaftersec timetoreset waittimeseconds
    retryinsec suggestedwait nextallowedin secondsremaining retrywait remainingseconds
    """
)
BODY_MILLISECONDS = names(
    """
    backoffmilliseconds
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
    said = (found for text in texts[:12] if (found := from_text(text, sight)) is not None)
    packed = (found for text in texts[:12] if (found := _from_packed(text, sight)) is not None)
    for found in (
        _from_headers(sight),
        _from_body(sight),
        next(packed, None),
        next(said, None),
        _from_resets(sight),
    ):
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


def _from_resets(sight: Sight) -> float | None:
    """Reset headers, of buckets that are used up."""
    headers = sight.headers
    names_known = [name for name in RESETS if name in headers]
    found = [
        seconds
        for name in names_known or [name for name in headers if _is_reset(name)]
        if not _left(name, headers)
        if (seconds := span(_first(headers[name]), sight)) is not None
    ]
    if found:
        return max(found)
    policies = [headers[name] for name in ("ratelimit", "x-ratelimit", "rate-limit") if name in headers]
    for policy in policies:
        resets = re.search(r"\b(?:t|reset)=(\d{1,12})", policy)
        if resets and not re.search(r"\b(?:r|remaining)=[1-9]", policy):
            return float(resets.group(1))
    return None


def _first(value: str) -> str:
    """The first of several resets: `1, 1419704`; the comma of a date separates nothing."""
    return value if moment(value) else value.partition(",")[0]


def _is_reset(name: str) -> bool:
    """`x-ogw-ratelimit-reset`: a vendor's own name for the usual header."""
    plain = name.replace("-", "").replace("_", "")
    return "ratelimit" in plain and plain.endswith("reset")


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
    for body in [sight.body, *(sight.fault.details if sight.fault else [])]:
        if isinstance(body, dict | list) and (found := _search(body, sight, 0)) is not None:
            return found
    exception = sight.evidence.exception
    return _search(exception, sight, 2) if isinstance(exception, dict) else None


def _from_packed(text: str, sight: Sight) -> float | None:
    """A wait in JSON that is packed into a message, as proxies of models hand on what they got."""
    if "{" not in text or not _WAITS.search(text):
        return None
    value = json_within(text)
    return _search(value, sight, 0) if isinstance(value, dict | list) else None


_WAITS = re.compile(r"retry|reset|wait", re.IGNORECASE)


def _search(body: object, sight: Sight, depth: int) -> float | None:
    if depth > 7:
        return None
    inner: list[Any] = some(body, 10) if isinstance(body, list | tuple) else []
    if isinstance(body, dict):
        if isinstance(named := body.get("Name", body.get("name")), str) and (
            (found := _member(key(named), body.get("value", body.get("#text")), sight)) is not None
        ):
            return found
        for name, value in some(body.items(), 60):
            if (found := _member(key(name), value, sight)) is not None:
                return found
        inner = [value for value in some(body.values(), 40) if isinstance(value, dict | list)]
    return next((found for one in inner if (found := _search(one, sight, depth + 1)) is not None), None)


def _member(role: str, value: Any, sight: Sight) -> float | None:
    if role in BODY_MILLISECONDS:
        found = number(value)
        return None if found is None else found / 1000
    if role in BODY_SECONDS:
        return _seconds(value, sight)
    if role in BODY_MOMENTS and isinstance(value, str | int | float) and not isinstance(value, bool):
        plain = number(value)
        if plain is not None:
            return from_now(plain, sight) if plain > EPOCH else None
        when = moment(clip(value, 60))
        return until(when, sight) if when else None
    return None


def _seconds(value: Any, sight: Sight) -> float | None:
    """Seconds from a number, a text or google.protobuf.Duration's two members."""
    if isinstance(value, dict):
        seconds = number(value.get("seconds"))
        return None if seconds is None else seconds + (number(value.get("nanos")) or 0) / 1e9
    plain = number(value)
    if plain is not None:
        return from_now(plain, sight) if plain > EPOCH else max(plain, 0)
    return span(clip(value, 60), sight)
