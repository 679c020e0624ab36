"""The command line, ``confmat COMMAND``: a module a command or a few that belong together.

Heavy libraries are imported by the commands that need them, so that each starts as fast as it can.
"""

from confmat.cli.app import main

__all__ = ["main"]
