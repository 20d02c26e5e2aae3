"""Cases, their revisions, the one decision of each, outcomes, notes and drafts.

Agents and people are kept by id and name, without foreign keys: what was decided must stay readable, and must never
block or follow a deletion.
"""

import uuid

from django.db import models
from django.db.models import F, Q

from escalations.vocabulary import ATTENTION, DecisionKind, Execution, Reported
from escalations.vocabulary import Decision as Decided

UNANSWERED_NO = (Decided.REJECTED, Decided.RESPONDED, Decided.EXPIRED, Decided.CANCELLED, Decided.SUPERSEDED)


def _words(name: str, words: type) -> Q:
    return Q(**{f"{name}__in": [word.value for word in words]})  # type: ignore[attr-defined]


class Counter(models.Model):
    """A number that only grows: `case` for the references people use, `agent:<id>` for decisions in order."""

    name = models.CharField(primary_key=True, max_length=96)
    value = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        """Name the counter."""
        return f"{self.name} at {self.value}"


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

    class Meta:
        """What must never be true of a case, and the indexes of its queues."""

        constraints = (
            models.UniqueConstraint(name="case_key_once_per_agent", fields=["agent_id", "key"]),
            models.CheckConstraint(name="case_decision_is_a_word", condition=_words("decision", Decided)),
            models.CheckConstraint(name="case_execution_is_a_word", condition=_words("execution", Execution)),
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
            models.CheckConstraint(name="decision_kind_is_a_word", condition=_words("kind", DecisionKind)),
            models.CheckConstraint(
                name="decision_execution_is_a_word", condition=_words("execution", Execution)
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
            models.CheckConstraint(name="outcome_status_is_a_word", condition=_words("status", Reported)),
        )

    def __str__(self) -> str:
        """Name the report by what it says."""
        return f"{self.status} for {self.case_id}"


class Note(models.Model):
    """What one person wrote for the next."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="notes")
    by_id = models.CharField(max_length=64)
    by_name = models.CharField(max_length=160)
    text = models.TextField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        """Name the note by its author."""
        return f"note of {self.by_name} on {self.case_id}"


class Draft(models.Model):
    """What a person has begun to decide about one revision; theirs alone, and never sent by itself."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="drafts")
    revision = models.PositiveIntegerField()
    person_id = models.CharField(max_length=64)
    body = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        """One draft per person and revision."""

        constraints = (models.UniqueConstraint(name="draft_once", fields=["case", "revision", "person_id"]),)

    def __str__(self) -> str:
        """Name the draft by its place."""
        return f"draft of {self.person_id} on {self.case_id}"
