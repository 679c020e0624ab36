"""Random tables with probabilities proportional to their pairs of labelings, n!/prod x! for cells x.

For ``Tables(n, r, s, allow_empty=True)`` two labelings with r and s labels are uniform and independent. For
``FixedMargins`` the labels of one labeling are in random order.
"""

from __future__ import annotations

from math import prod

import numpy as np

from confmat._limits import Run, method, register
from confmat.classes import FixedMargins, MatrixClass
from confmat.classes.tables import as_fixed_margins
from confmat.errors import UnsupportedError
from confmat.sampling.methods import DrawnTables, Sampler
from confmat.sampling.random_bits import generator_of
from confmat.sampling.ways import RATE, DrawQuestion, drawing

# Number of cells of the tables that are drawn with one seed.
_CELLS_OF_A_BLOCK = 2**20

# NumPy's hypergeometric and multinomial distributions accept fewer objects than this.
_MOST_AT_MARGINS, _MOST_OBJECTS = 10**9, 2**63


class LabelingsQuestion(DrawQuestion):
    """Request for draws of members with probabilities proportional to their pairs of labelings."""


@method("labelings", "cells are multinomial, at fixed margins hypergeometric", RATE)
def _labelings(question: LabelingsQuestion) -> Run:
    """Return the `Run` that draws with probabilities proportional to pairs of labelings."""
    return drawing(question, lambda: by_labelings(question.matrices), 1e-7 * prod(question.matrices.shape))


register(LabelingsQuestion, _labelings)


def by_labelings(matrices: MatrixClass) -> Sampler:
    """Return the sampler that draws members with probabilities proportional to their pairs of labelings.

    Raise UnsupportedError unless the class is ``Tables`` with ``allow_empty=True`` or ``FixedMargins``, and for
    totals beyond the range of NumPy's distributions.

    >>> by_labelings(FixedMargins([3, 2], [4, 1])).draw(np.random.SeedSequence(1), 100).tables.shape
    (100, 2, 2)
    """
    margins = as_fixed_margins(matrices)
    if margins is None and not (matrices.unrestricted and matrices.may_be_empty):
        raise UnsupportedError(
            'matrices must be Tables(n, r, s, allow_empty=True) or FixedMargins for weight="labelings", '
            f"got {matrices!r}"
        )
    most = _MOST_OBJECTS if margins is None else _MOST_AT_MARGINS
    if matrices.n >= most:
        raise UnsupportedError(
            f'matrices must have fewer than {most} objects for weight="labelings", got {matrices!r}'
        )
    cells = prod(matrices.shape)

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        if margins is not None:
            return DrawnTables(_permuted(margins, seeds, size), size)
        rng = generator_of(seeds)
        tables = rng.multinomial(matrices.n, [1 / cells] * cells, size)
        return DrawnTables(tables.reshape(size, *matrices.shape), size)

    at_once = min(16384, max(1, _CELLS_OF_A_BLOCK // cells))
    return Sampler("labelings", "each pair of labelings is equally likely", draw, block=at_once)


def _permuted(margins: FixedMargins, seeds: np.random.SeedSequence, size: int) -> np.ndarray:
    """Return ``size`` tables (size x r x s) at fixed margins, the labels of one labeling in random order.

    Each cell is hypergeometric given the cells before it. There is a generator for each cell, so that the first
    draws do not depend on ``size``. This avoids SciPy's ``random_table``, which takes half a second to import.
    """
    tables = np.zeros((size, *margins.shape), np.int64)
    r, s = margins.shape
    generators = map(generator_of, seeds.spawn((r - 1) * (s - 1)))
    rests = np.tile(np.array(margins.cols), (size, 1))  # of every column
    for i, a in enumerate(margins.rows[:-1]):
        still_needed = np.full(size, a)
        rests_after = rests.sum(axis=1)
        for j in range(len(margins.cols) - 1):
            rests_after -= rests[:, j]
            tables[:, i, j] = next(generators).hypergeometric(rests[:, j], rests_after, still_needed)
            still_needed -= tables[:, i, j]
        tables[:, i, -1] = still_needed
        rests -= tables[:, i]
    tables[:, -1] = rests
    return tables
