"""An archive of exact laws: built, verified and queried.  Every (MED, RD, ARD) of a class, with its exact count.

What is in the folder, file by file and column by column: ``confmat.archive.folder``, and the README.md of every
archive.
"""

from confmat.archive.build import Step, build, missing
from confmat.archive.folder import Entry, digest, read_entries
from confmat.archive.queries import connect, export, failing, query, query_to_file
from confmat.archive.verification import verify
from confmat.errors import ArchiveError

__all__ = [
    "ArchiveError",
    "Entry",
    "Step",
    "build",
    "connect",
    "digest",
    "export",
    "failing",
    "missing",
    "query",
    "query_to_file",
    "read_entries",
    "verify",
]
