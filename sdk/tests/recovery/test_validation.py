"""Validation and its messages: recovery.md §4.1, semantics 1-7."""

from datetime import date
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, SecretStr

import switchboard as sb
from switchboard.testing import FakeConsole


class Payment(BaseModel):
    amount: Annotated[int, Field(gt=0, le=5000)]
    currency: Literal["USD", "EUR"]
    token: SecretStr


@pytest.fixture
def ran() -> list[Any]:
    return []


@pytest.fixture(autouse=True)
def _tools(box: sb.Toolbox, ran: list[Any]) -> None:
    @box.tool(effect="write", dependency="pay", redact="note")
    async def pay(payment: Payment) -> str:
        ran.append(payment)
        return "paid"

    @box.tool(effect="read", redact="pin")
    async def search(
        origin: str, day: date, pin: str = "", stops: Annotated[int, Field(ge=0)] = 0
    ) -> list[str]:
        ran.append((origin, day, stops))
        return [origin]


async def test_1_an_invalid_call_touches_nothing(box: sb.Toolbox, ran: list[Any]) -> None:
    async with box.session(goal="g") as session:
        result = await session.call("pay", {"amount": -1})
        assert session.journal is not None
        assert session.journal.entries() == ()
    assert ran == []
    assert result.attempts == ()
    assert result.executed == "no"
    assert box.breakers.known("pay") is None
    assert box.budgets.of("pay").tokens == 10


async def test_2_all_wrong_fields_are_named_at_once_with_constraint_received_and_hint(
    box: sb.Toolbox,
) -> None:
    result = await box.call("search", {"origin": "PVG", "day": "someday", "stops": -2, "dset": "x"})
    assert result.error is not None
    told = {error.field: error for error in result.error.errors}
    assert set(told) == {"day", "stops", "dset"}
    assert (told["stops"].code, told["stops"].constraint, told["stops"].received) == (
        "OUT_OF_RANGE",
        ">= 0",
        -2,
    )
    assert told["day"].received == "someday"
    assert told["day"].hint is not None
    assert told["day"].hint.startswith("Change day")
    assert told["dset"].code == "UNKNOWN_FIELD"


async def test_2_nested_fields_have_dotted_paths(box: sb.Toolbox) -> None:
    class Leg(BaseModel):
        to: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]

    @box.tool(effect="read")
    async def route(legs: list[Leg]) -> list[str]:
        return [leg.to for leg in legs]

    result = await box.call("route", {"legs": [{"to": "NRT"}, {"to": "Tokyo"}]})
    assert result.error is not None
    assert (result.error.field, result.error.received) == ("legs.1.to", "Tokyo")


async def test_3_a_missing_field_repeats_nothing_of_the_rest(box: sb.Toolbox) -> None:
    result = await box.call("pay", {"amount": 5, "token": "sk_live_123"})
    assert result.error is not None
    missing = next(error for error in result.error.errors if error.field == "currency")
    assert missing.received is None
    assert missing.hint == "Add currency."
    assert "sk_live_123" not in result.for_model()


async def test_4_an_invented_argument_is_refused_and_the_nearest_real_one_named(box: sb.Toolbox) -> None:
    result = await box.call("search", {"origin": "PVG", "day": "2030-01-02", "stop": 1})
    assert result.error is not None
    assert result.error.errors[0].hint == "Use stops instead of stop."


async def test_4_a_model_that_allows_extras_keeps_them(box: sb.Toolbox) -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        a: int

    @box.tool(effect="read")
    async def loose(args: Open) -> dict[str, Any]:
        return args.model_dump()

    assert (await box.call("loose", {"a": 1, "b": 2})).data == {"a": 1, "b": 2}


async def test_5_a_long_received_value_is_cut_and_a_secret_one_never_shown(box: sb.Toolbox) -> None:
    long = await box.call("search", {"origin": "PVG", "day": "x" * 5000})
    assert long.error is not None
    assert len(long.error.received) == 200
    secret = await box.call("search", {"origin": "PVG", "day": "2030-01-02", "pin": ["1234"]})
    assert secret.error is not None
    assert secret.error.received == "[redacted]"
    assert "1234" not in secret.for_model()


async def test_5_secrets_reach_the_tool_and_nobody_else(
    box: sb.Toolbox, ran: list[Any], console: FakeConsole
) -> None:
    async with box.session(goal="g") as session:
        result = await session.call("pay", {"amount": 5, "currency": "USD", "token": "sk_live_123"})
    assert ran[0].token.get_secret_value() == "sk_live_123"
    assert result.args["token"] == "[redacted]"
    box.client.flush()  # type: ignore[union-attr]
    assert "sk_live_123" not in repr(console.calls)


async def test_6_an_unknown_tool_has_its_own_code_and_the_nearest_names(box: sb.Toolbox) -> None:
    result = await box.call("serch", {"origin": "PVG"})
    assert result.error is not None
    assert result.error.code == "UNKNOWN_TOOL"
    assert result.error.hint == "Use search."
    assert result.executed == "no"


@pytest.mark.parametrize("raw", ["{not json", "[1, 2]", b"3"])
async def test_7_arguments_that_are_no_object_are_a_tool_error_and_no_exception(
    box: sb.Toolbox, raw: str
) -> None:
    result = await box.call("search", raw)
    assert result.error is not None
    assert result.error.class_ == "invalid_args"
    assert result.error.code in {"NOT_JSON", "NOT_AN_OBJECT"}


async def test_arguments_may_come_as_the_json_text_a_model_writes(box: sb.Toolbox) -> None:
    result = await box.call("search", '{"origin": " PVG ", "day": "2030-01-02"}')
    assert result.ok
    assert result.args["origin"] == "PVG"


async def test_wrong_types_say_so(box: sb.Toolbox) -> None:
    result = await box.call("search", {"origin": 5, "day": "2030-01-02"})
    assert result.error is not None
    assert (result.error.errors[0].code, result.error.received) == ("WRONG_TYPE", 5)


async def test_2_constraints_are_said_in_our_words_and_not_in_the_validators(box: sb.Toolbox) -> None:
    @box.tool(effect="read")
    async def seats(flight: Annotated[str, Field(pattern="^[A-Z]{2}$")], count: int, day: date) -> list[str]:
        return []

    result = await box.call("seats", {"flight": "x", "count": "many", "day": "soon"})
    assert result.error is not None
    assert {each.field: each.constraint for each in result.error.errors} == {
        "flight": "pattern ^[A-Z]{2}$",
        "count": "a valid integer",
        "day": "a valid date or datetime",
    }
