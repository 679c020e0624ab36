"""Distributions of statistics that one sum over cells determines at given margins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from confmat.classes import FixedMargins, MatrixClass
from confmat.classes.tables import as_fixed_margins
from confmat.errors import TooLargeError
from confmat.fixed_margins.cell_sums import PAIRS, CellSum
from confmat.fixed_margins.distributions import WholeLaws, table_with, whole_laws
from confmat.fixed_margins.sums import CellSums, of_cells
from confmat.indices.pairs import pairs_within
from confmat.statistics.record import Number, Statistic
from confmat.statistics.table import is_known

# Largest number of sums for which an example table is made, each in some tenths of a millisecond.
MOST_WITNESSES = 50_000

# Largest number of values of all cells: 80 MB of 64-bit integers, or about 1 GB of fractions.
MOST_CELL_VALUES = 10**7


def shared_sum(statistics: Iterable[Statistic]) -> CellSum | None:
    """Return the sum over cells of which all the statistics are functions at given margins, None if there is none.

    Such a sum adds a function of each cell, for example C(x, 2).

    >>> from confmat.statistics import as_statistic
    >>> shared_sum(map(as_statistic, ("kappa", "cor"))).name, shared_sum(map(as_statistic, ("kappa", "ari")))
    ('objects on the diagonal', None)
    """
    statistics_listed = list(statistics)
    sums = {x.cell_sum if is_known(x) else None for x in statistics_listed}
    if len(sums) == 1:
        return sums.pop()
    return None


@dataclass(frozen=True)
class GivenMargins:
    """Statistics that are functions of one sum over cells at given margins, such as chi-squared, and this sum.

    ``cell_sum`` is the sum over cells, and ``sums`` is its form in integers.

    >>> from confmat.statistics import as_statistic
    >>> given = given_margins(FixedMargins([2, 2], [2, 2]), (as_statistic("chi2"),))
    >>> [(key, *map(str, values)) for key, values in given.values(given.counted("tables"))]
    [(4, '0'), (8, '4')]
    """

    margins: FixedMargins
    statistics: tuple[Statistic, ...]
    sums: CellSums
    cell_sum: CellSum

    def counted(self, weight: str, keep: bool = False) -> WholeLaws:
        """Return the numbers of tables, or of labelings, with each value of the sum over cells.

        ``weight`` is "tables" or "labelings". With ``keep=True`` the intermediate numbers are stored, from which
        tables with a given sum are found. Raise TooLargeError if the computation exceeds a limit.
        """
        needs_tables = self.cell_sum != PAIRS
        return whole_laws(self.sums, weight == "labelings", keep or needs_tables)

    def values(self, values_found: WholeLaws) -> Iterator[tuple[int, tuple[Number, ...]]]:
        """Return an iterator over pairs: a value of the sum over cells, and the values of the statistics of this sum.

        ``values_found`` is the result of ``counted``.
        """
        if self.cell_sum.logarithm:
            return self._by_witnesses(values_found)
        if self.cell_sum == PAIRS:
            return self._by_formulas(values_found)
        return self._on_lines(values_found)

    def _by_witnesses(self, values_found: WholeLaws) -> Iterator[tuple[int, tuple[Number, ...]]]:
        """Yield each value of the sum over cells, and the values of the statistics at a table with this sum.

        ``values_found`` is the result of ``counted``.
        """
        if len(values_found.law) > MOST_WITNESSES:
            raise TooLargeError(
                f"rows and cols are too large: the statistics have more than {MOST_WITNESSES:,} values, the limit"
            )
        for key in values_found.law:
            table = table_with(values_found, key)
            yield key, tuple(statistic(table) for statistic in self.statistics)

    def _by_formulas(self, values_found: WholeLaws) -> Iterator[tuple[int, tuple[Number, ...]]]:
        """Yield each sum P, the number of pairs in common cells, and the values of the statistics from n, A, B and P.

        ``values_found`` is the result of ``counted``.
        """
        a, b = (pairs_within(side) for side in (self.margins.rows, self.margins.cols))
        functions = [statistic.over(self.margins) for statistic in self.statistics]
        for pairs in values_found.law:
            yield pairs, tuple(function(0, a, b, pairs) for function in functions)

    def _on_lines(self, values_found: WholeLaws) -> Iterator[tuple[int, tuple[Number, ...]]]:
        """Yield each value of the sum over cells, and the values of statistics that are affine functions of it.

        Two tables with extreme sums determine the functions. ``values_found`` is the result of ``counted``.
        """
        least = min(values_found.law)
        largest = max(values_found.law)
        ends = table_with(values_found, least), table_with(values_found, largest)
        lines = []
        for statistic in self.statistics:
            value_at_least, value_at_largest = map(statistic, ends)
            slope = (value_at_largest - value_at_least) / max(1, largest - least)
            lines.append((value_at_least, slope))
        for key in values_found.law:
            yield key, tuple(value_at_least + slope * (key - least) for value_at_least, slope in lines)


@lru_cache(maxsize=64)
def given_margins(matrices: MatrixClass, statistics: tuple[Statistic, ...]) -> GivenMargins | str:
    """Return the statistics with the sum over cells that determines them, or a string: the reason why there is none.

    Results stay in memory, because forecasts call the function repeatedly.
    """
    margins = as_fixed_margins(matrices)
    cell_sum = shared_sum(statistics)
    if margins is None or not statistics:
        return "is for classes with fixed row sums and column sums"
    if cell_sum is None:
        return "is for statistics that are functions of one sum over cells"
    if not margins.n:
        return "is for margins of at least one object"
    if (margins.n + 1) * prod(margins.shape) > MOST_CELL_VALUES:
        return f"stores the values of every cell, at most {MOST_CELL_VALUES} numbers"
    try:
        exact = of_cells(cell_sum, margins.rows, margins.cols).exact
    except TooLargeError as error:
        return f"exceeds a limit: {error}"
    if exact is None:
        return f"would need integers of more than 64 bits for {cell_sum.name} at these margins"
    return GivenMargins(margins, statistics, exact, cell_sum)
