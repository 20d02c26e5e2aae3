"""The two fields of a case as two total tables: what may follow what, within one revision."""

from escalations.vocabulary import Action, Decision, Execution

D, E = Decision, Execution
UNDECIDED = frozenset({D.OPEN, D.DISPUTED})
RUNS = frozenset({D.APPROVED, D.EDITED})
ENDS = frozenset({E.EXECUTED, E.FAILED, E.PARTIAL, E.NEVER_EXECUTED, E.UNKNOWN})

DECISIONS: dict[Decision, frozenset[Decision]] = {
    D.OPEN: frozenset(
        {D.APPROVED, D.EDITED, D.REJECTED, D.RESPONDED, D.DISPUTED, D.EXPIRED, D.CANCELLED, D.SUPERSEDED}
    ),
    D.DISPUTED: frozenset(
        {D.APPROVED, D.EDITED, D.REJECTED, D.RESPONDED, D.EXPIRED, D.CANCELLED, D.SUPERSEDED}
    ),
    D.APPROVED: frozenset({D.OPEN}),  # retracted within the undo window, as with the three below
    D.EDITED: frozenset({D.OPEN}),
    D.REJECTED: frozenset({D.OPEN}),
    D.RESPONDED: frozenset({D.OPEN}),
    D.EXPIRED: frozenset(),
    D.CANCELLED: frozenset(),
    D.SUPERSEDED: frozenset(),
}

EXECUTIONS: dict[Execution, frozenset[Execution]] = {
    E.NOT_STARTED: ENDS | {E.DELIVERED, E.ACKNOWLEDGED, E.EXECUTING, E.NO_REPORT, E.NOT_APPLICABLE},
    E.DELIVERED: ENDS | {E.ACKNOWLEDGED, E.EXECUTING, E.NO_REPORT},
    E.ACKNOWLEDGED: ENDS | {E.EXECUTING, E.NO_REPORT},
    E.EXECUTING: ENDS | {E.EXECUTING, E.NO_REPORT},  # more than one report may say how far it has come
    E.EXECUTED: frozenset(),
    E.FAILED: frozenset(),
    E.PARTIAL: frozenset(),
    E.NEVER_EXECUTED: frozenset(),
    E.UNKNOWN: ENDS - {E.UNKNOWN},  # the agent reconciled it
    E.NO_REPORT: ENDS | {E.ACKNOWLEDGED, E.EXECUTING},  # a late word replaces the silence
    E.NOT_APPLICABLE: frozenset({E.NOT_STARTED}),  # the reject or answer was retracted
}

DECIDED_AS: dict[Action, Decision] = {
    Action.APPROVE: D.APPROVED,
    Action.EDIT: D.EDITED,
    Action.REJECT: D.REJECTED,
    Action.RESPOND: D.RESPONDED,
}
REVISABLE = frozenset({E.FAILED, E.PARTIAL, E.UNKNOWN, E.NEVER_EXECUTED})
