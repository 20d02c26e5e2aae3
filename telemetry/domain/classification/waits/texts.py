"""Waits inside sentences: `try again in 3.2s`, `请在 10 秒后重试`, `in 30 Sekunden`, `wait [ 250 ] and retry`."""

import re

from telemetry.domain.classification.sight import Sight
from telemetry.domain.classification.waits.moments import UNIT, UNITS, moment, span, until

_WAIT = re.compile(
    rf"(?:(?:try|retry|retrying|available|again|wait|reset|resets|back ?off|come back|renews?|refill\w*)\b[^.;\n]{{0,50}}?\b(?:in|after|for|of|at least|another|within)?[ :=]{{0,3}}\[?\s?|please wait |retry[-_ ]?after[^0-9]{{0,12}}|wait \[? ?|take a break for |\bpause (?:for )?|\b(?:ban(?:ned)?|blocked|suspended|locked)(?: will)? (?:last |lasts )?(?:for )?|(?<!requests )(?<!calls )(?<!queries )(?<!messages )\bin |nach |in etwa |dans |en |fra |dentro de |em |через )(?<![\d:T-])(\d{{1,12}}(?:\.\d{{1,9}})?)\s?\]?\s?(?:more )?({UNIT})?(?![a-z0-9%]|[-:]\d)(?:[ ,]{{0,2}}(?:and )?(\d{{1,12}}(?:\.\d{{1,9}})?)\s?({UNIT})(?![a-z0-9]))?",
    re.IGNORECASE,
)
_WAIT_SPAN = re.compile(
    r"\b(?:in|after|wait)\s+\W?((?:\d+h)?\d+m\d+(?:\.\d+)?s|\d+h\d+m|00:\d\d:\d\d(?:\.\d+)?)\b", re.IGNORECASE
)
_WAIT_EAST = re.compile(
    rf"(\d{{1,12}}(?:\.\d{{1,9}})?)\s?({UNIT})\s?(?:钟)?(?:之)?(?:后|後|以后|以後|内请|内勿|待って|お待ち|経過|待機|후|뒤|空けて|おいて|以上(?:待|空|おい))|(?:等待|请等|稍等|请在|間隔|间隔)\D{{0,6}}(\d{{1,12}}(?:\.\d{{1,9}})?)\s?({UNIT})"
)
_WAIT_OF = re.compile(
    r"\bwait of (\d{1,9}) seconds\b|\bflood_?wait_?(\d{1,9})\b|\bretry after (\d{1,9})\b(?![-:])|\bwait (\d{1,12}(?:\.\d{1,9})?) ?(?:s|seconds)\b",
    re.IGNORECASE,
)
_WAIT_NAMED = re.compile(
    r"\b(?:rate_?limit_?duration|retry_?after|wait_?seconds|retry_?delay\W{1,6}seconds)\W{1,4}(\d{1,9}(?:\.\d+)?)(?![-:\d])",
    re.IGNORECASE,
)
_WAIT_MS = re.compile(r"\bwait \[ ?(\d{1,12}) ?\] and retry", re.IGNORECASE)
_UNTIL = re.compile(
    r"(?:until|after|at|by|on|before)\s+(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z| ?UTC| ?[+-]\d\d:?\d\d)?)",
    re.IGNORECASE,
)


_NUMBERS = {"one": "1", "two": "2", "three": "3", "five": "5", "ten": "10", "thirty": "30", "sixty": "60"}
_ONE = re.compile(r"\b(again|back|retry|later|available) in an? (?=(?:second|minute|hour)\b)", re.IGNORECASE)
"""`come back in a minute`, but not `five messages in a minute`."""
_SPELLED = re.compile(rf"\b({'|'.join(_NUMBERS)}) (?=(?:seconds?|minutes?|hours?)\b)", re.IGNORECASE)


def from_text(text: str, sight: Sight) -> float | None:
    """The wait that a text asks for."""
    text = _ONE.sub(lambda found: f"{found.group(1)} in 1 ", text[:1_500])
    short = _SPELLED.sub(lambda found: _NUMBERS[found.group(1).lower()] + " ", text[:1_500])
    if match := _WAIT_MS.search(short):
        return float(match.group(1)) / 1000
    if match := _WAIT_NAMED.search(short):
        return float(match.group(1))
    if match := _WAIT_EAST.search(short):
        amount, unit = match.group(1, 2) if match.group(1) else match.group(3, 4)
        return float(amount) * UNITS.get(unit.lower(), 1)
    if (match := _WAIT_SPAN.search(short)) and (found := span(match.group(1), sight)) is not None:
        return found
    if (match := _WAIT.search(short)) and (found := _worded(match)) is not None:
        return found
    if match := _WAIT_OF.search(short):
        return float(next(group for group in match.groups() if group))
    when = moment(match.group(1)) if (match := _UNTIL.search(short)) else None
    return until(when, sight) if when else None


def _worded(match: re.Match[str]) -> float | None:
    """Seconds of `in 1 minute 30 seconds`; what merely timed out asks for no wait."""
    said = match.group(0).lower()
    amount, unit, more, more_unit = match.groups()
    if "timed out" in said or "timeout" in said or not (unit or "after" in said or "wait" in said):
        return None
    total = float(amount) * UNITS.get((unit or "").lower(), 1)
    return total + (float(more) * UNITS.get(more_unit.lower(), 1) if more and more_unit else 0)
