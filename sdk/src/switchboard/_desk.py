"""The verbs of cases, once, as coroutines; the sync and the async client both run these."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote, urlencode
from uuid import UUID

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from switchboard._canonical import canonical, digest
from switchboard._clean import HIDDEN, Cleaner
from switchboard._errors import BadAnswer, NotFound, Undecided, Unreachable, Unsendable
from switchboard._ids import uuid7, uuid_from
from switchboard._line import Line
from switchboard._quiet import log, once
from switchboard._transport import Answer, Request
from switchboard.wire import Decision, Package, StepResult
from switchboard.wire.base import Sent

M = TypeVar("M", bound=Sent)
CASES = "/api/v1/escalations"
PACKAGE_LIMIT = 200_000
MOST_TITLE = 300


@dataclass(slots=True)
class CaseState:
    """What this process knows of a case."""

    id: str
    key: str
    revision: int
    reference: str
    url: str
    package: Package | None = None
    resumed: bool = False
    decision: Decision | None = None

    def learn(self, decision: Decision) -> Decision:
        """Remember what was decided about the current revision."""
        if decision.revision == self.revision:
            self.decision = decision
        return decision


class Desk:
    """Opens, finds, waits for, acknowledges, reports, revises and withdraws cases."""

    def __init__(self, line: Line, *, url: str, cleaner: Cleaner) -> None:
        self._line = line
        self._url = url
        self._cleaner = cleaner

    async def open(self, package: Package, key: str | None, *, deadline_s: float) -> CaseState:
        """Hand the task over, or find it again: the same key with the same content is the same case."""
        key = key or default_key(package)
        if not package.trace_id:
            # Made from the key and not from chance: the same case, opened again, must have the same content.
            package = package.model_copy(update={"trace_id": digest(["trace", key])[:32]})
        body = self._written({"key": key} | self._tidy(package))
        answer = await self._line.talk.ask(Request("POST", CASES, body), deadline_s=deadline_s)
        return self._state(answer, package, resumed=answer.status == 200)

    async def find(self, key_or_id: str, *, deadline_s: float) -> CaseState:
        """Give the case with this id or this key. Raises NotFound."""
        if _is_uuid(key_or_id):
            try:
                answer = await self._get(f"{CASES}/{key_or_id}", deadline_s)
            except NotFound:
                pass  # a key may look like an id
            else:
                return self._state(answer, None, resumed=True)
        answer = await self._get(f"{CASES}?{urlencode({'key': key_or_id})}", deadline_s)
        found = answer.mapping().get("escalations")
        mine = [each for each in found or () if isinstance(each, dict) and each.get("key") == key_or_id]
        if not mine:
            raise NotFound(f"There is no case {key_or_id!r} of this agent.", code="NOT_FOUND", status=404)
        return self._read(mine[0], None, resumed=True)

    async def ack(
        self, state: CaseState, decision: Decision, fence: int | None, *, deadline_s: float
    ) -> None:
        """Say that this decision has arrived and will be carried out here and nowhere else."""
        said = {"decision_id": decision.decision_id, "args_digest": decision.args_digest, "fence": fence}
        await self._post(state, "ack", {k: v for k, v in said.items() if v is not None}, deadline_s)

    async def report(
        self,
        state: CaseState,
        decision: Decision,
        status: str,
        steps: Sequence[StepResult | Mapping[str, Any]],
        report_id: str | None,
        *,
        deadline_s: float,
    ) -> str:
        """Say what really happened; give the report's id, which is the same for the same content."""
        said: dict[str, Any] = {"decision_id": decision.decision_id, "status": status}
        if decision.args_digest is not None:
            said["args_digest"] = decision.args_digest
        said["steps"] = [self._clean(_written_out(checked(StepResult, step))) for step in steps]
        said["report_id"] = report_id or uuid_from(digest([state.id, said]))
        await self._post(state, "outcome", said, deadline_s)
        return str(said["report_id"])

    async def revise(self, state: CaseState, changes: Mapping[str, Any], *, deadline_s: float) -> None:
        """Open the next revision with these parts of the package changed."""
        package = make_package({**(_fields(state.package) if state.package else {}), **changes})
        body = self._written({"base_revision": state.revision} | self._tidy(package))
        answer = await self._line.talk.ask(
            Request("PUT", f"{CASES}/{quote(state.id)}", body), deadline_s=deadline_s
        )
        after = self._state(answer, package, resumed=False)
        state.revision, state.package, state.decision = after.revision, package, None

    async def cancel(self, state: CaseState, reason: str, *, deadline_s: float) -> None:
        """Withdraw the case."""
        await self._post(state, "cancel", {"reason": reason}, deadline_s)

    # -- waiting ------------------------------------------------------------------------------------------------

    def wait(self, state: CaseState, timeout_s: float | None) -> Decision:
        """Give the decision about the current revision.

        Raises Undecided or Unreachable after the timeout, Refused where the console will not tell, BadAnswer or
        DigestMismatch for what must not be run. Nothing else is ever taken for an answer.
        """
        if state.decision is not None:
            return state.decision
        waiter = self._line.mailbox.watch(state.id, state.revision, ask=state.resumed)
        try:
            return state.learn(self._line.engine.wait(waiter.future, timeout_s))
        except TimeoutError:
            raise self._late(state, timeout_s) from None
        finally:
            self._line.mailbox.unwatch(waiter)

    async def wait_async(self, state: CaseState, timeout_s: float | None) -> Decision:
        """As `wait`, without a thread: thousands may wait at once."""
        if state.decision is not None:
            return state.decision
        waiter = self._line.mailbox.watch(state.id, state.revision, ask=state.resumed)
        try:
            return state.learn(await self._line.engine.wait_async(waiter.future, timeout_s))
        except TimeoutError:
            raise self._late(state, timeout_s) from None
        finally:
            self._line.mailbox.unwatch(waiter)

    def _late(self, state: CaseState, timeout_s: float | None) -> Unreachable:
        if self._line.reachable:
            return Undecided(
                f"Nobody has decided case {state.reference} within {timeout_s} s. Nothing was approved."
            )
        return Unreachable(
            f"No decision about case {state.reference} within {timeout_s} s, and the console cannot be reached. "
            "Nothing was approved."
        )

    # -- the wire -----------------------------------------------------------------------------------------------

    async def _post(self, state: CaseState, verb: str, said: Mapping[str, Any], deadline_s: float) -> Answer:
        request = Request("POST", f"{CASES}/{quote(state.id)}/{verb}", self._written(said))
        return await self._line.talk.ask(request, deadline_s=deadline_s)

    async def _get(self, path: str, deadline_s: float) -> Answer:
        return await self._line.talk.ask(Request("GET", path), deadline_s=deadline_s)

    def _state(self, answer: Answer, package: Package | None, *, resumed: bool) -> CaseState:
        return self._read(answer.mapping(), package, resumed=resumed)

    def _read(self, row: Mapping[str, Any], package: Package | None, *, resumed: bool) -> CaseState:
        escalation_id, key, revision = row.get("id"), row.get("key"), row.get("revision")
        if not isinstance(escalation_id, str) or not isinstance(key, str) or not isinstance(revision, int):
            raise BadAnswer("The console's answer about the case has no id, key and revision.")
        reference = str(row.get("ref") or escalation_id)
        url = f"{self._url}/cases/{quote(reference)}/"
        return CaseState(escalation_id, key, revision, reference, url, package, resumed)

    def _tidy(self, package: Package) -> dict[str, Any]:
        """Give the package as it is sent: what was done is redacted, what is to be done can be digested."""
        for proposal in package.proposals:
            for step in proposal.steps:
                canonical(step.args)
                self._warn_of_secrets(step.id, step.args)
        said = _written_out(package)
        for name in ("steps", "failure", "context"):
            if name in said:
                said[name] = self._clean(said[name])
        if (
            package.failure is not None
            and package.failure.field
            and self._cleaner.is_secret(package.failure.field)
        ):
            said["failure"]["received"] = HIDDEN
        if len(package.title) > MOST_TITLE:  # a long error text must not be what keeps a task from people
            said["title"] = package.title[: MOST_TITLE - 1] + "…"
        return said

    def _clean(self, value: Any) -> Any:
        return self._cleaner(value, limit=PACKAGE_LIMIT)[0]

    def _warn_of_secrets(self, step_id: str, args: Mapping[str, Any]) -> None:
        for name, value in args.items():
            if isinstance(value, str) and self._cleaner.is_secret(name) and once(f"secret argument {name}"):
                log.warning(
                    "Step %r carries %r in clear, and people will see it. Send {'$ref': …} and resolve it when the "
                    "step is run.", step_id, name,
                )  # fmt: skip

    @staticmethod
    def _written(said: Mapping[str, Any]) -> bytes:
        try:
            return json.dumps(said, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode(
                "utf-8", "replace"
            )
        except (TypeError, ValueError, RecursionError) as exc:
            raise Unsendable(f"This cannot be written as JSON: {exc}") from exc


def make_package(fields: Mapping[str, Any]) -> Package:
    """Give the package these arguments make; raise Unsendable with every field that is wrong."""
    return checked(
        Package, {"trace_id": ""} | {name: value for name, value in fields.items() if value is not None}
    )


def checked(model: type[M], value: M | Mapping[str, Any]) -> M:
    """Give the value as this model; raise Unsendable with every field that is wrong."""
    try:
        return model.model_validate(value)
    except ValidationError as exc:
        wrong = "; ".join(
            f"{'.'.join(str(part) for part in error['loc'])}: {error['msg']}"
            for error in exc.errors(include_input=False, include_url=False)
        )
        raise Unsendable(f"This cannot be handed over: {wrong}") from exc


def default_key(package: Package) -> str:
    """Give the case's key: made from the failed call where there is one, so that a restart makes the same one."""
    if package.failure is None:
        return f"case-{uuid7()}"
    named = [
        package.session_id,
        package.trace_id,
        package.failure.call_id,
        str(package.trigger),
        package.attempt,
    ]
    return f"case-{digest(named)[:32]}"


def _fields(package: Package) -> dict[str, Any]:
    return {name: getattr(package, name) for name in package.model_fields_set}


def _written_out(part: Package | StepResult) -> dict[str, Any]:
    try:
        return part.wire()
    except PydanticSerializationError as exc:
        raise Unsendable(f"This cannot be written as JSON: {exc}") from exc


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
