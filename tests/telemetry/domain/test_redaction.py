"""What stands under a secret's name is not kept; what only looks like one is."""

import pytest

from telemetry.domain.redaction import REDACTED, holds_secrets, is_secret, redact, redact_failure

SECRET = [
    "password", "userPassword", "API_KEY", "apiKey", "x-api-key", "Authorization", "set-cookie", "access_token",
    "refreshToken", "client_secret", "AWS_SECRET_ACCESS_KEY", "privateKey", "X-Amz-Security-Token", "cvv", "cardNumber",
    "otp", "pin", "pin_code", "credentials", "subscription-key", "auth_key", "jwt", "db.passwd", "sessionid",
    "signing key", "encryptionKey", "accountKey", "passphrase", "pwd", "bearer", "ssn", "security_code",
]  # fmt: skip
HARMLESS = [
    "max_tokens", "next_page_token", "pageToken", "continuationToken", "token_count", "key", "keys", "author",
    "idempotency_key", "primary_key", "spinner", "secretary", "tokenizer", "compass", "cookie_policy", "expires_token",
    "session_id", "task", "passenger", "message",
]  # fmt: skip


@pytest.mark.parametrize("name", SECRET)
def test_a_secret_is_known_by_its_name(name):
    assert is_secret(name)
    assert redact({"a": [{name: "s3cr3t"}]}) == ({"a": [{name: REDACTED}]}, True)


@pytest.mark.parametrize("name", SECRET)
def test_the_quick_look_never_misses_a_secret(name):
    assert holds_secrets({"a": [{"b": {name: "s3cr3t"}}]})


@pytest.mark.parametrize("name", HARMLESS)
def test_what_only_looks_like_a_secret_stays(name):
    assert redact({name: "value"}) == ({name: "value"}, False)


def test_nothing_to_hide_is_not_hidden():
    assert redact({"password": None, "token": "", "secret": True}) == (
        {"password": None, "token": "", "secret": True},
        False,
    )


def test_names_inside_a_group_of_credentials_decide_for_themselves():
    assert redact({"credentials": {"user": "ana", "password": "x"}}) == (
        {"credentials": {"user": "ana", "password": REDACTED}},
        True,
    )


def test_what_was_received_under_a_secret_name_is_secret_too():
    assert redact_failure({"field": "user.password", "received": "hunter2"}) == (
        {"field": "user.password", "received": REDACTED},
        True,
    )
    assert redact_failure({"field": "seat", "received": "靠窗"}) == (
        {"field": "seat", "received": "靠窗"},
        False,
    )


@pytest.mark.parametrize("wrap", [lambda inner: {"a": inner}, lambda inner: [inner]])
def test_the_quick_look_is_as_deep_as_the_hand_that_takes_out(wrap):
    value, found = {"password": "x"}, set()
    for _ in range(80):
        assert holds_secrets(value) is redact(value)[1]
        found.add(holds_secrets(value))
        value = wrap(value)
    assert found == {True, False}


def test_a_value_as_deep_as_a_well_is_walked_without_falling():
    value = {"password": "x"}
    for _ in range(500):
        value = {"a": value}
    assert redact(value)[1] is False
