"""Fallbacks: recovery.md §4.8, semantics 71-74."""

from typing import Any

import pytest

import switchboard as sb
from switchboard.testing import FakeClock

EVERYTHING = (
    sb.Degrade("Seats were not chosen; any seat will do."),
    sb.Static(["any seat"]),
    sb.StaleCache(max_age_s=1000),
    sb.Alternate("other", lambda args: {"code": args["code"]}),
    sb.FreshCache(max_age_s=60),
)


class Service:
    """A read that works until it does not, and another one."""

    def __init__(self, box: sb.Toolbox, fallbacks: Any, **fields: Any) -> None:
        self.failure: BaseException | None = None
        self.other_failure: BaseException | None = None
        self.other_calls = 0
        given = {
            "effect": "read",
            "name": "seats",
            "policy": sb.Policy(attempts=1),
            "fallbacks": fallbacks,
            **fields,
        }
        box.tool(**given)(self.seats)
        box.tool(effect=given["effect"], name="other", policy=sb.Policy(attempts=1))(self.other)

    async def seats(self, code: str) -> list[str]:
        if self.failure is not None:
            raise self.failure
        return [f"{code}-12A"]

    async def other(self, code: str) -> list[str]:
        self.other_calls += 1
        if self.other_failure is not None:
            raise self.other_failure
        return [f"{code}-other"]


async def test_71_the_rungs_are_tried_in_their_order_and_say_where_the_answer_is_from(
    box: sb.Toolbox, clock: FakeClock
) -> None:
    service = Service(box, EVERYTHING)
    assert (await box.call("seats", {"code": "X"})).source == "tool"
    service.failure = ConnectionResetError()
    clock.advance(30)
    fresh = await box.call("seats", {"code": "X"})
    clock.advance(60)
    alternate = await box.call("seats", {"code": "X"})
    service.other_failure = ConnectionResetError()
    stale = await box.call("seats", {"code": "X"})
    clock.advance(2000)
    static = await box.call("seats", {"code": "X"})
    results = (fresh, alternate, stale, static)
    assert [result.source for result in results] == ["cache", "alternate:other", "stale_cache", "static"]
    assert [result.age_s for result in results] == [30, None, 90, None]
    assert [str(result.outcome) for result in results] == ["recovered", "recovered", "degraded", "degraded"]
    assert all(result.as_dict()["degraded"] for result in results)
    assert all(result.recovery is not None and result.recovery.by == "fallback" for result in results)
    assert stale.as_dict()["age_s"] == 90


async def test_71_an_optional_step_is_left_out_and_said_so(box: sb.Toolbox) -> None:
    service = Service(box, [sb.Degrade("Seats were not chosen; any seat will do.")])
    service.failure = sb.HttpFailure(503)
    result = await box.call("seats", {"code": "X"})
    assert (result.outcome, result.data) == ("degraded", None)
    assert "any seat will do" in result.for_model()


@pytest.mark.parametrize("failure", [sb.HttpFailure(404), sb.HttpFailure(400), sb.HttpFailure(403)])
async def test_72_an_old_answer_never_covers_a_refusal(
    box: sb.Toolbox, clock: FakeClock, failure: BaseException
) -> None:
    service = Service(box, [sb.StaleCache()])
    await box.call("seats", {"code": "X"})
    service.failure = failure
    for _ in range(3):
        assert not (await box.call("seats", {"code": "X"})).ok


async def test_72_an_answer_can_be_too_old(box: sb.Toolbox, clock: FakeClock) -> None:
    service = Service(box, [sb.StaleCache(max_age_s=100)])
    await box.call("seats", {"code": "X"})
    service.failure = ConnectionResetError()
    clock.advance(101)
    assert not (await box.call("seats", {"code": "X"})).ok


async def test_72_an_old_answer_is_to_the_same_question(box: sb.Toolbox) -> None:
    service = Service(box, [sb.StaleCache()])
    await box.call("seats", {"code": "X"})
    service.failure = ConnectionResetError()
    assert not (await box.call("seats", {"code": "Y"})).ok


async def test_73_no_other_provider_does_a_write_whose_outcome_is_unknown(box: sb.Toolbox) -> None:
    service = Service(box, EVERYTHING, effect="write")
    service.failure = TimeoutError()
    result = await box.call("seats", {"code": "X"})
    assert result.error is not None
    assert result.error.class_ == "unknown_outcome"
    assert service.other_calls == 0


@pytest.mark.parametrize(
    ("effect", "failure"), [("write", TimeoutError()), ("idempotent_write", sb.HttpFailure(502))]
)
async def test_73_not_even_when_it_fails_again_and_again(
    box: sb.Toolbox, effect: str, failure: BaseException
) -> None:
    service = Service(box, EVERYTHING, effect=effect)
    service.failure = failure
    async with box.session(goal="g", limits=sb.Limits(failures_to_person=9)) as session:
        for code in "XYZ":
            assert (await session.call("seats", {"code": code})).executed == "unknown"
    assert service.other_calls == 0


async def test_73_a_write_that_was_surely_not_done_may_go_elsewhere(box: sb.Toolbox) -> None:
    service = Service(box, [sb.Alternate("other")], effect="write")
    service.failure = ConnectionRefusedError()
    result = await box.call("seats", {"code": "X"})
    assert (result.outcome, result.source, service.other_calls) == ("recovered", "alternate:other", 1)


async def test_74_the_first_cause_is_told_and_the_rest_is_suppressed(box: sb.Toolbox) -> None:
    service = Service(box, [sb.Alternate("other")])
    service.failure, service.other_failure = sb.HttpFailure(503), sb.HttpFailure(404)
    result = await box.call("seats", {"code": "X"})
    assert result.error is not None
    assert result.error.code == "UNAVAILABLE"
    assert result.error.suppressed == ("NOT_FOUND: The service answered HTTP 404.",)


async def test_the_alternate_may_take_other_arguments(box: sb.Toolbox) -> None:
    @box.tool(
        effect="read",
        policy=sb.Policy(attempts=1),
        fallbacks=[sb.Alternate("by_city", lambda args: {"city": args["code"].lower()})],
    )
    async def by_code(code: str) -> None:
        raise ConnectionResetError

    @box.tool(effect="read")
    async def by_city(city: str) -> list[str]:
        return [city]

    assert (await box.call("by_code", {"code": "TYO"})).data == ["tyo"]


async def test_the_cache_is_bounded(box: sb.Toolbox) -> None:
    box.kept._size = 10
    Service(box, [sb.FreshCache()])
    for n in range(50):
        await box.call("seats", {"code": str(n)})
    assert len(box.kept._answers) == 10


async def test_two_tools_that_stand_in_for_each_other_end(box: sb.Toolbox) -> None:
    calls = []
    for name, other in (("a", "b"), ("b", "a")):

        @box.tool(effect="read", name=name, policy=sb.Policy(attempts=1), fallbacks=[sb.Alternate(other)])
        async def it(who: str) -> None:
            calls.append(who)
            raise ConnectionResetError

    assert not (await box.call("a", {"who": "x"})).ok
    assert len(calls) == 2
