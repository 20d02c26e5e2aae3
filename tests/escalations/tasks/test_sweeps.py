from datetime import timedelta

import pytest

from console.audit.queries import history
from escalations import operations, tasks
from escalations.models import Case
from escalations.operations.rows import MovedUnderneath
from escalations.tasks import sweeps
from tests.escalations import cast, made
from tests.escalations.made import real_now

pytestmark = pytest.mark.django_db


@pytest.fixture
def overdue(settings):
    settings.CASE_LIFE_S = 60
    for n in range(3):
        made.opened(key=f"k{n}", at=real_now() - timedelta(hours=1))


def test_every_overdue_case_expires_and_a_second_run_changes_nothing(overdue):
    tasks.expire_overdue()
    first = list(Case.objects.order_by("pk").values())
    tasks.expire_overdue(unknown="keyword")
    assert [row["decision"] for row in first] == ["expired"] * 3
    assert list(Case.objects.order_by("pk").values()) == first


def test_lapsed_claims_are_freed_and_live_ones_kept():
    old, live = made.opened(key="a", at=real_now()), made.opened(key="b", at=real_now())
    operations.claim(case_id=old.id, by=made.ANA, at=real_now() - timedelta(hours=1))
    operations.claim(case_id=live.id, by=made.ANA, at=real_now())
    tasks.free_lapsed_claims()
    assert list(Case.objects.exclude(holder_id="").values_list("pk", flat=True)) == [live.id]


def test_silence_is_noticed():
    made.decided(made.opened(at=real_now()).id, at=real_now() - timedelta(hours=1))
    tasks.notice_silence()
    assert Case.objects.get().execution == "no_report"


def test_chains_reminders_and_rests_are_followed():
    chain = [{"do": "notify", "person": "ana"}, {"do": "notify", "person": "ben"}]
    cast.policy(effect={"chain": chain, "remind_before_s": [3600]}, at=real_now())
    case = made.opened(
        at=real_now() - timedelta(hours=1), expires_at=(real_now() + timedelta(minutes=30)).isoformat()
    )
    Case.objects.update(snoozed_until=real_now())
    tasks.follow_chains()
    row = Case.objects.get()
    assert (row.chain_at, row.remind_at, row.snoozed_until) == (None, None, None)
    verbs = [entry.verb for entry in history(subject=f"case:{row.number}")]
    assert [verbs.count(verb) for verb in ("woken", "chain_step", "reminded")] == [1, 2, 1]
    made.decided(case.id)
    tasks.follow_chains()
    assert history(subject=f"case:{row.number}")[-1].verb == "approved"


def test_policies_decide():
    cast.policy(
        "gifts",
        match=cast.GIVES,
        effect=cast.GIVING,
        at=real_now(),
        expires_at=(real_now() + timedelta(days=1)).isoformat(),
    )
    for n in range(3):
        made.opened(key=f"k{n}", at=real_now(), **cast.gift(n + 1))
    tasks.decide_by_policy()
    assert set(Case.objects.values_list("decision", flat=True)) == {"approved"}


def test_a_sweep_that_meets_somebody_at_work_goes_on(monkeypatch):
    ends = [True, MovedUnderneath("Somebody else changed it first."), True, False]

    def one(*, at):
        end = ends.pop(0)
        if isinstance(end, Exception):
            raise end
        return end

    monkeypatch.setattr(operations, "expire_one", one)
    tasks.expire_overdue()
    assert ends == []


def test_one_run_gives_way_to_others(monkeypatch):
    monkeypatch.setattr(sweeps, "MOST", 3)
    runs = []
    monkeypatch.setattr(operations, "expire_one", lambda *, at: runs.append(at) or True)
    tasks.expire_overdue()
    assert len(runs) == 3


def test_an_old_timer_wakes_for_a_decided_case_and_does_nothing():
    """Check: acked or decided item is never paged again; an old timer wakes and does nothing."""
    now = real_now()
    case = made.opened(at=now, expires_at=(now + timedelta(seconds=1)).isoformat())
    operations.claim(case_id=case.id, by=made.ANA, at=now)
    operations.snooze(case_id=case.id, until=now + timedelta(milliseconds=500), by=made.ANA, at=now)
    made.acknowledged(made.decided(case.id, "reject", at=now), at=now)
    before = Case.objects.values().get()
    late = now + timedelta(days=30)
    assert not any(
        sweep(at=late) for sweep in (operations.expire_one, operations.lapse_one, operations.no_report_one)
    )
    assert Case.objects.values().get() == before
