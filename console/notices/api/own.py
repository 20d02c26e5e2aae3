"""What is a person's alone: quiet hours, and the notices that their browser shows."""

from django.utils.timezone import get_current_timezone_name, now
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor
from console.notices import contract, operations, queries, wording
from console.notices.api import bodies
from console.notices.api.channels import NOTIFICATIONS
from console.notices.domain.permissions import insist_on_person
from console.notices.queries.shapes import DeliveryLine


class Preferences(APIView):
    """Quiet hours."""

    @extend_schema(tags=NOTIFICATIONS, responses=contract.Preferences)
    def get(self, request: Request) -> Response:
        """Tell when the person wants to be left alone."""
        return self._told(request)

    @extend_schema(tags=NOTIFICATIONS, request=contract.SetPreferences, responses=contract.Preferences)
    def put(self, request: Request) -> Response:
        """Set quiet hours, in the person's own zone."""
        said = bodies.said(request, contract.SetPreferences)
        zone = get_current_timezone_name()
        operations.set_quiet_hours(said=said, zone=zone, by=actor(request), at=now())
        return self._told(request)

    def _told(self, request: Request) -> Response:
        person_id = insist_on_person(actor(request))
        zone = getattr(request.user, "time_zone", "")
        browser = get_current_timezone_name()
        kept = queries.preferences(person_id=person_id, person_zone=zone, browser_zone=browser)
        return bodies.answer(contract.Preferences.model_validate(kept))


class Offered(APIView):
    """What a browser may show."""

    @extend_schema(tags=NOTIFICATIONS, responses=contract.OfferedNotices)
    def get(self, request: Request) -> Response:
        """Give the notices that the person's browser may show now."""
        lines = queries.offered(person_id=insist_on_person(actor(request)), at=now())
        return bodies.answer(contract.OfferedNotices(notices=[_offered(line) for line in lines]))


class Shown(APIView):
    """What a browser has shown."""

    @extend_schema(tags=NOTIFICATIONS, request=contract.Shown, responses={204: None})
    def post(self, request: Request) -> Response:
        """Keep that a browser showed notices; of two browsers the first counts."""
        said = bodies.said(request, contract.Shown)
        operations.shown(person_id=insist_on_person(actor(request)), deliveries=said.ids, at=now())
        return Response(status=204)


def _offered(line: DeliveryLine) -> contract.Offered:
    told = wording.told(line.item)
    detail = " · ".join(part for part in (told.title, told.aside) if part)
    return contract.Offered(id=line.id, text=told.headline, detail=detail, link=line.item.link)
