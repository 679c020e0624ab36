"""P-values, exact or with a bound of their error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import attrgetter
from typing import Any

from confmat._display import Answer, Part, Verbatim, details, number_json, probability_text, text_of


@dataclass(frozen=True, repr=False)
class PValue(Answer):
    """Probability of a result at least as extreme as the observed one.

    Attributes
    ----------
    pvalue : Fraction or float
        A Fraction if it is exact. A float from a recursion has a relative error of at most ``error``. From m draws
        of which b are at least as extreme it is (b + 1)/(m + 1). This is never 0, and a test with it has the nominal
        level.
    beyond : Fraction or float
        Probability of a result that is certainly more extreme.
    method : str
        Method, as text: "exact", "recursion" or "Monte Carlo".
    error : float or None
        Bound of the relative error of a float, None for a Fraction.
    bracket : (float, float) or None
        Lower and upper bound of the p-value. ``pvalue`` is then the upper bound.
    interval : (float, float) or None
        Clopper-Pearson interval of 99 %, for draws.
    mid : Fraction or float
        Mid-p value, in which results as extreme as the observed one count one half. Doubled if two-sided, at most 1.

    References
    ----------
    Davison and Hinkley (1997), for draws.
    """

    pvalue: Fraction | float
    beyond: Fraction | float
    method: str = "exact"
    error: float | None = None
    bracket: tuple[float, float] | None = None
    interval: tuple[float, float] | None = None
    mid: Any = None

    def __post_init__(self) -> None:
        """Set the mid-p value if it is not given."""
        if self.mid is None:
            object.__setattr__(self, "mid", (self.pvalue + self.beyond) / 2)

    def __float__(self) -> float:
        """Return the p-value as a float."""
        return float(self.pvalue)

    def _lines(self) -> list[tuple[str, Any]]:
        """Return the displayed lines as pairs (name, number)."""
        lines: list[tuple[str, Any]] = []
        if self.bracket is None:
            lines += [("p", self.pvalue), ("mid-p", self.mid)]
        else:
            lines.append(("p", "between {:.6g} and {:.6g}".format(*self.bracket)))
        if self.error is not None:
            lines.append(("relative error", f"at most {self.error:.1e}"))
        if self.interval is not None:
            lines.append(("99 % interval", "{:.4g} to {:.4g}".format(*self.interval)))
        return lines

    def _parts(self) -> Iterable[Part]:
        """Yield the displayed table: p-value, mid-p value, and their error."""
        yield details(self._lines(), "p-value")

    def _brief(self) -> Iterable[Part]:
        """Yield one line of text with the numbers."""
        yield Verbatim(f"PValue({', '.join(f'{name} = {text_of(x)}' for name, x in self._lines())})")

    def _facts(self) -> dict[str, Any]:
        """Return every field by name, for JSON. Exact numbers have floats in addition."""
        return {
            "p": number_json(self.pvalue),
            "beyond": number_json(self.beyond),
            "mid": number_json(self.mid),
            "method": self.method,
            "relative_error": self.error,
            "bracket": self.bracket,
            "interval": self.interval,
        }

    @property
    def within(self) -> str:
        """Interval or error of the exact probability as text, empty if ``pvalue`` is exact.

        >>> p_of_counts(0, 0, 9999, drawn=True).within
        '0 to 5.30·10^-4'
        """
        if self.error is not None:
            return f"relative error below {self.error:.0e}"
        if self.interval is None:
            return ""
        return " to ".join(map(probability_text, self.interval))


# Confidence level of the intervals of p-values from draws.
_CONFIDENCE = 0.99


def _interval(k: int, draws: int) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a probability, after ``k`` successes in ``draws`` draws."""
    from scipy.special import betaincinv  # scipy.stats takes half a second to import

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
    return low, high


def p_of_counts(beyond: int, equal: int, total: int, *, drawn: bool) -> PValue:
    """Return the p-value if ``beyond`` of ``total`` equally likely cases are more extreme, and ``equal`` as extreme.

    If ``drawn``, the cases are draws, and the result has an interval. Otherwise they are all possible cases.

    >>> p_of_counts(3, 1, 100, drawn=False).mid, p_of_counts(3, 1, 99, drawn=True).pvalue
    (Fraction(7, 200), Fraction(1, 20))
    """
    if not drawn:
        return PValue(Fraction(beyond + equal, total), Fraction(beyond, total))
    # The observed case counts as one of the draws.
    p = p_of_counts(beyond, equal + 1, total + 1, drawn=False)
    return replace(p, method="Monte Carlo", interval=_interval(beyond + equal, total))


def tail_of_values(
    weighted_values: Iterable[tuple[Any, Any]],
    observed: Any,
    side: str,
    ties: float = 0.0,
    *,
    drawn: bool,
) -> PValue:
    """Return the p-value of the ``observed`` value, given the values of a statistic with their weights.

    ``side`` is "greater" or "less". Values within ``ties`` of the observed one count as equal to it. If ``drawn``,
    the values are draws, and the result has an interval.

    >>> tail_of_values([(1, 2), (3, 1), (5, 1)], 3, "greater", drawn=False).pvalue
    Fraction(1, 2)
    """
    weights = {1: 0, 0: 0, -1: 0}
    for value, weight in weighted_values:
        weights[rank_of(value, observed, side, ties)] += weight
    return p_of_counts(
        weights[1],
        weights[0],
        sum(weights.values()),
        drawn=drawn,
    )


def rank_of(value: Any, observed: Any, side: str, ties: float = 0.0) -> int:
    """Return 1, 0 or -1 for a value that is more, equally or less extreme than the observed one.

    ``side`` is "greater" if large values are extreme, otherwise "less". Values within ``ties`` of each other are
    equal. NaN is less extreme.

    >>> rank_of(0.5, 0.2, "greater"), rank_of(0.5, 0.2, "less"), rank_of(0.1 + 0.2, 0.3, "less", ties=1e-11)
    (1, -1, 0)
    """
    if value != value:
        return -1
    if value == observed or (ties and abs(float(value) - float(observed)) <= ties):
        return 0
    if (value > observed) == (side == "greater"):
        return 1
    return -1


def of_sides(tail: Callable[[str], Any], alternative: str, /, **changed: Any) -> Any:
    """Return the p-value (or test) for an alternative: "greater", "less" or "two-sided".

    ``tail("greater")`` and ``tail("less")`` return the one-sided ones. For "two-sided" the one with the smaller
    p-value is used, with its probabilities doubled to at most 1. ``changed`` are other fields of a two-sided
    result.

    >>> of_sides(lambda side: p_of_counts(0, 1 + len(side), 20, drawn=False), "two-sided").pvalue
    Fraction(1, 2)
    """
    if alternative != "two-sided":
        return tail(alternative)
    smaller = min(tail("greater"), tail("less"), key=attrgetter("pvalue"))
    for name in ("pvalue", "beyond", "mid", "bracket", "interval"):
        chance = getattr(smaller, name)
        changed[name] = tuple(map(_twice, chance)) if isinstance(chance, tuple) else _twice(chance)
    return replace(smaller, **changed)


def _twice(chance: Any) -> Any:
    """Return twice a probability, but at most 1, or None for None."""
    return None if chance is None else min(2 * chance, type(chance)(1))
