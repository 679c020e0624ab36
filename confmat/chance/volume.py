"""The volume test: how near a table is to independence, among all tables with its margins."""

from math import lcm
from typing import Any

import numpy as np

from confmat.arguments import as_amount, as_confidence, as_flag
from confmat.chance.p_values import PValue, p_of_counts
from confmat.classes import FixedMargins
from confmat.classes.orbits import NONE
from confmat.engine.walks import batches
from confmat.errors import TooLarge
from confmat.matrices.matrix import observed_table
from confmat.sampling import stream
from confmat.sampling.streams import Seed, check_seed

# Tables that are visited unasked, in seconds, and with exact=True, in minutes.
MOST_TABLES, MOST_INSISTED = 5 * 10**7, 10**9


def volume_test(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    exact: bool | None = None,
    draws: int = 99_999,
    rng: Seed = None,
    confidence: float = 0.99,
) -> PValue:
    """The share of the tables with these margins, each equally likely, whose chi-squared is at most the observed.

    Diaconis and Efron (1985): small where rows and columns are nearly independent, so that a significant chi-squared
    of many objects may still be close to independence.  Unlike labels permuted at random, every *table* counts once.
    All tables are visited where they are at most 5 * 10^7, and else ``draws`` uniform ones are drawn; ``exact`` True
    and False insist, True up to 10^9 tables (TooLarge).  Chi-squared is compared exactly: the sum of x^2/(r_i c_j) in
    integers.

    >>> volume_test([[3, 1], [1, 4]]).value, volume_test([[2, 2], [2, 3]]).value
    (Fraction(3, 5), Fraction(1, 5))
    """
    confidence = as_confidence(confidence)
    draws = as_amount("draws", draws, 1)
    check_seed(rng)
    if exact is None:
        exact = None
    else:
        exact = as_flag("exact", exact)
    table = observed_table(matrix_or_labels_a, labels_b)
    if not table.sum():
        raise ValueError("matrix must hold at least one object")
    margins = FixedMargins(
        table.sum(axis=1).tolist(),
        table.sum(axis=0).tolist(),
    )
    everything = exact is not False and margins.has_at_most(MOST_INSISTED if exact else MOST_TABLES)
    if exact and not everything:
        raise TooLarge(
            f"exact=True visits at most {MOST_INSISTED:,} tables, and {margins!r} has more; exact=False draws"
        )
    # Chi-squared is n (sum of x^2/(r_i c_j)) - n.
    scales = [lcm(*side) // np.array(side, object) for side in (margins.rows, margins.cols)]
    weights = np.multiply.outer(*scales)
    if lcm(*margins.rows) * lcm(*margins.cols) * min(table.shape) < 2**63:  # no sum is larger
        weights = weights.astype(np.int64)

    def distances(tables: np.ndarray) -> np.ndarray:
        distances_of_chunk: np.ndarray = (tables.astype(weights.dtype) ** 2 * weights).sum(axis=(1, 2))
        return distances_of_chunk

    observed = distances(table[None])[0]
    chunks = stream(margins, draws, rng=rng)
    below = equal = total = 0
    for tables in (tables for tables, _ in batches(margins, NONE)) if everything else chunks:
        distances_of_chunk = distances(tables)
        below += int((distances_of_chunk < observed).sum())
        equal += int((distances_of_chunk == observed).sum())
        total += len(distances_of_chunk)
    return p_of_counts(below, equal, total, None if everything else confidence)
