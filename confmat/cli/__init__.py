"""Command line ``confmat COMMAND``. Each module has one command or a few related ones.

Slow libraries are imported by the commands that need them, so that each command starts fast.
"""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments. Default: those of the process.

    Examples
    --------
    >>> try:
    ...     main(["--version"])
    ... except SystemExit as end:
    ...     print("exit code", end.code)  # doctest: +ELLIPSIS
    confmat ...
    exit code 0
    """
    try:
        from confmat.cli.app import main as started
    except KeyboardInterrupt:  # what the program imports takes a moment
        print("confmat: interrupted", file=sys.stderr)
        sys.exit(130)
    started(arguments)
