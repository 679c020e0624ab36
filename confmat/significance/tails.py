"""Distribution of P, the number of pairs of objects in common cells, at fixed margins with labels permuted at random.

P is a sum over cells. The recursion over rows (`confmat.fixed_margins`) computes its distribution in floats with a
small relative error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confmat._arguments import as_counts
from confmat._limits import Limits, limited
from confmat.fixed_margins.cell_sums import PAIRS
from confmat.fixed_margins.sums import of_cells
from confmat.fixed_margins.tails import law
from confmat.indices.pairs import pairs_within

__all__ = ["PairDistribution", "pair_distribution"]

# Largest number of terms and of edges of the recursion: about a minute.
MOST_TERMS, MOST_EDGES = 6 * 10**9, 6 * 10**8


@dataclass(frozen=True)
class PairDistribution:
    """Distribution of the number P of pairs of objects in common cells.

    Attributes
    ----------
    chances : array of float
        Probability of P = t, at index t.
    error : float
        Bound of the relative error of every sum of these probabilities above 10^-290 (statement `row-tail-error`).
    """

    chances: np.ndarray
    error: float

    def at_least(self, t: int) -> float:
        """Return P(P >= t).

        Parameters
        ----------
        t : int

        Returns
        -------
        float

        Examples
        --------
        >>> round(pair_distribution([2, 1], [2, 1]).at_least(1), 12)
        0.333333333333
        """
        return min(1.0, float(self.chances[max(t, 0) :].sum()))


@limited
def pair_distribution(
    rows: Sequence[int], cols: Sequence[int], *, limits: Limits | None = None
) -> PairDistribution:
    """Return the distribution of the number of pairs of objects in common cells, labels permuted at random.

    Parameters
    ----------
    rows, cols : sequence of int
        Positive row sums and column sums with the same total.
    limits : Limits, optional
        Time, memory and threads. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    PairDistribution

    Raises
    ------
    TooLargeError
        For more than 6 * 10^9 terms of the recursion.
    TypeError, ValueError
        For wrong margins.

    Examples
    --------
    >>> law = pair_distribution([20, 20, 20], [20, 20, 20])
    >>> f"{law.at_least(340):.6g}, relative error below {law.error:.0e}"
    '9.01219e-11, relative error below 2e-13'
    """
    rows = as_counts("rows", rows, minimum=1)
    cols = as_counts("cols", cols, minimum=1)
    if sum(rows) != sum(cols):
        raise ValueError(f"rows and cols must have the same total, got {sum(rows)} and {sum(cols)}")
    sums = of_cells(PAIRS, tuple(rows), tuple(cols))
    pairs = law(sums.margins, MOST_TERMS, MOST_EDGES)
    largest = min(pairs_within(rows), pairs_within(cols))
    chances = np.zeros(largest + 1)
    chances[pairs.keys] = pairs.chances
    return PairDistribution(chances, pairs.error)
