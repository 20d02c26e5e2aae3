"""The way of one call, from its name and arguments to its result.

caps and deadline, journal, validation and repair, call filter, durable `started`, attempts with their ladder, result,
hand-over, journal `done`, report: in this order, for sync and async callers alike.
"""

import difflib

from switchboard._ids import uuid7
from switchboard.arguments import Arguments, InvalidArguments, Raw
from switchboard.attempt import attempt
from switchboard.failure import Deferred, SessionLost, ToolError
from switchboard.finish import Finish
from switchboard.journal import Entry, KeyTaken, State, WrongTransition, trouble
from switchboard.ladder import Ended, Ladder
from switchboard.logical import LogicalCall
from switchboard.result import Result
from switchboard.runtime import Runtime
from switchboard.stored import from_text
from switchboard.task import Decided
from switchboard.usefulness import Likelihoods
from switchboard.vocabulary import Effect, Executed, FailureClass, RecoveredBy, Trigger
from switchboard.work import Work


class Path:
    """The one execute path of a session."""

    def __init__(self, session: Work) -> None:
        self._session = session
        self._box = session.box
        self._finish = Finish(session)

    async def make(
        self,
        runtime: Runtime,
        name: str,
        raw: Raw,
        *,
        logical_id: str | None = None,
        inner: bool = False,
        exact: Decided | None = None,
        likelihoods: Likelihoods | None = None,
    ) -> Result:
        """Make one call. `inner` calls belong to another one; `exact` ones are decided steps."""
        if runtime.owes_a_turn:  # here, where nothing is begun that a cancellation could leave half done
            await runtime.give_way()
        session, box = self._session, self._box
        tool = box.tools.get(name)
        call_id = uuid7()
        logical_id = logical_id or (session.next_id() if session.named else call_id)
        if tool is None:
            return self._finish.unknown_tool(name, raw, self._near(name))
        call = LogicalCall(
            tool, session, logical_id, call_id, box.clock.monotonic(), box.clock.now(), exact, inner
        )
        entry = session.journal.look_up(logical_id) if session.journal else None
        if entry is not None:
            call.call_id, call.at = entry.call_id, entry.at
        elif (refusal := self._not_admitted(call)) is not None:
            return await self._finish.refused(runtime, call, refusal, raw)
        try:
            call.args = self._read(call, raw)
        except InvalidArguments as exc:
            return await self._finish.invalid(runtime, call, exc)
        call.likelihoods = likelihoods
        if (earlier := await self._earlier(runtime, call, entry)) is not None:
            return earlier
        return await self._through(runtime, call)

    # -- before anything is done ------------------------------------------------------------------------------

    def _not_admitted(self, call: LogicalCall) -> ToolError | None:
        if not self._session.named or call.inner or call.exact is not None:
            return None
        guard = self._session.guard
        if self._session.deadline.passed:
            return guard.deadline_passed()
        return guard.admit(call.tool)

    def _read(self, call: LogicalCall, raw: Raw) -> Arguments:
        """Validate, and once more after what rules could put right."""
        signature = call.tool.signature
        try:
            return signature.read(raw)
        except InvalidArguments as exc:
            if call.exact is not None or not call.tool.repairable:
                raise
            after, firings = self._box.rules.repaired(signature.parse(raw), exc.error, call.tool, at=call.at)
            if not firings:
                raise
            args = signature.read(after)
            call.firings.extend(firings)
            call.recovered(RecoveredBy.RULE, "repair", firings[0].rule, self._box.clock.monotonic())
            return args

    async def _earlier(self, runtime: Runtime, call: LogicalCall, entry: Entry | None) -> Result | None:
        """An answer that is known already: from the journal, from the filter, or that the call clashes with it."""
        if entry is not None:
            return await self._resumed(runtime, call, entry)
        if call.exact is not None or call.inner:
            return None
        if not self._session.named:
            return None
        known = self._session.filter.known(call)
        if known is not None:
            self._session.guard.give_back(call.tool)
            return self._finish.skipped(call, known)
        if self._session.filter.useless(call):
            self._session.guard.give_back(call.tool)
            return self._finish.useless(call)
        return self._duplicate(call)

    def _duplicate(self, call: LogicalCall) -> Result | None:
        """A new call that means the same as an earlier write is that write, unless the tool says otherwise."""
        journal, tool = self._session.journal, call.tool
        if journal is None or tool.effect is not Effect.WRITE or tool.repeatable:
            return None
        earlier = journal.same_effect(call.fingerprint)
        if earlier is None or earlier.result is None:
            return None
        result = from_text(earlier.result)
        if result.executed is Executed.NO:
            return None
        self._session.guard.give_back(tool)
        return self._finish.duplicate(call, result)

    async def _resumed(self, runtime: Runtime, call: LogicalCall, entry: Entry) -> Result | None:
        """What the journal knows of this very call."""
        if (entry.tool, entry.version) != (call.tool.name, call.tool.version):
            was = f"{entry.tool} version {entry.version}"
            error = _conflict(
                "JOURNAL_MISMATCH", f"The journal has {was} at this place. Nothing was executed."
            )
            return await self._finish.clash(runtime, call, error, Trigger.OTHER)
        if entry.fingerprint != call.fingerprint and entry.state is not State.INTENDED:
            error = _conflict(
                "IDEMPOTENCY_CONFLICT",
                "This call was made before with other arguments. Nothing was executed.",
            )
            return await self._finish.clash(runtime, call, error, None)
        if entry.result is not None:
            return self._finish.replayed(call, entry)
        if entry.state is State.INTENDED:
            return None
        if call.logical_id in self._session.under_way:
            return self._finish.in_progress(call)
        age_s = (self._box.clock.now() - entry.at).total_seconds()
        if call.tool.may_be_sent_again and (
            call.tool.effect is Effect.READ or age_s < call.tool.policy.key_retention_s
        ):
            call.may_have_landed = True
            return None
        call.started = True
        return await self._unknown_since_crash(runtime, call)

    async def _unknown_since_crash(self, runtime: Runtime, call: LogicalCall) -> Result:
        """The process died while a write was under way: ask the world, or a person; never do it again."""
        error = ToolError(
            class_=FailureClass.UNKNOWN_OUTCOME,
            code="INTERRUPTED",
            message="The program stopped while this was under way.",
            hint="It may have happened. Do not call it again; check first, or leave it to a person.",
            executed=Executed.UNKNOWN,
        )
        step = await Ladder(runtime, call).climb(None, error)
        ended = step if isinstance(step, Ended) else Ended(error=error, trigger=Trigger.UNKNOWN_OUTCOME)
        case = self._session.desk.case_of(call.logical_id)
        if case is not None and ended.error is not None:
            ended = ended._replace(trigger=case.trigger)  # it was packaged just before the program stopped
        return await self._finish.end(runtime, call, ended)

    # -- the call itself --------------------------------------------------------------------------------------

    async def _through(self, runtime: Runtime, call: LogicalCall) -> Result:
        session = self._session
        if (error := self._begin(call)) is not None:
            return await self._finish.end(runtime, call, Ended(error=error))
        session.under_way.add(call.logical_id)
        try:
            ended = await self._attempts(runtime, call)
        except Deferred as exc:
            return self._finish.deferred(call, exc)
        except BaseException as exc:
            self._finish.cut_off(call, exc)
            raise
        finally:
            session.under_way.discard(call.logical_id)
        return await self._finish.end(runtime, call, ended)

    def _begin(self, call: LogicalCall) -> ToolError | None:
        """Write `started` before any effect; without it, nothing is done."""
        journal = self._session.journal
        if journal is None:
            return None
        try:
            journal.start(self._entry(call))
        except SessionLost:
            raise
        except (KeyTaken, WrongTransition):
            return _conflict(
                "IDEMPOTENCY_CONFLICT", "Another call holds this call's key. Nothing was executed."
            )
        except Exception as exc:  # noqa: BLE001  # whatever it is, nothing runs that was not written down
            trouble.say(exc, "calls are not made")
            return ToolError(
                class_=FailureClass.INTERNAL,
                code="JOURNAL_UNAVAILABLE",
                message="The call was not made, because it could not be written down first.",
                executed=Executed.NO,
                detail=f"{type(exc).__name__}: {exc}",
            )
        call.started = True
        return None

    def _entry(self, call: LogicalCall) -> Entry:
        undo = call.tool.compensate
        return Entry(
            logical_id=call.logical_id,
            call_id=call.call_id,
            tool=call.tool.name,
            version=call.tool.version,
            effect=call.tool.effect,
            key=call.key,
            fingerprint=call.fingerprint,
            args=call.args.plain,
            state=State.STARTED,
            at=call.at,
            compensation={"tool": undo.tool, "args": undo.args} if undo else None,
            round=self._session.guard.rounds or None,
        )

    async def _attempts(self, runtime: Runtime, call: LogicalCall) -> Ended:
        if call.left_s <= 0:
            return Ended(error=self._session.guard.deadline_passed())
        ladder = None
        while True:
            data, error = await attempt(runtime, call)
            if error is None:
                self._box.budgets.of(call.tool.dependency).succeeded()
                return Ended(data=data)
            ladder = ladder or Ladder(runtime, call)
            step = await ladder.climb(data, error)
            if isinstance(step, Ended):
                return step

    def _near(self, name: str) -> list[str]:
        return difflib.get_close_matches(name, self._box.tools, n=3)


def _conflict(code: str, message: str) -> ToolError:
    return ToolError(
        class_=FailureClass.HARD,
        code=code,
        message=message,
        hint="Use a new call for a new intent.",
        executed=Executed.NO,
    )
