"""What is said about a failure: recovery.md §4.2, semantics 8-16."""

import asyncio
import json
import re
from typing import Any

import pytest
from pydantic import BaseModel

import switchboard as sb
from switchboard.failure import ToolError, as_code
from switchboard.testing import FakeClock, FakeConsole
from switchboard.vocabulary import FailureClass

ONCE = sb.Policy(attempts=1)


class Response:
    """What httpx and requests have in common."""

    def __init__(self, status: int, body: Any = None, headers: dict[str, str] | None = None) -> None:
        self.status_code = status
        self.headers = headers or {}
        self._body = body
        self.text = json.dumps(body)

    def json(self) -> Any:
        return self._body


class LibraryError(Exception):
    """As httpx.HTTPStatusError: the answer hangs on it."""

    def __init__(self, response: Response) -> None:
        self.response = response
        super().__init__("bad")


def tool(box: sb.Toolbox, what: Any, **fields: Any) -> None:
    @box.tool(**{"effect": "read", "policy": ONCE, "name": "it", **fields})
    async def it(a: int = 0) -> Any:
        if isinstance(what, BaseException):
            raise what
        return what


@pytest.mark.parametrize(
    ("what", "effect", "class_", "code"),
    [
        (ConnectionRefusedError(), "write", "transient", "NETWORK"),
        (ConnectionResetError(), "read", "transient", "NETWORK"),
        (ConnectionResetError(), "idempotent_write", "transient", "NETWORK"),
        (ConnectionResetError(), "write", "unknown_outcome", "NETWORK"),
        (TimeoutError(), "read", "transient", "TIMEOUT"),
        (TimeoutError(), "write", "unknown_outcome", "TIMEOUT"),
        (sb.HttpFailure(400, body={"detail": "bad"}), "write", "invalid_args", "VALIDATION"),
        (sb.HttpFailure(401), "read", "hard", "UNAUTHORIZED"),
        (sb.HttpFailure(404, body={"code": "no_such_flight"}), "read", "hard", "NO_SUCH_FLIGHT"),
        (sb.HttpFailure(429), "write", "transient", "RATE_LIMITED"),
        (sb.HttpFailure(501), "read", "hard", "UNSUPPORTED"),
        (sb.HttpFailure(503), "read", "transient", "UNAVAILABLE"),
        (sb.HttpFailure(503), "write", "unknown_outcome", "UNAVAILABLE"),
        (sb.HttpFailure(503, {"Retry-After": "1"}), "write", "transient", "UNAVAILABLE"),
        (LibraryError(Response(403)), "read", "hard", "FORBIDDEN"),
        (KeyError("x"), "read", "internal", "TOOL_CRASH"),
        (KeyError("x"), "write", "internal", "TOOL_CRASH"),
        (sb.ToolFailure("hard", "points insufficient"), "write", "hard", "POINTS_INSUFFICIENT"),
        ([], "read", "empty", "NO_RESULTS"),
    ],
)
async def test_8_every_failure_is_one_of_the_seven_classes(
    box: sb.Toolbox, what: Any, effect: str, class_: str, code: str
) -> None:
    tool(box, what, effect=effect)
    result = await box.call("it")
    assert result.error is not None
    assert (result.error.class_, result.error.code) == (class_, code)


async def test_8_unknown_is_not_failed(box: sb.Toolbox) -> None:
    tool(box, TimeoutError(), effect="write")
    result = await box.call("it")
    assert result.executed == "unknown"
    assert json.loads(result.for_model())["verdict"] == "UNKNOWN_OUTCOME"


@pytest.mark.parametrize("text", ["points insufficient", "a.b/c", "x" * 100, "", "é", "ALREADY_FINE"])
def test_9_a_code_is_upper_snake_and_short(text: str) -> None:
    assert re.fullmatch(r"[A-Z0-9_]{1,63}", as_code(text))


async def test_9_every_variable_of_the_text_is_a_field_too(box: sb.Toolbox) -> None:
    tool(
        box,
        sb.ToolFailure(
            "hard", "POINTS", "8000 of 12000 points", field="points", constraint=">= 12000", received=8000
        ),
    )
    told = (await box.call("it")).as_dict()["error"]
    assert (told["field"], told["constraint"], told["received"]) == ("points", ">= 12000", 8000)


