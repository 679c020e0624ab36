"""Comparison of two clusterings by every index, with ranks of ARI, RD and MED and p-values.

>>> compare([[9, 1], [2, 8]])["ari"]
Fraction(832, 1801)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from confmat._arguments import as_choice, meant
from confmat._display import Answer, Fields, Part, counted, exact_json, exact_text, probability_text
from confmat._display.sheets import Sheet
from confmat._limits import Limits, limited, look, within
from confmat.classes import Tables
from confmat.contingency.labels import (
    Missing,
    as_labels,
    as_paired_labels,
    contingency_matrix,
    encode,
    label_values,
)
from confmat.contingency.matrix import (
    as_matrix,
    axis_labels,
    best_matching,
    count_best_matchings,
    dense,
    margins,
    observed_table,
)
from confmat.distributions import joint_distribution
from confmat.errors import TooLargeError
from confmat.indices.classification.roots import RootSum
from confmat.indices.logarithms import LogRatio
from confmat.significance import PValue, permutation_test
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

IndexValue = Fraction | RootSum | LogRatio | float | None

RANKED = ("ari", "rd", "med")
"""The indices whose rank and p-value are reported."""

# Limit in seconds for the ranks and for the p-values, and the number of draws if a p-value is estimated.
_SECONDS, _DRAWS = 5.0, 9_999
_MOST_SINGLE_OBJECTS = 8  # as many rows or columns as objects, whose tables are enumerated
_MOST_CELLS = 10**6  # of a table whose ranks and p-values are computed

_MOST_LINES_OF_MATRIX = 16  # rows and columns of a matrix in print
_LONGEST_FRACTION = 27


@dataclass(frozen=True)
class Rank(Fields):
    """Rank of the value of an index among all tables with the same numbers of objects and clusters.

    Attributes
    ----------
    share : Fraction or None
        Fraction of these tables that agree as well or better: with an index at least as large, or a distance at
        most as large. None if the computation takes longer than a few seconds.
    pvalue : PValue or None
        Probability of this agreement or a better one if labels are permuted at random. None if it takes too long.
    """

    share: Fraction | None
    pvalue: PValue | None


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Answer, Mapping[str, IndexValue]):
    """Two clusterings compared by every index: a mapping from short names to exact values.

    A value is a Fraction, a `RootSum` if the Fowlkes-Mallows index is irrational, or None if the index is 0/0.
    Indices with logarithms are `LogRatio` numbers, or floats for more than 10^12 objects. Two comparisons are equal
    if all their values are equal.

    Attributes
    ----------
    n : int
        Number of objects.
    clusters : (int, int)
        Numbers of nonempty rows and columns.
    matrix : array
        The contingency matrix.
    labels : (tuple, tuple)
        Labels of its rows and columns.
    names : (str, str)
        Names of the two labelings.
    limits : Limits or None
        Time and memory for the computation of the ranks.
    """

    n: int
    clusters: tuple[int, int]
    values_by_name: dict[str, IndexValue]
    matrix: Any
    labels: tuple[tuple[Any, ...], tuple[Any, ...]]
    names: tuple[str, str] = ("a", "b")
    limits: Limits | None = None

    def __getitem__(self, name: str) -> IndexValue:
        if name not in self.values_by_name:
            known = list(self.values_by_name)
            raise KeyError(f"index must be the short name of an index{meant(str(name), known)}, got {name!r}")
        return self.values_by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    @cached_property
    def ranks(self) -> dict[str, Rank]:
        """Return a `Rank` by its short name for each index of ``RANKED`` that is not 0/0.

        A rank has the fraction of tables that agree as well or better, and a p-value. Ranks are computed on first
        use.

        >>> rank = compare([[9, 1], [2, 8]]).ranks["ari"]
        >>> rank.share, rank.pvalue.pvalue
        (Fraction(256, 1691), Fraction(23, 4199))
        """
        defined = [name for name in RANKED if self[name] is not None] if self.n else []
        if prod(self.clusters) > _MOST_CELLS:
            return dict.fromkeys(defined, Rank(None, None))
        table = observed_table(self.matrix)
        with within(self.limits):
            shares = _shares(table, defined)
            pvalues = _pvalues(table)
        return {name: Rank(shares.get(name), pvalues.get(name)) for name in defined}

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text: the matrix, every index, and the ranks."""
        head, indices = self._brief()
        yield head
        if max(self.matrix.shape) <= _MOST_LINES_OF_MATRIX:
            yield self._matrix_sheet()
        yield indices
        if self.ranks:
            yield self._rank_sheet()
            r, s = self.clusters
            yield (
                f"share: of all {r} x {s} tables of {self.n:,} objects, those that agree as well or better. "
                "p-value: the probability of as much agreement if labels are permuted at random. "
                f"A dash: not computed within {_SECONDS:.0f} seconds, or more than {_MOST_CELLS:,} cells."
            )

    def _matrix_sheet(self) -> Sheet:
        """Return the contingency matrix with its sums as a table."""
        best = count_best_matchings(self.matrix)
        which = "" if best is None or best == 1 else f", one of {best:,}"
        title = f"Contingency matrix. Best matching{which}: {best_matching(self.matrix).total:,} of {self.n:,} objects"
        sheet = Sheet(("", *map(str, self.labels[1]), "sum"), ("",), title)
        cells = dense(self.matrix)
        for label, row in zip(self.labels[0], cells.tolist()):
            sheet.add_row(str(label), *row, sum(row))
        sheet.add_row("sum", *(sum(column) for column in cells.T.tolist()), self.n)
        return sheet

    def _rank_sheet(self) -> Sheet:
        """Return the ranks and p-values as a table."""
        columns = ("index", "value", "share", "p-value", "within")
        sheet = Sheet(columns, ("index", "within"), "Rank among all tables of the size, and p-value")
        for name, rank in self.ranks.items():
            share = "-" if rank.share is None else probability_text(rank.share)
            pvalue, within = "-", ""
            if rank.pvalue is not None:
                pvalue, within = probability_text(rank.pvalue.pvalue), rank.pvalue.within or "exact"
            sheet.add_row(name.upper(), _decimal(self[name]), share, pvalue, within)
        return sheet

    def _brief(self) -> Iterator[Part]:
        """Yield the parts of the repr: the numbers of objects and clusters, and every index."""
        r, s = self.clusters
        a, b = self.names
        yield f"{counted(self.n, 'object')}, {counted(r, 'cluster')} in {a} (rows), {s:,} in {b} (columns)."
        sheet = Sheet(("index", "name", "value", "exact"), ("index", "name", "exact"), "Every index")
        for name, value in self.items():
            sheet.add_row(STATISTICS[name].title, name, _decimal(value), _exact(value))
        yield sheet

    def plot(self) -> Axes:
        """Draw the contingency matrix.

        Returns
        -------
        matplotlib.axes.Axes

        Examples
        --------
        >>> compare([[9, 1], [2, 8]]).plot().get_xlabel()
        'b'
        """
        from confmat._figures import matrix_map

        return matrix_map(dense(self.matrix), "Contingency matrix", names=self.names, labels=self.labels)

    def _facts(self) -> dict[str, Any]:
        """Return the fields of the JSON output.

        They are the values by short name, the matrix under "table", and the ranks under "ranks".

        >>> compare([[2, 1], [0, 2]]).to_json()["ranks"]["ari"]["share"]
        {'exact': '5/9', 'value': 0.5555555555555556}
        """
        values = {name: exact_json(value) for name, value in self.items()}
        rows, columns = (list(map(str, side)) for side in self.labels)
        table = {"names": self.names, "rows": rows, "columns": columns}
        if max(self.matrix.shape) <= 1000:
            table["matrix"] = dense(self.matrix).tolist()
        return {**values, "table": table, "ranks": self.ranks}


