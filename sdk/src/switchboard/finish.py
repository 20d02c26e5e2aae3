"""The end of a call: its outcome, the journal's last line, and the report."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from switchboard._ids import uuid7
from switchboard.arguments import InvalidArguments
from switchboard.failure import Deferred, SessionLost, ToolError, unknown_tool
from switchboard.fallback import Found
from switchboard.journal import Entry, State, trouble
from switchboard.ladder import Ended
from switchboard.logical import LogicalCall
from switchboard.report import failure_of, told
from switchboard.result import Result
from switchboard.runtime import Runtime
from switchboard.stored import from_text, to_text
from switchboard.vocabulary import Effect, Executed, FailureClass, ItemStatus, Outcome, Trigger
from switchboard.work import Work

_ASKED = "A person has been asked. Do not repeat the call; go on with what does not need it, or wait for the answer."


class Finish:
    """Every way a call can end goes through here, so that each is reported exactly once."""

    def __init__(self, session: Work) -> None:
        self._session = session
        self._box = session.box

    async def end(self, runtime: Runtime, call: LogicalCall, ended: Ended) -> Result:
        """The usual end: after attempts, or after what could not even begin."""
        session, error, case = self._session, self._final(call, ended.error), None
        found = ended.found or Found(ended.data, "tool")
        asks = call.exact is None and not call.inner
        if ended.trigger is not None and error is not None and session.can_hand_over and asks:
            outcome = Outcome.ESCALATED
        else:
            outcome = self._outcome(call, error, found)
        result = Result(
            call_id=call.call_id,
            tool=call.tool.name,
            outcome=outcome,
            args=call.args.shown,
            data=found.data,
            error=error,
            items=call.items,
            attempts=tuple(call.attempts),
            source=found.source,
            age_s=found.age_s,
            recovery=call.recovery if error is None else None,
            firings=tuple(call.firings),
            summary=self._summary(call, found.data) if error is None else "",
            note=found.note,
            idempotency_key=call.sent_key if call.tool.effect is not Effect.READ else None,
        )
        if outcome is Outcome.ESCALATED and ended.trigger is not None and error is not None:
            case = session.desk.prepare(call, result, ended.trigger)
            result = replace(result, case=case, error=replace(error, hint=_ASKED))
        result = self._write_down(call, result)
        self._remember(call, result)
        self._report(call, result)
        if case is not None:
            result = replace(result, case=await session.desk.send(runtime, case))
        return result

    async def refused(self, runtime: Runtime, call: LogicalCall, error: ToolError, raw: Any) -> Result:
        """A cap, a round too many, the deadline: nothing runs, and people hear of it once."""
        result = self._plain(call, Outcome.FAILED, error=error, args=self._shown(call, raw))
        self._report(call, result)
        await self._session.at_limit(runtime, result)
        return result

    async def invalid(self, runtime: Runtime, call: LogicalCall, exc: InvalidArguments) -> Result:
        """Nothing was started, taken or used up; the model is told what to change."""
        trigger = None
        guard = self._session.guard
        if (
            guard.failures(call.tool.name, exc.error) >= guard.limits.failures_to_person
            and call.exact is None
        ):
            trigger = Trigger.REPEATED_FAILURE
        call.args = call.args._replace(shown=exc.shown)
        return await self.end(runtime, call, Ended(error=exc.error, trigger=trigger))

    async def clash(
        self, runtime: Runtime, call: LogicalCall, error: ToolError, trigger: Trigger | None
    ) -> Result:
        """The journal knows something else at this place."""
        call.call_id = uuid7()
        return await self.end(runtime, call, Ended(error=error, trigger=trigger))

    def unknown_tool(self, name: str, raw: Any, near: Sequence[str]) -> Result:
        """A name nobody has: its own code, with the nearest ones."""
        error = unknown_tool(name, near, sorted(self._box.tools))
        args, trace_id = dict(raw) if isinstance(raw, dict) else {}, self._session.trace_id
        result = Result(uuid7(), name, Outcome.FAILED, args, error=error)
        seen = {
            "call_id": result.call_id,
            "tool": name[:200] or "(none)",
            "side_effect": "read",
            "started_at": self._box.clock.now(),
            "outcome": result.outcome.value,
            "failure": failure_of(error),
        }
        self._box.tell(seen | ({"trace_id": trace_id} if trace_id else {}))
        return result

    def replayed(self, call: LogicalCall, entry: Entry) -> Result:
        """What was told once is told again; nothing runs and nothing is used up."""
        result = from_text(entry.result or "")
        if self._session.desk.case_of(call.logical_id) is not None:
            result = replace(result, case=self._session.desk.case_of(call.logical_id))
        if self._session.history.first_replay(call):
            call.attempts.extend(result.attempts)
            call.firings.extend(result.firings)
            call.args = call.args._replace(shown=dict(result.args))
            self._remember(call, result)
            self._report(call, result)  # the same call_id: the console knows whether it has it already
        return result

    def in_progress(self, call: LogicalCall) -> Result:
        """The very same call is under way in this process."""
        error = ToolError(
            class_=FailureClass.HARD,
            code="IN_PROGRESS",
            message="This very call is under way. It was not started a second time.",
            hint="Wait for its result.",
            executed=Executed.NO,
        )
        return self._plain(call, Outcome.FAILED, error=error)

    def skipped(self, call: LogicalCall, known: Result) -> Result:
        """The answer is known: a result, not an error."""
        note = "Skipped: the same question was answered before and nothing has changed it since."
        result = replace(
            known,
            call_id=call.call_id,
            outcome=Outcome.SKIPPED,
            source="session",
            case=None,
            attempts=(),
            note=note,
        )
        result = replace(result, recovery=None, firings=tuple(call.firings))
        self._report(call, result)
        return result

    def useless(self, call: LogicalCall) -> Result:
        """The model does not need this answer."""
        result = self._plain(call, Outcome.SKIPPED, note="Skipped: the answer would not change what follows.")
        self._report(call, result)
        return result

    def duplicate(self, call: LogicalCall, earlier: Result) -> Result:
        """The same write was asked for again in other words: its first outcome stands."""
        note = "DUPLICATE_SUSPECTED: this was done before in this session and was not done again."
        outcome = Outcome.SKIPPED if earlier.ok else earlier.outcome
        result = replace(
            earlier, call_id=call.call_id, outcome=outcome, attempts=(), recovery=None, note=note
        )
        call.fired("duplicate-intent", "skip")
        result = replace(result, firings=tuple(call.firings), case=None)
        self._report(call, result)
        return result

    def deferred(self, call: LogicalCall, exc: Deferred) -> Result:
        """The tool has asked a person; that is no failure."""
        result = self._plain(call, Outcome.DEFERRED, data=exc.data, note=str(exc))
        result = self._write_down(call, result)
        self._report(call, result)
        return result

    def cut_off(self, call: LogicalCall, exc: BaseException) -> None:
        """The program is being stopped. A write that was under way is unknown; nothing is retried or counted."""
        if isinstance(exc, SessionLost):
            return
        if isinstance(exc, self._box.passing):
            self._asked_first(call)
            return
        unknown = call.tool.effect is not Effect.READ
        error = ToolError(
            class_=FailureClass.UNKNOWN_OUTCOME
            if call.tool.effect is Effect.WRITE
            else FailureClass.TRANSIENT,
            code="CANCELLED",
            message="The program was stopped while this was under way.",
            executed=Executed.UNKNOWN if unknown else Executed.NO,
        )
        result = self._plain(call, Outcome.FAILED, error=error)
        if not call.tool.may_be_sent_again:
            result = self._write_down(call, result)
        self._report(call, result)

    def _asked_first(self, call: LogicalCall) -> None:
        """A framework's interrupt: somebody is asked before anything is done, and the call is made again later."""
        if self._session.journal is not None and call.started:
            self._session.journal.put_back(call.logical_id)
        self._report(call, self._plain(call, Outcome.DEFERRED))

    # -- inside -----------------------------------------------------------------------------------------------

    def _final(self, call: LogicalCall, error: ToolError | None) -> ToolError | None:
        """What the model sees of the last error: one cause, not retryable, and honest about what may help."""
        if error is None:
            return None
        hint = error.hint
        if error.class_ is FailureClass.TRANSIENT and hint is None:
            hint = "It is not your arguments. Do not call it again now; use another tool, go on without it, or hand over."
        if error.class_ is FailureClass.HARD and hint is None:
            hint = "Repeating it cannot succeed: change the plan."
        # The last attempt may have been refused where items of an earlier one were done.
        executed = Executed.YES if error.executed is Executed.NO and _some_done(call) else error.executed
        return replace(
            error, hint=hint, retryable=False, executed=executed, suppressed=tuple(call.suppressed)
        )

    def _outcome(self, call: LogicalCall, error: ToolError | None, found: Found) -> Outcome:
        if error is not None:
            return Outcome.FAILED
        if found.degraded:
            return Outcome.DEGRADED
        if call.recovery is not None:
            return Outcome.RECOVERED
        return Outcome.SUCCEEDED

    def _write_down(self, call: LogicalCall, result: Result) -> Result:
        """The journal's last line. Where it cannot be written, an effect that happened is unknown, not failed."""
        journal = self._session.journal
        if journal is None or not call.started:
            return result
        try:
            journal.settle(call.logical_id, _state(call, result), to_text(result))
        except SessionLost:
            raise
        except Exception as exc:  # noqa: BLE001  # whatever keeps the result from being kept, the effect has happened
            trouble.say(exc, "the end of a call is not kept, and what it has done counts as unknown")
            if call.tool.effect is Effect.READ:
                return result
            error = ToolError(
                class_=FailureClass.UNKNOWN_OUTCOME,
                code="JOURNAL_UNAVAILABLE",
                message="It was done, but its result could not be kept.",
                hint="Do not call it again; check first, or leave it to a person.",
                executed=Executed.UNKNOWN,
                detail=f"{type(exc).__name__}: {exc}",
            )
            return replace(result, outcome=Outcome.FAILED, error=error)
        return result

    def _remember(self, call: LogicalCall, result: Result) -> None:
        session = self._session
        if session.named and call.exact is None and not call.inner:
            session.guard.saw(call.tool.name, result.error)
        if session.named:
            session.filter.remember(call, result)
        if result.error is None and result.source == "tool" and call.tool.fallbacks:
            self._box.kept.keep(call.fingerprint, result.data)

    def _report(self, call: LogicalCall, result: Result) -> None:
        session = self._session
        if self._box.client is None and not session.named:
            return
        seen = told(call, result, self._box.clock.monotonic() - call.began)
        if self._box.may_ask_first and result.outcome is not Outcome.DEFERRED:
            seen["rev"] = 1  # it may have been reported as deferred, by a process that is gone
        session.history.told(call, seen, result)
        self._box.tell(seen)

    def _plain(self, call: LogicalCall, outcome: Outcome, **what: Any) -> Result:
        given = {
            "args": call.args.shown,
            "attempts": tuple(call.attempts),
            "firings": tuple(call.firings),
            **what,
        }
        return Result(call.call_id, call.tool.name, outcome, **given)

    def _shown(self, call: LogicalCall, raw: Any) -> dict[str, Any]:
        try:
            return call.tool.signature.show(call.tool.signature.parse(raw))
        except InvalidArguments:
            return {}

    def _summary(self, call: LogicalCall, data: Any) -> str:
        return call.tool.summary(data) if call.tool.summary else ""


def _some_done(call: LogicalCall) -> bool:
    return any(item.status == ItemStatus.SUCCEEDED for item in call.items)


def _state(call: LogicalCall, result: Result) -> State:
    if result.error is None or result.error.class_ in {FailureClass.EMPTY, FailureClass.PARTIAL}:
        return State.DONE
    if _some_done(call) and result.error.executed is not Executed.UNKNOWN:
        return State.DONE  # what was done of it can be taken back
    if call.tool.effect is not Effect.READ and result.error.executed is Executed.UNKNOWN:
        return State.UNKNOWN
    return State.FAILED
