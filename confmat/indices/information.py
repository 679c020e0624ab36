"""Indices from information theory, natural logarithms: correctly rounded to within a few units, or exact.

Every index is a function of two entropies, the mutual information and the variation of information
(``Information``): doubles, or with ``exact=True`` exact numbers (`LogRatio`, for totals up to 10^12), so that equal
values are found equal.  A logarithm of a quotient x/y is that of 1 + (x - y)/y with whole x - y: clusterings that
differ in a few of many objects have quotients so close to 1 that rounding them would leave no digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, log1p, nan, sqrt
from typing import Any

import numpy as np

from confmat.errors import UndefinedIndexError
from confmat.indices.logarithms import LARGEST, LogRatio, factors, sum_of_logarithms
from confmat.indices.null_moments import mean_mutual_information, mean_mutual_information_exactly
from confmat.indices.undefined import Undefined, check_undefined, undefined_value
from confmat.matrices.matrix import cell_margins, nonzero_cells, one_matrix

Number = float | LogRatio | Fraction

# Exact means of the mutual information are of at most so many objects.
LARGEST_MEAN = 500


@dataclass(frozen=True)
class Information:
    """Entropies of both clusterings, their mutual information and variation of information, all in nats."""

    a: Any
    b: Any
    mutual: Any
    variation: Any

    @classmethod
    def of(cls, matrix: Any, exact: bool) -> Information:
        """Of a table, as doubles or exact.  ValueError for an exact one of more than 10^12 objects.

        >>> Information.of([[1, 1], [1, 1]], exact=True)
        Information(a=log(2), b=log(2), mutual=0, variation=2*log(2))
        """
        cells = nonzero_cells(matrix)
        rows, cols = cell_margins(cells)
        n = sum(rows)
        if exact:
            if n > LARGEST:
                raise ValueError(f"matrix must have at most {LARGEST} objects for exact=True, got {n}")
            sums = (LogRatio.of(sum_of_logarithms(x), n) for x in (cells.values, rows, cols))
            return cls.of_sums(n, *sums)
        terms = list(zip(cells.rows.tolist(), cells.cols.tolist(), cells.values))
        return cls(
            _entropy(rows, n),
            _entropy(cols, n),
            # Products of Python ints: exactly log 1 = 0 in every cell of an independent table.
            max(0.0, fsum(x / n * _log_ratio(x * n, rows[i] * cols[j]) for i, j, x in terms)),
            fsum(x / n * (_log_ratio(rows[i], x) + _log_ratio(cols[j], x)) for i, j, x in terms),
        )

    @classmethod
    def of_sums(cls, n: int, cells: LogRatio, rows: LogRatio, cols: LogRatio) -> Information:
        """From 1/n times the sums of x log x over cells, rows and columns.

        >>> nothing = LogRatio.of({})
        >>> Information.of_sums(2, nothing, nothing, LogRatio.of({2: 1})).variation
        log(2)
        """
        whole = LogRatio.of({n or 1: 1})
        return cls(whole - rows, whole - cols, whole + cells - rows - cols, rows + cols - cells - cells)


_MEANS: dict[str, Callable[[Information], Any]] = {
    "arithmetic": lambda x: (x.a + x.b) / 2,
    "geometric": lambda x: (x.a * x.b).sqrt() if isinstance(x.a, LogRatio) else sqrt(x.a) * sqrt(x.b),
    "max": lambda x: max(x.a, x.b),
    "min": lambda x: min(x.a, x.b),
    "joint": lambda x: x.mutual + x.variation,
}


def _entropy(sizes: Iterable[int], n: int) -> float:
    return fsum(size / n * _log_ratio(n, size) for size in sizes if size)


def _log_ratio(x: int, y: int) -> float:
    """log(x/y) of whole numbers, with a small relative error also where x/y rounds to 1."""
    return log1p((x - y) / y) if x >= y else -log1p((y - x) / x)


def _quotient(value: Any, by: Any, information: Information, undefined: Undefined, index: str) -> Number:
    """A share, from 0 to 1; where it is 0/0 it is 1 for clusterings that coincide."""
    if by:
        return value / by if isinstance(value, LogRatio) else min(1.0, max(0.0, value / by))
    if not information.variation:
        return 1.0 if isinstance(by, float) else Fraction(1)
    found = undefined_value(undefined, index, "one clustering has one cluster")
    return found if isinstance(by, LogRatio) else float(found)


def _exactly(value: Number, exact: bool) -> Number:
    return value.rational if exact and isinstance(value, LogRatio) and value.rational is not None else value


# --- indices --------------------------------------------------------------------------------------


def variation_of_information(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> Number:
    """Variation of information H(a|b) + H(b|a) in nats: from 0 (same clustering) to ln n.  Meila (2007).

    Never negative, and exactly 0.0 for coinciding clusterings; a table with n <= 1 has 0.

    >>> table = [[1, 1], [1, 1]]
    >>> variation_of_information(table), variation_of_information(table, exact=True)
    (1.3862943611198906, 2*log(2))
    """
    return _exactly(Information.of(one_matrix(matrix_or_labels_a, labels_b), exact).variation, exact)


def mutual_information(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Number:
    """Mutual information of two clusterings in nats: from 0 (independent) to the smaller entropy.

    >>> mutual_information([[2, 0], [0, 1]], exact=True)
    (-2*log(2) + 3*log(3))/3
    """
    return _exactly(Information.of(one_matrix(matrix_or_labels_a, labels_b), exact).mutual, exact)


def entropy_a(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Number:
    """Entropy of the clustering a (rows) in nats: from 0 (one cluster) to ln n.

    >>> entropy_a([[1, 1], [1, 1]], exact=True)
    log(2)
    """
    return _exactly(Information.of(one_matrix(matrix_or_labels_a, labels_b), exact).a, exact)


def entropy_b(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Number:
    """Entropy of the clustering b (columns) in nats.

    >>> entropy_b([[1, 1], [1, 1]])
    0.6931471805599453
    """
    return _exactly(Information.of(one_matrix(matrix_or_labels_a, labels_b), exact).b, exact)


def normalized_mutual_information(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    average: str = "arithmetic",
    exact: bool = False,
    undefined: Undefined = "raise",
) -> Number:
    """Mutual information over a mean of the two entropies: from 0 (independent) to 1.

    ``average``: "arithmetic" (scikit-learn's default), "geometric" (Strehl & Ghosh 2002), "max", "min", or "joint", the
    entropy of both clusterings together (Vinh, Epps & Bailey 2010).  Where both entropies are 0 (one cluster on both
    sides, n <= 1) the clusterings coincide and it is 1; where one is, "geometric" and "min" are 0/0: by default
    UndefinedIndexError (scikit-learn says 0).

    >>> normalized_mutual_information([[1, 1], [1, 1]]), normalized_mutual_information([[3, 0], [0, 5]])
    (0.0, 1.0)
    >>> normalized_mutual_information([[2, 0], [1, 1]], average="joint", exact=True)
    (2*log(2) - log(3))/(2*log(2))
    """
    information = Information.of(one_matrix(matrix_or_labels_a, labels_b), exact)
    return _exactly(_normalized(information, average, check_undefined(undefined)), exact)


def _normalized(information: Information, average: str, undefined: Undefined) -> Number:
    return _quotient(
        information.mutual, _mean(information, average), information, undefined, f"NMI ({average})"
    )


def _mean(information: Information, average: str) -> Any:
    if average not in _MEANS:
        raise ValueError(f"average must be one of {', '.join(_MEANS)}, got {average!r}")
    return _MEANS[average](information)


def nmi_geometric(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> Number:
    """Mutual information over the geometric mean of the entropies (`normalized_mutual_information`).

    >>> nmi_geometric([[2, 0], [0, 1]]), nmi_geometric([[1, 1], [1, 1]], exact=True)
    (1.0, Fraction(0, 1))
    """
    return normalized_mutual_information(
        matrix_or_labels_a, labels_b, average="geometric", exact=exact, undefined=undefined
    )


def nmi_max(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Number:
    """Mutual information over the larger entropy (`normalized_mutual_information`): 1 minus it is a metric.

    >>> nmi_max([[2, 0, 0], [0, 1, 1]], exact=True)
    Fraction(2, 3)
    """
    return normalized_mutual_information(matrix_or_labels_a, labels_b, average="max", exact=exact)


def nmi_min(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> Number:
    """Mutual information over the smaller entropy (`normalized_mutual_information`): 1 for a refinement.

    >>> nmi_min([[2, 0, 0], [0, 1, 1]], exact=True)
    Fraction(1, 1)
    """
    return normalized_mutual_information(
        matrix_or_labels_a, labels_b, average="min", exact=exact, undefined=undefined
    )


def nmi_joint(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Number:
    """Mutual information over the joint entropy (`normalized_mutual_information`): 1 minus it is a metric.

    >>> nmi_joint([[2, 0, 0], [0, 1, 1]], exact=True)
    Fraction(2, 3)
    """
    return normalized_mutual_information(matrix_or_labels_a, labels_b, average="joint", exact=exact)


def homogeneity(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Number:
    """Share of the entropy of the classes a (rows) that the clusters b explain: MI/H(a), 0 to 1.

    Rosenberg & Hirschberg (2007).  By their definition 1 where there is one class.

    >>> homogeneity([[2, 0, 0], [0, 1, 1]]), homogeneity([[1, 1], [1, 1]], exact=True)
    (1.0, Fraction(0, 1))
    """
    information = Information.of(one_matrix(matrix_or_labels_a, labels_b), exact)
    return _exactly(_quotient(information.mutual, information.a, information, 1, "homogeneity"), exact)


def completeness(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Number:
    """Share of the entropy of the clusters b (columns) that the classes a explain: MI/H(b), `homogeneity` turned.

    >>> completeness([[2, 0, 0], [0, 1, 1]], exact=True)
    Fraction(2, 3)
    """
    information = Information.of(one_matrix(matrix_or_labels_a, labels_b), exact)
    return _exactly(_quotient(information.mutual, information.b, information, 1, "completeness"), exact)


def v_measure(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, beta: int | Fraction = 1, exact: bool = False
) -> Number:
    """Harmonic mean of homogeneity and, with weight ``beta`` > 0, completeness: (1 + beta) MI/(H(a) + beta H(b)).

    Rosenberg & Hirschberg (2007).  With ``beta=1`` it is `normalized_mutual_information`.

    >>> v_measure([[2, 0, 0], [0, 1, 1]], exact=True), v_measure([[2, 0, 0], [0, 1, 1]])
    (Fraction(4, 5), 0.8)
    """
    if not 0 < beta < 10**300:
        raise ValueError(f"beta must be positive and below 10^300, got {beta!r}")
    x = Information.of(one_matrix(matrix_or_labels_a, labels_b), exact)
    # Divided rather than multiplied by 1 + beta, so that the shares of equal clusterings are 1.
    return _exactly(_quotient(x.mutual, (x.a + beta * x.b) / (1 + beta), x, "raise", "V-measure"), exact)


def adjusted_mutual_information(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, average: str = "arithmetic", exact: bool = False
) -> Number:
    """(MI - E)/(mean entropy - E), E the mean MI of all labelings with these margins: at most 1, mean 0.

    Vinh, Epps & Bailey (2010).  ``average``: "arithmetic" (scikit-learn's default), "max" or "joint".  0/0 means that
    the clusterings coincide: 1.  The exact E is a sum of up to n r s logarithms with weights of n digits: 1000 objects
    take a second.

    >>> adjusted_mutual_information([[2, 0], [0, 2]]), round(adjusted_mutual_information([[2, 1], [0, 3]]), 12)
    (1.0, 0.355245321276)
    """
    if average not in ("arithmetic", "max", "joint"):
        raise ValueError(f'average must be "arithmetic", "max" or "joint", got {average!r}')
    matrix = one_matrix(matrix_or_labels_a, labels_b)
    x = Information.of(matrix, exact)
    if not x.variation:
        return Fraction(1) if exact else 1.0
    margins = (tuple(sorted(side)) for side in cell_margins(nonzero_cells(matrix)))
    expected = (mean_mutual_information_exactly if exact else mean_mutual_information)(*margins)
    return _exactly((x.mutual - expected) / (_mean(x, average) - expected), exact)


# --- of many tables -------------------------------------------------------------------------------

_OF_INFORMATION: dict[str, Callable[[Information], Any]] = {
    "vi": lambda x: x.variation,
    "mi": lambda x: x.mutual,
    "entropy_a": lambda x: x.a,
    "entropy_b": lambda x: x.b,
    "homogeneity": lambda x: _quotient(x.mutual, x.a, x, 1, ""),
    "completeness": lambda x: _quotient(x.mutual, x.b, x, 1, ""),
    "v_measure": lambda x: _normalized(x, "arithmetic", "nan"),
    "nmi": lambda x: _normalized(x, "arithmetic", "nan"),
    "nmi_geometric": lambda x: _normalized(x, "geometric", "nan"),
    "nmi_max": lambda x: _normalized(x, "max", "nan"),
    "nmi_min": lambda x: _normalized(x, "min", "nan"),
    "nmi_joint": lambda x: _normalized(x, "joint", "nan"),
}


def values_of_tables(name: str, tables: np.ndarray) -> tuple[list[Any], np.ndarray]:
    """Exact values of an index by its short name at tables of one total (N x r x s), and which one every table has.

    Logarithms are vectors of powers of primes: tables with equal sums of x log x over cells, rows and columns have
    equal values, and only one of these is computed.

    >>> values_of_tables("vi", np.array([[[1, 1], [1, 1]], [[2, 0], [0, 2]], [[1, 1], [1, 1]]]))
    ([2*log(2), Fraction(0, 1)], array([0, 1, 0]))
    """
    n, index = int(tables[0].sum()), _OF_INFORMATION[name]
    if n > LARGEST:
        return [_exactly(index(Information.of(table, False)), False) for table in tables], np.arange(
            len(tables)
        )
    lines = [tables.reshape(len(tables), -1), tables.sum(axis=2), tables.sum(axis=1)]
    counts = np.unique(np.concatenate([x.ravel() for x in lines]))
    factored = [dict(factors(max(x, 1))) for x in counts.tolist()]
    primes = sorted({p for powers_of in factored for p in powers_of})
    powers = [[x * powers_of.get(p, 0) for p in primes] for x, powers_of in zip(counts.tolist(), factored)]
    logarithms = np.array(powers, np.int64).reshape(
        len(counts), len(primes)
    )  # x log x, in logarithms of primes
    parts = [logarithms[np.searchsorted(counts, x)].sum(axis=1) for x in lines]
    keys, which = np.unique(np.concatenate(parts, axis=1), axis=0, return_inverse=True)
    values = []
    for key in keys.reshape(len(keys), 3, len(primes)).tolist():
        sums = (LogRatio.of(dict(zip(primes, weights)), n) for weights in key)
        values.append(_exactly(index(Information.of_sums(n, *sums)), True))
    return values, which.reshape(-1)


def exact_if_small(index: Callable[..., Number], matrix: Any, largest: int = LARGEST) -> Number:
    """The exact value where there are few enough objects, doubles beyond, nan for 0/0.

    >>> exact_if_small(nmi_min, [[1, 1]]), exact_if_small(entropy_a, [[10**13], [10**13]])
    (nan, 0.6931471805599453)
    """
    cells = nonzero_cells(matrix)
    try:
        return index(matrix, exact=sum(cells.values) <= largest)
    except UndefinedIndexError:
        return nan


# Their short names.
vi = variation_of_information
mi = mutual_information
nmi = normalized_mutual_information
ami = adjusted_mutual_information
