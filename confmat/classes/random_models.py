"""Random models: what two clusterings of n points look like when they agree by chance only.

| name | what is equally likely on a side that is not given |
|---|---|
| "labels" | all labelings with k labels, any of them unused (Chacon 2019, Section 4.1) |
| "clusters" | all clusterings into exactly k clusters |
| "sizes" | all clusterings with given sizes: the permutation model behind the ARI |
| "partitions" | all clusterings, with any number of clusters (Gates and Ahn 2017) |

One clustering may be given by its sizes (one-sided models, Gates and Ahn 2017).  A model is a sum of classes of tables,
each table with the number of pairs of labelings behind it: it stands wherever a class stands that is counted so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np

from confmat.answers import Fields
from confmat.arguments import as_choice, as_count, as_counts
from confmat.classes.matrix_class import MatrixClass
from confmat.classes.one_margin import FixedColumns, FixedRows
from confmat.classes.tables import FixedMargins, Tables
from confmat.integers.compositions import Composition, arrangements

# Sizes, a number of clusters or labels, or any number of clusters.
Clustering = Composition | int | None

MODELS = ("labels", "clusters", "sizes", "partitions")

# The arguments of each model, in the ways in which it may be asked for.
_NUMBERS_OR_ONE_SIDE = (("n", "r", "s"), ("rows", "s"), ("r", "cols"))
_WAYS_TO_ASK: dict[str, tuple[tuple[str, ...], ...]] = {
    "labels": _NUMBERS_OR_ONE_SIDE,
    "clusters": _NUMBERS_OR_ONE_SIDE,
    "sizes": (("rows", "cols"),),
    "partitions": (("n",), ("rows",), ("cols",)),
}


class ModelPart(NamedTuple):
    """A class of tables, and what the pairs of labelings behind each of them count."""

    matrices: MatrixClass
    coefficient: Fraction


@dataclass(frozen=True)
class RandomModel(Fields):
    """A random model by name; ``rows`` and ``cols`` are sizes, a number of clusters or labels, or None for any number.

    Made by ``random_model``.
    """

    name: str
    n: int
    rows: Clustering
    cols: Clustering

    @property
    def parts(self) -> Iterator[ModelPart]:
        """The classes of tables, with coefficients: clusters of any number have no names, so k! labelings are one.

        >>> [str(part.coefficient) for part in random_model("partitions", n=2).parts]
        ['1', '1/2', '1/2', '1/4']
        """
        for r, row_names in _choices(self.rows, self.n):
            for s, col_names in _choices(self.cols, self.n):
                yield ModelPart(
                    self._class(r, s),
                    Fraction(1, row_names * col_names),
                )

    @property
    def matrices(self) -> MatrixClass | None:
        """The class of its tables, where there is one only: None for "partitions"."""
        if None in (self.rows, self.cols):
            return None
        return next(self.parts).matrices

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of its tables; as many as points where there are any number of clusters, the rest empty."""
        r, s = (
            len(x) if isinstance(x, tuple) else self.n if x is None else x for x in (self.rows, self.cols)
        )
        return r, s

    def contains_each(self, tables: np.ndarray) -> np.ndarray:
        """Which of some tables (k x r x s, of its shape) occur under the model.

        >>> random_model("partitions", rows=(2, 1)).contains_each(np.array([[[2, 0, 0], [0, 1, 0]], [[1, 0, 0]] * 2]))
        array([ True, False])
        """
        if self.matrices is not None:
            return self.matrices.contains_each(tables)
        are_possible = (tables >= 0).all(axis=(1, 2)) & (tables.sum(axis=(1, 2)) == self.n)
        for side, sums in ((self.rows, tables.sum(axis=2)), (self.cols, tables.sum(axis=1))):
            if isinstance(side, tuple):
                are_possible &= (sums == side).all(axis=1)
        return are_possible

    @property
    def named_clusters(self) -> bool:
        """Whether clusters have names, so that statistics may depend on them: not in "clusters" and "partitions"."""
        return self.name in ("labels", "sizes")

    def count(self) -> int:
        """Number of equally likely pairs: a labeling of each side, or a clustering where it has any number of clusters.

        A side with k clusters or labels, or with given sizes, counts its labelings, also those of one clustering.
        Not by summing up the classes: clusterings with any number of clusters are counted by Bell numbers.

        >>> random_model("partitions", n=5).count(), random_model("labels", n=5, r=2, s=3).count()
        (2704, 7776)
        >>> random_model("clusters", n=5, r=3, s=2).count() == (3**5 - 3 * 2**5 + 3) * (2**5 - 2)  # onto 3 and 2 labels
        True
        >>> random_model("partitions", rows=(1, 1, 1, 1)).count()  # 24 labelings of four singletons, 15 clusterings
        360
        """
        if self.matrices is not None:
            return self.matrices.labelings_count()
        sides = (self.rows, self.cols)
        of_given_sizes = prod(arrangements(x) for x in sides if isinstance(x, tuple))
        return of_given_sizes * prod(bell(self.n) for x in sides if x is None)

    def words(self) -> str:
        """The model in a phrase.

        >>> random_model("clusters", rows=(3, 2, 1), s=2).words()
        "pairs of clusterings of 6 points, model 'clusters', clusters (3, 2, 1) and 2"
        """
        sides = ["any number" if x is None else str(x) for x in (self.rows, self.cols)]
        return f"pairs of clusterings of {self.n} points, model {self.name!r}, clusters {' and '.join(sides)}"

    def as_dict(self) -> dict[str, Any]:
        """Its name, under ``kind``, its total and its sides.

        >>> random_model("partitions", n=4).to_json()
        {'kind': 'partitions', 'n': 4, 'rows': None, 'cols': None}
        """
        return {"kind": self.name, "n": self.n, "rows": self.rows, "cols": self.cols}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> RandomModel:
        """The model whose ``to_json()`` this is.

        >>> model = random_model("clusters", rows=(3, 1), s=2)
        >>> RandomModel.from_json(model.to_json()) == model
        True
        """
        arguments: dict[str, Any] = {}
        for name_of_number, name_of_sizes, side in (
            ("r", "rows", content["rows"]),
            ("s", "cols", content["cols"]),
        ):
            arguments |= {name_of_number: side} if isinstance(side, int | None) else {name_of_sizes: side}
        if {"rows", "cols"} & set(arguments):
            n = None
        else:
            n = content["n"]
        return random_model(content["kind"], n, **arguments)

    def _class(self, rows: Composition | int, cols: Composition | int) -> MatrixClass:
        empty = self.name == "labels"
        if isinstance(rows, int) and isinstance(cols, int):
            return Tables(self.n, rows, cols, empty=empty)
        if isinstance(cols, int):
            return FixedRows(rows, cols, empty=empty)  # type: ignore[arg-type]
        if isinstance(rows, int):
            return FixedColumns(rows, cols, empty=empty)
        return FixedMargins(rows, cols)


