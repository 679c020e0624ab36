"""Comparison of an index with a reference: another function of the same input.

Both are called for all small inputs, for random ones, and for edge cases that random draws rarely reach. Edge cases
are tables with every total up to 64, or with 9 to 40 clusters. In others the positive cells form squares of 2 x 2
or 3 x 3 cells along the diagonal. The totals of the largest ones are powers of two and numbers near them, the
limits of machine integers and floats.

>>> from confmat.testing import check_metric
>>> def rounded(table):
...     return round(1 - ((table.sum(axis=1) ** 2).sum()) / table.sum() ** 2, 3)
>>> def gini(table):
...     return 1 - ((table.sum(axis=1) ** 2).sum()) / table.sum() ** 2
>>> found = check_metric(rounded, reference=gini, symmetric=False, n=3, every=3, examples=5)
>>> print(found["reference"].beyond)
[[0, 1], [1, 1]] has 0.444, but the reference gini 0.4444444444444444
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite
from numbers import Rational
from typing import Any

from confmat.errors import UndefinedIndexError
from confmat.statistics import Statistic, as_statistic
from confmat.statistics.table import is_known
from confmat.testing.claims import DEGENERATE, TOLERANCE, Subject, plain
from confmat.testing.corners import LARGEST_TOTAL, MANY_CLUSTERS
from confmat.testing.findings import Claim, Fault, UndefinedCase

ROUNDING = 2.0**-48
"""Tolerance of floats per object: 16 times the relative rounding error n 2^-52 of quotients of differences of products
of counts, such as 1 - sum p^2 with p near 1."""


@dataclass(frozen=True)
class Reference:
    """Named function whose values must equal those of the tested index.

    If the function is an index of this package, its values are exact.
    """

    name: str
    value: Callable[[Any], Any]

    def __call__(self, case: Any) -> Any:
        """Return the value for an input as a rational number or a float, None if it is undefined.

        Raise ValueError if it is infinite.
        """
        try:
            value = self.value(case)
        except (UndefinedIndexError, ZeroDivisionError):
            return None
        if value != value:
            return None
        if isinstance(value, Rational):
            return value
        number = float(value)  # also of a sum of roots or of logarithms
        if not isfinite(number):
            raise ValueError(f"reference must have finite values, got {value!r} from {self.name}")
        return number


def as_reference(reference: Any, subject: Subject) -> Reference:
    """Return a `Reference`, given a statistic, its name, or a function of the same input as the index.

    ``subject`` is the index with the kind of its input.
    """
    record = record_of(reference)
    if record is None:
        if not callable(reference):
            raise TypeError(f"reference must be a function or the name of a statistic, got {reference!r}")
        name = getattr(reference, "__name__", "given")
        return Reference(name, lambda case: reference(*subject.given(case)))
    if subject.takes not in ("table", "labels"):
        raise ValueError(f"reference must be a function of the same input as the index, got {reference!r}")
    return Reference(record.name, lambda case: record(subject.table(case)))


def record_of(reference: Any) -> Statistic | None:
    """Return the `Statistic` of the package, given this statistic, its name or its function.

    Return None for a function outside the package.

    >>> from confmat import ari
    >>> record_of("ari") is record_of(ari) is as_statistic("ari")
    True
    """
    if isinstance(reference, Statistic):
        return reference
    if isinstance(reference, str):
        return as_statistic(reference)
    statistic = as_statistic(reference) if callable(reference) else None
    if statistic is not None and is_known(statistic):
        return statistic
    return None


def against(subject: Subject, reference: Reference, max_n: int | None) -> Claim:
    """Return the `Claim` that an index equals a reference, and is undefined exactly where the reference is.

    ``max_n`` bounds the number of objects of edge cases and of random inputs. None means the default bounds.
    """
    max_corner = max_n or max(LARGEST_TOTAL, subject.wishes.max_n)
    max_drawn = max_corner if subject.may_be_large else min(max_corner, subject.wishes.max_n)
    wide = replace(subject, wishes=replace(subject.wishes, max_n=max_drawn))

    def judge(case: Any) -> Fault | None:
        outcome = subject.outcome(case)
        reference_value = reference(case)
        is_silenced = outcome.declared and subject.kind(case) in subject.silenced
        if is_silenced or (reference_value is None and outcome.missing):
            raise UndefinedCase(subject.text(case), outcome.missing)
        have_values = not outcome.missing and reference_value is not None
        if have_values and agrees(outcome.value, reference_value, subject.size(case)):
            return None
        outcome_words = outcome.missing or f"has {plain(outcome.value)}"
        reference_words = "none" if reference_value is None else reference_value
        words = f"{subject.text(case)} {outcome_words}, but the reference {reference.name} {reference_words}"
        return Fault(words, outcome.error)

    def listed() -> Iterator[Any]:
        return chain(
            subject.small(),
            subject.corners(max_corner, max(MANY_CLUSTERS)),
            subject.long(max_corner),
        )

    return subject.claim("reference", listed, [*wide.all_drawn(), *subject.worst], judge, kinds=DEGENERATE)


def agrees(value: Any, reference_value: Any, n: int) -> bool:
    """Return whether a value equals the reference: exact numbers exactly, floats up to rounding errors of n objects.

    >>> from fractions import Fraction
    >>> agrees(Fraction(1, 3), Fraction(1, 3), 9), agrees(Fraction(333333333333, 10**12), Fraction(1, 3), 9)
    (True, False)
    >>> agrees(1 / 3, Fraction(1, 3), 9), agrees(0.33333334, Fraction(1, 3), 9)
    (True, False)
    """
    if isinstance(value, Rational) and isinstance(reference_value, Rational):
        return bool(value == reference_value)
    gap = abs(float(value) - float(reference_value))
    return gap <= TOLERANCE * max(1.0, abs(float(reference_value))) + n * ROUNDING
