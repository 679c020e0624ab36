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
import sklearn.metrics as sk
from hypothesis import given
from hypothesis import strategies as st

from confmat.indices import partition
from confmat.indices.partition import (
    IRRATIONAL,
    SHORT_NAMES,
    PairCounts,
    PairSums,
    adjusted_rand_index,
    adjusted_rand_index_null_moments,
    distance_in_measure,
    expected_rand_distance,
    fowlkes_mallows,
    fowlkes_mallows_squared,
    hamming_distance,
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
    wallace,
)
from confmat.indices.undefined import UndefinedIndexError
from confmat.matrix import contingency

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "partition.json").read_text())["cases"]
EXACT = sorted(set(SHORT_NAMES) - IRRATIONAL)
NEVER_UNDEFINED = sorted(set(SHORT_NAMES) - {"fm", "jaccard", "wallace_ab", "wallace_ba"})

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
        return SHORT_NAMES[name](table) if name in IRRATIONAL else SHORT_NAMES[name](table, exact=True)
    except UndefinedIndexError:
        return None


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
def test_pair_counts_and_what_follows_from_counting_pairs(pairs):
    a, b = zip(*pairs)
    table = contingency(a, b)
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
    assert mirkin_distance(table, normalized=False, exact=True) == 2 * (only_a + only_b)
    if both + only_a:
        assert wallace(table, exact=True) == Fraction(both, both + only_a)
    if both + only_b:
        assert wallace(table, direction="ba", exact=True) == Fraction(both, both + only_b)
    if both + only_a + only_b:
        assert jaccard(table, exact=True) == Fraction(both, both + only_a + only_b)


@given(labelings)
def test_against_scikit_learn(pairs):
    a, b = zip(*pairs)
    table = contingency(a, b)
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
    assert med(contingency(a, b), exact=True) == Fraction(fewest, len(a))


# --- properties ---


@given(tables, st.randoms(use_true_random=False))
def test_names_of_clusters_do_not_matter(table, random):
    shuffled = [row[:] for row in table]
    random.shuffle(shuffled)
    columns = list(zip(*shuffled))
    random.shuffle(columns)
    shuffled = [[*row, 0] for row in zip(*columns)] + [[0] * (len(columns) + 1)]
    for name in SHORT_NAMES:
        assert value(name, shuffled) == pytest.approx(value(name, table), abs=1e-12)


@given(tables)
def test_transposition(table):
    transposed = [list(column) for column in zip(*table)]
    for name in SHORT_NAMES:
        twin = {"wallace_ab": "wallace_ba", "wallace_ba": "wallace_ab"}.get(name, name)
        assert value(name, table) == pytest.approx(value(twin, transposed), abs=1e-12)


@given(tables)
def test_ranges_and_identities(table):
    values = {name: value(name, table) for name in SHORT_NAMES}
    for name in set(SHORT_NAMES) - {"ard", "ari", "vi"}:
        assert values[name] is None or 0 <= values[name] <= 1
    assert values["ard"] >= 0
    assert 0 <= values["vi"] <= math.log(max(1, sum(map(sum, table)))) + 1e-12
    assert values["ri"] + values["rd"] == 1
    assert values["ari"] + values["ard"] == 1
    n = sum(map(sum, table))
    assert n * values["mirkin"] == (n - 1) * values["rd"] if n else values["mirkin"] == 0
    coincide = values["med"] == 0
    assert coincide == (values["rd"] == 0) == (values["ard"] == 0) == (values["vi"] == 0)
    if values["fm"] is not None:
        assert values["fm"] ** 2 == pytest.approx(float(values["wallace_ab"] * values["wallace_ba"]))
        assert fowlkes_mallows_squared(table, exact=True) == values["wallace_ab"] * values["wallace_ba"]


@given(tables)
def test_floats_are_the_rounded_fractions_and_every_container_is_read(table):
    kinds = [np.array(table, dtype=float), sp.coo_array(np.array(table)), pd.DataFrame(table)]
    for name in EXACT:
        exact = value(name, table)
        for kind in kinds:
            assert value(name, kind) == exact
        if exact is not None:
            assert isinstance(exact, Fraction)
            assert SHORT_NAMES[name](table) == exact.numerator / exact.denominator


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
        assert value(name, table) == (1 if name in ("ri", "ari", "nmi") else 0)
    for as_printed in (False, True):
        assert normalized_med(table, as_printed=as_printed) == 0
        assert normalized_rand_distance(table, as_printed=as_printed) == 0


def test_one_cluster_against_singletons():
    table = [[1, 1, 1]]
    assert rand_distance(table) == 1
    assert adjusted_rand_index(table) == 0
    assert wallace(table) == 0
    assert jaccard(table) == 0
    with pytest.raises(UndefinedIndexError, match=r"wallace is 0/0 here: .* clustering b"):
        wallace(table, direction="ba")
    with pytest.raises(UndefinedIndexError, match=r"fowlkes_mallows is 0/0 here: .* clustering b$"):
        fowlkes_mallows(table)
    with pytest.raises(UndefinedIndexError, match=r"fowlkes_mallows is 0/0 here: .* clustering a$"):
        fowlkes_mallows([[1], [1]])


