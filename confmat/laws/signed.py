"""The law of one statistic with a formula, from signatures: exact quotients, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb, gcd
from typing import NamedTuple

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.blocks import WeightedSignatures
from confmat.engine.signatures import SIGNATURES_READ_AT_ONCE
from confmat.errors import ConsistencyError
from confmat.indices.numbers import lowest_terms
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
class Quotients:
    """Quotients with their weights, and the weight where there is none.

    ``bound``: what no numerator and no denominator exceeds; ``in_order``: distinct, in increasing order.

    >>> halves = Quotients(np.array([1, 2, 1]), np.array([2, 4, 3]), np.array([5, 1, 2]), 4).merged()
    >>> halves.numerators.tolist(), halves.denominators.tolist(), halves.weights.tolist()
    ([1, 1], [3, 2], [2, 6])
    """

    numerators: np.ndarray
    denominators: np.ndarray
    weights: np.ndarray
    bound: int
    undefined: int = 0
    in_order: bool = False

    def __len__(self) -> int:
        return len(self.weights)

    @classmethod
    def together(cls, parts: Sequence[Quotients]) -> Quotients:
        """All of some."""
        no_numbers = np.zeros(0, np.int64)
        columns = [(no_numbers, no_numbers, no_numbers)]
        if parts:
            columns = [(part.numerators, part.denominators, part.weights) for part in parts]
        p, q, weights = map(np.concatenate, zip(*columns))
        bound = max((part.bound for part in parts), default=0)
        return cls(p, q, weights, bound, sum(part.undefined for part in parts))

    @cached_property
    def rough(self) -> np.ndarray:
        """The quotients in doubles, correctly rounded, so in the right order: by Python's division beyond 2^53."""
        p, q = self.numerators, self.denominators
        if self.bound >= 2**53:
            largest_term = max(largest_size(p), largest_size(q))
            if largest_term >= 2**53:
                p, q = p.astype(object), q.astype(object)
        return (p / q).astype(float)

    def chosen(self, places: np.ndarray, undefined: int = 0) -> Quotients:
        """Those at some places."""
        p, q = self.numerators[places], self.denominators[places]
        return Quotients(p, q, self.weights[places], self.bound, undefined)

    def merged(self) -> Quotients:
        """Distinct quotients in increasing order."""
        if self.in_order or not len(self):
            return self
        order, starts = self.order()
        weights = np.add.reduceat(self.weights[order], starts)
        return replace(self.chosen(order[starts], self.undefined), weights=weights, in_order=True)

    def order(self) -> tuple[np.ndarray, np.ndarray]:
        """What sorts the quotients, and where each begins in this order."""
        order, begins = _sorted_keys(self.rough)
        repeated_places = np.flatnonzero(~begins)
        if not self._are_equal(order[repeated_places - 1], order[repeated_places]):
            # Different quotients a/b, c/d differ by 1/(b d) at least.
            bits = 2 * largest_size(self.denominators).bit_length()
            keys = (self.numerators.astype(object) << bits) // self.denominators.astype(object)
            order, begins = _sorted_keys(keys)
        return order, np.flatnonzero(begins)

    def _are_equal(self, first: np.ndarray, second: np.ndarray) -> bool:
        """Whether the quotients at some places are those at others."""
        a, c = self.numerators[first], self.numerators[second]
        b, d = self.denominators[first], self.denominators[second]
        differ = (a != c) | (b != d)
        crosswise = Whole(a[differ]) * Whole(d[differ])
        other_way = Whole(b[differ]) * Whole(c[differ])
        return bool(np.all(crosswise == other_way))

    def are(self, relation: str, key: Fraction) -> np.ndarray:
        """Which are less than a number, say, by "=", "<=" or ">="."""
        p, q = key.as_integer_ratio()
        truths: np.ndarray = (Whole(self.numerators) * q).compared(relation, Whole(self.denominators) * p)
        return truths

    def with_sums_of_weights(self) -> Quotients:
        """Each numerator once where all have one denominator, and numerators are close together."""
        if self.denominators.strides != (0,):
            return self
        least_numerator = int(self.numerators.min(initial=0))
        size = int(self.numerators.max(initial=0)) - least_numerator + 1
        if size > len(self):
            return self
        sums = _sums_of_groups(
            self.weights, (self.numerators - least_numerator).astype(np.int64, copy=False), size
        )
        p = np.flatnonzero(sums)
        return replace(
            self, numerators=p + least_numerator, denominators=self.denominators[: len(p)], weights=sums[p]
        )

    def ends(self) -> Quotients:
        """The least and the largest quotient, if there is any, and perhaps some between of the same doubles."""
        if not len(self):
            return self
        at_an_end = (self.rough == self.rough.min()) | (self.rough == self.rough.max())
        return self.chosen(at_an_end).merged()

    def sums_by_denominator(self) -> np.ndarray:
        """Denominators, sums of weights times numerators and times their squares for each, in three rows."""
        p, d, weights = self.numerators, self.denominators, self.weights
        # Neighbours mostly have one denominator.
        begins = np.ones(len(d), bool)
        begins[1:] = d[1:] != d[:-1]
        starts = np.flatnonzero(begins)
        heaviest = int(np.add.reduceat(weights, starts).max(initial=0))
        if heaviest * largest_size(p) ** 2 >= 2**63:
            weights, p = weights.astype(object), p.astype(object)
        products = weights * p
        sums = [np.add.reduceat(terms, starts) for terms in (products, products * p)]
        return np.stack([d[starts], *sums])

    def at(self, positions: Sequence[int]) -> list[tuple[int, int]]:
        """The quotients at some positions, of those that are in order."""
        places = np.searchsorted(np.cumsum(self.weights), positions)
        return list(zip(self.numerators[places].tolist(), self.denominators[places].tolist()))


