"""What was decided about a revision, and what its agent reported."""

import uuid

from django.db import models
from django.db.models import F, Q

from escalations.models.cases import Case
from escalations.models.words import one_of
from escalations.vocabulary import DecisionKind, Execution, Reported


class Decision(models.Model):
    """What was decided about one revision: outbox row and delivery record in one.

    Socket, long poll and webhook read it; a retracted one stays for history and is never sent.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="decisions")
    agent_id = models.CharField(max_length=64)
    revision = models.PositiveIntegerField()
    seq = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=12)
    state = models.CharField(max_length=16)
    action = models.CharField(max_length=8, blank=True)
    by_kind = models.CharField(max_length=8, blank=True)
    by_id = models.CharField(max_length=64, blank=True)
    by_name = models.CharField(max_length=160, blank=True)
    proposal_id = models.CharField(max_length=200, blank=True)
    steps = models.JSONField(default=list)
    answered = models.BooleanField(default=False)
    answer = models.JSONField(null=True)
    message = models.TextField(blank=True)
    reason = models.CharField(max_length=300, blank=True)
    args_digest = models.CharField(max_length=64)
    decision_key = models.CharField(max_length=300, blank=True)
    request_digest = models.CharField(max_length=64, blank=True)
    decided_at = models.DateTimeField()
    deliver_after = models.DateTimeField()
    retracted_at = models.DateTimeField(null=True)
    delivered_at = models.DateTimeField(null=True)
    delivered_by = models.CharField(max_length=24, blank=True)
    acknowledged_at = models.DateTimeField(null=True)
    fence = models.PositiveBigIntegerField(null=True)
    webhook_at = models.DateTimeField(null=True)
    webhook_tries = models.PositiveIntegerField(default=0)
    webhook_error = models.CharField(max_length=300, blank=True)
    execution = models.CharField(max_length=16, default=Execution.NOT_STARTED)
    reported_at = models.DateTimeField(null=True)

    class Meta:
        """One decision per revision, one sequence per agent, one use per key."""

        constraints = (
            models.UniqueConstraint(
                name="decision_once_per_revision",
                fields=["case", "revision"],
                condition=Q(retracted_at__isnull=True),
            ),
            models.UniqueConstraint(name="decision_seq_once_per_agent", fields=["agent_id", "seq"]),
            models.UniqueConstraint(
                name="decision_key_once_per_case",
                fields=["case", "decision_key"],
                condition=~Q(decision_key=""),
            ),
            models.CheckConstraint(name="decision_kind_is_a_word", condition=one_of("kind", DecisionKind)),
            models.CheckConstraint(
                name="decision_execution_is_a_word", condition=one_of("execution", Execution)
            ),
            models.CheckConstraint(
                name="decision_says_who",
                condition=(Q(kind=DecisionKind.DECISION) & ~Q(action="") & ~Q(by_kind=""))
                | (~Q(kind=DecisionKind.DECISION) & Q(action="", by_kind="")),
            ),
            models.CheckConstraint(
                name="decision_not_sent_before_its_time",
                condition=Q(delivered_at__isnull=True) | Q(delivered_at__gte=F("deliver_after")),
            ),
            models.CheckConstraint(
                name="decision_retracted_is_unsent",
                condition=Q(retracted_at__isnull=True)
                | Q(delivered_at__isnull=True, acknowledged_at__isnull=True),
            ),
        )
        indexes = (
            models.Index(
                name="decision_webhook", fields=["webhook_at"], condition=Q(webhook_at__isnull=False)
            ),
            models.Index(
                name="decision_outbox",
                fields=["agent_id", "seq"],
                condition=Q(acknowledged_at__isnull=True, retracted_at__isnull=True),
            ),
        )

    def __str__(self) -> str:
        """Name the decision by what it says."""
        return f"{self.state} on revision {self.revision} of {self.case_id}"


class Outcome(models.Model):
    """One report of an agent about the execution of a decision."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="outcomes")
    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="outcomes")
    report_id = models.CharField(max_length=300)
    content_digest = models.CharField(max_length=64)
    status = models.CharField(max_length=16)
    steps = models.JSONField(default=list)
    flags = models.JSONField(default=list)
    reported_at = models.DateTimeField()

    class Meta:
        """A report is stored once."""

        constraints = (
            models.UniqueConstraint(name="outcome_report_once", fields=["case", "report_id"]),
            models.CheckConstraint(name="outcome_status_is_a_word", condition=one_of("status", Reported)),
        )

    def __str__(self) -> str:
        """Name the report by what it says."""
        return f"{self.status} for {self.case_id}"
