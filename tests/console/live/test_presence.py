import json
from uuid import UUID

import pytest

from tests.console.live.test_consumers import Browser

CASE, OTHER = str(UUID(int=1)), str(UUID(int=2))


class Person:
    is_authenticated = True

    def __init__(self, pk, name):
        self.pk, self.name = pk, name

    def __str__(self):
        return self.name


class Page(Browser):
    """A page that says what it shows, and is told who else shows it."""

    @classmethod
    async def of(cls, pk, name):
        page = cls(Person(pk, name))
        await page.open()
        return page

    async def look(self, case_id):
        await self.say(json.dumps({"type": "look", "id": case_id}))

    async def others(self):
        told = await self.hear()
        assert told["type"] == "presence"
        return told["id"], told["people"]


async def test_two_who_look_at_one_case_see_each_other_until_one_leaves():
    ana, ben = await Page.of(1, "ana"), await Page.of(2, "ben")
    await ana.look(CASE)
    assert await ana.others() == (CASE, [])
    await ben.look(CASE)
    assert await ana.others() == (CASE, ["ben"])
    assert await ben.others() == (CASE, [])
    assert await ben.others() == (CASE, ["ana"])
    await ben.close()
    assert await ana.others() == (CASE, [])
    await ana.close()


async def test_the_same_person_twice_is_nobody_else():
    first, second = await Page.of(1, "ana"), await Page.of(1, "ana")
    await first.look(CASE)
    await first.others()
    await second.look(CASE)
    assert await second.others() == (CASE, [])
    assert await first.receive_nothing()
    await first.close()
    await second.close()


async def test_whoever_goes_on_to_another_case_has_left_this_one():
    ana, ben = await Page.of(1, "ana"), await Page.of(2, "ben")
    await ana.look(CASE)
    await ana.others()
    await ben.look(CASE)
    assert await ana.others() == (CASE, ["ben"])
    await ben.look(OTHER)
    assert await ana.others() == (CASE, [])
    await ben.look(None)
    await ana.close()
    await ben.close()


@pytest.mark.parametrize("said", ["C-1", 7, {}, None, "x" * 5000, "a;b"])
async def test_what_is_no_case_is_looked_at_by_nobody(said):
    ana = await Page.of(1, "ana")
    await ana.look(said)
    await ana.say('{"type": "ping"}')
    assert await ana.hear() == {"type": "pong"}
    await ana.close()