def _sorted_keys(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What sorts some keys, and which of them, in this order, differ from the one before."""
    order = np.argsort(keys, kind="stable")
    keys_in_order = keys[order]
    begins = np.ones(len(keys), bool)
    begins[1:] = keys_in_order[1:] != keys_in_order[:-1]
    return order, begins


def _sums_of_groups(weights: np.ndarray, groups: np.ndarray, size: int) -> np.ndarray:
    """Sums of the weights in each of ``size`` groups; in 64 bits where the sum of all fits, as weights then are."""
    sums = np.zeros(size, weights.dtype)
    np.add.at(sums, groups, weights)
    return sums


def _by_denominator(parts: Sequence[np.ndarray]) -> np.ndarray:
    """The sums of equal denominators together."""
    rows = np.concatenate(parts, axis=1)
    denominators, groups = np.unique(Whole(rows[0]).values, return_inverse=True)  # in 64 bits where they fit
    fits = rows.dtype != object and np.abs(rows[1:].astype(float)).sum() < 2**62
    terms = rows[1:].astype(np.int64 if fits else object)
    sums = [_sums_of_groups(row, groups, len(denominators)) for row in terms]
    return np.stack([denominators, *sums])


class _Numbers(NamedTuple):
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
        blocks: Callable[[], Iterator[WeightedSignatures]],
        size: int,
        weight: Callable[[], int] | None = None,
    ) -> None:
        self.n, self.statistic, self.blocks, self.size = matrices.n, statistic, blocks, size
        self._weight = weight  # of all blocks, where it is known without them
        if_undefined = statistic.base.undefined
        self._undefined = None if if_undefined != if_undefined else Fraction(if_undefined)
        # All numerators are divided by what the formula says divides them: so sums mostly fit 64 bits.
        self.common = 1
        if not statistic.base.root:
            divisor = self._ratio(np.zeros((0, 4), np.int64)).numerator.divisor
            self.common = gcd(divisor, (self._undefined or Fraction()).numerator) or 1
        factor = Fraction(self.common)
        if statistic.factor is not None and matrices:
            factor *= statistic.factor(matrices)
        self.offset, self.factor = (Fraction(1), -factor) if statistic.complement else (Fraction(0), factor)

    def _ratio(self, cells: np.ndarray) -> Ratio:
        terms = self.statistic.exact_terms(self.n, cells.T, bound=max(self.n, comb(self.n, 2)))
        return Ratio.of(*terms, undefined=self._undefined)

    def _quotients(self, cells: np.ndarray, weights: np.ndarray) -> Quotients:
        """The quotients of a block that are defined, in its order."""
        ratio = self._ratio(cells)
        bound = max(ratio.numerator.bound, ratio.denominator.bound)
        numerator = ratio.numerator // self.common
        p, q = (np.broadcast_to(x.values, len(cells)) for x in (numerator, ratio.denominator))
        quotients = Quotients(p, q, weights, bound)
        if np.all(ratio.defined):
            return quotients
        is_defined = np.broadcast_to(ratio.defined, len(cells))
        return quotients.chosen(is_defined, int(weights[~is_defined].sum()))

    def _parts(self) -> Iterator[Quotients]:
        """All quotients, some at a time; where they are few together, and kept in order where they are fewer."""
        if self.size <= _KEPT:
            yield self._kept
            return
        parts = (self._quotients(*block).with_sums_of_weights() for block in self.blocks())
        if self.size > SIGNATURES_READ_AT_ONCE:
            yield from parts
            return
        all_parts = list(parts)
        if sum(map(len, all_parts)) <= _KEPT:
            all_parts = [Quotients.together(all_parts).merged()]
        yield from all_parts

    @cached_property
    def _kept(self) -> Quotients:
        return Quotients.together([self._quotients(*block) for block in self.blocks()]).merged()

    def _looks(self) -> Callable[[], Iterable[Quotients]]:
        """What ``_parts`` gives, to be gone through again and again."""
        if self.size > SIGNATURES_READ_AT_ONCE:
            return self._parts
        all_parts = list(self._parts())
        return lambda: all_parts

    @cached_property
    def _numbers(self) -> _Numbers:
        """What is asked most, from one look; without the five values where the signatures are many."""
        looks = self._looks()
        weight_undefined, sums, ends = self._summed(looks)
        moments = None
        if ends and not self.statistic.base.root and min(ends) < max(ends):
            moments = sums.moments(self._simple, self.offset, self.factor)
        values: dict[int, Number] = {}
        if self.size <= SIGNATURES_READ_AT_ONCE and sums.total:
            places = five_positions(sums.total)
            values = dict(zip(places, self._nth(looks, ends, self._turned(places, sums.total))))
        return _Numbers(sums.total, weight_undefined, moments, ends, values)

    def _summed(self, looks: Callable[[], Iterable[Quotients]]) -> tuple[int, RatioSums, list[Fraction]]:
        """Weight of the undefined values, sums of the others, candidates for the least and largest base."""
        total = weight_undefined = 0
        sums = [np.zeros((3, 0), np.int64)]
        parts_at_ends = []
        for part in looks():
            total += int(part.weights.sum())
            weight_undefined += part.undefined
            sums.append(part.sums_by_denominator())
            if len(sums) > _PENDING:
                sums = [_by_denominator(sums)]
            parts_at_ends.append(part.ends())
        if self._weight is not None and total + weight_undefined != self._weight():
            raise ConsistencyError(
                f"the values of {self.statistic.name} have weight {total + weight_undefined}, "
                f"their law {self._weight()}"
            )
        at_ends = Quotients.together(parts_at_ends).merged()
        quotients = list(map(Fraction, at_ends.numerators.tolist(), at_ends.denominators.tolist()))
        d, first_sums, second_sums = _by_denominator(sums).astype(object)
        return (
            weight_undefined,
            RatioSums(d, first_sums, second_sums, total),
            [*quotients[:1], *quotients[-1:]],
        )

    @property
    def _simple(self) -> bool:
        """Whether numerators alone differ, so that moments are Fractions of few digits."""
        return "P" not in self.statistic.base.depends

    @property
    def total(self) -> int:
        """Weight of the defined values."""
        return self._numbers.total

    @property
    def undefined(self) -> int:
        """Weight of the undefined ones."""
        return self._numbers.undefined

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
        if self._numbers.moments is not None and exact <= self._simple:
            return self._numbers.moments
        return self._summed(self._looks())[1].moments(exact or self._simple, self.offset, self.factor)

    def at(self, positions: Sequence[int]) -> list[Number]:
        """The values at some positions: looked for in bins first where the signatures are many."""
        if set(positions) <= set(self._numbers.values):
            return [self._numbers.values[k] for k in positions]
        return self._nth(self._looks(), self._numbers.ends, self._turned(positions, self.total))

    def _nth(
        self, looks: Callable[[], Iterable[Quotients]], ends: list[Fraction], positions: Sequence[int]
    ) -> list[Number]:
        """The values at some positions among the quotients: looked for in bins first, unless they are in order."""
        least_base, largest_base = float(min(ends)), float(max(ends))
        scale = (_BINS - 1) / (largest_base - least_base) if least_base < largest_base else 0.0

        def bins(part: Quotients) -> np.ndarray:
            return ((part.rough - least_base) * scale).astype(np.int64)

        of_bins = np.zeros(_BINS, object)
        for part in looks():
            if part.in_order:
                return [self.value(*quotient) for quotient in part.at(positions)]
            of_bins += _sums_of_groups(part.weights, bins(part), _BINS)
        up_to_bins = np.cumsum(of_bins)
        bins_of_positions = np.searchsorted(up_to_bins, np.array(positions, object)).tolist()
        is_asked = np.isin(np.arange(_BINS), bins_of_positions)
        in_those_bins = Quotients.together(
            [part.chosen(np.flatnonzero(is_asked[bins(part)])) for part in looks()]
        )
        bin_of = bins(in_those_bins)
        values = []
        for i, position in zip(bins_of_positions, positions):
            weight_before = int(up_to_bins[i] - of_bins[i])
            (quotient,) = in_those_bins.chosen(bin_of == i).merged().at([position - weight_before])
            values.append(self.value(*quotient))
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
        key = self._key(x)
        relation = "<=" if self.factor > 0 else ">="
        return sum(int(part.weights[part.are(relation, key)].sum()) for part in self._parts())

    def points(self) -> Iterator[tuple[Number, int]]:
        """Every value, in increasing order, with its weight."""
        if not self.factor:
            yield self.offset, self.total
            return
        quotients = Quotients.together([part.merged() for part in self._parts()]).merged()
        step = 1 if self.factor > 0 else -1
        columns = (quotients.numerators, quotients.denominators, quotients.weights)
        for p, q, weight in zip(*(column[::step].tolist() for column in columns)):
            yield self.value(p, q), weight

    def placed(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Numerators and denominators of the values at some signatures, in increasing order, and which value each has.

        In lowest terms; 0/0 comes last, whether it occurs or not.
        """
        quotients = self._quotients(cells, np.arange(len(cells)))
        order, starts = quotients.order()
        ranks = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(order)))
        distinct = quotients.chosen(order[starts])
        factor_above, factor_below = self.factor.as_integer_ratio()
        denominators = Whole(distinct.denominators) * factor_below
        numerators = Whole(distinct.numerators) * factor_above + denominators * int(self.offset)
        p, q = lowest_terms(numerators.values, denominators.values)
        if factor_above < 0:
            p, q, ranks = p[::-1], q[::-1], len(p) - 1 - ranks
        places = np.full(len(cells), len(p))
        places[quotients.weights[order]] = ranks
        return np.append(p, 0), np.append(q, 0), places

    def cells_at_end(self, largest: bool) -> np.ndarray:
        """The signatures with the least or the largest value: those at the least MED among them."""
        ends = self._numbers.ends
        key = max(ends) if largest == (self.factor > 0) else min(ends)
        for cells, _ in self.blocks():
            # Places in the stead of weights: undefined values are left out.
            quotients = self._quotients(cells, np.arange(len(cells)))
            places = quotients.weights[quotients.are("=", key)]
            if len(places):
                at_end = cells[places]
                return at_end[at_end[:, 0] == at_end[:, 0].min()]
        raise ConsistencyError(f"no signature has the value {key}, which was counted")
