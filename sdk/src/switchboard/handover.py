"""Hands a task to people: packages what is known of it, and opens the case even if the console comes back later."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from switchboard._canonical import digest
from switchboard._errors import SwitchboardError
from switchboard.console import ask, side, without_none
from switchboard.journal import Entry, HandedOver, Journal, MemoryJournal
from switchboard.logical import LogicalCall
from switchboard.plans import Offer, Plan
from switchboard.proposals import offered, on_the_wire
from switchboard.report import failure_of
from switchboard.result import Result
from switchboard.runtime import Runtime
from switchboard.task import Task
from switchboard.tool import Tool
from switchboard.vocabulary import BreakerState, Effect, Trigger

_log = logging.getLogger("switchboard")
_STEPS = 100
_SEVERITY = {
    Trigger.PAYMENT_ANOMALY: "critical",
    Trigger.UNKNOWN_OUTCOME: "critical",
    Trigger.COMPENSATION_FAILED: "critical",
}
DID_IT_HAPPEN: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "happened": {"type": "boolean", "description": "Did it happen after all?"},
        "value": {"description": "Its result, where it happened."},
    },
    "required": ["happened"],
    "additionalProperties": False,
}
_WIRE_ATTEMPT = ("n", "started_at", "duration_ms", "wait_ms", "http_status", "code", "class")


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A case of this session. `id` is None until the console has it."""

    key: str
    title: str
    trigger: Trigger
    logical_id: str | None = None
    id: str | None = None


