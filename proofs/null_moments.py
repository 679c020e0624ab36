"""Moments of the number of pairs in common cells, and of the ARI, if labels are permuted at random.

Statement `null-mean`: at fixed margins of n >= 2 objects the mean of the RD over all relabelings is E = (A(M - B) +
    B(M - A))/M^2. The mean of the ARI is therefore 0 unless E = 0.
Statement `null-variance`: let T = sum n_ij(n_ij - 1), Pa = sum a_i(a_i - 1) and Pa3 = sum a_i(a_i - 1)(a_i - 2) over
    the rows, and Qb, Qb3 likewise over the columns. Over all relabelings Var T = 2 Pa Qb/(n)_2 + 4 Pa3 Qb3/(n)_3 +
    (Pa^2 - 2Pa - 4Pa3)(Qb^2 - 2Qb - 4Qb3)/(n)_4 - (E T)^2, and the ARI has the variance Var T/(M E)^2 unless E = 0.
    Terms over (n)_3 = 0 or (n)_4 = 0 are 0.
Statement `null-moments`: let T = sum n_ij(n_ij - 1). Over all relabelings E T^k is the sum of N(v) W_rows(v)
    W_cols(v)/(n)_V over multisets v with sum V. N(v) is the number of sequences of k ordered pairs whose graph has
    components of v_1, v_2, ... objects. W_rows(v) is the number of choices of V different objects with each component
    in one row, and W_cols(v) likewise with each component in one column.

n objects keep their rows and have their column labels permuted uniformly; (n)_k = n(n-1)...(n-k+1).  T is the number of
ordered pairs of objects that share a cell.

Proof.  Any k different objects receive every k of the n column labels, in every order, with equal probability.  A
pair of different objects shares a column with probability Qb/(n)_2, whatever its rows: E T = Pa Qb/(n)_2, formally in
`rocq/ExpectedRand.v`.  E T^2 is `soft-product-moments` for X_ij = 1 where i and j share a row, else 0, and Y likewise
for columns: then z = f = Pa and q - f = Pa3.

Any order.  E T^k sums, over k ordered pairs that share their rows, the probability that all share their columns.  The
pairs are the edges of a graph on the objects that occur, v_1, ..., v_c of them in its components: every pair shares
its row if and only if each component lies in one row, and likewise for columns.  By the same remark on labels the
probability for columns is W_cols(v)/(n)_V, V = v_1 + ... + v_c, where W(v) counts the ways to choose different objects
for all vertices such that each component lies in one row or column; and there are N(v) W_rows(v) sequences of pairs
with components v, where N(v) counts sequences whose objects are named in the order in which they occur.  So
    E T^k = sum_v N(v) W_rows(v) W_cols(v)/(n)_V,
without the terms of V > n, whose numerators vanish.  N follows by adding an edge.  Between two old objects of a
component there are v (v - 1) ordered pairs.  Between those of two components, which it joins, there are 2 v w,
between an old object and a new one 2 v, and between two new ones 1.  For W rows or columns are added one after
another.  A row or column of size a takes a set of components, V' objects in all, in (a)_V' ways.  QED

ARI = 1 - RD/E with M RD = A + B - T, so at fixed margins ARI is affine in T: 1 - (A + B - T)/(M E), with mean 0, since
E T = 2AB/M makes E[M RD] = A + B - 2AB/M = M E, and variance Var T/(M E)^2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import perm

from confmat.classes import FixedMargins
from confmat.indices.null_moments import adjusted_rand_index_null_moments
from confmat.indices.pairs import PairSums
from confmat.statistics.table import labelings
from proofs import Margin, require, small_margins

MOST = 7


def falling(margin: Margin, k: int) -> int:
    """Return the sum of (x)_k over a margin."""
    return sum(perm(x, k) for x in margin)


def remaining(margin: Margin) -> int:
    """Return the number of ordered pairs of disjoint ordered pairs, each within one row or column."""
    return falling(margin, 2) ** 2 - 2 * falling(margin, 2) - 4 * falling(margin, 3)


def variance_of_pairs(rows: Margin, cols: Margin) -> Fraction:
    """Return Var T by the statement."""
    n = sum(rows)
    mean = Fraction(falling(rows, 2) * falling(cols, 2), perm(n, 2))
    square = 2 * mean
    if n >= 3:
        square += Fraction(4 * falling(rows, 3) * falling(cols, 3), perm(n, 3))
    if n >= 4:
        square += Fraction(remaining(rows) * remaining(cols), perm(n, 4))
    return square - mean**2


def pair_moments(rows: Sequence[int], cols: Sequence[int], order: int) -> list[Fraction]:
    """Return the exact moments E P, E P^2, ..., E P^order of P = sum C(n_ij, 2) under random permutations of labels.

    Statement `null-moments`: (2P)^k counts sequences of k ordered pairs of different objects with both objects in
    the same cell. The pairs are edges of a graph. They lie in cells if each connected component lies in one cluster
    of either partition. The moment is a sum over the multisets of component sizes. A term is the number of graphs
    (`components`) times the number of placements in rows, times the probability of a placement in columns. Each
    term takes O(3^k) operations for each different cluster size and each bit of its multiplicity.

    >>> pair_moments([2, 1], [1, 2], 3)
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    """
    n = sum(rows)
    clusters = Counter(rows), Counter(cols)
    moments = []
    for k in range(1, order + 1):
        moment = Fraction(0)
        for sizes, ways in components(k).items():
            objects = sum(sizes)
            if objects <= n:
                ways_to_place = placements(sizes, clusters[0]) * placements(sizes, clusters[1])
                moment += Fraction(ways * ways_to_place, perm(n, objects))
        moments.append(moment / 2**k)
    return moments


@lru_cache
def components(order: int) -> dict[tuple[int, ...], int]:
    """Return the numbers of sequences of ``order`` ordered pairs of different objects, by their component sizes.

    The objects of a pair are joined by an edge. The keys are the sorted sizes of the components of this graph. A
    new edge joins two old objects in the same component of size v (v (v - 1) ways). It may also join components of
    sizes v and w (2 v w ways), an old and a new object (2 v), or two new objects (1).

    >>> components(2) == {(2,): 2, (3,): 4, (2, 2): 1}
    True
    """
    if order == 0:
        return {(): 1}
    sequences: Counter[tuple[int, ...]] = Counter()
    for sizes, ways in components(order - 1).items():
        sequences[_sorted(*sizes, 2)] += ways
        for i, v in enumerate(sizes):
            other_sizes = sizes[:i] + sizes[i + 1 :]
            sequences[sizes] += ways * v * (v - 1)
            sequences[_sorted(*other_sizes, v + 1)] += ways * 2 * v
            for j in range(i, len(other_sizes)):
                w = other_sizes[j]
                sequences[
                    _sorted(
                        *other_sizes[:j],
                        *other_sizes[j + 1 :],
                        v + w,
                    )
                ] += ways * 2 * v * w
    return dict(sequences)


def _sorted(*sizes: int) -> tuple[int, ...]:
    return tuple(sorted(sizes))


def placements(sizes: Sequence[int], clusters: Mapping[int, int]) -> int:
    """Return the number of ways to choose different objects for components of these sizes, each inside one cluster.

    ``sizes`` are the numbers of objects of the components. ``clusters`` maps cluster sizes to their multiplicities.

    >>> placements((2, 2), {4: 1, 2: 1})  # 4!, or a component in each cluster
    72
    """
    all_sets = range(1 << len(sizes))
    totals = []
    for components_in_set in all_sets:
        sizes_in_set = [v for i, v in enumerate(sizes) if components_in_set >> i & 1]
        totals.append(sum(sizes_in_set))

    def shared_out(ways_in_first: list[int], ways_in_second: list[int]) -> list[int]:
        """Return the numbers of ways to place components in the union of two groups of clusters.

        Entry i of a list is the number for the set of the components k with bit k of i set. ``ways_in_first`` and
        ``ways_in_second`` have the numbers of ways for each group alone.
        """
        ways = []
        for all_components in all_sets:
            parts = [part for part in range(all_components + 1) if part & all_components == part]
            products = [ways_in_first[all_components ^ part] * ways_in_second[part] for part in parts]
            ways.append(sum(products))
        return ways

    ways = [1] + [0] * all_sets[-1]
    for size, copies in clusters.items():
        group = [perm(size, v) for v in totals]
        while copies:
            if copies & 1:
                ways = shared_out(ways, group)
            copies >>= 1
            if copies:
                group = shared_out(group, group)
    return ways[-1]


def check_law(rows: Margin, cols: Margin) -> None:
    """Check the moments of P to order 6, Var T, and mean and variance of the ARI, from the whole distribution of P."""
    n = sum(rows)
    law: Counter[int] = Counter()
    for table in FixedMargins(rows, cols):
        law[PairSums.of(table).P] += labelings(table)

    def mean(function: Callable[[int], Fraction]) -> Fraction:
        return sum((function(P) * weight for P, weight in law.items()), Fraction(0)) / law.total()

    def index(P: int) -> Fraction:
        return 1 - PairSums(n, falling(rows, 2) // 2, falling(cols, 2) // 2, P).adjusted_rand_distance

    moments = [mean(lambda P, k=k: Fraction(P**k)) for k in range(1, 7)]
    require(pair_moments(rows, cols, 6) == moments, f"moments of P to order 6 at {rows}, {cols}")
    variance = 4 * (moments[1] - moments[0] ** 2)
    require(variance_of_pairs(rows, cols) == variance, f"the variance of T at {rows}, {cols}")
    average = mean(index)
    of_index = average, mean(lambda P: index(P) ** 2) - average**2
    require(adjusted_rand_index_null_moments(margins=(rows, cols)) == of_index, f"the ARI at {rows}, {cols}")
    sums = PairSums(n, falling(rows, 2) // 2, falling(cols, 2) // 2, 0)
    scale = sums.pairs * sums.expected_rand_distance
    require(not scale or of_index == (0, variance / scale**2), f"the ARI is affine in T at {rows}, {cols}")


def verify() -> str:
    """Check the formulas against the whole distribution at every pair of margins."""
    both = [
        (rows, cols) for rows, cols in small_margins(range(2, MOST + 1), range(1, MOST + 1)) if rows <= cols
    ]
    for rows, cols in both:
        check_law(rows, cols)
    return f"{len(both)} laws at fixed margins, n <= {MOST}; the mean formally: rocq/ExpectedRand.v"
