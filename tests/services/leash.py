"""Runs one program for a parent and ends it when the parent is gone: `python -m tests.services.leash [USER] -- ARGV`."""

import subprocess
import sys

from console.bootstrap.children import follow_parent


def main(argv):
    """Stay between the parent and the program, in one process group; give the program's exit code."""
    user = argv[0] if argv[0] != "--" else None
    program = argv[argv.index("--") + 1 :]
    follow_parent()
    started = subprocess.Popen(program, user=user, extra_groups=[] if user else None, cwd="/")
    return started.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