def test_other_quotients_0_over_0_follow_the_policy():
    table = [[1, 0], [0, 1]]
    for index in (wallace, jaccard, fowlkes_mallows, fowlkes_mallows_squared):
        with pytest.raises(UndefinedIndexError):
            index(table)
        assert math.isnan(index(table, undefined="nan"))
        assert index(table, undefined=1) == 1.0
        assert index(table, undefined=Fraction(1, 3), exact=True) == Fraction(1, 3)
        with pytest.raises(ValueError, match="undefined must be"):
            index([[2, 1], [0, 2]], undefined="zero")
    for only_one in ([[1, 1]], [[1], [1]]):  # the caller's number, not its root
        assert fowlkes_mallows(only_one, undefined=Fraction(1, 3), exact=True) == Fraction(1, 3)
        assert fowlkes_mallows(only_one, undefined=0.25) == 0.25
    with pytest.raises(ValueError, match='direction must be "ab" or "ba", got \'x\''):
        wallace(table, direction="x")


def test_exact_fowlkes_mallows_only_where_rational():
    assert fowlkes_mallows([[2, 1], [0, 2]], exact=True) == Fraction(1, 2)
    with pytest.raises(ValueError, match="irrational here, the square root of 3/8"):
        fowlkes_mallows([[3, 0], [1, 1]], exact=True)
    with pytest.raises(ValueError, match="irrational here, the square root of 1/2"):
        fowlkes_mallows([[2, 0, 0], [0, 1, 1]], exact=True)


def test_sums_of_pairs_are_a_value():
    sums = PairSums.of([[2, 1], [0, 2]])
    assert sums == PairSums(5, 4, 4, 2)
    assert len({sums, PairSums(5, 4, 4, 2), PairSums(5, 4, 4, 1)}) == 2
    with pytest.raises(AttributeError):
        sums.P = 3


def test_roundoff_makes_no_information_negative():
    assert normalized_mutual_information([[70_000_001, 30_000_000], [70_000_000, 30_000_000]]) == 0


# --- normalised distances ---


def test_normalisation_by_shape_and_as_printed():
    table = [[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]]
    assert normalized_med(table, exact=True) == 1
    assert normalized_med(table, exact=True, as_printed=True) == Fraction(5, 6)
    assert normalized_med(table, exact=True, shape=(3, 4)) == Fraction(5, 6)
    assert normalized_med(table, exact=True, shape=(3, 8)) == Fraction(5, 7)
    padded = [[*row, 0, 0] for row in table]
    assert normalized_med(padded, exact=True) == 1
    assert normalized_rand_distance([[1, 1, 1, 1]], exact=True, shape=(3, 4)) == 1
    hook = [[4, 2, 2, 2], [1, 0, 0, 0], [1, 0, 0, 0]]
    assert normalized_rand_distance(hook, exact=True) == 1
    assert normalized_rand_distance(hook, exact=True, as_printed=True) == 1
    small = [[1, 1, 0], [0, 0, 1], [0, 0, 1]]
    assert normalized_rand_distance(small, exact=True) == 1
    assert normalized_rand_distance(small, exact=True, as_printed=True) == Fraction(2, 5)
    assert normalized_med([[3]], shape=(1, 1)) == normalized_rand_distance([[3]], shape=(1, 1)) == 0
    for shape in ((2, 4), (3, 3), (3,), (3, 4, 5)):
        with pytest.raises(ValueError, match=r"at least the \(3, 4\) that are not empty, got \("):
            normalized_med(table, shape=shape)


# --- null model ---


def permutation_model(rows, cols):
    """ARI and RD of every permutation of one labeling against the other."""
    a = [i for i, size in enumerate(rows) for _ in range(size)]
    b = [j for j, size in enumerate(cols) for _ in range(size)]
    for permuted in itertools.permutations(b):
        table = [[0] * len(cols) for _ in rows]
        for i, j in zip(a, permuted):
            table[i][j] += 1
        yield table


def integer_partitions(n, largest):
    if n == 0:
        yield ()
    for first in range(min(n, largest), 0, -1):
        for rest in integer_partitions(n - first, first):
            yield (first, *rest)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_null_moments_over_all_permutations(n):
    sizes = list(integer_partitions(n, n))
    for rows, cols in itertools.combinations_with_replacement(sizes, 2):
        tables_ = list(permutation_model(rows, cols))
        aris = [adjusted_rand_index(t, exact=True) for t in tables_]
        mean = sum(aris) / len(aris)
        variance = sum(x**2 for x in aris) / len(aris) - mean**2
        assert adjusted_rand_index_null_moments(margins=(rows, cols)) == (mean, variance)
        rds = [rand_distance(t, exact=True) for t in tables_]
        assert expected_rand_distance(tables_[0], exact=True) == sum(rds) / len(rds)


