"""Measures of a classifier's confusion matrix: per class, against the rest, over pairs of classes."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from math import isqrt
from typing import Any, NamedTuple

from confmat.indices.classification.counts import ClassCounts, TwoClass
from confmat.indices.classification.roots import RootSum
from confmat.indices.undefined import Undefined, check_undefined, undefined_value
from confmat.matrices.arguments import as_fraction

Exact = Fraction | RootSum
Number = Fraction | RootSum | float
Values = Number | tuple[Number, ...]

Weighted = tuple[Fraction, Number]

# One class (i,) against the rest, or one class against another (i, j), and their counts.
Case = tuple[tuple[int, ...], TwoClass]

# Means over pairs of classes, and what they look at in each.
PAIRS = {"pairs": ClassCounts.pair, "ovo": ClassCounts.ovo}
STRATEGIES = ("rest", *PAIRS)

# Binary places of the fixed-point sums that floats are rounded from.
_BITS = 128


class Measure(NamedTuple):
    """A measure of two classes: its name, and its exact value, None where it is 0/0."""

    name: str
    of: Callable[[TwoClass], Exact | None]


def _over(numerator: int, denominator: int) -> Fraction | None:
    return Fraction(numerator, denominator) if denominator else None


def _root(square: Fraction | None) -> RootSum | None:
    return None if square is None else RootSum.sqrt(square)


def f_beta(beta: Any) -> Measure:
    """The F-measure with a given weight of sensitivity against precision.

    >>> f_beta(2).of(TwoClass(tp=2, fn=1, fp=3, tn=4))
    Fraction(10, 17)
    """
    p, q = (as_fraction("beta", beta) ** 2).as_integer_ratio()
    if beta < 0:
        raise ValueError(f"beta must be at least 0, got {beta}")
    return Measure("f_measure", lambda c: _over((p + q) * c.tp, (p + q) * c.tp + p * c.fn + q * c.fp))


SENSITIVITY = Measure("sensitivity", lambda c: _over(c.tp, c.tp + c.fn))
SPECIFICITY = Measure("specificity", lambda c: _over(c.tn, c.tn + c.fp))
PRECISION = Measure("precision", lambda c: _over(c.tp, c.tp + c.fp))
G_MEAN_SP = Measure("g_mean_sp", lambda c: _root(_over(c.tp**2, (c.tp + c.fn) * (c.tp + c.fp))))
G_MEAN_SS = Measure("g_mean_ss", lambda c: _root(_over(c.tp * c.tn, (c.tp + c.fn) * (c.tn + c.fp))))
DISCRETE_AUC = Measure(
    "discrete_auc",
    lambda c: _over(c.tp * (c.tn + c.fp) + c.tn * (c.tp + c.fn), 2 * (c.tp + c.fn) * (c.tn + c.fp)),
)


# --- the whole matrix -----------------------------------------------------------------------------


def accuracy(matrix_or_y_true: Any, y_pred: Any = None, /, *, exact: bool = False) -> Fraction | float:
    """Share of objects predicted in their class, sum n_ii / n (correct rate, COR), from 0 to 1.

    >>> accuracy([[50, 0, 0], [0, 48, 2], [0, 1, 49]], exact=True)
    Fraction(49, 50)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred)
    share = Fraction(sum(map(counts.correct, range(counts.size))), counts.n)
    return share if exact else float(share)


def balanced_rate(matrix_or_y_true: Any, y_pred: Any = None, /, *, exact: bool = False) -> Number:
    """Balanced correct rate (BCR): the mean sensitivity of the classes that hold an object, from 0 to 1.

    For two classes the mean of sensitivity and specificity (Santos & Embrechts 2009).  scikit-learn's
    ``balanced_accuracy_score``: classes without an object are left out there too, with a warning.

    >>> balanced_rate([[8, 2], [1, 4]], exact=True)
    Fraction(4, 5)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred)
    recalls = [Fraction(counts.correct(i), row) for i, row in enumerate(counts.rows) if row]
    return _answer(sum(recalls, Fraction(0)) / len(recalls), exact)


# --- one class against others ---------------------------------------------------------------------


def sensitivity(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    strategy: str | None = None,
    label: int | None = None,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Sensitivity (recall, hit rate) tp / (tp + fn) of each class, as a tuple; 0/0 for a class without objects.

    >>> sensitivity([[8, 2], [1, 4]], exact=True)
    (Fraction(4, 5), Fraction(4, 5))
    """
    return evaluate(SENSITIVITY, ClassCounts.of(matrix_or_y_true, y_pred), strategy, label, exact, undefined)


