import pytest

from console.audit.queries import history
from escalations import operations
from escalations.domain import lifecycle, permissions
from escalations.models import Case
from tests.escalations import made

pytestmark = pytest.mark.django_db


def claim(case, who=made.ANA, at=made.NOON, **more):
    return operations.claim(case_id=case.id, by=who, at=at, **more)


def verbs():
    return [entry.verb for entry in history(subject=f"case:{Case.objects.get().number}")]


def test_a_claim_lasts_one_lease_and_is_renewed_by_claiming_again(settings):
    case = made.opened()
    assert claim(case).lease_until == made.later(seconds=settings.CLAIM_LEASE_S)
    assert claim(case, at=made.later(minutes=1)).lease_until == made.later(minutes=6)
    assert verbs() == ["opened", "claimed", "claim_renewed"]


def test_the_second_claimant_is_told_who_has_it():
    case = made.opened()
    claim(case)
    with pytest.raises(lifecycle.HeldByAnother) as refused:
        claim(case, made.BEN)
    assert refused.value.extra["held"]["holder"] == "ana"
    assert Case.objects.get().holder_name == "ana"


def test_taking_over_is_recorded():
    case = made.opened()
    claim(case)
    assert claim(case, made.BEN, take_over=True).taken_over_from == "ana"
    last = history(subject=f"case:{Case.objects.get().number}")[-1]
    assert (last.verb, last.detail["taken_over_from"]) == ("taken_over", "ana")


def test_a_lapsed_lease_frees_itself_once():
    case = made.opened()
    claim(case)
    assert not operations.lapse_one(at=made.later(minutes=4))
    assert operations.lapse_one(at=made.later(minutes=5))
    assert not operations.lapse_one(at=made.later(minutes=5))
    assert Case.objects.get().holder_id == ""
    assert verbs() == ["opened", "claimed", "claim_lapsed"]


def test_only_the_holder_gives_a_case_back():
    case = made.opened()
    claim(case)
    with pytest.raises(lifecycle.HeldByAnother):
        operations.release(case_id=case.id, by=made.BEN, at=made.NOON)
    for _ in range(2):
        operations.release(case_id=case.id, by=made.ANA, at=made.NOON)
    assert verbs() == ["opened", "claimed", "released"]


def test_a_viewer_claims_nothing():
    with pytest.raises(permissions.NotYours):
        claim(made.opened(), made.EVE)


def test_a_claim_survives_a_new_revision_and_ends_with_the_decision():
    case = made.opened()
    claim(case)
    made.revised(case.id, base_revision=1, title="Changed")
    assert Case.objects.get().holder_name == "ana"
    made.decided(case.id, base_revision=2)
    assert Case.objects.get().holder_name == ""
    with pytest.raises(lifecycle.AlreadyDecided):
        claim(case)
