import itertools
import json
import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from late import sk_metrics as sk

from confmat.contingency import contingency_matrix
from confmat.errors import UndefinedIndexError
from confmat.indices import LogRatio, PairCounts, PairSums, RootSum, partition
from confmat.indices.partition import (
    adjusted_rand_index,
    fowlkes_mallows,
    jaccard,
    med,
    mirkin_distance,
    normalized_med,
    normalized_mutual_information,
    normalized_rand_distance,
    pair_counts,
    rand_distance,
    rand_index,
    variation_of_information,
    wallace_ab,
    wallace_ba,
)
from confmat.statistics import STATISTICS, Statistic

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "partition.json").read_text())["cases"]
SHORT_NAMES = {name: x.index for name, x in STATISTICS.items() if x.symmetry != "simultaneous"}
EXACT = sorted(name for name in SHORT_NAMES if STATISTICS[name].exact)
LOGARITHMS = {name for name, index in SHORT_NAMES.items() if index.__module__.endswith("information")} | {
    "g2"
}
UNBOUNDED = {"vi", "mi", "entropy_a", "entropy_b", "chi2", "g2"}
RATIONAL = sorted(set(EXACT) - LOGARITHMS - {"fm"})
SHARES = {"nmi", "nmi_max", "nmi_joint", "v_measure", "homogeneity", "completeness", "ami"}
NEVER_UNDEFINED = [
    "med",
    "nmed",
    "rd",
    "ri",
    "nrd",
    "ard",
    "ari",
    "mirkin",
    "vi",
    "van_dongen",
    "purity",
    *SHARES,
]

labelings = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=25)
tables = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 5), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def value(name, table):
    """Index by short name; None where it is 0/0."""
    try:
        return SHORT_NAMES[name](table, exact=True) if name in EXACT else SHORT_NAMES[name](table)
    except UndefinedIndexError:
        return None


def same(x, y):
    return x == y or (x is not None and y is not None and math.isclose(x, y, abs_tol=1e-12))


# --- published values ---


@pytest.mark.parametrize("case", ORACLES, ids=lambda case: case["source"])
def test_published_values(case):
    for name, fraction in case["exact"].items():
        assert SHORT_NAMES[name](case["matrix"], exact=True) == Fraction(fraction)
    for name, printed in case["decimal"].items():
        digits = -Decimal(printed).as_tuple().exponent
        assert round(SHORT_NAMES[name](case["matrix"]), digits) == float(printed)


# --- against the definitions, and scikit-learn ---


@given(labelings)
def test_pair_counts_and_indices_of_pairs(pairs):
    a, b = zip(*pairs)
    table = contingency_matrix(a, b)
    counts = PairCounts(0, 0, 0, 0)
    for i, j in itertools.combinations(range(len(a)), 2):
        place = {(1, 1): 0, (1, 0): 1, (0, 1): 2, (0, 0): 3}[int(a[i] == a[j]), int(b[i] == b[j])]
        counts = PairCounts(*(c + (k == place) for k, c in enumerate(counts)))
    assert pair_counts(table) == counts
    both, only_a, only_b, _ = counts
    n, pairs_n = len(a), sum(counts)
    if pairs_n:
        assert rand_distance(table, exact=True) == Fraction(only_a + only_b, pairs_n)
        assert mirkin_distance(table, exact=True) == Fraction(2 * (only_a + only_b), n * n)
    if both + only_a:
        assert wallace_ab(table, exact=True) == Fraction(both, both + only_a)
    if both + only_b:
        assert wallace_ba(table, exact=True) == Fraction(both, both + only_b)
    if both + only_a + only_b:
        assert jaccard(table, exact=True) == Fraction(both, both + only_a + only_b)


