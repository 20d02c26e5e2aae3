"""One attempt: the breaker's permit, the time limit, the function, and what its end means."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from switchboard.arguments import REDACTED
from switchboard.breaker import Breaker, Permit, Rejection
from switchboard.classify import ambiguous, classify_exception, classify_returned
from switchboard.failure import ToolError
from switchboard.journal import trouble
from switchboard.logical import LogicalCall
from switchboard.partial import judge_items
from switchboard.result import Attempt, Items
from switchboard.runtime import AttemptTimeout, CancelledInside, Runtime
from switchboard.tool import Tool
from switchboard.vocabulary import Effect, Executed, FailureClass
from switchboard.workers import TooManyStuck


async def attempt(runtime: Runtime, call: LogicalCall) -> tuple[Any, ToolError | None]:
    """Make one attempt; give its clean data and, unless all is well, the error."""
    box = call.session.box
    breaker = box.breakers.of(call.tool.dependency)
    permit = breaker.acquire()
    if isinstance(permit, Rejection):
        return None, _not_permitted(call.tool, permit)
    policy, left_s = call.tool.policy, call.left_s
    timeout_s = min(policy.timeout_s, left_s)
    started, at = box.clock.monotonic(), box.clock.now()
    data, error = None, None
    try:
        value = await runtime.attempt(
            call.tool.function,
            _arguments(call, timeout_s),
            is_async=call.tool.is_async,
            timeout_s=timeout_s,
            grace_s=policy.grace_s,
            late=lambda value, exc: _came_late(call, value, exc),
        )
        data, error = clean(call, value)
    except AttemptTimeout as exc:
        error = _timed_out(call.tool, exc, cut=left_s < policy.timeout_s)
    except box.passing:
        breaker.neutral(permit)
        raise
    except Exception as exc:  # noqa: BLE001  # whatever a tool raises becomes a class, that is the point
        error = _raised(call.tool, exc, at)
    except BaseException:
        breaker.neutral(permit)
        raise
    duration_s = box.clock.monotonic() - started
    _judge(breaker, permit, duration_s, error, call)
    _record(call, at, duration_s, error)
    return data, error


def clean(call: LogicalCall, value: Any) -> tuple[Any, ToolError | None]:
    """Plain JSON data out of whatever a tool returned, through its result model, with the secrets out."""
    if (error := classify_returned(value)) is not None:
        executed = Executed.NO if call.tool.effect is Effect.READ else error.executed
        return None, ambiguous(replace(error, executed=executed), call.tool.effect)
    if isinstance(value, Items):
        return judge_items(call, value)
    tool = call.tool
    if tool.result is not None:
        try:
            value = tool.result.validate_python(value)
        except ValidationError as exc:
            return _plain(tool, value), _mismatch(tool, exc)
        value = tool.result.dump_python(value, mode="json")
    try:
        data = _plain(tool, value)
    except (ValueError, RecursionError) as exc:  # bytes that are no text, a value that holds itself
        return None, _unwritable(tool, exc)
    return (data, _empty(tool)) if tool.is_empty(data) else (data, None)


def _unwritable(tool: Tool, exc: Exception) -> ToolError:
    return ToolError(
        class_=FailureClass.INTERNAL,
        code="RESULT_MISMATCH",
        message="The tool answered with something that cannot be written as JSON; the answer is left out.",
        executed=Executed.NO if tool.effect is Effect.READ else Executed.YES,
        detail=f"{type(exc).__name__}: {exc}"[:500],
    )


def _plain(tool: Tool, value: Any) -> Any:
    plain = to_jsonable_python(value, fallback=str, inf_nan_mode="strings")
    return _without(plain, tool.redact_result) if tool.redact_result else plain


def _without(value: Any, secret: frozenset[str]) -> Any:
    if isinstance(value, Mapping):
        return {name: REDACTED if name in secret else _without(each, secret) for name, each in value.items()}
    return [_without(each, secret) for each in value] if isinstance(value, list) else value


def _arguments(call: LogicalCall, timeout_s: float) -> dict[str, Any]:
    kwargs = dict(call.args.values)
    if (name := call.tool.signature.context_name) is not None:
        kwargs[name] = call.context(timeout_s)
    return kwargs


def _judge(
    breaker: Breaker, permit: Permit, duration_s: float, error: ToolError | None, call: LogicalCall
) -> None:
    if error is None or error.class_ is FailureClass.PARTIAL:
        breaker.success(permit, duration_s)
    elif error.counts_for_breaker:
        breaker.failure(permit, duration_s, error=error.code, trace_id=call.trace_id)
    else:
        breaker.neutral(permit, class_=error.class_.value)


def _record(call: LogicalCall, at: Any, duration_s: float, error: ToolError | None) -> None:
    call.attempts.append(
        Attempt(
            n=len(call.attempts) + 1,
            started_at=at,
            duration_ms=round(duration_s * 1000, 3),
            wait_ms=round(call.next_wait_ms, 3),
            http_status=error.http_status if error else None,
            code=error.code if error else None,
            class_=error.class_ if error else None,
        )
    )
    call.next_wait_ms = 0.0


def _not_permitted(tool: Tool, rejection: Rejection) -> ToolError:
    return ToolError(
        class_=FailureClass.TRANSIENT,
        code="BREAKER_OPEN",
        message=f"{tool.dependency} is not being called for now: {rejection.reason}. Nothing was sent.",
        hint="Use another tool or go on without it; a call before then is refused as well.",
        executed=Executed.NO,
        retry_after_s=rejection.retry_after_s,
    )


def _timed_out(tool: Tool, exc: AttemptTimeout, *, cut: bool) -> ToolError:
    """A timeout of a read is transient. Of a plain write nobody knows, whoever's limit it was."""
    error = ToolError(
        class_=FailureClass.TRANSIENT,
        code="DEADLINE" if cut else "TIMEOUT",
        message=f"No answer within {exc.timeout_s:g} s.",
        executed=Executed.NO if tool.effect is Effect.READ else Executed.UNKNOWN,
        evidence={"exception": {"type": "TimeoutError", "module": "switchboard", "message": str(exc)}},
        detail="its function is still running" if exc.still_running else None,
        counts_for_breaker=not cut,
    )
    return ambiguous(error, tool.effect)


