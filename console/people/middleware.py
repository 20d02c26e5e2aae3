"""Each request in the person's own language and time zone; times are stored in UTC and shown in theirs."""

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation


class PersonalSettings:
    """Activates what the person chose; the browser's own (cookie `tz`, Accept-Language) where they chose nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the next layer."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer with the zone and language of whoever asks."""
        person = request.user if request.user.is_authenticated else None
        timezone.activate(_zone(getattr(person, "time_zone", "") or request.COOKIES.get("tz", "")))
        if person is not None and person.language:
            translation.activate(person.language)
            request.LANGUAGE_CODE = translation.get_language() or "en"
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()


def _zone(name: str) -> zoneinfo.ZoneInfo:
    try:
        return zoneinfo.ZoneInfo(name or "UTC")
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):  # a cookie can say anything
        return zoneinfo.ZoneInfo("UTC")
