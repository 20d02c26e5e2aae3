"""Runs any program so that it never outlives whoever started it: `python -m console.bootstrap.leash [USER] -- ARGV`.

For programs that cannot follow their parent themselves: this one does, and ends the whole process group with it.
"""

import subprocess
import sys
from collections.abc import Sequence

from console.bootstrap.children import follow_parent


def leashed(argv: Sequence[str], *, user: str | None = None) -> list[str]:
    """Give the command that runs a program on a leash, as another user where one is named."""
    return [sys.executable, "-m", "console.bootstrap.leash", *([user] if user else []), "--", *argv]


def main(argv: Sequence[str]) -> int:
    """Stay between the parent and the program, in one process group; give the program's exit code."""
    user = argv[0] if argv[0] != "--" else None
    program = argv[argv.index("--") + 1 :]
    follow_parent()
    with subprocess.Popen(program, user=user, extra_groups=[] if user else None) as started:
        return started.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
