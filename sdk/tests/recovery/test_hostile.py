"""Tools, arguments and exceptions that misbehave in ways nobody would write down as a case."""

from typing import Any

import pytest

import switchboard as sb


class Unprintable(Exception):
    """Its message cannot be made."""

    def __str__(self) -> str:
        raise ValueError("no words")

    __repr__ = __str__


class Trap(Exception):
    """Looking at it fails."""

    @property
    def response(self) -> Any:
        raise RuntimeError("do not look")


@pytest.mark.parametrize("raised", [Unprintable(), Trap("x")], ids=["cannot be printed", "cannot be read"])
@pytest.mark.parametrize("effect", ["read", "write"])
async def test_an_exception_that_misbehaves_itself_is_a_failure_like_any_other(
    box: sb.Toolbox, raised: Exception, effect: str
) -> None:
    @box.tool(effect=effect)
    async def look() -> None:
        raise raised

    result = await box.call("look")
    assert result.error is not None
    assert result.error.code == "TOOL_CRASH"
    assert "TOOL_CRASH" in result.for_model()


def holding_itself() -> list[Any]:
    endless: list[Any] = []
    endless.append(endless)
    return endless


@pytest.mark.parametrize(
    "answer", [b"\xff\xfe", holding_itself()], ids=["bytes that are no text", "a circle"]
)
@pytest.mark.parametrize(("effect", "executed"), [("read", "no"), ("write", "yes")])
async def test_a_write_whose_answer_cannot_be_written_down_has_been_done(
    box: sb.Toolbox, answer: Any, effect: str, executed: str
) -> None:
    @box.tool(effect=effect)
    async def act() -> Any:
        return answer

    result = await box.call("act")
    assert result.error is not None
    assert (result.error.code, result.executed, result.data) == ("RESULT_MISMATCH", executed, None)


@pytest.mark.parametrize("args", ["[" * 100_000, "{", b"\xff", "[1]", "null"])
async def test_arguments_that_are_no_object_are_said_to_be_none(box: sb.Toolbox, args: Any) -> None:
    @box.tool(effect="read")
    async def look(city: str) -> str:
        return city

    result = await box.call("look", args)
    assert result.error is not None
    assert result.error.code in {"NOT_JSON", "NOT_AN_OBJECT"}
