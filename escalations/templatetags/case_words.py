"""A case's words and drawings, in templates."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from console.kit.lanes import Scale, Span
from console.kit.quantities import took
from escalations.pages import (
    audit_words,
    history_words,
    pause_words,
    plan_graph,
    policy_words,
    team_words,
    why_words,
    words,
)
from escalations.pages.causes import cause, worked
from escalations.pages.lanes import Lane, Lanes
from escalations.pages.outcome_words import after_sentence, items_sentence, outcome_sentence
from escalations.pages.plan_graph import Place
from escalations.pages.plan_words import condition
from escalations.queries import (
    AttemptView,
    CasePage,
    ChainStepView,
    DecisionView,
    FailureView,
    FinalStepView,
    HistoryLine,
    Milestone,
    PlanStepView,
)

register = template.Library()
register.filter("cause", cause)
register.filter("stopped_at", worked)
register.filter("outcome_sentence", outcome_sentence)
register.filter("after_sentence", after_sentence)
register.filter("items_sentence", items_sentence)
register.filter("match_words", policy_words.match_words)
register.filter("effect_words", policy_words.effect_words)
register.filter("ranked", why_words.ranked)
register.filter("pause_kind", pause_words.pause_kind)
register.filter("team_change", team_words.team_change)
register.filter("weekday", team_words.weekday)

LOOKS = {"invalid_args": "args", "unknown_outcome": "unknown"}
MOST_LABELS = 8


@register.filter
def decision_word(value: object) -> str:
    """Give our word for a decision's state."""
    return words.word(words.DECISIONS, value)


@register.filter
def execution_word(value: object) -> str:
    """Give our word for an execution's state."""
    return words.word(words.EXECUTIONS, value)


@register.filter
def step_word(value: object) -> str:
    """Give our word for what became of a step."""
    return words.word(words.STEPS, value)


@register.filter
def action_word(value: object) -> str:
    """Give our word for an action."""
    return words.word(words.ACTIONS, value)


@register.filter
def trigger_words(value: object) -> str:
    """Say why an agent handed a task over."""
    return words.word(words.TRIGGERS, value)


@register.filter
def severity_word(value: object) -> str:
    """Give our word for how much is at stake."""
    return words.word(words.SEVERITIES, value)


@register.filter
def kind_words(value: object) -> str:
    """Say what a plan would do about the failure."""
    return words.word(words.KINDS, value)


@register.simple_tag
def history_sentence(line: HistoryLine, agent: str) -> SafeString:
    """Say what an entry of a case's history tells of."""
    return history_words.sentence(line, agent=agent)


@register.simple_tag
def runs_if(step: PlanStepView | FinalStepView, steps: Sequence[PlanStepView | FinalStepView]) -> SafeString:
    """Say under which condition a step runs, by the tool of the step it depends on."""
    tool = next((each.tool for each in steps if each.id == step.run_if_step), step.run_if_step)
    return condition(step.run_if_is, tool)


@register.simple_tag
def undoes(step: PlanStepView, page: CasePage) -> SafeString:
    """Name the call that a step undoes: by its place where it is among what was done, else by its tool."""
    earlier = next((each for each in page.steps if each.call_id == step.compensates), None)
    if earlier is not None:
        text = _("step {n}, {tool}")
        return format_html(text, n=earlier.n, tool=format_html("<code>{}</code>", earlier.tool))
    return format_html("<code>{}</code>", tool) if (tool := _tool_of(step, page)) else _call(step.compensates)


def _tool_of(step: PlanStepView, page: CasePage) -> str:
    """Find the tool of a call that is not among what was done: the failed one, or a step decided earlier."""
    if page.failure and page.failure.call_id == step.compensates:
        return page.failure.tool
    known = {each.id: each.tool for decision in page.earlier_decisions for each in decision.steps}
    known |= {each.id: each.tool for plan in page.proposals for each in plan.steps if step in plan.steps}
    return known.get(step.compensates, "")


def _call(call_id: str) -> SafeString:
    return format_html('<span title="{}">{}</span>', call_id, _("an earlier call"))


@register.filter
def places(steps: Sequence[PlanStepView]) -> Mapping[str, Place]:
    """Give where each step of a plan stands."""
    return plan_graph.places(steps)


@register.filter
def place_of(found: Mapping[str, Place], step_id: str) -> Place | None:
    """Give the place of one step."""
    return found.get(step_id)


@register.filter
def audit_verb(value: object) -> str:
    """Give our short word for a verb of the audit."""
    return words.word(audit_words.VERBS, value)


@register.filter
def audit_kind(value: object) -> str:
    """Say what sort of actor an audit entry names."""
    return words.word(audit_words.KINDS, value)


@register.filter
def way_word(value: object) -> str:
    """Say by which way a decision was delivered."""
    return words.word(audit_words.WAYS, value)


@register.filter
def policy_mode(value: object) -> str:
    """Say whether a policy rules."""
    return words.word(policy_words.MODES, value)


