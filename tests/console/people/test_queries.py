"""What is read about people."""

import pytest
from django.utils.timezone import now

from console.kit.actor import SYSTEM
from console.people import operations, queries
from tests import factories

pytestmark = pytest.mark.django_db


def test_only_live_tokens_of_the_person_are_listed(operator, rival):
    for label in ("one", "two"):
        operations.issue_token(person_id=operator.pk, label=label, by=SYSTEM, at=now())
    first = queries.tokens_of(person_id=operator.pk)[-1]
    operations.revoke_token(token_id=first.id, person_id=operator.pk, by=SYSTEM, at=now())
    assert [token.label for token in queries.tokens_of(person_id=operator.pk)] == ["two"]
    assert queries.tokens_of(person_id=rival.pk) == ()


def test_everybody_is_listed_by_name_with_roles():
    factories.person("zoe", "sre", "admin")
    factories.person("bo")
    assert [(person.name, person.roles) for person in queries.everybody()] == [
        ("bo", ()),
        ("zoe", ("admin", "sre")),
    ]


def test_nobody_has_entered_until_somebody_has(client, operator):
    assert not queries.anybody_entered()
    client.force_login(operator)
    assert queries.anybody_entered()
