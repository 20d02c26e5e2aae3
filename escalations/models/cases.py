"""A case as its current revision stands, and its revisions."""

import uuid

from django.db import models
from django.db.models import Q

from escalations.models.words import one_of
from escalations.vocabulary import ATTENTION, Execution
from escalations.vocabulary import Decision as Decided

UNANSWERED_NO = (Decided.REJECTED, Decided.RESPONDED, Decided.EXPIRED, Decided.CANCELLED, Decided.SUPERSEDED)


class Case(models.Model):
    """One task handed to people, as its current revision stands. `version` is what compare-and-set compares."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.PositiveBigIntegerField(unique=True)
    agent_id = models.CharField(max_length=64)
    agent_name = models.CharField(max_length=160)
    agent_owner_id = models.CharField(max_length=64, blank=True)
    key = models.CharField(max_length=300)
    content_digest = models.CharField(max_length=64)
    trace_id = models.CharField(max_length=64, blank=True)
    session_id = models.CharField(max_length=200, blank=True)
    predecessor = models.UUIDField(null=True)

    title = models.CharField(max_length=300)
    goal = models.TextField(blank=True)
    trigger = models.CharField(max_length=32)
    severity = models.CharField(max_length=12)
    tool = models.CharField(max_length=200, blank=True)
    failure_class = models.CharField(max_length=24, blank=True)
    code = models.CharField(max_length=300, blank=True)
    fingerprint = models.CharField(max_length=64, blank=True)
    likeness = models.CharField(max_length=64, blank=True)
    recommended = models.CharField(max_length=300, blank=True)

    revision = models.PositiveIntegerField(default=1)
    version = models.PositiveIntegerField(default=1)
    decision = models.CharField(max_length=16, default=Decided.OPEN)
    execution = models.CharField(max_length=16, default=Execution.NOT_STARTED)

    holder_id = models.CharField(max_length=64, blank=True)
    holder_name = models.CharField(max_length=160, blank=True)
    lease_until = models.DateTimeField(null=True)
    assignee_id = models.CharField(max_length=64, blank=True)
    assignee_name = models.CharField(max_length=160, blank=True)
    snoozed_until = models.DateTimeField(null=True)

    opened_at = models.DateTimeField()
    revised_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decided_by = models.CharField(max_length=160, blank=True)
    needs_attention = models.BooleanField(default=False)
    report_due_at = models.DateTimeField(null=True)
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.CharField(max_length=160, blank=True)
    policy = models.JSONField(default=dict)
    queue = models.CharField(max_length=120, blank=True)
    chain_at = models.DateTimeField(null=True)
    chain_step = models.PositiveSmallIntegerField(default=0)
    chain_round = models.PositiveSmallIntegerField(default=0)
    remind_at = models.DateTimeField(null=True)
    auto_at = models.DateTimeField(null=True)

    class Meta:
        """What must never be true of a case, and the indexes of its queues."""

        constraints = (
            models.UniqueConstraint(name="case_key_once_per_agent", fields=["agent_id", "key"]),
            models.CheckConstraint(name="case_decision_is_a_word", condition=one_of("decision", Decided)),
            models.CheckConstraint(name="case_execution_is_a_word", condition=one_of("execution", Execution)),
            models.CheckConstraint(
                name="case_holder_with_lease",
                condition=Q(holder_id="", lease_until__isnull=True)
                | (~Q(holder_id="") & Q(lease_until__isnull=False)),
            ),
            models.CheckConstraint(
                name="case_held_while_undecided",
                condition=Q(holder_id="") | Q(decision__in=[Decided.OPEN, Decided.DISPUTED]),
            ),
            models.CheckConstraint(
                name="case_decided_at_iff_decided",
                condition=Q(decision__in=[Decided.OPEN, Decided.DISPUTED], decided_at__isnull=True)
                | (~Q(decision__in=[Decided.OPEN, Decided.DISPUTED]) & Q(decided_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="case_undecided_runs_nothing",
                condition=~Q(decision__in=[Decided.OPEN, Decided.DISPUTED])
                | Q(execution=Execution.NOT_STARTED),
            ),
            models.CheckConstraint(
                name="case_decided_has_no_timers",
                condition=Q(decision__in=[Decided.OPEN, Decided.DISPUTED])
                | Q(chain_at__isnull=True, remind_at__isnull=True, auto_at__isnull=True),
            ),
            models.CheckConstraint(
                name="case_refused_runs_nothing",
                condition=(Q(decision__in=UNANSWERED_NO) & Q(execution=Execution.NOT_APPLICABLE))
                | (~Q(decision__in=UNANSWERED_NO) & ~Q(execution=Execution.NOT_APPLICABLE)),
            ),
            models.CheckConstraint(
                name="case_attention_is_what_it_says",
                condition=Q(needs_attention=True, execution__in=sorted(ATTENTION), resolved_at__isnull=True)
                | (
                    Q(needs_attention=False)
                    & (~Q(execution__in=sorted(ATTENTION)) | Q(resolved_at__isnull=False))
                ),
            ),
        )
        # No partial index on words: SQLite cannot use one for a query with parameters, which all of Django's are.
        indexes = (
            models.Index(name="case_queue", fields=["decision", "expires_at", "id"]),
            models.Index(name="case_attention", fields=["needs_attention", "decided_at", "id"]),
            models.Index(name="case_done", fields=["-decided_at", "-id"]),
            models.Index(
                name="case_report_due", fields=["report_due_at"], condition=Q(report_due_at__isnull=False)
            ),
            models.Index(name="case_chain", fields=["chain_at"], condition=Q(chain_at__isnull=False)),
            models.Index(name="case_remind", fields=["remind_at"], condition=Q(remind_at__isnull=False)),
            models.Index(name="case_auto", fields=["auto_at"], condition=Q(auto_at__isnull=False)),
            models.Index(
                name="case_snoozed", fields=["snoozed_until"], condition=Q(snoozed_until__isnull=False)
            ),
            models.Index(name="case_leases", fields=["lease_until"], condition=Q(lease_until__isnull=False)),
            models.Index(name="case_cause", fields=["fingerprint", "-opened_at"]),
            models.Index(name="case_likeness", fields=["agent_id", "likeness", "-opened_at"]),
            models.Index(name="case_of_agent", fields=["agent_id", "-opened_at"]),
            models.Index(name="case_of_trace", fields=["trace_id"]),
        )

    def __str__(self) -> str:
        """Name the case as people do."""
        return f"C-{self.number}"


class Revision(models.Model):
    """One package of a case, as it was sent and made safe; never changed afterwards."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    package = models.JSONField()
    flags = models.JSONField(default=list)
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        """A case counts its revisions without doubles."""

        constraints = (
            models.UniqueConstraint(name="revision_number_once", fields=["case", "number"]),
            models.CheckConstraint(name="revision_from_one", condition=Q(number__gte=1)),
        )

    def __str__(self) -> str:
        """Name the revision."""
        return f"revision {self.number} of {self.case_id}"
