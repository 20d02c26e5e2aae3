"""Reads the plainest phrases for days and hours, English and Chinese; None for everything else.

It never guesses: a phrase is read as a whole or not at all. Pass a parser of your own for more.
"""

import re
from datetime import datetime, timedelta

_DAYS = {
    "today": 0, "tomorrow": 1, "the day after tomorrow": 2,
    "今天": 0, "今日": 0, "明天": 1, "明日": 1, "后天": 2, "後天": 2, "大后天": 3, "大後天": 3,
}  # fmt: skip
_DIGITS = {
    "零": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "兩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
}
_AFTER_NOON = frozenset({"下午", "晚上", "傍晚", "pm"})
_MORNING = frozenset({"凌晨", "早上", "上午", "am"})
_DAY = "|".join(sorted(map(re.escape, _DAYS), key=len, reverse=True))
_CHINESE = re.compile(
    rf"(?P<day>{_DAY})?(?P<half>凌晨|早上|上午|中午|下午|傍晚|晚上)?"
    r"(?:(?P<hour>\d{1,2}|[零一二两兩三四五六七八九十]{1,3})(?:点|點|时|時|:)"
    r"(?P<rest>半|(?P<minute>\d{1,2}|[零一二三四五六七八九十]{1,3})分?)?)?"
)
_ENGLISH = re.compile(
    rf"(?P<day>{_DAY})(?:,? (?:at )?(?P<hour>\d{{1,2}})(?::(?P<minute>\d{{2}}))? ?(?P<half>am|pm)?)?"
)
_NOON = 12
_HOURS, _MINUTES = 24, 60


def moment(text: str, now: datetime) -> str | None:
    """`明天下午两点` or `tomorrow at 2 pm` as an ISO date and time in the zone of `now`; None when it names no hour."""
    read = _read(text, now)
    return None if read is None or not read[1] else read[0].isoformat(timespec="minutes")


def plain_date(text: str, now: datetime) -> str | None:
    """`明天`, `the day after tomorrow` or `明天下午两点` as an ISO date; None when it names no day."""
    read = _read(text, now)
    return None if read is None else read[0].date().isoformat()


def _read(text: str, now: datetime) -> tuple[datetime, bool] | None:
    plain = " ".join(text.casefold().split())
    found = _ENGLISH.fullmatch(plain) or _CHINESE.fullmatch(plain.replace(" ", ""))
    if found is None or found["day"] is None:
        return None
    day = (now + timedelta(days=_DAYS[found["day"]])).replace(hour=0, minute=0, second=0, microsecond=0)
    if found["hour"] is None:
        return (day.replace(hour=_NOON), True) if found["half"] == "中午" else (day, False)
    hour, minute = _hour(found["hour"], found["half"]), _minute(found)
    if hour is None or minute is None:
        return None
    return day.replace(hour=hour, minute=minute), True


def _hour(given: str, half: str | None) -> int | None:
    hour = _number(given)
    if hour is None or (half is not None and hour > _NOON):
        return None
    if half in _AFTER_NOON and hour < _NOON:
        hour += _NOON
    if half in _MORNING and hour == _NOON:
        hour = 0
    return hour if hour < _HOURS else None


def _minute(found: re.Match[str]) -> int | None:
    groups = found.groupdict()
    if groups.get("rest") == "半":
        return 30
    minute = _number(groups["minute"]) if groups["minute"] else 0
    return minute if minute is not None and minute < _MINUTES else None


def _number(text: str) -> int | None:
    """A number in digits, or in Chinese up to 99."""
    if text.isdigit() and text.isascii():
        return int(text)
    tens, ten, ones = text.partition("十")
    if not ten:
        return _DIGITS[text] if len(text) == 1 else None
    if len(tens) > 1 or len(ones) > 1 or "十" in ones:
        return None
    return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
