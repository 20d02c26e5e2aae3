"""Numbers and lengths of time as people read them: grouped, with a narrow space before the unit, in their language.

Browsers repeat `left` once a second (static/lib/clock.js); the two must agree.
"""

from django.utils.translation import gettext as _

THIN = "\u202f"  # narrow no-break space
MINUTE, HOUR, DAY = 60, 3_600, 86_400


def count(number: int | None) -> str:
    """Group thousands: 184,212. Nothing known is an empty cell, not a zero."""
    return "" if number is None else f"{number:,}"


def percent(share: float | None, digits: int = 1) -> str:
    """Write a share of one as a percentage; 99.96 % never rounds up to 100 %, nor 0.02 % down to 0."""
    if share is None:
        return ""
    whole = share * 100
    text = f"{whole:.{digits}f}"
    if 0 < whole < 100 and float(text) in {0.0, 100.0}:
        text = f"{min(99.99, max(0.01, whole)):.2f}"
    return f"{text.removesuffix('.0')}{THIN}%"


def took(seconds: float | None) -> str:
    """Write how long something lasted, to the precision that matters at its size."""
    if seconds is None:
        return ""
    if seconds < 0.01:
        return _kept(_("%(n)s ms"), n=f"{seconds * 1000:.0f}")
    if seconds < 1:
        return _kept(_("%(n)s s"), n=f"{seconds:.2f}")
    if seconds < 9.95:
        return _kept(_("%(n)s s"), n=f"{seconds:.1f}".removesuffix(".0"))
    if seconds < 2 * MINUTE:
        return _kept(_("%(n)s s"), n=f"{seconds:.0f}")
    return _two(int(seconds))


def left(seconds: float) -> str:
    """Write what is left of a wait: 40 s, 3 min 02 s, 44 min, 2 h 10, 3 d. Never like a clock."""
    whole = max(0, int(seconds))
    if whole < MINUTE:
        return _kept(_("%(n)s s"), n=whole)
    if whole < 15 * MINUTE:
        return _kept(_("%(m)s min %(s)s s"), m=whole // MINUTE, s=f"{whole % MINUTE:02d}")
    if whole < 2 * HOUR:
        return _kept(_("%(n)s min"), n=whole // MINUTE)
    return _coarse(whole)


def waited(seconds: float) -> str:
    """Write how long something has waited, to the minute: 0 min, 48 min, 2 h 10, 3 d."""
    whole = max(0, int(seconds))
    return _kept(_("%(n)s min"), n=whole // MINUTE) if whole < HOUR else _coarse(whole)


def size(octets: int) -> str:
    """Write a number of bytes."""
    if octets < 1024:
        return _kept(_("%(n)s B"), n=octets)
    if octets < 1024 * 1024:
        return _kept(_("%(n)s KiB"), n=f"{octets / 1024:.1f}".removesuffix(".0"))
    return _kept(_("%(n)s MiB"), n=f"{octets / 1024 / 1024:.1f}".removesuffix(".0"))


def _kept(text: str, **parts: object) -> str:
    """Keep a number and its unit on one line."""
    return (text % parts).replace(" ", THIN)


def _coarse(whole: int) -> str:
    if whole < 2 * DAY:
        return _kept(_("%(h)s h %(m)s"), h=whole // HOUR, m=f"{whole % HOUR // MINUTE:02d}")
    return _kept(_("%(n)s d"), n=whole // DAY)


def _two(whole: int) -> str:
    """Write the two largest units, without a second one that is nought."""
    if whole < HOUR:
        minutes = _kept(_("%(n)s min"), n=whole // MINUTE)
        return _join(minutes, whole % MINUTE, _("%(n)s s"))
    if whole < DAY:
        hours = _kept(_("%(n)s h"), n=whole // HOUR)
        return _join(hours, whole % HOUR // MINUTE, _("%(n)s min"))
    days = _kept(_("%(n)s d"), n=whole // DAY)
    return _join(days, whole % DAY // HOUR, _("%(n)s h"))


def _join(first: str, rest: int, unit: str) -> str:
    return f"{first}{THIN}{_kept(unit, n=rest)}" if rest else first
