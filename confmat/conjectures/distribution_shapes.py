"""Statements about the distribution of a statistic over a class, such as that its mean rises with another statistic.

Each statement is a function of the class, for example ``Conjecture(..., predicate=rises("ard", given="med"),
on="distributions")``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from operator import methodcaller
from typing import Any

from confmat._engine.walks import Chunk, values_of
from confmat.certificates.seals import digest
from confmat.classes.orbits import Generators
from confmat.conjectures.named import condition_on, statistic_of
from confmat.conjectures.outcomes import Finding, Violation
from confmat.distributions.from_class import joint_distribution
from confmat.distributions.multivariate import JointDistribution
from confmat.distributions.univariate import Distribution
from confmat.errors import CertificateError
from confmat.statistics.conditions import Condition
from confmat.statistics.grammar import NUMBERS
from confmat.statistics.record import Statistic, shared_symmetry
from confmat.statistics.table import as_statistic, is_known

AnyStatistic = str | Statistic | Callable[..., Any]  # short name, statistic or user-defined function

MEASURES: dict[str, Callable[[Distribution], Any]] = {
    "mean": lambda law: law.mean(exact=True),
    "var": lambda law: law.var(exact=True),
    **{name: methodcaller(name) for name in ("min", "median", "max")},
    "q1": methodcaller("quantile", Fraction(1, 4)),
    "q3": methodcaller("quantile", Fraction(3, 4)),
}
"""Functions of a distribution by name: moments, quartiles, the smallest and the largest value."""


@dataclass(frozen=True)
class _Unequal:
    """Function that returns a violation of a condition on moments and quantiles of distributions, or None."""

    condition: Condition

    def __call__(self, law: JointDistribution) -> str | None:
        numbers = self._numbers(law)
        if self.condition.at(law.matrices).holds(numbers):
            return None
        return ", ".join(f"{name} = {x}" for name, x in numbers.items())

    def is_met(self, law: JointDistribution) -> bool | None:
        """Return whether the premise of the condition is true for a distribution, or None if it has no premise."""
        numbers = self._numbers(law)
        return self.condition.judged(lambda condition: condition.at(law.matrices).holds(numbers))[1]

    def _numbers(self, law: JointDistribution) -> dict[str, Any]:
        """Return the moments and quantiles in the condition by their names, such as "ard_mean"."""
        numbers = {}
        for statistic in self.condition.statistics:
            base, number = statistic_of(statistic)
            if not law[base.name]:
                raise ValueError(
                    f"{statistic.name} is undefined over {law.matrices!r}, because {base.name} is undefined for all "
                    "members"
                )
            numbers[statistic.name] = MEASURES[number](law[base.name])
        return numbers


@dataclass(frozen=True)
class LawClaim:
    """Statement about the joint distribution of some statistics over a class.

    ``wrong(law)`` returns a violation or None for the joint distribution ``law``. A violation is a sentence, or a
    `Violation` with example tables.

    >>> from confmat.classes import Tables
    >>> LawClaim(("med",), lambda law: f"{len(law['med'])} values")(Tables(4, 2, 2)).violation.detail
    '3 values'
    """

    statistics: tuple[AnyStatistic, ...]
    wrong: Callable[[JointDistribution], str | Violation | None]

    @property
    def condition(self) -> Condition | None:
        """Return the condition on moments and quantiles that is the statement, or None for another statement."""
        if isinstance(self.wrong, _Unequal):
            return self.wrong.condition
        return None

    @property
    def stated(self) -> dict[str, str] | None:
        """Return the statement as a formula for certificates, or None if it is not a formula."""
        if self.condition is None:
            return None
        return {"formula": str(self.condition), "on": "distributions"}

    @property
    def claim(self) -> list[Any] | None:
        """Return the JSON of a statement made by `rises` with statistics of the package, otherwise None.

        >>> rises("ard", given="med").claim, LawClaim(("med",), print).claim
        (['rises', ['med', 'ard']], None)
        """
        statistics = [*map(as_statistic, self.statistics)]
        if getattr(self.wrong, "func", None) is not _where_mean_falls or not all(map(is_known, statistics)):
            return None
        return ["rises", [x.name for x in statistics]]

    @property
    def symmetry(self) -> Generators:
        """Return the generators of the symmetry that leaves all statistics unchanged."""
        return shared_symmetry(map(as_statistic, self.statistics))

    def __call__(self, matrices: Any) -> Finding:
        return self.finding(joint_distribution(matrices, *self.statistics))

    def of_walk(self, matrices: Any, walk: Iterable[Chunk]) -> Finding:
        """Return the finding for a class, after comparing its distribution with the tables of another enumerator.

        ``walk`` yields arrays of tables (N x r x s), each with an array of the numbers of tables that they
        represent. Raise CertificateError if the distribution computed from these tables differs from that of the
        package.

        >>> import numpy as np
        >>> from confmat.classes import Tables
        >>> walk = [(np.array([[[1, 0], [0, 1]]]), np.array([2]))]
        >>> rises("rd", given="med").of_walk(Tables(2, 2, 2), walk).covered
        2
        """
        law = joint_distribution(matrices, *self.statistics)
        points_again = values_of(matrices, tuple(map(as_statistic, self.statistics)), walk)
        if _words(points_again) != _words(law):
            raise CertificateError(
                f"a second enumeration of {matrices} gives another distribution of {', '.join(law.names)} than "
                "the first one"
            )
        return self.finding(law)

    def finding(self, law: JointDistribution) -> Finding:
        """Return the finding from the distribution ``law`` of the statistics over a class.

        >>> from confmat.classes import Tables
        >>> rises("rd", given="med").finding(joint_distribution(Tables(3, 2, 2), "med", "rd")).covered
        8
        """
        if law._exact:
            seal = law.digest
        else:
            seal = digest("distribution", {"points": _words(law)})
        if not law.total:
            return Finding(0, seal)
        violation = self.wrong(law)
        if isinstance(violation, str):
            violation = Violation(violation)
        cases = None
        if isinstance(self.wrong, _Unequal):
            is_met = self.wrong.is_met(law)
            if is_met is not None:
                cases = law.total * is_met
        return Finding(law.total, seal, violation, cases)


def _words(points: Iterable[tuple[tuple[Any, ...], int]]) -> list[str]:
    """Return a list of strings, each with the values and the weight of a point of a distribution."""
    return [f"{' '.join(map(str, values))} {weight}" for values, weight in points]


# --- how a distribution moves ----------------------------------------------------------------------


def rises(name: AnyStatistic, *, given: AnyStatistic) -> LawClaim:
    """Return the statement that the mean of a statistic does not decrease as the value of another statistic increases.

    Parameters
    ----------
    name : str or Statistic
        Statistic whose conditional means are compared.
    given : str or Statistic
        Statistic on whose values the means are conditional.

    Returns
    -------
    callable
        Predicate for ``Conjecture(..., on="distributions")``.

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> rises("rd", given="med")(Tables(8, 2, 4)).violation.detail
    'the mean of rd goes from 353/609 at med = 5/8 to 4/7 at med = 3/4'
    """
    growing, rising = as_statistic(given).name, as_statistic(name).name
    return LawClaim((given, name), partial(_where_mean_falls, growing, rising))


def _where_mean_falls(given: str, name: str, law: JointDistribution) -> str | None:
    """Return a description of the first decrease of the mean of ``name`` as ``given`` increases, or None."""
    means = []
    for value, law_given in law.groupby(given):
        if value == value and law_given[name]:
            means.append((value, law_given[name].mean(exact=True)))
    for (value, mean), (next_value, next_mean) in pairwise(means):
        if next_mean < mean:
            return f"the mean of {name} goes from {mean} at {given} = {value} to {next_mean} at {given} = {next_value}"
    return None


# --- moments and quantiles in a formula -----------------------------------------------------------


def condition_on_numbers(text: str, argument: str = "statement") -> Condition:
    """Return the condition in a string such as "med_max <= 1 - 1/s, ard_mean <= 1".

    Its names are moments and quantiles of distributions. ``argument`` is the name of the string in error messages.

    >>> condition_on_numbers("med_max <= 1 - 1/s, ard_mean <= 1").names
    ('med_max', 'ard_mean')
    """
    return condition_on(text, NUMBERS, argument)


def of_numbers(condition: Condition) -> LawClaim:
    """Return the statement that a condition on moments and quantiles of distributions is true for a class.

    The names n, r and s mean the sizes of the class.

    >>> from confmat.classes import Tables
    >>> small = of_numbers(condition_on_numbers("med_max <= 1 - 1/s, rd_mean < 1/3"))
    >>> small(Tables(4, 2, 2)).violation.detail
    'med_max = 1/2, rd_mean = 22/57'
    """
    bases: list[AnyStatistic] = []
    for statistic in condition.statistics:
        base, _ = statistic_of(statistic)
        if base not in bases:
            bases.append(base)
    return LawClaim(tuple(bases), _Unequal(condition))
