"""Why an action is not offered: the framework that asked could not carry it."""

from django.utils.translation import gettext

from escalations.queries import CasePage
from escalations.vocabulary import Action

NO_EDITS = frozenset({"openai_agents", "vercel_ai"})
NO_REJECT = frozenset({"interrupt"})


def not_offered(page: CasePage) -> tuple[str, ...]:
    """Say which of the usual actions the asking side does not take, and why."""
    kind, said = page.context.get("kind"), []
    if page.proposals and Action.EDIT not in page.allowed:
        said.append(
            gettext(
                "No edit: the framework of this agent cannot carry changed arguments. Approve as it is, or reject and say what to change."
            )
            if kind in NO_EDITS
            else gettext("No edit: the agent takes its plan as it is or not at all.")
        )
    if Action.REJECT not in page.allowed:
        said.append(
            gettext("No reject: this kind of request has none. It can only be answered, or left to lapse.")
            if kind in NO_REJECT
            else gettext("No reject: the agent does not take one.")
        )
    return tuple(said)
