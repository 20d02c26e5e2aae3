"""The title of the overview: the news in one sentence, from numbers that are on the same page."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.kit import quantities
from console.kit.bidi import apart
from telemetry.queries import Overview, ToolRow

WORSE_BY = 0.01  # a tool is news when it loses this much more of its calls than in the period before
LEAST_LOST = 5


@dataclass(frozen=True, slots=True)
class News:
    """One sentence, and one that adds to it."""

    title: str
    more: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands beside the calls: breakers that are not closed, cases, and how soon one is due."""

    breakers: tuple[str, ...]
    open_cases: int
    unclaimed: int
    due_soon: int
    attention: int


def news(facts: Overview, standing: Standing) -> News:
    """Say the worst thing first, then what else is not as it should be; else that all is quiet."""
    told = [line for line in (_worse(facts), _breakers(standing), _cases(standing)) if line]
    if not told:
        return News(_("All quiet"), _quiet(facts))
    return News(told[0], " ".join(_("%(line)s.") % {"line": line} for line in told[1:]) or _quiet(facts))


def _worse(facts: Overview) -> str:
    worst = max(facts.tools, key=lambda tool: tool.change or 0.0, default=None)
    if worst is None or (worst.change or 0.0) < WORSE_BY or worst.lost < LEAST_LOST:
        return ""
    return _sentence(worst)


def _sentence(tool: ToolRow) -> str:
    lost = quantities.percent(1 - (tool.in_the_end.value or 0.0))
    before = quantities.percent(1 - (tool.before.value or 0.0))
    words = {"tool": apart(tool.name), "lost": lost, "before": before, "class": tool.mostly or ""}
    return _("%(tool)s loses %(lost)s of its calls, %(before)s before; mostly %(class)s") % words


def _breakers(standing: Standing) -> str:
    match standing.breakers:
        case ():
            return ""
        case (name,):
            return _("Breaker %(name)s is not closed") % {"name": apart(name)}
        case names:
            return _("%(n)s breakers are not closed: %(names)s") % {
                "n": len(names),
                "names": _(", ").join(map(apart, names[:3])),
            }


def _cases(standing: Standing) -> str:
    if standing.due_soon:
        return ngettext(
            "%(n)s case is due within 15 minutes", "%(n)s cases are due within 15 minutes", standing.due_soon
        ) % {"n": quantities.count(standing.due_soon)}
    if standing.unclaimed:
        return ngettext(
            "%(n)s case waits for a person", "%(n)s cases wait for a person", standing.unclaimed
        ) % {"n": quantities.count(standing.unclaimed)}
    if standing.attention:
        return ngettext(
            "%(n)s decided case needs attention", "%(n)s decided cases need attention", standing.attention
        ) % {"n": quantities.count(standing.attention)}
    return ""


def _quiet(facts: Overview) -> str:
    if not facts.totals.calls:
        return _("No calls in this window.")
    return _("%(share)s of %(n)s calls worked in the end.") % {
        "share": quantities.percent(facts.totals.in_the_end.value),
        "n": quantities.count(facts.totals.calls),
    }
