"""Moments under random permutations of labels: of the ARI, of pairs in common cells and of the mutual information."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, fsum, lcm, perm, sqrt
from typing import Any, NamedTuple

import numpy as np

from confmat._arguments import as_counts
from confmat.contingency.matrix import margins as matrix_margins
from confmat.contingency.matrix import one_matrix
from confmat.indices.logarithms import LogRatio
from confmat.indices.pairs import PairSums, pairs_within

__all__ = ["NullMoments", "adjusted_rand_index_null_moments"]

# Cells with larger means are described by their moments.
_LARGE_CELL = 10**5


class NullMoments(NamedTuple):
    """Exact mean and variance under the permutation model, in which both margins are fixed."""

    mean: Fraction
    variance: Fraction


def adjusted_rand_index_null_moments(
    matrix_or_labels_a: Any = None,
    labels_b: Any = None,
    /,
    *,
    margins: tuple[Iterable[int], Iterable[int]] | None = None,
) -> NullMoments:
    """Return the exact mean and variance of the ARI under random permutations of labels.

    Parameters
    ----------
    matrix_or_labels_a : array_like, optional
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    margins : (iterable of int, iterable of int), optional
        Cluster sizes of both partitions, instead of a matrix or labels.

    Returns
    -------
    NullMoments
        Mean and variance, as Fractions.

    Raises
    ------
    ValueError
        If ``margins`` and a matrix or labels are given, or neither, or if the margins have different sums.

    Notes
    -----
    Null model: the labels of one clustering are a uniformly random permutation, with fixed margins. The ARI is then
    affine in P, the number of pairs of objects in common cells (statement `null-mean`, statement `null-variance`).
    The mean is 0 if the ARI is defined by a quotient. If E[RD] = 0 (one cluster in both, only singletons in both, n
    <= 1) the ARI is constantly 1: mean 1, variance 0.

    Examples
    --------
    >>> adjusted_rand_index_null_moments([[1, 1], [0, 1]])
    NullMoments(mean=Fraction(0, 1), variance=Fraction(1, 2))
    """
    has_matrix = matrix_or_labels_a is not None
    if has_matrix == (margins is not None) or (labels_b is not None and not has_matrix):
        raise ValueError("give either a matrix, or two labelings, or margins=(rows, cols)")
    if margins is None:
        rows, cols = matrix_margins(one_matrix(matrix_or_labels_a, labels_b))
    else:
        rows, cols = (as_counts(name, side) for name, side in zip(("rows", "cols"), margins, strict=True))
    n = sum(rows)
    if n != sum(cols):
        raise ValueError(
            f"margins must have equal sums, got {n} for the rows and {sum(cols)} for the columns"
        )
    sums = PairSums(n, pairs_within(rows), pairs_within(cols), 0)
    scale = sums.pairs * sums.expected_rand_distance
    if scale == 0:
        return NullMoments(Fraction(1), Fraction(0))
    mean_pairs, mean_square = pair_moments(rows, cols, 2)
    # ARI = 1 - (A + B - 2 P)/(M E)
    mean_distance = (sums.A + sums.B - 2 * mean_pairs) / scale
    mean_index = 1 - mean_distance
    variance = mean_square - mean_pairs**2
    return NullMoments(mean_index, variance=4 * variance / scale**2)


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


def _pairs_of_sizes(rows: Sequence[int], cols: Sequence[int]) -> Iterable[tuple[int, int, int]]:
    """Yield each pair of a positive row sum and a positive column sum, with its number of occurrences."""
    groups = product(Counter(rows).items(), Counter(cols).items())
    for (a, rows_of_a), (b, columns_of_b) in groups:
        if a and b:
            yield a, b, rows_of_a * columns_of_b


def mean_mutual_information(rows: tuple[int, ...], cols: tuple[int, ...]) -> float:
    """Return the mean mutual information in nats under random permutations of labels, as a float.

    The margins are fixed.

    >>> round(mean_mutual_information((2, 2), (2, 2)), 12), mean_mutual_information((1,), (1,))  # log(2)/3, 0
    (0.231049060187, 0.0)
    """
    n = sum(rows)
    means = []
    for a, b, times in _pairs_of_sizes(rows, cols):
        means.append(times * _mean_of_a_cell(a, b, n))
    return fsum(means) / n


def _mean_of_a_cell(a: int, b: int, n: int) -> float:
    """Return the mean of k log(k/m), where k is a hypergeometric cell with mean m = ab/n.

    Large cells are approximated by their moments.
    """
    mean_size = a * b / n
    share_outside_a = (n - a) / n
    share_outside_b = (n - b) / max(n - 1, 1)
    variance = mean_size * share_outside_a * share_outside_b
    if mean_size > _LARGE_CELL:
        skewness_of_a = (n - 2 * a) / n
        skewness_of_b = (n - 2 * b) / (n - 2)
        third_moment = variance * skewness_of_a * skewness_of_b
        of_variance = variance / (2 * mean_size)
        of_third = third_moment / (6 * mean_size**2)
        of_fourth = 3 * variance**2 / (12 * mean_size**3)
        return of_variance - of_third + of_fourth
    reach = 40 * (sqrt(variance) + 1)
    least_k = max(0, a + b - n, int(mean_size - reach))
    largest_k = min(a, b, int(mean_size + reach))
    k = np.arange(least_k, largest_k + 1, dtype=float)
    k_before = k[:-1]
    k_after = k[1:]
    in_neither = k_after + float(n - a - b)
    from_a = (a - k_before) / k_after
    steps = from_a * ((b - k_before) / in_neither)
    weights = np.concatenate([[0], np.cumsum(np.log(steps))])
    shares = np.exp(weights - weights.max())
    logarithms = np.log(np.maximum(k, 1) / mean_size)
    total = (shares * k * logarithms).sum()
    return float(total / shares.sum())


@lru_cache(maxsize=4096)
def mean_mutual_information_exactly(rows: tuple[int, ...], cols: tuple[int, ...]) -> LogRatio:
    """Return the exact mean mutual information under random permutations of labels, for the given margins.

    >>> mean_mutual_information_exactly((2, 2), (2, 2))
    log(2)/3
    """
    n = sum(rows)
    weights = Counter[int]()
    common = lcm(*(comb(n, a) for a in set(rows)))
    for a, b, times in _pairs_of_sizes(rows, cols):
        scale = times * (common // comb(n, a))
        least_cell = max(1, a + b - n)
        for k in range(least_cell, min(a, b) + 1):
            tables = comb(b, k) * comb(n - b, a - k)
            weight = scale * tables * k
            weights[n] += weight
            weights[k] += weight
            weights[a] -= weight
            weights[b] -= weight
    return LogRatio.of(weights, n * common)
