"""The small types that every wire model here is made of: bounded texts, names, times."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, Field, JsonValue, StringConstraints

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)


def in_range(when: datetime) -> datetime:
    """Give the time in UTC, or refuse what no database and no time zone can carry."""
    if not EARLIEST <= when <= LATEST:
        raise ValueError("must lie between the years 1970 and 9000")
    return when.astimezone(UTC)


When = Annotated[AwareDatetime, AfterValidator(in_range)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
Key = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]+$")]
Line = Annotated[str, StringConstraints(max_length=300)]
Text = Annotated[str, StringConstraints(max_length=20_000)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Duration = Annotated[float, Field(ge=0, le=1e10)]
Json = JsonValue
Object = dict[str, JsonValue]
