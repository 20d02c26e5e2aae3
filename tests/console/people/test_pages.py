"""Coming in, going out, and what is one's own."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from console.kit.actor import SYSTEM
from console.people import operations
from console.people.models import PersonalToken, SignInLink, User
from tests import factories

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery staple"


@pytest.fixture
def link(operator):
    return reverse("signin-link", args=[operations.issue_sign_in_link(name="ana", by=SYSTEM, at=now())])


@pytest.fixture
def admin(client):
    client.force_login(factories.person("ada", "admin"))
    return client


def signed_in(client):
    return "_auth_user_id" in client.session


def test_opening_a_link_signs_nobody_in(client, link):
    assert client.get(link).status_code == 200
    assert not signed_in(client)
    assert SignInLink.objects.get().used_at is None


def test_a_link_works_once(client, link):
    assert client.post(link)["Location"] == reverse("overview")
    assert signed_in(client)
    client.logout()
    spent = client.post(link)
    assert spent.status_code == 410
    assert "This link is spent" in spent.content.decode()
    assert not signed_in(client)


def test_a_link_never_made_says_no_more_than_a_spent_one(client, db):
    answer = client.post(reverse("signin-link", args=["nonsense"]))
    assert (answer.status_code, signed_in(client)) == (410, False)


def with_password(person):
    operations.set_password(person_id=person.pk, password=PASSWORD, by=SYSTEM, at=now())


def try_in(client, password, onward=""):
    return client.post(reverse("signin"), {"username": "ana", "password": password, "next": onward})


def test_name_and_password_let_a_person_in_and_on(client, operator):
    with_password(operator)
    assert try_in(client, PASSWORD, "/queue/")["Location"] == "/queue/"
    assert signed_in(client)


@pytest.mark.parametrize("onward", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_nobody_is_sent_to_another_site(client, operator, onward):
    with_password(operator)
    assert try_in(client, PASSWORD, onward)["Location"] == "/"


def test_a_wrong_password_says_no_more_than_that(client, operator):
    with_password(operator)
    answer = try_in(client, "wrong")
    assert answer.status_code == 403
    assert "do not belong together" in answer.content.decode()
    assert 'value="ana"' in answer.content.decode()


def test_too_many_wrong_passwords_close_the_name_for_a_while(client, operator, settings):
    with_password(operator)
    for _ in range(settings.AXES_FAILURE_LIMIT):
        answer = try_in(client, "wrong")
    assert answer.status_code == 429
    assert "Too many wrong passwords" in answer.content.decode()
    assert try_in(client, PASSWORD).status_code == 429
    assert not signed_in(client)


def test_signing_out_is_a_post(client, operator):
    client.force_login(operator)
    assert client.get(reverse("signout")).status_code == 405
    client.post(reverse("signout"))
    assert not signed_in(client)


@pytest.mark.parametrize("name", ["account", "people"])
def test_strangers_are_sent_to_the_sign_in_page(client, db, name):
    assert client.get(reverse(name))["Location"].startswith(reverse("signin"))


def test_language_and_zone_are_kept(client, operator):
    client.force_login(operator)
    client.post(reverse("account"), {"language": "zh-hans", "time_zone": "Asia/Shanghai"})
    operator.refresh_from_db()
    assert (operator.language, operator.time_zone) == ("zh-hans", "Asia/Shanghai")
    assert "语言与时间" in client.get(reverse("account")).content.decode()


def test_a_zone_that_does_not_exist_is_refused_by_name(client, operator):
    client.force_login(operator)
    answer = client.post(reverse("account"), {"language": "", "time_zone": "Mars/Olympus"}, follow=True)
    assert "Mars/Olympus" in answer.content.decode()
    operator.refresh_from_db()
    assert operator.time_zone == ""


def test_a_new_password_keeps_the_session_and_a_weak_one_is_refused(client, operator):
    client.force_login(operator)
    assert "too short" in client.post(reverse("account"), {"password": "short"}, follow=True).content.decode()
    client.post(reverse("account"), {"password": PASSWORD})
    assert signed_in(client)
    assert client.get(reverse("account")).status_code == 200
    assert User.objects.get(pk=operator.pk).check_password(PASSWORD)


def test_a_token_is_shown_once(client, operator):
    client.force_login(operator)
    html = client.post(reverse("make-token"), {"label": "my <b>script</b>"}).content.decode()
    assert "sbp_" in html
    assert "my &lt;b&gt;script" in html
    again = client.get(reverse("account")).content.decode()
    assert html.split('id="new-token">')[1].split("<")[0] not in again


def test_only_ones_own_token_can_be_revoked(client, operator, rival):
    operations.issue_token(person_id=operator.pk, label="", by=SYSTEM, at=now())
    token = PersonalToken.objects.get()
    client.force_login(rival)
    client.post(reverse("revoke-token", args=[token.pk]))
    assert PersonalToken.objects.get().revoked_at is None
    client.force_login(operator)
    client.post(reverse("revoke-token", args=[token.pk]))
    assert PersonalToken.objects.get().revoked_at is not None


def test_the_language_button_works_for_everybody(client, operator):
    client.post(reverse("language"), {"language": "zh-hans", "next": "/signin/"})
    assert "登录" in client.get(reverse("signin")).content.decode()
    client.force_login(operator)
    client.post(reverse("language"), {"language": "en"})
    operator.refresh_from_db()
    assert operator.language == "en"
    assert client.post(reverse("language"), {"language": "tlh"}).status_code == 302


def test_an_admin_invites_and_the_link_is_shown_once(admin):
    html = admin.post(
        reverse("people"), {"invite": "", "name": "kim", "roles": ["operator", "nonsense"]}
    ).content
    assert b"/signin/" in html
    assert set(User.objects.get(username="kim").groups.values_list("name", flat=True)) == {"operator"}
    again = admin.post(reverse("people"), {"link": "", "name": "kim"}).content.decode()
    assert "kim" in again
    assert (
        "There is no person"
        in admin.post(reverse("people"), {"link": "", "name": "x"}, follow=True).content.decode()
    )


def test_inviting_a_name_that_is_taken_changes_nothing(admin):
    kim = factories.person("kim", "operator")
    answer = admin.post(reverse("people"), {"invite": "", "name": "kim", "roles": ["sre"]}, follow=True)
    assert "There is a person called" in answer.content.decode()
    assert "/signin/" not in answer.content.decode()
    assert set(kim.groups.values_list("name", flat=True)) == {"operator"}


def test_an_admin_sets_roles_deactivates_and_reactivates(admin):
    kim = factories.person("kim", "operator")
    admin.post(reverse("person-change", args=[kim.pk, "roles"]), {"roles": ["sre", "nonsense"]})
    assert set(kim.groups.values_list("name", flat=True)) == {"sre"}
    page = admin.post(reverse("person-change", args=[kim.pk, "deactivate"]), follow=True).content.decode()
    assert "0 cases were given back" in page
    assert "Reactivate" in page
    admin.post(reverse("person-change", args=[kim.pk, "reactivate"]))
    kim.refresh_from_db()
    assert kim.is_active
    assert admin.post(reverse("person-change", args=[kim.pk, "crown"])).status_code == 404


def test_an_open_page_of_somebody_deactivated_is_signed_out(admin, operator):
    theirs = Client()
    theirs.force_login(operator)
    admin.post(reverse("person-change", args=[operator.pk, "deactivate"]))
    assert theirs.get(reverse("people")).status_code == 302
    admin.post(reverse("person-change", args=[operator.pk, "reactivate"]))
    assert theirs.get(reverse("people")).status_code == 302


def test_nobody_but_an_admin_changes_people(client, operator):
    client.force_login(operator)
    rival = factories.person("rival", "operator")
    for verb in ("roles", "deactivate", "reactivate"):
        answer = client.post(reverse("person-change", args=[rival.pk, verb]), follow=True)
        assert "Only an admin" in answer.content.decode()
    rival.refresh_from_db()
    assert rival.is_active
    assert rival.groups.exists()


def test_nobody_else_invites(client, operator):
    client.force_login(operator)
    answer = client.post(reverse("people"), {"invite": "", "name": "kim"}, follow=True)
    assert "Only an admin" in answer.content.decode()
    assert not User.objects.filter(username="kim").exists()
    assert "New sign-in link" not in client.get(reverse("people")).content.decode()
