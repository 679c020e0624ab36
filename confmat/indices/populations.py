"""Distances between two partitions of a population. Clusters have probabilities instead of numbers of objects."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from confmat.contingency.matching import heaviest_matching
from confmat.contingency.matrix import Cells, cell_margins, nonzero_cells
from confmat.indices.pairs import answer

__all__ = ["distance_in_measure", "hamming_distance"]

PopulationNumber = Fraction | float


def distance_in_measure(masses: Any, *, exact: bool = False) -> PopulationNumber:
    """Return the distance in measure between two partitions of a population: half the least symmetric difference.

    Clusters are paired by the best permutation, with empty sets added to the smaller partition. The value is 1
    minus the largest probability of a matching of rows to columns, at least 0 and less than 1 (Chacon 2015; 2019,
    equation 1).

    Parameters
    ----------
    masses : array_like
        Probability of the intersection of cluster i of the first and cluster j of the second partition. They add up
        to 1, up to 1e-9.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction

    Raises
    ------
    ValueError
        If the masses are negative or do not add up to 1.

    Examples
    --------
    >>> distance_in_measure([[0.5, 0.125], [0.125, 0.25]])
    0.25
    """
    cells = _masses(masses, exact)
    outside_matching = dict(enumerate(cells.values))
    for cell in heaviest_matching(*cells):
        del outside_matching[cell]
    return answer(
        sum(
            map(Fraction, outside_matching.values()),
            Fraction(0),
        ),
        exact,
    )


def hamming_distance(masses: Any, *, exact: bool = False) -> PopulationNumber:
    """Return the Hamming distance of two partitions of a population.

    It is the probability that two random elements are in a common cluster in exactly one partition. For clusters
    C_i and D_j it is sum P(C_i)^2 + sum P(D_j)^2 - 2 sum P(C_i and D_j)^2. It corresponds to the Rand and Mirkin
    distances (Chacon 2019, equation 2).

    Parameters
    ----------
    masses : array_like
        Probabilities, as for `distance_in_measure`.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction

    Raises
    ------
    ValueError
        If the masses are negative or do not add up to 1.

    Examples
    --------
    >>> hamming_distance([[0.5, 0.125], [0.125, 0.25]])
    0.375
    """
    cells = _masses(masses, True)
    rows, cols = cell_margins(cells)
    distance = _sum_of_squares(rows) + _sum_of_squares(cols) - 2 * _sum_of_squares(cells.values)
    return answer(distance, exact)


def _sum_of_squares(masses: Iterable[Fraction]) -> PopulationNumber:
    return sum(mass**2 for mass in masses)


def _masses(masses: Any, exact: bool) -> Cells:
    """Return the non-zero cells of a table of probabilities, as Fractions if ``exact`` is True."""
    cells = nonzero_cells(masses, real=True)
    total = sum(map(Fraction, cells.values), Fraction(0))
    if abs(total - 1) > Fraction(1, 10**9):
        raise ValueError(f"masses must add up to 1, got {float(total)}")
    if exact:
        return cells._replace(values=[Fraction(value) for value in cells.values])
    return cells
