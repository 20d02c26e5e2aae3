"""People get in by a link that works once; every write about them is in the audit."""

from datetime import UTC, datetime, timedelta

import pytest

import escalations.operations
from console.audit.queries import entries
from console.kit.actor import SYSTEM, Actor, ActorKind
from console.people import operations
from console.people.models import SignInLink, User
from console.people.roles import Role
from escalations.models import Case
from tests.escalations import made as cases

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


def admin():
    return User.objects.get(pk=operations.create_person(name="ada", roles=frozenset(Role), by=SYSTEM, at=AT))


def actor(person):
    roles = frozenset(person.groups.values_list("name", flat=True))
    return Actor(ActorKind.PERSON, str(person.pk), person.username, roles)


def test_a_name_is_one_persons_and_inviting_it_again_changes_no_roles(first):
    with pytest.raises(operations.NameTaken):
        operations.create_person(name=first, roles=frozenset(), by=SYSTEM, at=AT)
    assert User.objects.get().groups.count() == 3


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x00"])
def test_a_name_can_be_read(name):
    with pytest.raises(operations.BadName):
        operations.create_person(name=name, roles=frozenset(), by=SYSTEM, at=AT)


def test_whoever_is_deactivated_has_no_way_in_left_and_none_comes_back_by_itself(first):
    ada = admin()
    person = User.objects.get(username=first)
    operations.set_password(person_id=person.pk, password="correct horse battery", by=SYSTEM, at=AT)
    link = operations.issue_sign_in_link(name=first, by=SYSTEM, at=AT)
    token = operations.issue_token(person_id=person.pk, label="x", by=SYSTEM, at=AT)
    before = User.objects.get(pk=person.pk).get_session_auth_hash()
    operations.deactivate(person_id=person.pk, by=actor(ada), at=AT)
    operations.reactivate(person_id=person.pk, by=actor(ada), at=AT)
    with pytest.raises(operations.LinkSpent):
        operations.redeem(token=link, at=AT)
    assert operations.person_of_token(token=token, at=AT) is None
    again = User.objects.get(pk=person.pk)
    assert again.get_session_auth_hash() != before
    assert not again.has_usable_password()
    assert again.groups.count() == 3
    verbs = [entry.verb for entry in entries(subject=f"person:{person.pk}").rows]
    assert verbs[:2] == ["reactivated", "deactivated"]


def test_the_last_admin_stays_one_and_stays(first):
    person = User.objects.get(username=first)
    with pytest.raises(operations.LastAdmin):
        operations.deactivate(person_id=person.pk, by=SYSTEM, at=AT)
    with pytest.raises(operations.LastAdmin):
        operations.set_roles(person_id=person.pk, roles=frozenset({Role.SRE}), by=SYSTEM, at=AT)
    ada = admin()
    operations.deactivate(person_id=person.pk, by=SYSTEM, at=AT)
    with pytest.raises(operations.LastAdmin):  # one who was deactivated counts for nothing
        operations.set_roles(person_id=ada.pk, roles=frozenset(), by=SYSTEM, at=AT)


def test_nobody_deactivates_themselves(first):
    admin()
    person = User.objects.get(username=first)
    with pytest.raises(operations.NotOneself):
        operations.deactivate(person_id=person.pk, by=actor(person), at=AT)
    with pytest.raises(operations.NoSuchPerson):
        operations.deactivate(person_id=10**9, by=SYSTEM, at=AT)


def test_what_somebody_held_or_was_given_is_free_again_by_the_name_of_who_let_them_go(first):
    ada = admin()
    ben = User.objects.get(
        pk=operations.create_person(name="ben", roles=frozenset({Role.OPERATOR}), by=SYSTEM, at=AT)
    )
    held, given, others = (cases.opened(key=key, at=AT) for key in ("held", "given", "others"))
    escalations.operations.claim(case_id=held.id, by=actor(ben), at=AT)
    escalations.operations.claim(case_id=others.id, by=actor(ada), at=AT)
    escalations.operations.assign(case_id=given.id, to="ben", by=actor(ada), at=AT)
    assert operations.deactivate(person_id=ben.pk, by=actor(ada), at=AT) == 2
    rows = {case.pk: case for case in Case.objects.all()}
    assert rows[held.id].holder_id == ""
    assert rows[given.id].assignee_id == ""
    assert rows[others.id].holder_id == str(ada.pk)
    last = entries(subject=f"case:{rows[held.id].number}").rows[0]
    assert (last.verb, last.actor_name) == ("released", "ada")
    assert operations.deactivate(person_id=ben.pk, by=actor(ada), at=AT) == 0
