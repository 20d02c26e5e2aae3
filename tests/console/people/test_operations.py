"""People get in by a link that works once; every write about them is in the audit."""

from datetime import UTC, datetime, timedelta

import pytest

from console.audit.queries import entries
from console.kit.actor import SYSTEM
from console.people import operations
from console.people.models import SignInLink, User

AT = datetime(2026, 11, 30, 14, 6, 31, tzinfo=UTC)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def first():
    return operations.ensure_first_operator(at=AT)


def test_the_first_person_has_every_role_and_no_password(first):
    person = User.objects.get(username=first)
    assert set(person.groups.values_list("name", flat=True)) == {"operator", "sre", "admin"}
    assert not person.has_usable_password()


def test_where_people_exist_nobody_is_made(first):
    assert operations.ensure_first_operator(at=AT) is None
    assert User.objects.count() == 1


def test_a_link_lets_its_person_in_once(first):
    token = operations.issue_sign_in_link(name=first, by=SYSTEM, at=AT)
    assert operations.redeem(token=token, at=AT).username == first
    with pytest.raises(operations.LinkSpent):
        operations.redeem(token=token, at=AT)


def test_a_link_has_an_end(first):
    token = operations.issue_sign_in_link(name=first, by=SYSTEM, at=AT, life=timedelta(hours=1))
    with pytest.raises(operations.LinkSpent):
        operations.redeem(token=token, at=AT + timedelta(hours=1))


def test_only_the_hash_of_a_link_is_kept(first):
    token = operations.issue_sign_in_link(name=first, by=SYSTEM, at=AT)
    assert token not in str(SignInLink.objects.values().get())


def test_a_link_for_nobody_is_refused():
    with pytest.raises(operations.NoSuchPerson):
        operations.issue_sign_in_link(name="nobody", by=SYSTEM, at=AT)


def test_a_token_speaks_for_its_person_until_it_is_revoked(first):
    person = User.objects.get(username=first)
    token = operations.issue_token(person_id=person.pk, label="laptop", by=SYSTEM, at=AT)
    assert operations.person_of_token(token=token, at=AT) == person
    operations.revoke_token(token_id=person.tokens.get().pk, person_id=person.pk, by=SYSTEM, at=AT)
    assert operations.person_of_token(token=token, at=AT) is None


def test_a_token_of_somebody_who_left_is_worth_nothing(first):
    person = User.objects.get(username=first)
    token = operations.issue_token(person_id=person.pk, label="laptop", by=SYSTEM, at=AT)
    User.objects.update(is_active=False)
    assert operations.person_of_token(token=token, at=AT) is None


def test_every_write_about_people_has_one_entry(first):
    token = operations.issue_sign_in_link(name=first, by=SYSTEM, at=AT)
    person = operations.redeem(token=token, at=AT)
    operations.set_preferences(
        person_id=person.pk, language="zh-hans", time_zone="Asia/Shanghai", at=AT, by=SYSTEM
    )
    verbs = [entry.verb for entry in reversed(entries().rows)]
    assert verbs == ["created", "sign_in_link_made", "signed_in_by_link", "preferences_set"]
