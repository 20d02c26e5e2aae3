import pytest

import switchboard
from switchboard._talk import BASE_S, CAP_S, Talk, backoff, refusal
from switchboard._transport import Answer, NoAnswer, Request
from switchboard.testing import FakeClock
from switchboard.testing._engine import InlineEngine

REQUEST = Request("GET", "/x")


class Scripted:
    """Gives the planned answers, one after the other."""

    def __init__(self, *planned):
        self.planned = list(planned)
        self.timeouts = []

    async def send(self, request, *, timeout_s):
        self.timeouts.append(timeout_s)
        answer = self.planned.pop(0) if len(self.planned) > 1 else self.planned[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def close(self):
        return


def ask(*planned, deadline_s=60.0):
    clock = FakeClock()
    talk = Talk(Scripted(*planned), clock, 10.0)
    return InlineEngine(clock).run(talk.ask(REQUEST, deadline_s=deadline_s)), clock, talk.transport


def test_a_yes_is_given_at_once():
    answer, clock, _ = ask(Answer(201, {}, b"{}"))
    assert answer.status == 201
    assert clock.slept == []


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_what_may_pass_is_asked_again(status):
    answer, clock, _ = ask(Answer(status, {}, b""), NoAnswer("reset"), Answer(200, {}, b"{}"))
    assert answer.status == 200
    assert len(clock.slept) == 2


def test_what_the_console_asks_to_wait_is_a_floor():
    _, clock, _ = ask(Answer(429, {"retry-after": "7"}, b""), Answer(200, {}, b""))
    assert 7.0 <= clock.slept[0] <= 7.7


def test_silence_until_the_deadline_is_unreachable_and_the_last_pause_is_not_slept():
    with pytest.raises(switchboard.Unreachable, match="reset"):
        ask(NoAnswer("reset"), deadline_s=20)
    clock = FakeClock()
    talk = Talk(Scripted(NoAnswer("reset")), clock, 10.0)
    with pytest.raises(switchboard.Unreachable):
        InlineEngine(clock).run(talk.ask(REQUEST, deadline_s=20))
    assert clock.monotonic() < 20


def test_a_try_never_lasts_beyond_the_deadline():
    _, _, transport = ask(Answer(200, {}, b""), deadline_s=3)
    assert transport.timeouts == [3]


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "UNAUTHORIZED", switchboard.Unauthorized),
        (403, "FORBIDDEN", switchboard.Unauthorized),
        (404, "NOT_FOUND", switchboard.NotFound),
        (409, "ALREADY_DECIDED", switchboard.Conflict),
        (409, "IDEMPOTENCY_CONFLICT", switchboard.IdempotencyConflict),
        (422, "MALFORMED", switchboard.Refused),
    ],
)
def test_a_no_is_raised_as_what_it_is(status, code, kind):
    body = b'{"code":"%s","detail":"why","errors":[{"field":"a"}],"winner":{"by":"B"}}' % code.encode()
    with pytest.raises(switchboard.Refused) as seen:
        ask(Answer(status, {}, body))
    assert type(seen.value) is kind
    assert (seen.value.code, seen.value.status, seen.value.detail) == (code, status, "why")
    assert seen.value.errors == ({"field": "a"},)
    assert seen.value.extra == {"winner": {"by": "B"}}


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"errors": 3}'])
def test_a_no_without_reasons_is_still_a_no(body):
    no = refusal(Answer(400, {}, body))
    assert (no.code, no.status) == ("HTTP_400", 400)


def test_pauses_grow_to_a_cap_and_two_callers_at_the_cap_do_not_wait_equally_long():
    assert all(0 <= backoff(1) <= BASE_S for _ in range(100))
    late = [backoff(50) for _ in range(100)]
    assert max(late) <= CAP_S
    assert len(set(late)) == 100


def test_whoever_waits_for_a_console_that_is_away_is_told_once(caplog):
    for _ in range(2):
        with pytest.raises(switchboard.Unreachable):
            ask(NoAnswer("http://console: reset"), deadline_s=20)
    assert caplog.messages == [
        "The console does not answer (http://console: reset). It is asked again for up to 20 s."
    ]
