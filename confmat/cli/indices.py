"""Every index of a contingency matrix, for people (text tables) and for programs (JSON)."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from confmat.cli.inputs import Compared
from confmat.cli.output import Page, number_of, plain_table, whole

if TYPE_CHECKING:
    from confmat.statistics import Statistic

_MOST_PAIRS = 20
_EXACT_WIDTH = 27


class Index(NamedTuple):
    """An index: its exact value or its square where they are known, its value (None where it is 0/0)."""

    exact: Fraction | None
    value: float | None
    square: Fraction | None = None


# --- computing ------------------------------------------------------------------------------------


def indices(matrix: Any) -> dict[str, Index]:
    """Every index of a matrix by short name.

    >>> indices([[2, 1], [0, 2]])["fm"]
    Index(exact=Fraction(1, 2), value=0.5, square=Fraction(1, 4))
    """
    from confmat.statistics import STATISTICS

    # What is the same for relabeled clusterings; metrics of classifiers are those of ``classify``.
    compared = (x for x in STATISTICS.values() if x.symmetry in ("transposition", "permutations"))
    return {statistic.name: _index(statistic, matrix) for statistic in compared}


def _index(statistic: Statistic, matrix: Any) -> Index:
    value = statistic(matrix)
    if value != value:
        return Index(None, None)
    if statistic.root:
        square = Fraction(statistic.square(matrix))
        return Index(_root(square), float(value), square)
    return Index(value if isinstance(value, Fraction) else None, float(value))


def _root(square: Fraction) -> Fraction | None:
    """The square root, if it is rational."""
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return root if root**2 == square else None


def indices_json(matrix: Any, values: dict[str, Index]) -> dict[str, Any]:
    """Short name -> number, and in the same shape the largest MED and RD and the null moments of the ARI."""
    from confmat.indices.partition import adjusted_rand_index_null_moments
    from confmat.laws.description import number_json

    def number(index: Index) -> dict[str, Any]:
        exact = index.exact if index.exact is not None else index.value
        return {"exact": None, "value": None} if exact is None else number_json(exact)

    numbers = {name: number(index) for name, index in values.items()}
    numbers |= {f"{name}_max": number_json(largest) for name, largest in _largest(matrix).items()}
    mean, variance = adjusted_rand_index_null_moments(matrix)
    numbers["ari_null_mean"] = number_json(mean)
    numbers["ari_null_sd"] = number_json(sqrt(variance))
    return numbers


def _largest(matrix: Any) -> dict[str, Fraction]:
    """Largest MED and RD over the tables with the same total and numbers of clusters."""
    from confmat.indices.extremes import max_med, max_rand_distance
    from confmat.matrices.contingency import margins

    rows, cols = margins(matrix)
    n, r, s = sum(rows), sum(x > 0 for x in rows), sum(x > 0 for x in cols)
    if n == 0:
        return {"med": Fraction(0), "rd": Fraction(0)}
    return {"med": max_med(n, r, s), "rd": max_rand_distance(n, r, s)}


# --- printing -------------------------------------------------------------------------------------


def print_indices(compared: Compared, values: dict[str, Index]) -> None:
    """Indices, largest values, null moments and matching as text tables."""
    from confmat.indices.partition import adjusted_rand_index_null_moments
    from confmat.matrices.contingency import best_matching, margins
    from confmat.statistics import STATISTICS

    page = Page()
    rows, cols = margins(compared.matrix)
    n, r, s = sum(rows), sum(x > 0 for x in rows), sum(x > 0 for x in cols)
    objects, clusters = number_of(n, "object", "objects"), number_of(r, "cluster", "clusters")
    page.line(f"{objects}, {clusters} in a (rows), {whole(s)} in b (columns).\n")

    table = plain_table("index", "name", "value", "exact", left=("index", "name", "exact"))
    for name, index in values.items():
        table.add_row(STATISTICS[name].title, name, *_texts(index))
    page.table(table)

    med, rd = _largest(compared.matrix).values()
    page.line("Largest over all tables with as many objects and clusters:")
    page.line(f"  med  {_with_value(med)}\n  rd   {_with_value(rd)}\n")
    mean, variance = adjusted_rand_index_null_moments(compared.matrix)
    page.line("The ari of random labels with these cluster sizes:")
    page.line(f"  mean {mean}\n  sd   {_decimal(sqrt(variance))}, the square root of")
    page.line(f"       {_over_two_lines(variance, 70, ' ' * 7)}\n")

    matching = best_matching(compared.matrix)
    table = plain_table("a", "b", "objects", left=("a", "b"))
    for i, j in matching.pairs[:_MOST_PAIRS]:
        table.add_row(str(compared.rows[i]), str(compared.cols[j]), whole(int(compared.matrix[i, j])))
    page.table(
        table, f"Best matching: {whole(int(matching.total))} of {whole(n)} objects in matched clusters"
    )
    if len(matching.pairs) > _MOST_PAIRS:
        page.line(f"and {whole(len(matching.pairs) - _MOST_PAIRS)} more pairs")


def _texts(index: Index) -> tuple[str, str]:
    """Value and exact value of an index."""
    if index.value is None:
        return "undefined", "0/0"
    exact = "" if index.exact is None else str(index.exact)
    if index.exact is None and index.square is not None:
        exact = f"sqrt({index.square})"
    return _decimal(index.value), _over_two_lines(exact, _EXACT_WIDTH)


def _over_two_lines(exact: object, width: int, indent: str = "") -> str:
    """A fraction as it is, or with its denominator on the next line where it is too long."""
    return str(exact) if len(str(exact)) <= width else str(exact).replace("/", f"/\n{indent}")


def _with_value(x: Fraction) -> str:
    return f"{x} = {_decimal(float(x))}" if x.denominator > 1 else str(x)


def _decimal(x: float) -> str:
    return f"{x:.7f}" if x == 0 or abs(x) >= 1e-4 else f"{x:.3e}"
