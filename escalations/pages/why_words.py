"""Why a case is here and waits as it does: its chain, the rules that bind it, what can be broken."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from console.kit.quantities import took
from escalations.queries import ChainStepView
from escalations.vocabulary import ChainDo

BROKEN: Mapping[str, str | Promise] = {
    "four_eyes": _("you own the agent"),
    "quorum": _("several people have to agree"),
    "require_claim": _("the queue asks for a claim first"),
    "not_permitted": _("you are no operator"),
}


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
