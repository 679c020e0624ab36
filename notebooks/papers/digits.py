"""What printed digits mean, and whether a number of ours is what they say."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import NamedTuple

SD = 3
"""A drawn number agrees with a printed one so many standard deviations of one draw away."""

Key = tuple[str, str]


class Drawn(NamedTuple):
    """The mean of draws, the standard deviation of one draw, and how many there were.

    >>> Drawn(0.5, 0.1, 100).error, Drawn(0.5, 0.1, 100).away(0.75)
    (0.01, 2.5)
    """

    mean: float
    sd: float
    draws: int

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.sd / math.sqrt(self.draws)

    def away(self, printed: float | str) -> float:
        """How many standard deviations of one draw a number, or a printed one, is from the mean."""
        distance = abs(self.mean - float(Fraction(printed)))
        if self.sd > 0:
            return distance / self.sd
        return 0.0 if distance == 0 else math.inf


class Between(NamedTuple):
    """What is possible: a printed number agrees where some number printed so is from ``low`` to ``high``."""

    low: float | Fraction
    high: float | Fraction


Value = Fraction | int | float | str | Drawn | Between | None


Window = tuple[Fraction, Fraction, bool, bool]


def window(digits: str) -> Window:
    """Return the numbers that are printed as ``digits``: both ends, and whether the ends belong to them.

    Numbers may be rounded half up, rounded half to even or truncated.

    >>> low, high, has_low, has_high = window("0.564")
    >>> str(low), str(high), has_low, has_high
    ('1127/2000', '113/200', True, False)
    """
    if not re.fullmatch(r"-?(\d+\.?\d*|\.\d+)", digits, re.ASCII):
        raise ValueError(f"digits must be a decimal number, got {digits!r}")
    unit = Fraction(1, 10 ** len(digits.partition(".")[2]))
    value = abs(Fraction(digits))
    if value == 0:
        return -unit, unit, False, False
    if digits.startswith("-"):
        return -value - unit, unit / 2 - value, False, True
    return value - unit / 2, value + unit, True, False


def misses(closed_range: tuple[Fraction, Fraction], printed: Window) -> bool:
    """Return whether no number of a closed range is printed so. ``printed`` is a window.

    >>> misses((Fraction("4.2596"), Fraction("4.2596")), window("4.2")), misses((1, 2), window("2.6"))
    (False, True)
    """
    least_value, largest_value = closed_range
    lower, upper, has_low, has_high = printed
    is_below = largest_value < lower or (largest_value == lower and not has_low)
    is_above = least_value > upper or (least_value == upper and not has_high)
    return is_below or is_above


def printed_window(text: str) -> Window:
    """The numbers that are printed so, as both ends and whether they belong; a fraction and a power of ten are read.

    >>> printed_window("3/150")
    (Fraction(1, 50), Fraction(1, 50), True, True)
    >>> [str(x) for x in printed_window("2.04e14")[:2]]
    ['203500000000000', '205000000000000']
    """
    if "/" in text:
        value = Fraction(text)
        return value, value, True, True
    digits, _, power = text.partition("e")
    low, high, has_low, has_high = window(digits)
    scale = Fraction(10) ** int(power or 0)
    return low * scale, high * scale, has_low, has_high


def agrees(ours: Value, printed: str) -> bool:
    """Whether a number is printed so; one that is drawn may be `SD` standard deviations away.

    >>> agrees(Fraction(1, 50), "3/150"), agrees(0.05898768, "0.0589877"), agrees(0.06, "0.0589877")
    (True, True, False)
    >>> agrees(4.2596, "4.2"), agrees(Drawn(0.5, 0.1, 9), "0.79"), agrees(Between(0.87, 1), "0.28")
    (True, True, False)
    """
    if isinstance(ours, str):
        return ours == printed
    assert ours is not None
    numbers = printed_window(printed)
    if isinstance(ours, Between):
        return not misses((Fraction(ours.low), Fraction(ours.high)), numbers)
    if isinstance(ours, float) and "/" in printed:
        return math.isclose(ours, numbers[0], rel_tol=1e-12)
    mean = Fraction(ours.mean if isinstance(ours, Drawn) else ours)
    if not misses((mean, mean), numbers):
        return True
    return isinstance(ours, Drawn) and ours.away(printed) <= SD
