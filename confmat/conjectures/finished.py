"""Checkpoints of a check: the classes that are finished."""

import os
from pathlib import Path
from typing import Any

from confmat._engine.checkpoint import ManifestFolder, damaged, disagrees
from confmat.classes import MatrixClass
from confmat.conjectures.outcomes import Finding, OutcomeEntry
from confmat.errors import CertificateError


class FinishedFolder(ManifestFolder):
    """Finished classes of one check: a manifest and one file per class, sealed, written aside and renamed.

    ``identity``: what the statement is, see ``Conjecture.identity``.  Raises CheckpointError, before anything is
    written, when the folder holds something else.
    """

    def __init__(
        self, folder: str | os.PathLike[str], identity: tuple[Any, ...], classes: list[MatrixClass]
    ) -> None:
        identity_of_check: dict[str, object] = {
            "conjecture": identity,
            "classes": [matrices.to_json() for matrices in classes],
        }
        super().__init__(
            folder, "confmat check 2", identity_of_check, lambda content: "check; it is left as it is"
        )

    def _path(self, position: int) -> Path:
        return self.folder / f"class-{position:05d}.json"

    def load(self, position: int, matrices: MatrixClass) -> OutcomeEntry | None:
        """The entry of a finished class, or None; CheckpointError when its file is damaged.

        >>> from confmat.classes import Tables
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     print(FinishedFolder(folder, ("med < 1",), [Tables(4, 2, 2)]).load(0, Tables(4, 2, 2)))  # not yet done
        None
        """
        path = self._path(position)
        content = self.read_sealed_json(path)
        if content is None:
            return None
        try:
            entry = OutcomeEntry(
                matrices,
                content["members"],
                content["digest"],
                content.get("cases"),
            )
            entry.compare_count()
        except (KeyError, TypeError, CertificateError) as error:
            raise damaged(path, error) from error
        return entry

    def finished(self, classes: list[MatrixClass]) -> dict[int, OutcomeEntry]:
        """The entries of the classes that are finished, by position."""
        entries = {position: self.load(position, matrices) for position, matrices in enumerate(classes)}
        return {position: entry for position, entry in entries.items() if entry is not None}

    def compare(self, position: int, entry: OutcomeEntry, finding: Finding) -> None:
        """CheckpointError unless a class that is finished is evaluated again with the same outcomes."""
        new_entry = OutcomeEntry(entry.matrices, finding.covered, finding.digest, finding.cases)
        if finding.violation is not None or new_entry != entry:
            if finding.violation is None:
                outcome = "other outcomes"
            else:
                outcome = finding.violation.detail
            raise disagrees(self._path(position), outcome)

    def save(self, position: int, entry: OutcomeEntry) -> None:
        """Keep the entry of a class; the file appears whole or not at all.

        >>> from confmat.classes import Tables
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as name:
        ...     folder = FinishedFolder(name, ("med < 1",), [Tables(4, 2, 2)])
        ...     folder.save(0, OutcomeEntry(Tables(4, 2, 2), 19, "a7"))
        ...     folder.load(0, Tables(4, 2, 2)).covered
        19
        """
        self.write_sealed_json(self._path(position), entry.to_json())