@register.filter
def policy_change(value: object) -> str:
    """Say what somebody did with a policy."""
    return words.word(policy_words.CHANGES, value)


@register.filter
def chain_words(step: ChainStepView) -> str:
    """Say what one step of a chain does."""
    return why_words.chain_step(step)


@register.filter
def broken_words(rule: str) -> str:
    """Name a rule that deciding would break."""
    return words.word(why_words.BROKEN, rule)


@register.filter
def lane_of(lanes: Lanes, call_id: str) -> Lane | None:
    """Give the lane of a call, where telemetry has it."""
    return lanes.of.get(call_id)


@register.filter
def reported(decision: DecisionView) -> bool:
    """Say whether the agent has said anything about what it did."""
    return decision.reported_at is not None


@register.filter
def waits_at(stones: Sequence[Milestone]) -> str:
    """Name the milestone that a decided case waits for; blank while it is open or when all is done."""
    decided = any(each.name == "decided" and each.state == "done" for each in stones)
    ahead = [each.name for each in stones if each.state == "next"]
    return ahead[0] if decided and ahead else ""


@register.simple_tag
def decision_tag(value: str, by_kind: str = "person") -> SafeString:
    """Show a decision's state: filled when a person said so, outlined when nobody did."""
    filled = " ink" if value in words.SAID_BY_SOMEBODY and by_kind == "person" else ""
    return format_html('<span class="tag{}">{}</span>', filled, decision_word(value))


@register.simple_tag
def execution_tag(value: str) -> SafeString:
    """Show an execution's state."""
    return _toned(words.EXECUTION_TONES.get(value, ""), execution_word(value))


@register.simple_tag
def step_tag(value: str) -> SafeString:
    """Show what became of a step."""
    return _toned(words.STEP_TONES.get(value, ""), step_word(value))


@register.inclusion_tag("escalations/case/_attempts.html")
def attempts(failure: FailureView) -> dict[str, object]:
    """Draw every try of the failed call and every wait between, to scale."""
    timed = _known(failure)
    length = (
        max([failure.total_ms, *(each.offset_ms + (each.duration_ms or 0) for each in timed)], default=0)
        / 1000
    )
    scale = Scale.rounded(length)
    drawn = scale.draw(_spans(timed))
    return {
        "attempts": failure.attempts,
        "drawn": drawn if length > 0 else (),
        "labels": _labels(timed, scale) if len(timed) <= MOST_LABELS else (),
        "ticks": scale.ticks((_("s"), _("min"), _("h"))),
        "sentence": "; ".join(_told(failure.attempts)),
        "end": f"{scale.at(scale.length):.2f}%",
    }


@register.simple_tag
def deadline_share(left_s: float, whole_s: float) -> str:
    """Give how much of a deadline is left, in percent."""
    return f"{max(0.0, min(1.0, left_s / max(whole_s, 1))) * 100:.0f}%"


def _known(failure: FailureView) -> list[AttemptView]:
    """Give the tries whose length is known; the last one ended as the call did, where nothing else is said."""
    timed = [each for each in failure.attempts if each.duration_ms is not None]
    if timed and not timed[-1].failure_class and not timed[-1].code:
        timed[-1] = replace(timed[-1], failure_class=failure.failure_class, code=failure.code)
    return timed


def _spans(timed: Sequence[AttemptView]) -> list[Span]:
    spans = []
    for each in timed:
        start, end = each.offset_ms / 1000, (each.offset_ms + (each.duration_ms or 0)) / 1000
        if each.wait_ms:
            spans.append(Span(start - each.wait_ms / 1000, start, kind="wait"))
        unknown = each.failure_class == "unknown_outcome"
        look = LOOKS.get(each.failure_class, each.failure_class or "ink3")
        spans.append(Span(start, end, look, "unknown" if unknown else "bar"))
    return spans


def _labels(timed: Sequence[AttemptView], scale: Scale) -> list[Mapping[str, str]]:
    found: list[Mapping[str, str]] = []
    for each in timed:
        x = scale.at(each.offset_ms / 1000)
        said = str(each.http_status or each.code or "")
        text = f"{said} {took((each.duration_ms or 0) / 1000)}".strip()
        crowded = any(abs(x - float(other["x"].rstrip("%"))) < 3 + 0.9 * len(text) for other in found)
        if not crowded:
            found.append({"x": f"{x:.2f}%", "text": text})
    return found


def _told(tries: Sequence[AttemptView]) -> list[str]:
    said = []
    for each in tries:
        if each.wait_ms:
            said.append(_("waited %(took)s") % {"took": took(each.wait_ms / 1000)})
        what = str(each.http_status or each.code or each.failure_class or _("no answer"))
        length = took(each.duration_ms / 1000) if each.duration_ms is not None else _("an unknown time")
        said.append(_("attempt %(n)s: %(what)s after %(took)s") % {"n": each.n, "what": what, "took": length})
    return said


def _toned(tone: str, text: str) -> SafeString:
    return format_html('<span class="tag{}">{}</span>', f" {tone}" if tone else "", text)
