"""Number of matrices with given margins by roots of unity modulo primes, in kilobytes of memory.

Let h_c(x) be the sum of all monomials of degree c in x_1..x_r. The tables with column sums c have the generating
function prod_j h_{c_j}(x). The number of tables with row sums a is its coefficient of x_1^{a_1} ... x_r^{a_r}. Take
the mean of prod_j h_{c_j}(x) prod_i x_i^{-a_i} over the N_i-th roots of unity x_i, N_i > a_i. It selects the
exponents that are congruent to a_i modulo N_i. The *term* of a choice of roots is this product at these x_i.

One row needs no root. With x_1 = 1, its exponent is a_1 minus a combination of multiples of the N_i, hence a_1 if
a_1 < N_i for all i. No other exponents are selected. Rows with equal sums form a *group*. They have the same N_i,
and their x form a multiset. Computations are modulo primes p = 1 (mod every N_i), eight at a time. The Chinese
remainder theorem gives the number, because the product of the primes exceeds an upper bound of it.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from math import comb, factorial, lcm, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from confmat._integers.arrays import from_residues
from confmat._integers.compositions import Composition, tables_at_most
from confmat._numba import copy, njit, stoppable
from confmat.errors import TooLargeError

PRIMES_AT_ONCE = 8  # primes
ROOTS_TOGETHER = 4  # roots of the last line that go through the products together
LARGEST_PRIME = 2**29  # a sum or product of residues that were not fully reduced then fits 64 bits

# Limits of a count by roots: beyond them it takes days, or its forecast takes seconds.
MOST_LINES, LARGEST_LINE = 2000, 10**6

# Numbers with many divisors, so that some divisor is slightly larger than any sum.
_SMOOTH = (2520, 27720, 360360, 720720)


class GroupedLines(NamedTuple):
    """Margin whose sums become exponents of roots of unity, with equal sums as one group.

    ``sums`` are the distinct sums, ``copies`` their multiplicities, and ``orders`` the orders N of the roots z (z^N
    = 1).
    """

    sums: Composition
    copies: Composition
    orders: Composition

    @property
    def free(self) -> Composition:
        """Number of rows of each group whose root varies. The root of one row is always 1."""
        return (self.copies[0] - 1, *self.copies[1:])

    @property
    def choices(self) -> list[int]:
        """Number of ways to choose roots for the first k rows whose root varies, for k = 0, 1, ...

        Choices that differ by the order of equal rows are counted once.
        """
        numbers = [1]
        for order, copies in zip(self.orders, self.free):
            of_lines_before = numbers[-1]
            numbers += [of_lines_before * comb(order + k, k + 1) for k in range(copies)]
        return numbers


class Roots(NamedTuple):
    """Plan of a count by roots of unity.

    Attributes
    ----------
    lines : GroupedLines
        Margin whose sums become exponents of roots.
    columns : tuple of int
        The other margin.
    modulus : int
        All primes are 1 modulo this integer, so that they have the roots.
    batches : int
        Number of batches of ``PRIMES_AT_ONCE`` primes.
    """

    lines: GroupedLines
    columns: Composition
    modulus: int
    batches: int

    @property
    def seconds(self) -> float:
        """Estimated CPU seconds: 4.5 ns for a product of eight residues, 40 ns for a step of the recursion."""
        *choices_above, choices_of_last, terms = self.lines.choices
        largest_sum = max(self.columns)
        powers = sum(2 * copies.bit_length() for copies in Counter(self.columns).values())
        nanoseconds = 4.5 * (terms + 4 * choices_of_last) * (largest_sum + powers)
        nanoseconds += (40 + 6 * largest_sum) * (sum(choices_above) + choices_of_last)
        return 1e-9 * self.batches * nanoseconds


@lru_cache(maxsize=16)  # the plan and the count that follows both call it
def by_roots(rows: Composition, cols: Composition) -> Roots | None:
    """Return the plan to count tables with positive margins by roots of unity in the least forecast time.

    The plan says which margin gives the exponents, and the orders of the roots. Return None if the margins are too
    large.

    >>> by_roots((2, 2, 2), (3, 2, 1)).lines
    GroupedLines(sums=(1, 2, 3), copies=(1, 1, 1), orders=(2, 3, 4))
    >>> by_roots((10,) * 10, (10,) * 10).lines.choices[-1]
    92378
    """
    if max(*rows, *cols) > LARGEST_LINE:
        return None
    primes = tables_at_most(rows, cols).bit_length() // 28 + 1
    batches = -(-primes // PRIMES_AT_ONCE)
    ways = []
    for sums, columns in ((rows, cols), (cols, rows)):
        if len(sums) > MOST_LINES:
            continue
        for modulus, lines in _orders(sums):
            # One in log(2^29) = 20 numbers is a prime, and more of those that are 1 modulo an integer.  The factor 40
            # leaves twice the required number.
            if batches * PRIMES_AT_ONCE * modulus * 40 <= LARGEST_PRIME:
                ways.append(Roots(lines, columns, modulus, batches))
    return min(ways, key=lambda way: way.seconds, default=None)


def _orders(sums: Composition) -> Iterator[tuple[int, GroupedLines]]:
    """Yield possible plans: a modulus, and a margin (``sums``) with the orders of the roots of its rows.

    The order for a row is the smallest divisor of the modulus that exceeds the sum of the row.
    """
    from sympy import divisors

    groups = Counter(sums)
    least_modulus = max(sums) + 1
    for modulus in {least_modulus, lcm(*(a + 1 for a in groups)), *_SMOOTH}:
        if not least_modulus <= modulus <= LARGEST_PRIME:
            continue
        divisors_of_modulus = divisors(modulus)
        orders = {a: next(d for d in divisors_of_modulus if d > a) for a in groups}
        for fixed_sum in groups:
            # Groups of few rows are last, which gives long runs of roots.
            order = (
                fixed_sum,
                *sorted(
                    set(groups) - {fixed_sum},
                    key=lambda a: -groups[a],
                ),
            )
            lines = GroupedLines(
                order,
                tuple(groups[a] for a in order),
                tuple(orders[a] for a in order),
            )
            orders_needed = [orders[a] for a, copies in zip(order, lines.free) if copies]
            if fixed_sum < min(orders_needed):
                yield modulus, lines


def count_by_roots(rows: Composition, cols: Composition) -> int:
    """Return the number of matrices with these margins.

    All sums must be positive, and there must be at least three rows and three columns.

    >>> count_by_roots((2, 2, 2), (2, 2, 2)), count_by_roots((5, 3, 1), (4, 4, 1))
    (21, 18)
    """
    roots = by_roots(rows, cols)
    if roots is None:
        raise TooLargeError(
            f"rows and cols are too large to count these {len(rows)} x {len(cols)} tables by roots of unity. Use "
            "FixedMargins(rows, cols).count(), which chooses a method"
        )
    primes = primes_beside(roots.modulus, roots.batches * PRIMES_AT_ONCE)
    residues = []
    for k in range(0, len(primes), PRIMES_AT_ONCE):
        residues += _residues(roots, primes[k : k + PRIMES_AT_ONCE])
    return int(from_residues(np.array(residues)[:, None], primes)[0])


@lru_cache(maxsize=64)
def primes_beside(modulus: int, number: int) -> tuple[int, ...]:
    """Return the largest primes below 2^29 that are 1 modulo ``modulus``, at most ``number`` of them.

    >>> primes_beside(360360, 2)
    (536576041, 532972441)
    """
    from sympy import isprime

    start = (LARGEST_PRIME - 2) // modulus * modulus + 1
    return tuple(islice((p for p in range(start, modulus, -modulus) if isprime(p)), number))


def _residues(roots: Roots, primes: tuple[int, ...]) -> list[int]:
    """Return the number of matrices modulo each prime. Residues x are stored as x 2^32 modulo p (Montgomery form)."""
    lines = roots.lines
    powers, turns = _powers_and_turns(lines, primes)
    inverses = [[pow(k, -1, p) for p in primes] for k in range(1, max(lines.free) + 1)]
    groups = np.repeat(np.arange(len(lines.free)), lines.free)
    minus_inverse = [-pow(p, -1, 2**32) % 2**32 for p in primes]
    problem = RootArrays(
        groups=groups,
        again=np.diff(groups, prepend=-1) == 0,
        orders=np.array(lines.orders, np.int64),
        columns=np.array(sorted(Counter(roots.columns).items()), np.int64),
        powers=_in_montgomery_form(powers, primes),
        turns=_in_montgomery_form(turns, primes),
        inverses=_in_montgomery_form(inverses, primes),
        one=_in_montgomery_form([1], primes),
        p=np.array(primes, np.uint64),
        minus_inverse=np.array(minus_inverse, np.uint64),
    )
    roots_of_first = lines.orders[groups[0]]
    sums = [stoppable(_sum_over_roots, problem, i) for i in range(roots_of_first)]
    # Of the tuples of roots that differ by an exchange of equal rows or columns, only one was added.
    copies_exchanged = prod(map(factorial, lines.free))
    # The number of matrices is the mean over all tuples of roots. The factor 2^32 is that of the Montgomery form.
    terms = prod(order**copies for order, copies in zip(lines.orders, lines.free))
    residues = []
    for sums_of_prime, p in zip(zip(*sums), primes):
        total = sum(map(int, sums_of_prime))
        residues.append(total * copies_exchanged * pow(terms << 32, -1, p) % p)
    return residues


def _powers_and_turns(lines: GroupedLines, primes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays: z^i and z^(-a i) for each set of rows with the same sum a, each i and each prime.

    z is a primitive root of unity modulo the prime. Its order N is that of the rows in ``lines.orders``. In both
    arrays i goes from 0 to N - 1.
    """
    shape = (
        len(lines.sums),
        max(lines.orders) + ROOTS_TOGETHER,
        PRIMES_AT_ONCE,
    )
    powers = np.zeros(shape, np.uint64)
    turns = np.zeros(shape, np.uint64)
    for g, (a, order) in enumerate(zip(lines.sums, lines.orders)):
        for q, p in enumerate(primes):
            root = pow(_generator(p), (p - 1) // order, p)
            powers[g, :order, q] = [pow(root, i, p) for i in range(order)]
        turns[g, :order] = powers[g, -a * np.arange(order) % order]
    return powers, turns


def _in_montgomery_form(residues: ArrayLike, primes: tuple[int, ...]) -> np.ndarray:
    """Return x 2^32 modulo p for residues x, an array whose last axis is over the primes p.

    >>> _in_montgomery_form([[1], [2]], (7,)).tolist()
    [[4], [1]]
    """
    return (np.array(residues, np.uint64) << np.uint64(32)) % np.array(primes, np.uint64)


@lru_cache(maxsize=4096)
def _generator(p: int) -> int:
    """Return a primitive root modulo a prime."""
    from sympy import primitive_root

    return int(primitive_root(p))


class RootArrays(NamedTuple):
    """Arrays that the compiled functions of the count by roots of unity take as one argument.

    The last axis of arrays of residues is over the primes.
    """

    groups: np.ndarray  # group of each row that has a root
    again: np.ndarray  # whether the row before is of the same group
    orders: np.ndarray  # order N of the roots of each group
    columns: np.ndarray  # distinct column sums in increasing order, with their multiplicities
    powers: np.ndarray  # [group, i]: the i-th root x
    turns: np.ndarray  # [group, i]: x^-a for the row sum a of the group
    inverses: np.ndarray  # [k - 1]: 1 / k
    one: np.ndarray  # the residue 1
    p: np.ndarray  # the primes
    minus_inverse: np.ndarray  # -1 / p modulo 2^32


@njit(inline="always")
def _times(x, y, p, minus_inverse):
    """Return x y / 2^32 modulo p by Montgomery's reduction, where ``minus_inverse`` is -1/p modulo 2^32.

    The result is below p (1 + x y / (2^32 p)). It may exceed p.
    """
    product = x * y
    return (product + ((product * minus_inverse) & np.uint64(0xFFFFFFFF)) * p) >> np.uint64(32)


@njit(nogil=True, cache=True)
def _products(problem, h, x, product, s, base):
    """Multiply ``product[b]`` by h_c for every column sum c, for a few roots ``x[b]`` of the last row at once.

    h_c is the sum of all monomials of degree c in the roots of all rows. It depends on the root of the last row.
    The other rows have fixed roots.

    Parameters
    ----------
    problem : RootArrays
        Column sums, primes and roots.
    h : array, shape (at least the largest column sum + 1, primes)
        ``h[k]`` is the sum of the monomials of degree k in the roots of the other rows.
    x, product : arrays, shape (ROOTS_TOGETHER, primes)
        Roots of the last row, and the products, which are changed in place.
    s, base : arrays of the same shape
        Working memory. Values in ``s`` stay below 2.3 p, powers and products below 1.5 p. No product overflows,
        because 8 p <= 2^32.
    """
    p = problem.p
    minus_inverse = problem.minus_inverse
    columns = problem.columns
    s[:] = 0
    k = 0
    for j in range(len(columns)):
        c, copies = columns[j]
        while k <= c:
            for b in range(ROOTS_TOGETHER):
                for q in range(PRIMES_AT_ONCE):
                    s[b, q] = _times(s[b, q], x[b, q], p[q], minus_inverse[q]) + h[k, q]
            k += 1
        for b in range(ROOTS_TOGETHER):
            copy(s[b], base[b])
        while copies:
            if copies & 1:
                for b in range(ROOTS_TOGETHER):
                    for q in range(PRIMES_AT_ONCE):
                        product[b, q] = _times(
                            product[b, q],
                            base[b, q],
                            p[q],
                            minus_inverse[q],
                        )
            copies >>= 1
            if copies:
                for b in range(ROOTS_TOGETHER):
                    for q in range(PRIMES_AT_ONCE):
                        base[b, q] = _times(
                            base[b, q],
                            base[b, q],
                            p[q],
                            minus_inverse[q],
                        )


@njit(nogil=True, cache=True)
def _last_line(problem, d, first_root, repeats, h, scratch):
    """Return the sum, over all roots of the last row ``d`` from index ``first_root`` on, of its factors in a term.

    The factors for a root z are z^-a, if a is the sum of the row, and h_c for all column sums c. ``h[k]`` is the
    sum of the monomials of degree k in the roots of the rows before. The ``repeats`` rows directly before ``d``
    have the root ``first_root``, so that its factors are divided by ``repeats`` + 1. ``scratch`` is working memory.
    """
    p = problem.p
    minus_inverse = problem.minus_inverse
    g = problem.groups[d]
    total = np.zeros(PRIMES_AT_ONCE, np.uint64)
    product = scratch[0]
    for i in range(first_root, problem.orders[g], ROOTS_TOGETHER):
        for b in range(ROOTS_TOGETHER):
            copy(problem.turns[g, i + b], product[b])  # zeros beyond the last root
        _products(
            problem,
            h,
            problem.powers[g, i : i + ROOTS_TOGETHER],
            product,
            scratch[1],
            scratch[2],
        )
        if i == first_root:
            for q in range(PRIMES_AT_ONCE):
                product[0, q] = _times(
                    product[0, q],
                    problem.inverses[repeats, q],
                    p[q],
                    minus_inverse[q],
                )
        for b in range(ROOTS_TOGETHER):
            for q in range(PRIMES_AT_ONCE):
                total[q] += product[b, q]
    return total % p


@njit(nogil=True, cache=True)
def _give_root(problem, d, i, repeats, h, weight):
    """Set the root of row ``d`` to its root with index ``i``, and compute row d + 1 of ``h`` and ``weight``.

    ``h[d, k]`` is the sum of the monomials of degree k in the roots of the rows before ``d``. ``weight[d]`` is the
    product of the factors x^-a of these rows, divided by k! for each run of k equal roots. ``repeats`` is the
    number of rows of the same group directly before ``d`` with this root.
    """
    g = problem.groups[d]
    root = problem.powers[g, i]
    turn = problem.turns[g, i]
    inverse = problem.inverses[repeats]
    sums = h[d]
    next_sums = h[d + 1]
    for q in range(PRIMES_AT_ONCE):
        p = problem.p[q]
        minus_inverse = problem.minus_inverse[q]
        by_turn = _times(
            weight[d, q],
            turn[q],
            p,
            minus_inverse,
        )
        weight[d + 1, q] = _times(by_turn, inverse[q], p, minus_inverse)
        next_sums[0, q] = sums[0, q]
    for k in range(1, h.shape[1]):
        for q in range(PRIMES_AT_ONCE):
            p = problem.p[q]
            x = _times(
                next_sums[k - 1, q],
                root[q],
                p,
                problem.minus_inverse[q],
            )
            x += sums[k, q]
            x = min(x, x - p)  # below zero it is beyond 2^63
            next_sums[k, q] = min(x, x - p)


@njit(nogil=True, cache=True)
def _add_terms_of_roots(problem, d, last_root, repeats, h, weight, scratch, total, stop):
    """Add to ``total`` the terms of all choices of roots for the rows ``d``, d + 1, ..., recursively.

    A choice gives each row a root x of unity. Its term is the product of x^-a over the rows with sum a, times that
    of h_c over the column sums c. Here h_c is the sum of all monomials of degree c in the roots. Rows with equal
    sums get roots in non-decreasing order. The term is divided by k! for each run of k equal roots.

    The roots of the rows before ``d`` are chosen. ``h[d]`` and ``weight[d]`` are computed from them (see
    ``_give_root``). ``last_root`` is the index of the root of row d - 1, and ``repeats`` the number of rows
    directly before ``d`` with this root. ``scratch`` is working memory. If another thread sets ``stop[0]``, the
    function returns early.
    """
    p = problem.p
    minus_inverse = problem.minus_inverse
    if not problem.again[d]:
        last_root = 0
        repeats = 0
    if d == len(problem.groups) - 1:
        term = _last_line(problem, d, last_root, repeats, h[d], scratch)
        for q in range(PRIMES_AT_ONCE):
            total[q] = (total[q] + _times(term[q], weight[d, q], p[q], minus_inverse[q])) % p[q]
        return
    for i in range(last_root, problem.orders[problem.groups[d]]):
        if stop[0]:
            return
        _give_root(problem, d, i, repeats, h, weight)
        _add_terms_of_roots(
            problem,
            d + 1,
            i,
            repeats + 1,
            h,
            weight,
            scratch,
            total,
            stop,
        )
        repeats = 0


@njit(nogil=True, cache=True)
def _sum_over_roots(problem, root, stop):
    """Return the sum, modulo each prime, of the terms of all choices of roots that begin with the root ``root``.

    A choice gives a root of unity to each row of ``problem.groups``. Here the first of these rows has its root with
    index ``root``, and all choices for the other rows are summed. There must be at least two rows. Rows of a group
    have roots in non-decreasing order, and a term is divided by k! for each run of k equal roots. The module
    docstring defines a term.

    Parameters
    ----------
    problem : RootArrays
    root : int
        Index of the root of the first row.
    stop : array
        If another thread sets ``stop[0]``, the function returns early.

    Returns
    -------
    array of uint64
        A residue for each prime.
    """
    depth = len(problem.groups)
    largest_sum = problem.columns[-1, 0]
    h = np.zeros((depth, largest_sum + 1, PRIMES_AT_ONCE), np.uint64)
    weight = np.zeros((depth, PRIMES_AT_ONCE), np.uint64)
    copy(problem.one, weight[0])
    for k in range(largest_sum + 1):
        copy(problem.one, h[0, k])
    total = np.zeros(PRIMES_AT_ONCE, np.uint64)
    scratch = np.zeros((3, ROOTS_TOGETHER, PRIMES_AT_ONCE), np.uint64)
    _give_root(problem, 0, root, 0, h, weight)
    _add_terms_of_roots(problem, 1, root, 1, h, weight, scratch, total, stop)
    return total