@given(labelings)
def test_against_scikit_learn(pairs):
    a, b = zip(*pairs)
    table = contingency_matrix(a, b)
    assert rand_index(table) == pytest.approx(sk.rand_score(a, b), abs=1e-12)
    assert adjusted_rand_index(table) == pytest.approx(sk.adjusted_rand_score(a, b), abs=1e-12)
    # scikit-learn answers 0 where the index is 0/0.
    assert fowlkes_mallows(table, undefined=0) == pytest.approx(sk.fowlkes_mallows_score(a, b), abs=1e-12)
    nmi = sk.normalized_mutual_info_score(a, b)
    assert normalized_mutual_information(table) == pytest.approx(nmi, abs=1e-9)
    entropies = sk.mutual_info_score(a, a) + sk.mutual_info_score(b, b)
    vi = entropies - 2 * sk.mutual_info_score(a, b)
    assert variation_of_information(table) == pytest.approx(vi, abs=1e-9)


@given(labelings)
def test_med_is_the_least_share_of_objects_to_relabel(pairs):
    a, b = zip(*pairs)
    names = range(9)  # five labels of a and four of b may all have to be kept apart
    used = sorted(set(b))
    fewest = min(
        sum(x != renaming[used.index(y)] for x, y in pairs)
        for renaming in itertools.permutations(names, len(used))
    )
    assert med(contingency_matrix(a, b), exact=True) == Fraction(fewest, len(a))


# --- properties ---


@given(tables, st.randoms(use_true_random=False))
def test_names_of_clusters_do_not_matter(table, random):
    shuffled = [row[:] for row in table]
    random.shuffle(shuffled)
    columns = list(zip(*shuffled))
    random.shuffle(columns)
    shuffled = [[*row, 0] for row in zip(*columns)] + [[0] * (len(columns) + 1)]
    for name in SHORT_NAMES:
        assert same(value(name, shuffled), value(name, table))


@given(tables)
def test_transposition(table):
    transposed = [list(column) for column in zip(*table)]
    for name in SHORT_NAMES:
        pairs = [("wallace_ab", "wallace_ba"), ("entropy_a", "entropy_b"), ("homogeneity", "completeness")]
        twin = {x: y for pair in pairs for x, y in (pair, pair[::-1])}.get(name, name)
        if name != "purity":
            assert same(value(name, table), value(twin, transposed))


@given(tables)
def test_ranges_and_identities(table):
    values = {name: value(name, table) for name in SHORT_NAMES}
    for name in set(SHORT_NAMES) - UNBOUNDED - {"ard", "ari", "pair_kappa", "ami"}:
        assert values[name] is None or 0 <= values[name] <= 1
    assert values["ard"] >= 0
    n = sum(map(sum, table))
    assert 0 <= values["chi2"] <= n * (min(len(table), len(table[0])) - 1)
    assert values["g2"] == values["mi"] * (2 * n)
    for name in ("vi", "mi", "entropy_a", "entropy_b"):
        assert 0 <= float(values[name]) <= math.log(max(1, sum(map(sum, table)))) + 1e-12
    assert values["mi"] + values["mi"] + values["vi"] == values["entropy_a"] + values["entropy_b"]
    assert values["pair_kappa"] == values["ari"]
    assert values["ami"] <= 1
    assert values["ri"] + values["rd"] == 1
    assert values["ari"] + values["ard"] == 1
    assert n * values["mirkin"] == (n - 1) * values["rd"] if n else values["mirkin"] == 0
    coincide = values["med"] == 0
    assert coincide == (values["rd"] == 0) == (values["ard"] == 0) == (values["vi"] == 0)
    if values["fm"] is not None:
        assert values["fm"] * values["fm"] == values["wallace_ab"] * values["wallace_ba"]
        assert fowlkes_mallows(table, exact=True) ** 2 == values["wallace_ab"] * values["wallace_ba"]


def rounded_root(square):
    """The value of a statistic whose square is this."""
    terms = Fraction(square).as_integer_ratio()
    record = Statistic("root", formula=lambda *_: terms, root=True, symmetry="permutations")
    return float(record(np.array([[1]])))


