"""Matrices at which a statistic has its extremes over a law, looked for when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from confmat.classes import MatrixClass, RandomModel
from confmat.engine.jobs import is_transposed, pairs_of_margin, row_jobs
from confmat.engine.visits import find_table
from confmat.engine.walks import first_with
from confmat.errors import ConsistencyError
from confmat.laws.lines import Number
from confmat.plans.methods import admit
from confmat.statistics.record import Statistic, shared_symmetry

_SECONDS_OF_TABLE = 3e-6


@dataclass(frozen=True)
class Witness:
    """Where an extreme is attained: a margin class and its best matching and pairs within cells."""

    matrices: MatrixClass
    rows: tuple[int, ...]
    cols: tuple[int, ...]
    matched: int
    pairs: int

    def matrix(self) -> np.ndarray:
        """The first such table in lexicographically decreasing order, as the representative of its orbit.

        The representative is the lexicographically largest member of the class in the orbit.  The search
        walks through the margin class: instant for n = 20, a second or so where it holds 10^7 tables.

        >>> from confmat.classes import Tables
        >>> Witness(Tables(4, 2, 2), rows=(3, 1), cols=(2, 2), matched=3, pairs=1).matrix()
        array([[2, 1],
               [0, 1]])
        """
        table = find_table(self.rows, self.cols, self.matched, self.pairs)
        if table is None:
            raise ConsistencyError(f"no table behind {self}, which was counted")
        return self.matrices.member_like(table.T if is_transposed(self.matrices) else table)


@dataclass(frozen=True)
class Sought:
    """Where some statistics have some values: a member is looked for when it is asked for."""

    matrices: MatrixClass | RandomModel
    statistics: tuple[Statistic, ...]
    values: tuple[Number, ...]

    def matrix(self) -> np.ndarray:
        """The representative of the first member met: a visit of the class that stops there.

        >>> from fractions import Fraction
        >>> from confmat.classes import Tables
        >>> from confmat.statistics import as_statistic
        >>> Sought(Tables(4, 2, 2), (as_statistic("rd"),), (Fraction(1, 2),)).matrix().tolist()
        [[2, 1], [0, 1]]
        """
        model = self.matrices
        classes = [part.matrices for part in model.parts] if isinstance(model, RandomModel) else [model]
        members = sum(matrices.count() for matrices in classes)
        admit(f"a visit of all of {model!r}", seconds=_SECONDS_OF_TABLE * members)
        # A value that is undefined is no value to be found.
        known = [(x, value) for x, value in zip(self.statistics, self.values) if value == value]
        statistics, values = tuple(x for x, _ in known), tuple(value for _, value in known)
        for matrices in classes:
            if (table := first_with(matrices, statistics, values)) is not None:
                return matrices.representative(table, shared_symmetry(self.statistics))
        raise ConsistencyError(f"no member of {model!r} has the values {values}, which were counted")


def witness(matrices: MatrixClass, cells: np.ndarray) -> Witness:
    """The first margin class, in decreasing order, that has one of some signatures with one MED.

    A and B are those of the enumerated orientation.

    >>> from confmat.classes import Tables
    >>> witness(Tables(4, 2, 2), np.array([[1, 3, 2, 1]])).cols
    (2, 2)
    """
    matched = matrices.n - int(cells[0, 0])
    pairs: dict[tuple[int, int], list[int]] = {}
    for _, a, b, p in cells.tolist():
        pairs.setdefault((a, b), []).append(p)
    for job in sorted(row_jobs(matrices), key=lambda job: job.rows, reverse=True):
        a = sum(comb(x, 2) for x in job.rows)
        if wanted := {b for first, b in pairs if first == a}:
            found = job.cols[np.isin(pairs_of_margin(job.cols), list(wanted))]
            for cols in found[np.lexsort(found.T[::-1])[::-1]]:
                margins = job.rows, tuple(cols.tolist())
                for p in pairs[a, int(pairs_of_margin(cols))]:
                    if find_table(*margins, matched, p) is not None:
                        return Witness(matrices, *margins, matched, p)
    raise ConsistencyError(f"no margin class of {matrices!r} has any of the signatures {cells.tolist()}")
