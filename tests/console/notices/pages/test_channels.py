"""The pages of channels: made, changed and tested by forms; what was typed stays where it is not taken."""

import pytest

from console.notices.models import Channel, Delivery, Preference
from tests import factories
from tests.console.notices.rows import actor, channel

pytestmark = pytest.mark.django_db
HOSTILE = '"><script>alert(1)</script>'


@pytest.fixture
def mine(client, operator):
    client.force_login(operator)
    return client


@pytest.fixture
def admin(client):
    client.force_login(factories.person("root", "admin"))
    return client


def form(**more):
    return {
        "name": "mail",
        "address": "ana@example.com",
        "topics": ["case_due"],
        "queues": "",
        "digest_minutes": "0",
    } | more


def test_without_a_channel_the_page_says_that_nothing_is_sent(mine):
    page = mine.get("/account/notifications/")
    assert page.status_code == 200
    assert "Nothing is sent to you" in page.content.decode()


@pytest.mark.parametrize("kind", ["email", "slack", "webhook", "browser"])
def test_each_kind_has_a_form_with_what_most_people_want(mine, kind):
    text = mine.get(f"/channels/new/{kind}/").content.decode()
    assert 'value="case_assigned" checked' in text
    assert ('name="address"' in text) == (kind != "browser")


def test_a_channel_is_added_and_stands_on_the_page(mine, settings):
    settings.EMAIL_HOST = "mail.example.com"
    answer = mine.post("/channels/new/email/", form(queues="refunds, 旅行，x", digest_minutes="30"))
    assert (answer.status_code, answer["Location"]) == (302, "/account/notifications/")
    row = Channel.objects.get()
    assert (row.queues, row.digest_minutes) == (["refunds", "x", "旅行"], 30)
    text = mine.get("/account/notifications/").content.decode()
    assert "ana@example.com" in text
    assert "one message every 30 minutes" in text
    assert "not set up" not in text


def test_a_channel_speaks_the_language_of_the_page_it_was_set_up_on(mine):
    mine.cookies["django_language"] = "zh-hans"
    mine.post("/channels/new/email/", form())
    assert Channel.objects.get().language == "zh-hans"


def test_mail_that_this_server_cannot_send_is_said_to_be_not_set_up(mine, operator):
    channel("email", "ana@example.com", by=actor(operator))
    assert "not set up" in mine.get("/account/notifications/").content.decode()


def test_what_was_typed_stays_with_the_reason_why_it_was_not_taken(mine):
    page = mine.post(
        "/channels/new/slack/", form(name=HOSTILE, address="http://10.0.0.1/hook", queues="a, b")
    )
    text = page.content.decode()
    assert page.status_code == 422
    assert not Channel.objects.exists()
    assert "WEBHOOK_NETWORKS" in text
    assert "http://10.0.0.1/hook" in text
    assert 'value="a, b"' in text
    assert 'value="case_due" checked' in text
    assert HOSTILE not in text


def test_a_webhooks_secret_is_shown_once(mine):
    page = mine.post("/channels/new/webhook/", form(address="https://hooks.example.com/x"))
    secret = Channel.objects.get().secret
    assert secret in page.content.decode()
    assert secret not in mine.get("/account/notifications/").content.decode()


def test_a_change_on_an_old_page_is_refused_with_what_was_typed(mine, operator):
    name = channel("email", "ana@example.com", by=actor(operator))
    assert mine.get(f"/channels/{name}/").status_code == 200
    assert mine.post(f"/channels/{name}/", form(base_version="1", name="one")).status_code == 302
    late = mine.post(f"/channels/{name}/", form(base_version="1", name="two"))
    assert (late.status_code, Channel.objects.get().name) == (409, "one")
    assert 'value="two"' in late.content.decode()


def test_buttons_test_pause_resume_and_remove(mine, operator):
    name = channel(by=actor(operator))
    assert mine.post(f"/channels/{name}/test/").status_code == 302
    assert Delivery.objects.count() == 1
    mine.post(f"/channels/{name}/pause/")
    assert "paused" in mine.get("/account/notifications/").content.decode()
    mine.post(f"/channels/{name}/resume/")
    assert Channel.objects.get().paused_at is None
    mine.post(f"/channels/{name}/remove/")
    assert Channel.objects.get().removed_at is not None
    assert mine.post(f"/channels/{name}/test/").status_code == 404
    assert mine.get(f"/channels/{name}/pause/").status_code == 405


def test_an_address_that_is_no_verb_or_kind_is_not_there(mine, operator):
    name = channel(by=actor(operator))
    assert mine.post(f"/channels/{name}/explode/").status_code == 404
    assert mine.get("/channels/new/pigeon/").status_code == 404


def test_teams_channels_are_looked_at_by_all_and_changed_by_administrators(mine):
    name = channel(name="desk")
    text = mine.get("/channels/").content.decode()
    assert "desk" in text
    assert "Send a test" not in text
    assert mine.get("/channels/new/slack/?team").status_code == 403
    assert mine.get(f"/channels/{name}/").status_code == 403
    assert mine.post(f"/channels/{name}/remove/").status_code == 403


def test_an_administrator_adds_one_for_a_team(admin):
    assert "case_assigned" not in admin.get("/channels/new/slack/?team").content.decode()
    said = form(address="https://hooks.example.com/x", language="zh-hans")
    answer = admin.post("/channels/new/slack/?team", said)
    assert (answer.status_code, answer["Location"]) == (302, "/channels/")
    row = Channel.objects.get()
    assert (row.person_id, row.language) == (None, "zh-hans")
    assert "Send a test" in admin.get("/channels/").content.decode()


def test_quiet_hours_are_kept_and_half_of_them_refused(mine, operator):
    said = {"quiet_from": "22:00", "quiet_until": "07:00", "urgent_at_once": "on"}
    assert mine.post("/account/notifications/", said, HTTP_COOKIE="tz=Asia/Shanghai").status_code in {
        302,
        403,
    }
    mine.post("/account/notifications/", said)
    assert 'value="22:00"' in mine.get("/account/notifications/").content.decode()
    mine.post("/account/notifications/", {"quiet_from": "22:00"})
    mine.post("/account/notifications/", {"quiet_from": "x", "quiet_until": "y"})
    assert Preference.objects.get().quiet_until.isoformat() == "07:00:00"
    mine.post("/account/notifications/", {"quiet_from": "", "quiet_until": ""})
    assert Preference.objects.get().quiet_from is None


def test_a_page_costs_the_same_for_one_channel_and_for_many(mine, operator, django_assert_max_num_queries):
    for _number in range(5):
        channel(by=actor(operator))
    with django_assert_max_num_queries(14):
        mine.get("/account/notifications/")


def test_strangers_are_sent_to_the_door(client):
    for path in ("/account/notifications/", "/channels/", "/outbox/", "/channels/new/slack/"):
        assert client.get(path)["Location"].startswith("/signin/")
