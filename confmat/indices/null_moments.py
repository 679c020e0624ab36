"""Moments under random permutations of labels: of the ARI, of pairs in common cells and of the mutual information."""

from collections import Counter
from collections.abc import Iterable, Sequence
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
    mean, variance = _moments_of_pairs(rows, cols)
    # ARI = 1 - (A + B - T)/(M E)
    return NullMoments(1 - (sums.A + sums.B - mean) / scale, variance / scale**2)


def _moments_of_pairs(rows: Sequence[int], cols: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return mean and variance of T = sum n_ij (n_ij - 1) under random permutations of labels.

    T is twice the number P of pairs in common cells. The terms of the second moment are those of two ordered pairs
    with two objects in common, with one, and with none.

    >>> _moments_of_pairs([2, 1], [1, 2])
    (Fraction(2, 3), Fraction(8, 9))
    """
    n = sum(rows)
    pairs_in_rows, pairs_in_cols = (sum(perm(x, 2) for x in side) for side in (rows, cols))
    triples_in_rows, triples_in_cols = (sum(perm(x, 3) for x in side) for side in (rows, cols))
    mean = Fraction(pairs_in_rows * pairs_in_cols, perm(n, 2))
    mean_square = 2 * mean
    if n >= 3:
        mean_square += Fraction(4 * triples_in_rows * triples_in_cols, perm(n, 3))
    if n >= 4:
        apart_in_rows = pairs_in_rows**2 - 2 * pairs_in_rows - 4 * triples_in_rows
        apart_in_cols = pairs_in_cols**2 - 2 * pairs_in_cols - 4 * triples_in_cols
        mean_square += Fraction(apart_in_rows * apart_in_cols, perm(n, 4))
    return mean, mean_square - mean**2


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
