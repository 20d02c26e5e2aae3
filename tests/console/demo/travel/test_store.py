import pytest

from console.demo.travel.store import Store


async def test_the_same_key_again_is_the_stored_answer_and_no_second_effect(service):
    service.start()
    body = {"flight": "MU5138", "traveller": "T-1", "cabin": "economy"}
    first = await service.ask("POST", "/holds", body, key="k1")
    again = await service.ask("POST", "/holds", body, key="k1")
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert service.store.number("holds") == 2


async def test_the_same_key_with_other_arguments_is_a_conflict(service):
    service.start()
    await service.ask(
        "POST", "/holds", {"flight": "MU5138", "traveller": "T-1", "cabin": "economy"}, key="k1"
    )
    other = await service.ask(
        "POST", "/holds", {"flight": "CA1", "traveller": "T-1", "cabin": "economy"}, key="k1"
    )
    assert (other.status_code, other.json()["code"]) == (422, "IDEMPOTENCY_CONFLICT")


async def test_a_refusal_frees_the_key(service):
    hold = await service.start().held()
    path = f"/holds/{hold}/seat"
    refused = await service.ask("PUT", path, {"seat_pref": "靠窗", "traveller": "T-1"}, key="s")
    repaired = await service.ask("PUT", path, {"seat_pref": "window", "traveller": "T-1"}, key="s")
    assert (refused.status_code, repaired.status_code) == (400, 200)


async def test_a_write_without_a_key_is_refused_by_name(service):
    answer = await service.start().ask(
        "POST", "/holds", {"flight": "MU5138", "traveller": "T-1", "cabin": "economy"}
    )
    assert answer.json()["errors"][0]["field"] == "Idempotency-Key"


def test_a_transaction_that_raises_leaves_nothing():
    store = Store()

    def half_done():
        with store.transaction():
            store.write("INSERT INTO seats VALUES ('MU1', '1A', 'T', '', '')")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half_done()
    assert store.rows("SELECT * FROM seats") == []
    store.close()


async def test_old_rows_are_dropped_and_their_numbers_are_not_given_again(service):
    service.start()
    first = await service.held("a")
    service.pass_time(3600)
    second = await service.held("b")
    service.store.forget_before(service.at.isoformat())
    third = await service.held("c")
    assert [row["id"] for row in service.store.rows("SELECT id FROM holds ORDER BY id")] == [second, third]
    assert len({first, second, third}) == 3


async def test_what_was_written_is_there_after_a_restart(tmp_path):
    path = str(tmp_path / "travel.sqlite3")
    store = Store(path)
    store.write("INSERT INTO seats VALUES ('MU1', '1A', 'T', '', '')")
    store.close()
    store = Store(path)
    assert [row["seat"] for row in store.rows("SELECT seat FROM seats")] == ["1A"]
    store.close()
