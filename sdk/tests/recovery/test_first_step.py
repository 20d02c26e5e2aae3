"""A coroutine tool begins at once, in a task of its own."""

import asyncio
import contextvars

import pytest

import switchboard as sb
from switchboard.begun import Begun
from switchboard.testing import FakeClock

WHO: contextvars.ContextVar[str] = contextvars.ContextVar("who", default="nobody")


@pytest.fixture
def box() -> sb.Toolbox:
    return sb.Toolbox(call_filter="off")


async def test_one_task_is_the_current_one_from_the_first_step_to_the_last(box: sb.Toolbox) -> None:
    seen: list[object] = [asyncio.current_task()]

    @box.tool(effect="read")
    async def look() -> str:
        seen.append(asyncio.current_task())
        await asyncio.sleep(0)
        seen.append(asyncio.current_task())
        return "done"

    assert (await box.call("look")).data == "done"
    seen.append(asyncio.current_task())
    assert seen[1] is seen[2]
    assert seen[0] is seen[3]
    assert seen[0] is not seen[1]


async def test_a_tools_own_time_limit_strikes_the_tool_and_not_its_caller(box: sb.Toolbox) -> None:
    @box.tool(effect="read", policy=sb.Policy(attempts=1))
    async def look() -> str:
        try:
            async with asyncio.timeout(0.001):
                await asyncio.Event().wait()
        except TimeoutError:
            return "gave up by itself"
        return "never"

    assert (await box.call("look")).data == "gave up by itself"


async def test_an_answer_at_once_needs_no_turn_of_the_loop(box: sb.Toolbox) -> None:
    turns: list[str] = []
    asyncio.get_running_loop().call_soon(turns.append, "turn")

    @box.tool(effect="read")
    async def look() -> int:
        return 1

    assert (await box.call("look")).data == 1
    assert turns == []


async def test_answers_at_once_leave_other_tasks_their_turn(box: sb.Toolbox) -> None:
    turns: list[str] = []
    asyncio.get_running_loop().call_soon(turns.append, "turn")

    @box.tool(effect="read")
    async def look() -> int:
        return 1

    for _ in range(60):
        await box.call("look")
    assert turns == ["turn"]


async def test_what_a_tool_sets_in_its_context_stays_there(box: sb.Toolbox) -> None:
    @box.tool(effect="read")
    async def look() -> str:
        WHO.set("the tool")
        await asyncio.sleep(0)
        return WHO.get()

    assert (await box.call("look")).data == "the tool"
    assert WHO.get() == "nobody"


async def test_a_tool_that_calls_a_tool_is_its_own_task_again_afterwards(box: sb.Toolbox) -> None:
    @box.tool(effect="read")
    async def inner() -> str:
        await asyncio.sleep(0)
        return "inner"

    @box.tool(effect="read")
    async def outer() -> bool:
        before = asyncio.current_task()
        await box.call("inner")
        return asyncio.current_task() is before

    assert (await box.call("outer")).data is True


async def test_a_tool_that_cancels_itself_at_once_is_told_from_a_program_being_stopped(
    box: sb.Toolbox,
) -> None:
    @box.tool(effect="read", policy=sb.Policy(attempts=1))
    async def look() -> None:
        raise asyncio.CancelledError

    result = await box.call("look")
    assert result.error is not None
    assert result.error.code == "CANCELLED_INSIDE"


async def test_a_cancellation_in_the_very_turn_of_the_first_step_reaches_what_it_waits_for() -> None:
    loop = asyncio.get_running_loop()
    waited_for: asyncio.Future[None] = loop.create_future()
    heard: list[str] = []

    async def tool() -> None:
        try:
            await waited_for
        except asyncio.CancelledError:
            heard.append("cancelled")
            raise

    work = Begun(tool())
    task = work.start(loop)
    assert not work.ended
    task.cancel()
    await asyncio.wait([task])
    assert (heard, task.cancelled(), waited_for.cancelled()) == (["cancelled"], True, True)


async def test_what_can_be_awaited_but_is_no_coroutine_is_awaited() -> None:
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[int] = loop.create_future()
    loop.call_soon(answer.set_result, 7)
    work = Begun(answer)
    assert await work.start(loop) == 7


async def test_a_blocked_first_step_that_goes_on_to_wait_has_used_up_its_time() -> None:
    clock = FakeClock()
    box = sb.Toolbox(clock=clock, policies={"short": sb.Policy(attempts=1, timeout_s=1, grace_s=0)})

    @box.tool(effect="read", policy="short")
    async def look() -> None:
        clock.advance(2)
        await asyncio.Event().wait()

    result = await box.call("look")
    assert result.error is not None
    assert result.error.code == "TIMEOUT"
