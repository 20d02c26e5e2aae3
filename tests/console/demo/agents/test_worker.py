import asyncio

import httpx2

from console.demo.agents.worker import Rhythm


async def until(condition):
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in another task's database
            await asyncio.sleep(0.01)


async def test_waiting_for_people_does_not_hold_up_the_next_requests(bench):
    world = bench("card-declined", "plain", "plain")
    running = asyncio.create_task(world.worker(most=3).run())
    await until(lambda: list(world.states().values()).count("done") == 2)
    assert world.states()["TB-1001"] == "open"
    world.console.decide(world.console.cases[0], proposal_id="A")
    await asyncio.wait_for(running, 10)
    assert world.states()["TB-1001"] != "open"


async def test_a_worker_that_starts_again_goes_on_waiting_for_the_same_case(bench):
    world = bench("upgrade-hangs")
    first = asyncio.create_task(world.worker().run())
    await until(lambda: world.console.cases)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    await until(lambda: len(asyncio.all_tasks()) <= 2)
    world.console.decide(world.console.cases[0], proposal_id="B")
    await asyncio.wait_for(world.worker().run(), 10)
    assert len(world.console.cases) == 1
    assert world.console.cases[0].execution == "executed"
    totals = (await world.ledger())["totals"]
    assert (totals["points_charges"]["count"], totals["points_refunds"]["count"]) == (1, 1)


async def test_with_enough_cases_open_only_quiet_requests_are_asked_for(bench):
    world = bench("card-declined", "plain")
    worker = world.worker(most=3, enough=1)
    worker.waiting.cases.add("a case of an earlier trip")
    await asyncio.wait_for(worker.run(), 10)
    assert list(world.states().values()) == ["done"] * 3
    assert world.console.cases == []


async def test_a_case_for_which_there_is_no_room_is_withdrawn(bench):
    world = bench("card-declined")
    worker = world.worker()
    worker.waiting.most = 0
    await asyncio.wait_for(worker.run(), 10)
    assert [case.state for case in world.console.cases] == ["cancelled"]
    assert world.states() == {"TB-1001": "handed_over"}


async def test_a_service_that_is_away_is_asked_again(bench):
    world = bench("plain")
    worker = world.worker()
    ask, refused = worker.service.next_request, []

    async def once_away(desk, *, quiet):
        if not refused:
            refused.append(desk)
            raise httpx2.ConnectError("away")
        return await ask(desk, quiet=quiet)

    worker.service.next_request = once_away
    await asyncio.wait_for(worker.run(), 10)
    assert world.states() == {"TB-1001": "done"}


async def test_a_case_that_expires_runs_nothing_and_ends_the_wait(bench):
    world = bench("card-declined")
    world.console.on_open = world.console.expire
    await world.run()
    assert world.states() == {"TB-1001": "handed_over"}
    assert "traveller.notify" not in {call["tool"] for call in world.calls}


async def test_a_console_that_is_away_is_waited_for(bench, monkeypatch):
    monkeypatch.setattr("console.demo.agents.scripts.people.AGAIN_S", 0)
    world = bench("card-declined")
    world.console.down()
    running = asyncio.create_task(world.worker().run())
    await until(lambda: world.store.rows("SELECT 1 FROM tries WHERE tool = 'pay.capture'"))
    world.approve_all("A")
    world.console.up()
    await asyncio.wait_for(running, 10)
    assert [case.execution for case in world.console.cases] == ["executed"]


def test_the_opening_is_quick_and_then_the_rate_holds():
    rhythm = Rhythm(per_minute=12, opening=3, opening_s=1)
    assert [rhythm.pause_s(taken) for taken in (0, 2, 3, 99)] == [1, 1, 5, 5]


def test_a_fast_rate_is_not_slowed_by_the_opening():
    assert Rhythm(per_minute=600, opening=3, opening_s=1).pause_s(0) == 0.1