def _shares(table: Any, names: Sequence[str]) -> dict[str, Fraction]:
    """Return the fraction of tables of this size that agree as well as ``table`` or better, by name of the index.

    An index is omitted if the computation takes longer than a few seconds.
    """
    tables = Tables(int(table.sum()), *table.shape)
    shares: dict[str, Fraction] = {}
    if tables.n == max(table.shape) > _MOST_SINGLE_OBJECTS:
        return shares  # the time of such a class is underestimated
    for name in names:
        statistic = STATISTICS[name]
        sign = ">=" if statistic.complement else "<="
        with suppress(TooLargeError), within(Limits(seconds=_SECONDS)):
            law = joint_distribution(tables, name)
            shares[name] = law.probability(f"{name}{sign}{Fraction(statistic(table))}")
    return shares


def _pvalues(table: Any) -> dict[str, PValue]:
    """Return the p-values of a permutation test by the names "ari", "rd" and "med".

    RD and ARI have the same p-value, because at fixed margins they order tables in the same way. The result is
    empty if the table is too large.
    """
    for is_exact, seconds in ((True, _SECONDS / 10), (False, _SECONDS)):
        with suppress(ValueError), within(Limits(seconds=seconds)):
            found = permutation_test(table, exact=is_exact, draws=_DRAWS, rng=0)
            return {"ari": found.p_ari, "rd": found.p_ari, "med": found.p_med}
    return {}  # too large, or no object