class HandOverDesk:
    """The cases of one session."""

    def __init__(self, session: Task) -> None:
        self._session = session
        self._own: Journal | None = None
        self._asked = 0

    @property
    def journal(self) -> Journal:
        """The session's journal; a session without one keeps its cases in memory."""
        if self._session.journal is not None:
            return self._session.journal
        if self._own is None:
            self._own = MemoryJournal(self._session.id)
        return self._own

    def cases(self) -> tuple[OpenCase, ...]:
        """The cases nobody has finished yet."""
        return tuple(_open(each) for each in self.journal.cases() if not each.reported)

    def case_of(self, logical_id: str) -> OpenCase | None:
        """The case a call has led to."""
        return next((_open(each) for each in self.journal.cases() if each.logical_id == logical_id), None)

    def prepare(self, call: LogicalCall, result: Result, trigger: Trigger) -> OpenCase:
        """Package a failed call and keep the package; nothing is sent yet."""
        key = self._key([call.logical_id, trigger.value])
        if (known := self._known(key)) is not None:
            return _open(known)
        offer = self.offer(result, trigger) or Offer(
            f"{call.tool.name}: {result.error.message if result.error else trigger.value}",
            offered(call, result, trigger),
        )
        body = self._body(offer.title, trigger, key, failure=self._failure(call.tool, result))
        body["proposals"] = [
            on_the_wire(self._session, key, each, self.concealed) for each in offer.proposals
        ]
        question = offer.question or (DID_IT_HAPPEN if trigger is Trigger.UNKNOWN_OUTCOME else None)
        if question is not None:
            body["question"] = {"response_schema": dict(question)}
        body |= without_none(offer.more)
        return self._keep(HandedOver(key=key, body=body, logical_id=call.logical_id))

    def offer(self, result: Result, trigger: Trigger) -> Offer | None:
        """What the agent itself would put before people. A hook that breaks leaves the kit's own words."""
        hook = self._session.box.offers
        if hook is None:
            return None
        try:
            return hook(self._session, result, trigger)
        except Exception:  # noqa: BLE001  # an agent's hook must not keep a task from people
            _log.exception("The toolbox's `offers` failed; the case says what the kit knows.")
            return None

    async def open(
        self,
        runtime: Runtime,
        title: str,
        *,
        trigger: Trigger,
        failure: Result | None = None,
        proposals: Sequence[Plan] = (),
        question: Mapping[str, Any] | None = None,
        severity: str | None = None,
        key_parts: Sequence[str] = (),
        **more: Any,
    ) -> OpenCase:
        """Hand over because the agent says so. `more` goes into the case as it is: expires_at, on_timeout, allowed."""
        key = self._key(list(key_parts) or [trigger.value, failure.call_id if failure else "", self._place()])
        if (known := self._known(key)) is not None:
            return await self.send(runtime, _open(known))
        tool = self._session.box.tools.get(failure.tool) if failure else None
        body = self._body(
            title, trigger, key, failure=self._failure(tool, failure) if failure else None, severity=severity
        )
        body["proposals"] = [on_the_wire(self._session, key, each, self.concealed) for each in proposals]
        if question is not None:
            body["question"] = {"response_schema": dict(question)}
        body |= without_none(more)
        case = self._keep(HandedOver(key=key, body=body, logical_id=self._logical_id(failure)))
        return await self.send(runtime, case)

    def _logical_id(self, failure: Result | None) -> str | None:
        """The place of a failed call in the journal, so that it can be told of again when people have settled it."""
        entries = self.journal.entries() if failure and failure.error else ()
        return (
            next((each.logical_id for each in entries if each.call_id == failure.call_id), None)
            if failure
            else None
        )

    async def send(self, runtime: Runtime, case: OpenCase) -> OpenCase:
        """Open the case at the console. When it cannot be reached the case stays here and is sent later."""
        known = self.kept(case.key)
        client = self._session.box.client
        if known.case_id is not None or client is None:
            return _open(known)
        try:
            remote = await ask(
                side(runtime, client),
                "escalate",
                **known.body,
                deadline_s=self._session.box.open_deadline_s,
            )
        except SwitchboardError as exc:
            _log.warning("Case %s is not at the console yet: %s", case.key, exc)
            return case
        known = replace(known, case_id=remote.id, revision=remote.revision)
        self._session.remotes[case.key] = remote
        return self._keep(known)

    async def send_pending(self, runtime: Runtime) -> None:
        """Send what could not be sent before."""
        for case in self.cases():
            if case.id is None:
                await self.send(runtime, case)

    def kept(self, key: str) -> HandedOver:
        """What the journal has of a case. Raises KeyError for one of another session."""
        found = self._known(key)
        if found is None:
            raise KeyError(key)
        return found

    def concealed(self, tool: Tool | None, args: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments as people may see them: a secret is a reference that only this machine can resolve."""
        if tool is None:
            return dict(args)
        shown = tool.signature.show(args)
        return {name: self._conceal(shown[name], value) for name, value in args.items()}

    def revealed(self, value: Any) -> Any:
        """The arguments as they are to be used."""
        if isinstance(value, Mapping):
            if set(value) == {"$ref"}:
                return self.journal.reveal(str(value["$ref"]))
            return {name: self.revealed(each) for name, each in value.items()}
        return [self.revealed(each) for each in value] if isinstance(value, list) else value

    # -- inside -----------------------------------------------------------------------------------------------

    def _conceal(self, shown: Any, value: Any) -> Any:
        if shown == value:
            return value
        if isinstance(value, Mapping) and isinstance(shown, Mapping):
            return {name: self._conceal(shown.get(name), each) for name, each in value.items()}
        return {"$ref": self.journal.conceal(value)}

    def _known(self, key: str) -> HandedOver | None:
        return next((each for each in self.journal.cases() if each.key == key), None)

    def _place(self) -> str:
        """The case the agent asks for is named by its place in the session, so that a restart finds it again."""
        self._asked += 1
        return f"h{self._asked}"

    def _key(self, parts: Sequence[str]) -> str:
        """The same session, call and reason is the same case, through any number of crashes."""
        return "case-" + digest([self._session.id, *parts])[:40]

    def _keep(self, case: HandedOver) -> OpenCase:
        self.journal.hand_over(case)
        return _open(case)

    def _body(
        self,
        title: str,
        trigger: Trigger,
        key: str,
        *,
        failure: dict[str, Any] | None,
        severity: str | None = None,
    ) -> dict[str, Any]:
        session = self._session
        body: dict[str, Any] = {
            "key": key,
            "title": title[:200],
            "goal": session.goal or title[:200],
            "trigger": trigger.value,
            "trace_id": session.trace_id,
            "severity": severity or _SEVERITY.get(trigger, "high"),
            "failure": failure,
            "steps": self._steps(),
            "context": without_none({"reasoning": session.reasoning, "limits": session.guard.used() or None})
            or None,
        }
        if session.named:
            body["session_id"] = session.id
        return without_none(body)

    def _steps(self) -> list[dict[str, Any]]:
        journal = self._session.journal
        entries = journal.entries() if journal else ()
        return [self._done(each) for each in entries[-_STEPS:] if each.result is not None]

    def _done(self, entry: Entry) -> dict[str, Any]:
        told = json.loads(entry.result or "{}")
        tool = self._session.box.tools.get(entry.tool)
        return {
            "call_id": entry.call_id,
            "tool": entry.tool,
            "args": tool.signature.show(entry.args) if tool else dict(entry.args),
            "result": told.get("data"),
            "status": told.get("outcome", entry.state.value),
            "side_effect": entry.effect.value,
            "reversible": entry.compensation is not None if entry.effect is not Effect.READ else None,
            "at": entry.at.isoformat(),
        }

    def _failure(self, tool: Tool | None, result: Result) -> dict[str, Any]:
        session = self._session
        seen: dict[str, Any] = {"call_id": result.call_id, "tool": result.tool, "args": result.args}
        if tool is not None:
            seen["side_effect"] = tool.effect.value
        if session.reasoning is not None:
            seen["reasoning"] = session.reasoning
        if result.error is not None:
            seen |= failure_of(result.error)
        seen["attempts"] = [_attempt(each.as_dict()) for each in result.attempts]
        breaker = session.box.breakers.known(tool.dependency) if tool else None
        if breaker is not None and breaker.state is not BreakerState.CLOSED:
            seen["breaker"] = {"name": breaker.name, "state": breaker.state.value}
        return seen


def _open(case: HandedOver) -> OpenCase:
    return OpenCase(
        case.key, str(case.body["title"]), Trigger(case.body["trigger"]), case.logical_id, case.case_id
    )


def _attempt(seen: dict[str, Any]) -> dict[str, Any]:
    known = {name: seen[name] for name in _WIRE_ATTEMPT if name in seen}
    return known | {"duration_ms": round(known["duration_ms"]), "wait_ms": round(known["wait_ms"])}
