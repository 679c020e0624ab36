"""Claims about the law of a statistic over a class: its shape, and how it moves with something else.

Each is a function of the class, for ``Conjecture(..., predicate=rises("ard", given="med"), on="laws")``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from operator import methodcaller
from typing import Any

from confmat._arguments import as_choice
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

AnyStatistic = str | Statistic | Callable[..., Any]  # a statistic: by its short name, or one's own
Points = list[tuple[tuple[Any, ...], int]]

MEASURES: dict[str, Callable[[Distribution], Any]] = {
    "mean": lambda law: law.mean(exact=True),
    "var": lambda law: law.var(exact=True),
    **{name: methodcaller(name) for name in ("min", "median", "max")},
    "q1": methodcaller("quantile", Fraction(1, 4)),
    "q3": methodcaller("quantile", Fraction(3, 4)),
    "share-of-min": lambda law: Fraction(next(iter(law))[1], law.total),
    "share-of-max": lambda law: Fraction([*law][-1][1], law.total),
}
"""Numbers of a law on the line: moments, quartiles, and the probability of its smallest and of its largest value."""


@dataclass(frozen=True)
class _Unequal:
    """What a condition on numbers of laws finds wrong."""

    condition: Condition

    def __call__(self, points: Points, matrices: Any) -> str | None:
        numbers = self._numbers(points, matrices)
        if self.condition.at(matrices).holds(numbers):
            return None
        return ", ".join(f"{name} = {x}" for name, x in numbers.items())

    def is_met(self, points: Points, matrices: Any) -> bool | None:
        """Whether the premise holds; None where there is none."""
        numbers = self._numbers(points, matrices)
        return self.condition.judged(lambda condition: condition.at(matrices).holds(numbers))[1]

    def _numbers(self, points: Points, matrices: Any) -> dict[str, Any]:
        bases = {x.name: statistic_of(x) for x in self.condition.statistics}
        laws: dict[str, dict[Any, int]] = {base.name: {} for base, _ in bases.values()}
        for values, weight in points:
            for law, x in zip(laws.values(), values):
                if x == x:
                    law[x] = law.get(x, 0) + weight
        numbers = {}
        for name, (base, number) in bases.items():
            law = laws[base.name]
            if not law:
                raise ValueError(
                    f"{name} must be a number: {base.name} is undefined for all members of {matrices!r}"
                )
            numbers[name] = MEASURES[number](Distribution.from_counts(law, base.name))
        return numbers


@dataclass(frozen=True)
class LawClaim:
    """That nothing is wrong with the joint law of some statistics: ``wrong(points, class)`` says what is, or None.

    A sentence, or a ``Violation`` with the matrices that show it.

    Points are ((value, ...), weight), in increasing order; those with no value but nan, undefined, are left out.

    >>> from confmat.classes import Tables
    >>> LawClaim(("med",), lambda points, matrices: f"{len(points)} values")(Tables(4, 2, 2)).violation.detail
    '3 values'
    """

    statistics: tuple[AnyStatistic, ...]
    wrong: Callable[[Points, Any], str | Violation | None]

    @property
    def condition(self) -> Condition | None:
        """The condition on numbers of laws, where it is one."""
        if isinstance(self.wrong, _Unequal):
            return self.wrong.condition
        return None

    @property
    def stated(self) -> dict[str, str] | None:
        """The statement as certificates have it, where it is a formula."""
        if self.condition is None:
            return None
        return {"formula": str(self.condition), "on": "laws"}

    @property
    def claim(self) -> list[Any] | None:
        """The whole of it as JSON, where it is one of those below on statistics of the package; else None.

        >>> rises("ard", given="med").claim, LawClaim(("med",), print).claim
        (['moves', ['med', 'ard'], ['med', 'ard', 'mean', 1]], None)
        """
        if type(self.wrong) is not partial or self.wrong.func not in _CLAIMS or self.wrong.keywords:
            return None
        statistics = [*map(as_statistic, self.statistics)]
        plain = all(isinstance(x, str | int) for x in self.wrong.args)
        if not plain or not all(map(is_known, statistics)):
            return None
        return [
            _CLAIMS[self.wrong.func],
            [x.name for x in statistics],
            [*self.wrong.args],
        ]

    @property
    def symmetry(self) -> Generators:
        """What leaves all its statistics unchanged."""
        return shared_symmetry(map(as_statistic, self.statistics))

    def __call__(self, matrices: Any) -> Finding:
        return self.finding(matrices, joint_distribution(matrices, *self.statistics))

    def of_walk(self, matrices: Any, walk: Iterable[Chunk]) -> Finding:
        """The same, after the law was found again from the tables of a walk; CertificateError where that differs.

        >>> import numpy as np
        >>> from confmat.classes import Tables
        >>> unimodal("rd").of_walk(Tables(2, 2, 2), [(np.array([[[1, 0], [0, 1]]]), np.array([2]))]).covered
        2
        """
        law = joint_distribution(matrices, *self.statistics)
        points_again = values_of(matrices, tuple(map(as_statistic, self.statistics)), walk)
        if _words(points_again) != _words(law.support):
            raise CertificateError(f"{matrices} has another law of {', '.join(law.names)}")
        return self.finding(matrices, law)

    def finding(self, matrices: Any, law: JointDistribution) -> Finding:
        """The same, where the law is at hand.

        >>> from confmat.classes import Tables
        >>> monotone("med", rising=False).finding(Tables(3, 2, 2), joint_distribution(Tables(3, 2, 2), "med")).covered
        8
        """
        if law.exact:
            seal = law.digest
        else:
            seal = digest("law", {"points": _words(law.support)})
        if not law.total:
            return Finding(0, seal)
        points = []
        for values, weight in law.support:
            if any(x == x for x in values):
                points.append((values, weight))
        violation = self.wrong(points, matrices)
        if isinstance(violation, str):
            violation = Violation(violation)
        if isinstance(self.wrong, _Unequal):
            met = self.wrong.is_met(points, matrices)
        else:
            met = None
        if met is None:
            cases = None
        else:
            cases = law.total * met
        return Finding(law.total, seal, violation, cases)


def _words(points: Points) -> list[str]:
    return [f"{' '.join(map(str, values))} {weight}" for values, weight in points]


# --- the shape of one law -------------------------------------------------------------------------


def unimodal(name: AnyStatistic) -> LawClaim:
    """The weights of the values of a statistic, in their order, rise and then fall, both weakly.

    >>> from confmat.classes import Tables
    >>> unimodal("ard")(Tables(5, 2, 2)).violation.detail
    'the weight falls from 8 at ard = 10/13 to 4 at ard = 5/6, and rises later'
    """
    return LawClaim((name,), partial(_several_modes, as_statistic(name).name))


def _several_modes(name: str, points: Points, _: Any) -> str | None:
    steps = list(pairwise(points))
    rises_at = [i for i, ((_, weight), (_, next_weight)) in enumerate(steps) if next_weight > weight]
    if not rises_at:
        return None
    for ((x,), weight), ((y,), next_weight) in steps[: rises_at[-1]]:
        if next_weight < weight:
            places = f"from {weight} at {name} = {x} to {next_weight} at {name} = {y}"
            return f"the weight falls {places}, and rises later"
    return None


def monotone(name: AnyStatistic, rising: bool = True) -> LawClaim:
    """The weights of the values of a statistic never fall (or with ``rising`` False never rise), in their order.

    >>> from confmat.classes import Tables
    >>> monotone("med")(Tables(4, 2, 2)).violation.detail
    'the weight goes from 8 at med = 1/4 to 5 at med = 1/2'
    """
    return LawClaim((name,), partial(_turns, as_statistic(name).name, rising))


def _turns(name: str, rising: bool, points: Points, _: Any) -> str | None:
    sign = 1 if rising else -1
    for ((x,), weight), ((y,), next_weight) in pairwise(points):
        if sign * next_weight < sign * weight:
            return f"the weight goes from {weight} at {name} = {x} to {next_weight} at {name} = {y}"
    return None


def skewed(name: AnyStatistic, left: bool = True) -> LawClaim:
    """The third central moment of a statistic is negative (skewed to the left), or with ``left`` False positive.

    A law of one value is neither, and passes.

    >>> from confmat.classes import Tables
    >>> skewed("med", left=False)(Tables(6, 2, 2)).violation.detail
    'the third central moment is -7/9000'
    """
    return LawClaim((name,), partial(_not_skewed, left))


def mean_value(points: Points) -> Fraction:
    """The mean of the values of one statistic.

    >>> mean_value([((Fraction(1),), 3), ((Fraction(5),), 1)])
    Fraction(2, 1)
    """
    total = sum(weight for _, weight in points)
    return sum((x * weight for (x,), weight in points), Fraction(0)) / total


def _not_skewed(to_the_left: bool, points: Points, _: Any) -> str | None:
    if len(points) < 2:
        return None
    mean = mean_value(points)
    third_powers: Points = [(((x - mean) ** 3,), weight) for (x,), weight in points]
    third = mean_value(third_powers)
    sign = -1 if to_the_left else 1
    if sign * third > 0:
        return None
    return f"the third central moment is {third}"


# --- how a law moves ------------------------------------------------------------------------------


def rises(
    name: AnyStatistic, of: str = "mean", *, given: AnyStatistic | None = None, along: str | None = None
) -> LawClaim:
    """A number of the law of a statistic never falls as something grows.

    ``of``: "mean", another of ``MEASURES``, or "law": the laws are stochastically ordered, P(X <= x) never rises.
    ``given``: another statistic, on whose values the law is conditioned.  ``along``: "n", "r", "s" or "rs", by which
    the class is compared with the next larger one, if there is one.  ValueError unless one is given.

    >>> from confmat.classes import Tables
    >>> rises("rd", given="med")(Tables(8, 2, 4)).violation.detail
    'the mean of rd goes from 353/609 at med = 5/8 to 4/7 at med = 3/4'
    >>> rises("ard", "law", along="n")(Tables(4, 2, 2)).violation.detail
    'P(ard <= 10/13) goes from 6/19 at n = 4 to 4/9 at n = 5'
    """
    return _moving(name, of, given, along, 1)


def falls(
    name: AnyStatistic, of: str = "mean", *, given: AnyStatistic | None = None, along: str | None = None
) -> LawClaim:
    """A number of the law of a statistic never rises as something grows: as ``rises``, the other way.

    >>> from confmat.classes import Tables
    >>> falls("med", "share-of-max", along="rs")(Tables(6, 3, 3)).violation
    """
    return _moving(name, of, given, along, -1)


def _moving(
    name: AnyStatistic, of: str, given: AnyStatistic | None, along: str | None, sign: int
) -> LawClaim:
    as_choice("of", of, ["law", *MEASURES])
    own_name = as_statistic(name).name
    if (given is None) == (along is None):
        raise ValueError(f"given or along must say what grows, got given={given!r}, along={along!r}")
    if given is not None:
        return LawClaim(
            (given, name),
            partial(_along_values, as_statistic(given).name, own_name, of, sign),
        )
    return LawClaim(
        (name,), partial(_along_classes, as_choice("along", along, _GROWN), name, own_name, of, sign)
    )


def _along_values(given: str, name: str, of: str, sign: int, points: Points, _: Any) -> str | None:
    laws: dict[Any, dict[Any, int]] = {}
    for (value, x), weight in points:
        if value == value and x == x:
            laws.setdefault(value, {})[x] = weight
    for (value, law), (next_value, next_law) in pairwise(laws.items()):
        wrong = _step_that_fails(
            name,
            of,
            sign,
            law,
            next_law,
            f"{given} = {value}",
            f"{given} = {next_value}",
        )
        if wrong:
            return wrong
    return None


def _along_classes(
    along: str, statistic: AnyStatistic, name: str, of: str, sign: int, points: Points, matrices: Any
) -> str | None:
    larger = next_class(matrices, along)
    if not larger.count() or not points:
        return None
    support = _support(larger, as_statistic(statistic))
    law = {x: weight for (x,), weight in points}
    larger_law = {x: weight for (x,), weight in support if x == x}
    if not larger_law:
        return None
    return _step_that_fails(
        name,
        of,
        sign,
        law,
        larger_law,
        _size_in_words(matrices, along),
        _size_in_words(larger, along),
    )


@lru_cache(4)
def _support(matrices: Any, statistic: Statistic) -> Points:
    """The law of a larger class: several claims ask for it, one after the other."""
    return joint_distribution(matrices, statistic).support


def _size_in_words(matrices: Any, along: str) -> str:
    sizes = dict(zip("nrs", (matrices.n, *matrices.shape)))
    return f"{', '.join(along)} = {', '.join(str(sizes[k]) for k in along)}"


_GROWN = {"n": ("n",), "r": ("r", "rows"), "s": ("s", "cols"), "rs": ("r", "s", "rows", "cols")}


def next_class(matrices: Any, along: str) -> Any:
    """The class with one more point, row or column; ValueError where that has no meaning.

    >>> from confmat.classes import Tables
    >>> next_class(Tables(4, 2, 2), "s")
    Tables(n=4, r=2, s=3, allow_empty=False)
    """
    sizes = {}
    for name in _GROWN[along]:
        if name in matrices.__dataclass_fields__:
            sizes[name] = getattr(matrices, name)
    has_sums = any(isinstance(getattr(matrices, side, None), tuple) for side in ("rows", "cols"))
    are_numbers = bool(sizes) and all(isinstance(x, int) for x in sizes.values())
    if not are_numbers or ("n" in sizes and has_sums):
        raise ValueError(f"along must be a size that {matrices!r} has as a number, got {along!r}")
    return replace(matrices, **{name: x + 1 for name, x in sizes.items()})


def _step_that_fails(
    name: str, of: str, sign: int, law: Any, next_law: Any, place: str, next_place: str
) -> str | None:
    """What is wrong with the step from one law to the next, both value -> weight."""
    marginal = Distribution.from_counts(law, name)
    next_marginal = Distribution.from_counts(next_law, name)
    if of != "law":
        number = MEASURES[of](marginal)
        next_number = MEASURES[of](next_marginal)
        if sign * next_number >= sign * number:
            return None
        return f"the {of} of {name} goes from {number} at {place} to {next_number} at {next_place}"
    share = next_share = Fraction(0)
    for x in sorted({*law, *next_law}):
        share += Fraction(law.get(x, 0), marginal.total)
        next_share += Fraction(next_law.get(x, 0), next_marginal.total)
        if sign * share < sign * next_share:
            return f"P({name} <= {x}) goes from {share} at {place} to {next_share} at {next_place}"
    return None


# How certificates call what may be wrong with a law.
_CLAIMS = {
    _several_modes: "unimodal",
    _turns: "monotone",
    _not_skewed: "skewed",
    _along_values: "moves",
    _along_classes: "moves along",
}


# --- numbers of a law in a formula ----------------------------------------------------------------


def condition_on_numbers(text: str, argument: str = "statement") -> Condition:
    """The condition of a text such as "med_max <= 1 - 1/s, ard_mean <= 1".

    >>> condition_on_numbers("med_max <= 1 - 1/s, ard_mean <= 1").names
    ('med_max', 'ard_mean')
    """
    return condition_on(text, NUMBERS, argument)


def of_numbers(condition: Condition) -> LawClaim:
    """That a condition on numbers of laws holds, with n, r and s of the class.

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
