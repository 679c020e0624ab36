"""Exact draws of tables with given margins by a recursion over rows, optionally given values of a sum over cells.

If all row sums or all column sums are at most 1, the labels of the other margin are put in random order.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from confmat.classes import FixedMargins
from confmat.classes.tables import as_fixed_margins
from confmat.distributions.given_margins import GivenMargins, given_margins
from confmat.errors import TooRareError
from confmat.fixed_margins.distributions import Walk, whole_laws
from confmat.fixed_margins.sums import NOTHING, of_cells
from confmat.sampling.methods import DrawnTables, Sampler, Wanted, uniform_below
from confmat.sampling.random_bits import generator_of

# Largest number of cells in the tables of a chunk: 80 MB.
_BLOCK_CELLS = 10**7


def side_of_points(margins: FixedMargins) -> int | None:
    """Return 0 if all row sums are at most 1, 1 if all column sums are, and None in other cases.

    >>> side_of_points(FixedMargins([1, 1, 1], [2, 1])), side_of_points(FixedMargins([2, 1], [2, 1]))
    (0, None)
    """
    if max(margins.rows) <= 1:
        return 0
    return 1 if max(margins.cols) <= 1 else None


def arrangement(margins: FixedMargins) -> Sampler:
    """Return the sampler for margins whose row sums (or column sums) are at most 1.

    A draw puts the labels of the other margin in random order. Draws are independent and uniform.

    >>> method = arrangement(FixedMargins([1, 1, 1], [2, 1]))
    >>> method.draw(np.random.SeedSequence(1), 2).tables.sum(axis=1).tolist()
    [[2, 1], [2, 1]]
    """
    is_turned = bool(side_of_points(margins))
    rows, cols = (margins.cols, margins.rows) if is_turned else (margins.rows, margins.cols)
    labels = np.repeat(np.arange(len(cols)), cols)
    points = np.flatnonzero(rows)

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        rng = generator_of(seeds)
        tables = np.zeros((size, len(rows), len(cols)), np.int64)
        orders = rng.permuted(np.tile(labels, (size, 1)), axis=1)
        tables[np.arange(size)[:, None], points, orders] = 1
        return DrawnTables(tables.transpose(0, 2, 1) if is_turned else tables, size)

    reason = f"{'columns' if is_turned else 'rows'} of one point are labels in random order"
    return Sampler("arrangement", reason, draw, block=_block(margins))


def _block(margins: FixedMargins) -> int:
    """Return the number of draws in a chunk, which have the same seed."""
    return max(1, min(1024, _BLOCK_CELLS // (len(margins.rows) * len(margins.cols))))


def by_rows(margins: FixedMargins) -> Sampler:
    """Return the sampler that draws row by row, each row in proportion to the number of its completions.

    Completions are the tables that begin with the rows drawn so far. Their numbers are computed immediately, which
    takes seconds. Draws are independent and uniform. Raise TooLargeError if there are too many numbers.

    >>> method = by_rows(FixedMargins([2, 1, 1], [2, 2]))
    >>> method.name, method.draw(np.random.SeedSequence(1), 2).tables.sum(axis=1).tolist()
    ('counting', [[2, 2], [2, 2]])
    """
    walk = Walk(whole_laws(of_cells(NOTHING, margins.rows, margins.cols), labels=False, keep=True))
    return _walking(margins, walk, "numbers of completions, equal columns sharing a state")


@lru_cache(maxsize=16)
def given_by_rows(target: Wanted) -> Sampler:
    """Return the sampler that draws given a condition on statistics that one sum over cells determines.

    Rows are drawn in proportion to the numbers of tables that begin with them and satisfy the condition. Raise
    TooLargeError if there are too many such numbers, TooRareError if no table satisfies the condition.

    >>> method = given_by_rows(Wanted.of(FixedMargins([3, 3], [3, 3]), "chi2 > 5"))
    >>> method.draw(np.random.SeedSequence(1), 1).tables.tolist() in ([[[3, 0], [0, 3]]], [[[0, 3], [3, 0]]])
    True
    """
    decisive_sum = decided(target)
    assert isinstance(decisive_sum, GivenMargins)  # the method was chosen because there is such a sum
    condition = target.condition.at(target.matrices)
    # For each state of the recursion the numbers of completions by the value of the sum.
    completions = decisive_sum.counted("tables", keep=True)
    sums_wanted = set()
    for value_of_sum, values in decisive_sum.values(completions):
        if condition.holds(dict(zip(condition.names, values))):
            sums_wanted.add(value_of_sum)
    if not sums_wanted:
        raise TooRareError(f"no member of {target.matrices!r} has {target}")
    reason = (
        f"numbers of completions by {decisive_sum.cell_sum.name}, which decide {', '.join(condition.names)}"
    )
    return _walking(decisive_sum.margins, Walk(completions, sums_wanted), reason)


@lru_cache(maxsize=16)
def decided(target: Wanted) -> GivenMargins | str:
    """Return the sum over cells that determines, at fixed margins, all statistics of the condition of ``target``.

    If there is no such sum, return the reason as a string.

    >>> decided(Wanted.of(FixedMargins([3, 3], [3, 3]), "med = 1/3"))
    'is for statistics that are functions of one sum over cells'
    """
    if as_fixed_margins(target.matrices) is None:
        return "is for classes with fixed row sums and column sums"
    return given_margins(target.matrices, target.condition.statistics)


def _walking(margins: FixedMargins, walk: Walk, reason: str) -> Sampler:
    """Return the sampler that draws tables from ``walk``, which has the numbers of completions of their first rows.

    ``reason`` is the reason to choose this sampler.
    """

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        rng = generator_of(seeds)
        tables = np.zeros((size, *margins.shape), np.int64)
        for table in tables:
            table[:] = walk.table(lambda bound: uniform_below(rng, bound), rng.permuted(walk.ranks, axis=1))
        return DrawnTables(tables, size)

    return Sampler("counting", reason, draw, block=min(_block(margins), 256))
