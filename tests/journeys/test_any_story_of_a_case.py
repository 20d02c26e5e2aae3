"""Whatever people, agents, sweeps and the clock do in whatever order: what must always hold (design §6) holds."""

import itertools
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from console.audit import queries as audit
from console.audit.models import AuditEntry
from console.kit.refusal import Refused
from escalations import operations, queries
from escalations.domain.digest import args_digest
from escalations.domain.lifecycle import DECISIONS, EXECUTIONS, RUNS
from escalations.models import Case, Decision, Outcome
from escalations.vocabulary import ATTENTION, Execution, Source
from escalations.vocabulary import Decision as Decided
from tests.escalations import made

WHO = st.sampled_from([made.ANA, made.BEN])
ACTIONS = st.sampled_from(["approve", "edit", "reject", "respond"])
STATUSES = st.sampled_from(["executing", "executed", "failed", "partial", "never_executed", "unknown"])
EDIT = [{"id": "s2", "run": True, "args": {"flight": "MU5138", "points_max": 28000}}]
SAID = {"edit": {"steps": EDIT}, "respond": {"answer": None}}


class Story(RuleBasedStateMachine):
    """One agent's cases, told by anybody."""

    cases = Bundle("cases")

    def __init__(self):
        super().__init__()
        self.at = made.NOON
        self.names = (f"n{n}" for n in itertools.count())
        self.applied: dict = {}
        self.before: dict = {}
        self.undone = transaction.atomic()
        self.undone._from_testcase = True  # operations are durable; this one is only there to be rolled back
        self.undone.__enter__()

    def teardown(self):
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    def attempt(self, work):
        """Do it or be refused, never anything else; exactly one audit entry for what was done."""
        entries = AuditEntry.objects.count()
        try:
            done = work()
        except Refused as refusal:
            kept = refusal.code in {"ALREADY_DECIDED", "STALE_REVISION"} and work.__name__ == "decide"
            assert AuditEntry.objects.count() == entries + kept
            return None
        assert AuditEntry.objects.count() <= entries + 1
        return done

    @rule(target=cases, default=st.sampled_from([None, {"action": "expire"}, {"action": "reject"}]))
    def opens(self, default):
        due = (self.at + timedelta(minutes=20)).isoformat()
        return made.opened(at=self.at, key=next(self.names), on_timeout=default, expires_at=due).id

    @rule(minutes=st.sampled_from([0, 1, 4, 6, 11, 30]))
    def time_passes(self, minutes):
        self.at += timedelta(minutes=minutes)

    @rule(case=cases, who=WHO, take_over=st.booleans())
    def claims(self, case, who, take_over):
        self.attempt(lambda: operations.claim(case_id=case, by=who, at=self.at, take_over=take_over))

    @rule(case=cases, who=WHO)
    def releases(self, case, who):
        self.attempt(lambda: operations.release(case_id=case, by=who, at=self.at))

    @rule(case=cases, who=WHO, action=ACTIONS, stale=st.booleans())
    def decides(self, case, who, action, stale):
        base = Case.objects.get(pk=case).revision - (1 if stale else 0)
        more = {"base_revision": max(base, 1), "key": next(self.names), **SAID.get(action, {})}

        def decide():
            return made.decided(case, action, by=who, at=self.at, **more)

        self.attempt(decide)

    @rule(case=cases, who=WHO)
    def takes_back(self, case, who):
        self.attempt(lambda: operations.retract(case_id=case, by=who, at=self.at))

    @rule(case=cases)
    def revises(self, case):
        base = Case.objects.get(pk=case).revision
        due = (self.at + timedelta(minutes=20)).isoformat()
        self.attempt(
            lambda: made.revised(case, base_revision=base, at=self.at, title=next(self.names), expires_at=due)
        )

    @rule(case=cases)
    def withdraws(self, case):
        self.attempt(lambda: operations.cancel(case_id=case, reason="", by=made.AGENT, at=self.at))

    @rule(case=cases)
    def is_sent(self, case):
        out = queries.out_for(escalation_ids=[case], at=self.at)
        ids = [each.decision.decision_id for each in out]
        operations.mark_delivered(decision_ids=ids, via=Source.SOCKET, at=self.at)

    @rule(case=cases)
    def acknowledges_and_applies(self, case):
        for waiting in queries.out_for(escalation_ids=[case], at=self.at):
            told = waiting.decision
            assert told.decision_id not in self.applied
            steps = [step.model_dump(mode="json", by_alias=True) for step in told.steps]
            assert args_digest(told.escalation_id, told.revision, steps) == told.args_digest
            if self.attempt(lambda told=told: made.acknowledged(told, at=self.at)):
                self.applied[told.decision_id] = told

    @rule(case=cases, status=STATUSES)
    def reports(self, case, status):
        told = queries.decision_about(case_id=case, actor=made.AGENT, at=self.at)
        if told is not None:
            self.attempt(lambda: made.reported(told, status, report_id=next(self.names), at=self.at))
            if Decision.objects.get(pk=told.decision_id).acknowledged_at:
                self.applied.setdefault(told.decision_id, told)

    @rule(case=cases, who=WHO)
    def closes_by_hand(self, case, who):
        self.attempt(lambda: operations.resolve(case_id=case, note="by hand", by=who, at=self.at))

    @rule()
    def sweeps_run(self):
        for sweep in (operations.expire_one, operations.lapse_one, operations.no_report_one):
            while sweep(at=self.at):
                continue

    @invariant()
    def every_case_is_what_its_decision_says(self):
        for row in Case.objects.all():
            made_ = Decision.objects.filter(case=row, revision=row.revision, retracted_at=None).first()
            assert (made_ is None) == (row.decision == Decided.OPEN)
            if made_ is not None:
                assert (made_.state, made_.execution) == (row.decision, row.execution)
            assert row.needs_attention == (row.execution in ATTENTION and row.resolved_at is None)
            if row.execution not in {Execution.NOT_STARTED, Execution.NOT_APPLICABLE}:
                assert Decided(row.decision) in RUNS

    @invariant()
    def each_field_moves_as_its_table_says(self):
        now = {row.pk: (row.revision, row.decision, row.execution) for row in Case.objects.all()}
        for case, (revision, decision, execution) in now.items():
            earlier = self.before.get(case)
            if earlier is None or earlier[0] != revision:
                continue
            assert decision == earlier[1] or reachable(DECISIONS, Decided(earlier[1]), decision)
            assert execution == earlier[2] or reachable(EXECUTIONS, Execution(earlier[2]), execution)
        self.before = now

    @invariant()
    def nothing_approved_was_made_up(self):
        for row in Decision.objects.filter(action__in=["approve", "edit"]):
            assert row.by_kind == "person"  # no default of this story approves

    @invariant()
    def outcomes_belong_to_what_could_run(self):
        assert not Outcome.objects.exclude(decision__state__in=RUNS).exists()

    @invariant()
    def the_audit_proves_itself(self):
        assert audit.verify().breaks == ()


def reachable(table, start, end):
    """Say whether a word follows, at once or over others: one rule may do several things."""
    seen, ahead = set(), [start]
    while ahead:
        for word in table[ahead.pop()] - seen:
            seen.add(word)
            ahead.append(word)
    return end in seen


@pytest.mark.django_db
@pytest.mark.slow
def test_any_story_of_a_case_keeps_what_must_always_hold(settings):
    settings.UNDO_WINDOW_S = 120
    run_state_machine_as_test(Story, settings=QUICK)


QUICK = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
