"""Every index of two clusterings at once, with what it takes to read them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from confmat.indices.classification.roots import RootSum
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.indices.logarithms import LogRatio
from confmat.indices.null_moments import NullMoments, adjusted_rand_index_null_moments
from confmat.indices.numbers import number_json
from confmat.matrices.matrix import as_matrix, margins, one_matrix
from confmat.shown import html_table
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS

Value = Fraction | RootSum | LogRatio | float | None

_LONGEST_SHOWN = 40


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Mapping[str, Value]):
    """Every index of a matrix by short name, exact where that is possible: the result of ``compare``.

    A value is a Fraction; a `RootSum`, the exact square root, where the Fowlkes-Mallows index is irrational; a
    `LogRatio` for indices with logarithms (floats beyond 10^12 objects); None where the index is 0/0.  Two comparisons
    are equal if all their values are.

    ``n`` objects in ``clusters`` (r, s), which count the clusters that hold an object; ``largest``: the largest MED and
    RD over all tables with this n, r and s; ``null``: mean and variance of the ARI of random labels with these cluster
    sizes.
    """

    n: int
    clusters: tuple[int, int]
    numbers: tuple[tuple[str, Value], ...]
    largest: tuple[tuple[str, Fraction], ...]
    null: NullMoments

    def __getitem__(self, name: str) -> Value:
        return dict(self.numbers)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self.numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        r, s = self.clusters
        lines = [f"n = {self.n}, {r} x {s} clusters"]
        lines += [f"{name:<14}  {_shown(value)}" for name, value in self.numbers]
        lines += [f"{name:<14}  at most {_shown(value)} for this n, r, s" for name, value in self.largest]
        lines.append(
            f"ari             of random labels: mean {self.null.mean}, sd {sqrt(self.null.variance):.4g}"
        )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        r, s = self.clusters
        rows = [(name, _shown(value)) for name, value in self.numbers]
        return html_table(f"n = {self.n}, {r} x {s} clusters", ["index", "value"], rows)

    def to_json(self) -> dict[str, dict[str, Any]]:
        """Short name -> ``{"exact": "p/q" or None, "value": float or None}``, also of largest values and null moments.

        >>> numbers = compare([[2, 1], [0, 2]]).to_json()
        >>> numbers["ari"], numbers["med_max"]
        ({'exact': '1/6', 'value': 0.16666666666666666}, {'exact': '2/5', 'value': 0.4})
        """
        numbers = {name: _json(value) for name, value in self.numbers}
        numbers |= {f"{name}_max": number_json(value) for name, value in self.largest}
        numbers["ari_null_mean"] = number_json(self.null.mean)
        numbers["ari_null_sd"] = number_json(sqrt(self.null.variance))
        return numbers


def compare(matrix_or_labels_a: Any, labels_b: Any = None, /) -> Comparison:
    """Compare two clusterings by every index: of their contingency matrix, or of two labelings of the same objects.

    Errors as for each index (`confmat.indices.partition`); an index that is 0/0 is None.

    >>> result = compare(["x", "x", "y", "y"], [1, 2, 2, 2])
    >>> result["med"], result["ari"]
    (Fraction(1, 4), Fraction(0, 1))
    >>> result
    n = 4, 2 x 2 clusters
    med             1/4 = 0.25
    nmed            1/2 = 0.5
    rd              1/2 = 0.5
    ri              1/2 = 0.5
    nrd             3/4 = 0.75
    ard             1
    ari             0
    mirkin          3/8 = 0.375
    fm              sqrt(1/6) = 0.4082483
    jaccard         1/4 = 0.25
    wallace_ab      1/2 = 0.5
    wallace_ba      1/3 = 0.3333333
    vi              3*log(3)/4 = 0.8239592
    mi              (6*log(2) - 3*log(3))/4 = 0.2157616
    entropy_a       log(2) = 0.6931472
    entropy_b       (8*log(2) - 3*log(3))/4 = 0.5623351
    nmi             0.343711
    nmi_geometric   0.345592
    nmi_max         (6*log(2) - 3*log(3))/(4*log(2)) = 0.3112781
    nmi_min         0.3836885
    nmi_joint       (2*log(2) - log(3))/(2*log(2)) = 0.2075187
    v_measure       0.343711
    homogeneity     (6*log(2) - 3*log(3))/(4*log(2)) = 0.3112781
    completeness    0.3836885
    ami             0
    purity          3/4 = 0.75
    van_dongen      1/4 = 0.25
    pair_kappa      0
    med             at most 1/2 = 0.5 for this n, r, s
    rd              at most 2/3 = 0.6666667 for this n, r, s
    ari             of random labels: mean 0, sd 0
    """
    matrix = as_matrix(one_matrix(matrix_or_labels_a, labels_b))
    rows, cols = margins(matrix)
    n, r, s = sum(rows), sum(x > 0 for x in rows), sum(x > 0 for x in cols)
    med, rd = (max_med(n, r, s), max_rand_distance(n, r, s)) if n else (Fraction(0), Fraction(0))
    return Comparison(
        n=n,
        clusters=(r, s),
        numbers=tuple((name, _value(statistic, matrix)) for name, statistic in of_clusterings().items()),
        largest=(("med", med), ("rd", rd)),
        null=adjusted_rand_index_null_moments(margins=(rows, cols)),
    )


def of_clusterings() -> dict[str, Statistic]:
    """The statistics that are the same for relabeled clusterings; metrics of classifiers are not.

    >>> "ari" in of_clusterings(), "cor" in of_clusterings()
    (True, False)
    """
    return {name: x for name, x in STATISTICS.items() if x.of_clusterings}


def _value(statistic: Statistic, matrix: Any) -> Value:
    value = statistic(matrix)
    if value != value:
        return None
    if statistic.root:
        root = RootSum.sqrt(Fraction(statistic.square(matrix)))
        return root if root.rational is None else root.rational
    return value


def exact_text(value: Value) -> str:
    """The exact value in writing: a fraction, a root of one; nothing for a float.

    >>> exact_text(Fraction(1, 4)), exact_text(RootSum.sqrt(Fraction(1, 8))), exact_text(0.25), exact_text(None)
    ('1/4', 'sqrt(1/8)', '', '0/0')
    """
    if value is None:
        return "0/0"
    if isinstance(value, RootSum):
        return f"sqrt({(value**2).rational})"
    return "" if isinstance(value, float) else str(value)


def _shown(value: Value) -> str:
    if value is None:
        return "0/0"
    exact, decimal = exact_text(value), f"{float(value):.7g}"
    if not exact or len(exact) > _LONGEST_SHOWN:
        return decimal
    return exact if exact == decimal else f"{exact} = {decimal}"


def _json(value: Value) -> dict[str, Any]:
    if value is None:
        return {"exact": None, "value": None}
    return number_json(float(value) if isinstance(value, RootSum | LogRatio) else value)
