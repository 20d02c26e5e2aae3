"""Whether an answer was cut off on its way: JSON that ends in the middle, fewer bytes than announced."""

from telemetry.domain.classification.plain import PARSE_LIMIT, integer
from telemetry.domain.classification.sight import Sight


def is_truncated(sight: Sight) -> bool:
    """True for a text that was to be JSON and breaks off, where nobody says that it was cut on purpose."""
    text = sight.text
    if (
        not text
        or sight.html
        or not sight.evidence.complete
        or (sight.status or 0) >= 400
        or isinstance(sight.body, dict | list)
        or len(text) > PARSE_LIMIT
    ):
        return False
    announced = integer(sight.headers.get("content-length", ""))
    short = announced is not None and announced > len(text.encode("utf-8", "surrogatepass")) + 2
    json_like = "json" in sight.headers.get("content-type", "") and text.lstrip()[:1] in {"{", "["}
    return json_like and (short or not text.rstrip().endswith(("}", "]")))