def _choices(clustering: Clustering, n: int) -> Iterator[tuple[Composition | int, int]]:
    """What a side may be, and how many labelings are one clustering where its number of clusters is free."""
    if clustering is not None:
        yield clustering, 1
    else:
        yield from ((k, factorial(k)) for k in range(1, n + 1))


def bell(n: int) -> int:
    """Number of partitions of n points, by the triangle of Aitken.

    >>> [bell(n) for n in range(7)]
    [1, 1, 2, 5, 15, 52, 203]
    """
    row = [1]
    for _ in range(n):
        row = list(accumulate([row[-1], *row]))
    return row[0]


def random_model(
    name: str,
    n: int | None = None,
    r: int | None = None,
    s: int | None = None,
    *,
    rows: Iterable[int] | None = None,
    cols: Iterable[int] | None = None,
) -> RandomModel:
    """A random model by name.

    "labels" and "clusters" take ``n, r, s``, or for one given clustering ``rows, s`` (or ``r, cols``); "sizes" takes
    ``rows, cols``; "partitions" takes ``n``, or ``rows`` (or ``cols``) alone.  Raises ValueError for an unknown name,
    missing or superfluous sizes, empty given clusters, and clusters that n points cannot fill.

    >>> random_model("clusters", 20, 3, 3).matrices
    Tables(n=20, r=3, s=3, empty=False)
    >>> random_model("clusters", rows=(3, 2, 1), s=2).matrices
    FixedRows(rows=(3, 2, 1), s=2, empty=False)
    """
    as_choice("name", name, MODELS)
    arguments = {"n": n, "r": r, "s": s, "rows": rows, "cols": cols}
    names_given = {key for key, x in arguments.items() if x is not None}
    ways = _WAYS_TO_ASK[name]
    if names_given not in [set(way) for way in ways]:
        ways_in_words = " or ".join(", ".join(way) for way in ways)
        got = ", ".join(sorted(names_given)) or "nothing"
        raise ValueError(f"the model {name!r} needs {ways_in_words} and nothing else, got {got}")
    least_size = 0 if name == "sizes" else 1
    of_rows: Clustering = r if rows is None else as_counts("rows", rows, least_size)
    of_cols: Clustering = s if cols is None else as_counts("cols", cols, least_size)
    totals = [sum(side) for side in (of_rows, of_cols) if isinstance(side, tuple)]
    total = totals[0] if totals else n
    fewest_points = 1 if name == "partitions" else 0
    model = RandomModel(name, as_count("n", total, fewest_points), of_rows, of_cols)
    if model.matrices is not None and not model.matrices:
        raise ValueError(f"{model.n} points cannot fill the clusters of {model.matrices!r}")
    return model