@pytest.mark.parametrize("text", ["error: timeout 503", "Rate limit exceeded", "isError"])
async def test_10_words_in_a_good_answer_make_no_failure(box: sb.Toolbox, text: str) -> None:
    tool(box, {"text": text})
    assert (await box.call("it")).ok


async def test_10_words_in_an_exception_make_no_class(box: sb.Toolbox) -> None:
    tool(box, RuntimeError("429 rate limit, connection timeout"))
    result = await box.call("it")
    assert result.error is not None
    assert result.error.class_ == FailureClass.INTERNAL


async def test_11_a_null_error_is_success_and_a_returned_is_error_a_failure(box: sb.Toolbox) -> None:
    tool(box, {"error": None, "x": 1})
    assert (await box.call("it")).ok
    del box.tools["it"]
    tool(box, {"isError": True, "content": [{"type": "text", "text": "no such order"}]})
    result = await box.call("it")
    assert result.error is not None
    assert (result.error.class_, result.error.message) == ("hard", "no such order")


@pytest.mark.parametrize(
    "what",
    [TimeoutError(), sb.HttpFailure(404), KeyError("x"), sb.HttpFailure(503), ConnectionResetError(), []],
)
@pytest.mark.parametrize("effect", ["read", "write"])
async def test_12_nobody_is_told_to_try_again(box: sb.Toolbox, what: Any, effect: str) -> None:
    tool(box, what, effect=effect)
    text = (await box.call("it")).for_model().lower()
    assert "try again" not in text
    assert "retry the" not in text