@pytest.mark.parametrize(("rows", "cols"), [((3, 2, 1), (4, 2)), ((2, 2, 2), (3, 3)), ((3, 3), (3, 2, 1))])
def test_null_moments_for_six_objects(rows, cols):
    aris = [adjusted_rand_index(t, exact=True) for t in permutation_model(rows, cols)]
    mean, variance = adjusted_rand_index_null_moments(next(permutation_model(rows, cols)))
    assert (mean, variance) == (0, sum(x**2 for x in aris) / len(aris))


def test_null_moments_arguments_and_size():
    assert adjusted_rand_index_null_moments(margins=([0], [0, 0])) == (1, 0)
    big = adjusted_rand_index_null_moments(margins=([10**18] * 3, [10**18] * 3))
    assert big.mean == 0
    assert 0 < big.variance < Fraction(1, 10**17)
    with pytest.raises(ValueError, match="equal sums, got 3 for the rows and 4"):
        adjusted_rand_index_null_moments(margins=([3], [2, 2]))
    with pytest.raises(ValueError, match="equal sums, got 5 for the rows and 4"):
        adjusted_rand_index_null_moments(margins=([3, 2], [2, 2]))
    with pytest.raises(ValueError, match="argument 2 is longer"):
        adjusted_rand_index_null_moments(margins=([3], [2, 1], [3]))
    with pytest.raises(ValueError, match="either matrix or margins"):
        adjusted_rand_index_null_moments()


# --- populations ---


@given(tables.filter(lambda t: any(map(any, t))))
def test_population_distances_of_the_empirical_masses(table):
    n = sum(map(sum, table))
    masses = [[Fraction(x, n) for x in row] for row in table]
    assert distance_in_measure(masses, exact=True) == med(table, exact=True)
    assert hamming_distance(masses, exact=True) == mirkin_distance(table, exact=True)
    floats = np.array(table) / n
    assert distance_in_measure(floats) == pytest.approx(med(table), abs=1e-12)
    assert hamming_distance(floats) == pytest.approx(mirkin_distance(table), abs=1e-12)


def test_distance_in_measure_by_its_definition():
    masses = np.array([[0.2, 0.05, 0.1], [0.05, 0.3, 0.3]])
    square = np.vstack([masses, np.zeros(3)])
    rows, cols = square.sum(axis=1), square.sum(axis=0)
    least = min(
        sum(rows[i] + cols[j] - 2 * square[i, j] for i, j in enumerate(order)) / 2
        for order in itertools.permutations(range(3))
    )
    assert distance_in_measure(masses) == pytest.approx(least, abs=1e-15)


def test_masses_must_be_probabilities():
    with pytest.raises(ValueError, match=r"masses must add up to 1, got 3\.0"):
        distance_in_measure([[1, 2]])
    for excess in (Fraction(1, 10**9), Fraction(-1, 10**9)):
        distance_in_measure([[Fraction(1, 2), Fraction(1, 2) + excess]])
        with pytest.raises(ValueError, match="masses must add up to 1"):
            distance_in_measure([[Fraction(1, 2), Fraction(1, 2) + excess * Fraction(101, 100)]])


def test_floats_of_a_population_are_taken_as_they_are():
    masses = [[0.1, 0.2, 0.3], [0.05, 0.15, 0.2]]  # none is a binary fraction
    p = [[Fraction(x) for x in row] for row in masses]
    squares = sum(sum(row) ** 2 for row in p) + sum(sum(column) ** 2 for column in zip(*p))
    expected = squares - 2 * sum(x**2 for row in p for x in row)
    assert hamming_distance(masses, exact=True) == expected
    assert distance_in_measure(masses, exact=True) == p[0][0] + p[0][1] + p[1][0] + p[1][2]


def test_cli_and_laws_have_every_short_name():
    assert set(SHORT_NAMES) >= {"med", "rd", "ri", "ard", "ari", "nmed", "nrd", "mirkin", "fm", "jaccard"}
    assert {"wallace_ab", "wallace_ba", "vi", "nmi"} <= set(SHORT_NAMES)
    assert SHORT_NAMES["wallace_ba"]([[3, 0], [1, 1]], exact=True) == Fraction(1, 2)


def test_doubles_unless_exact_is_asked_for():
    matrix = [[5, 2, 0], [1, 3, 0], [1, 1, 4]]
    rational = [index for name, index in partition.SHORT_NAMES.items() if name not in partition.IRRATIONAL]
    for index in [*rational, partition.expected_rand_distance, partition.fowlkes_mallows_squared]:
        assert isinstance(index(matrix), float)
        assert isinstance(index(matrix, exact=True), Fraction)


def test_a_shape_without_rows_is_refused():
    with pytest.raises(ValueError, match="shape"):
        partition.normalized_med([[1]], shape=(0, 1))
