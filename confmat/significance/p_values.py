"""P-values, exact or with a bound of their error, and distributions from which p-values are computed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import attrgetter
from typing import Any

import numpy as np

from confmat._display import Answer, Part, Verbatim, details, number_json, probability_text, text_of


@dataclass(frozen=True, repr=False)
class PValue(Answer):
    """Probability of a result at least as extreme as the observed one.

    Attributes
    ----------
    pvalue : Fraction or float
        A Fraction if it is exact. A float from a recursion has a relative error of at most ``error``. From m draws
        of which b are as extreme it is (b + 1)/(m + 1). This is never 0, and a test with it has the nominal level.
    mid : Fraction or float
        Mid-p value, in which equal results count one half.
    interval : (float, float) or None
        Clopper-Pearson interval of the exact p-value, for draws.
    error : float or None
        Bound of the relative error, for a recursion.

    References
    ----------
    Davison and Hinkley (1997), for draws.
    """

    pvalue: Fraction | float
    mid: Fraction | float
    interval: tuple[float, float] | None = None
    error: float | None = None

    def __float__(self) -> float:
        """Return the p-value as a float."""
        return float(self.pvalue)

    def _lines(self) -> list[tuple[str, Any]]:
        """Return the displayed names and numbers."""
        lines: list[tuple[str, Any]] = [("p", self.pvalue), ("mid-p", self.mid)]
        lines += interval_lines("interval", self.interval)
        if self.error is not None:
            lines.append(("relative error", f"at most {self.error:.2g}"))
        return lines

    def _parts(self) -> Iterable[Part]:
        """Yield the displayed table: p-value, mid-p value, and their error."""
        yield details(self._lines(), "p-value")

    def _brief(self) -> Iterable[Part]:
        """Yield one line of text with the numbers."""
        yield Verbatim(f"PValue({', '.join(f'{name} = {text_of(x)}' for name, x in self._lines())})")

    def _facts(self) -> dict[str, Any]:
        """Return p, mid, method, interval and relative_error by name, for JSON."""
        return {
            "p": number_json(self.pvalue),
            "mid": number_json(self.mid),
            "method": self.method,
            "interval": self.interval,
            "relative_error": self.error,
        }

    @property
    def within(self) -> str:
        """Interval or error of the exact probability as text, empty if ``pvalue`` is exact.

        >>> p_of_draws(0, 0, 9999).within
        '0 to 5.30·10^-4'
        """
        if self.error is not None:
            return f"relative error below {self.error:.0e}"
        if self.interval is None:
            return ""
        return " to ".join(map(probability_text, self.interval))

    @property
    def method(self) -> str:
        """Method by which the p-value was computed: "exact", "recursion" or "Monte Carlo"."""
        if self.error is not None:
            return "recursion"
        if self.interval is None:
            return "exact"
        return "Monte Carlo"


def interval_lines(name: str, interval: tuple[float, float] | None) -> list[tuple[str, str]]:
    """Return a list with one displayed row, (name, interval as text). It is empty if the interval is None.

    >>> interval_lines("99 % interval", (0.25, 0.5))
    [('99 % interval', '0.25 to 0.5')]
    """
    return [] if interval is None else [(name, "{:.4g} to {:.4g}".format(*interval))]


# Confidence level of the intervals of p-values from draws.
_CONFIDENCE = 0.99


def p_of_draws(below: int, equal: int, draws: int) -> PValue:
    """Return the p-value of ``draws`` draws.

    Of these, ``below`` are more extreme than the observed value, and ``equal`` are equal to it.

    >>> p = p_of_draws(3, 1, 99)
    >>> p.pvalue, p.mid
    (Fraction(1, 20), Fraction(1, 25))
    """
    from scipy.special import betaincinv  # scipy.stats takes half a second to import

    k = below + equal
    outside = (1 - _CONFIDENCE) / 2
    low = 0.0
    high = 1.0
    if k:
        low = float(betaincinv(k, draws - k + 1, outside))
    if k < draws:
        high = float(
            betaincinv(
                k + 1,
                draws - k,
                1 - outside,
            )
        )
    # The observed table counts as one of the draws.
    exact = p_of_counts(below, equal + 1, draws + 1, drawn=False)
    return replace(exact, interval=(low, high))


def p_of_counts(below: int, equal: int, total: int, *, drawn: bool) -> PValue:
    """Return the p-value of ``total`` equally likely cases: ``below`` are more extreme, ``equal`` are as extreme.

    If ``drawn``, the cases are draws, and the result has an interval. Otherwise they are all cases.

    >>> p_of_counts(3, 1, 100, drawn=False).mid
    Fraction(7, 200)
    """
    if drawn:
        return p_of_draws(below, equal, total)
    return PValue(
        Fraction(below + equal, total),
        Fraction(
            2 * below + equal,
            2 * total,
        ),
    )


def of_sides(
    tail: Callable[[str], Any],
    alternative: str,
    doubled: Sequence[str] = ("pvalue", "mid", "interval"),
    /,
    **changed: Any,
) -> Any:
    """Return the result of a test for the alternative "greater", "less" or "two-sided".

    ``tail`` returns the result for "greater" or "less". For "two-sided" the one with the smaller p-value is taken.
    Its fields in ``doubled``, the p-value first, are doubled, to at most 1. ``changed`` are other fields of a
    two-sided result.

    >>> of_sides(lambda side: p_of_counts(0, 1 + len(side), 20, drawn=False), "two-sided").pvalue
    Fraction(1, 2)
    """
    if alternative != "two-sided":
        return tail(alternative)
    sides = [tail("greater"), tail("less")]
    smaller = min(sides, key=attrgetter(doubled[0]))
    for name in doubled:
        chance = getattr(smaller, name)
        changed[name] = tuple(map(_twice, chance)) if isinstance(chance, tuple) else _twice(chance)
    return replace(smaller, **changed)


def _twice(chance: Any) -> Any:
    """Return twice a probability, at most 1. None remains None."""
    return None if chance is None else min(2 * chance, type(chance)(1))


@dataclass(frozen=True)
class TailLine:
    """Distribution of agreement (the ARI, or the negative MED): increasing values with weights.

    If ``drawn``, the weights are numbers of draws, and p-values have intervals.
    """

    values: Sequence[Fraction]
    weights: Sequence[int] | np.ndarray
    drawn: bool = False

    @classmethod
    def of(cls, points: Iterable[tuple[Any, int]], sign: int, *, drawn: bool) -> TailLine:
        """Return the distribution of ``sign`` times the values, given points (value, weight)."""
        values, weights = zip(*sorted((sign * Fraction(value), weight) for value, weight in points))
        return cls(values, weights, drawn)

    def p_value(self, observed: Fraction, alternative: str) -> PValue:
        """Return the p-value of an observed value."""

        def tail(side: str) -> PValue:
            beyond, equal = self._beyond(observed, side)
            return p_of_counts(beyond, equal, sum(self.weights), drawn=self.drawn)

        return of_sides(tail, alternative)

    def lower(self, observed: Fraction, alternative: str) -> bool:
        """Return whether smaller values are the extreme ones for this alternative.

        For "two-sided" the extreme values are in the tail with the smaller p-value.
        """
        if alternative == "two-sided":
            return bool(self._beyond(observed, "less")[0] < self._beyond(observed, "greater")[0])
        return alternative == "less"

    def _beyond(self, observed: Fraction, side: str) -> tuple[Any, Any]:
        """Return the weight of values beyond the observed one, and the weight of equal values.

        Values beyond it are larger, or smaller for the alternative "less".
        """
        begin = bisect_left(self.values, observed)
        end = bisect_right(self.values, observed)
        more_extreme = self.weights[end:] if side == "greater" else self.weights[:begin]
        return sum(more_extreme), sum(self.weights[begin:end])

    def critical(self, level: Fraction) -> Fraction | None:
        """Return the least value x with P(X >= x) <= ``level``, None if there is none."""
        total = sum(self.weights)
        critical_value = None
        running = 0
        for value, weight in zip(reversed(self.values), reversed(self.weights)):
            running += weight
            if running > level * total:
                break
            critical_value = value if weight else critical_value
        return critical_value
