"""The scores that papers print: what each is, exactly, and of many matrices at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

import numpy as np

from confmat.certificates.ranges import OF_A_CLASS, OF_CLUSTERINGS, misses, root_range
from confmat.certificates.ranges import SCORE_RANGES as CHECKED
from confmat.classes import FixedRows
from confmat.engine.walks import exact_values
from confmat.indices import classification as metrics
from confmat.indices.classification.batch import Ratios, sum_of_ratios
from confmat.indices.classification.roots import RootSum
from confmat.indices.numbers import lowest_terms
from confmat.statistics.grammar import meant_among
from confmat.statistics.record import Number, Statistic
from confmat.statistics.table import STATISTICS

# Both ends of what is printed so, and whether they belong to it.
Window = tuple[Fraction, Fraction, bool, bool]

# Scores under the names that papers give them; those that are records of the table of statistics.
_RECORDS = {"acc": "accuracy", "bacc": "balanced_accuracy"}
_RECORDS |= {name: name for name in ("f1_weighted", "kappa", "mcc")}
_RECORDS |= {name: name for name in OF_CLUSTERINGS}
_SCORE_OF = {record: score for score, record in _RECORDS.items()}

SCORES = {
    "acc": "accuracy",
    "bacc": "balanced accuracy (mean recall of the classes that hold an object)",
    "recall": "macro recall",
    "precision": "macro precision",
    "f1": "macro F1 (mean of the classes' F1)",
    "f1_weighted": "weighted F1 (mean of the classes' F1 by their sizes)",
    "f1_of_means": "F1 of macro precision and macro recall",
    "gmean": "G-mean (geometric mean of the recalls)",
    "kappa": "Cohen's kappa",
    "mcc": "Matthews' correlation",
    "ri": "Rand index",
    "ari": "adjusted Rand index",
    "jaccard": "Jaccard index of pairs",
    "fm": "Fowlkes-Mallows index",
    "med": "misclassification error distance",
    "nmi": "normalised mutual information (arithmetic mean)",
    "rd": "Rand distance",
    "ard": "adjusted Rand distance",
}
assert [*SCORES] == [*CHECKED]

# Scores whose doubles are had without their exact values.  What is farther from a window than their errors is not
# looked at exactly.  These grow with n, as numbers of n^2 (entropies: of 1) may leave one of n (of 1 / n), each a sum
# over cells with roundings of 1.1e-16: 1e-8 was met for 2 x 2 at 10^8 objects, where the guard is 4e-7.
_QUICK = ("ri", "ari", "jaccard", "fm", "rd", "ard", "nmi", "mcc")
_GUARD, _GUARD_A_CELL = 1e-9, 1e-15

_share_statistic = partial(Statistic, bounds=(0, 1))

_OF_CLASSES: dict[str, Callable[..., Any]] = {
    "recall": metrics.sensitivity,
    "precision": metrics.precision,
    "f1": partial(metrics.f_measure, strategy=None),
}


def title(name: str) -> str:
    """What a score is, in words.

    >>> title("ari"), title("recall_2")
    ('adjusted Rand index', 'recall of class 2')
    """
    of_class = OF_A_CLASS.fullmatch(name)
    if of_class is None:
        return SCORES[name]
    kind = of_class[1]
    number = of_class[2]
    return f"{'F1' if kind == 'f1' else kind} of class {number}"


def as_score(name: str) -> str:
    """The name of a score, one of SCORES or recall_1, precision_1, f1_1, ... of a class; else ValueError.

    Other names are those of the table of statistics.

    >>> as_score("f1_2"), as_score("accuracy"), as_score("adjusted_rand_score")
    ('f1_2', 'acc', 'ari')
    >>> as_score("arii")
    Traceback (most recent call last):
    ...
    ValueError: score must be one of acc, ..., ard, or of a class as in recall_1, got 'arii'; did you mean ari?
    """
    if OF_A_CLASS.fullmatch(name):
        return name
    if name in SCORES:
        return name
    if name in STATISTICS:
        record = STATISTICS[name].name
        if record in SCORES or record in _SCORE_OF:
            return _SCORE_OF.get(record, record)
    hint = meant_among(name, STATISTICS, SCORES)
    raise ValueError(
        f"score must be one of {', '.join(SCORES)}, or of a class as in recall_1, got {name!r}{hint}"
    )


def is_score(name: str) -> bool:
    """Whether a name is that of a score.

    >>> is_score("acc"), is_score("cor"), is_score("recall_3"), is_score("van_dongen")
    (True, True, True, False)
    """
    try:
        as_score(name)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Score:
    """A score with its value for 0/0: the ``power``-th root of a statistic, by which it is compared."""

    name: str
    statistic: Statistic
    undefined: Fraction
    power: int = 1

    @classmethod
    def of(cls, name: str, r: int, undefined: Fraction) -> Score:
        """The score of this name for tables with r rows.

        >>> Score.of("gmean", 3, Fraction(0)).power
        3
        """
        if name in _RECORDS:
            return cls(name, STATISTICS[_RECORDS[name]], undefined)
        power = 1
        if name == "gmean":
            function = partial(_product, undefined)
            batch = partial(_products_of_recalls, undefined)
            power = r
        elif name == "f1_of_means":
            function = partial(_of_means, undefined)
            batch = partial(_all_of_means, undefined)
        else:
            kind, _, number = name.partition("_")
            if number:
                places = [int(number) - 1]
            else:
                places = [*range(r)]
            function = partial(_mean_of_classes, kind, places, undefined)
            batch = partial(_means, kind, places, undefined)
        return cls(name, _share_statistic(name, function, batch=batch), undefined, power)

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """What no matrix passes.

        >>> Score.of("ari", 2, Fraction(0)).bounds
        (Fraction(-1, 2), Fraction(1, 1))
        """
        lower, upper = self.statistic.bounds
        assert lower is not None, "the scores of reports have bounds"
        assert upper is not None, "the scores of reports have bounds"
        return Fraction(lower), Fraction(upper)

    def keys(self, tables: np.ndarray) -> tuple[list[Any], np.ndarray]:
        """By what it is compared: exact values, most of them distinct, and the position of each table's one.

        >>> Score.of("acc", 2, Fraction(0)).keys(np.array([[[1, 1], [0, 1]], [[2, 0], [0, 1]]]))
        ([Fraction(1, 1), Fraction(2, 3)], array([1, 0]))
        """
        values, positions = exact_values(self.statistic, _with_rows(tables), tables)
        return [self.undefined if x != x else x for x in values], positions

    @property
    def quick(self) -> bool:
        """Whether its doubles are had without its exact values."""
        return self.name in _QUICK

    def rough(self, tables: np.ndarray) -> np.ndarray:
        """Its values in doubles.

        >>> Score.of("nmi", 2, Fraction(0)).rough(np.array([[[2, 0], [0, 2]], [[1, 1], [1, 1]]])).tolist()
        [1.0, 0.0]
        """
        if not self.quick:
            keys, positions = self.keys(tables)
            return np.array([*map(float, keys)])[positions] ** (1 / self.power)
        if self.name == "nmi":
            return _rough_nmi(tables)
        if self.name == "mcc":
            return _rough_mcc(tables, float(self.undefined))
        sums = [np.zeros(len(tables))]  # signatures have the MED first, of which no score here is
        for sizes in _margins_and_cells(tables):
            pairs = sizes * (sizes - 1.0) / 2
            sums.append(pairs.sum(axis=1))
        values = self.statistic.rough_values(
            _with_rows(tables),
            np.stack(sums, axis=1),
        )
        return np.where(
            np.isnan(values),
            float(self.undefined),
            values,
        )

    def guard(self, tables: np.ndarray) -> float:
        """Its doubles are off by less."""
        return float(_GUARD + _GUARD_A_CELL * tables[0].size * tables[0].sum())

    def near(self, tables: np.ndarray, score_window: Window) -> np.ndarray:
        """Which tables may have it as it was printed, by doubles.

        >>> tables = np.array([[[1, 1], [0, 1]], [[2, 0], [0, 1]]])
        >>> Score.of("ri", 2, Fraction(0)).near(tables, (Fraction(1, 2), Fraction(1), True, False))
        array([False,  True])
        """
        lower, upper, *_ = map(float, score_window)
        guard = self.guard(tables)
        values = self.rough(tables)
        return (values > lower - guard) & (values < upper + guard)

    def fits(self, tables: np.ndarray, score_window: Window) -> np.ndarray:
        """Which tables have it as it was printed.

        >>> tables = np.array([[[1, 1], [0, 1]], [[2, 0], [0, 1]]])
        >>> Score.of("acc", 2, Fraction(0)).fits(tables, (Fraction(1, 2), Fraction(2, 3), True, True))
        array([ True, False])
        """
        lower, upper, *closed_ends = score_window
        window = (self._power_of(lower), self._power_of(upper), *closed_ends)
        keys, positions = self.keys(tables)
        fits = [not misses((key, key), window) for key in keys]
        return np.array(fits, bool)[positions]

    def _power_of(self, end: Fraction) -> Fraction:
        """An end of a window as scores are compared: no score that is a root is below 0."""
        if end > 0:
            return end**self.power
        return end

    def value(self, key: Any) -> Number:
        """The score, exact but for irrational roots of more than the second power.

        >>> Score.of("gmean", 3, Fraction(0)).value(Fraction(27, 125))
        Fraction(3, 5)
        """
        if self.power == 1:
            return key
        if self.power == 2:
            return RootSum.sqrt(key)  # type: ignore[return-value]
        lower, upper = root_range(Fraction(key), self.power, 0)
        if lower == upper:
            return lower
        return float(key) ** (1 / self.power)


def _rough_nmi(tables: np.ndarray) -> np.ndarray:
    """Normalised mutual information in doubles: 2 (H(rows) + H(columns) - H(cells)) / (H(rows) + H(columns))."""
    from scipy.special import entr

    n = tables[0].sum()
    rows, cols, cells = (entr(sizes / n).sum(axis=1) for sizes in _margins_and_cells(tables))
    entropies = rows + cols
    is_defined = entropies > 0
    return np.where(is_defined, 2 * (entropies - cells) / np.where(is_defined, entropies, 1), 1)


def _rough_mcc(tables: np.ndarray, undefined: float) -> np.ndarray:
    """Matthews' correlation in doubles: a covariance by the root of two variances, all times n^2."""
    hits, rows, cols = (sizes.astype(float) for sizes in _counts(tables))
    n = rows.sum(axis=1)
    covariance = n * hits.sum(axis=1) - (rows * cols).sum(axis=1)
    variance_of_rows = n**2 - (rows**2).sum(axis=1)
    variance_of_cols = n**2 - (cols**2).sum(axis=1)
    variances = variance_of_rows * variance_of_cols
    is_defined = variances > 0
    return np.where(is_defined, covariance / np.sqrt(np.where(is_defined, variances, 1)), undefined)


