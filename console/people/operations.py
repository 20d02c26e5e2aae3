"""Every write about people: who there is and with which roles, sign-in links, tokens, preferences."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import Group
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

import escalations.operations
from console.audit.operations import record
from console.kit import hints
from console.kit.actor import SYSTEM, Actor, ActorKind
from console.kit.refusal import FieldError, Kind, Refused
from console.notices.announce import person_group
from console.people.models import PersonalToken, SignInLink, User
from console.people.roles import Role

LINK_LIFE = timedelta(hours=24)
FIRST_NAME = "operator"
TOKEN_PREFIX = "sbp_"  # a prefix people recognise, not a secret


class LinkSpent(Refused):
    """The link was used, has expired, or never was."""

    kind, code = Kind.GONE, "LINK_SPENT"


class NoSuchPerson(Refused):
    """There is no person of that name."""

    kind, code = Kind.MISSING, "NO_SUCH_PERSON"


class BadName(Refused):
    """Nobody can be called that."""

    kind, code = Kind.INVALID, "BAD_NAME"


class NameTaken(Refused):
    """Somebody is called that already; inviting changes nobody's roles."""

    kind, code = Kind.CONFLICT, "NAME_TAKEN"


class LastAdmin(Refused):
    """Without them nobody could invite, deactivate or make keys any more."""

    kind, code = Kind.CONFLICT, "LAST_ADMIN"


class NotOneself(Refused):
    """Whoever shuts themselves out by mistake has nobody to ask."""

    kind, code = Kind.FORBIDDEN, "NOT_ONESELF"


class WeakPassword(Refused):
    """The password breaks a rule of the house."""

    kind, code = Kind.INVALID, "WEAK_PASSWORD"


@transaction.atomic(durable=True)
def ensure_first_operator(*, at: datetime) -> str | None:
    """Create the first person, with every role, where nobody exists; give the name, or None where people exist."""
    if User.objects.exists():
        return None
    person = User.objects.create(username=FIRST_NAME)
    person.set_unusable_password()
    person.save(update_fields=["password"])
    person.groups.set([Group.objects.get_or_create(name=role.value)[0] for role in Role])
    record(subject=f"person:{person.pk}", verb="created", actor=SYSTEM, at=at, detail={"name": FIRST_NAME})
    return FIRST_NAME


@transaction.atomic(durable=True)
def create_person(*, name: str, roles: frozenset[Role], by: Actor, at: datetime) -> int:
    """Create a person without a password; they enter by a sign-in link. Give their id. A name is one person's."""
    if not name.strip() or not name.isprintable():
        raise BadName("A person needs a name of characters that can be read.")
    if User.objects.filter(username=name).exists():
        raise NameTaken(f"There is a person called {name!r} already. Their roles are changed in the list.")
    person = User(username=name)
    person.set_unusable_password()
    person.save(force_insert=True)
    _give(person, roles)
    told: dict[str, object] = {"name": name, "roles": sorted(roles)}
    record(subject=f"person:{person.pk}", verb="created", actor=by, at=at, detail=told)
    return person.pk


@transaction.atomic(durable=True)
def set_roles(*, person_id: int, roles: frozenset[Role], by: Actor, at: datetime) -> None:
    """Give a person these roles and no others; an active admin always remains."""
    person = _locked(person_id)
    held = set(person.groups.values_list("name", flat=True))
    if held == set(roles):
        return
    if Role.ADMIN in held and Role.ADMIN not in roles:
        _insist_on_another_admin(person)
    _give(person, roles)
    told: dict[str, object] = {"name": person.username, "roles": sorted(roles)}
    record(subject=f"person:{person_id}", verb="roles_set", actor=by, at=at, detail=told)


@transaction.atomic(durable=True)
def _shut_out(*, person_id: int, by: Actor, at: datetime) -> None:
    """Close every way in, in one transaction: sessions, links, tokens and the password."""
    person = _locked(person_id)
    if str(person.pk) == by.id and by.is_person:
        raise NotOneself("Nobody deactivates themselves; another admin can.")
    if not person.is_active:
        return
    if person.groups.filter(name=Role.ADMIN).exists():
        _insist_on_another_admin(person)
    person.is_active = False
    person.set_unusable_password()  # every session is signed with it, so none of them is good any more
    person.save(update_fields=["is_active", "password"])
    SignInLink.objects.filter(person=person, used_at__isnull=True).update(used_at=at)
    PersonalToken.objects.filter(person=person, revoked_at__isnull=True).update(revoked_at=at)
    record(
        subject=f"person:{person_id}", verb="deactivated", actor=by, at=at, detail={"name": person.username}
    )
    transaction.on_commit(lambda: hints.send(person_group(person_id), {"type": "signed.out"}), robust=True)


def deactivate(*, person_id: int, by: Actor, at: datetime) -> int:
    """Shut a person out, then free what they hold, case by case; give how many. What they did keeps their name.

    A second time frees what a first one that was cut off has left.
    """
    _shut_out(person_id=person_id, by=by, at=at)
    freed = 0
    while escalations.operations.free_one_of(person_id=str(person_id), by=by, at=at):
        freed += 1
    return freed


