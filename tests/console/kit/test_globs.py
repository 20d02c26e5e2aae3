"""Stars, asked of the database."""

import pytest

import console.kit.globs  # noqa: F401  # brings the lookups
from escalations.models import Case
from tests.escalations import made


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"title__glob": "50%_!\\*"}, True),
        ({"title__glob": "*!*"}, True),
        ({"title__glob": "50__*"}, False),
        ({"title__glob": "*off"}, True),
        ({"title__iglob": "*OFF"}, True),
        ({"title__glob": "50"}, False),
    ],
)
def test_the_database_finds_what_the_stars_stand_for(asked, found):
    made.opened(title="50%_!\\ off")
    assert Case.objects.filter(**asked).exists() is found
    assert Case.objects.exclude(**asked).exists() is not found
