"""RD and ARD given the MED from the distinct (m, A, B, P) of a class: for few tables of many points.

``description.describe_summary`` needs arrays over all (m, F); this needs memory for the cells, which are no more than
the tables to visit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.jobs import row_jobs
from confmat.engine.reduce import ard_denominator
from confmat.engine.reference import find_table
from confmat.engine.sizes import cells_to_hold
from confmat.engine.work import pairs_of_margin
from confmat.laws.description import QUARTILES, Description, Witness, ard_moments, ard_value, describe, rank

MOST_CELLS = 4 * 10**7

# Quotients F/D in double precision that are this close may be equal, or in the wrong order.
_TOLERANCE = 1e-14


def check_cells(matrices: MatrixClass) -> None:
    """Raise ValueError, before any work, when the distinct (m, A, B, P) of the class are too many to be held.

    >>> from confmat.classes import Tables
    >>> check_cells(Tables(20, 3, 3))  # may be held
    >>> check_cells(Tables(50, 4, 4))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: matrices must have a law that can be held: ...
    """
    if (cells := cells_to_hold(matrices)) > MOST_CELLS:
        raise ValueError(
            f"matrices must have a law that can be held: that of {matrices!r} has up to about {cells} values of "
            f"(MED, RD, ARD) (limit {MOST_CELLS}); take a smaller total or sample the class"
        )


def describe_cells(
    matrices: MatrixClass, cells: np.ndarray, weights: np.ndarray, names: list[str], exact: bool
) -> Iterator[tuple[int, int, dict[str, Description]]]:
    """Describe RD and ARD at every distance m that occurs: (m, weight, descriptions by name).

    ``cells``, ``weights``: those of ``confmat.engine.summary.collect``.

    >>> from confmat.classes import Tables
    >>> from confmat.engine.run import Resources
    >>> from confmat.engine.summary import collect
    >>> cells, weights = collect(Tables(4, 2, 2), "tables", Resources())
    >>> described = describe_cells(Tables(4, 2, 2), cells, weights, ["rd"], exact=True)
    >>> [(m, total, str(laws["rd"].mean)) for m, total, laws in described]
    [(0, 6, '0'), (1, 8, '1/2'), (2, 5, '2/3')]
    """
    starts = np.flatnonzero(np.diff(cells[:, 0], prepend=-1)).tolist()
    margins = _Margins(matrices)
    for start, stop in zip(starts, [*starts[1:], len(cells)]):
        level = _Level(matrices.n, cells[start:stop], weights[start:stop])
        laws = {}
        for name in names:
            law, least, most = level.rd() if name == "rd" else level.ard(exact)
            laws[name] = replace(law, least=margins.witness(least), most=margins.witness(most))
        yield int(cells[start, 0]), int(weights[start:stop].sum()), laws


class _Level:
    """The cells with one MED, sorted by (A, B)."""

    def __init__(self, n: int, cells: np.ndarray, weights: np.ndarray) -> None:
        self.pairs = comb(n, 2)
        self.cells, self.weights = cells, weights
        _, a, b, p = cells.T
        self.f = a + b - 2 * p
        self.d = ard_denominator(a, b, self.pairs)

    def rd(self) -> tuple[Description, np.ndarray, np.ndarray]:
        """Law of the RD, the cells with its least and those with its largest value."""
        order = np.argsort(self.f, kind="stable")
        values, starts = np.unique(self.f[order], return_index=True)
        weights = np.add.reduceat(self.weights[order], starts).tolist()
        law = describe(dict(zip(values.tolist(), weights)), max(1, self.pairs))
        return law, self.cells[self.f == values[0]], self.cells[self.f == values[-1]]

    def ard(self, exact: bool) -> tuple[Description, np.ndarray, np.ndarray]:
        """Law of the ARD, the cells with its least and those with its largest value."""
        ratios = self.f / np.maximum(self.d, 1)
        order = np.argsort(ratios, kind="stable")
        ratios, cumulative = ratios[order], np.cumsum(self.weights[order])
        total = int(cumulative[-1])

        def value(position: int) -> tuple[Fraction, np.ndarray]:
            """The value at a position (from 1) in increasing order, and the cells that have it."""
            about = ratios[np.searchsorted(cumulative, position)]
            first = np.searchsorted(ratios, about * (1 - _TOLERANCE))
            last = np.searchsorted(ratios, about * (1 + _TOLERANCE), side="right")
            near = order[first:last]
            keys = self._exact_keys(near)
            below = int(cumulative[first - 1]) if first else 0
            for key in sorted(set(keys.tolist())):
                equal = near[keys == key]
                below += int(self.weights[equal].sum())
                if below >= position:
                    i = equal[0]
                    return ard_value(int(self.f[i]), int(self.d[i]), self.pairs), self.cells[np.sort(equal)]
            raise AssertionError("the cells weigh less than their total")

        (least, at_least), (most, at_most) = value(1), value(total)
        q1, median, q3 = (value(rank(total, p))[0] for p in QUARTILES)
        mean, variance, sd = self._ard_moments(total, exact)
        if least == most:
            mean, variance, sd = least, Fraction(0), 0.0
        return Description(mean, variance, sd, least, q1, median, q3, most), at_least, at_most

    def _exact_keys(self, places: np.ndarray) -> np.ndarray:
        """F/D of some cells in units of 2^-124, as integers: different values differ by more, as n < 2^15."""
        f, d = (x[places].astype(object) for x in (self.f, np.maximum(self.d, 1)))
        return (f << 124) // d

    def _ard_moments(self, total: int, exact: bool) -> tuple[Fraction | float, Fraction | float, float]:
        keys = self.cells[:, 1:3]
        starts = np.flatnonzero(np.diff(keys, axis=0, prepend=-1).any(axis=1))
        first = self.weights * self.f
        sums = np.stack([np.add.reduceat(x, starts) for x in (first, first * self.f)], axis=1)
        return ard_moments(keys[starts], sums, self.pairs, total, exact or len(starts) == 1)


class _Margins:
    """The margin classes of a class, in lexicographically decreasing order."""

    def __init__(self, matrices: MatrixClass) -> None:
        self.matrices = matrices
        self.jobs = []
        for job in sorted(row_jobs(matrices), key=lambda job: job.rows, reverse=True):
            cols = job.cols[np.lexsort(job.cols.T[::-1])[::-1]]
            self.jobs.append((job.rows, sum(comb(x, 2) for x in job.rows), cols, pairs_of_margin(cols)))

    def witness(self, cells: np.ndarray) -> Witness:
        """The first margin class that has one of the cells, which have one MED and are sorted by (A, B)."""
        matched = self.matrices.n - int(cells[0, 0])
        for rows, a, cols, b in self.jobs:
            first, last = np.searchsorted(cells[:, 1], [a, a + 1])
            pairs = dict(cells[first:last, 2:].tolist())
            for c in np.flatnonzero(np.isin(b, list(pairs))).tolist() if pairs else ():
                margins = rows, tuple(cols[c].tolist())
                if find_table(*margins, matched, pairs[int(b[c])]) is not None:
                    return Witness(self.matrices, *margins, matched, pairs[int(b[c])])
        raise AssertionError(f"no margin class has any of the cells {cells.tolist()}")