@transaction.atomic(durable=True)
def reactivate(*, person_id: int, by: Actor, at: datetime) -> None:
    """Let a person in again, with the roles they had; they enter by a new link."""
    person = _locked(person_id)
    if not person.is_active:
        person.is_active = True
        person.save(update_fields=["is_active"])
        told: dict[str, object] = {"name": person.username}
        record(subject=f"person:{person_id}", verb="reactivated", actor=by, at=at, detail=told)


@transaction.atomic(durable=True)
def issue_sign_in_link(*, name: str, by: Actor, at: datetime, life: timedelta = LINK_LIFE) -> str:
    """Make a one-time token for a person and give it; only its hash stays here."""
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None:
        raise NoSuchPerson(f"There is no person called {name!r}.")
    token = secrets.token_urlsafe(32)
    SignInLink.objects.create(token_hash=_hash(token), person=person, made_at=at, expires_at=at + life)
    record(subject=f"person:{person.pk}", verb="sign_in_link_made", actor=by, at=at)
    return token


@transaction.atomic(durable=True)
def redeem(*, token: str, at: datetime) -> User:
    """Spend a link and give its person. Compare-and-set: of two clicks at once, one gets in."""
    links = SignInLink.objects.filter(token_hash=_hash(token), used_at__isnull=True, expires_at__gt=at)
    if not links.update(used_at=at):
        raise LinkSpent("This sign-in link was used already or has expired. Ask for a new one.")
    person = SignInLink.objects.select_related("person").get(token_hash=_hash(token)).person
    actor = Actor(ActorKind.PERSON, str(person.pk), person.username)
    record(subject=f"person:{person.pk}", verb="signed_in_by_link", actor=actor, at=at)
    return person


@transaction.atomic(durable=True)
def set_preferences(*, person_id: int, language: str, time_zone: str, at: datetime, by: Actor) -> None:
    """Keep a person's language and time zone; blank means the browser's."""
    User.objects.filter(pk=person_id).update(language=language, time_zone=time_zone)
    record(
        subject=f"person:{person_id}",
        verb="preferences_set",
        actor=by,
        at=at,
        detail={"language": language, "time_zone": time_zone},
    )


@transaction.atomic(durable=True)
def set_password(*, person_id: int, password: str, by: Actor, at: datetime) -> User:
    """Set a person's password and give the person; refuse one that breaks the house's rules."""
    person = User.objects.select_for_update().get(pk=person_id)
    try:
        validate_password(password, person)
    except ValidationError as exc:
        errors = tuple(FieldError("WEAK_PASSWORD", "password", text) for text in exc.messages)
        raise WeakPassword(" ".join(exc.messages), errors=errors) from exc
    person.set_password(password)
    person.save(update_fields=["password"])
    record(subject=f"person:{person_id}", verb="password_set", actor=by, at=at)
    return person


@transaction.atomic(durable=True)
def issue_token(*, person_id: int, label: str, by: Actor, at: datetime) -> str:
    """Make a personal token for the REST verbs and give it, once."""
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    PersonalToken.objects.create(
        token_hash=_hash(token), prefix=token[:12], label=label, person_id=person_id, made_at=at
    )
    record(subject=f"person:{person_id}", verb="token_made", actor=by, at=at, detail={"label": label})
    return token


@transaction.atomic(durable=True)
def revoke_token(*, token_id: int, person_id: int, by: Actor, at: datetime) -> None:
    """Revoke a person's own token; a second time changes nothing."""
    mine = PersonalToken.objects.filter(pk=token_id, person_id=person_id, revoked_at__isnull=True)
    if mine.update(revoked_at=at):
        record(
            subject=f"person:{person_id}", verb="token_revoked", actor=by, at=at, detail={"token": token_id}
        )


def person_of_token(*, token: str, at: datetime) -> User | None:
    """Give the active person whose live token this is, or None."""
    row = PersonalToken.objects.select_related("person").filter(
        token_hash=_hash(token), revoked_at__isnull=True
    )
    found = row.first()
    if (
        found is None
        or not found.person.is_active
        or (found.expires_at is not None and found.expires_at <= at)
    ):
        return None
    return found.person


def _locked(person_id: int) -> User:
    """Give a person, with all admins locked: of two that would leave the house without one, the second sees the first."""
    admins = User.objects.filter(groups__name=Role.ADMIN).values("pk")
    wanted = User.objects.select_for_update().filter(Q(pk=person_id) | Q(pk__in=admins))
    person = {one.pk: one for one in wanted.order_by("pk")}.get(person_id)
    if person is None:
        raise NoSuchPerson("There is no such person.")
    return person


def _insist_on_another_admin(person: User) -> None:
    others = User.objects.filter(is_active=True, groups__name=Role.ADMIN).exclude(pk=person.pk)
    if not others.exists():
        raise LastAdmin(f"{person.username} is the last admin. Make somebody else one first.")


def _give(person: User, roles: frozenset[Role]) -> None:
    person.groups.set([Group.objects.get_or_create(name=role.value)[0] for role in sorted(roles)])


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
