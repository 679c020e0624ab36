"""Distributions of sums over cells at fixed margins in integers of any size, and random tables from them.

Integers are stored as residues modulo primes. The graph of states is the same for all primes, and only its weights
differ. A random table is a random path along the edges. An edge is chosen with a probability proportional to its
weight times the weight of the paths from its end that give a requested value.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from operator import mul
from typing import NamedTuple

import numpy as np

from confmat._integers.arrays import from_residues, primes_for
from confmat._integers.compositions import arrangements, tables_at_most
from confmat.errors import TooLargeError
from confmat.fixed_margins.graph import Arithmetic, Graph, lay
from confmat.fixed_margins.kernels import Laws, edges_to, laid_out
from confmat.fixed_margins.sums import CellSums
from confmat.fixed_margins.tails import laws_from_the_end

MOST_KEPT_EDGES = 3_000_000
"""Edges of one row if their cells are stored."""

MOST_WHOLE_TERMS = 300_000_000
"""Terms of all distributions, over all primes: about 5 seconds."""

MOST_NUMBERS = 30_000_000
"""Residues in memory in the distributions of all states, 8 bytes each."""


@dataclass(frozen=True)
class WholeLaws:
    """Graph of the tables with given margins, and distributions of a sum over cells.

    A state has the column sums that remain after the first i rows. Its distribution is that of the sum over the
    cells of the other rows. The numbers are stored as residues modulo ``primes``. ``graphs`` and ``ahead`` have an
    entry for each prime. ``ahead[k][i]`` are the distributions at the states before row i, modulo ``primes[k]``.
    Only ``ahead[k][0]`` is stored unless tables are drawn.
    """

    sums: CellSums
    primes: tuple[int, ...]
    graphs: list[Graph]
    ahead: list[list[Laws]] = field(repr=False)

    @cached_property
    def law(self) -> dict[int, int]:
        """Number of tables or labelings with each value of the sum.

        >>> from confmat.fixed_margins.cell_sums import PAIRS
        >>> from confmat.fixed_margins.sums import of_cells
        >>> whole_laws(of_cells(PAIRS, (2, 2), (2, 2)), labels=True).law
        {0: 4, 2: 2}
        """
        keys = self.ahead[0][0].keys.tolist()
        return dict(zip(keys, self._whole([laws[0].weights for laws in self.ahead])))

    def _whole(self, residues: list[np.ndarray]) -> list[int]:
        """Combine residues (primes x N) to N integers."""
        return [int(x) for x in from_residues(np.array(residues), self.primes)]

    def steps(self, i: int, state: int, value: int) -> Steps:
        """Return the edges from ``state`` in row ``i`` that begin a path of the value ``value``.

        The value of a path is the sum over its rows i, i + 1, ....
        """
        edges = self.graphs[0].levels[i]
        edge_numbers, places = edges_to(edges, self.ahead[0][i + 1], state, value)
        of_edges = self._whole([graph.levels[i].weight[edge_numbers] for graph in self.graphs])
        of_paths = self._whole([laws[i + 1].weights[places] for laws in self.ahead])
        rests = value - edges.value[edge_numbers]
        running = accumulate(map(mul, of_edges, of_paths))
        return Steps(edge_numbers, rests.tolist(), list(running))


class Steps(NamedTuple):
    """Edges from a state that begin paths of a requested value, with cumulative numbers of these paths (``running``).

    ``wanted`` has for each edge the value that remains for the later rows.
    """

    edges: np.ndarray
    wanted: list[int]
    running: list[int]


def whole_laws(sums: CellSums, labels: bool, keep: bool = False) -> WholeLaws:
    """Compute the distribution of a sum over all labelings or all tables, in integers.

    ``keep=True`` also stores the edges and the distributions of all states, for drawing tables. Raise TooLargeError
    for too many edges, terms or numbers.
    """
    margins = sums.margins
    sides = margins.rows, margins.cols
    primes = primes_for(min(map(arrangements, sides)) if labels else tables_at_most(*sides))
    graphs: list[Graph] = []
    ahead: list[list[Laws]] = []
    for prime in primes:
        most = MOST_KEPT_EDGES if keep else MOST_WHOLE_TERMS // (5 * len(primes))
        graph = lay(
            margins,
            Arithmetic(prime, labels),
            most=most,
            keep=keep and not graphs,
        )
        laws = [law for law, _ in laws_from_the_end(graph, 1, MOST_WHOLE_TERMS // len(primes))]
        if len(primes) * sum(len(law.keys) for law in laws) > MOST_NUMBERS:
            raise TooLargeError(
                f"rows and cols are too large: the recursion over rows would store more than {MOST_NUMBERS:,} numbers"
            )
        graphs.append(graph)
        ahead.append(laws[::-1] if keep else laws[-1:])
    return WholeLaws(sums, primes, graphs, ahead)


class Walk:
    """Sampler of tables with fixed margins, among all of them or those whose sum over cells is in ``wanted``.

    A value of the sum is drawn with a probability proportional to its number of tables, and then one of these tables.
    ``counted`` has the distribution of the sum, computed with ``keep=True``. There must be such a table.

    >>> from confmat.fixed_margins.cell_sums import PAIRS
    >>> from confmat.fixed_margins.sums import of_cells
    >>> walk = Walk(whole_laws(of_cells(PAIRS, (2, 1), (1, 2)), labels=False, keep=True), {1})
    >>> walk.table(lambda bound: 0, walk.ranks).tolist()
    [[0, 2], [1, 0]]
    """

    def __init__(self, counted: WholeLaws, wanted: Container[int] | None = None) -> None:
        law = {key: weight for key, weight in counted.law.items() if wanted is None or key in wanted}
        if not law:
            raise ValueError(
                "wanted must contain a value that the sum over cells has at these margins, got none of them"
            )
        self.counted = counted
        # A value is drawn by its cumulative number of tables.
        self._values = list(law)
        self._running = list(accumulate(law.values()))
        # Edges by row, state and remaining value.
        self._known: dict[tuple[int, int, int], Steps] = {}

    def table(self, below: Callable[[int], int], ranks: np.ndarray) -> np.ndarray:
        """Draw a table. ``below(bound)`` returns a uniform integer in [0, bound).

        ``ranks`` has a random permutation of the columns for each row. It determines the order of the cells in
        interchangeable columns.
        """
        graph = self.counted.graphs[0]
        value = self._values[bisect_right(self._running, below(self._running[-1]))]
        cells = []
        state = 0
        for i, edges in enumerate(graph.levels):
            if (i, state, value) not in self._known:
                self._known[i, state, value] = self.counted.steps(i, state, value)
            steps = self._known[i, state, value]
            step = bisect_right(steps.running, below(steps.running[-1]))
            value = steps.wanted[step]
            edge = steps.edges[step]
            cells.append(graph.cells[i][edge])
            state = int(edges.target[edge])
        sums = self.counted.sums
        rows = laid_out(
            np.array(cells),
            graph.kinds,
            graph.states[0][0],
            np.array(graph.margins.order),
            ranks,
        )
        table = np.zeros_like(rows)
        table[sums.order] = rows
        return table.T if sums.turned else table

    @property
    def ranks(self) -> np.ndarray:
        """Array for the argument ``ranks`` of ``table`` that leaves interchangeable columns in their order."""
        sums = self.counted.sums
        columns, lines = sorted((len(sums.rows), len(sums.cols)))
        return np.tile(np.arange(columns), (lines, 1))


def table_with(counted: WholeLaws, value: int) -> np.ndarray:
    """Return a table whose sum over cells is ``value``. The distribution must have been computed with ``keep=True``.

    >>> from confmat.fixed_margins.cell_sums import PAIRS
    >>> from confmat.fixed_margins.sums import of_cells
    >>> table_with(whole_laws(of_cells(PAIRS, (2, 2), (2, 2)), labels=True, keep=True), 2).tolist()
    [[0, 2], [2, 0]]
    """
    walk = Walk(counted, {value})
    return walk.table(lambda bound: 0, walk.ranks)
