"""Exact mean and variance of the adjusted Rand index when labels are permuted at random."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import perm
from typing import Any, NamedTuple

from confmat.indices.pairs import PairSums, pairs_within
from confmat.matrices.arguments import as_counts
from confmat.matrices.matrix import margins as matrix_margins
from confmat.matrices.matrix import one_matrix


class NullMoments(NamedTuple):
    """Mean and variance under the permutation model (both margins fixed), exact."""

    mean: Fraction
    variance: Fraction


def adjusted_rand_index_null_moments(
    matrix_or_labels_a: Any = None,
    labels_b: Any = None,
    /,
    *,
    margins: tuple[Iterable[int], Iterable[int]] | None = None,
) -> NullMoments:
    """Exact null mean and variance of the ARI at the margins of a matrix or of two labelings, or at ``margins``.

    Null model: the labels of one clustering are a uniformly random permutation (weight "labelings" at fixed
    margins).  At fixed margins the ARI is affine in T = sum n_ij (n_ij - 1), whose moments follow by counting
    pairs of pairs (statement `null-mean`, statement `null-variance`).  The mean is 0 wherever it is defined by a
    quotient; where E[RD] = 0 (one cluster on both sides, singletons on both sides, n <= 1) the ARI is constantly
    1: mean 1, variance 0.  O(r + s) operations.

    ``margins=(rows, cols)`` has cluster sizes alone.  Raises ValueError if they are given beside a matrix or
    labels, if neither is given, or if the margins have different sums.

    >>> adjusted_rand_index_null_moments([[1, 1], [0, 1]])
    NullMoments(mean=Fraction(0, 1), variance=Fraction(1, 2))
    """
    if (matrix_or_labels_a is None) == (margins is None) or (labels_b is not None and margins is not None):
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
    mean, variance = _same_cell_moments(rows, cols)
    # ARI = 1 - (A + B - T)/(M E)
    return NullMoments(1 - (sums.A + sums.B - mean) / scale, variance / scale**2)


def _same_cell_moments(rows: Sequence[int], cols: Sequence[int]) -> NullMoments:
    """Moments of T = sum n_ij (n_ij - 1), the number of ordered pairs of objects in one cell."""
    n = sum(rows)
    a2, b2 = _falling_sum(rows, 2), _falling_sum(cols, 2)
    a3, b3 = _falling_sum(rows, 3), _falling_sum(cols, 3)
    mean = Fraction(a2 * b2, perm(n, 2))
    # E T^2 over two ordered pairs that share two objects, one, or none; without n objects a term is absent.
    second = 2 * mean
    if n >= 3:
        second += Fraction(4 * a3 * b3, perm(n, 3))
    if n >= 4:
        second += Fraction((a2**2 - 2 * a2 - 4 * a3) * (b2**2 - 2 * b2 - 4 * b3), perm(n, 4))
    return NullMoments(mean, second - mean**2)


def _falling_sum(sizes: Sequence[int], k: int) -> int:
    return sum(perm(size, k) for size in sizes)
