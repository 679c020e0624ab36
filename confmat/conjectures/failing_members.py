"""All failures of a statement in a class: how many members, how many up to symmetry, and which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from confmat.answers import Answer, Part, Verbatim
from confmat.arguments import as_count, as_instance
from confmat.classes import MatrixClass
from confmat.classes.orbits import Matrix
from confmat.conjectures.predicates import (
    counterexamples,
    holds_at,
    outcomes_of_signatures,
    smallest_image,
    tables_at,
    usable,
)
from confmat.conjectures.stated import Conjecture, decided_on_signatures
from confmat.engine.walks import chunks
from confmat.matrices.texts import matrix_text


@dataclass(frozen=True, repr=False)
class Failures(Answer):
    """Where a statement fails: ``members`` of the class, ``orbits`` of them up to the statement's symmetry.

    ``tables``: the smallest matrix (row by row) of each orbit, smallest first, as many as were asked for.
    """

    matrices: MatrixClass
    members: int
    orbits: int
    tables: tuple[Matrix, ...]

    def __len__(self) -> int:
        return self.members

    def parts(self) -> Iterator[Part]:
        """How many fail, and the smallest of them."""
        summary = f"{self.members} of {self.matrices.count()} members of {self.matrices}"
        yield f"{summary} fail, {self.orbits} up to symmetry"
        yield from (Verbatim(f"  {matrix_text(table)}") for table in self.tables)


def failures(conjecture: Conjecture, matrices: MatrixClass, most: int | None = 20) -> Failures:
    """All members of a class at which a statement fails: their number, and ``most`` of them (None: all).

    A claim on formulas looks only at margins at which something fails; else every member is asked, up to symmetry.
    Memory grows with the number of orbits that fail.  ValueError for statements about laws.

    >>> from confmat.classes import Tables
    >>> found = failures(Conjecture("near", "ari >= 0"), Tables(8, 2, 2), most=2)
    >>> print(found)
    57 of 133 members of Tables(n=8, r=2, s=2, empty=False) fail, 10 up to symmetry
      0,1;1,6
      0,1;2,5
    >>> found.tables
    (((0, 1), (1, 6)), ((0, 1), (2, 5)))
    """
    as_instance("conjecture", conjecture, Conjecture, "a Conjecture")
    as_instance("matrices", matrices, MatrixClass, "a class of matrices such as Tables(20, 3, 3)")
    if conjecture.on not in ("tables", "signatures"):
        raise ValueError(
            f"conjecture must be about matrices, one by one, got {conjecture.name!r}, on {conjecture.on!r}"
        )
    if most is not None:
        most = as_count("most", most)
    predicate = conjecture.predicate
    symmetry = usable(conjecture.symmetry, matrices)
    assert predicate is not None
    if decided_on_signatures(conjecture, matrices):
        _, failing, _ = outcomes_of_signatures(predicate, matrices)  # type: ignore[arg-type]
        walk = tables_at(matrices, symmetry, failing)
    else:
        walk = chunks(matrices, symmetry)
    members = 0
    images = set[Any]()
    for batch, copies in walk:
        fails = ~holds_at(predicate, matrices, batch)
        members += int(np.asarray(copies)[fails].sum())
        images |= {smallest_image(table, symmetry) for table in batch[fails]}
    smallest_images = sorted(images)[:most]
    counterexamples(predicate, matrices, np.array(smallest_images))
    return Failures(matrices, members, len(images), tuple(smallest_images))
