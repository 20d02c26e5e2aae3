"""The fake console's cases: opened, decided, acknowledged, reported, in memory."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import uuid4

from switchboard._canonical import args_digest, digest

RUNNING = frozenset({"approve", "edit"})
STATES = {"approve": "approved", "edit": "edited", "reject": "rejected", "respond": "responded"}


@dataclass(slots=True)
class FakeCase:
    """One case at the fake console; look at it in your tests."""

    id: str
    key: str
    ref: str
    revision: int
    package: dict[str, Any]
    state: str = "open"
    execution: str = "not_started"
    decision: dict[str, Any] | None = None
    acked: set[str] = field(default_factory=set)
    fence: int = -1
    acks: list[dict[str, Any]] = field(default_factory=list)
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    revisions: list[dict[str, Any]] = field(default_factory=list)
    rows: dict[int, dict[str, Any]] = field(default_factory=dict)

    def wire(self) -> dict[str, Any]:
        """What the console answers about the case."""
        return {
            "id": self.id,
            "ref": self.ref,
            "key": self.key,
            "revision": self.revision,
            "decision": self.state,
            "execution": self.execution,
            "title": self.package["title"],
            "trace_id": self.package["trace_id"],
            "package": self.package,
            "current_decision": self.decision,
        }


@dataclass(slots=True)
class No(Exception):  # it is raised where the console says no
    """A refusal of the fake console, as HTTP would carry it."""

    status: int
    code: str
    detail: str
    extra: dict[str, Any] = field(default_factory=dict)

    def wire(self) -> dict[str, Any]:
        return {"code": self.code, "detail": self.detail, "errors": [], **self.extra}


class Book:
    """Every case, and the one row per revision that says what was decided."""

    def __init__(self) -> None:
        self.cases: list[FakeCase] = []
        self._seq = 0

    def unacknowledged(
        self, case_ids: Iterable[str], *, even_acknowledged: Container[str] = ()
    ) -> list[dict[str, Any]]:
        """Give the rows of these cases that nobody has acknowledged, in the order they were written."""
        rows = [
            row
            for case in self.cases
            if case.id in set(case_ids)
            for row in case.rows.values()
            if row["decision_id"] not in case.acked or case.id in even_acknowledged
        ]
        return sorted(rows, key=lambda row: int(row["seq"]))

    def find(self, case: Any) -> FakeCase:
        """Give the case with this id, key, reference or handle; raise No 404."""
        name = case if isinstance(case, str) else case.id
        for each in self.cases:
            if name in {each.id, each.key, each.ref}:
                return each
        raise No(404, "NOT_FOUND", f"There is no case {name!r}.")

    def open(self, said: Mapping[str, Any]) -> tuple[FakeCase, bool]:
        """Give the case, and whether it is new."""
        package = {name: value for name, value in said.items() if name != "key"}
        for each in self.cases:
            if each.key == said["key"]:
                if digest(each.revisions[0]) != digest(package):
                    raise No(409, "IDEMPOTENCY_CONFLICT", "The key was used for other content.")
                return each, False
        number = len(self.cases) + 1
        case = FakeCase(str(uuid4()), said["key"], f"C-{number}", 1, package, revisions=[package])
        self.cases.append(case)
        return case, True

    def revise(
        self, case: FakeCase, base: int, package: dict[str, Any], at: datetime
    ) -> dict[str, Any] | None:
        """Open the next revision; give the row that ends an undecided one."""
        if base == case.revision - 1 and digest(case.package) == digest(package):
            return None  # the same again
        if base != case.revision:
            raise No(409, "STALE_REVISION", f"The case is at revision {case.revision}.")
        if case.state != "open" and case.execution not in {"partial", "failed", "unknown", "never_executed"}:
            raise No(409, "NOT_ALLOWED_NOW", f"The case is {case.state} and {case.execution}.")
        ended = self.end(case, "superseded", at, "") if case.state == "open" else None
        case.revision += 1
        case.package, case.state, case.execution = package, "open", "not_started"
        case.decision = None
        case.revisions.append(package)
        return ended

    def decide(
        self,
        case: FakeCase,
        *,
        action: str,
        by: str,
        at: datetime,
        proposal_id: str | None,
        steps: Sequence[Mapping[str, Any]],
        answer: Any,
        message: str,
    ) -> dict[str, Any]:
        """Write the row of a person's decision, as the console would."""
        self._still_open(case)
        decision_id = str(uuid4())
        final: list[dict[str, Any]] = []
        if action in RUNNING:
            final = _final(_proposal(case, proposal_id), {each["id"]: each for each in steps}, decision_id)
        row = self._row(case, "decision", decision_id, final, at, message)
        row |= {
            "action": action,
            "by": {"kind": "person", "name": by},
            "proposal_id": proposal_id,
        }
        if action == "respond":
            row["answer"] = answer
        case.state = STATES[action]
        case.execution = "not_started" if action in RUNNING else "not_applicable"
        case.decision = case.rows[case.revision] = row
        return row

    def end(self, case: FakeCase, kind: str, at: datetime, message: str) -> dict[str, Any]:
        """Write the row that is nobody's word: expired, cancelled or superseded."""
        self._still_open(case)
        row = self._row(case, kind, str(uuid4()), [], at, message)
        row |= {"action": None, "by": None, "proposal_id": None}
        case.state, case.execution, case.decision = kind, "not_applicable", row
        case.rows[case.revision] = row
        return row

    def ack(self, case: FakeCase, said: Mapping[str, Any]) -> None:
        """Take an acknowledgement; a lower fence comes from a stale process."""
        row = self._decided(case, said)
        fence = said.get("fence")
        if isinstance(fence, int) and fence < case.fence:
            raise No(409, "STALE_FENCE", f"The decision was acknowledged with fence {case.fence}.")
        case.fence = max(case.fence, fence if isinstance(fence, int) else -1)
        case.acked.add(row["decision_id"])
        case.acks.append(dict(said))
        if row["kind"] == "decision" and case.execution == "not_started":
            case.execution = "acknowledged"

    def outcome(self, case: FakeCase, said: Mapping[str, Any]) -> bool:
        """Take an outcome report; False when this one was stored before."""
        self._decided(case, said)
        if any(each["report_id"] == said["report_id"] for each in case.outcomes):
            return False
        case.outcomes.append(dict(said))
        case.execution = said["status"]
        return True

    def _decided(self, case: FakeCase, said: Mapping[str, Any]) -> dict[str, Any]:
        row = next((each for each in case.rows.values() if each["decision_id"] == said["decision_id"]), None)
        if row is None:
            raise No(409, "NOT_THE_DECISION", "There is no such decision about this case.")
        if said.get("args_digest") not in {row["args_digest"], None}:
            raise No(409, "DIGEST_MISMATCH", "The digest is not the decision's.")
        return row

    @staticmethod
    def _still_open(case: FakeCase) -> None:
        if case.state != "open":
            raise No(409, "ALREADY_DECIDED", f"The case is {case.state}.", {"winner": case.decision})

    def _row(  # noqa: PLR0917
        self,
        case: FakeCase,
        kind: str,
        decision_id: str,
        steps: list[dict[str, Any]],
        at: datetime,
        message: str,
    ) -> dict[str, Any]:
        self._seq += 1
        return {
            "kind": kind,
            "decision_id": decision_id,
            "escalation_id": case.id,
            "revision": case.revision,
            "seq": self._seq,
            "steps": steps,
            "message": message,
            "args_digest": args_digest(case.id, case.revision, steps),
            "decided_at": at.isoformat(),
        }


def _proposal(case: FakeCase, proposal_id: str | None) -> dict[str, Any]:
    offered = case.package.get("proposals") or []
    for each in offered:
        if proposal_id is None and (each.get("recommended") or len(offered) == 1):
            return dict(each)
        if each["id"] == proposal_id:
            return dict(each)
    raise No(422, "NO_SUCH_PROPOSAL", f"The case has no proposal {proposal_id!r}; name one of them.")


def _final(
    proposal: Mapping[str, Any], choices: Mapping[str, Mapping[str, Any]], decision_id: str
) -> list[dict[str, Any]]:
    steps = []
    for planned in proposal["steps"]:
        choice = choices.get(planned["id"], {})
        args = choice.get("args", planned["args"])
        edited = args != planned["args"]
        step = {
            "id": planned["id"],
            "tool": planned["tool"],
            "args": args,
            "depends_on": planned.get("depends_on") or [],
            "run_if": planned.get("run_if"),
            "idempotency_key": digest([decision_id, planned["id"]]) if edited else planned["idempotency_key"],
            "run": choice.get("run", True),
            "edited": edited,
        }
        steps.append(
            step | {name: planned.get(name) for name in ("side_effect", "reversible", "compensates")}
        )
    return steps
