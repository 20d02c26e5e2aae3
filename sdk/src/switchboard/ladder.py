"""What is done after a failed attempt: the rungs of the rule that fits, from the lowest that is possible."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from switchboard.arguments import InvalidArguments
from switchboard.classify import ambiguous
from switchboard.failure import ToolError
from switchboard.fallback import Found, Need
from switchboard.logical import LogicalCall, first_cause
from switchboard.partial import to_send_again
from switchboard.reconcile import reconcile
from switchboard.rules import Action, Rule
from switchboard.runtime import Runtime
from switchboard.vocabulary import Effect, Executed, FailureClass, RecoveredBy, Trigger
from switchboard.waiting import Park, next_wait

_ONLY_WHEN_EXACT = frozenset({Action.RETRY, Action.REFRESH, Action.RECONCILE})
_NOT_INSIDE = frozenset({Action.FALLBACK, Action.PERSON})
_RETRIED = frozenset({FailureClass.TRANSIENT, FailureClass.UNKNOWN_OUTCOME, FailureClass.PARTIAL})
_OBSERVATIONS = frozenset({FailureClass.INVALID_ARGS, FailureClass.EMPTY, FailureClass.PARTIAL})
_NEVER_AGAIN = frozenset({"DEADLINE", "CANCELLED_INSIDE", "WORKERS_STUCK"})


class Again:
    """Make another attempt."""


class Ended(NamedTuple):
    """Nothing more is tried: the call ends like this."""

    data: Any = None
    error: ToolError | None = None
    found: Found | None = None
    trigger: Trigger | None = None


AGAIN = Again()
Step = Again | Ended


class Ladder:
    """Climbs for one call. A rung that is not possible is passed over."""

    def __init__(self, runtime: Runtime, call: LogicalCall) -> None:
        self._box = call.session.box
        self._runtime = runtime
        self._call = call

    async def climb(self, data: Any, error: ToolError) -> Step:
        """Decide what follows this failure, and do it up to the next attempt or the end."""
        call, now = self._call, self._box.clock.monotonic()
        if call.first_failure_at is None:
            call.first_failure_at, call.first_error = now, error
        error = self._of_the_whole(error)
        rule = self._box.rules.first(error, call.tool)
        for action in self._rungs(rule, error):
            step, error = await self._take(action, rule, data, error)
            if step is not None:
                return step
        return Ended(data=data, error=error)

    def _of_the_whole(self, error: ToolError) -> ToolError:
        """A refusal says nothing about an earlier attempt that may have landed."""
        call = self._call
        if call.tool.effect is Effect.READ:
            return error
        if error.executed is Executed.UNKNOWN:
            call.may_have_landed = True
        elif error.executed is Executed.NO and call.may_have_landed:
            return ambiguous(replace(error, executed=Executed.UNKNOWN), call.tool.effect)
        return error

    def _rungs(self, rule: Rule, error: ToolError) -> tuple[Action, ...]:
        """The rule's ladder, as this tool, this session and this kind of call have it."""
        call = self._call
        if call.exact is not None:
            return tuple(each for each in rule.do if each in _ONLY_WHEN_EXACT)
        if call.inner:
            return tuple(each for each in rule.do if each not in _NOT_INSIDE)
        observation = error.class_ in _OBSERVATIONS
        if call.tool.policy.person_at_once and not observation:
            return (Action.RECONCILE, Action.PERSON)
        rungs, guard = list(rule.do), call.session.guard
        if not observation or error.class_ is FailureClass.INVALID_ARGS:
            seen = guard.failures(call.tool.name, error)
            if seen >= guard.limits.failures_in_a_row:
                _before_the_end(rungs, Action.FALLBACK)
            if seen >= guard.limits.failures_to_person:
                _before_the_end(rungs, Action.PERSON)
        if call.tool.payment and error.class_ is FailureClass.HARD:
            _before_the_end(rungs, Action.PERSON)
        return tuple(rungs)

    async def _take(
        self, action: Action, rule: Rule, data: Any, error: ToolError
    ) -> tuple[Step | None, ToolError]:
        """Try one rung. Without a step the next rung is tried, with what this one has learnt in the error."""
        match action:
            case Action.RETRY:
                return await self._retry(rule, error)
            case Action.REPAIR:
                return self._repair(error), error
            case Action.REFRESH:
                return await self._refresh(rule, error), error
            case Action.RECONCILE:
                return await self._reconcile(rule, error), error
            case Action.FALLBACK:
                return await self._fall_back(rule, error), error
            case Action.PERSON:
                return Ended(data=data, error=error, trigger=self._trigger(error)), error
            case Action.REPLAN:
                return Ended(data=data, error=error), error

    # -- rungs ------------------------------------------------------------------------------------------------

    async def _retry(self, rule: Rule, error: ToolError) -> tuple[Step | None, ToolError]:
        call = self._call
        budget = self._box.budgets.of(call.tool.dependency)
        if not self._may_retry(error):
            return None, error
        partial = error.class_ is FailureClass.PARTIAL
        if not partial and error.code != "BREAKER_OPEN":
            budget.failed()
        policy = rule.over(call.tool.policy)
        tries = len(call.attempts) - call.extra_attempts
        if tries >= policy.attempts:
            return None, error
        if not budget.allows_retry:
            return None, replace(error, detail="the retry budget of the dependency is used up")
        n = tries - call.told_waits
        wait = next_wait(policy, max(1, n), asked_s=error.retry_after_s, left_s=call.left_s)
        if isinstance(wait, Park):
            why = (
                "asked to come back later than this call may wait"
                if wait.reason == "retry_after"
                else "no time left"
            )
            return None, replace(error, detail=f"not retried: {why}", retry_after_s=wait.retry_after_s)
        if partial and not self._narrow():
            return None, error
        call.told_waits = tries if wait.told else call.told_waits
        call.next_wait_ms = wait.seconds * 1000
        call.fired(rule.id, "retry")
        if wait.seconds > 0:
            await self._runtime.sleep(wait.seconds)
        call.recovered(RecoveredBy.RETRY, "retry", rule.id, self._box.clock.monotonic())
        return AGAIN, error

    def _may_retry(self, error: ToolError) -> bool:
        """Only what may pass, and only where sending it twice cannot do it twice."""
        call = self._call
        if error.class_ not in _RETRIED or error.code in _NEVER_AGAIN:
            return False
        if error.class_ is FailureClass.PARTIAL:
            return bool(to_send_again(call)) and call.tool.batch is not None
        if error.executed is Executed.NO or call.tool.effect is Effect.READ:
            return error.class_ is FailureClass.TRANSIENT
        if not call.tool.may_be_sent_again:
            return False
        age_s = self._box.clock.monotonic() - call.began
        return age_s < call.tool.policy.key_retention_s

    def _narrow(self) -> bool:
        """Send only the items again that failed in passing."""
        call = self._call
        narrowed = call.tool.narrow(call.args.plain, to_send_again(call))
        if narrowed is None:
            return False
        call.args = call.tool.signature.read(narrowed)
        return True

    def _repair(self, error: ToolError) -> Step | None:
        """Map a wrong value to the right one, once, and validate the whole again."""
        call = self._call
        if Action.REPAIR in call.used or not call.tool.repairable or error.executed is not Executed.NO:
            return None
        call.used.add(Action.REPAIR)
        after, firings = self._box.rules.repaired(call.args.plain, error, call.tool, at=call.at)
        if not firings:
            return None
        try:
            call.args = call.tool.signature.read(after)
        except InvalidArguments:
            return None
        call.firings.extend(firings)
        call.extra_attempts += 1
        call.recovered(RecoveredBy.RULE, "repair", firings[0].rule, self._box.clock.monotonic())
        return AGAIN

    async def _refresh(self, rule: Rule, error: ToolError) -> Step | None:
        """Get a new credential, once, and try once more."""
        call = self._call
        hook: Callable[[], Any] | None = self._box.refresh.get(call.tool.dependency)
        safe = error.executed is Executed.NO or call.tool.may_be_sent_again
        if hook is None or Action.REFRESH in call.used or not safe:
            return None
        call.used.add(Action.REFRESH)
        try:
            await self._runtime.invoke(hook)
        except Exception as exc:  # noqa: BLE001  # a refresh that fails is the end of this rung, and is told
            call.suppressed.append(f"refresh failed: {type(exc).__name__}")
            return None
        call.extra_attempts += 1
        call.fired(rule.id, "refresh")
        call.recovered(RecoveredBy.RULE, "refresh", rule.id, self._box.clock.monotonic())
        return AGAIN

    async def _reconcile(self, rule: Rule, error: ToolError) -> Step | None:
        """Ask the world whether a write happened after all."""
        call = self._call
        if (
            error.executed is not Executed.UNKNOWN
            or call.tool.reconcile is None
            or Action.RECONCILE in call.used
        ):
            return None
        call.used.add(Action.RECONCILE)
        found = await reconcile(self._runtime, call)
        if found is None:
            return None
        call.fired(rule.id, "reconcile", after=found)
        call.recovered(RecoveredBy.RULE, "reconcile", rule.id, self._box.clock.monotonic())
        return Ended(data=found)

    async def _fall_back(self, rule: Rule, error: ToolError) -> Step | None:
        call = self._call
        if error.class_ is FailureClass.UNKNOWN_OUTCOME or (
            call.tool.effect is not Effect.READ and error.executed is not Executed.NO
        ):
            return None  # another provider might do it a second time
        need = Need(self._runtime, call, error)
        for fallback in sorted(call.tool.fallbacks, key=lambda each: each.rank):
            found, failed = await fallback.find(need)
            first_cause(call, error, failed)
            if found is not None:
                call.fired(rule.id, f"fallback:{found.source}")
                call.recovered(RecoveredBy.FALLBACK, found.source, rule.id, self._box.clock.monotonic())
                return Ended(data=found.data, found=found, error=None)
        return None

    def _trigger(self, error: ToolError) -> Trigger:
        call = self._call
        guard = call.session.guard
        unsure = error.executed is Executed.UNKNOWN and call.tool.effect is Effect.WRITE
        if (
            error.class_ is FailureClass.UNKNOWN_OUTCOME or unsure
        ):  # what may be sent again leaves nothing to find out
            return Trigger.UNKNOWN_OUTCOME
        if error.http_status in {401, 403} or error.code in {"UNAUTHORIZED", "FORBIDDEN"}:
            return Trigger.AUTH_FAILURE
        if call.tool.payment:
            return Trigger.PAYMENT_ANOMALY
        if guard.failures(call.tool.name, error) >= guard.limits.failures_to_person:
            return Trigger.REPEATED_FAILURE
        if error.code == "BREAKER_OPEN":
            return Trigger.BREAKER_OPEN
        return Trigger.POLICY_CONFLICT if error.class_ is FailureClass.HARD else Trigger.OTHER


def _before_the_end(rungs: list[Action], action: Action) -> None:
    """Put a rung before the last resorts, unless it is there."""
    if action not in rungs:
        place = next(
            (i for i, each in enumerate(rungs) if each in {Action.REPLAN, Action.PERSON}), len(rungs)
        )
        rungs.insert(place, action)
