"""Everything this package raises about the console. Catch the root to catch them all.

SwitchboardError
├── Misconfigured            no address, no key, or a value that cannot be used
├── Unsendable               what you gave cannot be sent unchanged (NaN, an integer beyond 2**53, …)
├── Unreachable              no reply within the deadline; nothing was approved
│   └── Undecided            the console was there, nobody had decided before the deadline
├── Refused                  the console replied, and the reply was no
│   ├── Unauthorized         the key is unknown, revoked or not allowed to
│   ├── NotFound             no such case of this agent
│   └── Conflict             somebody was first, or the state does not allow it
│       └── IdempotencyConflict   the same key was used for other content
├── BadAnswer                the console's answer cannot be understood, so nothing may be run
│   └── DigestMismatch       the steps are not the ones the decision was made about
└── Closed                   the client has been closed
"""

from collections.abc import Mapping, Sequence


class SwitchboardError(Exception):
    """The console could not give an answer."""


class Misconfigured(SwitchboardError):
    """The address or the key is missing, or a setting cannot be used."""


class Unsendable(SwitchboardError, ValueError):
    """A value cannot be written down so that both sides read the same: send it as text."""


class Unreachable(SwitchboardError):
    """No reply within the deadline. Nothing was approved."""


class Undecided(Unreachable):
    """The console was reachable and nobody had decided before the deadline. Nothing was approved."""


class Refused(SwitchboardError):
    """The console replied, and the reply was no.

    `code` is stable and in UPPER_SNAKE, `errors` are the fields with their constraint, what was received and a hint,
    `extra` is whatever else the console said (the winner of a race, for example).
    """

    def __init__(
        self,
        detail: str,
        *,
        code: str = "REFUSED",
        status: int = 0,
        errors: Sequence[Mapping[str, object]] = (),
        extra: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.detail = detail
        self.code = code
        self.status = status
        self.errors: tuple[Mapping[str, object], ...] = tuple(errors)
        self.extra: dict[str, object] = dict(extra or {})


class Unauthorized(Refused):
    """The key is unknown, revoked, or may not do this."""


class NotFound(Refused):
    """There is no such thing, or it is not this agent's."""


class Conflict(Refused):
    """Somebody was first, or the state of the case does not allow it."""


class IdempotencyConflict(Conflict):
    """The same key was used before with other content; nothing was changed."""


class BadAnswer(SwitchboardError):
    """The console's answer cannot be understood, so nothing may be run because of it."""


class DigestMismatch(BadAnswer):
    """The steps that arrived are not the steps the decision was made about. Do not run them."""


class Closed(SwitchboardError):
    """The client has been closed."""
