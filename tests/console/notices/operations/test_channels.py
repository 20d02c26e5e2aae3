"""Channels are made and changed by whom they belong to, each time with an entry that holds no secret."""

import ipaddress

import pytest

from console.audit.models import AuditEntry
from console.audit.queries import history
from console.kit.actor import Actor, ActorKind
from console.kit.refusal import Refused
from console.notices import contract, operations
from console.notices.domain import addresses, permissions
from console.notices.models import Channel, Delivery
from console.notices.operations.channels import ChangedMeanwhile, OneBrowserIsEnough
from console.notices.vocabulary import ChannelKind, State, Topic
from tests.console.notices.rows import ADMIN, actor, addressed, channel, notice
from tests.factories import NOON

pytestmark = pytest.mark.django_db
SLACK = "https://hooks.slack.com/services/T000/B000/secret-part-x9Zk"


def changed(channel_id, *, by=ADMIN, base_version=1, **more):
    said = contract.ChangedChannel(
        **{"name": "new", "topics": [Topic.CASE_DUE], "base_version": base_version} | more
    )
    return operations.change_channel(channel_id=channel_id, said=said, by=by, at=NOON)


def test_a_webhooks_secret_is_told_once_and_its_address_never_whole():
    said = contract.NewChannel(kind=ChannelKind.WEBHOOK, name="w", address=SLACK, topics=[], team=True)
    made = operations.add_channel(said=said, by=ADMIN, at=NOON)
    assert len(made.secret) > 30
    assert made.line.address == "https://hooks.slack.com/…x9Zk"
    assert made.secret not in repr(made.line)


def test_no_entry_of_the_audit_holds_an_address_or_a_secret():
    name = channel("slack", SLACK)
    changed(name, address=SLACK + "2")
    operations.pause_channel(channel_id=name, paused=True, by=ADMIN, at=NOON)
    operations.pause_channel(channel_id=name, paused=True, by=ADMIN, at=NOON)
    operations.pause_channel(channel_id=name, paused=False, by=ADMIN, at=NOON)
    operations.remove_channel(channel_id=name, by=ADMIN, at=NOON)
    verbs = [entry.verb for entry in history(subject=f"channel:{name}")]
    assert verbs == [
        "channel_made",
        "channel_changed",
        "channel_paused",
        "channel_resumed",
        "channel_removed",
    ]
    assert "secret-part" not in repr(
        list(AuditEntry.objects.values_list("detail", "subject", "before", "after"))
    )


def test_an_address_that_is_left_out_or_repeated_as_it_was_shown_stays():
    name = channel("slack", SLACK)
    line = changed(name)
    changed(name, base_version=line.version, address=line.address)
    assert Channel.objects.get().address == SLACK


def test_a_change_on_an_old_version_is_refused():
    name = channel()
    changed(name)
    with pytest.raises(ChangedMeanwhile):
        changed(name)


def test_a_removed_channel_leaves_its_log_and_takes_its_address_with_it():
    name = channel("slack", SLACK)
    notice()
    addressed()
    operations.remove_channel(channel_id=name, by=ADMIN, at=NOON)
    assert (Channel.objects.get().address, Delivery.objects.get().state) == ("", State.DROPPED)
    with pytest.raises(permissions.NoSuchChannel):
        changed(name)
    notice()
    assert len(addressed()) == 1


@pytest.mark.parametrize("kind", ["email", "slack", "webhook"])
@pytest.mark.parametrize(
    "address", ["", "x", "a b@c.d", "ana@example.com\nBcc: b@c.d", "http://127.0.0.1/", "ftp://a.b/"]
)
def test_an_address_that_nothing_may_go_to_is_refused(kind, address):
    with pytest.raises(addresses.BadAddress):
        channel(kind, address)


def test_allowed_networks_may_be_posted_to(settings):
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    assert channel("slack", "http://127.0.0.1:8065/hooks/x")


def test_a_person_has_one_channel_for_all_their_browsers_and_a_team_has_none(operator):
    channel("browser", "", by=actor(operator))
    with pytest.raises(OneBrowserIsEnough):
        channel("browser", "", by=actor(operator))
    with pytest.raises(addresses.BadAddress):
        channel("browser", "")


def test_nobody_changes_what_is_somebody_elses(operator, rival):
    mine, teams = channel(by=actor(operator)), channel()
    for by, name in ((actor(rival, "admin"), mine), (actor(rival, "operator"), teams)):
        with pytest.raises(Refused):
            changed(name, by=by)
        with pytest.raises(Refused):
            operations.remove_channel(channel_id=name, by=by, at=NOON)
        with pytest.raises(Refused):
            operations.send_test(channel_id=name, by=by, at=NOON)
    with pytest.raises(permissions.NotYours):
        channel(by=actor(rival), team=True)


def test_an_agents_key_has_no_business_here():
    agent = Actor(ActorKind.AGENT, "1", "trip-booker")
    with pytest.raises(permissions.NotForAgents):
        channel(by=agent)
    with pytest.raises(permissions.NotForAgents):
        operations.remove_channel(channel_id=0, by=agent, at=NOON)
