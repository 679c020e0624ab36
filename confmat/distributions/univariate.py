"""Distributions of one statistic."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate
from math import fsum, log, nan, prod, sqrt
from numbers import Rational
from operator import itemgetter
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from confmat._arguments import ALTERNATIVES, as_amount, as_choice, as_instance
from confmat._display import Part, Shown, Verbatim, exact_json, exact_text, text_of
from confmat._display.sheets import Sheet
from confmat._engine.signatures import SIGNATURES_READ_AT_ONCE
from confmat._integers.arrays import read_only, uniform_below
from confmat.distributions.lines import Line, Listed, Moments, Number, five_positions, rank
from confmat.errors import TooLargeError
from confmat.indices.numbers import Rounded
from confmat.statistics.record import Statistic

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_WIDEST_TITLE = 60

# The numbers of ``describe`` after the count.
_DESCRIBED = ("mean", "std", "min", "25%", "50%", "75%", "max")

# Longest text of an exact number, in characters.
_LONGEST_EXACT = 40


def _probability(argument: str, q: Any) -> Rounded:
    """Return a probability. Raise ValueError that names the argument for a number outside [0, 1]."""
    share = Rounded.of(argument, q)
    if share.low > 1 or share.high < 0:
        raise ValueError(f"{argument} must be from 0 to 1, got {q!r}")
    return share


def _as_objects(items: Iterable[Any]) -> np.ndarray:
    """Return an object array with one dimension."""
    listed = list(items)
    array = np.empty(len(listed), object)
    array[:] = listed
    return array


def _for_each(function: Callable[[Any], Any], x: Any, exact: bool) -> Any:
    """Return ``function(x)`` for a scalar, or an array of the results for an array ``x``.

    Results are floats unless ``exact``. The result for NaN is NaN.
    """

    def image(item: Any) -> Any:
        return nan if isinstance(item, float) and item != item else function(item)

    if np.ndim(x):
        images = np.frompyfunc(image, 1, 1)(np.array(x, object))
        return images if exact else images.astype(float)
    return image(x) if exact else float(image(x))


def _undefined(table: Any) -> float:
    """Return NaN. This function is the statistic of a distribution that has values but no tables."""
    return nan


def _no_example(distribution: Distribution, is_maximum: bool) -> None:
    """Return None, because a distribution of values has no example tables."""


@dataclass(frozen=True, eq=False, repr=False)
class Distribution(Shown):
    """Exact distribution of one statistic.

    It has the methods of a frozen distribution of ``scipy.stats``: ``pmf``, ``cdf``, ``sf``, ``ppf``, ``rvs``, ...

    - Values, probabilities and quantiles are exact: Fractions, or exact numbers with logarithms or roots. They are
      floats if the statistic has no exact values. ``exact=False`` returns floats.
    - Moments are the nearest floats, because their fractions are long. ``exact=True`` returns Fractions.
    - A scalar gives a scalar, an array an array of the same shape.
    - A float argument represents all numbers that round to it, a string such as ``"1/3"`` is exact.

    Tables for which the statistic is 0/0 are counted by ``undefined``. All other numbers are about the tables for which
    it is defined, of weight ``total``. If there are none, these numbers are NaN.

    >>> from confmat.classes import Tables
    >>> from confmat.distributions import distribution
    >>> d = distribution(Tables(5, 2, 2), "rd")
    >>> d.mean(exact=True), d.quantile("1/4"), d.cdf(0.4), d.sf("2/5"), d.max()
    (Fraction(2, 5), Fraction(2, 5), Fraction(5, 9), Fraction(4, 9), Fraction(3, 5))
    """

    _statistic: Statistic
    _over: Callable[[], str]
    _line: Line
    _find: Callable[[Distribution, bool], np.ndarray | None]
    _is_drawn: bool = False

    @classmethod
    def from_counts(
        cls, counts: Mapping[Number, int], name: str = "value", population: str = "a list"
    ) -> Distribution:
        """Return the distribution of values with positive integer weights.

        Parameters
        ----------
        counts : dict
            Weight of each value. nan counts undefined values.
        name : str
            Name of the statistic. Default: "value".
        population : str
            Name of the population. Default: "a list".

        Returns
        -------
        Distribution

        Examples
        --------
        >>> numbers = Distribution.from_counts({Fraction(0): 1, Fraction(1): 3, nan: 2})
        >>> numbers.mean(exact=True), numbers.quantile("1/4"), numbers.total, numbers.undefined
        (Fraction(3, 4), Fraction(0, 1), 4, 2)
        """
        as_instance("counts", counts, Mapping, "a mapping of values to weights")
        # No table is behind the values: the statistic has no function, and there are no example tables.
        statistic = Statistic(name, _undefined)
        values = Listed(counts)
        name_of_population = partial(str, population)
        return cls(statistic, name_of_population, values, _no_example)

    @property
    def name(self) -> str:
        """Short name of the statistic."""
        return self._statistic.name

    @property
    def total(self) -> int:
        """Weight of the matrices for which the statistic is defined."""
        return self._line.total

    @property
    def undefined(self) -> int:
        """Weight of the matrices for which the statistic is 0/0."""
        return self._line.undefined

    def _moments_of(self, exact: bool) -> Moments:
        """Return mean, variance and standard deviation.

        They are floats if ``exact`` is False and their fractions are long.
        """
        moments = self._line.moments(exact)
        return (nan, nan, nan) if moments is None else moments

    @cached_property
    def _moments(self) -> Moments:
        """Mean, variance and standard deviation for display."""
        return self._moments_of(False)

    def mean(self, *, exact: bool = False) -> Number:
        """Return the mean.

        Parameters
        ----------
        exact : bool, default: False
            Return a Fraction if True: the one of the ARI over 3 x 3 tables of 20 objects has 874 digits. Return the
            nearest float if False.

        Returns
        -------
        float or Fraction

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> d = distribution(Tables(4, 2, 2), "rd")
        >>> d.mean(), d.mean(exact=True)
        (0.38596491228070173, Fraction(22, 57))
        """
        return self._moments_of(True)[0] if exact else float(self._moments[0])

    def var(self, *, exact: bool = False) -> Number:
        """Return the variance, with the divisor n and not n - 1.

        Parameters
        ----------
        exact : bool, default: False
            Return a Fraction if True, the nearest float if False.

        Returns
        -------
        float or Fraction

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> d = distribution(Tables(4, 2, 2), "rd")
        >>> d.var(), d.var(exact=True)
        (0.07325330871037242, Fraction(238, 3249))
        """
        return self._moments_of(True)[1] if exact else float(self._moments[1])

    def std(self) -> float:
        """Return the standard deviation.

        Returns
        -------
        float
            The nearest float.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").std()
        0.2706534845709037
        """
        return self._moments[2]

    def moment(self, order: int, *, exact: bool = False) -> Number:
        """Return the mean of a power of the value.

        Parameters
        ----------
        order : int
            Power, at least 0.
        exact : bool, default: False
            Return a Fraction if True, the nearest float if False.

        Returns
        -------
        float or Fraction

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").moment(3, exact=True)
        Fraction(67, 513)
        """
        power = as_amount("order", order, 0)
        return self.expect(lambda value: value**power, exact=exact)

    def expect(self, function: Callable[[Number], Any] | None = None, *, exact: bool = False) -> Any:
        """Return the mean of a function of the value.

        Parameters
        ----------
        function : callable, optional
            Function of one value. Default: the value itself.
        exact : bool, default: False
            Return a Fraction if True. The function must then return integers or Fractions. Return a float if False.

        Returns
        -------
        float or Fraction
            NaN if there are no values.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").expect(lambda rd: 1 - rd, exact=True)
        Fraction(35, 57)
        """
        if function is None:
            return self.mean(exact=exact)
        if not self.total:
            return nan
        images = [(function(value), count) for value, count in self]
        if all(isinstance(image, Rational) for image, _ in images):
            mean = sum(Fraction(image) * count for image, count in images) / self.total
            return mean if exact else float(mean)
        if exact:
            raise TypeError("function must return integers or Fractions if exact=True, got another number")
        return fsum(float(image) * (count / self.total) for image, count in images)

    def entropy(self) -> float:
        """Return the entropy in nats.

        Returns
        -------
        float

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> round(distribution(Tables(4, 2, 2), "rd").entropy(), 9)
        1.079529573
        """
        if not self._line.total:
            return nan
        return -fsum(float(p) * log(p) for p in self.probabilities)

    def mode(self) -> Number:
        """Return the most probable value, or the smallest one of several.

        Returns
        -------
        Fraction, number or float
            NaN if there are no values.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").mode()
        Fraction(1, 2)
        """
        value, _ = max(self, key=itemgetter(1), default=(nan, 0))
        return value

    @cached_property
    def _five(self) -> list[Number]:
        """Smallest value, quartiles and largest value."""
        if self._line.total:
            return self._line.at(five_positions(self._line.total))
        return [nan] * 5

    def min(self) -> Number:
        """Return the smallest value.

        Returns
        -------
        Fraction, number or float
            NaN if there are no values.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").min()
        Fraction(0, 1)
        """
        return self._five[0]

    def median(self) -> Number:
        """Return the median, the smallest value x with P(X <= x) >= 1/2.

        Returns
        -------
        Fraction, number or float
            NaN if there are no values.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").median()
        Fraction(1, 2)
        """
        return self._five[2]

    def max(self) -> Number:
        """Return the largest value.

        Returns
        -------
        Fraction, number or float
            NaN if there are no values.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").max()
        Fraction(2, 3)
        """
        return self._five[4]

    def support(self) -> tuple[Number, Number]:
        """Return the smallest and the largest value.

        Returns
        -------
        (number, number)

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").support()
        (Fraction(0, 1), Fraction(2, 3))
        """
        return self.min(), self.max()

    def quantile(self, q: Any, *, exact: bool = True) -> Any:
        """Return the smallest value ``x`` with ``cdf(x) >= q``. ``ppf`` is the same function.

        Parameters
        ----------
        q : number, str or array-like
            Probability from 0 to 1. If it is a float, a probability that rounds to it suffices.
        exact : bool, default: True
            Return exact values if True, floats if False.

        Returns
        -------
        Fraction, float or ndarray
            Always one of the values: quantiles are not interpolated.

        Raises
        ------
        ValueError
            If ``q`` is outside [0, 1].

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> d = distribution(Tables(4, 2, 2), "med")
        >>> d.quantile(0.9), d.ppf([0.25, 0.75], exact=False)
        (Fraction(1, 2), array([0. , 0.5]))
        """

        def value(item: Any) -> Number:
            share = _probability("q", item)
            return self._value_at(share.low, share.closed)

        return _for_each(value, q, exact)

    ppf = quantile

    def isf(self, q: Any, *, exact: bool = True) -> Any:
        """Return the smallest value ``x`` with P(X > x) <= ``q``, the inverse of the survival function ``sf``.

        A one-sided test at level ``q`` rejects if the observed value is larger than ``x``.

        Parameters
        ----------
        q : number, str or array-like
            Probability from 0 to 1. For a float, ``x`` is the smallest value whose probability P(X > x), rounded to
            a float, is at most ``q``.
        exact : bool, default: True
            Return exact values if True, floats if False.

        Returns
        -------
        Fraction, float or ndarray
            One value for each entry of ``q``, always one of the values of the distribution.

        Raises
        ------
        ValueError
            If ``q`` is outside [0, 1].

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").isf(["1/3", "1/4"]).tolist()
        [Fraction(1, 2), Fraction(2, 3)]
        """

        def value(item: Any) -> Number:
            share = _probability("q", item)
            return self._value_at(1 - share.high, share.closed)

        return _for_each(value, q, exact)

    def _value_at(self, share: Fraction, reached: bool) -> Number:
        """Return the smallest value x with P(X <= x) >= p, or with P(X <= x) > p if ``reached`` is False.

        p is the argument ``share``.
        """
        if not self._line.total:
            return nan
        position = rank(self._line.total, share, reached)
        return self._line.at([min(position, self._line.total)])[0]

    def interval(self, confidence: Any, *, exact: bool = True) -> tuple[Any, Any]:
        """Return an interval around the median with equal tails.

        Parameters
        ----------
        confidence : number or str
            Probability from 0 to 1. A float is read as the decimal number that it is displayed as.
        exact : bool, default: True
            Return exact values if True, floats if False.

        Returns
        -------
        tuple
            ``quantile((1 - confidence) / 2)`` and ``quantile((1 + confidence) / 2)``. A value lies between both, ends
            included, with a probability of ``confidence`` or more.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").interval(0.5)
        (Fraction(0, 1), Fraction(2, 3))
        """
        _probability("confidence", confidence)
        share = Fraction(str(confidence))
        low = self.quantile((1 - share) / 2, exact=exact)
        return low, self.quantile((1 + share) / 2, exact=exact)

    def pmf(self, x: Any, *, exact: bool = True) -> Any:
        """Return the probability of the value ``x``.

        Parameters
        ----------
        x : number, str or array-like
            Value. A float represents the values that round to it, a string such as ``"1/3"`` is exact.
        exact : bool, default: True
            Return Fractions if True, floats if False.

        Returns
        -------
        Fraction, float or ndarray
            0 if ``x`` is not a value.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> d = distribution(Tables(4, 2, 2), "rd")
        >>> d.pmf(2 / 3), d.pmf("2/3"), d.pmf("0.6667")
        (Fraction(5, 19), Fraction(5, 19), Fraction(0, 1))
        """

        def probability(item: Any) -> Number:
            numbers = Rounded.of("x", item)
            weight_below = self._weight_below(numbers)
            return self._share(self._line.up_to(numbers.high, numbers.relation) - weight_below)

        return _for_each(probability, x, exact)

    def cdf(self, x: Any, *, exact: bool = True) -> Any:
        """Return the probability of a value of at most ``x``.

        Parameters
        ----------
        x : number, str or array-like
            Upper end, included. A float includes the values that round to it, a string such as ``"1/3"`` is exact.
        exact : bool, default: True
            Return Fractions if True, floats if False.

        Returns
        -------
        Fraction, float or ndarray

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> d = distribution(Tables(4, 2, 2), "rd")
        >>> d.cdf("1/2"), d.cdf([0, 0.5, 1], exact=False).round(3)
        (Fraction(14, 19), array([0.316, 0.737, 1.   ]))
        """

        def probability(item: Any) -> Number:
            numbers = Rounded.of("x", item)
            return self._share(self._line.up_to(numbers.high, numbers.relation))

        return _for_each(probability, x, exact)

    def sf(self, x: Any, *, exact: bool = True) -> Any:
        """Return the probability of a value larger than ``x`` (survival function).

        Parameters
        ----------
        x : number, str or array-like
            Lower end, not included. A float excludes the values that round to it, a string such as ``"1/3"`` is exact.
        exact : bool, default: True
            Return Fractions if True, floats if False.

        Returns
        -------
        Fraction, float or ndarray

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").sf(0.5)
        Fraction(5, 19)
        """
        return _for_each(lambda item: 1 - self.cdf(item), x, exact)

    def pvalue(self, observed: Any, alternative: str = "greater") -> Number:
        """Return the probability of a value at least as extreme as the observed one.

        Parameters
        ----------
        observed : number or str
            Observed value. A float represents the values that round to it, a string such as ``"1/3"`` is exact.
        alternative : {"greater", "less", "two-sided"}, default: "greater"
            Extreme values are at least ``observed``, or at most ``observed``. For "two-sided" the result is twice the
            smaller of both probabilities, at most 1.

        Returns
        -------
        Fraction or float
            NaN if there are no values.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> d = distribution(Tables(4, 2, 2), "rd")
        >>> d.pvalue(2 / 3), d.sf(2 / 3), d.pvalue("1/2", "less")
        (Fraction(5, 19), Fraction(0, 1), Fraction(14, 19))
        """
        as_choice("alternative", alternative, ALTERNATIVES)
        numbers = Rounded.of("observed", observed)
        if not self._line.total:
            return nan
        weight_below = self._weight_below(numbers)
        greater = 1 - self._share(weight_below)
        if alternative == "two-sided":
            return min(Fraction(1), 2 * min(greater, self.cdf(observed)))
        return greater if alternative == "greater" else self.cdf(observed)

    def _weight_below(self, numbers: Rounded) -> int:
        """Return the weight of the values smaller than every number that rounds to a given float."""
        return self._line.up_to(numbers.low, "<" if numbers.closed else "<=")

    def _refuse_no_values(self) -> None:
        """Raise ValueError if there are no values to draw."""
        if not self._line.total:
            raise ValueError(
                f"the distribution of {self.name!r} over {self._over()} has no values, so that nothing can be drawn"
            )

    def _share(self, weight: int) -> Number:
        """Return a weight as a probability, NaN if there are no values."""
        return Fraction(weight, self._line.total) if self._line.total else nan

    def standard_error(self, x: Any = None) -> float:
        """Return the standard error of the mean, or of the probability ``cdf(x)``.

        Parameters
        ----------
        x : number or str, optional
            Argument of ``cdf``. Default: the error of the mean.

        Returns
        -------
        float
            0.0 if the distribution is exact.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.sampling import stream
        >>> d = stream(Tables(4, 2, 2), 1000, rng=1).distribution("rd")["rd"]
        >>> round(d.standard_error(), 3), round(d.standard_error(0), 3)
        (0.009, 0.015)
        """
        if not self._is_drawn:
            return 0.0
        share = 0 if x is None else self.cdf(x)
        std = self.std() if x is None else sqrt(share * (1 - share))
        return std / sqrt(self.total)

    def __iter__(self) -> Iterator[tuple[Number, int]]:
        """Yield every value, in increasing order, with its weight."""
        return self._line.points()

    def argmin(self) -> np.ndarray | None:
        """Return a matrix with the smallest value.

        Returns
        -------
        array of int or None
            None if the distribution has no tables.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(6, 2, 3), "med", "rd").given("med=1/3")["rd"].argmin().tolist()
        [[2, 2, 0], [0, 0, 2]]
        """
        return self._end(False)

    def argmax(self) -> np.ndarray | None:
        """Return a matrix with the largest value.

        Returns
        -------
        array of int or None
            None if the distribution has no tables.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(6, 2, 3), "med", "rd")["rd"].argmax().tolist()
        [[3, 1, 1], [1, 0, 0]]
        """
        return self._end(True)

    def _end(self, is_maximum: bool) -> np.ndarray | None:
        """Return a matrix with the largest or the smallest value, None if there is none."""
        if self._line.total:
            return self._find(self, is_maximum)
        return None

    def describe(self, *, exact: bool = False) -> dict[str, Any]:
        """Return count, mean, standard deviation, extremes and quartiles by the names of pandas.

        Parameters
        ----------
        exact : bool, default: False
            Return Fractions if True, floats if False. "std" is always a float.

        Returns
        -------
        dict

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> d = distribution(Tables(4, 2, 2), "rd")
        >>> {name: str(number) for name, number in d.describe(exact=True).items() if name != "std"}
        {'count': '19', 'mean': '22/57', 'min': '0', '25%': '0', '50%': '1/2', '75%': '2/3', 'max': '2/3'}
        """
        if not self.total:
            return {"count": 0} | dict.fromkeys(_DESCRIBED, nan)
        mean, _, std = self._moments_of(exact)
        numbers = [mean, std, *self._five]
        if not exact:
            numbers = list(map(float, numbers))
        return {"count": self.total} | dict(zip(_DESCRIBED, numbers))

    def _numbers(self) -> dict[str, Number]:
        """Return the displayed numbers by name, exact unless their fractions are long."""
        mean, _, sd = self._moments
        names = ("mean", "sd", "min", "q1", "median", "q3", "max")
        return dict(zip(names, [mean, sd, *self._five]))

    def to_frame(self, *, exact: bool = False) -> Any:
        """Return values, counts and probabilities as a DataFrame.

        Parameters
        ----------
        exact : bool, default: False
            Return exact values if True, floats if False.

        Returns
        -------
        pandas.DataFrame
            Columns ``value``, ``count`` and ``probability``.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(4, 2, 2), "rd")["rd"].to_frame()
                 rd  count  probability
        0  0.000000      6     0.315789
        1  0.500000      8     0.421053
        2  0.666667      5     0.263158
        """
        import pandas as pd

        if self._line.total:
            values, weights = map(list, zip(*self._line.points()))
        else:
            values = []
            weights = []
        shares = [Fraction(w, self._line.total) for w in weights]
        if exact:
            return pd.DataFrame({self.name: values, "count": weights, "probability": shares}, dtype=object)
        columns = {
            self.name: list(map(float, values)),
            "count": weights,
            "probability": list(map(float, shares)),
        }
        return pd.DataFrame(columns)

    @cached_property
    def _points(self) -> tuple[np.ndarray, np.ndarray]:
        """Values and counts, as read-only object arrays."""
        if getattr(self._line, "size", 0) > SIGNATURES_READ_AT_ONCE:
            raise TooLargeError(
                f"the distribution of {self.name} over {self._over()} exceeds the limit of "
                f"{SIGNATURES_READ_AT_ONCE:,} values to list"
            )
        points = list(self._line.points())
        values = map(itemgetter(0), points)
        counts = map(itemgetter(1), points)
        return read_only(_as_objects(values)), read_only(_as_objects(counts))

    @property
    def values(self) -> np.ndarray:
        """Distinct values in increasing order, an object array.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").values.astype(float).round(4).tolist()
        [0.0, 0.5, 0.6667]
        """
        return self._points[0]

    @property
    def counts(self) -> np.ndarray:
        """Weight of each value, an object array of Python integers.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").counts.tolist()
        [6, 8, 5]
        """
        return self._points[1]

    @property
    def probabilities(self) -> np.ndarray:
        """Probability of each value, an object array of Fractions.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").probabilities.tolist()
        [Fraction(6, 19), Fraction(8, 19), Fraction(5, 19)]
        """
        return _as_objects([Fraction(count, self.total) for count in self.counts])

    def __len__(self) -> int:
        """Return the number of distinct values."""
        return len(self.values)

    def __bool__(self) -> bool:
        """Return whether there are values."""
        return self.total > 0

    def rvs(self, size: int | tuple[int, ...] | None = None, *, rng: Any = None) -> Any:
        """Draw random values.

        Parameters
        ----------
        size : int or tuple of int, optional
            Shape of the result. Default: one value, which is not in an array.
        rng : None, int, SeedSequence or Generator, optional
            Source of randomness. The first draws of an int do not depend on ``size``.

        Returns
        -------
        value or ndarray
            Exact values, an object array if ``size`` is given.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").rvs(3, rng=3).tolist()
        [Fraction(2, 3), Fraction(0, 1), Fraction(1, 2)]
        """
        shape = () if size is None else np.ravel(np.array(size, object))
        number = prod(as_amount("size", length) for length in shape)
        self._refuse_no_values()
        generator = np.random.default_rng(rng)
        cumulative = list(accumulate(self.counts))
        places = []
        for _ in range(number):
            position = uniform_below(generator, self.total)
            places.append(bisect_right(cumulative, position))
        return self.values[places[0]] if size is None else self.values[places].reshape(tuple(shape))

    def plot(self, kind: Literal["cdf", "pmf"] = "cdf", *, ax: Axes | None = None) -> Axes:
        """Draw the distribution function as steps, or probabilities as bars.

        Parameters
        ----------
        kind : {"cdf", "pmf"}, default: "cdf"
            "pmf" draws bars with mean and median. If there are many values, they are grouped into 40 intervals.
        ax : matplotlib.axes.Axes, optional
            Default: a new one.

        Returns
        -------
        matplotlib.axes.Axes

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(4, 2, 2), "rd")["rd"].plot().get_xlabel()
        'RD (Rand distance)'
        """
        from confmat._figures import (
            BLUE,
            PALE,
            VERMILLION,
            canvas,
            distribution_steps,
            finish,
            legend_below,
            masses,
        )

        if kind not in ("cdf", "pmf"):
            raise ValueError(f"kind must be 'cdf' or 'pmf', got {kind!r}")
        self._refuse_no_values()
        values = self.values.astype(float)
        shares = self.probabilities.astype(float)
        ax = canvas(ax)
        if kind == "cdf":
            distribution_steps(ax, values, shares, color=BLUE)
        else:
            middles, width, heights = masses(values, shares)
            ax.bar(middles, heights, width, color=PALE, edgecolor=BLUE, linewidth=0.6)
            ax.axvline(
                float(self.mean()),
                color=VERMILLION,
                linestyle="--",
                label=f"mean {float(self.mean()):.4f}",
            )
            ax.axvline(
                float(self.median()),
                color=BLUE,
                linestyle=":",
                label=f"median {float(self.median()):.4f}",
            )
            legend_below(ax, 2)
        y_label = "probability"
        if kind == "cdf":
            y_label += " of a value up to it"
        _, _, condition = self._over().partition(" given ")
        title = f"Distribution of {self.name.upper()}"
        if condition:
            title += f" given {condition}"
        finish(ax, self._statistic.label, y_label, fill(title, _WIDEST_TITLE))
        return ax

    def _brief(self) -> Iterator[Part]:
        """Yield one line of text with mean, standard deviation, extremes and quartiles, for ``repr``."""
        if not self._line.total:
            yield Verbatim(f"<distribution of {self.name} over {self._over()}: no values>")
            return
        numbers = ", ".join(f"{key} {text_of(x)}" for key, x in self._numbers().items())
        if self.undefined:
            undefined_text = f"; undefined in {self.undefined}"
        else:
            undefined_text = ""
        yield Verbatim(f"<distribution of {self.name} over {self._over()}: {numbers}{undefined_text}>")

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text: the population, and the numbers."""
        yield f"Distribution of {self.name} over {self._over()}."
        yield from self._in_writing()

    def _in_writing(self, more: str = "") -> Iterator[Part]:
        """Yield the displayed table: mean, standard deviation, quartiles and extremes.

        Exact values are added if they are short. ``more`` is appended to the title of the table.
        """
        if not self._line.total:
            yield "It has no values."
            return
        sheet = Sheet(
            ("", "value", "exact"),
            ("", "exact"),
            f"{self.name}{more}",
        )
        for key, number in self._numbers().items():
            sheet.add_row(
                key,
                f"{float(number):.9g}",
                exact_text(number, _LONGEST_EXACT),
            )
        if self.undefined:
            sheet.add_row("undefined", self.undefined, "")
        yield sheet

    def _facts(self) -> dict[str, Any]:
        """Return the numbers and the weight of undefined values by name, for JSON."""
        numbers = self._numbers().items() if self._line.total else ()
        facts: dict[str, Any] = {key: exact_json(x) for key, x in numbers}
        if self.undefined:
            facts["undefined"] = self.undefined
        return facts


def numbers_of_laws(
    sheet: Sheet, labelled: Sequence[tuple[str, Distribution]], text: Callable[[Number], str]
) -> Sheet:
    """Add one row of numbers (mean, quartiles, ...) for each distribution to a sheet with a column of labels.

    ``text`` formats a number. If a distribution has undefined values, a last column has their weights.
    """
    are_undefined = any(law.undefined for _, law in labelled)
    sheet.head += ("mean", "sd", "min", "q1", "median", "q3", "max", "undefined")[: 7 + are_undefined]
    for label, law in labelled:
        numbers = law._numbers().values() if law.total else [nan] * 7
        sheet.add_row(label, *map(text, numbers), *[law.undefined] * are_undefined)
    return sheet
