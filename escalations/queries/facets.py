"""What a view of the queue can be narrowed by, with how many cases each choice has; one statement for each facet."""

from datetime import datetime

from django.db.models import Count

from escalations.queries.queue import COLUMNS, listed
from escalations.queries.shapes.many import Facet
from escalations.vocabulary import View

FACETS = ("queue", "severity", "class", "tool", "agent")
MOST_VALUES = 8


def facets(*, view: View, person_id: str, at: datetime, search: str) -> tuple[Facet, ...]:
    """Give the facets that tell cases of this view and filter apart; one with a single value tells nothing."""
    rows = listed(view=view, person_id=person_id, at=at, search=search)
    found = []
    for name in FACETS:
        column = COLUMNS[name]
        counted = rows.exclude(**{column: ""}).values(column).annotate(n=Count("id"))
        values = tuple((row[column], row["n"]) for row in counted.order_by("-n", column)[:MOST_VALUES])
        found.append(Facet(name=name, values=values))
    return tuple(facet for facet in found if len(facet.values) > 1)
