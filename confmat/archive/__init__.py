from confmat.archive.build import Step, build, missing
from confmat.archive.files import README, Entry, digest, read_entries
from confmat.archive.queries import connect, query
from confmat.archive.verification import verify
from confmat.errors import ArchiveError

__doc__ = README

__all__ = [
    "ArchiveError",
    "Entry",
    "Step",
    "build",
    "connect",
    "digest",
    "missing",
    "query",
    "read_entries",
    "verify",
]
