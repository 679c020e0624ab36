"""Indices of information theory, with natural logarithms.

Every index is a function of four numbers: two entropies, the mutual information and the variation of information.
`Information` contains them as floats. `ExactInformation` (for ``exact=True``) contains them as exact numbers
(`LogRatio`), for tables with up to 10^12 objects. Exact values that are equal compare equal.

The logarithm of a quotient x/y of integers is computed as that of 1 + (x - y)/y. If two clusterings of many objects
differ in a few, x/y is so close to 1 that rounding it would lose all digits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from math import fsum, log1p, nan, sqrt
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from confmat._limits import look
from confmat.contingency.matrix import cell_margins, nonzero_cells, one_matrix
from confmat.errors import TooLargeError, UndefinedIndexError
from confmat.fixed_margins.cell_sums import POWERS
from confmat.indices.logarithms import LARGEST, LogRatio, sum_of_logarithms
from confmat.indices.metadata import named_after
from confmat.indices.null_moments import mean_mutual_information, mean_mutual_information_exactly
from confmat.indices.records import METRIC, SIMILARITY, Function, names_in, recorded
from confmat.indices.undefined import Undefined, check_undefined, undefined_value

InformationNumber = float | LogRatio | Fraction

# Largest number of objects for an exact mean of the mutual information.
LARGEST_MEAN = 500

# Floats of more objects may overflow.
MOST_IN_FLOATS = 10**100


def check_total(n: int, most: int) -> None:
    """Raise TooLargeError for more than ``most`` objects."""
    if n > most:
        raise TooLargeError(f"matrix must have at most {most:.3g} objects, got {Decimal(n):.3g}")


@dataclass(frozen=True)
class Information:
    """Entropies ``a`` and ``b``, mutual information and variation of information of two clusterings.

    All four are floats in nats.
    """

    a: float
    b: float
    mutual: float
    variation: float

    @classmethod
    def of(cls, matrix: Any) -> Information:
        """Return the entropies, the mutual information and the variation of information of a table.

        >>> Information.of([[2, 0], [0, 2]]).variation
        0.0
        """
        cells = nonzero_cells(matrix)
        rows, cols = cell_margins(cells)
        n = sum(rows)
        check_total(n, MOST_IN_FLOATS)
        mutual = []
        variation = []
        for i, j, x in zip(cells.rows.tolist(), cells.cols.tolist(), cells.values):
            # Products of Python ints: exactly log 1 = 0 in every cell of an independent table.
            mutual.append(x / n * _log_ratio(x * n, rows[i] * cols[j]))
            variation.append(x / n * (_log_ratio(rows[i], x) + _log_ratio(cols[j], x)))
        return cls(
            _entropy(rows, n),
            _entropy(cols, n),
            max(0.0, fsum(mutual)),
            fsum(variation),
        )

    def mean(self, average: str) -> float:
        """Return a mean of the two entropies, or the joint entropy.

        ``average`` is "arithmetic", "geometric", "max", "min" or "joint".

        >>> Information.of([[2, 1], [0, 1]]).mean("joint")
        1.0397207708399179
        """
        if average == "joint":
            return self.mutual + self.variation
        return _MEANS[average](self.a, self.b)


@dataclass(frozen=True)
class ExactInformation:
    """Entropies, mutual information and variation of information of two clusterings in nats, as exact numbers.

    ``rows`` and ``cols`` are the cluster sizes in increasing order. ``joint`` is the joint entropy. Numbers that
    depend on the sizes only are cached for all tables with these sizes.

    >>> ExactInformation.of([[1, 1], [1, 1]]).variation
    2*log(2)
    """

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    joint: LogRatio

    @classmethod
    def of(cls, matrix: Any) -> ExactInformation:
        """Return the exact entropies and information of a table. Raise TooLargeError for more than 10^12 objects."""
        cells = nonzero_cells(matrix)
        n = sum(cells.values)
        check_total(n, LARGEST)
        joint = exact_entropy(n, sum_of_logarithms(cells.values))
        rows, cols = (tuple(sorted(sizes)) for sizes in cell_margins(cells))
        return cls(rows, cols, joint)

    @property
    def a(self) -> LogRatio:
        """Return the entropy of the rows."""
        return _entropy_of_sizes(self.rows)

    @property
    def b(self) -> LogRatio:
        """Return the entropy of the columns."""
        return _entropy_of_sizes(self.cols)

    @property
    def mutual(self) -> LogRatio:
        """Return the mutual information."""
        return _sum_of_entropies(self.rows, self.cols) - self.joint

    @property
    def variation(self) -> LogRatio:
        """Return the variation of information."""
        return self.joint - self.mutual

    def mean(self, average: str) -> Any:
        """Return a mean of the two entropies, or the joint entropy.

        ``average`` is "arithmetic", "geometric", "max", "min" or "joint".
        """
        if average == "joint":
            return self.joint
        return _mean_of_entropies(self.rows, self.cols, average)


AnyInformation = Information | ExactInformation

_MEANS: dict[str, Callable[[Any, Any], Any]] = {
    "arithmetic": lambda a, b: (a + b) / 2,
    "geometric": lambda a, b: _root(a) * _root(b),
    "max": max,
    "min": min,
}


_cached = lru_cache(maxsize=4096)


@_cached
def _entropy_of_sizes(sizes: tuple[int, ...]) -> LogRatio:
    return exact_entropy(sum(sizes), sum_of_logarithms(sizes))


@_cached
def _sum_of_entropies(rows: tuple[int, ...], cols: tuple[int, ...]) -> LogRatio:
    return _entropy_of_sizes(rows) + _entropy_of_sizes(cols)


@_cached
def _mean_of_entropies(rows: tuple[int, ...], cols: tuple[int, ...], average: str) -> Any:
    return _MEANS[average](_entropy_of_sizes(rows), _entropy_of_sizes(cols))


def exact_entropy(n: int, weights: Mapping[int, int]) -> LogRatio:
    """Return log n - (1/n) sum of w log k over ``weights``, a dictionary {k: w}.

    If the sum is that of x log x over the sizes x of clusters, the result is the entropy of the clustering.

    >>> exact_entropy(4, {2: 4}), exact_entropy(0, {})
    (log(2), 0)
    """
    logarithms = Counter({n or 1: n})
    logarithms.subtract(weights)
    return LogRatio.of(logarithms, n or 1)


def _root(entropy: Any) -> Any:
    if isinstance(entropy, LogRatio):
        return entropy.sqrt()
    return sqrt(entropy)


def _entropy(sizes: Iterable[int], n: int) -> float:
    return fsum(size / n * _log_ratio(n, size) for size in sizes if size)


def _log_ratio(x: int, y: int) -> float:
    """Return log(x/y) of integers, with a small relative error even if x/y rounds to 1."""
    return log1p((x - y) / y) if x >= y else -log1p((y - x) / x)


def _share(
    information: Any, entropy: Any, x: AnyInformation, undefined: Undefined, index: str
) -> InformationNumber:
    """Return ``information/entropy``, a number from 0 to 1.

    If it is 0/0, the result is 1 for equal clusterings, otherwise the value that ``undefined`` specifies. ``x`` has
    the entropies of both clusterings, and ``index`` is the name of the index in messages.
    """
    is_exact = isinstance(entropy, LogRatio)
    if entropy:
        if is_exact:
            return information / entropy
        return min(1.0, max(0.0, information / entropy))
    if not x.variation:
        return Fraction(1) if is_exact else 1.0
    value = undefined_value(undefined, index, "one clustering has one cluster")
    return value if is_exact else float(value)


def _normalized(x: AnyInformation, average: str, undefined: Undefined = "nan") -> InformationNumber:
    """Return the mutual information of ``x`` divided by a mean of the two entropies, the mean named ``average``.

    ``undefined`` specifies the result if it is 0/0 for different clusterings.
    """
    return _share(
        x.mutual,
        x.mean(average),
        x,
        undefined,
        f"NMI ({average})",
    )


def _adjusted_mutual(x: ExactInformation) -> InformationNumber:
    """Return the adjusted mutual information of ``x``, or 1 if it is 0/0, because the clusterings are then equal."""
    expected = mean_mutual_information_exactly(x.rows, x.cols)
    largest = x.mean("arithmetic") - expected
    if largest:
        return (x.mutual - expected) / largest
    return Fraction(1)


def _information_of(matrix: Any, exact: bool) -> Any:
    """Return the entropies and the information of a matrix, exact or as floats."""
    if exact:
        return ExactInformation.of(matrix)
    return Information.of(matrix)


def _answer(value: InformationNumber) -> InformationNumber:
    """Return a number as a Fraction if it is an exact number and rational, otherwise unchanged."""
    if isinstance(value, LogRatio) and value.rational is not None:
        return value.rational
    return value


# Functions that compute the indices from an ExactInformation, by short name.
_OF_INFORMATION: dict[str, Callable[[Any], Any]] = {}


class Index(Protocol):
    """Function of a contingency matrix, or of two labelings."""

    def __call__(
        self, matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
    ) -> InformationNumber: ...


def values_of_tables(
    name: str, tables: np.ndarray, index: Callable[..., InformationNumber], largest: int = LARGEST
) -> tuple[list[Any], np.ndarray]:
    """Return the exact values of an index at tables with the same total, and for each table the index of its value.

    Tables with the same row sums, column sums and cells, each in any order, have equal values. The index is computed
    for one of them. For more than ``largest`` objects the values are floats.

    Parameters
    ----------
    name : str
        Short name of the index.
    tables : array of int, shape (N, r, s)
    index : callable
        The function of that name.
    largest : int
        Largest number of objects of an exact value. Default: 10^12.

    Returns
    -------
    values : list
        Values, of which some may be equal.
    places : array of int, shape (N,)
        Index in ``values`` of the value of each table.

    Examples
    --------
    >>> tables = np.array([[[1, 1], [1, 1]], [[2, 0], [0, 2]], [[1, 1], [1, 1]]])
    >>> values_of_tables("vi", tables, variation_of_information)
    ([Fraction(0, 1), 2*log(2)], array([1, 0, 1]))
    """
    n, (r, s) = int(tables[0].sum()), tables.shape[1:]
    if n > largest:
        return [exact_if_small(index, table, largest) for table in tables], np.arange(len(tables))
    sizes = [np.sort(tables.sum(axis=axis)) for axis in (2, 1)]
    cells = np.sort(tables.reshape(len(tables), -1))
    keys, places = np.unique(np.concatenate([*sizes, cells], axis=1), axis=0, return_inverse=True)
    values = []
    for key in keys.tolist():
        look()
        joint = exact_entropy(n, sum_of_logarithms(key[r + s :]))
        information = ExactInformation(tuple(key[:r]), tuple(key[r : r + s]), joint)
        values.append(_answer(_OF_INFORMATION[name](information)))
    return values, places.reshape(-1)


def exact_if_small(
    index: Callable[..., InformationNumber], matrix: Any, largest: int = LARGEST
) -> InformationNumber:
    """Return the exact value of an index at ``matrix`` for up to ``largest`` objects, otherwise a float.

    The result is nan if the index is 0/0.

    >>> exact_if_small(nmi_min, [[1, 1]]), exact_if_small(entropy_a, [[10**13], [10**13]])
    (nan, 0.6931471805599453)
    """
    cells = nonzero_cells(matrix)
    try:
        return index(matrix, exact=sum(cells.values) <= largest)
    except UndefinedIndexError:
        return nan


def with_logarithms(
    name: str,
    formula: Callable[[Any], Any],
    *,
    most: int | None = None,
    largest: int = LARGEST,
    **fields: Any,
) -> Callable[[Function], Function]:
    """Return a decorator that records an index of information as a statistic.

    Values are exact for up to ``largest`` objects, otherwise floats. They lie between 0 and ``most``. ``formula``
    computes the index from an `ExactInformation`. ``fields`` are those of `recorded`.
    """
    _OF_INFORMATION[name] = formula

    def of_function(function: Function) -> Function:
        known: dict[str, Any] = {
            "batch": partial(values_of_tables, name, index=function, largest=largest),
            "symmetry": "transposition",
            "bounds": (0, most),
        }
        if "falls_with" not in fields:
            known["rises_with"] = POWERS
        evaluated_by = partial(exact_if_small, largest=largest)
        return recorded(name, evaluated_by=evaluated_by, **known | fields)(function)

    return of_function


def index_of_information(name: str, **fields: Any) -> Callable[[Callable[[AnyInformation], Any]], Index]:
    """Return a decorator that turns a function of `Information` or `ExactInformation` into an index, and records it.

    ``name`` and ``fields`` are those of `with_logarithms`.
    """

    def of_formula(formula: Callable[[AnyInformation], Any]) -> Index:
        def index(
            matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
        ) -> InformationNumber:
            return _answer(formula(_information_of(one_matrix(matrix_or_labels_a, labels_b), exact)))

        made: Index = with_logarithms(name, formula, **fields)(named_after(formula, index))
        return made

    return of_formula


# --- indices --------------------------------------------------------------------------------------


@index_of_information(
    "vi",
    title="variation of information",
    label="VI (variation of information)",
    names=("variation_of_information",),
    falls_with=POWERS,
    claims=METRIC,
)
def variation_of_information(x: AnyInformation) -> Any:
    """Return the variation of information H(a|b) + H(b|a) in nats.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        From 0 to log n. It is 0 exactly if the clusterings coincide.

    References
    ----------
    Meila (2007).

    Examples
    --------
    >>> table = [[1, 1], [1, 1]]
    >>> variation_of_information(table), variation_of_information(table, exact=True)
    (1.3862943611198906, 2*log(2))
    """
    return x.variation


@index_of_information(
    "mi",
    title="mutual information",
    names=("mutual_info_score", "mutual_information"),
)
def mutual_information(x: AnyInformation) -> Any:
    """Return the mutual information of two clusterings in nats.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        From 0 (independent clusterings) to the smaller entropy.

    Examples
    --------
    >>> mutual_information([[2, 0], [0, 1]], exact=True)
    (-2*log(2) + 3*log(3))/3
    """
    return x.mutual


@index_of_information(
    "entropy_a",
    title="entropy of a",
    label="entropy of the clustering a",
    symmetry="permutations",
    rises_with=None,
)
def entropy_a(x: AnyInformation) -> Any:
    """Return the entropy of the clustering a (rows) in nats.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        From 0 (one cluster) to log n.

    Examples
    --------
    >>> entropy_a([[1, 1], [1, 1]], exact=True)
    log(2)
    """
    return x.a


@index_of_information(
    "entropy_b",
    title="entropy of b",
    label="entropy of the clustering b",
    symmetry="permutations",
    rises_with=None,
)
def entropy_b(x: AnyInformation) -> Any:
    """Return the entropy of the clustering b (columns) in nats.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        From 0 (one cluster) to log n.

    Examples
    --------
    >>> entropy_b([[1, 1], [1, 1]])
    0.6931471805599453
    """
    return x.b


@index_of_information(
    "nmi",
    title="normalised mutual inf.",
    label="NMI (normalised mutual information)",
    names=(
        "normalized_mutual_info_score",
        "normalized_mutual_information",
        "normalised_mutual_information",
    ),
    most=1,
    claims=SIMILARITY,
)
def normalized_mutual_information(x: AnyInformation) -> Any:
    """Return the mutual information divided by the arithmetic mean of the two entropies, as scikit-learn does.

    `nmi_geometric`, `nmi_max`, `nmi_min` and `nmi_joint` have another divisor.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        From 0 (independent clusterings) to 1. If both entropies are 0, the clusterings coincide, and the index is 1.

    References
    ----------
    Strehl and Ghosh (2002) for `nmi_geometric`. Vinh, Epps and Bailey (2010) for `nmi_joint`.

    Examples
    --------
    >>> normalized_mutual_information([[1, 1], [1, 1]]), normalized_mutual_information([[3, 0], [0, 5]])
    (0.0, 1.0)
    >>> normalized_mutual_information([[2, 0], [0, 1]], exact=True)
    Fraction(1, 1)
    """
    return _normalized(x, "arithmetic")


@with_logarithms(
    "nmi_geometric",
    partial(_normalized, average="geometric"),
    title="NMI, geometric mean",
    label="NMI by the geometric mean of the entropies",
    most=1,
    claims=SIMILARITY,
)
def nmi_geometric(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> InformationNumber:
    """Return the mutual information divided by the geometric mean of the entropies.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float, LogRatio or Fraction
        From 0 (independent clusterings) to 1. It is 1 if both entropies are 0, and 0/0 if only one is, for which
        scikit-learn returns 0.

    Raises
    ------
    UndefinedIndexError
        If the index is 0/0 and ``undefined`` is "raise".

    Examples
    --------
    >>> nmi_geometric([[2, 0], [0, 1]]), nmi_geometric([[1, 1], [1, 1]], exact=True)
    (1.0, Fraction(0, 1))
    """
    information = _information_of(one_matrix(matrix_or_labels_a, labels_b), exact)
    return _answer(_normalized(information, "geometric", check_undefined(undefined)))


@index_of_information(
    "nmi_max", title="NMI, larger entropy", label="NMI by the larger entropy", most=1, claims=SIMILARITY
)
def nmi_max(x: AnyInformation) -> Any:
    """Return the mutual information divided by the larger entropy.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        From 0 (independent clusterings) to 1. The difference from 1 is a metric.

    Examples
    --------
    >>> nmi_max([[2, 0, 0], [0, 1, 1]], exact=True)
    Fraction(2, 3)
    """
    return _normalized(x, "max")


@with_logarithms(
    "nmi_min",
    partial(_normalized, average="min"),
    title="NMI, smaller entropy",
    label="NMI by the smaller entropy",
    most=1,
)
def nmi_min(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> InformationNumber:
    """Return the mutual information divided by the smaller entropy.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float, LogRatio or Fraction
        From 0 (independent clusterings) to 1. It is 1 if one clustering refines the other. It is 1 if both entropies
        are 0, and 0/0 if only one is, for which scikit-learn returns 0.

    Raises
    ------
    UndefinedIndexError
        If the index is 0/0 and ``undefined`` is "raise".

    Examples
    --------
    >>> nmi_min([[2, 0, 0], [0, 1, 1]], exact=True)
    Fraction(1, 1)
    """
    information = _information_of(one_matrix(matrix_or_labels_a, labels_b), exact)
    return _answer(_normalized(information, "min", check_undefined(undefined)))


@index_of_information(
    "nmi_joint", title="NMI, joint entropy", label="NMI by the joint entropy", most=1, claims=SIMILARITY
)
def nmi_joint(x: AnyInformation) -> Any:
    """Return the mutual information divided by the joint entropy.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        From 0 (independent clusterings) to 1. The difference from 1 is a metric.

    Examples
    --------
    >>> nmi_joint([[2, 0, 0], [0, 1, 1]], exact=True)
    Fraction(2, 3)
    """
    return _normalized(x, "joint")


@index_of_information(
    "v_measure",
    title="V-measure",
    names=("v_measure_score",),
    most=1,
    claims=SIMILARITY,
)
def v_measure(x: AnyInformation) -> Any:
    """Return the V-measure, the harmonic mean of homogeneity and completeness: 2 MI/(H(a) + H(b)).

    It is equal to `normalized_mutual_information`.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        From 0 to 1.

    References
    ----------
    Rosenberg and Hirschberg (2007).

    Examples
    --------
    >>> v_measure([[2, 0, 0], [0, 1, 1]], exact=True), v_measure([[2, 0, 0], [0, 1, 1]])
    (Fraction(4, 5), 0.8)
    """
    return _normalized(x, "arithmetic")


@index_of_information(
    "homogeneity",
    title="homogeneity",
    label="homogeneity of b in a",
    names=("homogeneity_score",),
    symmetry="permutations",
    most=1,
)
def homogeneity(x: AnyInformation) -> Any:
    """Return the homogeneity MI/H(a).

    The homogeneity is the fraction of the entropy of the classes a (rows) that the clusters b explain.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        From 0 to 1. It is 1 if there is one class.

    References
    ----------
    Rosenberg and Hirschberg (2007).

    Examples
    --------
    >>> homogeneity([[2, 0, 0], [0, 1, 1]]), homogeneity([[1, 1], [1, 1]], exact=True)
    (1.0, Fraction(0, 1))
    """
    return _share(x.mutual, x.a, x, 1, "homogeneity")


@index_of_information(
    "completeness",
    title="completeness",
    label="completeness of b in a",
    names=("completeness_score",),
    symmetry="permutations",
    most=1,
)
def completeness(x: AnyInformation) -> Any:
    """Return the completeness MI/H(b).

    The completeness is the fraction of the entropy of the clusters b (columns) that the classes a explain.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        From 0 to 1. It is 1 if there is one cluster.

    References
    ----------
    Rosenberg and Hirschberg (2007).

    Examples
    --------
    >>> completeness([[2, 0, 0], [0, 1, 1]], exact=True)
    Fraction(2, 3)
    """
    return _share(x.mutual, x.b, x, 1, "completeness")


@with_logarithms(
    "ami",
    _adjusted_mutual,
    largest=LARGEST_MEAN,
    title="adjusted mutual inf.",
    label="AMI (adjusted mutual information)",
    names=("adjusted_mutual_info_score", "adjusted_mutual_information"),
    bounds=(None, 1),
    claims=SIMILARITY,
)
def adjusted_mutual_information(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> InformationNumber:
    """Return the adjusted mutual information (MI - E)/(mean entropy - E).

    E is the mean of the mutual information over all labelings with the margins of the table. The exact E is a sum
    of up to n r s logarithms with weights of n digits: 1000 objects take a second.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False, a float with an error of a few units in the
        last digit.

    Returns
    -------
    float, LogRatio or Fraction
        At most 1, with mean 0 at fixed margins. If it is 0/0, the clusterings coincide, and it is 1.

    References
    ----------
    Vinh, Epps and Bailey (2010).

    Examples
    --------
    >>> adjusted_mutual_information([[2, 0], [0, 2]]), round(adjusted_mutual_information([[2, 1], [0, 3]]), 12)
    (1.0, 0.355245321276)
    """
    matrix = one_matrix(matrix_or_labels_a, labels_b)
    if exact:
        return _answer(_adjusted_mutual(ExactInformation.of(matrix)))
    x = Information.of(matrix)
    if not x.variation:
        return 1.0
    rows, cols = cell_margins(nonzero_cells(matrix))
    expected = mean_mutual_information(
        tuple(sorted(rows)),
        tuple(sorted(cols)),
    )
    return (x.mutual - expected) / (x.mean("arithmetic") - expected)


# Their short names.
vi = variation_of_information
mi = mutual_information
nmi = normalized_mutual_information
ami = adjusted_mutual_information

if not TYPE_CHECKING:  # a type checker reads all names
    __all__ = names_in(__name__)
