"""What people have said about tools, read for whoever judges calls."""

from telemetry.domain.fingerprints import Rule
from telemetry.models import FingerprintRule
from telemetry.operations.prepare import Knowledge
from telemetry.queries.tool import not_found_overrides


def what_is_known() -> Knowledge:
    """Give what matters for judging a call: two statements."""
    words = ("contains", "title", "tool", "failure_class", "code", "pk")
    rules = FingerprintRule.objects.order_by("pk").values_list(*words)
    return Knowledge(not_found_overrides(), tuple(Rule(*row) for row in rules))
