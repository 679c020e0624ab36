"""The law of one statistic with a formula, from signatures: exact quotients, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from confmat.classes import MatrixClass
from confmat.errors import ConsistencyError
from confmat.indices.pairs import rounded_root
from confmat.laws.lines import Listed, five_positions
from confmat.laws.moments import Moments, Number, RatioSums, total_of, weighted_sums
from confmat.statistics.ratios import Ratio, Whole
from confmat.statistics.record import Statistic

# Signatures that are put into order at once (a first look into bins finds places among more of them), and how many
# of them stay so.
AT_ONCE = 2**23
_KEPT = 2**20
_BINS = 2**16

Block = tuple[np.ndarray, np.ndarray]


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


class _Sums:
    """Sums of weights times numerators and times their squares, by denominator."""

    def __init__(self) -> None:
        self.sums: dict[int, list[int]] = {}

    def add(self, chunk: _Chunk) -> None:
        d, groups = np.unique(chunk.denominators, return_inverse=True)
        common = int(np.gcd.reduce(chunk.numerators)) or 1 if len(chunk.weights) else 1
        p = chunk.numerators // common
        found = [weighted_sums(chunk.weights, p**k, groups, len(d)).tolist() for k in (1, 2)]
        for denominator, first, second in zip(d.tolist(), *found):
            both = self.sums.setdefault(denominator, [0, 0])
            both[0] += first * common
            both[1] += second * common**2

    def of(self, total: int) -> RatioSums:
        rows = [[d, *both] for d, both in self.sums.items()]
        d, first, second = np.array(rows, object).reshape(-1, 3).T
        return RatioSums(d, first, second, total)


class _Seen(NamedTuple):
    """Weights, sums, candidates for the least and largest base, and values at some positions."""

    total: int
    undefined: int
    sums: RatioSums
    ends: list[Fraction]
    values: Mapping[int, Number]


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
        """All quotients, some at a time; where they are few those that are kept."""
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
    def _seen(self) -> _Seen:
        """What is asked most, from one look; without the five values where the signatures are many."""
        chunks = [self._all()] if self.size <= AT_ONCE else self._chunks()
        total = undefined = 0
        sums, ends = _Sums(), []
        for chunk in chunks:
            total, undefined = total + total_of(chunk.weights), undefined + chunk.undefined
            sums.add(chunk)
            ordered = chunk if self.size <= AT_ONCE else chunk.merged()
            ends += [
                Fraction(int(ordered.numerators[i]), int(ordered.denominators[i])) for i in (0, -1) if total
            ]
        places = five_positions(total)
        if self.size > AT_ONCE or not total:
            return _Seen(total, undefined, sums.of(total), ends, {})
        return _Seen(
            total,
            undefined,
            sums.of(total),
            ends,
            dict(zip(places, self._nth(chunk, self._turned(places, total)))),
        )

    @property
    def total(self) -> int:
        """Weight of the defined values."""
        return self._seen.total

    @property
    def undefined(self) -> int:
        """Weight of the undefined ones."""
        return self._seen.undefined

    def _turned(self, positions: Sequence[int], total: int) -> list[int]:
        """Positions among the bases: a complement falls where its base rises."""
        return list(positions) if self.factor > 0 else [total + 1 - k for k in positions]

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
        exact = exact or "P" not in self.statistic.base.depends
        return self._seen.sums.moments(exact, self.offset, self.factor)

    def at(self, positions: Sequence[int]) -> list[Number]:
        """The values at some positions: looked for in bins first where the signatures are many."""
        if set(positions) <= set(self._seen.values):
            return [self._seen.values[k] for k in positions]
        wanted = self._turned(positions, self.total)
        return self._nth(self._all(), wanted) if self.size <= AT_ONCE else self._from_bins(wanted)

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

    def cells_at_end(self, largest: bool) -> np.ndarray:
        """The signatures with the least or the largest value: those at the least MED among them."""
        ends = self._seen.ends
        key = max(ends) if largest == (self.factor > 0) else min(ends)
        for cells, _ in self.blocks():
            # Places in the stead of weights: undefined values are left out of a chunk.
            chunk = self._chunk((cells, np.arange(len(cells))))
            same = (Whole(chunk.numerators) * key.denominator).compared(
                "=", Whole(chunk.denominators) * key.numerator
            )
            if same.any():
                found = cells[chunk.weights[same]]
                return found[found[:, 0] == found[:, 0].min()]
        raise ConsistencyError(f"no signature has the value {key}, which was counted")


def _rough(chunk: _Chunk) -> np.ndarray:
    if not chunk.order_kept:
        raise OverflowError("quotients of so large numbers must be few to be put into order")
    return chunk.rough
