"""The reference card of two clusterings: every index at once, with what it takes to read them.

The tables one moved object away: the next lower and the next higher ARI, which say how fine its values are here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat.answers import MOST_ROWS, Answer, Part, Verbatim, counted, exact_json, number_json
from confmat.arguments import meant
from confmat.cards import pages
from confmat.cards.places import LARGEST_N_PLACED, MOST_CELLS_PLACED
from confmat.indices.classification.roots import RootSum
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.indices.logarithms import LogRatio
from confmat.indices.null_moments import NullMoments, adjusted_rand_index_null_moments
from confmat.indices.pairs import PairSums
from confmat.matrices.matrix import as_matrix, dense, margins, observed_table
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from confmat.cards.places import Place


# Moves that are compared at most: a second.
MOST_MOVES = 2 * 10**5

CellPlace = tuple[int, int]
IndexValue = Fraction | RootSum | LogRatio | float | None

# Of matrices up to here the place is found in a moment.
_QUICK_CELLS, _QUICK_N = 100, 10**4


@dataclass(frozen=True)
class Neighbour:
    """An object moved from the cell ``start`` to the cell ``end``, and the ARI that the table then has."""

    ari: Fraction
    start: CellPlace
    end: CellPlace


def neighbours(matrix: Any) -> tuple[Neighbour | None, Neighbour | None]:
    """Of all tables with one object in another cluster of one labeling, those of the next lower and next higher ARI.

    No cluster is emptied or added.  None where no move leads down, or up.  Of several, the first in row-major order.
    O(r s (r + s)); ValueError beyond 2 * 10^5 moves.

    >>> lower, higher = neighbours([[3, 1], [0, 4]])
    >>> lower
    Neighbour(ari=Fraction(4, 25), start=(0, 0), end=(0, 1))
    >>> higher
    Neighbour(ari=Fraction(1, 1), start=(0, 1), end=(0, 0))
    """
    table = as_matrix(matrix)
    r, s = table.shape
    if r * s * (r + s - 2) > MOST_MOVES:
        raise ValueError(f"matrix must have at most {MOST_MOVES} moves of an object, got shape {r} x {s}")
    cells = dense(table).tolist()
    found = list(_neighbours(cells))
    ari = 1 - PairSums.of(table).adjusted_rand_distance
    return (
        max(
            (x for x in found if x.ari < ari),
            key=lambda x: x.ari,
            default=None,
        ),
        min(
            (x for x in found if x.ari > ari),
            key=lambda x: x.ari,
            default=None,
        ),
    )


def _neighbours(cells: list[list[int]]) -> Iterator[Neighbour]:
    rows = [sum(row) for row in cells]
    cols = [sum(col) for col in zip(*cells)]
    sums = PairSums.of(cells)
    for i, row in enumerate(cells):
        for j, x in enumerate(row):
            if not x:
                continue
            # Of a cell with x objects in a line of y: x - 1 and y - 1 pairs are lost, those with the new ones won.
            for k, y in enumerate(row):
                if k != j and cols[j] > 1 and cols[k]:
                    B = sums.B + cols[k] - cols[j] + 1
                    P = sums.P + y - x + 1
                    yield Neighbour(
                        _ari(sums.n, sums.A, B, P),
                        (i, j),
                        (i, k),
                    )
            for k, other in enumerate(cells):
                if k != i and rows[i] > 1 and rows[k]:
                    A = sums.A + rows[k] - rows[i] + 1
                    P = sums.P + other[j] - x + 1
                    yield Neighbour(
                        _ari(sums.n, A, sums.B, P),
                        (i, j),
                        (k, j),
                    )


def _ari(n: int, A: int, B: int, P: int) -> Fraction:
    return 1 - PairSums(n, A, B, P).adjusted_rand_distance


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Answer, Mapping[str, IndexValue]):
    """Two clusterings by every index, by short name, exact where that is possible: the result of ``compare``.

    A value is a Fraction; a `RootSum`, the exact square root, where the Fowlkes-Mallows index is irrational; a
    `LogRatio` for indices with logarithms (floats beyond 10^12 objects); None where the index is 0/0.  Two comparisons
    are equal if all their values are.

    ``n`` objects in ``clusters`` (r, s), which count the clusters that hold an object; ``largest``: the largest MED and
    RD over all tables with this n, r and s; ``null``: mean and variance of the ARI of random labels with these cluster
    sizes; ``matrix``, and the ``labels`` of its rows and columns; ``names`` of the two labelings.
    ``place`` and ``neighbours`` are computed when they are first asked for.

    ``print`` shows all of it, the reference card; so do a notebook, ``to_markdown``, ``to_json`` and ``plot``.
    """

    n: int
    clusters: tuple[int, int]
    numbers: tuple[tuple[str, IndexValue], ...]
    largest: tuple[tuple[str, Fraction], ...]
    null: NullMoments
    matrix: Any
    labels: tuple[tuple[Any, ...], tuple[Any, ...]]
    names: tuple[str, str] = ("a", "b")
    seed: int = 0

    def __getitem__(self, name: str) -> IndexValue:
        known = dict(self.numbers)
        if name not in known:
            raise KeyError(f"index must be a short name of one{meant(name, list(known))}, got {name!r}")
        return known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self.numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def table(self) -> np.ndarray:
        """The contingency matrix without empty lines, dense.

        >>> from confmat.cards import compare
        >>> compare([[2, 0], [0, 0], [0, 1]]).table
        array([[2, 0],
               [0, 1]])
        """
        return observed_table(self.matrix)

    @cached_property
    def place(self) -> Place | None:
        """Where the main indices stand among all tables and at these margins; None if there are none.

        That is so without objects, and for more than 10^8 objects or 2500 cells.

        >>> from confmat.cards import compare
        >>> compare([[9, 1], [2, 8]]).place.standings[0].shares["margins"].value
        Fraction(23, 4199)
        """
        r, s = self.clusters
        if not 0 < self.n <= LARGEST_N_PLACED or r * s > MOST_CELLS_PLACED:
            return None
        from confmat.cards.places import place

        return place(self.table, self.seed)

    @cached_property
    def neighbours(self) -> tuple[Neighbour | None, Neighbour | None]:
        """The tables one moved object away with the next lower and the next higher ARI; None without, or if too many.

        >>> from confmat.cards import compare
        >>> lower, higher = compare([[9, 1], [2, 8]]).neighbours
        >>> float(lower.ari) < 0.46 < float(higher.ari)
        True
        """
        r, s = self.matrix.shape
        if r * s * (r + s - 2) <= MOST_MOVES:
            return neighbours(self.matrix)
        return None, None

    @cached_property
    def is_quick(self) -> bool:
        """Whether the place is known, or found in a moment."""
        if "place" in self.__dict__ or not self.n:
            return True
        r, s = self.clusters
        return r * s <= _QUICK_CELLS and self.n <= _QUICK_N

    def parts(self) -> Iterator[Part]:
        """The card: a sentence that answers, the table, every index, and where the main ones stand."""
        return pages.parts(self)

    def brief(self) -> Iterator[Part]:
        """The indices: what is computed."""
        r, s = self.clusters
        clusters = f"{r} x {s} clusters; print it for all indices, and where they stand"
        yield Verbatim(f"{counted(self.n, 'object')}, {clusters}")
        for name, value in self.numbers[:MOST_ROWS]:
            yield Verbatim(f"  {name:<14}  {pages.shown(value)}")
        if len(self.numbers) > MOST_ROWS:
            yield Verbatim(f"  and {len(self.numbers) - MOST_ROWS} more")

    def __repr__(self) -> str:
        return "\n".join(map(str, self.brief()))

    def to_frame(self) -> Any:
        """A pandas DataFrame: every index with its title, its value as a double, and exactly."""
        import pandas as pd

        rows = [
            (name, STATISTICS[name].title, exact_json(value)["value"], value) for name, value in self.numbers
        ]
        return pd.DataFrame(rows, columns=["name", "index", "value", "exact"]).set_index("name")

    def plot(self) -> Figure:
        """The card as one figure: the table, and the ARI among all tables and at these cluster sizes.

        >>> from confmat.cards import compare
        >>> len(compare([[9, 1], [2, 8]]).plot().axes)
        2
        """
        from confmat.cards.figures import figure_of

        return figure_of(self)

    def as_dict(self) -> dict[str, Any]:
        """Short name -> ``{"exact": "p/q" or None, "value": float or None}``, and what stands beside the indices.

        >>> from confmat.cards import compare
        >>> card = compare([[2, 1], [0, 2]]).to_json()
        >>> card["ari"], card["med_max"], card["place"]["ari"]["margins"]["p"]
        ({'exact': '1/6', 'value': 0.16666666666666666}, {'exact': '2/5', 'value': 0.4}, {'exact': '2/5', 'value': 0.4})
        """
        numbers: dict[str, Any] = {name: exact_json(value) for name, value in self.numbers}
        numbers |= {f"{name}_max": value for name, value in self.largest}
        numbers["ari_null_mean"] = self.null.mean
        numbers["ari_null_sd"] = number_json(sqrt(self.null.variance))
        return numbers | pages.as_dict(self)


def compared(
    matrix: Any,
    labels: tuple[tuple[Any, ...], tuple[Any, ...]],
    names: tuple[str, str],
    seed: int = 0,
) -> Comparison:
    """The comparison of a checked matrix whose labels are at hand.

    >>> compared(as_matrix([[2, 0], [0, 1]]), (("x", "y"), (1, 2)), ("truth", "found"))["med"]
    Fraction(0, 1)
    """
    # reads: the fields of a comparison, one by one
    rows, cols = margins(matrix)
    n = sum(rows)
    r = sum(x > 0 for x in rows)
    s = sum(x > 0 for x in cols)
    if n:
        med = max_med(n, r, s)
        rd = max_rand_distance(n, r, s)
    else:
        med = Fraction(0)
        rd = Fraction(0)
    return Comparison(
        n=n,
        clusters=(r, s),
        numbers=tuple((name, value_of(statistic, matrix)) for name, statistic in of_clusterings().items()),
        largest=(("med", med), ("rd", rd)),
        null=adjusted_rand_index_null_moments(margins=(rows, cols)),
        matrix=matrix,
        labels=labels,
        names=names,
        seed=seed,
    )


def of_clusterings() -> dict[str, Statistic]:
    """The statistics that are the same for relabeled clusterings; metrics of classifiers are not.

    >>> "ari" in of_clusterings(), "cor" in of_clusterings()
    (True, False)
    """
    return {name: x for name, x in STATISTICS.items() if x.of_clusterings}


def value_of(statistic: Statistic, matrix: Any) -> IndexValue:
    """The exact value of a statistic at a checked matrix; None for 0/0.

    >>> value_of(STATISTICS["ari"], as_matrix([[2, 1], [0, 2]]))
    Fraction(1, 6)
    """
    value = statistic(matrix)
    if value != value:
        return None
    if statistic.root:
        root = RootSum.sqrt(Fraction(statistic.square(matrix)))
        return root if root.rational is None else root.rational
    return value
