"""What moves the execution field: delivery, acknowledgement, reports, and silence."""

from dataclasses import replace

from console.kit.refusal import Refused
from escalations.domain.lifecycle.state import NotAllowedNow, State, insist
from escalations.domain.lifecycle.tables import EXECUTIONS, RUNS, E
from escalations.vocabulary import ATTENTION, Execution, Reported


def delivered(execution: Execution) -> Execution:
    """Give the execution after a decision was sent; what is further on stays where it is."""
    return E.DELIVERED if execution is E.NOT_STARTED else execution


def acknowledged(execution: Execution) -> Execution:
    """Give the execution after the agent has said that it has the decision."""
    return E.ACKNOWLEDGED if E.ACKNOWLEDGED in EXECUTIONS[execution] else execution


def executed_as(state: State, execution: Execution) -> State:
    """Give the case after its decision's execution has moved."""
    return replace(state, execution=execution)


def why_not_report(execution: Execution, status: Reported) -> Refused | None:
    """An outcome once final stays; only `unknown` and silence are replaced by a later word."""
    if E(status.value) in EXECUTIONS[execution]:
        return None
    if execution is E.NOT_APPLICABLE:
        return NotAllowedNow("Nothing was approved, so there is nothing to report.")
    return NotAllowedNow(f"The outcome of this decision is {execution} already.")


def report(execution: Execution, status: Reported) -> Execution:
    """Give the execution after an agent's report."""
    insist(why_not_report(execution, status))
    return E(status.value)


def why_not_silence(state: State) -> Refused | None:
    """Only a decision that lets something run can be owed a report."""
    if E.NO_REPORT not in EXECUTIONS[state.execution] or state.decision not in RUNS:
        return NotAllowedNow("No report is owed.")
    return None


def silence(state: State) -> State:
    """Say that the agent has not said anything."""
    insist(why_not_silence(state))
    return replace(state, execution=E.NO_REPORT)


def needs_attention(state: State) -> bool:
    """Say whether somebody has to look although it is decided."""
    return state.execution in ATTENTION and not state.resolved


def why_not_resolve(state: State) -> Refused | None:
    """A case that needs attention can be closed by hand, with a note."""
    return None if needs_attention(state) else NotAllowedNow("It does not need attention.")


def resolve(state: State) -> State:
    """Take it out of the attention queue; its outcome stays what it is."""
    insist(why_not_resolve(state))
    return replace(state, resolved=True)