def _margins_and_cells(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row sums, column sums and cells of each table."""
    return tables.sum(axis=2), tables.sum(axis=1), tables.reshape(len(tables), -1)


def _with_rows(tables: np.ndarray) -> FixedRows:
    return FixedRows(
        tables[0].sum(axis=1).tolist(),
        tables.shape[2],
    )


def _mean_of_classes(measure: str, places: list[int], undefined: Fraction, table: Any) -> Fraction:
    """The mean over some classes of recall, precision or F1."""
    values = _OF_CLASSES[measure](table, exact=True, undefined=undefined)
    return sum((values[i] for i in places), Fraction(0)) / len(places)


def _means(measure: str, places: list[int], undefined: Fraction, tables: np.ndarray) -> Ratios:
    """The same of many tables: numerators and denominators."""
    hits, rows, cols = (sizes[:, places] for sizes in _counts(tables))
    if measure == "recall":
        numerator = hits
        denominator = rows
    elif measure == "precision":
        numerator = hits
        denominator = cols
    else:
        numerator = 2 * hits
        denominator = rows + cols
    numerator, denominator = _or_undefined(numerator, denominator, undefined)
    return sum_of_ratios(
        numerator,
        denominator * len(places),
        np.ones_like(numerator, bool),
    )


def _or_undefined(numerator: np.ndarray, denominator: np.ndarray, undefined: Fraction) -> Ratios:
    """Ratios with their value for 0/0."""
    is_defined = denominator != 0
    return (
        np.where(is_defined, numerator, undefined.numerator),
        np.where(is_defined, denominator, undefined.denominator),
    )


def _counts(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Diagonal, row and column sums of each table."""
    return np.diagonal(tables, axis1=1, axis2=2), tables.sum(axis=2), tables.sum(axis=1)


def _product(undefined: Fraction, table: Any) -> Fraction:
    return prod(
        (_mean_of_classes("recall", [i], undefined, table) for i in range(len(table))),
        start=Fraction(1),
    )


def _products_of_recalls(undefined: Fraction, tables: np.ndarray) -> Ratios:
    hits, rows, _ = _counts(tables.astype(object))
    numerator, denominator = _or_undefined(hits, rows, undefined)
    product = numerator.prod(axis=1)
    divisor = denominator.prod(axis=1)
    return lowest_terms(product, divisor)


def _of_means(undefined: Fraction, table: Any) -> Fraction:
    places = [*range(len(table))]
    recall = _mean_of_classes("recall", places, undefined, table)
    precision = _mean_of_classes("precision", places, undefined, table)
    if recall + precision:
        return 2 * recall * precision / (recall + precision)
    return Fraction(0)


def _all_of_means(undefined: Fraction, tables: np.ndarray) -> Ratios:
    places = [*range(tables.shape[1])]
    # 2 (p/q) (u/v) / (p/q + u/v) = 2 p u / (p v + u q).
    p, q = (part.astype(object) for part in _means("recall", places, undefined, tables))
    u, v = (part.astype(object) for part in _means("precision", places, undefined, tables))
    denominator = p * v + u * q
    return lowest_terms(
        2 * p * u,
        np.where(denominator, denominator, 1),
    )
