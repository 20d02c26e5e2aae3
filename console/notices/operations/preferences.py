"""When a person wants to be left alone."""

from datetime import datetime

from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.refusal import FieldError, Kind, Refused
from console.notices import contract
from console.notices.domain import permissions
from console.notices.models import Preference


class HalfANight(Refused):
    """Quiet hours have a beginning and an end."""

    kind, code = Kind.INVALID, "HALF_A_NIGHT"


@transaction.atomic(durable=True)
def set_quiet_hours(
    *, said: contract.SetPreferences, zone: str, by: Actor, at: datetime, source: str = "api"
) -> None:
    """Keep a person's quiet hours; `zone` is their browser's, for one who has chosen none."""
    person_id = permissions.insist_on_person(by)
    if (said.quiet_from is None) != (said.quiet_until is None):
        wrong = FieldError("HALF_A_NIGHT", "quiet_until", "both ends, or none")
        raise HalfANight("Quiet hours have a beginning and an end.", errors=(wrong,))
    told = said.model_dump(mode="json")
    columns = {**said.model_dump(), "zone": zone[:64]}
    Preference.objects.update_or_create(person_id=person_id, defaults=columns)
    record(subject=f"person:{person_id}", verb="quiet_hours_set", actor=by, at=at, source=source, detail=told)
