"""Batches: recovery.md §4.6, semantics 53-57."""

from typing import Any

import pytest

import switchboard as sb
from switchboard.testing import FakeConsole


class Seats:
    """Reserves seats; each may fail in its own way, `times` times."""

    def __init__(self, box: sb.Toolbox, fails: dict[str, list[Any]], **fields: Any) -> None:
        self.fails = fails
        self.sent: list[list[str]] = []
        self.keys: dict[str, set[str]] = {}
        box.tool(
            **{
                "effect": "idempotent_write",
                "name": "reserve",
                "batch": "seats",
                "dependency": "seats",
                **fields,
            }
        )(self.reserve)

    async def reserve(self, seats: list[str], ctx: sb.Context) -> sb.Items:
        self.sent.append(seats)
        return sb.Items([self._one(seat, ctx) for seat in seats])

    def _one(self, seat: str, ctx: sb.Context) -> sb.Item:
        self.keys.setdefault(seat, set()).add(ctx.key_for(seat))
        failure = self.fails.get(seat, [None]).pop(0) if self.fails.get(seat) else None
        if failure == "skip":
            return sb.Item(seat, "skipped")
        return (
            sb.Item(seat, "failed", error=failure)
            if failure
            else sb.Item(seat, "succeeded", data={"seat": seat})
        )


TAKEN = sb.ToolFailure("hard", "TAKEN", "12B is taken", executed="no")
BUSY = sb.ToolFailure("transient", "BUSY", executed="no")


async def test_53_every_item_has_its_result_in_the_order_it_was_asked_for(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    Seats(box, {"12B": [TAKEN]})
    result = await box.call("reserve", {"seats": ["12A", "12B", "12C"]})
    assert [(item.key, str(item.status)) for item in result.items] == [
        ("12A", "succeeded"), ("12B", "failed"), ("12C", "succeeded"),
    ]  # fmt: skip
    told = result.as_dict()
    assert told["counts"] == {"succeeded": 2, "failed": 1, "skipped": 0}
    assert told["items"][1]["error"]["code"] == "TAKEN"
    box.client.flush()  # type: ignore[union-attr]
    assert console.calls[0]["items"][1]["failure"]["code"] == "TAKEN"


async def test_54_only_what_failed_in_passing_is_sent_again_each_with_its_own_key(box: sb.Toolbox) -> None:
    seats = Seats(box, {"12B": [BUSY], "12C": [TAKEN]})
    result = await box.call("reserve", {"seats": ["12A", "12B", "12C"]})
    assert seats.sent == [["12A", "12B", "12C"], ["12B"]]
    assert [str(item.status) for item in result.items] == ["succeeded", "succeeded", "failed"]
    assert result.error is not None
    assert result.error.class_ == "partial"
    assert all(len(keys) == 1 for keys in seats.keys.values())
    assert len({key for keys in seats.keys.values() for key in keys}) == 3


async def test_54_when_the_second_try_brings_the_rest_the_whole_is_recovered(box: sb.Toolbox) -> None:
    Seats(box, {"12B": [BUSY]})
    result = await box.call("reserve", {"seats": ["12A", "12B"]})
    assert (result.outcome, result.error, len(result.attempts)) == ("recovered", None, 2)


async def test_54_without_a_named_batch_nothing_is_sent_again(box: sb.Toolbox) -> None:
    seats = Seats(box, {"12B": [BUSY]}, batch=None)
    result = await box.call("reserve", {"seats": ["12A", "12B"]})
    assert len(seats.sent) == 1
    assert result.error is not None


@pytest.mark.parametrize(
    ("fails", "class_"),
    [
        ({"a": [TAKEN], "b": [TAKEN]}, "hard"),
        ({"a": [TAKEN], "b": ["skip"]}, "partial"),
        ({"a": ["skip"], "b": ["skip"]}, None),
    ],
)
async def test_55_all_failed_is_not_partial_and_skipped_is_not_failed(
    box: sb.Toolbox, fails: dict[str, list[Any]], class_: str | None
) -> None:
    Seats(box, fails)
    result = await box.call("reserve", {"seats": ["a", "b"]})
    assert (result.error.class_ if result.error else None) == class_


async def test_55_no_items_at_all_is_empty(box: sb.Toolbox) -> None:
    Seats(box, {})
    result = await box.call("reserve", {"seats": []})
    assert result.error is not None
    assert result.error.class_ == "empty"


async def test_56_one_thing_half_done_has_its_own_code(box: sb.Toolbox) -> None:
    @box.tool(effect="write")
    async def move() -> None:
        raise sb.ToolFailure(
            "partial",
            "OLD_SEAT_RELEASED",
            "The old seat is free, the new one was not taken.",
            executed="partly",
        )

    result = await box.call("move")
    assert result.error is not None
    assert (result.error.class_, result.error.code, result.executed) == (
        "partial",
        "OLD_SEAT_RELEASED",
        "partly",
    )


async def test_57_for_the_breaker_a_partial_answer_is_an_answer(box: sb.Toolbox) -> None:
    Seats(box, {"a": [TAKEN]})
    await box.call("reserve", {"seats": ["a", "b"]})
    window = box.breakers.of("seats").snapshot().window
    assert window is not None
    assert (window.calls, window.failed) == (1, 0)


async def test_items_of_a_batch_are_told_apart_by_their_id(box: sb.Toolbox) -> None:
    sent = []

    @box.tool(effect="read", batch="people")
    async def look(people: list[dict[str, str]]) -> sb.Items:
        sent.append([each["id"] for each in people])
        bad = sb.ToolFailure("transient", "BUSY")
        return sb.Items(
            sb.Item(
                each["id"],
                "failed" if len(sent) == 1 and each["id"] == "2" else "succeeded",
                error=bad if len(sent) == 1 and each["id"] == "2" else None,
            )
            for each in people
        )

    await box.call("look", {"people": [{"id": "1"}, {"id": "2"}]})
    assert sent == [["1", "2"], ["2"]]


async def test_57_items_that_were_done_are_taken_back_though_the_rest_was_refused_in_the_end(
    box: sb.Toolbox,
) -> None:
    sent: list[list[str]] = []
    freed: list[str] = []

    @box.tool(effect="idempotent_write", batch="seats", compensate="free")
    async def reserve(seats: list[str]) -> sb.Items:
        sent.append(seats)
        if len(sent) > 1:
            raise sb.HttpFailure(409)
        return sb.Items([sb.Item("12A", "succeeded"), sb.Item("12B", "failed", error=BUSY)])

    @box.tool(effect="idempotent_write")
    async def free(seats: list[str]) -> None:
        freed.extend(seats)

    async with box.session(goal="g") as session:
        result = await session.call("reserve", {"seats": ["12A", "12B"]})
        undone = await session.compensate()
    assert sent == [["12A", "12B"], ["12B"]]
    assert result.error is not None
    assert (result.error.code, result.executed) == ("CONFLICT", "yes")
    assert (undone.complete, "12A" in freed) == (True, True)