def specificity(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    strategy: str | None = None,
    label: int | None = None,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Specificity tn / (tn + fp) of each class, as a tuple; 0/0 for a class that holds all objects.

    >>> specificity([[8, 2], [1, 4]], label=0, exact=True)
    Fraction(4, 5)
    """
    return evaluate(SPECIFICITY, ClassCounts.of(matrix_or_y_true, y_pred), strategy, label, exact, undefined)


def precision(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    strategy: str | None = None,
    label: int | None = None,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Precision tp / (tp + fp) of each class, as a tuple; 0/0 for a class in which nothing is predicted.

    >>> precision([[8, 2], [1, 4]], exact=True)
    (Fraction(8, 9), Fraction(2, 3))
    """
    return evaluate(PRECISION, ClassCounts.of(matrix_or_y_true, y_pred), strategy, label, exact, undefined)


def f_measure(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    beta: float | Fraction = 1,
    strategy: str | None = "rest",
    label: int | None = None,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """F-measure (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp), from 0 to 1: by default the one-vs-rest mean.

    The harmonic mean of sensitivity and precision for b = 1, precision for b = 0; Lewis & Gale (1994),
    Espindola & Ebecken (2005, equation 5; its "same importance" for b = 0 is a slip for b = 1).  Written with
    counts, as here and in scikit-learn, it is 0 for a class in which nothing is predicted, and 0/0 only where
    there is neither an object nor a prediction.

    >>> f_measure([[8, 2], [1, 4]], exact=True), f_measure([[8, 2], [1, 4]], strategy=None, exact=True)
    (Fraction(168, 209), (Fraction(16, 19), Fraction(8, 11)))
    """
    return evaluate(f_beta(beta), ClassCounts.of(matrix_or_y_true, y_pred), strategy, label, exact, undefined)


def g_mean_sp(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    strategy: str | None = "rest",
    label: int | None = None,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Geometric mean sqrt(sensitivity * precision), from 0 to 1: by default the one-vs-rest mean.

    Kubat, Holte & Matwin (1998); Espindola & Ebecken (2005, equation 6).  0/0 for a class without objects or
    predictions.  ``exact=True`` gives a `RootSum`; the square of one class's value is rational.

    >>> g = g_mean_sp([[8, 2], [1, 4]], label=0, exact=True)
    >>> g**2 == Fraction(32, 45)
    True
    """
    return evaluate(G_MEAN_SP, ClassCounts.of(matrix_or_y_true, y_pred), strategy, label, exact, undefined)


def g_mean_ss(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    strategy: str | None = "rest",
    label: int | None = None,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Geometric mean sqrt(sensitivity * specificity), from 0 to 1: by default the one-vs-rest mean.

    Kubat, Holte & Matwin (1998); Espindola & Ebecken (2005, equation 7).  0/0 for a class with no objects or
    with all of them.  ``exact=True`` gives a `RootSum` where it is irrational.  imbalanced-learn's
    ``geometric_mean_score(average=None)`` is the tuple of all classes; its "weighted" mean is the root of the
    product of the weighted means, and its default the K-th root of the product of all sensitivities.

    >>> g_mean_ss([[8, 2], [1, 4]], exact=True)
    Fraction(4, 5)
    """
    return evaluate(G_MEAN_SS, ClassCounts.of(matrix_or_y_true, y_pred), strategy, label, exact, undefined)


def discrete_auc(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    strategy: str | None = "rest",
    label: int | None = None,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Area under the ROC curve through one operating point, (sensitivity + specificity)/2, from 0 to 1.

    By default the one-vs-rest mean (Provost & Domingos 2001), which is scikit-learn's ``roc_auc_score`` of
    one-hot predictions with ``multi_class="ovr"``.  ``strategy="pairs"`` averages over pairs of classes and counts
    only the objects predicted in one of the two; ``strategy="ovo"`` counts all objects of the two, as Hand & Till
    (2001) and ``multi_class="ovo"`` do, and is 1/2 + (K BCR - 1)/(2(K - 1)) for K classes.  0/0 for a class with no
    objects or with all of them.

    >>> discrete_auc([[7, 3], [2, 8]], label=0, exact=True)
    Fraction(3, 4)
    >>> [discrete_auc([[5, 1, 1], [0, 6, 2], [1, 0, 3]], strategy=way, exact=True) for way in ("pairs", "ovo")]
    [Fraction(31, 36), Fraction(45, 56)]
    """
    return evaluate(DISCRETE_AUC, ClassCounts.of(matrix_or_y_true, y_pred), strategy, label, exact, undefined)


# --- shared ---------------------------------------------------------------------------------------


def evaluate(
    measure: Measure,
    counts: ClassCounts,
    strategy: str | None,
    label: int | None,
    exact: bool,
    undefined: Undefined,
) -> Values:
    """A measure of one class, of every class (``strategy=None``), or its mean by a strategy.

    >>> evaluate(f_beta(1), ClassCounts.of([[8, 2], [1, 4]]), strategy=None, label=None, exact=True, undefined="raise")
    (Fraction(16, 19), Fraction(8, 11))
    """
    check_undefined(undefined)
    if strategy is not None and strategy not in STRATEGIES:
        raise ValueError(f'strategy must be "rest", "pairs", "ovo" or None, got {strategy!r}')
    if label is not None and strategy in PAIRS:
        raise ValueError(
            f'label={label!r} asks for one class against the rest, strategy="{strategy}" does not'
        )
    if label is not None:
        i = counts.class_number(label)
        (value,) = _values(measure, [((i,), counts.rest(i))], undefined)
        return _answer(value, exact)
    if strategy is None:
        cases = [((i,), counts.rest(i)) for i in range(counts.size)]
        return tuple(_answer(value, exact) for value in _values(measure, cases, undefined))
    terms = mean_terms(strategy, measure, counts, undefined)
    return _answer(_sum(terms), True) if exact else _rounded(terms)


def mean_by(strategy: str, measure: Measure, counts: ClassCounts, undefined: Undefined) -> Number:
    """The exact mean of a measure by a strategy, "rest", "pairs" or "ovo".

    >>> counts = ClassCounts.of([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    >>> [str(mean_by(strategy, f_beta(1), counts, "raise")) for strategy in STRATEGIES]
    ['37/45', '851/945', '6533/7560']
    """
    return _sum(mean_terms(strategy, measure, counts, undefined))


def mean_terms(strategy: str, measure: Measure, counts: ClassCounts, undefined: Undefined) -> list[Weighted]:
    """The weights and values that a strategy adds up."""
    if strategy == "rest":
        present = [i for i, row in enumerate(counts.rows) if row]
        values = _values(measure, [((i,), counts.rest(i)) for i in present], undefined)
        return [(Fraction(counts.rows[i], counts.n), value) for i, value in zip(present, values)]
    if counts.size < 2:
        raise ValueError(f'strategy="{strategy}" needs at least two classes, got a 1 x 1 matrix')
    cases = [(pair, PAIRS[strategy](counts, *pair)) for pair in permutations(range(counts.size), 2)]
    weight = Fraction(1, len(cases))
    return [(weight, value) for value in _values(measure, cases, undefined)]


def _values(measure: Measure, cases: Sequence[Case], undefined: Undefined) -> list[Number]:
    """The measure in some cases, with one warning or error for all that are 0/0."""
    values = [measure.of(counts) for _, counts in cases]
    empty = [case for case, value in zip(cases, values) if value is None]
    instead: Number = 0.0
    if empty:
        classes, counts = empty[0]
        which = "class " + " against class ".join(map(str, classes))
        more = f" (and of {len(empty) - 1} more)" if len(empty) > 1 else ""
        instead = undefined_value(undefined, f"{measure.name} of {which}{more}", counts.empty)
    return [instead if value is None else value for value in values]


def _sum(terms: list[Weighted]) -> Number:
    """Sum of weight times value, exact; all floats are the caller's one number for 0/0, infinite or NaN."""
    for _, value in terms:
        if isinstance(value, float):
            return value
    if any(isinstance(value, RootSum) for _, value in terms):
        return RootSum.of((weight * w, q) for weight, value in terms for w, q in _terms(value))
    return sum((weight * value for weight, value in terms), Fraction(0))


def _rounded(terms: list[Weighted]) -> float:
    """The sum as a double, correctly rounded: in fixed point where that decides it, else from the exact sum.

    The common denominator of many classes, or the comparison of all their roots, would take too long.
    """
    if not any(isinstance(value, float) for _, value in terms):
        parts = [(weight * w, q) for weight, value in terms for w, q in _terms(value)]
        if all(w.numerator >= 0 for w, _ in parts):
            low = sum(isqrt((w.numerator**2 * q << 2 * _BITS) // w.denominator**2) for w, q in parts)
            ends = {float(Fraction(end, 1 << _BITS)) for end in (low, low + len(parts))}
            if len(ends) == 1:
                return ends.pop()
    return float(_sum(terms))


def _terms(value: Number) -> tuple[tuple[Fraction, int], ...]:
    return value.terms if isinstance(value, RootSum) else ((Fraction(value), 1),)


def _answer(value: Number, exact: bool) -> Number:
    if not exact:
        return float(value)
    return value if not isinstance(value, RootSum) or value.rational is None else value.rational


# Short names, as they stand in files, in laws and on the command line.
cor = accuracy
balanced_accuracy = balanced_rate
bcr = balanced_rate
f = f_measure
f1_weighted = f_measure
gsp = g_mean_sp
gss = g_mean_ss
auc = discrete_auc
