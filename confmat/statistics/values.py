"""Values of statistics as numbers and as arrays of exact ratios, and the operators of formulas on both."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.indices.classification.roots import RootSum
from confmat.statistics.grammar import RELATIONS
from confmat.statistics.ratios import COMPARISONS, Ratio, Whole
from confmat.statistics.record import Statistic
from confmat.statistics.table import SIZES

# --- on numbers -----------------------------------------------------------------------------------

TRUTHS: dict[str, Callable[..., Any]] = {
    "and": lambda *parts: np.logical_and.reduce(np.broadcast_arrays(*parts)),
    "or": lambda *parts: np.logical_or.reduce(np.broadcast_arrays(*parts)),
    "not": np.logical_not,
    "->": lambda given, then: np.logical_or(np.logical_not(given), then),
}

OPERATORS: dict[str, Callable[..., Any]] = {
    "neg": operator.neg,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    **COMPARISONS,
}


def as_number(value: Any) -> Any:
    """A value as a Fraction, a root or a float.

    >>> as_number(np.int64(3)), as_number(np.float64(0.5))
    (Fraction(3, 1), 0.5)
    """
    if isinstance(value, Integral):
        return Fraction(int(value))
    return float(value) if isinstance(value, np.floating) else value


def sizes_of(n: int, shape: tuple[int, ...]) -> dict[str, Fraction]:
    """What n, r and s stand for in a formula.

    >>> sizes_of(20, (3, 4))["s"]
    Fraction(4, 1)
    """
    return dict(zip(SIZES, map(Fraction, (n, *shape))))


def exact_value(statistic: Statistic, table: Any) -> Any:
    """The value of one matrix, a root not rounded.

    >>> from confmat.statistics import STATISTICS
    >>> exact_value(STATISTICS["fm"], [[3, 0], [1, 1]]) == RootSum.sqrt(Fraction(3, 8))
    True
    """
    if statistic.root:
        square = statistic.square(table)
        return square if square != square else RootSum.sqrt(Fraction(square))
    return statistic(table)


# --- on arrays ------------------------------------------------------------------------------------


def ratios_of(statistic: Statistic, matrices: MatrixClass, sums: Iterable[np.ndarray]) -> Ratio:
    """The values of a statistic with a formula over members of a class, from arrays m, A, B and P.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import STATISTICS
    >>> rd = ratios_of(STATISTICS["rd"], Tables(4, 2, 2), np.array([[1, 0], [3, 2], [2, 2], [1, 2]]))
    >>> of_ratios(">", (rd, Fraction(1, 3)))
    array([ True, False])
    """
    base, n = statistic.base, matrices.n
    assert base.formula is not None
    try:
        terms = base.formula(n, *map(Whole, sums))
    except TypeError:  # a formula with functions of NumPy
        terms = base.formula(n, *(x.astype(object) for x in sums))
        terms = Whole(np.asarray(terms[0])), Whole(np.asarray(terms[1]))
    undefined = None if base.undefined != base.undefined else Fraction(base.undefined)
    values = Ratio.of(*terms, undefined=undefined, root=base.root)
    if statistic.factor is not None:
        values = values * _constant(statistic.factor(matrices))
    return _constant(Fraction(1)) - values if statistic.complement else values


def _constant(value: Fraction) -> Ratio:
    return Ratio.of(value.numerator, value.denominator)


def of_ratios(sign: str, parts: tuple[Any, ...]) -> Any:
    """An operator applied to ratios or truths, in arrays."""
    if sign in TRUTHS:
        return TRUTHS[sign](*parts)
    numbers = [_constant(x) if isinstance(x, Fraction) else x for x in parts]
    if sign in RELATIONS:
        return numbers[0].compared(sign, numbers[1])
    return OPERATORS[sign](*numbers)
