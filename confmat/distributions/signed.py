"""Distribution of one statistic with a formula in sufficient statistics, as exact quotients of any number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import starmap
from math import comb, gcd, inf
from typing import Any, NamedTuple

import numpy as np

from confmat._engine.blocks import WeightedSignatures
from confmat._engine.signatures import SIGNATURES_READ_AT_ONCE
from confmat._integers.arrays import Chunk, MergedChunks, groups
from confmat.classes import MatrixClass
from confmat.distributions.lines import Listed, Moments, Number, RatioSums
from confmat.errors import UndecidedError
from confmat.indices.classification.roots import RootSum
from confmat.indices.numbers import Exact, lowest_terms, precisions
from confmat.statistics.ratios import COMPARISONS, Ratio, Whole, largest_size
from confmat.statistics.record import Statistic

# Up to this number of quotients stay in memory, sorted.  Among more quotients, bins find the wanted ones.
_MOST_SORTED = 2**16
_BINS = 2**12


@dataclass(frozen=True, eq=False)
class Quotients:
    """Quotients with their weights, and the weight of undefined quotients (0/0).

    ``bound`` is an upper bound of numerators and denominators.

    >>> halves = Quotients(np.array([1, 2, 1]), np.array([2, 4, 3]), np.array([5, 1, 2]), 4)
    >>> halves = Quotients.together([halves])
    >>> halves.numerators.tolist(), halves.denominators.tolist(), halves.weights.tolist()
    ([1, 1], [3, 2], [2, 6])
    """

    numerators: np.ndarray
    denominators: np.ndarray
    weights: np.ndarray
    bound: int
    undefined: int = 0

    @classmethod
    def together(cls, parts: Iterable[Quotients]) -> Quotients:
        """Merge several parts: return the distinct quotients in increasing order with the sums of their weights."""
        waiting: list[Quotients] = []
        number_waiting = 0
        for part in parts:
            waiting.append(part)
            number_waiting += len(part.weights)
            if number_waiting > SIGNATURES_READ_AT_ONCE:
                waiting = [cls._merged(waiting)]
                number_waiting = 0
        return cls._merged(waiting)

    @classmethod
    def _merged(cls, parts: list[Quotients]) -> Quotients:
        """Return the distinct quotients of some parts in increasing order, with the sums of their weights."""
        none = np.zeros(0, np.int64)
        columns = [(none, none, none)]
        bound = undefined = 0
        for part in parts:
            columns.append((part.numerators, part.denominators, part.weights))
            bound = max(bound, part.bound)
            undefined += part.undefined
        p, q, weights = map(np.concatenate, zip(*columns))
        every_quotient = cls(p, q, weights, bound)
        order, starts = every_quotient.order()
        return replace(
            every_quotient.chosen(order[starts], undefined),
            weights=np.add.reduceat(weights[order], starts),
        )

    @cached_property
    def rough(self) -> np.ndarray:
        """Quotients as the nearest floats, which are in the same order as the quotients."""
        p = self.numerators
        q = self.denominators
        if self.bound >= 2**53:
            largest_term = max(largest_size(p), largest_size(q))
            if largest_term >= 2**53:
                p = p.astype(object)
                q = q.astype(object)
        return (p / q).astype(float)

    def chosen(self, places: np.ndarray, undefined: int = 0) -> Quotients:
        """Return the quotients at the positions ``places``.

        ``undefined`` is the weight of undefined quotients of the result.
        """
        p = self.numerators[places]
        q = self.denominators[places]
        return Quotients(p, q, self.weights[places], self.bound, undefined)

    def order(self) -> tuple[np.ndarray, np.ndarray]:
        """Return a permutation that sorts the quotients, and the start of each distinct quotient in it."""
        _, order, starts = groups(self.rough[:, None])
        # The quotients between two starts have the same float: they are equal, or close together.
        repeated_places = np.delete(np.arange(len(order)), starts)
        first = order[repeated_places - 1]
        second = order[repeated_places]
        a = self.numerators[first]
        c = self.numerators[second]
        b = self.denominators[first]
        d = self.denominators[second]
        differ = (a != c) | (b != d)
        differences = Whole(a[differ]) * Whole(d[differ]) - Whole(b[differ]) * Whole(c[differ])
        if differences.values.any():
            # Different quotients a/b and c/d differ by at least 1/(b d).
            bits = 2 * largest_size(self.denominators).bit_length()
            keys = (self.numerators.astype(object) << bits) // self.denominators.astype(object)
            _, order, starts = groups(keys[:, None])
        return order, starts

    def are(self, relation: str, key: Any) -> np.ndarray:
        """Return a mask of the quotients that are equal to, at most, or less than the exact number ``key``.

        ``relation`` is "=", "<=" or "<".
        """
        if isinstance(key, Exact):
            if key.rational is None:
                return self._are_below(relation, key)
            key = key.rational
        p, q = key.as_integer_ratio()
        truths: np.ndarray = (Whole(self.numerators) * q).compared(relation, Whole(self.denominators) * p)
        return truths

    def _are_below(self, relation: str, key: Exact) -> np.ndarray:
        """Return the result of `are` for an exact number ``key`` that may be irrational.

        The quotients are compared with rational bounds of ``key`` that have no quotient between them.
        """
        for bits in precisions(key.most_bits):
            lower, upper = (self.are(relation, x) for x in key.bounds(bits))
            if (lower == upper).all():
                return lower
        raise UndecidedError(
            f"cannot decide whether a value of the distribution equals {key}: they agree in {key.most_bits} "
            "binary digits"
        )

    def with_sums_of_weights(self) -> Quotients:
        """Return the distinct quotients with the sums of their weights. All must have the same denominator.

        If the range of numerators is larger than the number of quotients, the quotients are returned unchanged.
        """
        least_numerator = int(self.numerators.min(initial=0))
        size = int(self.numerators.max(initial=0)) - least_numerator + 1
        if size > len(self.weights):
            return self
        sums = _sums_of_groups(
            self.weights, (self.numerators - least_numerator).astype(np.int64, copy=False), size
        )
        p = np.flatnonzero(sums)
        return replace(
            self,
            numerators=p + least_numerator,
            denominators=self.denominators[: len(p)],
            weights=sums[p],
        )

    def sums_by_denominator(self) -> Chunk:
        """Return the denominators, and for each the sums of weight, weight * numerator and weight * numerator**2."""
        p = self.numerators
        d = self.denominators
        weights = self.weights
        # Adjacent quotients mostly have the same denominator.
        begins = np.ones(len(d), bool)
        begins[1:] = d[1:] != d[:-1]
        starts = np.flatnonzero(begins)
        sums_of_weights = np.add.reduceat(weights, starts)
        if int(sums_of_weights.max(initial=0)) * largest_size(p) ** 2 >= 2**63:
            weights = weights.astype(object)
            p = p.astype(object)
        products = weights * p
        sums = np.add.reduceat(products, starts), np.add.reduceat(products * p, starts)
        # Sums of these sums may exceed 64 bits.
        return d[starts, None], np.stack([sums_of_weights, *sums], axis=1).astype(object)

    def at(self, positions: Sequence[int]) -> list[tuple[int, int]]:
        """Return the k-th smallest quotient as (numerator, denominator), for each k in ``positions``.

        A quotient of weight w counts w times. The quotients must be in order.
        """
        places = np.searchsorted(np.cumsum(self.weights), positions)
        return list(
            zip(
                self.numerators[places].tolist(),
                self.denominators[places].tolist(),
            )
        )


def _sums_of_groups(weights: np.ndarray, groups: np.ndarray, size: int) -> np.ndarray:
    """Return the sum of the weights in each of ``size`` groups, in the type of the weights."""
    sums = np.zeros(size, weights.dtype)
    np.add.at(sums, groups, weights)
    return sums


class _Numbers(NamedTuple):
    """Results of one pass: weights, moments (None if values are square roots), smallest and largest quotient."""

    total: int
    undefined: int
    moments: Moments | None
    ends: list[Fraction]


class Signed:
    """Distribution of a statistic with a formula, computed from sufficient statistics (m, A, B, P).

    m is n MED. A, B and P are the numbers of pairs of objects in a common row, column and cell. ``blocks()`` yields
    the sufficient statistics with their weights in chunks, and is called repeatedly. Each value is ``offset +
    factor q`` with an exact quotient q and a positive ``factor``, or ``offset + factor sqrt(q)`` for roots. For a
    complement such as 1 - x, q is negative. Values therefore increase with q.
    """

    def __init__(
        self,
        matrices: MatrixClass,
        statistic: Statistic,
        blocks: Callable[[], Iterator[WeightedSignatures]],
        size: int,
    ) -> None:
        self.n, self.statistic, self.blocks, self.size = matrices.n, statistic, blocks, size
        if_undefined = statistic.base.undefined
        if if_undefined != if_undefined:
            self._undefined = None
        else:
            self._undefined = Fraction(if_undefined)
        # Numerators are divided by their common factor, which the formula declares, so that sums mostly fit 64 bits.
        common = 1
        self._terms = partial(statistic.exact_terms, self.n, bound=max(self.n, comb(self.n, 2)))
        if not statistic.base.root:
            numerators, denominators = self._terms(np.zeros((4, 0), np.int64))
            common = gcd(numerators.divisor, (self._undefined or Fraction()).numerator) or 1
            if not denominators.values.ndim:  # with one denominator there are few quotients
                self.size = min(size, numerators.bound + 1)
        self._divisor = -common if statistic.complement else common
        self.offset, self.factor = Fraction(int(statistic.complement)), Fraction(common)
        if statistic.factor is not None and matrices:
            self.factor *= statistic.factor(matrices)
        # Without P the denominators are equal, so that moments are Fractions with few digits.
        self._simple = "P" not in statistic.base.depends

    def _quotients(self, cells: np.ndarray, weights: np.ndarray) -> Quotients:
        """Return the values of the statistic at a chunk of sufficient statistics as quotients, without undefined ones.

        The quotients are in the order of ``cells``, with their ``weights``.
        """
        ratio = Ratio.of(*self._terms(cells.T), undefined=self._undefined)
        bound = max(ratio.numerator.bound, ratio.denominator.bound)
        p = np.broadcast_to(
            ratio.numerator.values // self._divisor,
            len(cells),
        )
        q = np.broadcast_to(ratio.denominator.values, len(cells))
        quotients = Quotients(p, q, weights, bound)
        if np.all(ratio.defined):
            return quotients
        is_defined = np.broadcast_to(ratio.defined, len(cells))
        return quotients.chosen(is_defined, int(weights[~is_defined].sum()))

    def __iter__(self) -> Iterator[Quotients]:
        """Yield the quotients in chunks."""
        for block in self.blocks():
            quotients = self._quotients(*block)
            has_one_denominator = not quotients.denominators.strides[0]
            yield quotients.with_sums_of_weights() if has_one_denominator else quotients

    @cached_property
    def _sorted(self) -> Quotients | None:
        """All quotients in increasing order, None if they are too many."""
        return Quotients.together(self) if self.size <= _MOST_SORTED else None

    def _parts(self) -> Iterable[Quotients]:
        """Return the quotients in chunks, for repeated iteration. One chunk has all quotients if they are few."""
        return self if self._sorted is None else [self._sorted]

    @cached_property
    def _numbers(self) -> _Numbers:
        """Weights, moments, and the smallest and largest quotient, from one pass over the quotients."""
        weight_undefined, sums, ends = self._summed()
        moments: Moments | None = None
        if ends and not self.statistic.base.root:
            if self.factor and ends[0] < ends[-1]:
                moments = sums.moments(self._simple, self.offset, self.factor)
            else:
                moments = self.value(*ends[0].as_integer_ratio()), Fraction(0), 0.0
        return _Numbers(sums.total, weight_undefined, moments, ends)

    def _summed(self) -> tuple[int, RatioSums, list[Fraction]]:
        """Return the weight of undefined quotients, the `RatioSums` of the others, and the extreme quotients.

        The extreme quotients are the smallest and the largest one, in a list.
        """
        parts_at_ends = []
        sums_of_parts = MergedChunks(1, (3,))
        for part in self._parts():
            least_double = part.rough.min(initial=inf)
            largest_double = part.rough.max(initial=-inf)
            # The smallest and the largest quotient, if there are any, and quotients with the same floats.
            at_an_end = (part.rough == least_double) | (part.rough == largest_double)
            parts_at_ends.append(Quotients.together([part.chosen(at_an_end, part.undefined)]))
            sums_of_parts.add(*part.sums_by_denominator())
        denominators, sums = sums_of_parts.together()
        weights, first_sums, second_sums = sums.T.astype(object)
        total = int(weights.sum())
        at_ends = Quotients.together(parts_at_ends)
        quotients = list(
            map(
                Fraction,
                at_ends.numerators.tolist(),
                at_ends.denominators.tolist(),
            )
        )
        d = denominators[:, 0].astype(object)
        ends = [*quotients[:1], *quotients[-1:]]
        return at_ends.undefined, RatioSums(d, first_sums, second_sums, total), ends

    @property
    def total(self) -> int:
        """Weight of the defined values."""
        return self._numbers.total

    @property
    def undefined(self) -> int:
        """Weight of the undefined values."""
        return self._numbers.undefined

    def value(self, numerator: int, denominator: int) -> Number:
        """Return ``offset + factor q``, or for roots ``offset + factor sqrt(q)``, for the quotient q."""
        quotient = Fraction(int(numerator), int(denominator))
        if not self.statistic.base.root:
            return self.offset + self.factor * quotient
        root: Any = RootSum.sqrt(abs(quotient))
        return self.offset + self.factor * (root if quotient > 0 else -root)

    def moments(self, exact: bool) -> Moments | None:
        """Return mean, variance and standard deviation.

        They are Fractions if ``exact``, or if all denominators are equal, otherwise the nearest floats.
        """
        if self.statistic.base.root:
            return Listed(dict(self.points())).moments(exact)
        moments = self._numbers.moments
        if moments is None or exact <= self._simple:
            return moments
        return self._summed()[1].moments(True, self.offset, self.factor)

    def at(self, positions: Sequence[int]) -> list[Number]:
        """Return the values at some positions, counted by weight from 1 in increasing order."""
        if self._sorted is not None:
            return list(starmap(self.value, self._sorted.at(positions)))
        return self._nth(positions)

    def _nth(self, positions: Sequence[int]) -> list[Number]:
        """Return the values at some positions, counted by weight, if there are too many quotients to sort.

        A first pass counts the quotients in bins. A second pass sorts the quotients in the bins of the positions.
        """
        ends = self._numbers.ends
        least = float(ends[0])
        largest = float(ends[-1])
        if least < largest:
            scale = (_BINS - 1) / (largest - least)
        else:
            scale = 0.0

        def bins(part: Quotients) -> np.ndarray:
            return ((part.rough - least) * scale).astype(np.int64)

        of_bins = np.zeros(_BINS, object)
        for part in self:
            of_bins += _sums_of_groups(part.weights, bins(part), _BINS)
        bins_of_positions = np.searchsorted(np.cumsum(of_bins), np.array(positions, object)).tolist()
        is_asked = np.isin(np.arange(_BINS), bins_of_positions)
        parts_asked = []
        for part in self:
            parts_asked.append(part.chosen(np.flatnonzero(is_asked[bins(part)])))
        weight_left_out = np.cumsum(np.where(is_asked, 0, of_bins))
        positions_asked = np.array(positions, object) - weight_left_out[bins_of_positions]
        return list(starmap(self.value, Quotients.together(parts_asked).at(positions_asked.tolist())))

    def up_to(self, x: Any, relation: str = "<=") -> int:
        """Return the weight of the values <= x, or < x if ``relation`` is "<"."""
        if not self.factor:
            return self.total if COMPARISONS[relation](self.offset, x) else 0
        quotient = (x - self.offset) / self.factor
        if self.statistic.base.root:
            quotient *= abs(quotient)
        return sum(int(part.weights[part.are(relation, quotient)].sum()) for part in self._parts())

    def points(self) -> Iterator[tuple[Number, int]]:
        """Yield every value, in increasing order, with its weight."""
        if not self.factor:
            yield self.offset, self.total
            return
        quotients = self._sorted or Quotients.together(self)
        columns = quotients.numerators, quotients.denominators, quotients.weights
        for p, q, weight in zip(*map(np.ndarray.tolist, columns)):
            yield self.value(p, q), weight

    def placed(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the distinct values at the sufficient statistics ``cells``, and the index of each value.

        The result has numerators, denominators and indices, as `numpy.unique` with ``return_inverse``. Values
        increase and are in lowest terms. The last one is 0/0, even if it does not occur.
        """
        quotients = self._quotients(cells, np.arange(len(cells)))
        order, starts = quotients.order()
        distinct = quotients.chosen(order[starts])
        factor_above, factor_below = self.factor.as_integer_ratio()
        denominators = Whole(distinct.denominators) * factor_below
        numerators = Whole(distinct.numerators) * factor_above + denominators * int(self.offset)
        p, q = lowest_terms(numerators.values, denominators.values)
        places = np.full(len(cells), len(p))
        sizes = np.diff(starts, append=len(order))
        places[quotients.weights[order]] = np.arange(len(starts)).repeat(sizes)
        return np.append(p, 0), np.append(q, 0), places

    def cells_at_end(self, largest: bool) -> np.ndarray:
        """Return the sufficient statistics with the smallest or the largest value.

        Among these, only those with the smallest MED are returned.
        """
        key = self._numbers.ends[-1 if largest else 0]
        parts = map(partial(self._with_quotient, key), self.blocks())
        at_end = next(filter(len, parts))
        return at_end[at_end[:, 0] == at_end[:, 0].min()]

    def _with_quotient(self, key: Fraction, block: WeightedSignatures) -> np.ndarray:
        """Return the sufficient statistics of a chunk at which the statistic has the quotient ``key``."""
        cells, _ = block
        # Positions replace the weights, because undefined values are omitted.
        quotients = self._quotients(cells, np.arange(len(cells)))
        return cells[quotients.weights[quotients.are("=", key)]]
