"""The command line, ``confmat COMMAND``: a module a command or a few that belong together.

Heavy libraries are imported by the commands that need them, so that each starts as fast as it can.
"""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    try:
        from confmat.cli.app import main as started
    except KeyboardInterrupt:  # what the program imports takes a moment
        print("confmat: interrupted", file=sys.stderr)
        sys.exit(130)
    started(arguments)
