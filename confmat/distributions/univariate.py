"""The law of one statistic: a law on the line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import inf, nan, sqrt
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from confmat._arguments import ALTERNATIVES, as_choice, as_instance
from confmat._display import Answer, Part, Verbatim, exact_json, exact_text, text_of
from confmat._display.sheets import Sheet
from confmat._engine.signatures import SIGNATURES_READ_AT_ONCE
from confmat.distributions.lines import Drawn, Line, Listed, Moments, Number, five_positions, rank
from confmat.errors import TooLargeError
from confmat.indices.numbers import Rounded
from confmat.statistics.conditions import as_condition
from confmat.statistics.record import Statistic

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_WIDEST_TITLE = 60

# Exact numbers of more characters are rounded.
_LONGEST_EXACT = 40


def _undefined(table: Any) -> float:
    """Return nan: a list of values says nothing of a table."""
    return nan


def _no_example(distribution: Distribution, largest: bool) -> None:
    """Return nothing: values alone come from no tables."""


@dataclass(frozen=True, eq=False, repr=False)
class Distribution(Answer):
    """The law of one statistic, ``law["ard"]``.

    Values are Fractions, numbers made of logarithms or roots (their moments are doubles), or doubles where the
    statistic has no others.  ``mean`` and ``var`` are Fractions too, but for
    statistics whose values have many denominators, such as the ARD: there they are the nearest doubles, and
    ``moments(exact=True)`` gives Fractions of thousands of digits.  ``undefined`` is the weight of the matrices where
    the statistic is 0/0; all the rest is about the others, of weight ``total``.

    >>> from confmat.classes import Tables
    >>> from confmat.distributions import joint_distribution
    >>> law = joint_distribution(Tables(5, 2, 2), "med", "rd")["rd"]
    >>> law.mean(), law.quantile("1/4"), law.cdf(0.4), law.probability("rd>2/5"), law.max()
    (Fraction(2, 5), Fraction(2, 5), Fraction(5, 9), Fraction(4, 9), Fraction(3, 5))
    """

    statistic: Statistic
    _over: Callable[[], str]
    _line: Line
    _find: Callable[[Distribution, bool], np.ndarray | None]
    drawn: Drawn | None = None

    @classmethod
    def from_counts(
        cls, counts: Mapping[Number, int], name: str = "value", population: str = "a list"
    ) -> Distribution:
        """Return the distribution in which each value has a positive integer weight; nan stands for undefined ones.

        >>> numbers = Distribution.from_counts({Fraction(0): 1, Fraction(1): 3, nan: 2})
        >>> numbers.mean(), numbers.quantile("1/4"), numbers.total, numbers.undefined
        (Fraction(3, 4), Fraction(0, 1), 4, 2)
        """
        as_instance("counts", counts, Mapping, "a mapping of values to weights")
        statistic = Statistic(name, _undefined)
        line = Listed(counts)
        words = partial(str, population)
        return cls(statistic, words, line, _no_example)

    @property
    def name(self) -> str:
        """Short name of the statistic."""
        return self.statistic.name

    @property
    def population(self) -> str:
        """What it is over: a class, and what is given."""
        return self._over()

    @property
    def exact(self) -> bool:
        """Whether the probabilities are those of exact values: not of draws, and no value is a float.

        >>> Distribution.from_counts({Fraction(1): 2}).exact, Distribution.from_counts({0.5: 2}).exact
        (True, False)
        """
        listed: Sequence[Number] = getattr(self._line, "values", ())
        has_floats = any(isinstance(x, float) for x in listed)
        return self.drawn is None and not self.statistic.is_rounded and not has_floats

    @property
    def total(self) -> int:
        """Weight of the matrices where the statistic is defined."""
        return self._line.total

    @property
    def undefined(self) -> int:
        """Weight of the matrices where it is 0/0."""
        return self._line.undefined

    def moments(self, *, exact: bool = False) -> Moments:
        """Mean, variance, sd; ``exact`` as Fractions (the sd is a correctly rounded double anyway).

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> law = joint_distribution(Tables(4, 2, 2), "ard")["ard"]
        >>> law.moments()[0], law.moments(exact=True)[0]
        (0.7807017543859649, Fraction(89, 114))
        """
        moments = self._line.moments(exact)
        if moments is not None:
            return moments
        if self.undefined:
            return nan, nan, nan
        raise ValueError(f"{self.name!r} has no mean over {self.population}, which has no members")

    _moments = cached_property(moments)

    def mean(self) -> Number:
        """Return the mean.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").mean()
        Fraction(22, 57)
        """
        return self._moments[0]

    def var(self) -> Number:
        """Return the variance.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").var()
        Fraction(238, 3249)
        """
        return self._moments[1]

    def std(self) -> float:
        """Return the standard deviation, a correctly rounded double.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").std()
        0.2706534845709037
        """
        return self._moments[2]

    @cached_property
    def _five(self) -> list[Number]:
        """Least value, quartiles, largest value."""
        if self._line.total:
            return self._line.at(five_positions(self._line.total))
        return [nan] * 5

    def min(self) -> Number:
        """Return the smallest value.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").min()
        Fraction(0, 1)
        """
        return self._five[0]

    def median(self) -> Number:
        """Return the median, the least value with probability 1/2 or more up to it.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").median()
        Fraction(1, 2)
        """
        return self._five[2]

    def max(self) -> Number:
        """Return the largest value.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import distribution
        >>> distribution(Tables(4, 2, 2), "rd").max()
        Fraction(2, 3)
        """
        return self._five[4]

    def quantile(self, p: Any) -> Number:
        """Return the least value x with P(X <= x) >= p, for p from 0 to 1.

        If ``p`` is a float, a probability that rounds to it suffices.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(4, 2, 2), "med")["med"].quantile(0.9)
        Fraction(1, 2)
        """
        share = Rounded.of("p", p)
        if share.low > 1 or share.high < 0:
            raise ValueError(f"p must be from 0 to 1, got {p!r}")
        if self._line.total:
            return self._line.at([rank(self._line.total, share.low, share.closed)])[0]
        return nan

    def cdf(self, x: Any) -> Fraction:
        """P(X <= x); a float includes the values that round to it, a text is exact.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(4, 2, 2), "rd")["rd"].cdf("1/2")
        Fraction(14, 19)
        """
        numbers = Rounded.of("x", x)
        return self._share(self._line.up_to(numbers.high, numbers.relation))

    def sf(self, x: Any) -> Fraction:
        """P(X > x); a float excludes the values that round to it, a text is exact.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(4, 2, 2), "rd")["rd"].sf(0.5)
        Fraction(5, 19)
        """
        return 1 - self.cdf(x)

    def pvalue(self, observed: Any, alternative: str = "greater") -> Fraction:
        """Return the probability of a value at least as extreme as the observed one.

        Parameters
        ----------
        observed : number or str
            Observed value. A float stands for the values that round to it, a text such as ``"1/3"`` is exact.
        alternative : {"greater", "less", "two-sided"}, default: "greater"
            Extreme values are at least ``observed``, at most ``observed``, or both. "two-sided" doubles the smaller
            of both probabilities, at most 1.

        Returns
        -------
        Fraction

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
        below = self._line.up_to(numbers.low, "<" if numbers.closed else "<=")
        greater = 1 - self._share(below)
        if alternative == "two-sided":
            return min(Fraction(1), 2 * min(greater, self.cdf(observed)))
        return greater if alternative == "greater" else self.cdf(observed)

    def probability(self, condition: Any) -> Fraction:
        """Probability of a condition on this statistic, such as "ard>1".

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(4, 2, 2), "ard")["ard"].probability("1/2 < ard <= 1")
        Fraction(8, 19)
        """
        parsed = as_condition(condition, known=[self.statistic])
        if set(parsed.names) - {self.name}:
            raise ValueError(
                f"condition must be on {self.name} alone, got {str(condition)!r}; the joint law answers for several"
            )
        return self._share(sum(w for x, w in self if parsed.holds({self.name: x})))

    def _share(self, weight: int) -> Fraction:
        if not self._line.total:
            raise ValueError(
                f"{self.name!r} has no law over {self.population}, which has no members where it is defined"
            )
        return Fraction(weight, self._line.total)

    @property
    def effective_sample_size(self) -> float:
        """How many independent draws of equal weight say as much; infinite for an exact law.

        Of unequal weights w (sum w)^2 / sum w^2 (Kish 1965), which takes weights and values for unrelated; under a
        condition its share.
        """
        if self.drawn is None:
            return inf
        return self._line.total * self.drawn.worth

    def standard_error(self, what: str = "mean") -> float:
        """Standard error of the ``mean`` of draws, or of the ``probability`` of a condition; 0 for an exact law.

        >>> from confmat.classes import Tables
        >>> from confmat.sampling import stream
        >>> law = stream(Tables(4, 2, 2), 1000, rng=1).distribution("rd")["rd"]
        >>> round(law.standard_error("mean"), 3), round(law.standard_error("rd=0"), 3)
        (0.009, 0.015)
        """
        share = 0 if what == "mean" else self.probability(what)
        sd = self.std() if what == "mean" else sqrt(share * (1 - share))
        return sd / sqrt(self.effective_sample_size)

    def __iter__(self) -> Iterator[tuple[Number, int]]:
        """Every value, in increasing order, with its weight."""
        return self._line.points()

    def argmin(self) -> np.ndarray | None:
        """A matrix with the smallest value, where one can be named.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(6, 2, 3), "med", "rd").given("med=1/3")["rd"].argmin().tolist()
        [[2, 2, 0], [0, 0, 2]]
        """
        return self._end(False)

    def argmax(self) -> np.ndarray | None:
        """A matrix with the largest value, where one can be named.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(6, 2, 3), "med", "rd")["rd"].argmax().tolist()
        [[3, 1, 1], [1, 0, 0]]
        """
        return self._end(True)

    def _end(self, largest: bool) -> np.ndarray | None:
        if self._line.total:
            return self._find(self, largest)
        return None

    def describe(self, *, exact: bool = False) -> dict[str, Number]:
        """Mean, sd, min, quartiles and max by name.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> numbers = joint_distribution(Tables(4, 2, 2), "rd")["rd"].describe()
        >>> {name: str(x) for name, x in numbers.items() if name not in ("sd", "q1")}
        {'mean': '22/57', 'min': '0', 'median': '1/2', 'q3': '2/3', 'max': '2/3'}
        """
        mean, _, sd = self.moments(exact=True) if exact else self._moments
        return {"mean": mean, "sd": sd} | dict(zip(("min", "q1", "median", "q3", "max"), self._five))

    def to_frame(self, *, exact: bool = False) -> Any:
        """A pandas DataFrame: value, count, probability; doubles, or with ``exact`` Fractions.

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
            values, weights = map(list, zip(*self))
        else:
            values = []
            weights = []
        shares = [Fraction(w, self._line.total) for w in weights]
        if exact:
            return pd.DataFrame({self.name: values, "count": weights, "probability": shares}, dtype=object)
        columns = {
            self.name: map(float, values),
            "count": weights,
            "probability": map(float, shares),
        }
        return pd.DataFrame({name: list(column) for name, column in columns.items()})

    def atoms(self) -> tuple[np.ndarray, np.ndarray]:
        """Every value, in increasing order, and its probability, as two arrays of doubles.

        TooLargeError for a law that is not held, or has more than some ten million signatures.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> [x.round(4).tolist() for x in joint_distribution(Tables(4, 2, 2), "rd")["rd"].atoms()]
        [[0.0, 0.5, 0.6667], [0.3158, 0.4211, 0.2632]]
        """
        self._share(0)
        if getattr(self._line, "size", 0) > SIGNATURES_READ_AT_ONCE:
            raise TooLargeError(
                f"the law of {self.name} over {self.population} has too many values to list them"
            )
        points = [(float(x), weight / self._line.total) for x, weight in self]
        return tuple(map(np.array, zip(*points)))  # type: ignore[return-value]

    def plot(self, kind: Literal["cdf", "pmf"] = "cdf", *, ax: Axes | None = None) -> Axes:
        """The distribution function as steps, or ("pmf") bars with mean and median: of values, or of 40 classes.

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
        values, shares = self.atoms()
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
        y_label = "probability" if kind == "pmf" else "probability of a value up to it"
        _, _, condition = self.population.partition(" given ")
        title = f"Law of {self.name.upper()}" + (f" given {condition}" if condition else "")
        finish(ax, self.statistic.label, y_label, fill(title, _WIDEST_TITLE))
        return ax

    def brief(self) -> Iterator[Part]:
        """Its numbers, in a line."""
        if not self._line.total:
            yield Verbatim(f"<law of {self.name} over {self.population}: no values>")
            return
        numbers = ", ".join(f"{key} {text_of(x)}" for key, x in self.describe().items())
        if self.undefined:
            undefined_text = f"; undefined in {self.undefined}"
        else:
            undefined_text = ""
        yield Verbatim(f"<law of {self.name} over {self.population}: {numbers}{undefined_text}>")

    def parts(self) -> Iterator[Part]:
        """What it is over, and its numbers."""
        yield f"Law of {self.name} over {self.population}."
        yield from self._in_writing()

    def _in_writing(self, more: str = "") -> Iterator[Part]:
        """Its numbers, exact where that is short."""
        if not self._line.total:
            yield "It has no values."
            return
        sheet = Sheet(
            ("", "value", "exact"),
            ("", "exact"),
            f"{self.name}{more}",
        )
        for key, number in self.describe().items():
            sheet.add_row(
                key,
                f"{float(number):.9g}",
                exact_text(number, _LONGEST_EXACT),
            )
        if self.undefined:
            sheet.add_row("undefined", self.undefined, "")
        yield sheet

    def as_dict(self) -> dict[str, Any]:
        """Its numbers by name, and how much is undefined."""
        numbers = self.describe().items() if self._line.total else ()
        facts: dict[str, Any] = {key: exact_json(x) for key, x in numbers}
        return facts | {"undefined": self.undefined} if self.undefined else facts


def numbers_of_laws(
    sheet: Sheet, labelled: Sequence[tuple[str, Distribution]], text: Callable[[Number], str]
) -> Sheet:
    """Add the numbers of distributions to a sheet whose only column so far is their labels.

    If values are undefined somewhere, a last column has their weights: the numbers are over the other tables.
    """
    are_undefined = any(law.undefined for _, law in labelled)
    sheet.head += ("mean", "sd", "min", "q1", "median", "q3", "max", "undefined")[: 7 + are_undefined]
    for label, law in labelled:
        numbers = law.describe().values() if law.total else [nan] * 7
        sheet.add_row(label, *map(text, numbers), *[law.undefined] * are_undefined)
    return sheet