@given(
    st.fractions(0, 1, max_denominator=10**6)
    | st.builds(Fraction, st.integers(0, 2**200), st.integers(1, 2**200))
)
def test_roots_are_correctly_rounded(square):
    # The square lies between those of the middles to the doubles on both sides.
    root = rounded_root(square)
    below, above = (Fraction(root) + Fraction(math.nextafter(root, end)) for end in (-math.inf, math.inf))
    assert max(0, below) ** 2 <= 4 * square <= above**2


@pytest.mark.parametrize("exponent", [11, -54, -200])
@pytest.mark.parametrize("below", [2**52, 2**52 + 1])
def test_roots_in_the_middle_of_two_doubles_are_rounded_to_even_and_others_to_the_nearer(below, exponent):
    scale = Fraction(2) ** exponent
    middle = (2 * below + 1) * scale
    down, up = float(2 * below * scale), float((2 * below + 2) * scale)
    assert rounded_root(middle**2) == (down if below % 2 == 0 else up)
    for part in (Fraction(1, 3 * 2**22), Fraction(1, 2**20), Fraction(1, 2**300)):
        assert rounded_root(middle**2 + part * scale**2) == up
        assert rounded_root(middle**2 - part * scale**2) == down


@pytest.mark.parametrize("square", [0, Fraction(1, 4), Fraction(2, 7) ** 2, 10**300, Fraction(9, 10**300)])
def test_roots_of_squares_are_the_rounded_fractions(square):
    root = Fraction(math.isqrt(Fraction(square).numerator), math.isqrt(Fraction(square).denominator))
    assert rounded_root(Fraction(square)) == float(root)


@settings(max_examples=40)
@given(tables)
def test_floats_are_the_rounded_fractions_and_every_container_is_read(table):
    kinds = [np.array(table, dtype=float), sp.coo_array(np.array(table)), pd.DataFrame(table)]
    for name in EXACT:
        exact = value(name, table)
        for kind in kinds:
            assert value(name, kind) == exact
        if exact is not None:
            assert isinstance(exact, Fraction if name in RATIONAL else Fraction | LogRatio | RootSum)
            assert SHORT_NAMES[name](table) == pytest.approx(float(exact), rel=1e-14, abs=1e-14)
            assert name not in RATIONAL or SHORT_NAMES[name](table) == exact.numerator / exact.denominator


def test_pair_sums_need_no_matrix():
    table = [[12, 4], [4, 0]]
    sums = PairSums(n=20, A=126, B=126, P=78)
    assert PairSums.of(table) == sums
    assert sums.rand_distance == rand_distance(table, exact=True)


# --- sizes that overflow 64-bit arithmetic ---


@pytest.mark.parametrize("scale", [10**5, 2**31, 2**62, 10**40])
def test_huge_counts(scale):
    small = [[3, 1, 0], [1, 2, 2]]
    table = [[scale * x for x in row] for row in small]
    assert med(table, exact=True) == med(small, exact=True)
    assert mirkin_distance(table, exact=True) == mirkin_distance(small, exact=True)
    A = sum(math.comb(scale * a, 2) for a in (4, 5))
    B = sum(math.comb(scale * b, 2) for b in (4, 3, 2))
    P = sum(math.comb(scale * x, 2) for x in (3, 1, 1, 2, 2))
    M = math.comb(9 * scale, 2)
    assert rand_distance(table, exact=True) == Fraction(A + B - 2 * P, M)
    chance = Fraction(A * B, M)
    assert adjusted_rand_index(table, exact=True) == (P - chance) / (Fraction(A + B, 2) - chance)
    assert fowlkes_mallows(table) == pytest.approx(P / math.sqrt(A * B))
    assert normalized_mutual_information(table) == pytest.approx(normalized_mutual_information(small))
    if scale <= 2**62 // 3:
        array = np.array(table)
        assert adjusted_rand_index(array, exact=True) == adjusted_rand_index(table, exact=True)


