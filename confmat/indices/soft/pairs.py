"""Pairs of objects: walking over them in blocks, and the four (fuzzy) pair counts with their indices."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np

from confmat.indices.undefined import Undefined, check_undefined, undefined_value

Number = float | Fraction
T = TypeVar("T")

BLOCK = 1 << 18
"""Pairs looked at together: temporaries of 2 MiB, which stay in the processor's cache."""


@dataclass(frozen=True)
class FuzzyPairCounts:
    """How n(n-1)/2 = ``pairs`` pairs of objects are judged by two clusterings U and V.

    ``a``: together in both; ``b``: together in U only; ``c``: in V only; ``d``: apart in both.  Integers
    for hard labels, real for memberships, Fractions if they were computed exactly.  The indices below are
    the usual ones (Hubert & Arabie 1985); each answers ``undefined`` ("raise", "nan" or a number) when it
    is 0/0, except where the two clusterings then agree on every pair: that is 1.

    >>> counts = FuzzyPairCounts(a=1.0, b=2.0, c=1.0, d=2.0, pairs=6)
    >>> counts.rand(), counts.adjusted_rand(), counts.jaccard(), counts.dice()
    (0.5, 0.0, 0.25, 0.4)
    """

    a: Number
    b: Number
    c: Number
    d: Number
    pairs: int

    def rand(self, undefined: Undefined = "raise") -> Number:
        """(a + d)/(a + b + c + d); 1 without pairs.

        >>> FuzzyPairCounts(a=1.0, b=2.0, c=1.0, d=2.0, pairs=6).rand()
        0.5
        """
        check_undefined(undefined)
        agree, total = self.a + self.d, self.a + self.b + self.c + self.d
        if self.pairs == 0:
            return type(self.a)(1)
        return self._ratio("Rand index", agree, total, undefined)

    def adjusted_rand(self, undefined: Undefined = "raise") -> Number:
        """2(ad - bc)/(b^2 + c^2 + 2ad + (a + d)(b + c)); 1 without pairs, and where only a or d is not 0.

        >>> FuzzyPairCounts(a=2.0, b=1.0, c=1.0, d=2.0, pairs=6).adjusted_rand()
        0.3333333333333333
        """
        check_undefined(undefined)
        a, b, c, d = self.a, self.b, self.c, self.d
        if self.pairs == 0 or (b == c == 0 and (a or d)):
            return type(self.a)(1)
        bottom = (a + b) * (b + d) + (a + c) * (c + d)
        return self._ratio("adjusted Rand index", 2 * (a * d - b * c), bottom, undefined)

    def jaccard(self, undefined: Undefined = "raise") -> Number:
        """a/(a + b + c).

        >>> FuzzyPairCounts(a=1.0, b=2.0, c=1.0, d=2.0, pairs=6).jaccard()
        0.25
        """
        return self._ratio("Jaccard index", self.a, self.a + self.b + self.c, undefined)

    def dice(self, undefined: Undefined = "raise") -> Number:
        """2a/(2a + b + c).

        >>> FuzzyPairCounts(a=1.0, b=2.0, c=1.0, d=2.0, pairs=6).dice()
        0.4
        """
        return self._ratio("Dice index", 2 * self.a, 2 * self.a + self.b + self.c, undefined)

    def fowlkes_mallows(self, undefined: Undefined = "raise") -> float:
        """a/sqrt((a + b)(a + c)), a float; undefined unless both factors are positive.

        >>> FuzzyPairCounts(a=2.0, b=2.0, c=2.0, d=0.0, pairs=6).fowlkes_mallows()
        0.5
        """
        check_undefined(undefined)
        first, second = self.a + self.b, self.a + self.c
        if first <= 0 or second <= 0:
            return float(
                undefined_value(undefined, "Fowlkes-Mallows index", "a clustering puts no pair together")
            )
        return float(self.a) / math.sqrt(first * second)

    def _ratio(self, index: str, top: Number, bottom: Number, undefined: Undefined) -> Number:
        check_undefined(undefined)
        if bottom == 0:
            number = undefined_value(undefined, index, f"its denominator is zero for {self}")
            return number if isinstance(self.a, Fraction) else float(number)
        return top / bottom


def pair_blocks(n: int, progress: bool = False) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Index arrays (i, j) that together cover every pair i < j < n once, about ``BLOCK`` at a time (n >= 1).

    ``i`` and ``j`` broadcast against each other: x[i] - x[j] holds one number a pair.

    >>> [(int(a), int(b)) for i, j in pair_blocks(3) for a, b in np.broadcast(i, j)]
    [(0, 1), (0, 2), (1, 2)]
    """
    rows = max(1, BLOCK // n)
    starts = tracked(range(0, n, rows), "pairs of objects", progress)
    for start in starts:
        stop = min(n, start + rows)
        i, j = np.triu_indices(stop - start, 1)
        if len(i):
            yield i + start, j + start
        if stop < n:
            yield np.arange(start, stop)[:, None], np.arange(stop, n)[None, :]


def tracked(items: Sequence[T], description: str, progress: bool) -> Iterable[T]:
    """``items``, with a progress bar on the standard error stream while they are consumed, if asked for.

    >>> list(tracked([1, 2], "blocks", progress=False))
    [1, 2]
    """
    if not progress:
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, description=description, transient=True, console=Console(stderr=True))


def total(parts: list, exact: bool) -> Number:
    """The sum of block sums, exact or with one rounding.

    >>> total([1, 2], exact=True), total([0.1] * 10, exact=False)
    (Fraction(3, 1), 1.0)
    """
    return Fraction(sum(map(int, parts))) if exact else math.fsum(parts)
