"""What will happen if a plan is approved: sentences made from its steps, never from the agent's account of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from escalations.queries import PlanStepView

READ = "read"
MOST = 6


@dataclass(frozen=True, slots=True)
class Planned:
    """A step as it stands on the desk: whether it runs, and how many of its arguments were changed."""

    step: PlanStepView
    run: bool
    changes: int
    after: str = ""  # the tool of the step whose end decides whether this one runs


def sentences(plan: Sequence[Planned]) -> SafeString:
    """Say in order what the agent will do, under which conditions, and what cannot be undone."""
    running = [one for one in plan if one.run]
    if not running:
        return _nothing(plan)
    alone = len(running) == 1
    said = [_sentence(one, first=n == 0, alone=alone) for n, one in enumerate(running[:MOST])]
    rest = len(running) - MOST
    if rest > 0:
        text = ngettext("Then {n} more step.", "Then {n} more steps.", rest)
        said.append(format_html(text, n=rest))
    return reduce(_beside, [*said, *_closing(plan)])


def short(plan: Sequence[Planned]) -> SafeString:
    """Say the same in one line, for the bar that never scrolls away."""
    running = [one for one in plan if one.run]
    if not running:
        return _nothing(plan)
    parts = [_part(one) for one in running[:MOST]]
    if len(running) > MOST:
        text = ngettext("{n} more step", "{n} more steps", len(running) - MOST)
        parts.append(format_html(text, n=len(running) - MOST))
    chain = format_html_join(_(", then "), "{}", ((part,) for part in parts))
    return format_html(_("Calls {chain}. {closing}"), chain=chain, closing=_undoable(running))


def _beside(one: SafeString, two: SafeString) -> SafeString:
    return format_html(_("{one} {two}"), one=one, two=two)


def _nothing(plan: Sequence[Planned]) -> SafeString:
    if plan:
        return format_html("{}", _("Nothing is run: every step is set aside."))
    return format_html("{}", _("This plan runs nothing: the agent goes on as it says."))


def _part(one: Planned) -> SafeString:
    tool = _tool(one)
    if not one.step.run_if_step:
        return tool
    return format_html(
        _("{tool} only if {condition}"), tool=tool, condition=condition(one.step.run_if_is, one.after)
    )


def _sentence(one: Planned, *, first: bool, alone: bool) -> SafeString:
    tool = _tool(one)
    if one.step.run_if_step:
        text = _("Only if {condition}, it calls {tool}{end}.")
        return format_html(
            text, condition=condition(one.step.run_if_is, one.after), tool=tool, end=_end(one.step)
        )
    if alone:
        return format_html(_("The agent calls {tool}{end}."), tool=tool, end=_end(one.step))
    if first:
        return format_html(_("The agent first calls {tool}{end}."), tool=tool, end=_end(one.step))
    return format_html(_("Then it calls {tool}{end}."), tool=tool, end=_end(one.step))


def condition(ended: str, tool: str) -> SafeString:
    """Say how an earlier step must have ended for a later one to run."""
    earlier = format_html("<code>{}</code>", tool)
    match ended:
        case "empty":
            return format_html(_("{earlier} finds nothing"), earlier=earlier)
        case "failed":
            return format_html(_("{earlier} fails"), earlier=earlier)
        case _:
            return format_html(_("{earlier} succeeds"), earlier=earlier)


def _tool(one: Planned) -> SafeString:
    if not one.changes:
        return format_html("<code>{}</code>", one.step.tool)
    text = ngettext("{tool} with {n} change", "{tool} with {n} changes", one.changes)
    return format_html(text, tool=format_html("<code>{}</code>", one.step.tool), n=one.changes)


def _end(step: PlanStepView) -> SafeString:
    if step.side_effect == READ:
        return format_html("{}", _(", which only reads"))
    if step.reversible:
        return format_html("{}", _(", which can be undone"))
    return format_html(", <b>{}</b>", _("which cannot be undone"))


def _closing(plan: Sequence[Planned]) -> Iterator[SafeString]:
    skipped = [one for one in plan if not one.run]
    if skipped:
        tools = format_html_join(_(", "), "<code>{}</code>", ((one.step.tool,) for one in skipped[:MOST]))
        text = ngettext("{tools} is set aside.", "{tools} are set aside.", len(skipped))
        yield format_html(text, tools=tools)
    if any(one.step.resends_unknown and one.run for one in plan):
        yield format_html("{}", _("What may have happened already is looked up before it is sent again."))


def _undoable(running: Sequence[Planned]) -> SafeString:
    if all(one.step.side_effect == READ for one in running):
        return format_html("{}", _("Only reads."))
    final = sum(one.step.side_effect != READ and not one.step.reversible for one in running)
    if not final:
        return format_html("{}", _("All of it can be undone."))
    if final == len(running) == 1:
        return format_html("<b>{}</b>", _("It cannot be undone."))
    text = ngettext("<b>{n} step cannot be undone.</b>", "<b>{n} steps cannot be undone.</b>", final)
    return format_html(text, n=final)