@limited
def compare(
    matrix_or_labels_a: Any,
    /,
    *others: Any,
    index: str = "ari",
    na: Missing = "refuse",
    limits: Limits | None = None,
) -> Comparison | pd.DataFrame:
    """Compare two clusterings by every index, or several labelings by one index.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        A contingency matrix, the labels of the first clustering, or a DataFrame of labels.
    *others : array_like or str
        Labels of further clusterings of the same objects, or names of columns of the DataFrame.
    index : str
        Short name of the index of every pair of more than two labelings. Default: "ari".
    na : {"refuse", "drop", "label"}
        Treatment of objects without a label, as in `contingency_matrix`. Default: "refuse".
    limits : Limits, optional
        Time and memory of the call, and of a later computation of the ranks. Default: those of the enclosing
        ``with`` statement.

    Returns
    -------
    Comparison or pandas.DataFrame
        A Comparison of two clusterings. For more labelings a DataFrame of floats, with a row and a column for each.

    Raises
    ------
    ValueError
        If labelings have different lengths or missing labels, a column is unknown, or a matrix is not valid.

    Examples
    --------
    >>> result = compare(["x", "x", "y", "y"], [1, 2, 2, 2])
    >>> result["med"], result["ari"]
    (Fraction(1, 4), Fraction(0, 1))
    >>> compare([1, 1, 2, 2], [1, 1, 2, 3], [5, 5, 6, 6]).round(2).loc["a"].tolist()
    [1.0, 0.57, 1.0]
    """
    if index in STATISTICS:
        index = STATISTICS[index].name
    index = as_choice("index", index, tuple(of_clusterings()))
    na = as_choice("na", na, get_args(Missing))
    is_of_labels = hasattr(matrix_or_labels_a, "columns") and _holds_labels(matrix_or_labels_a)
    if not others and not is_of_labels:
        return _comparison_of(matrix_or_labels_a, axis_labels(matrix_or_labels_a), limits=limits)
    labelings = _labelings_by_name(matrix_or_labels_a, others)
    if len(labelings) > 2:
        return _index_matrix(labelings, index, na)
    a, b = as_paired_labels(na, **dict(zip(("labels_a", "labels_b"), labelings.values())))
    name_a, name_b = labelings
    matrix = contingency_matrix(a, b)
    return _comparison_of(matrix, (label_values(a), label_values(b)), (name_a, name_b), limits)


def _comparison_of(
    counts: Any,
    labels: tuple[tuple[Any, ...], tuple[Any, ...]],
    names: tuple[str, str] = ("a", "b"),
    limits: Limits | None = None,
) -> Comparison:
    """Return the comparison of the two clusterings with the contingency matrix ``counts``.

    ``labels`` are the labels of its rows and of its columns, and ``names`` the names of the two labelings.
    ``limits`` apply to the ranks and p-values, which are computed later.
    """
    matrix = as_matrix(counts)
    rows, columns = margins(matrix)
    clusters = int(np.count_nonzero(rows)), int(np.count_nonzero(columns))
    values = {}
    for name, statistic in of_clusterings().items():
        values[name] = _value_of(statistic, matrix)
    return Comparison(sum(rows), clusters, values, matrix, labels, names, limits)


