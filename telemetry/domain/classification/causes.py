"""What went wrong in one word, and what each word means for a read, an idempotent write and a write."""

from dataclasses import dataclass
from enum import StrEnum

from telemetry.domain.classification.evidence import Retryable, Verdict
from telemetry.vocabulary import SideEffect


class Cause(StrEnum):
    """The cause of a failure as far as one piece of evidence tells it; also the few causes of no failure."""

    RATE_LIMITED = "rate_limited"
    BUSY = "busy"
    """Refused for lack of capacity: nothing was executed."""
    UNAVAILABLE = "unavailable"
    """A gateway says that what is behind it did not answer: something may have been executed."""
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    TIMEOUT_UNSENT = "timeout_unsent"
    """A timeout before anything was sent, or after which everything was rolled back."""
    NETWORK = "network"
    NETWORK_UNSENT = "network_unsent"
    CONTENTION = "contention"
    UNKNOWN = "unknown"
    """The system itself says that it does not know whether it executed the call."""
    VALIDATION = "validation"
    UNKNOWN_FIELD = "unknown_field"
    NOT_FOUND = "not_found"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    CONFLICT = "conflict"
    PRECONDITION = "precondition"
    QUOTA = "quota"
    FUNDS = "funds"
    DECLINED = "declined"
    POLICY = "policy"
    UNSUPPORTED = "unsupported"
    STORAGE_FULL = "storage_full"
    REFUSED = "refused"
    """Well formed and not to be had: sold out, read-only, a certificate that does not fit."""
    CRASH = "crash"
    NO_RESULTS = "no_results"
    OK = "ok"
    REPLAY = "replay"
    NOT_MODIFIED = "not_modified"


@dataclass(frozen=True, slots=True)
class Meaning:
    """The class of a cause by side effect, its code and whether to send again."""

    read: Verdict
    idempotent_write: Verdict
    write: Verdict
    code: str | None
    safe: bool = True
    """False where the call may have been executed."""

    def verdict(self, side_effect: str) -> Verdict:
        """The class for this side effect."""
        if side_effect == SideEffect.WRITE:
            return self.write
        return self.idempotent_write if side_effect == SideEffect.IDEMPOTENT_WRITE else self.read

    def retryable(self, side_effect: str) -> Retryable:
        """Whether the same call may be sent again."""
        verdict = self.verdict(side_effect)
        if verdict is Verdict.UNKNOWN_OUTCOME:
            return Retryable.ONLY_IF_IDEMPOTENT
        if verdict is not Verdict.TRANSIENT:
            return Retryable.NO
        safe = self.safe or side_effect == SideEffect.READ
        return Retryable.YES if safe else Retryable.ONLY_IF_IDEMPOTENT

    def code_for(self, side_effect: str) -> str | None:
        """An unknown outcome carries a code only where it is a plain timeout."""
        if self.verdict(side_effect) is Verdict.UNKNOWN_OUTCOME and self.code != "TIMEOUT":
            return None
        return self.code


def _same(verdict: Verdict, code: str | None) -> Meaning:
    return Meaning(verdict, verdict, verdict, code)


def _ambiguous(code: str) -> Meaning:
    return Meaning(Verdict.TRANSIENT, Verdict.TRANSIENT, Verdict.UNKNOWN_OUTCOME, code, safe=False)


MEANINGS: dict[Cause, Meaning] = {
    Cause.RATE_LIMITED: _same(Verdict.TRANSIENT, "RATE_LIMITED"),
    Cause.BUSY: _same(Verdict.TRANSIENT, "UNAVAILABLE"),
    Cause.UNAVAILABLE: _ambiguous("UNAVAILABLE"),
    Cause.SERVER_ERROR: _ambiguous("UNAVAILABLE"),
    Cause.UNKNOWN: _ambiguous("UNAVAILABLE"),
    Cause.TIMEOUT: _ambiguous("TIMEOUT"),
    Cause.TIMEOUT_UNSENT: _same(Verdict.TRANSIENT, "TIMEOUT"),
    Cause.NETWORK: _ambiguous("NETWORK"),
    Cause.NETWORK_UNSENT: _same(Verdict.TRANSIENT, "NETWORK"),
    Cause.CONTENTION: _same(Verdict.TRANSIENT, "CONTENTION"),
    Cause.VALIDATION: _same(Verdict.INVALID_ARGS, "VALIDATION"),
    Cause.UNKNOWN_FIELD: _same(Verdict.INVALID_ARGS, "UNKNOWN_FIELD"),
    Cause.NOT_FOUND: _same(Verdict.HARD, "NOT_FOUND"),
    Cause.UNAUTHORIZED: _same(Verdict.HARD, "UNAUTHORIZED"),
    Cause.FORBIDDEN: _same(Verdict.HARD, "FORBIDDEN"),
    Cause.CONFLICT: _same(Verdict.HARD, "CONFLICT"),
    Cause.PRECONDITION: _same(Verdict.HARD, "PRECONDITION"),
    Cause.QUOTA: _same(Verdict.HARD, "QUOTA_EXHAUSTED"),
    Cause.FUNDS: _same(Verdict.HARD, "INSUFFICIENT_FUNDS"),
    Cause.DECLINED: _same(Verdict.HARD, "PAYMENT_DECLINED"),
    Cause.POLICY: _same(Verdict.HARD, "CONTENT_POLICY"),
    Cause.UNSUPPORTED: _same(Verdict.HARD, "UNSUPPORTED"),
    Cause.STORAGE_FULL: _same(Verdict.HARD, "STORAGE_FULL"),
    Cause.REFUSED: _same(Verdict.HARD, None),
    Cause.CRASH: _same(Verdict.INTERNAL, "TOOL_CRASH"),
    Cause.NO_RESULTS: _same(Verdict.EMPTY, "NO_RESULTS"),
    Cause.OK: _same(Verdict.SUCCESS, None),
    Cause.REPLAY: _same(Verdict.SUCCESS, "IDEMPOTENT_REPLAY"),
    Cause.NOT_MODIFIED: _same(Verdict.SUCCESS, "NOT_MODIFIED"),
}
