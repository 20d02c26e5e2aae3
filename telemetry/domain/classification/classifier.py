"""The order of evidence: deferral, the body's own words, proof that nothing was sent, partial, ambiguity, status, empty."""

from dataclasses import replace

from telemetry.domain.classification import shell_tallies, shells
from telemetry.domain.classification.blame import answer_for, arguments_broken, spoken_texts
from telemetry.domain.classification.bodies import read_body, unread_cause
from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.deferrals import is_deferred
from telemetry.domain.classification.emptiness import is_empty
from telemetry.domain.classification.envelopes import opened
from telemetry.domain.classification.evidence import Classification, Evidence, Retryable, Verdict
from telemetry.domain.classification.faults import read_fault
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.items import Tally, tally
from telemetry.domain.classification.items.verdicts import grpc_code
from telemetry.domain.classification.messages import read_message
from telemetry.domain.classification.plain import clip, printed_within
from telemetry.domain.classification.problems import problems_of
from telemetry.domain.classification.protocols import read_grpc
from telemetry.domain.classification.reading import best, read_problems
from telemetry.domain.classification.sight import Sight, look
from telemetry.domain.classification.statuses import read_hidden_status, read_hidden_timeout, read_status
from telemetry.domain.classification.truncation import is_truncated
from telemetry.domain.classification.version import VERSION
from telemetry.domain.classification.waits import retry_after
from telemetry.domain.classification.weighing import settled
from telemetry.vocabulary import SideEffect


def classify(evidence: Evidence) -> Classification:
    """The failure class of one call. Never raises, whatever the evidence holds."""
    return _classify(look(evidence))


def _classify(seen: Sight) -> Classification:
    if is_deferred(seen):
        return Classification(verdict=Verdict.DEFERRED, rule="deferral", confidence=0.95, version=VERSION)
    sight = opened(seen)
    batch = _batch(sight)
    if batch is not None and batch.mixed:
        return _partial(batch, sight)
    findings = _gathered(sight, batch)
    finding = settled(findings, sight)
    if (
        finding is not None
        and finding.cause is Cause.CRASH
        and (blamed := arguments_broken(sight, spoken_texts(findings, sight)))
    ):
        finding = blamed
    if finding is not None:
        return answer_for(finding, sight, [finding, *findings])
    if sight.status == 304:
        return answer_for(Finding(Cause.NOT_MODIFIED, 90, "http/304"), sight, [])
    if sight.exit_code is None and is_empty(sight):
        hidden = read_hidden_timeout(sight.body) or read_hidden_status(sight.body, sight.side_effect)
        nothing = hidden or Finding(Cause.NO_RESULTS, 80, "empty")
        return answer_for(nothing, sight, [])
    return answer_for(Finding(Cause.OK, 70, "success"), sight, [])


def _batch(sight: Sight) -> Tally | None:
    """Results per item, where the answer is one: an answer that failed as a whole has none."""
    if sight.exit_code is not None:
        return shell_tallies.tally(sight)
    if sight.fault is not None and sight.evidence.items is None:
        details = sight.fault.details or [printed_within(sight.fault.message)]
        bodies = [detail for detail in details if isinstance(detail, dict)]
        found = tally(replace(sight, body=bodies[0], text="")) if bodies else None
        return found if found is not None and found.mixed else None
    if sight.status is not None and sight.status >= 400 and sight.status not in {400, 409, 422, 424}:
        return None
    return tally(sight)


def _partial(batch: Tally, sight: Sight) -> Classification:
    """Some worked and some did not; `retryable` speaks of the failed ones only."""
    causes = [finding.cause for said in batch.said[:20] if (finding := best(_of_item(said, sight)))]
    transient = bool(causes) and all(cause in PASSING for cause in causes)
    return Classification(
        verdict=Verdict.PARTIAL,
        code="PARTIAL_FAILURE",
        retryable=Retryable.YES if transient else Retryable.NO,
        retry_after_s=retry_after(replace(sight, body=None), []) if transient else None,
        ok_count=None if sight.cut else batch.ok,
        failed_count=None if sight.cut else batch.failed,
        rule=batch.rule,
        confidence=0.9,
        version=VERSION,
    )


PASSING = frozenset(
    {
        Cause.RATE_LIMITED,
        Cause.BUSY,
        Cause.TIMEOUT_UNSENT,
        Cause.NETWORK_UNSENT,
        Cause.CONTENTION,
        Cause.UNAVAILABLE,
        Cause.TIMEOUT,
        Cause.NETWORK,
        Cause.SERVER_ERROR,
    }
)


def _of_item(said: object, sight: Sight) -> list[Finding]:
    found = read_problems(problems_of(said), replace(sight, status=None))
    status = said.get("status") if isinstance(said, dict) else None
    grpc = read_grpc(grpc_code(status)) if isinstance(status, dict) else None
    return [*found, grpc] if grpc else found


def _gathered(sight: Sight, batch: Tally | None) -> list[Finding]:
    """Everything that any reader has to say."""
    found: list[Finding] = []
    if sight.exit_code is not None:
        return shells.read(sight)
    if batch is not None and batch.all_failed:
        found += [finding for said in batch.said[:20] for finding in _of_item(said, sight)]
        if not any(finding.weight for finding in found):
            found.append(Finding(unread_cause(batch.said[:20]), 40, batch.rule))
    elif sight.fault is not None:
        found += read_fault(sight, sight.fault)
    found += read_body(sight)
    if sight.evidence.grpc_status is not None:
        found += [finding for finding in [read_grpc(sight.evidence.grpc_status)] if finding]
    if sight.status is not None and (finding := read_status(sight.status, sight.side_effect)):
        found.append(finding)
    if is_truncated(sight):
        found.append(Finding(Cause.NETWORK, 84, "body/truncated"))
    if not found and (said := clip(sight.evidence.message, 4_000)):
        found += read_message(said, sight)
    if not found and sight.evidence.failed is True:
        found.append(
            Finding(
                Cause.SERVER_ERROR if sight.side_effect != SideEffect.READ else Cause.CRASH,
                20,
                "reported/failed",
            )
        )
    return found
