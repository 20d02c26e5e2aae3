"""Every way in which a system says how long to wait."""

import pytest

from telemetry.domain.classification import Evidence, classify

DATE = "Mon, 01 Jun 2026 12:00:00 GMT"
HEADERS = {
    "seconds": {"Retry-After": "30"},
    "an HTTP date": {"Retry-After": "Mon, 01 Jun 2026 12:00:30 GMT", "Date": DATE},
    "Azure's milliseconds": {"x-ms-retry-after-ms": "30000"},
    "milliseconds": {"retry-after-ms": "30000"},
    "an epoch": {"X-RateLimit-Reset": "1780315230", "X-RateLimit-Remaining": "0", "Date": DATE},
    "an epoch in milliseconds": {"X-RateLimit-Reset": "1780315230000", "Date": DATE},
    "the draft's header": {"RateLimit-Reset": "30", "RateLimit-Remaining": "0"},
    "a span": {"x-ratelimit-reset-requests": "30s"},
}
BODIES = {
    "RetryInfo": {
        "error": {
            "code": 429,
            "status": "RESOURCE_EXHAUSTED",
            "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "30s"}],
        }
    },
    "a member": {"message": "rate limited", "retry_after": 30},
    "milliseconds": {"error": "rate limited", "retryAfterMs": 30000},
    "English": {"error": "Rate limit exceeded, try again in 30 seconds."},
    "minutes": {"error": "Rate limit exceeded, try again in 0.5 minutes."},
    "Chinese": {"message": "请求过于频繁,请在 30 秒后重试"},
    "Japanese": {"message": "リクエストが多すぎます。30秒後に再試行してください。"},
    "German": {"message": "Zu viele Anfragen. Bitte in 30 Sekunden erneut versuchen."},
}


def wait(**said):
    return classify(Evidence(tool="t", http_status=429, **said)).retry_after_s


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
def test_a_header_says_how_long(headers):
    assert wait(headers=headers) == 30


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_says_how_long(body):
    assert wait(body=body) == 30


@pytest.mark.parametrize("value", ["soon", "-5x", "9" * 400, "NaN", "²", "Mon, 99 Foo 2026 99:99:99 GMT"])
def test_nonsense_says_nothing(value):
    assert wait(headers={"Retry-After": value}) is None


def test_a_point_in_time_says_nothing_without_the_servers_own_clock():
    assert wait(headers={"Retry-After": "Mon, 01 Jun 2026 12:00:30 GMT"}) is None
