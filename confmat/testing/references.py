"""An index against a reference: the same question of the same input, answered exactly by another function.

All small cases, drawn ones, and corners that few draws meet: every number of objects up to 64, 9 to 40 clusters,
blocks, totals around powers of two where machine integers and doubles end.

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
from confmat.indices.classification.roots import RootSum
from confmat.indices.logarithms import LogRatio
from confmat.statistics import Statistic, as_statistic
from confmat.statistics.table import is_known
from confmat.testing.claims import DEGENERATE, TOLERANCE, Subject, plain
from confmat.testing.corners import LARGEST_TOTAL, MANY_CLUSTERS
from confmat.testing.findings import Claim, Fault, UndefinedCase

ROUNDING = 2.0**-48
"""What doubles may lose for each object: quotients of differences of products of counts, such as 1 - sum p^2 where p is
near 1, lose a share of n 2^-52; 16 times that."""


@dataclass(frozen=True)
class Reference:
    """A function of the same cases as an index; exact if it is an index of the package."""

    name: str
    value: Callable[[Any], Any]

    def __call__(self, case: Any) -> Any:
        """The value at a case, None where there is none."""
        try:
            value = self.value(case)
        except (UndefinedIndexError, ZeroDivisionError):
            return None
        return None if value != value else value


def as_reference(reference: Any, subject: Subject) -> Reference:
    """Return a reference from the name of a statistic, a record, or a function of the same input."""
    record = record_of(reference)
    if record is None:
        if not callable(reference):
            raise TypeError(f"reference must be the name of a statistic or a function, got {reference!r}")
        name = getattr(reference, "__name__", "given")
        return Reference(name, lambda case: reference(*subject.given(case)))
    if subject.takes not in ("table", "labels"):
        raise ValueError(f"reference must be a function of the same input as the index, got {reference!r}")
    return Reference(record.name, lambda case: record(subject.table(case)))


def record_of(reference: Any) -> Statistic | None:
    """Return the record that a name or one of the package's own functions stands for.

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
    """The claim that an index has the values of a reference, and none where that has none."""
    max_corner = max_n or max(LARGEST_TOTAL, subject.wishes.max_n)
    max_drawn = max_corner if subject.may_be_large else min(max_corner, subject.wishes.max_n)
    wide = replace(subject, wishes=replace(subject.wishes, max_n=max_drawn))

    def judge(case: Any) -> Fault | None:
        return compared(subject, reference, case)

    def listed() -> Iterator[Any]:
        return chain(
            subject.small(),
            subject.corners(max_corner, max(MANY_CLUSTERS)),
            subject.long(max_corner),
        )

    return subject.claim("reference", listed, [*wide.all_drawn(), *subject.worst], judge, kinds=DEGENERATE)


def compared(subject: Subject, reference: Reference, case: Any) -> Fault | None:
    """What is wrong with the value of a case; Undefined where neither has one, or the index may have any."""
    outcome = subject.outcome(case)
    reference_value = _expected(reference, case)
    is_silenced = outcome.declared and subject.kind(case) in subject.silenced
    if is_silenced or (reference_value is None and outcome.missing):
        raise UndefinedCase(subject.text(case), outcome.missing)
    have_values = not outcome.missing and reference_value is not None
    if have_values and agrees(outcome.value, reference_value, subject.size(case)):
        return None
    outcome_words = outcome.missing or f"has {plain(outcome.value)}"
    value_told = (
        reference_value
        if reference_value is None or isinstance(reference_value, Rational)
        else float(reference_value)
    )
    reference_words = "none" if value_told is None else value_told
    return Fault(
        f"{subject.text(case)} {outcome_words}, but the reference {reference.name} {reference_words}",
        outcome.error,
    )


def _expected(reference: Reference, case: Any) -> Any:
    value = reference(case)
    if value is None or isinstance(value, (Rational, RootSum, LogRatio)):
        return value
    if not isfinite(value):
        raise ValueError(f"the reference {reference.name} is {value!r}")
    return value


def agrees(value: Any, reference_value: Any, n: int) -> bool:
    """Whether a value of n objects is the expected one: exact numbers exactly, doubles up to what they may lose.

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