def _index_matrix(labelings: Mapping[str, Sequence[Any]], index: str, na: Missing) -> pd.DataFrame:
    """Return the values of one index for every pair of labelings, as a DataFrame of floats with nan for 0/0.

    ``index`` is the short name of the index. ``na`` says what happens to missing labels ("refuse", "drop" or
    "label").
    """
    import pandas as pd

    statistic = STATISTICS[index]
    if na == "refuse":
        for name, labels in labelings.items():
            encode(name, as_labels(name, labels))
    frame = pd.DataFrame(index=[*labelings], columns=[*labelings], dtype=float)
    for first, second in product(labelings, repeat=2):
        a, b = as_paired_labels(na, labels_a=labelings[first], labels_b=labelings[second])
        frame.loc[first, second] = exact_json(_value_of(statistic, contingency_matrix(a, b)))["value"]
    return frame


def _labelings_by_name(first: Any, others: tuple[Any, ...]) -> dict[str, Any]:
    """Return a dict from names to labelings, given positional arguments (``first`` and ``others``).

    If ``first`` is a DataFrame, the labelings are its columns, or those named in ``others``. Otherwise all
    arguments are labelings. The name of a labeling is that of a Series, otherwise a, b, c, ...
    """
    if hasattr(first, "columns"):
        known = [*map(str, first.columns)]
        chosen = [*map(str, others)] or known
        if any(known.count(name) != 1 for name in chosen) or not 1 < len(chosen) == len({*chosen}):
            raise ValueError(f"columns must be at least two different ones of {known}, got {chosen}")
        return {name: first.iloc[:, known.index(name)].tolist() for name in chosen}
    labelings: dict[str, Any] = {}
    for position, labels in enumerate((first, *others)):
        letter = ascii_lowercase[position % 26]
        name = str(getattr(labels, "name", None) or letter)
        while name in labelings:
            name += "2"
        if not hasattr(labels, "__len__"):
            labels = as_labels(f"labels_{letter}", labels)
        labelings[name] = labels
    return labelings


def _holds_labels(frame: pd.DataFrame) -> bool:
    """Return whether a DataFrame contains labels and not counts.

    It does if a column is not numeric, or if columns are named and rows are numbered from 0.
    """
    if not all(kind.kind in "iuf" for kind in frame.dtypes):
        return True
    if frame.columns.name is not None or frame.index.name is not None:
        return False
    are_named = all(isinstance(name, str) for name in frame.columns)
    return are_named and list(frame.index) == list(range(len(frame)))


def of_clusterings() -> dict[str, Statistic]:
    """Return the statistics that do not change if clusters are relabeled. Metrics of classifiers are not among them.

    >>> "ari" in of_clusterings(), "cor" in of_clusterings()
    (True, False)
    """
    return {name: x for name, x in STATISTICS.items() if x.of_clusterings}


def _value_of(statistic: Statistic, matrix: Any) -> IndexValue:
    """Return the exact value of a statistic at a validated matrix, or None for 0/0.

    >>> _value_of(STATISTICS["ari"], as_matrix([[2, 1], [0, 2]]))
    Fraction(1, 6)
    """
    look()
    value = statistic(matrix)
    if value != value:
        return None
    return value if not isinstance(value, RootSum) or value.rational is None else value.rational


def _exact(value: IndexValue) -> str:
    """Return the exact value as text, empty for a float or a long text.

    The only index of two clusterings with `RootSum` values is that of Fowlkes and Mallows: square roots of
    rational numbers.
    """
    if value is None:
        return "0/0"
    if isinstance(value, RootSum):
        text = f"sqrt({(value**2).rational})"
        return text if len(text) <= _LONGEST_FRACTION else ""
    return exact_text(value, _LONGEST_FRACTION)


def _decimal(value: IndexValue) -> str:
    """Return a value with seven decimal places or, if it is small, four digits."""
    if value is None:
        return "undefined"
    x = float(value)
    return f"{x:.7f}" if x == 0 or abs(x) >= 1e-4 else f"{x:.3e}"
