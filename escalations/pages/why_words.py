"""Why a case is here and waits as it does: its chain, the rules that bind it, what can be broken."""

from collections.abc import Mapping
from datetime import datetime

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from console.kit.moments import short
from console.kit.quantities import took
from escalations.queries import CasePage, ChainStepView
from escalations.vocabulary import ChainDo

BROKEN: Mapping[str, str | Promise] = {
    "four_eyes": _("you own the agent"),
    "quorum": _("several people have to agree"),
    "require_claim": _("the queue asks for a claim first"),
    "not_permitted": _("you are no operator"),
}


def ranked(page: CasePage) -> str:
    """Say what gives a case its place: its deadline, and who set that."""
    row, asked = page.row, page.deadline_asked
    due, order = _clock(row.expires_at), gettext("The earliest deadline comes first; nothing else counts.")
    told = {"due": due, "policy": page.policy}
    if asked is None and page.ruled.get("deadline_s"):
        who = gettext("Due %(due)s: the policy %(policy)s says within what time; its agent named none.")
    elif asked is None:
        who = gettext("Due %(due)s: its agent named no deadline, so the usual one holds.")
    elif row.expires_at < asked:
        told["asked"] = _clock(asked)
        who = gettext("Due %(due)s: the policy %(policy)s brought it forward from %(asked)s.")
    elif row.expires_at > asked:
        told["asked"] = _clock(asked)
        who = gettext(
            "Due %(due)s: later than the %(asked)s its agent asked for, because somebody held it then."
        )
    else:
        who = gettext("Due %(due)s: its agent set it.")
    return f"{order} {who % told}"


def _clock(at: datetime) -> str:
    return short(at, now=timezone.now(), seconds=False)


def chain_step(step: ChainStepView) -> str:
    """Say what one step of a chain does."""
    match step.do:
        case ChainDo.NOTIFY:
            return gettext("tell %(who)s") % {"who": step.who}
        case ChainDo.ON_CALL:
            return gettext("tell who is on call in %(who)s") % {"who": step.who}
        case ChainDo.WAIT:
            return gettext("wait %(took)s") % {"took": took(step.seconds)}
        case ChainDo.WEBHOOK:
            return gettext("post to %(who)s") % {"who": step.who}
        case ChainDo.REPEAT:
            return gettext("begin again")