async def test_13_spent_retries_are_one_error_with_their_number(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    tool(box, ConnectionResetError(), policy=sb.Policy(attempts=3))
    result = await box.call("it")
    told = result.as_dict()
    assert told["verdict"] == "EXHAUSTED_RETRIES"
    assert (told["error"]["attempts"], told["error"]["retryable"]) == (3, False)
    assert "wait_ms" not in result.for_model()
    box.client.flush()  # type: ignore[union-attr]
    assert len(console.calls[0]["attempts"]) == 3


async def test_15_a_cancelled_call_is_reported_once_and_stays_cancelled(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    begun = asyncio.Event()

    @box.tool(effect="write")
    async def slow() -> None:
        begun.set()
        await asyncio.Event().wait()

    async with box.session(goal="g") as session:
        task = asyncio.create_task(session.call("slow", call_id="t1"))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        again = await session.call("slow", call_id="t1")
    assert again.replayed
    assert again.error is not None
    assert (again.error.class_, again.error.code) == ("unknown_outcome", "CANCELLED")
    box.client.flush()  # type: ignore[union-attr]
    assert [call["failure"]["code"] for call in console.calls] == ["CANCELLED"]


async def test_16_an_empty_answer_says_what_to_widen_and_does_not_count_for_the_breaker(
    box: sb.Toolbox,
) -> None:
    @box.tool(effect="read")
    async def search(city: str, day: str) -> list[str]:
        return []

    result = await box.call("search", {"city": "Tokio", "day": "2030-01-02"})
    assert result.error is not None
    assert result.error.class_ == "empty"
    assert result.error.hint is not None
    assert "city, day" in result.error.hint
    assert box.breakers.of("search").snapshot().window.calls == 0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("data", "empty"),
    [(None, True), ([], True), ({}, True), ("", True), ({"results": [], "page": 1}, True), ({"results": [1]}, False),
     (0, False), (False, False), ({"a": [], "b": []}, False), ({"x": 1}, False)],
)  # fmt: skip
async def test_16_what_counts_as_empty(box: sb.Toolbox, data: Any, empty: bool) -> None:
    tool(box, data)
    result = await box.call("it")
    assert (result.error is not None and result.error.class_ == "empty") is empty


async def test_a_write_that_returns_nothing_is_done(box: sb.Toolbox) -> None:
    tool(box, None, effect="write")
    assert (await box.call("it")).outcome == "succeeded"


async def test_the_result_model_cleans_redacts_and_never_discards_good_content(box: sb.Toolbox) -> None:
    class Booking(BaseModel):
        id: str
        card: str = ""
        seats: int = 1

    tool(
        box,
        {"id": "B1", "card": "4111", "internal": "x"},
        result=Booking,
        redact_result="card",
        summary=lambda b: f"Booked {b['id']}.",
    )
    result = await box.call("it")
    assert result.data == {"id": "B1", "card": "[redacted]", "seats": 1}
    assert result.as_dict()["summary"] == "Booked B1."
    del box.tools["it"]
    tool(box, {"id": 7}, result=Booking, dependency="other")
    wrong = await box.call("it")
    assert wrong.error is not None
    assert (wrong.error.code, wrong.data) == ("RESULT_MISMATCH", {"id": 7})
    assert box.breakers.of("other").snapshot().window.failed == 0  # type: ignore[union-attr]


async def test_the_model_does_not_see_what_is_for_engineers(box: sb.Toolbox, console: FakeConsole) -> None:
    tool(box, KeyError("secret_column"))
    result = await box.call("it")
    assert "secret_column" not in result.for_model()
    box.client.flush()  # type: ignore[union-attr]
    assert "secret_column" in console.calls[0]["failure"]["message"]


async def test_a_refusal_body_names_its_field(box: sb.Toolbox) -> None:
    body = {
        "code": "SEAT",
        "errors": [{"code": "ENUM", "field": "seat", "allowed": ["window", "aisle"], "received": "x"}],
    }
    tool(box, sb.HttpFailure(400, body=body))
    result = await box.call("it")
    assert result.error is not None
    assert (result.error.field, result.error.constraint, result.error.received) == (
        "seat",
        "one of: window, aisle",
        "x",
    )


async def test_a_deferral_is_no_failure(box: sb.Toolbox, clock: FakeClock) -> None:
    tool(box, sb.Deferred("asked the owner", data={"ticket": 1}))
    result = await box.call("it")
    assert (result.outcome, result.error, result.data) == ("deferred", None, {"ticket": 1})


@pytest.mark.parametrize(
    ("body", "field", "constraint"),
    [
        ({"errors": [{"pointer": "#/legs/0/seat", "detail": "unknown seat"}]}, "legs.0.seat", "unknown seat"),
        (
            {"detail": [{"loc": ["body", "seat"], "msg": "Field required", "type": "missing"}]},
            "seat",
            "Field required",
        ),
        ({"error": {"message": "bad", "param": "seat", "code": "x"}}, "seat", None),
        ({"invalid_params": [{"name": "seat", "reason": "taken"}]}, "seat", "taken"),
        ({"field": "$.seat", "allowed": [1, 2]}, "seat", "one of: 1, 2"),
        ("not json at all", None, None),
        ([1, 2], None, None),
        ({"errors": "many", "detail": None}, None, None),
    ],
)
async def test_the_bodies_of_refusals_are_read_in_the_shapes_there_are(
    box: sb.Toolbox, body: Any, field: str | None, constraint: str | None
) -> None:
    tool(box, sb.HttpFailure(422, body=body))
    result = await box.call("it")
    assert result.error is not None
    assert (result.error.field, result.error.constraint) == (field, constraint)


def test_raise_for_gives_a_good_answer_back_and_reads_a_bad_one() -> None:
    good = Response(200)
    assert sb.raise_for(good) is good
    with pytest.raises(sb.HttpFailure) as caught:
        sb.raise_for(Response(409, {"code": "TAKEN"}, {"Retry-After": "3"}))
    assert (caught.value.status, caught.value.body, caught.value.headers) == (
        409,
        {"code": "TAKEN"},
        {"retry-after": "3"},
    )


def test_a_model_is_told_a_wait_in_tenths_of_a_second() -> None:
    error = ToolError(FailureClass.TRANSIENT, "BREAKER_OPEN", retry_after_s=29.998095743001613)
    assert error.as_dict()["retry_after_s"] == 30.0
