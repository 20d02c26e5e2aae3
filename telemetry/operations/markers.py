"""Deploys, told by whoever deploys: lines on charts, and the first thing to look at beside a spike."""

from datetime import datetime, timedelta

from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor, ActorKind
from console.kit.clean import clean_text
from console.kit.refusal import FieldError, Kind, Refused
from telemetry import announce
from telemetry.models import Marker

FURTHEST_AHEAD = timedelta(minutes=5)
OLDEST = timedelta(days=90)


class BadMarker(Refused):
    """A deploy without a name, or at a moment that no chart shows."""

    kind, code = Kind.INVALID, "BAD_MARKER"


@transaction.atomic(durable=True)
def mark_deploy(
    *,
    name: str,
    version: str = "",
    tool: str = "",
    url: str = "",
    deployed_at: datetime | None = None,
    by: Actor,
    at: datetime,
) -> tuple[int, bool]:
    """Note a deploy, once however often it is told; give its id and whether it was new."""
    moment, called = deployed_at or at, clean_text(name.strip(), limit=200)
    wrong = []
    if not called:
        wrong.append(FieldError("EMPTY", "name", "what was deployed"))
    if not at - OLDEST <= moment <= at + FURTHEST_AHEAD:
        wrong.append(
            FieldError(
                "RANGE", "at", f"not in the future, at most {OLDEST.days} days ago", moment.isoformat()
            )
        )
    if url and not url.startswith(("https://", "http://")):
        wrong.append(FieldError("URL", "url", "an http or https address", url[:200]))
    if wrong:
        raise BadMarker("This deploy cannot be shown.", errors=tuple(wrong))
    told = {"tool": clean_text(tool, limit=200), "url": clean_text(url, limit=500), "made_at": at}
    told |= {"made_by": by.name[:160], "agent_id": int(by.id) if by.kind is ActorKind.AGENT else None}
    marker, new = Marker.objects.get_or_create(
        at=moment, name=called, version=clean_text(version.strip(), limit=128), defaults=told
    )
    if new:
        detail: dict[str, object] = {"name": called, "version": marker.version, "at": moment.isoformat()}
        record(subject=f"deploy:{marker.pk}", verb="marked", actor=by, at=at, after=detail, detail=detail)
        announce.calls_on_commit(at=at)
    return marker.pk, new
