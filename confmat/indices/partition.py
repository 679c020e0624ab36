"""Distances and indices between two partitions, from their contingency matrix.

Each function takes a matrix or two labelings.  One argument is a matrix, always: a list of rows, a NumPy array, a
pandas DataFrame or a SciPy sparse matrix of non-negative whole numbers of any size (`as_matrix`).  Two are labelings
of the same objects, one-dimensional and paired by position (`contingency_matrix`; memberships go to
`confmat.indices.soft`).
Empty rows and columns change nothing.  Arithmetic is in integers; the result is the correctly rounded float,
or with ``exact=True`` the Fraction itself (of indices with logarithms the `LogRatio`; their floats are not always
the nearest).
Bad input raises ValueError or TypeError naming the argument or the entry.
Cost: one pass over the non-zero cells, plus an assignment problem for the MED (`best_matching`).

Where a normalised distance is 0/0 the two partitions coincide (one cluster on both sides, singletons on both
sides, n <= 1): the distance is 0, the index 1.  Every other 0/0 follows ``undefined="raise" | "nan" |
number``.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from confmat._arguments import as_counts
from confmat.contingency.matching import heaviest_matching
from confmat.contingency.matrix import nonzero_cells, one_matrix
from confmat.indices import association, information, null_moments, overlaps, populations
from confmat.indices.association import *  # noqa: F403 what they record
from confmat.indices.classification.roots import RootSum
from confmat.indices.extremes import (
    max_adjusted_rand_matrices,
    max_adjusted_rand_matrix,
    max_ard_matrices_given_med,
    max_med,
    max_med_matrix,
    max_rand_distance,
    max_rand_matrix,
)
from confmat.indices.information import *  # noqa: F403
from confmat.indices.null_moments import *  # noqa: F403
from confmat.indices.overlaps import *  # noqa: F403
from confmat.indices.pairs import PairCounts, PairSums, answer, rounded_root
from confmat.indices.populations import *  # noqa: F403
from confmat.indices.records import METRIC, SIMILARITY, Theorem, names_in, recorded
from confmat.indices.undefined import Undefined, check_undefined

if TYPE_CHECKING:
    from confmat.classes import MatrixClass

PartitionNumber = Fraction | float


# --- matching -------------------------------------------------------------------------------------


@recorded(
    "med",
    names=("misclassification_error", "misclassification_error_distance"),
    title="misclassification error",
    label="MED (misclassification error distance)",
    formula=lambda n, m, a, b, p: (m, n),
    depends="m",
    undefined=0,
    symmetry="transposition",
    bounds=(0, 1),
    largest=Theorem("med-max", max_med_matrix),
    claims=METRIC,
)
def med(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> PartitionNumber:
    """Misclassification error distance: the least share of objects to relabel until the partitions coincide.

    (n - k)/n with k the largest total of a matching of rows to columns; also called transfer or partition
    distance (Regnier 1965; Meila 2005).  From 0 to below 1; see `max_med`.

    >>> med([[50, 0, 0], [0, 48, 2], [0, 1, 49]], exact=True)
    Fraction(1, 50)
    >>> med([0, 0, 1, 1], ["a", "b", "b", "b"])
    0.25
    """
    cells = nonzero_cells(one_matrix(matrix_or_labels_a, labels_b))
    objects = sum(cells.values)
    distance = objects
    for cell in heaviest_matching(*cells):
        distance -= cells.values[cell]
    return answer(_normalised(Fraction(distance), Fraction(objects)), exact)


def _over_largest(largest: Callable[..., Fraction], cls: MatrixClass) -> Fraction:
    """One over the largest value of a distance at this n, r and s (lines may be empty where the class allows it)."""
    r, s, allow_empty = cls.clusters
    if cls.n:
        largest_value = largest(cls.n, r, s, allow_empty=allow_empty)
    else:
        largest_value = Fraction(0)
    return 1 / largest_value if largest_value else Fraction(0)


@recorded(
    "nmed",
    names=("normalized_med",),
    title="MED over its largest",
    label="NMED (MED over its largest value)",
    of="med",
    factor=partial(_over_largest, max_med),
    symmetry="transposition",
    bounds=(0, 1),
    claims={"identity": 0},
)
def normalized_med(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    exact: bool = False,
    shape: tuple[int, int] | None = None,
    as_printed: bool = False,
) -> PartitionNumber:
    """MED over its largest value, from 0 to 1.

    By default the maximum is over tables with the same n and as many non-empty rows and columns (`max_med`).
    ``shape=(r, s)`` says instead how many clusters were available on each side, used or not.
    ``as_printed=True`` divides by 1 - ceil(n/max(r, s))/n as Chacon (2019) does: the same with ``shape``,
    without it sometimes too much.  0 where only coinciding partitions exist.

    >>> normalized_med([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]], exact=True)
    Fraction(1, 1)
    >>> normalized_med([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]], exact=True, as_printed=True)
    Fraction(5, 6)
    """
    matrix = one_matrix(matrix_or_labels_a, labels_b)
    n, r, s = _size_of(matrix, shape)
    if n == 0:
        return answer(Fraction(0), exact)
    largest_distance = max_med(n, r, s, allow_empty=as_printed or shape is not None)
    return answer(_normalised(Fraction(med(matrix, exact=True)), largest_distance), exact)


# --- pairs of objects -----------------------------------------------------------------------------


def pair_counts(matrix_or_labels_a: Any, labels_b: Any = None, /) -> PairCounts:
    """How many unordered pairs of objects lie together in both partitions, in one only, and in neither.

    >>> pair_counts([[2, 1], [0, 2]])
    PairCounts(both=2, only_a=2, only_b=2, neither=4)
    """
    return PairSums.of(matrix_or_labels_a, labels_b).counts


@recorded(
    "rd",
    names=("rand_distance",),
    title="Rand distance",
    label="RD (Rand distance)",
    formula=lambda n, m, a, b, p: (a + b - 2 * p, n * (n - 1) // 2),
    depends="F",
    undefined=0,
    symmetry="transposition",
    bounds=(0, 1),
    largest=Theorem("rd-max", max_rand_matrix),
    claims=METRIC,
)
def rand_distance(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> PartitionNumber:
    """Rand distance: the share of pairs together in one partition and apart in the other, from 0 to 1.

    RD = (A + B - 2P)/C(n, 2) = 1 - RI; see `max_rand_distance`.

    >>> rand_distance([[50, 0, 0], [0, 48, 2], [0, 1, 49]], exact=True)
    Fraction(97, 3725)
    """
    return answer(PairSums.of(matrix_or_labels_a, labels_b).rand_distance, exact)


@recorded(
    "ri",
    names=("rand", "rand_index", "rand_score"),
    title="Rand index",
    label="RI (Rand index)",
    of="rd",
    complement=True,
    symmetry="transposition",
    bounds=(0, 1),
    claims=SIMILARITY,
)
def rand_index(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> PartitionNumber:
    """Rand (1971) index RI = 1 - RD, the share of pairs on which the partitions agree, from 0 to 1.

    >>> rand_index([[42, 8], [9, 41]], exact=True)
    Fraction(3539, 4950)
    """
    return answer(1 - PairSums.of(matrix_or_labels_a, labels_b).rand_distance, exact)


@recorded(
    "nrd",
    names=("normalized_rand_distance",),
    title="RD over its largest",
    label="NRD (RD over its largest value)",
    of="rd",
    factor=partial(_over_largest, max_rand_distance),
    symmetry="transposition",
    bounds=(0, 1),
    claims={"identity": 0},
)
def normalized_rand_distance(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    exact: bool = False,
    shape: tuple[int, int] | None = None,
    as_printed: bool = False,
) -> PartitionNumber:
    """Rand distance over its largest value, from 0 to 1.

    By default the maximum is over tables with the same n and as many non-empty rows and columns
    (`max_rand_distance`).  ``shape=(r, s)`` says instead how many clusters were available on each side, used
    or not.  ``as_printed=True`` divides by value (8) of Chacon (2019), which takes all (r, s) clusters as
    used and is not the maximum below n = max(r, s) + 2 (min(r, s) - 1): there the result may leave [0, 1].  0
    where only coinciding partitions exist.

    >>> round(normalized_rand_distance([[4] * 5] * 5), 3)
    0.424
    """
    matrix = one_matrix(matrix_or_labels_a, labels_b)
    n, r, s = _size_of(matrix, shape)
    if n == 0:
        return answer(Fraction(0), exact)
    if as_printed:
        largest_distance = max_rand_distance(n, r, s, as_printed=True)
    else:
        largest_distance = max_rand_distance(n, r, s, allow_empty=shape is not None)
    return answer(_normalised(PairSums.of(matrix).rand_distance, largest_distance), exact)


def expected_rand_distance(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> PartitionNumber:
    """Mean of the Rand distance over all labelings with the margins of the matrix (Hubert & Arabie 1985).

    E = (A(M - B) + B(M - A))/M^2 with M = C(n, 2), from 0 to 1.

    >>> expected_rand_distance([[1, 1], [1, 1]], exact=True)
    Fraction(4, 9)
    """
    return answer(PairSums.of(matrix_or_labels_a, labels_b).expected_rand_distance, exact)


def _adjusted(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    pairs = n * (n - 1) // 2
    return (a + b - 2 * p) * pairs, a * (pairs - b) + b * (pairs - a)


@recorded(
    "ard",
    names=("adjusted_rand_distance",),
    title="adjusted Rand distance",
    label="ARD (adjusted Rand distance)",
    formula=_adjusted,
    depends="ABP",
    undefined=0,
    symmetry="transposition",
    bounds=(0, Fraction(3, 2)),  # statement `ari-least`
    largest=Theorem(
        "ard-max",
        max_adjusted_rand_matrix,
        max_adjusted_rand_matrices,
        Theorem("ard-given-med-tables", matrices=max_ard_matrices_given_med),
    ),
    claims={"identity": 0, "refinement": True},
)
def adjusted_rand_distance(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> PartitionNumber:
    """Adjusted Rand distance ARD = RD/E[RD] = 1 - ARI: 0 for equal partitions, mean 1 at fixed margins.

    Chacon (2019), equation (5).  It exceeds 1 for partitions further apart than chance makes them.  It is no metric,
    but the distance of two partitions of n >= 4 objects is at most 3/2 - 1/((n-2)(n+1)) times the sum of their
    distances from a third, and no smaller factor will do (statement `ard-triangle`).

    >>> adjusted_rand_distance([[12, 4], [4, 0]], exact=True)
    Fraction(95, 84)
    """
    return answer(PairSums.of(matrix_or_labels_a, labels_b).adjusted_rand_distance, exact)


@recorded(
    "ari",
    names=("adjusted_rand", "adjusted_rand_index", "adjusted_rand_score"),
    title="adjusted Rand index",
    label="ARI (adjusted Rand index)",
    of="ard",
    complement=True,
    symmetry="transposition",
    bounds=(Fraction(-1, 2), 1),
    claims=SIMILARITY,
)
def adjusted_rand_index(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> PartitionNumber:
    """Adjusted Rand index of Hubert & Arabie (1985), ARI = 1 - RD/E[RD]: at most 1, mean 0 at fixed margins.

    >>> adjusted_rand_index([[42, 8], [9, 41]], exact=True)
    Fraction(35104, 81667)
    """
    return answer(1 - PairSums.of(matrix_or_labels_a, labels_b).adjusted_rand_distance, exact)


def _mirkin_over_rand(cls: MatrixClass) -> Fraction:
    return Fraction(cls.n - 1, cls.n) if cls.n else Fraction(0)


@recorded(
    "mirkin",
    names=("mirkin_distance",),
    title="Mirkin distance",
    of="rd",
    factor=_mirkin_over_rand,
    symmetry="transposition",
    bounds=(0, 1),
    claims=METRIC,
)
def mirkin_distance(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> PartitionNumber:
    """Mirkin distance H = (sum a_i^2 + sum b_j^2 - 2 sum n_ij^2)/n^2 = RD (n - 1)/n, from 0 to below 1.

    The share of ordered pairs, drawn with replacement, on which the partitions disagree (Mirkin & Chernyi
    1970).  0 for n = 0.

    >>> mirkin_distance([[2, 1], [0, 2]], exact=True)
    Fraction(8, 25)
    """
    return answer(PairSums.of(matrix_or_labels_a, labels_b).mirkin_distance, exact)


@recorded(
    "fm",
    names=("fowlkes_mallows", "fowlkes_mallows_index", "fowlkes_mallows_score"),
    title="Fowlkes-Mallows",
    label="FM (Fowlkes-Mallows index)",
    formula=lambda n, m, a, b, p: (p * p, a * b),
    depends="ABP",
    root=True,
    symmetry="transposition",
    bounds=(0, 1),
    claims=SIMILARITY,
)
def fowlkes_mallows(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> PartitionNumber:
    """Fowlkes-Mallows (1983) index P/sqrt(A B), the geometric mean of the two Wallace coefficients, 0 to 1.

    0/0 when one partition has only singletons: by default UndefinedIndexError (scikit-learn says 0).  With
    ``exact=True`` a `RootSum` when the root is irrational.

    >>> fowlkes_mallows([[2, 1], [0, 2]], exact=True)
    Fraction(1, 2)
    """
    sums = PairSums.of(matrix_or_labels_a, labels_b)
    square = sums.fowlkes_mallows_squared(check_undefined(undefined))
    is_undefined = sums.A == 0 or sums.B == 0
    if is_undefined or not isinstance(square, Fraction):  # 0/0, the caller's number
        return answer(square, exact)
    if not exact:
        return rounded_root(square)
    root: Any = RootSum.sqrt(square)
    return root if root.rational is None else root.rational


def fowlkes_mallows_squared(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> PartitionNumber:
    """Square of the Fowlkes-Mallows index, P^2/(A B), the product of the two Wallace coefficients, 0 to 1.

    >>> fowlkes_mallows_squared([[3, 0], [1, 1]], exact=True)
    Fraction(3, 8)
    """
    return answer(
        PairSums.of(matrix_or_labels_a, labels_b).fowlkes_mallows_squared(check_undefined(undefined)), exact
    )


@recorded(
    "jaccard",
    names=("jaccard_index",),
    title="Jaccard",
    label="Jaccard index",
    formula=lambda n, m, a, b, p: (p, a + b - p),
    depends="ABP",
    symmetry="transposition",
    bounds=(0, 1),
    claims=SIMILARITY,
)
def jaccard(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> PartitionNumber:
    """Jaccard index: pairs together in both partitions among those together in any, P/(A + B - P), 0 to 1.

    0/0 when both partitions have only singletons: by default UndefinedIndexError.

    >>> jaccard([[2, 1], [0, 2]], exact=True)
    Fraction(1, 3)
    """
    return answer(PairSums.of(matrix_or_labels_a, labels_b).jaccard(check_undefined(undefined)), exact)


def wallace(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    direction: str = "ab",
    exact: bool = False,
    undefined: Undefined = "raise",
) -> PartitionNumber:
    """Wallace (1983) coefficient, 0 to 1: of the pairs together in a (rows), the share together in b, P/A.

    ``direction="ba"``: P/B.  0/0 when the conditioning partition has only singletons: by default
    UndefinedIndexError.

    >>> wallace([[3, 0], [1, 1]], exact=True), wallace([[3, 0], [1, 1]], direction="ba", exact=True)
    (Fraction(3, 4), Fraction(1, 2))
    """
    return answer(
        PairSums.of(matrix_or_labels_a, labels_b).wallace(direction, check_undefined(undefined)), exact
    )


@recorded(
    "wallace_ab",
    title="Wallace, a to b",
    label="Wallace coefficient, a to b",
    aliases=(partial(wallace, direction="ab"),),
    formula=lambda n, m, a, b, p: (p, a),
    depends="ABP",
    symmetry="permutations",
    bounds=(0, 1),
)
def wallace_ab(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> PartitionNumber:
    """Wallace coefficient from a to b: of the pairs together in a (rows), the share together in b (`wallace`).

    >>> wallace_ab([[3, 0], [1, 1]], exact=True)
    Fraction(3, 4)
    """
    return wallace(matrix_or_labels_a, labels_b, direction="ab", exact=exact, undefined=undefined)


@recorded(
    "wallace_ba",
    title="Wallace, b to a",
    label="Wallace coefficient, b to a",
    aliases=(partial(wallace, direction="ba"),),
    formula=lambda n, m, a, b, p: (p, b),
    depends="ABP",
    symmetry="permutations",
    bounds=(0, 1),
)
def wallace_ba(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> PartitionNumber:
    """Wallace coefficient from b to a: of the pairs together in b (columns), the share together in a (`wallace`).

    >>> wallace_ba([[3, 0], [1, 1]], exact=True)
    Fraction(1, 2)
    """
    return wallace(matrix_or_labels_a, labels_b, direction="ba", exact=exact, undefined=undefined)


# --- shared ---------------------------------------------------------------------------------------


def _normalised(distance: Fraction, largest_distance: Fraction) -> Fraction:
    """A normalised distance; where the largest is 0, only coinciding partitions exist."""
    return distance / largest_distance if largest_distance else Fraction(0)


def _size_of(matrix: Any, shape: tuple[int, int] | None) -> tuple[int, int, int]:
    """Total n and numbers of clusters: the non-empty ones unless ``shape`` names more."""
    cells = nonzero_cells(matrix)
    objects = sum(cells.values)
    used = len(set(cells.rows.tolist())), len(set(cells.cols.tolist()))
    if shape is None:
        return objects, *used
    available = as_counts("shape", shape, 1)
    if len(available) != 2 or available[0] < used[0] or available[1] < used[1]:
        raise ValueError(
            f"shape must be two numbers of clusters, at least the {used} that are not empty, got {shape}"
        )
    return objects, *available


# Short names, as they stand in files, in laws and on the command line.
nmed = normalized_med
rd = rand_distance
ri = rand_index
nrd = normalized_rand_distance
ard = adjusted_rand_distance
ari = adjusted_rand_index
mirkin = mirkin_distance
fm = fowlkes_mallows

__all__ = names_in(__name__)
for _module in (association, information, null_moments, overlaps, populations):
    __all__ += _module.__all__
__all__ += [
    "PairCounts",
    "PairSums",
    "expected_rand_distance",
    "fowlkes_mallows_squared",
    "pair_counts",
    "wallace",
]
__all__.sort()
