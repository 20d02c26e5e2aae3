"""An agent as its own process: hands a refund over, waits, runs exactly what was decided, reports. Killed at will.

Run as `python -m tests.live.refunder`; SWITCHBOARD_URL and SWITCHBOARD_KEY say where, LEDGER is the file that stands for
the outside world: one line for every refund that was really made.
"""

import json
import os
from pathlib import Path

import switchboard
from switchboard import wire

AMOUNT = {
    "type": "object",
    "properties": {
        "booking": {"type": "string"},
        "amount": {"type": "integer", "minimum": 1, "maximum": 2000},
    },
    "required": ["booking", "amount"],
    "additionalProperties": False,
}
KEY = "trip-42:refund"


def hand_over(client):
    """Open the case, or find it again: the same key is the same case."""
    refund = wire.PlannedStep(
        id="refund",
        tool="pay.refund",
        args={"booking": "H-77120", "amount": 1840},
        args_schema=AMOUNT,
        side_effect="write",
        idempotency_key="trip-42:refund:H-77120",
    )
    return client.escalate(
        key=KEY,
        title="Refund of 1,840.00 over the desk limit",
        goal="Give back what was taken for H-77120.",
        trigger="policy_conflict",
        trace_id="4bf92f3577b34da6a3ce929d0e0e4736",
        failure=wire.CaseFailure(
            call_id="call-9", tool="pay.refund", class_="hard", code="POLICY_LIMIT", message="over 1,000.00"
        ),
        proposals=[
            wire.Proposal(
                id="A", kind="continue", title="Refund with a person's word", recommended=True, steps=[refund]
            )
        ],
    )


def run(step):
    """Make the refund in the outside world."""
    with Path(os.environ["LEDGER"]).open("a") as ledger:
        ledger.write(json.dumps({"args": step.args, "key": step.idempotency_key}) + "\n")
        ledger.flush()
        os.fsync(ledger.fileno())
    return wire.StepResult(id=step.id, status="executed", result={"refunded": step.args["amount"]})


def main():
    """Live once; say on standard output how far it came."""
    with switchboard.Client(spool=None) as client:
        case = hand_over(client)
        print(f"waiting {case.id}", flush=True)
        decision = case.wait(timeout=120)
        case.ack(decision)
        print(f"decided {decision.action}", flush=True)
        case.report(decision, "executed", [run(step) for step in decision.to_run])
        print("reported", flush=True)


if __name__ == "__main__":
    main()
