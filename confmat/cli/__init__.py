"""The command line: ``confmat table``, ``count``, ``plan`` and ``compare``.

Heavy libraries are imported by the commands that need them, so that each starts as fast as it can.
"""

from confmat.cli.app import main

__all__ = ["main"]
