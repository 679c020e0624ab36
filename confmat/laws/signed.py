"""The law of one statistic with a formula, from signatures: exact quotients, however many there are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb, gcd
from typing import NamedTuple

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.blocks import Weighted
from confmat.engine.signatures import AT_ONCE
from confmat.errors import ConsistencyError
from confmat.indices.pairs import rounded_root
from confmat.laws.lines import Listed, Moments, Number, RatioSums, five_positions
from confmat.statistics.ratios import Ratio, Whole, largest_size
from confmat.statistics.record import Statistic

# So many quotients stay, in order, when they were looked at; among more bins tell where to look.
_KEPT = 2**14
_BINS = 2**12

# The sums of so many chunks wait at most for those of equal denominators to be put together.
_PENDING = 2**8


@dataclass(frozen=True, eq=False)
class _Chunk:
    """Quotients with their weights, and the weight where there is none.

    ``bound``: what no numerator and no denominator exceeds.
    """

    numerators: np.ndarray
    denominators: np.ndarray
    weights: np.ndarray
    bound: int
    undefined: int = 0
    ordered: bool = False  # distinct, in increasing order

    def __len__(self) -> int:
        return len(self.weights)

    @cached_property
    def rough(self) -> np.ndarray:
        """The quotients in doubles, correctly rounded, so in the right order: by Python's division beyond 2^53."""
        p, q = self.numerators, self.denominators
        if self.bound >= 2**53 and max(map(largest_size, (p, q))) >= 2**53:
            p, q = p.astype(object), q.astype(object)
        return (p / q).astype(float)

    def chosen(self, places: np.ndarray, undefined: int = 0) -> _Chunk:
        p, q = self.numerators[places], self.denominators[places]
        return _Chunk(p, q, self.weights[places], self.bound, undefined)

    def merged(self) -> _Chunk:
        """Distinct quotients in increasing order."""
        if self.ordered or not len(self):
            return self
        order, starts = self.order()
        found = replace(self.chosen(order[starts], self.undefined), ordered=True)
        return replace(found, weights=np.add.reduceat(self.weights[order], starts))

    def order(self) -> tuple[np.ndarray, np.ndarray]:
        """What sorts the quotients, and where each begins in this order."""
        order, new = _sorted(self.rough)
        after = np.flatnonzero(~new)
        p, q = self.numerators, self.denominators
        before, at = order[after - 1], order[after]
        apart = (p[before] != p[at]) | (q[before] != q[at])
        before, at = before[apart], at[apart]
        crossed, other = Whole(p[before]) * Whole(q[at]), Whole(q[before]) * Whole(p[at])
        if np.all(crossed == other):  # equal doubles are equal quotients
            return order, np.flatnonzero(new)
        # Different quotients a/b, c/d differ by 1/(b d) at least.
        bits = 2 * largest_size(self.denominators).bit_length()
        order, new = _sorted((self.numerators.astype(object) << bits) // self.denominators.astype(object))
        return order, np.flatnonzero(new)

    def summed(self) -> _Chunk:
        """Each numerator once where all have one denominator, and numerators are close together."""
        if self.denominators.strides != (0,):
            return self
        low = int(self.numerators.min(initial=0))
        size = int(self.numerators.max(initial=0)) - low + 1
        if size > len(self):
            return self
        sums = _sums(self.weights, (self.numerators - low).astype(np.int64, copy=False), size)
        p = np.flatnonzero(sums)
        return replace(self, numerators=p + low, denominators=self.denominators[: len(p)], weights=sums[p])

    def extreme(self) -> _Chunk:
        """The least and the largest quotient, if there is any, and perhaps some between of the same doubles."""
        if self.ordered or not len(self):
            return self.chosen(np.arange(len(self))[:: max(1, len(self) - 1)])
        return self.chosen((self.rough == self.rough.min()) | (self.rough == self.rough.max())).merged()


def _sorted(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What sorts some keys, and which of them, in this order, differ from the one before."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    new = np.ones(len(keys), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return order, new


def _sums(weights: np.ndarray, groups: np.ndarray, size: int) -> np.ndarray:
    """Sums of the weights in each of ``size`` groups; in 64 bits where the sum of all fits, as weights then are."""
    found = np.zeros(size, weights.dtype)
    np.add.at(found, groups, weights)
    return found


def _together(chunks: Iterable[_Chunk]) -> _Chunk:
    nothing = np.zeros(0, np.int64)
    columns = [(nothing, nothing, nothing)]
    bound = undefined = 0
    for chunk in chunks:
        columns.append((chunk.numerators, chunk.denominators, chunk.weights))
        bound = max(bound, chunk.bound)
        undefined += chunk.undefined
    p, q, weights = map(np.concatenate, zip(*columns))
    return _Chunk(p, q, weights, bound, undefined)


def _sums_of(chunk: _Chunk) -> np.ndarray:
    """Denominators, sums of weights times numerators and times their squares for each, in three rows."""
    p, d, weights = chunk.numerators, chunk.denominators, chunk.weights
    # Neighbours mostly have one denominator.
    starts = np.flatnonzero(np.concatenate([[len(d) > 0], d[1:] != d[:-1]]))
    if int(np.add.reduceat(weights, starts).max(initial=0)) * largest_size(p) ** 2 >= 2**63:
        weights, p = weights.astype(object), p.astype(object)
    first = weights * p
    return np.stack([d[starts], np.add.reduceat(first, starts), np.add.reduceat(first * p, starts)])


def _by_denominator(sums: Sequence[np.ndarray]) -> np.ndarray:
    """The sums of equal denominators together."""
    rows = np.concatenate(sums, axis=1)
    d, groups = np.unique(Whole(rows[0]).values, return_inverse=True)  # in 64 bits where they fit
    fits = rows.dtype != object and np.abs(rows[1:].astype(float)).sum() < 2**62
    first, second = rows[1:].astype(np.int64 if fits else object)
    return np.stack([d, _sums(first, groups, len(d)), _sums(second, groups, len(d))])


class _Seen(NamedTuple):
    """Weights, moments (the sums are many), candidates for the least and largest base, values at some positions."""

    total: int
    undefined: int
    moments: Moments | None
    ends: list[Fraction]
    values: Mapping[int, Number]


class Signed:
    """The law of a statistic with a formula, from signatures: ``blocks()`` gives them again and again, some at a time.

    What is computed are quotients q, those of the statistic's base over ``common``; its own values are
    ``offset + factor q``, or ``offset + factor sqrt(q)``.
    """

    def __init__(
        self,
        matrices: MatrixClass,
        statistic: Statistic,
        blocks: Callable[[], Iterator[Weighted]],
        size: int,
        weight: Callable[[], int] | None = None,
    ) -> None:
        self.n, self.statistic, self.blocks, self.size = matrices.n, statistic, blocks, size
        self._weight = weight  # of all blocks, where it is known without them
        factor = statistic.factor(matrices) if statistic.factor is not None and matrices else Fraction(1)
        undefined = statistic.base.undefined
        self._undefined = None if undefined != undefined else Fraction(undefined)
        # All numerators are divided by what the formula says divides them: so sums mostly fit 64 bits.
        divisor = self._ratio(np.zeros((0, 4), np.int64)).numerator.divisor
        self.common = (
            1 if statistic.base.root else gcd(divisor, (self._undefined or Fraction()).numerator) or 1
        )
        factor *= self.common
        self.offset, self.factor = (Fraction(1), -factor) if statistic.complement else (Fraction(0), factor)

    def _ratio(self, cells: np.ndarray) -> Ratio:
        terms = self.statistic.exact_terms(self.n, cells.T, bound=max(self.n, comb(self.n, 2)))
        return Ratio.of(*terms, undefined=self._undefined)

    def _chunk(self, block: Weighted) -> _Chunk:
        """The quotients of a block that are defined, in its order."""
        cells, weights = block
        ratio = self._ratio(cells)
        numerators = ratio.numerator.values // self.common
        bound = max(ratio.numerator.bound, ratio.denominator.bound)
        p = np.broadcast_to(numerators, len(cells))
        q = np.broadcast_to(ratio.denominator.values, len(cells))
        chunk = _Chunk(p, q, weights, bound)
        if np.all(ratio.defined):
            return chunk
        defined = np.broadcast_to(ratio.defined, len(cells))
        return chunk.chosen(defined, int(weights[~defined].sum()))

    def __iter__(self) -> Iterator[_Chunk]:
        """All quotients, some at a time; kept in order where they are few."""
        if self.size <= _KEPT:
            yield self._kept
            return
        for block in self.blocks():
            yield self._chunk(block).summed()

    @cached_property
    def _kept(self) -> _Chunk:
        return _together(map(self._chunk, self.blocks())).merged()

    def _looks(self) -> Iterable[_Chunk]:
        """All quotients, to be gone through again and again: held where their number allows, in order where few."""
        if self.size > AT_ONCE:
            return self
        held = [*self]
        if sum(map(len, held)) <= _KEPT:
            held = [_together(held).merged()]
        return held

    @cached_property
    def _seen(self) -> _Seen:
        """What is asked most, from one look; without the five values where the signatures are many."""
        looks = self._looks()
        undefined, sums, ends = self._summed(looks)
        varies = ends and not self.statistic.base.root and min(ends) < max(ends)
        moments = sums.moments(self._simple, self.offset, self.factor) if varies else None
        seen = _Seen(sums.total, undefined, moments, ends, {})
        if self.size > AT_ONCE or not sums.total:
            return seen
        places = five_positions(sums.total)
        turned = self._turned(places, sums.total)
        return seen._replace(values=dict(zip(places, self._nth(looks, ends, turned))))

    def _summed(self, looks: Iterable[_Chunk]) -> tuple[int, RatioSums, list[Fraction]]:
        """Weight of the undefined values, sums of the others, candidates for the least and largest base."""
        total = undefined = 0
        sums, extreme = [np.zeros((3, 0), np.int64)], []
        for chunk in looks:
            total, undefined = total + int(chunk.weights.sum()), undefined + chunk.undefined
            sums.append(_sums_of(chunk))
            if len(sums) > _PENDING:
                sums = [_by_denominator(sums)]
            extreme.append(chunk.extreme())
        if self._weight is not None and total + undefined != self._weight():
            raise ConsistencyError(
                f"the values of {self.statistic.name} have weight {total + undefined}, their law {self._weight()}"
            )
        found = _together(extreme).merged()
        ends = []
        for place in (0, -1) if len(found) else ():
            ends.append(Fraction(int(found.numerators[place]), int(found.denominators[place])))
        d, first, second = _by_denominator(sums).astype(object)
        return undefined, RatioSums(d, first, second, total), ends

    @property
    def _simple(self) -> bool:
        """Whether numerators alone differ, so that moments are Fractions of few digits."""
        return "P" not in self.statistic.base.depends

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
        if self._seen.moments is not None and exact <= self._simple:
            return self._seen.moments
        return self._summed(self._looks())[1].moments(exact or self._simple, self.offset, self.factor)

    def at(self, positions: Sequence[int]) -> list[Number]:
        """The values at some positions: looked for in bins first where the signatures are many."""
        if set(positions) <= set(self._seen.values):
            return [*map(self._seen.values.__getitem__, positions)]
        return self._nth(self._looks(), self._seen.ends, self._turned(positions, self.total))

    def _nth(self, looks: Iterable[_Chunk], ends: list[Fraction], positions: Sequence[int]) -> list[Number]:
        """The values at some positions among the quotients: looked for in bins first, unless they are in order."""
        low, high = float(min(ends)), float(max(ends))

        def bins(chunk: _Chunk) -> np.ndarray:
            scale = (_BINS - 1) / (high - low) if low < high else 0.0
            return ((chunk.rough - low) * scale).astype(np.int64)

        def chosen(chunk: _Chunk, positions: Sequence[int]) -> list[Number]:
            places = np.searchsorted(np.cumsum(chunk.weights), positions)
            return [*map(self.value, chunk.numerators[places], chunk.denominators[places])]

        held = np.zeros(_BINS, object)
        for chunk in looks:
            if chunk.ordered:
                return chosen(chunk, positions)
            held += _sums(chunk.weights, bins(chunk), _BINS)
        cumulative = np.cumsum(held)
        which = np.searchsorted(cumulative, np.array(positions, object)).tolist()
        wanted = np.isin(np.arange(_BINS), which)
        chunks_inside = []
        for chunk in looks:
            chunks_inside.append(chunk.chosen(np.flatnonzero(wanted[bins(chunk)])))
        inside = _together(chunks_inside)
        of_bin = bins(inside)
        values: list[Number] = []
        for i, position in zip(which, positions):
            before = int(cumulative[i] - held[i])
            values += chosen(inside.chosen(of_bin == i).merged(), [position - before])
        return values

    def _key(self, x: Fraction) -> Fraction:
        """The base at which the statistic would be x; below all for roots that are negative."""
        key = (x - self.offset) / self.factor
        if self.statistic.base.root:
            return key * key if key >= 0 else Fraction(-1)
        return key

    def up_to(self, x: Fraction) -> int:
        """Weight of the values that are at most x."""
        if not self.factor:
            return self.total if self.offset <= x else 0
        key, relation = self._key(x), "<=" if self.factor > 0 else ">="
        weight = 0
        for chunk in self._looks():
            sides = (
                Whole(chunk.numerators) * key.denominator,
                Whole(chunk.denominators) * key.numerator,
            )
            weight += int(chunk.weights[sides[0].compared(relation, sides[1])].sum())
        return weight

    def points(self) -> Iterator[tuple[Number, int]]:
        """Every value, in increasing order, with its weight."""
        if not self.factor:
            yield self.offset, self.total
            return
        chunk = _together([chunk.merged() for chunk in self._looks()]).merged()
        rows = list(zip(chunk.numerators.tolist(), chunk.denominators.tolist(), chunk.weights.tolist()))
        for p, q, weight in rows if self.factor > 0 else reversed(rows):
            yield self.value(p, q), weight

    def placed(self, cells: np.ndarray) -> tuple[list[Number], np.ndarray]:
        """Every value at some signatures, in increasing order (nan last), and the place there of that of each one."""
        chunk = self._chunk((cells, np.arange(len(cells))))
        order, starts = chunk.order()
        ranks = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(order)))
        first, sign = order[starts], 1 if self.factor > 0 else -1
        places = np.full(len(cells), len(starts))
        places[chunk.weights[order]] = ranks if sign > 0 else len(starts) - 1 - ranks
        p, q = self.factor.as_integer_ratio()
        denominators = Whole(chunk.denominators[first[::sign]]) * q
        numerators = Whole(chunk.numerators[first[::sign]]) * p + denominators * int(self.offset)
        values: list[Number] = list(map(Fraction, numerators.values.tolist(), denominators.values.tolist()))
        return [*values, math.nan][: places.max(initial=-1) + 1], places

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
