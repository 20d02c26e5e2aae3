"""The same, where policies ask for two people, tell people in a chain, decide by themselves, and are held back."""

from datetime import timedelta

import pytest
from hypothesis import settings as settings_of
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule, run_state_machine_as_test

from console.audit import queries as audit
from console.audit.models import AuditEntry
from escalations import contract, operations
from escalations.models import Case, Decision, Vote
from escalations.vocabulary import DeciderKind, Paused
from tests.escalations import cast, made
from tests.journeys.test_any_story_of_a_case import QUICK, WHO, Story

CHAIN = [{"do": "notify", "team": "nobody"}, {"do": "wait", "seconds": 120}, {"do": "repeat", "times": 2}]
HELD = [(Paused.AGENT, "trip-booker"), (Paused.POLICY, "gifts")]
WHY = "There is no time to wait for anybody."


class RuledStory(Story):
    """One agent's cases under three policies."""

    def teardown(self):
        assert audit.verify().breaks == ()
        super().teardown()

    @initialize()
    def policies(self):
        both = {"quorum": 2, "break_glass": ["admin"], "chain": CHAIN, "deadline_s": 900}
        cast.policy("both", match={"tool": "upgrade.*"}, effect=both)
        giving = {"decide": {**cast.GIVING["decide"], "undo_s": 120}, "chain": CHAIN}
        cast.policy("gifts", match=cast.GIVES, effect=giving)
        self.held: set = set()

    @rule(target=Story.cases, points=st.sampled_from([5, 100, 101]), swept=st.booleans())
    def asks_for_a_gift(self, points, swept):
        due = (self.at + timedelta(minutes=20)).isoformat()
        case = made.opened(at=self.at, key=next(self.names), expires_at=due, **cast.gift(points))
        if swept:
            operations.decide_by_policy_one(at=self.at)
        return case.id

    @rule()
    def policies_and_chains_run(self):
        for sweep in (operations.chain_one, operations.remind_one, operations.wake_one):
            while sweep(at=self.at):
                continue
        for _ in range(5):
            operations.decide_by_policy_one(at=self.at)

    @rule(what=st.sampled_from(HELD))
    def is_held_back(self, what):
        said = contract.HoldBack(reason="Stop.")
        operations.pause(kind=what[0], name=what[1], said=said, by=made.ANA, at=self.at)
        self.held.add(what)

    @rule(what=st.sampled_from(HELD))
    def is_let_go(self, what):
        self.attempt(lambda: operations.unpause(kind=what[0], name=what[1], by=made.ANA, at=self.at))
        self.held.discard(what)

    @rule(case=Story.cases)
    def breaks_the_glass(self, case):
        base = Case.objects.get(pk=case).revision
        plans = {"proposal_id": "A" if Case.objects.get(pk=case).tool.startswith("upgrade") else "P"}

        def decide():
            key = next(self.names)
            more = {"by": cast.ADMIN, "at": self.at, "base_revision": base, "break_glass": WHY}
            return made.decided(case, key=key, **more, **plans)

        self.attempt(decide)

    @rule(case=Story.cases, who=WHO)
    def goes_on_with_the_rest(self, case, who):
        base = Case.objects.get(pk=case).revision
        self.attempt(lambda: operations.open_rest(case_id=case, base_revision=base, by=who, at=self.at))

    @rule(case=Story.cases, who=WHO, minutes=st.sampled_from([1, 3]))
    def rests(self, case, who, minutes):
        until = self.at + timedelta(minutes=minutes)
        self.attempt(lambda: operations.snooze(case_id=case, until=until, by=who, at=self.at))

    @invariant()
    def every_case_is_what_its_decision_says(self):
        for row in Case.objects.exclude(decision="disputed"):
            made_ = Decision.objects.filter(case=row, revision=row.revision, retracted_at=None).first()
            assert (made_ is None) == (row.decision == "open")

    @invariant()
    def nothing_approved_was_made_up(self):
        for row in Decision.objects.filter(action__in=["approve", "edit"], retracted_at=None):
            if row.by_kind == DeciderKind.POLICY:
                assert [step["args"]["points"] <= 100 for step in row.steps] == [True]
            else:
                assert row.by_kind == DeciderKind.PERSON

    @invariant()
    def two_agreed_or_the_glass_was_broken(self):
        broke = set(
            AuditEntry.objects.filter(verb="broke_glass").values_list("detail__decision_id", flat=True)
        )
        for row in Decision.objects.filter(by_kind=DeciderKind.PERSON, retracted_at=None).select_related(
            "case"
        ):
            if row.revision == row.case.revision and int(row.case.policy.get("quorum") or 1) > 1:
                votes = Vote.objects.filter(case=row.case, revision=row.revision)
                assert votes.count() >= 2 or str(row.pk) in broke

    @invariant()
    def the_audit_proves_itself(self):
        """Once, at the end of each story."""

    @invariant()
    def what_is_decided_has_no_timer(self):
        decided = Case.objects.exclude(decision__in=["open", "disputed"])
        assert not decided.exclude(chain_at=None, remind_at=None, auto_at=None).exists()


@pytest.mark.django_db
@pytest.mark.slow
def test_any_story_under_policies_keeps_what_must_always_hold(settings):
    settings.UNDO_WINDOW_S = 120
    run_state_machine_as_test(RuledStory, settings=settings_of(QUICK, max_examples=8, stateful_step_count=30))
