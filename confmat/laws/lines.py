"""Laws on the line, as they are held: distinct values in a list, signatures, or a few numbers of them.

All three answer the same questions, ``Line``.  Positions count the weights in increasing order of the values, from 1.
Undefined values (0/0) are a weight apart.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, Protocol

import numpy as np

from confmat.classes import MatrixClass
from confmat.errors import TooLarge
from confmat.indices.pairs import rounded_root
from confmat.laws.moments import Moments, Number, RatioSums, root, total_of, weighted_sums
from confmat.statistics.ratios import Ratio, Whole
from confmat.statistics.record import Statistic
from confmat.statistics.table import sort_key

# Signatures that are put into order at once (a first look into bins finds places among more of them), and how many
# of them stay so.
AT_ONCE = 2**23
_KEPT = 2**20
_BINS = 2**16

Block = tuple[np.ndarray, np.ndarray]


class Line(Protocol):
    """What a law on the line must know."""

    @property
    def total(self) -> int:
        """Weight of the defined values."""

    @property
    def undefined(self) -> int:
        """Weight of the undefined ones."""

    def moments(self, exact: bool) -> Moments:
        """Mean, variance, sd."""

    def at(self, positions: Sequence[int]) -> list[Number]:
        """The values at some positions."""

    def below(self, x: Fraction, strict: bool) -> int:
        """Weight of the values below x; unless ``strict`` also of those equal to it."""

    def points(self) -> Iterator[tuple[Number, int]]:
        """Every value, in increasing order, with its weight."""


class Listed:
    """A law given as value -> weight (> 0); ``rounded``: its moments are doubles, as their fractions are long."""

    def __init__(self, law: Mapping[Number, int], rounded: bool = False) -> None:
        self.rounded = rounded
        self.undefined = sum(w for x, w in law.items() if x != x)
        self.values = sorted((x for x in law if x == x), key=sort_key)
        self.cumulative = list(accumulate(law[x] for x in self.values))

    @property
    def total(self) -> int:
        """Weight of the defined values."""
        return self.cumulative[-1] if self.cumulative else 0

    def moments(self, exact: bool) -> Moments:
        """Mean, variance, sd: exact if the values are, unless they are to be rounded."""
        weights = [w for _, w in self.points()]
        if all(isinstance(x, Fraction) for x in self.values):
            parts = np.array([Fraction(x).as_integer_ratio() for x in self.values], object)
            _, groups = np.unique(parts[:, 1], return_inverse=True)
            d = np.array(sorted(set(parts[:, 1].tolist())), object)
            exact_weights = np.array(weights, object)
            sums = [np.zeros(len(d), object) for _ in range(2)]
            for power, found in enumerate(sums, start=1):
                np.add.at(found, groups, exact_weights * parts[:, 0] ** power)
            return RatioSums(d, sums[0], sums[1], self.total).moments(exact or not self.rounded)
        shares = [w / self.total for w in weights]
        mean = math.fsum(x * w for x, w in zip(self.values, shares))
        variance = math.fsum((x - mean) ** 2 * w for x, w in zip(self.values, shares))
        return mean, variance, root(variance)

    def at(self, positions: Sequence[int]) -> list[Number]:
        """The values at some positions."""
        return [self.values[bisect_left(self.cumulative, k)] for k in positions]

    def below(self, x: Fraction, strict: bool) -> int:
        """Weight of the values below x; unless ``strict`` also of those equal to it."""
        end = (bisect_left if strict else bisect_right)(self.values, x)
        return self.cumulative[end - 1] if end else 0

    def points(self) -> Iterator[tuple[Number, int]]:
        """Every value, in increasing order, with its weight."""
        yield from zip(self.values, map(int, np.diff(np.array([0, *self.cumulative], object))))


class _Chunk(NamedTuple):
    """Quotients with their weights, and the weight where there is none."""

    numerators: np.ndarray
    denominators: np.ndarray
    weights: np.ndarray
    undefined: int

    @property
    def rough(self) -> np.ndarray:
        """The quotients in doubles; in the right order, as division rounds, where both sides are below 2^53."""
        return self.numerators.astype(float) / self.denominators.astype(float)

    @property
    def order_kept(self) -> bool:
        """Whether the doubles are in the order of the quotients."""
        return max(_most(self.numerators), _most(self.denominators)) < 2**53

    def chosen(self, places: np.ndarray) -> _Chunk:
        return _Chunk(self.numerators[places], self.denominators[places], self.weights[places], 0)

    def merged(self) -> _Chunk:
        """Distinct quotients in increasing order."""
        if not len(self.weights):
            return self
        if _most(self.numerators) * _most(self.denominators) < 2**52:
            # Different quotients differ by more than doubles do; equal ones are rounded alike.
            keys = self.rough
        else:
            # Different quotients a/b, c/d differ by 1/(b d) at least.
            bits = 2 * _most(self.denominators).bit_length()
            keys = (self.numerators.astype(object) << bits) // self.denominators.astype(object)
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        first = order[starts]
        weights = np.add.reduceat(self.weights[order], starts)
        return _Chunk(self.numerators[first], self.denominators[first], weights, self.undefined)


def _most(numbers: np.ndarray) -> int:
    return max(abs(int(numbers.max())), abs(int(numbers.min()))) if len(numbers) else 0


def _together(chunks: Sequence[_Chunk]) -> _Chunk:
    nothing = np.zeros(0, np.int64)
    if not chunks:
        return _Chunk(nothing, nothing, nothing, 0)
    p, q, weights = (np.concatenate(parts) for parts in zip(*(chunk[:3] for chunk in chunks)))
    return _Chunk(p, q, weights, sum(chunk.undefined for chunk in chunks))


class Signed:
    """The law of a statistic with a formula, from signatures: ``blocks()`` gives them again and again, some at a time.

    What is computed are quotients, those of the statistic's base; its own values are ``offset + factor q``, or
    ``offset + factor sqrt(q)``.
    """

    def __init__(
        self, matrices: MatrixClass, statistic: Statistic, blocks: Callable[[], Iterator[Block]], size: int
    ) -> None:
        self.n, self.statistic, self.blocks, self.size = matrices.n, statistic, blocks, size
        factor = statistic.factor(matrices) if statistic.factor is not None and matrices else Fraction(1)
        self.offset, self.factor = (Fraction(1), -factor) if statistic.complement else (Fraction(0), factor)

    def _chunk(self, block: Block) -> _Chunk:
        """The quotients of a block that are defined, in its order."""
        cells, weights = block
        base = self.statistic.base
        assert base.formula is not None
        undefined = None if base.undefined != base.undefined else Fraction(base.undefined)
        ratio = Ratio.of(*base.formula(self.n, *(Whole(column) for column in cells.T)), undefined=undefined)
        p, q = (np.broadcast_to(x.values, len(cells)) for x in (ratio.numerator, ratio.denominator))
        chunk = _Chunk(p, q, weights, 0)
        defined = np.broadcast_to(ratio.defined, len(cells))
        return (
            chunk if defined.all() else chunk.chosen(defined)._replace(undefined=total_of(weights[~defined]))
        )

    def _chunks(self) -> Iterator[_Chunk]:
        """All quotients; merged and kept where they are few."""
        if self.size <= _KEPT:
            yield self._kept
        else:
            yield from map(self._chunk, self.blocks())

    @cached_property
    def _kept(self) -> _Chunk:
        return self._merged()

    def _merged(self) -> _Chunk:
        return _together([self._chunk(block).merged() for block in self.blocks()]).merged()

    def _all(self) -> _Chunk:
        """Distinct quotients in increasing order."""
        return self._kept if self.size <= _KEPT else self._merged()

    @cached_property
    def _weights(self) -> tuple[int, int]:
        found = [(total_of(chunk.weights), chunk.undefined) for chunk in self._chunks()]
        return sum(total for total, _ in found), sum(undefined for _, undefined in found)

    @property
    def total(self) -> int:
        """Weight of the defined values."""
        return self._weights[0]

    @property
    def undefined(self) -> int:
        """Weight of the undefined ones."""
        return self._weights[1]

    def value(self, numerator: int, denominator: int) -> Number:
        """The value of the statistic where its base is a quotient."""
        key = Fraction(int(numerator), int(denominator))
        if self.statistic.base.root:
            return float(self.offset + self.factor * Fraction(rounded_root(key)))
        return self.offset + self.factor * key

    def moments(self, exact: bool) -> Moments:
        """Mean, variance, sd: Fractions with ``exact`` or where numerators alone differ, else correctly rounded."""
        if self.statistic.base.root:
            law: dict[Number, int] = {}
            for x, weight in self.points():
                law[x] = law.get(x, 0) + weight
            return Listed(law).moments(exact)
        sums: dict[int, list[int]] = {}
        for chunk in self._chunks():
            d, groups = np.unique(chunk.denominators, return_inverse=True)
            common = int(np.gcd.reduce(chunk.numerators)) or 1 if len(chunk.weights) else 1
            p = chunk.numerators // common
            found = [weighted_sums(chunk.weights, p**k, groups, len(d)).tolist() for k in (1, 2)]
            for denominator, first, second in zip(d.tolist(), *found):
                both = sums.setdefault(denominator, [0, 0])
                both[0] += first * common
                both[1] += second * common**2
        d, first, second = np.array([[d, *both] for d, both in sums.items()], object).reshape(-1, 3).T
        exact = exact or "P" not in self.statistic.base.depends
        return RatioSums(d, first, second, self.total).moments(exact, self.offset, self.factor)

    def at(self, positions: Sequence[int]) -> list[Number]:
        """The values at some positions: looked for in bins first where the signatures are many."""
        wanted = list(positions) if self.factor > 0 else [self.total + 1 - k for k in positions]
        if self.size <= AT_ONCE:
            return self._nth(self._all(), wanted)
        return self._from_bins(wanted)

    def _nth(self, chunk: _Chunk, positions: Sequence[int]) -> list[Number]:
        places = np.searchsorted(np.cumsum(chunk.weights), positions).tolist()
        return [self.value(chunk.numerators[i], chunk.denominators[i]) for i in places]

    def _from_bins(self, positions: Sequence[int]) -> list[Number]:
        spans = [(float(x.min()), float(x.max())) for x in map(_rough, self._chunks()) if len(x)]
        edges = np.linspace(min(low for low, _ in spans), max(high for _, high in spans), _BINS + 1)[1:-1]
        held = np.zeros(_BINS, object)
        for chunk in self._chunks():
            bins = np.searchsorted(edges, _rough(chunk), side="right")
            held += weighted_sums(chunk.weights, np.ones(len(bins), np.int64), bins, _BINS)
        cumulative = np.cumsum(held)
        which = np.searchsorted(cumulative, np.array(positions, object))
        inside: dict[int, list[_Chunk]] = {int(i): [] for i in which}
        for chunk in self._chunks():
            bins = np.searchsorted(edges, _rough(chunk), side="right")
            for i, found in inside.items():
                found.append(chunk.chosen(np.flatnonzero(bins == i)))
        values = []
        for i, position in zip(which.tolist(), positions):
            before = int(cumulative[i] - held[i])
            values += self._nth(_together(inside[i]).merged(), [position - before])
        return values

    def _key(self, x: Fraction) -> Fraction:
        """The base at which the statistic would be x; below all for roots that are negative."""
        key = (x - self.offset) / self.factor
        if self.statistic.base.root:
            return key * key if key >= 0 else Fraction(-1)
        return key

    def below(self, x: Fraction, strict: bool) -> int:
        """Weight of the values below x; unless ``strict`` also of those equal to it."""
        if not self.factor:
            return self.total if self.offset < x or (not strict and self.offset == x) else 0
        key, rising = self._key(x), self.factor > 0
        relation = ("<" if strict else "<=") if rising else (">" if strict else ">=")
        weight = 0
        for chunk in self._chunks():
            sides = (
                Whole(chunk.numerators) * key.denominator,
                Whole(chunk.denominators) * key.numerator,
            )
            weight += total_of(chunk.weights[sides[0].compared(relation, sides[1])])
        return weight

    def points(self) -> Iterator[tuple[Number, int]]:
        """Every value, in increasing order, with its weight."""
        if not self.factor:
            yield self.offset, self.total
            return
        chunk = self._all()
        rows = list(zip(chunk.numerators.tolist(), chunk.denominators.tolist(), chunk.weights.tolist()))
        for p, q, weight in rows if self.factor > 0 else reversed(rows):
            yield self.value(p, q), weight

    def ends(self) -> tuple[Fraction, Fraction]:
        """Least and largest base."""
        found = [chunk if self.size <= _KEPT else chunk.merged() for chunk in self._chunks()]
        ends = [
            Fraction(int(chunk.numerators[i]), int(chunk.denominators[i]))
            for chunk in found
            for i in (0, -1)
            if len(chunk.weights)
        ]
        return min(ends), max(ends)

    def cells_at_end(self, largest: bool) -> np.ndarray:
        """The signatures with the least or the largest value: those at the least MED among them."""
        key = self.ends()[largest == (self.factor > 0)]
        for cells, _ in self.blocks():
            # Places in the stead of weights: undefined values are left out of a chunk.
            chunk = self._chunk((cells, np.arange(len(cells))))
            same = (Whole(chunk.numerators) * key.denominator).compared(
                "=", Whole(chunk.denominators) * key.numerator
            )
            if same.any():
                found = cells[chunk.weights[same]]
                return found[found[:, 0] == found[:, 0].min()]
        raise AssertionError(f"no signature has the value {key}")


def _rough(chunk: _Chunk) -> np.ndarray:
    if not chunk.order_kept:
        raise OverflowError("quotients of so large numbers must be few to be put into order")
    return chunk.rough


@dataclass(frozen=True)
class Known:
    """A law of which some numbers are known: its moments, rounded or not, and the values at some positions."""

    total: int
    rounded: Moments
    values: Mapping[int, Number]
    refusal: str
    undefined: int = 0

    def moments(self, exact: bool) -> Moments:
        """Mean, variance, sd."""
        if exact and isinstance(self.rounded[0], float):
            raise TooLarge(self.refusal)
        return self.rounded

    def at(self, positions: Sequence[int]) -> list[Number]:
        """The values at some positions, if they are known."""
        if set(positions) <= set(self.values):
            return [self.values[k] for k in positions]
        raise TooLarge(self.refusal)

    def below(self, x: Fraction, strict: bool) -> int:
        """Weight of the values below x: known beyond the ends alone."""
        low, high = self.values[1], self.values[self.total]
        if x < low or (strict and x == low):
            return 0
        if x > high or (not strict and x == high):
            return self.total
        raise TooLarge(self.refusal)

    def points(self) -> Iterator[tuple[Number, int]]:
        """Not known."""
        raise TooLarge(self.refusal)
