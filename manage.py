#!/usr/bin/env python3
"""The one command of the house: sets itself up on first use, then runs Django's commands and ours.

Nothing but the standard library may be imported up to the moment the environment is known to be ready, and
this file keeps to syntax that an old Python can read, so that it can say what it needs.
"""

import os
import sys

OLDEST = (3, 11)


def main() -> None:
    """Refuse an old Python, make the environment ready, then hand over to Django."""
    if sys.version_info < OLDEST:
        sys.exit(
            "Switchboard needs Python {}.{} or newer; this is Python {}.{} ({}).".format(
                *OLDEST, *sys.version_info[:2], sys.executable
            )
        )
    from console.bootstrap import children, environment  # noqa: PLC0415  # only after the version check

    try:
        environment.enter(sys.argv[1:])
    except environment.NotReady as refusal:
        sys.exit(str(refusal))
    except KeyboardInterrupt:
        sys.exit(130)
    children.follow_parent()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    from console.serving import command_line  # noqa: PLC0415  # what it imports exists from here on

    command_line.run(sys.argv)


if __name__ == "__main__":
    main()
