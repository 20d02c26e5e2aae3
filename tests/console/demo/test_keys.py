import json

import pytest

from console.demo.keys import keys
from console.kit.actor import SYSTEM
from telemetry import operations, queries
from telemetry.auth import principal_of
from tests.factories import NOON

NAMES = ("trip-booker", "group-desk")

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_agent_gets_a_key_that_opens_the_console_as_that_agent(tmp_path):
    made = keys(NAMES, kept=tmp_path / "demo" / "keys.json", at=NOON)
    assert [principal_of(f"Bearer {made[name]}").name for name in NAMES] == list(NAMES)


def test_the_keys_are_kept_for_their_owner_alone_and_used_again(tmp_path):
    kept = tmp_path / "keys.json"
    first = keys(NAMES, kept=kept, at=NOON)
    assert keys(NAMES, kept=kept, at=NOON) == first
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_revoked_key_is_replaced_and_the_agent_stays_the_same(tmp_path):
    kept = tmp_path / "keys.json"
    first = keys(NAMES, kept=kept, at=NOON)
    (key_id,) = queries.keys_by_prefix(first["trip-booker"])
    operations.revoke_key(key_id=key_id, by=SYSTEM, at=NOON)
    second = keys(NAMES, kept=kept, at=NOON)
    assert second["trip-booker"] != first["trip-booker"]
    assert second["group-desk"] == first["group-desk"]
    assert len(queries.agents(at=NOON)) == len(NAMES)


@pytest.mark.parametrize("text", ["", "[]", "{", json.dumps({"trip-booker": "sb_gone_key"})])
def test_a_file_that_says_nothing_useful_is_written_anew(tmp_path, text):
    kept = tmp_path / "keys.json"
    kept.write_text(text)
    assert set(keys(NAMES, kept=kept, at=NOON)) == set(NAMES)
    assert set(json.loads(kept.read_text())) == set(NAMES)
