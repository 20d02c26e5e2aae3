"""Names that stand in addresses: what a person may call a policy or a team."""

from django.utils.translation import gettext as _

MOST = 120


def fault(name: str) -> str:
    """Say what is wrong with a name, blank where it can be used."""
    if not name:
        return _("Needed, and empty.")
    if len(name) > MOST:
        return _("A name has at most %(most)s characters.") % {"most": MOST}
    if not name.isprintable() or "/" in name:
        return _("A name is one line of characters that can be read, without a slash.")
    if name in {".", ".."}:
        return _("A browser cannot open an address that ends with this name.")
    return ""
