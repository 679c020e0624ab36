"""Laws under random models: exact where the classes are small, of draws elsewhere, and they say which."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from confmat.classes import RandomModel
from confmat.laws import Law, joint
from confmat.sampling import stream
from confmat.sampling.streams import Seed
from confmat.statistics.record import Statistic

DISTANCES = ("med", "rd", "ard", "nmed", "nrd")
"""The statistics of a null law unless others are named."""

# Exact laws visit every table of the class up to symmetry; up to this many tables that takes seconds.
MOST_TABLES = 4 * 10**8
MOST_PARTITIONED = 6

# A law with weights of hundreds of digits costs the more, the larger n is; 2 x 2 tables are few.
LARGEST_EXACT = 120
LARGEST_2X2 = 400


def null_law(
    model: RandomModel,
    *statistics: str | Statistic | Any,
    exact: bool | None = None,
    draws: int = 100_000,
    rng: Seed = None,
) -> Law:
    """The law of statistics (of the distances of ``DISTANCES`` if none is named) under a random model.

    ``exact``: None takes ``joint`` where that takes seconds, and else ``draws`` draws by ``rng``; True and False
    insist.  ``law.exact`` tells which it is.

    >>> from confmat.classes import random_model
    >>> law = null_law(random_model("partitions", 3), "rd")
    >>> [(str(value), weight) for (value,), weight in law.support]  # 5 x 5 pairs of partitions of 3 points
    [('0', 5), ('1/3', 6), ('2/3', 12), ('1', 2)]
    """
    chosen = statistics or DISTANCES
    if is_enumerated(model) if exact is None else exact:
        return joint(model, *chosen)
    return stream(model, draws, rng=rng).law(*chosen)


def is_enumerated(model: RandomModel) -> bool:
    """Whether ``null_law`` enumerates a model by default.

    >>> from confmat.classes import random_model
    >>> is_enumerated(random_model("labels", 20, 3, 3)), is_enumerated(random_model("partitions", 20))
    (True, False)
    """
    if model.matrices is None:
        return model.n <= MOST_PARTITIONED
    most = LARGEST_2X2 if model.shape == (2, 2) else LARGEST_EXACT
    return model.n <= most and model.matrices.has_at_most(MOST_TABLES)


def degree_of_overlap(matrix: Any) -> Fraction:
    """Share of the points off the diagonal of a square table (Steinley 2004); never below the MED.

    The two differ once points moved off the diagonal gather in a better matching (Chacon 2019, Section 4.2).

    >>> from confmat.indices.partition import med
    >>> matrix = [[2, 8], [7, 3]]
    >>> degree_of_overlap(matrix), med(matrix, exact=True)
    (Fraction(3, 4), Fraction(1, 4))
    """
    from confmat.matrices.matrix import nonzero_cells

    cells = nonzero_cells(matrix)
    if cells.shape[0] != cells.shape[1]:
        raise ValueError(f"matrix must be square, got shape {cells.shape}")
    n = sum(cells.values)
    on = sum(x for i, j, x in zip(cells.rows.tolist(), cells.cols.tolist(), cells.values) if i == j)
    return Fraction(n - on, n) if n else Fraction(0)