def _raised(tool: Tool, exc: Exception, at: Any) -> ToolError:
    if isinstance(exc, CancelledInside):
        exc_error = classify_exception(exc, effect=tool.effect, at=at)
        return replace(
            exc_error, code="CANCELLED_INSIDE", message="The tool stopped itself before it had an answer."
        )
    if isinstance(exc, TooManyStuck):
        return ToolError(
            class_=FailureClass.INTERNAL,
            code="WORKERS_STUCK",
            message="Too many earlier calls are still running; nothing was started.",
            executed=Executed.NO,
            detail=str(exc),
        )
    error = classify_exception(exc, effect=tool.effect, at=at)
    if tool.effect is Effect.READ and error.executed is not Executed.NO:
        return replace(error, executed=Executed.NO)
    return error


def _mismatch(tool: Tool, exc: ValidationError) -> ToolError:
    found = exc.errors(include_input=False, include_url=False)
    return ToolError(
        class_=FailureClass.INTERNAL,
        code="RESULT_MISMATCH",
        message="The tool answered in another shape than it promises; the answer is given as it came.",
        field=".".join(str(part) for part in found[0]["loc"]) or None,
        constraint=found[0]["msg"],
        executed=Executed.NO if tool.effect is Effect.READ else Executed.YES,
    )


def _empty(tool: Tool) -> ToolError:
    return ToolError(
        class_=FailureClass.EMPTY,
        code="NO_RESULTS",
        message="It worked and found nothing.",
        hint=tool.metadata.get("widen")
        or f"Widen or correct one of: {', '.join(tool.signature.names)}. The same call again will be skipped.",
        executed=Executed.NO,
    )


def _came_late(call: LogicalCall, value: Any, exc: BaseException | None) -> None:
    """A call that was given up has ended after all: keep it for whoever reconciles."""
    if call.session.journal is None:
        return
    try:
        told = f"late_completed: {value!r}" if exc is None else f"late_failed: {exc!r}"
        call.session.journal.came_late(call.logical_id, told[:1000])
    except Exception as unkept:  # noqa: BLE001  # a thread or task that came late has nobody to raise to
        trouble.say(unkept, "what came late is not kept")