def test_entries_of_2_to_the_62_in_int64():
    array = np.full((2, 2), 2**62)
    assert med(array, exact=True) == Fraction(1, 2)
    assert mirkin_distance(array, exact=True) == Fraction(1, 2)
    n = 2**64
    assert rand_distance(array, exact=True) == Fraction(n, 2 * (n - 1))


# --- degenerate tables ---

COINCIDING = {
    "one cluster": [[7]],
    "one object": [[1]],
    "no object": [[0]],
    "no object, padded": [[0, 0], [0, 0]],
    "singletons": [[1, 0, 0], [0, 0, 1], [0, 1, 0]],
    "two singletons": [[1, 0], [0, 1]],
    "relabeled": [[0, 4], [3, 0]],
}


@pytest.mark.parametrize("table", COINCIDING.values(), ids=COINCIDING)
def test_coinciding_partitions_have_distance_0_and_index_1(table):
    for name in NEVER_UNDEFINED:
        assert value(name, table) == (1 if name in ("ri", "ari", "purity", *SHARES) else 0)
    assert normalized_med(table) == normalized_rand_distance(table) == 0


def test_sums_of_pairs_are_a_value():
    sums = PairSums.of([[2, 1], [0, 2]])
    assert sums == PairSums(5, 4, 4, 2)
    assert len({sums, PairSums(5, 4, 4, 2), PairSums(5, 4, 4, 1)}) == 2
    with pytest.raises(AttributeError):
        sums.P = 3


def test_roundoff_takes_no_information_out_of_its_range():
    nearly_independent = [[4_000_000_000, 2_000_000_001], [2_000_000_001, 1_000_000_001]]
    assert normalized_mutual_information(nearly_independent) == 0
    for row in range(5 * 10**15, 10**16, 10**14):
        assert normalized_mutual_information([[row, 1, 0], [0, 0, 10**44]]) <= 1


def test_information_keeps_its_digits_where_few_of_many_objects_differ():
    # To 16 digits from the definitions in 60-digit arithmetic; quotients of these counts round to 1.
    almost_one_cluster = [[1, 2**64 - 2], [1, 0]]
    assert normalized_mutual_information(almost_one_cluster) == pytest.approx(0.6529441691440704, rel=1e-14)
    two_moved = [[2**53, 1], [0, 2**53 + 1]]
    assert variation_of_information(two_moved) == pytest.approx(4.189626486814324e-15, rel=1e-14)


def test_information_of_cells_far_below_independence():
    assert normalized_mutual_information([[1, 10**20], [10**20, 1]]) == pytest.approx(1, abs=1e-15)


# --- normalised distances ---


def test_normalised_distances_are_divided_by_the_largest_of_nonempty_clusters():
    table = [[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]]
    padded = [[*row, 0, 0] for row in table]
    assert normalized_med(table, exact=True) == normalized_med(padded, exact=True) == 1
    assert normalized_med([[2, 1], [0, 3]], exact=True) == Fraction(1, 3)
    hook = [[4, 2, 2, 2], [1, 0, 0, 0], [1, 0, 0, 0]]
    assert normalized_rand_distance(hook, exact=True) == 1
    assert normalized_rand_distance([[1, 1, 0], [0, 0, 1], [0, 0, 1]], exact=True) == 1


# --- short names ---


def test_cli_and_laws_have_every_short_name():
    assert set(SHORT_NAMES) >= {"med", "rd", "ri", "ard", "ari", "nmed", "nrd", "mirkin", "fm", "jaccard"}
    assert {"wallace_ab", "wallace_ba", "vi", "nmi"} <= set(SHORT_NAMES)
    assert SHORT_NAMES["wallace_ba"]([[3, 0], [1, 1]], exact=True) == Fraction(1, 2)


def test_doubles_unless_exact_is_asked_for():
    matrix = [[5, 2, 0], [1, 3, 0], [1, 1, 4]]
    rational = [SHORT_NAMES[name] for name in RATIONAL]
    for index in [*rational, partition.expected_rand_distance]:
        assert isinstance(index(matrix), float)
        assert isinstance(index(matrix, exact=True), Fraction)
