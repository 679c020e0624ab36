"""Moments of the pairs in common cells, of the adjusted Rand index hence, when labels are permuted at random.

Statement `null-mean`: at fixed margins of n >= 2 points the mean of the RD over all relabelings is
    E = (A(M - B) + B(M - A))/M^2, so that of the ARI is 0 unless E = 0.
Statement `null-variance`: over all relabelings T = sum n_ij(n_ij - 1) has Var T = 2 Pa Qb/(n)_2 + 4 Pa3 Qb3/(n)_3 +
    (Pa^2 - 2Pa - 4Pa3)(Qb^2 - 2Qb - 4Qb3)/(n)_4 - (E T)^2, and the ARI has Var T/(M E)^2 unless E = 0;
    Pa = sum a_i(a_i - 1), Pa3 = sum a_i(a_i - 1)(a_i - 2) over the rows, Qb, Qb3 over the columns, terms over (n)_3 = 0
    or (n)_4 = 0 are 0.
Statement `null-moments`: over all relabelings E T^k, T = sum n_ij(n_ij - 1), is the sum over multisets v of
    N(v) W_rows(v) W_cols(v)/(n)_V: N(v) sequences of k ordered pairs whose graph has components of v_1, v_2, ...
    objects, V in all, W(v) choices of different objects with each component in one line.

n objects keep their rows and have their column labels permuted uniformly.  T = sum n_ij (n_ij - 1) is the number
of ordered pairs of objects that share a cell.  Pa = sum a(a-1), Pa3 = sum a(a-1)(a-2) over the row sums, Qb, Qb3 over
the column sums, (n)_k = n(n-1)...(n-k+1).  Then
    E T   = Pa Qb/(n)_2,
    Var T = 2 Pa Qb/(n)_2 + 4 Pa3 Qb3/(n)_3 + (Pa^2 - 2Pa - 4Pa3)(Qb^2 - 2Qb - 4Qb3)/(n)_4 - (E T)^2,
where a term with (n)_3 or (n)_4 = 0 is 0.

Proof.  Any k different objects receive every k of the n column labels, in every order, with equal chance.  A pair of
different objects shares a column with chance Qb/(n)_2, whatever its rows: E T.  E T^2 sums, over two ordered
pairs (u,v), (u',v') that share their rows, the chance that both share their columns.
- The same two objects, 2 ways to order the second pair: 2 Pa of them, chance Qb/(n)_2.
- One common object, in 2 x 2 positions: three different objects in one row, 4 Pa3 of them, and they must all fall
  into one column, chance Qb3/(n)_3.
- No common object: Pa^2 - 2Pa - 4Pa3 remain, and by the same count for columns their chance is
  (Qb^2 - 2Qb - 4Qb3)/(n)_4.
For n = 2 and 3 there are no such objects: the numerators vanish with the denominators.  QED

Any order.  E T^k sums, over k ordered pairs that share their rows, the chance that all share their columns.  The
pairs are the edges of a graph on the objects that occur, v_1, ..., v_c of them in its components: every pair shares
its row if and only if each component lies in one row, and likewise for columns.  By the same remark on labels the
chance for columns is W_cols(v)/(n)_V, V = v_1 + ... + v_c, where W(v) counts the ways to choose different objects
for all vertices such that each component lies in one line; and there are N(v) W_rows(v) sequences of pairs with
components v, where N(v) counts sequences whose objects are named in the order in which they occur.  So
    E T^k = sum_v N(v) W_rows(v) W_cols(v)/(n)_V,
without the terms of V > n, whose numerators vanish.  N follows by adding an edge: between two old objects of a
component, v (v - 1) ordered pairs, of two, 2 v w, which join; between an old object and a new one, 2 v; between two
new ones, 1.  W adds lines one after another: a line of size a takes a set of components, V' objects in all, in
(a)_V' ways.  Orders 1 and 2 are the formulas above.  QED

ARI = 1 - RD/E with M RD = A + B - T, so at fixed margins ARI is affine in T: 1 - (A + B - T)/(M E), with mean 0, since
E T = 2AB/M makes E[M RD] = A + B - 2AB/M = M E, and variance Var T/(M E)^2.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, perm

from confmat.classes import FixedMargins
from confmat.classes.compositions import partitions
from confmat.indices.null_moments import adjusted_rand_index_null_moments, pair_moments
from confmat.indices.pairs import PairSums
from confmat.statistics.table import labelings
from proofs import require, require_equal


def falling(margin: tuple[int, ...], k: int) -> int:
    """Sum of (x)_k over a margin."""
    return sum(perm(x, k) for x in margin)


def remaining(margin: tuple[int, ...]) -> int:
    """Ordered pairs of disjoint ordered pairs, each within one line."""
    return falling(margin, 2) ** 2 - 2 * falling(margin, 2) - 4 * falling(margin, 3)


def moments(rows: tuple[int, ...], cols: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    """The two formulas."""
    n = sum(rows)
    mean = Fraction(falling(rows, 2) * falling(cols, 2), perm(n, 2))
    second = 2 * mean
    if n >= 3:
        second += Fraction(4 * falling(rows, 3) * falling(cols, 3), perm(n, 3))
    if n >= 4:
        second += Fraction(remaining(rows) * remaining(cols), perm(n, 4))
    return mean, second - mean**2


def check_pairs_of_pairs(margin: tuple[int, ...]) -> None:
    """The three kinds of two ordered pairs within lines, counted one by one."""
    line = [i for i, size in enumerate(margin) for _ in range(size)]
    pairs = [(u, v) for u, v in product(range(len(line)), repeat=2) if u != v and line[u] == line[v]]
    by_common = [0, 0, 0]
    for first, second in product(pairs, repeat=2):
        by_common[len(set(first) & set(second))] += 1
    expected = [remaining(margin), 4 * falling(margin, 3), 2 * falling(margin, 2)]
    require(by_common == expected, f"pairs of pairs for {margin}")


def verify(most: int = 7) -> str:
    """The counts one by one; the formulas against the whole law at every pair of margins."""
    import sympy as sp

    for n in range(2, 7):
        for parts in range(1, n + 1):
            for margin in partitions(n, parts, minimum=1):
                check_pairs_of_pairs(margin)
    A, B, M = sp.symbols("A B M")
    require_equal(A + B - 2 * A * B / M, M * (A * (M - B) + B * (M - A)) / M**2, "E[M RD] = M E")

    laws = 0
    for n in range(2, most + 1):
        sides = [margin for parts in range(1, n + 1) for margin in partitions(n, parts, minimum=1)]
        for rows, cols in product(sides, sides):
            if rows > cols:
                continue
            total = mean = square = 0
            powers = [0] * 6
            index = []
            for table in FixedMargins(rows, cols):
                weight = labelings(table)
                T = int((table * (table - 1)).sum())
                total, mean, square = total + weight, mean + weight * T, square + weight * T * T
                powers = [found + weight * (T // 2) ** k for k, found in enumerate(powers, 1)]
                index.append((1 - PairSums.of(table).adjusted_rand_distance, weight))
            found = Fraction(mean, total), Fraction(square, total) - Fraction(mean, total) ** 2
            require(found == moments(rows, cols), f"moments of T at {rows}, {cols}")
            higher = [Fraction(power, total) for power in powers]
            require(pair_moments(rows, cols, 6) == higher, f"moments of P to order 6 at {rows}, {cols}")
            average = sum((value * weight for value, weight in index), Fraction(0)) / total
            variance = sum((value**2 * weight for value, weight in index), Fraction(0)) / total - average**2
            claimed = adjusted_rand_index_null_moments(margins=(rows, cols))
            require(claimed == (average, variance), f"moments of the ARI at {rows}, {cols}")
            sums = PairSums(n, falling(rows, 2) // 2, falling(cols, 2) // 2, 0)
            if sums.expected_rand_distance:
                scale = comb(n, 2) * sums.expected_rand_distance
                require((average, variance) == (0, found[1] / scale**2), f"affine in T at {rows}, {cols}")
            laws += 1
    return f"pairs of pairs one by one, n <= 6; {laws} laws at fixed margins, n <= {most}"
