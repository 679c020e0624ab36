"""Distances between two partitions of a population, whose clusters have probabilities instead of objects."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from confmat.contingency.matching import heaviest_matching
from confmat.contingency.matrix import Cells, cell_margins, nonzero_cells
from confmat.indices.pairs import answer

__all__ = ["distance_in_measure", "hamming_distance"]

PopulationNumber = Fraction | float


def distance_in_measure(masses: Any, *, exact: bool = False) -> PopulationNumber:
    """Distance in measure between two partitions of a population: half the least symmetric difference.

    ``masses[i][j]`` is the probability of cluster i of the first and j of the second partition; they must add
    up to 1 (to 1e-9).  Clusters are paired over all permutations, empty sets added where one side has fewer;
    the value is the mass outside a heaviest matching.  Chacon (2015; 2019, equation 1).  From 0 to below 1.

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
    """Hamming distance of two partitions of a population: the chance that two draws are together in one only.

    sum P(C_i)^2 + sum P(D_j)^2 - 2 sum P(C_i and D_j)^2; ``masses`` as for `distance_in_measure`.  Chacon
    (2019, equation 2); the population version of the Rand and Mirkin distances.

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
    """Non-zero cells of a table of probabilities; as Fractions if ``exact``."""
    cells = nonzero_cells(masses, real=True)
    total = sum(map(Fraction, cells.values), Fraction(0))
    if abs(total - 1) > Fraction(1, 10**9):
        raise ValueError(f"masses must add up to 1, got {float(total)}")
    if exact:
        return cells._replace(values=[Fraction(value) for value in cells.values])
    return cells
