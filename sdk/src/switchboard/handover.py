"""Hands a task to people: packages what is known of it, and opens the case even if the console comes back later."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from switchboard._canonical import digest
from switchboard._errors import Refused, SwitchboardError
from switchboard.console import ask, side, without_none
from switchboard.journal import HandedOver, Journal, MemoryJournal
from switchboard.logical import LogicalCall
from switchboard.packaging import body, failure_seen, steps_done
from switchboard.plans import Offer, Plan
from switchboard.proposals import offered, on_the_wire
from switchboard.result import Result
from switchboard.revising import REVISING, next_revision
from switchboard.runtime import Runtime
from switchboard.task import Task
from switchboard.tool import Tool
from switchboard.vocabulary import Trigger

_log = logging.getLogger("switchboard")
DID_IT_HAPPEN: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "happened": {"type": "boolean", "description": "Did it happen after all?"},
        "value": {"description": "Its result, where it happened."},
        "proof": {"type": "string", "description": "Where that can be seen: a receipt, a booking number."},
    },
    "required": ["happened"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A case of this session. `id` is None until the console has it, `url` until this process has asked there."""

    key: str
    title: str
    trigger: Trigger
    logical_id: str | None = None
    id: str | None = None
    url: str | None = None


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
        return tuple(self._as_open(each) for each in self.journal.cases() if not each.reported)

    def case_of(self, logical_id: str) -> OpenCase | None:
        """The case a call has led to."""
        return next(
            (self._as_open(each) for each in self.journal.cases() if each.logical_id == logical_id), None
        )

    def prepare(self, call: LogicalCall, result: Result, trigger: Trigger) -> OpenCase:
        """Package a failed call and keep the package; nothing is sent yet."""
        key = self._key([call.logical_id, trigger.value])
        if (known := self._known(key)) is not None:
            return self._as_open(known)
        offer = self.offer(result, trigger) or Offer(
            f"{call.tool.name}: {result.error.message if result.error else trigger.value}",
            offered(call, result, trigger),
        )
        said = body(
            self._session, offer.title, trigger, key, failure=failure_seen(self._session, call.tool, result)
        )
        said["proposals"] = [
            on_the_wire(self._session, key, each, self.concealed) for each in offer.proposals
        ]
        question = offer.question or (DID_IT_HAPPEN if trigger is Trigger.UNKNOWN_OUTCOME else None)
        if question is not None:
            said["question"] = {"response_schema": dict(question)}
        said |= without_none(offer.more)
        return self._keep(HandedOver(key=key, body=said, logical_id=call.logical_id))

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
            return await self.send(runtime, self._as_open(known))
        tool = self._session.box.tools.get(failure.tool) if failure else None
        seen = failure_seen(self._session, tool, failure) if failure else None
        said = body(self._session, title, trigger, key, failure=seen, severity=severity)
        said["proposals"] = [on_the_wire(self._session, key, each, self.concealed) for each in proposals]
        if question is not None:
            said["question"] = {"response_schema": dict(question)}
        said |= without_none(more)
        case = self._keep(HandedOver(key=key, body=said, logical_id=self._logical_id(failure)))
        return await self.send(runtime, case)

    def _logical_id(self, failure: Result | None) -> str | None:
        """The place of a failed call in the journal, so that it can be told of again when people have settled it."""
        entries = self.journal.entries() if failure and failure.error else ()
        return (
            next((each.logical_id for each in entries if each.call_id == failure.call_id), None)
            if failure
            else None
        )

    def anew(self, key: str, proposals: Sequence[Plan] | None, failure: Result | None) -> dict[str, Any]:
        """What a further revision says anew: the steps done by now, other plans, another failure."""
        seen: dict[str, Any] = {"steps": steps_done(self._session)}
        if proposals is not None:
            seen["proposals"] = [on_the_wire(self._session, key, each, self.concealed) for each in proposals]
        if failure is not None:
            seen["failure"] = failure_seen(self._session, self._session.box.tools.get(failure.tool), failure)
        return seen

    async def revise(self, runtime: Runtime, case: OpenCase, changes: Mapping[str, Any]) -> OpenCase:
        """Put the next revision. Raises Refused where the console does not take it; the case is as before then."""
        before = self.kept(case.key)
        self._keep(next_revision(before, changes))
        try:
            return await self.send(runtime, case)
        except Refused:
            self._keep(before)
            raise

    async def send(self, runtime: Runtime, case: OpenCase) -> OpenCase:
        """Open the case, or its next revision. When the console cannot be reached this stays here and is sent later."""
        known = self.kept(case.key)
        client = self._session.box.client
        if client is None or not _is_pending(known):
            return self._as_open(known)
        try:
            remote = await self._sent(side(runtime, client), known)
        except Refused:
            if known.case_id is not None:
                raise
            _log.exception("The console does not take case %s.", case.key)
            return self._as_open(known)
        except SwitchboardError as exc:
            _log.warning("Case %s is not at the console yet: %s", case.key, exc)
            return self._as_open(known)
        self._session.remotes[case.key] = remote
        status = None if known.status == REVISING else known.status
        return self._keep(replace(known, case_id=remote.id, revision=remote.revision, status=status))

    async def _sent(self, client: Any, known: HandedOver) -> Any:
        deadline_s = self._session.box.open_deadline_s
        if known.case_id is None:
            return await ask(client, "escalate", **known.body, deadline_s=deadline_s)
        remote = await ask(client, "case", known.case_id, deadline_s=deadline_s)
        if remote.revision < known.revision:
            said = {name: value for name, value in known.body.items() if name != "key"}
            await ask(remote, "revise", deadline_s=deadline_s, **said)
        return remote

    async def send_pending(self, runtime: Runtime) -> None:
        """Send what could not be sent before."""
        for case in self.cases():
            if _is_pending(self.kept(case.key)):
                try:
                    await self.send(runtime, case)
                except Refused as exc:  # settling the case says so to whoever waits for it
                    _log.warning("The next revision of case %s was refused: %s", case.key, exc)

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

    def _as_open(self, case: HandedOver) -> OpenCase:
        remote = self._session.remotes.get(case.key)
        title, trigger = str(case.body["title"]), Trigger(case.body["trigger"])
        return OpenCase(
            case.key, title, trigger, case.logical_id, case.case_id, remote.url if remote else None
        )

    def _keep(self, case: HandedOver) -> OpenCase:
        self.journal.hand_over(case)
        return self._as_open(case)


def _is_pending(case: HandedOver) -> bool:
    return case.case_id is None or case.status == REVISING
