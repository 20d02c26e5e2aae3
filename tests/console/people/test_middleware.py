"""Times and words in the person's own zone and language, whatever a cookie says."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone, translation

from console.people.middleware import PersonalSettings
from console.people.models import User


def seen(person, **cookies):
    found = {}

    def view(request):
        found.update(zone=timezone.get_current_timezone_name(), language=translation.get_language())
        return HttpResponse()

    request = RequestFactory().get("/")
    request.user = person
    request.COOKIES.update(cookies)
    with translation.override("en"):
        PersonalSettings(view)(request)
    return found


def test_what_the_person_chose_comes_first():
    person = User(username="wren", time_zone="Asia/Shanghai", language="zh-hans")
    assert seen(person, tz="Europe/Berlin") == {"zone": "Asia/Shanghai", "language": "zh-hans"}


def test_the_browsers_zone_serves_who_chose_nothing():
    assert seen(AnonymousUser(), tz="Europe/Berlin") == {"zone": "Europe/Berlin", "language": "en"}


@pytest.mark.parametrize("cookie", ["", "Mars/Olympus", "../../etc/passwd", "\x00", "A" * 5000, "/"])
def test_a_cookie_can_say_anything(cookie):
    assert seen(AnonymousUser(), tz=cookie)["zone"] == "UTC"


def test_the_zone_does_not_leak_into_the_next_request():
    seen(User(username="wren", time_zone="Asia/Shanghai"))
    assert timezone.get_current_timezone_name() == "UTC"
