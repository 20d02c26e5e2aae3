"""What messages of chains are signed with: one secret for each address, and administrators may read it."""

import hashlib
import hmac

from django.conf import settings

from console.kit.actor import Actor
from escalations import contract
from escalations.domain import permissions


def chain_secret(url: str) -> str:
    """Give the secret of an address, derived from the console's own key."""
    key = settings.SECRET_KEY.encode()
    return hmac.new(key, f"chain:{url}".encode(), hashlib.sha256).hexdigest()


def secret_shown(*, url: str, actor: Actor) -> contract.ChainSecret:
    """Give the secret to an administrator, who hands it to whoever receives the messages."""
    if (refusal := permissions.why_not_rule(actor)) is not None:
        raise refusal
    return contract.ChainSecret(url=url, secret=chain_secret(url))
