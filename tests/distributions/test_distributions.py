"""Laws against brute force: supports, lines, conditions, slices; the paper's figures and T6."""

from bisect import bisect_left
from collections import defaultdict
from fractions import Fraction
from itertools import accumulate
from math import comb

import numpy as np
import pytest
from brute import WEIGHTS, members, obvious_law, values, weights
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.distributions import Distribution, joint_distribution, signed
from confmat.indices import partition
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.statistics import STATISTICS, Statistic, as_condition

CLASSES = [
    Tables(7, 3, 3),
    Tables(7, 2, 4),
    Tables(7, 4, 2),
    Tables(6, 2, 2, allow_empty=True),
    FixedMargins((5, 4, 2), (6, 3, 2)),
    FixedMargins((2, 5), (3, 0, 4)),
    FixedRows((3, 1, 4), 2),
    FixedRows((3, 2, 2), 3),
    FixedRows((2, 0, 3), 2),
    Tables(2, 2, 2),
    Tables(1, 1, 1),
    Tables(3, 1, 1),
]


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_support_is_the_indices_of_every_matrix(matrices, weight):
    names = ("med", "rd", "ard", "ri", "ari", "mirkin")
    assert dict(list(joint_distribution(matrices, *names, weight=weight))) == obvious_law(
        matrices, names, weight
    )


@pytest.mark.parametrize(
    "matrices", [Tables(7, 3, 3), Tables(7, 2, 4), FixedMargins((5, 4, 2), (6, 3, 2))], ids=repr
)
def test_directed_and_normalised_statistics(matrices):
    names = ("jaccard", "wallace_ab", "wallace_ba", "nmed", "nrd")
    assert dict(list(joint_distribution(matrices, *names))) == obvious_law(matrices, names, "tables")


@pytest.mark.parametrize("matrices", [FixedRows((3, 1, 4), 2), FixedRows((3, 2, 2), 3)], ids=repr)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_directed_statistics_at_fixed_rows(matrices, weight):
    names = ("jaccard", "wallace_ab", "wallace_ba")
    assert dict(list(joint_distribution(matrices, *names, weight=weight))) == obvious_law(
        matrices, names, weight
    )


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("name", ["med", "rd", "ard"])
def test_laws_given_each_value_are_those_of_the_support(matrices, weight, name):
    law = joint_distribution(matrices, "med", "rd", "ard", weight=weight)
    support = dict(list(law))
    rows = list(law.groupby(name))
    at = law.names.index(name)
    assert sum(there.total for _, there in rows) == law.total == sum(support.values())
    assert [value for value, _ in rows] == sorted({point[at] for point in support})
    for value, there in rows:
        inside = {point: w for point, w in support.items() if point[at] == value}
        assert there.total == sum(inside.values())
        assert dict(list(there)) == inside
        for position, other in enumerate(law.names):
            marginal = defaultdict(int)
            for point, w in inside.items():
                marginal[point[position]] += w
            expected, got = Distribution.from_counts(marginal), there[other]
            assert list(got) == list(expected)
            assert got.describe(exact=True) == expected.describe(exact=True)
            assert (got.mean(exact=True), got.var(exact=True)) == (
                expected.mean(exact=True),
                expected.var(exact=True),
            )


@pytest.mark.parametrize("matrices", [m for m in CLASSES if not isinstance(m, FixedMargins)], ids=repr)
def test_rounded_moments_are_the_exact_ones_rounded(matrices):
    for _, law in joint_distribution(matrices, "med", "rd", "ard").groupby("med"):
        assert tuple(
            map(float, (law["ard"].mean(exact=True), law["ard"].var(exact=True), law["ard"].std()))
        ) == tuple(map(float, (law["ard"].mean(), law["ard"].var(), law["ard"].std())))


# --- one law: brute force -------------------------------------------------------------------------

NAMES = ("med", "ari", "wallace_ab", "fm", "mirkin", "ri")


@pytest.mark.parametrize(
    "matrices",
    [
        Tables(6, 3, 3),
        Tables(5, 2, 3, allow_empty=True),
        FixedRows((3, 1, 2), 2),
        FixedMargins((3, 2), (2, 2, 1)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_the_law_on_the_line_against_every_member(matrices, weight):
    law = joint_distribution(matrices, *NAMES, weight=weight)
    assert law.total == sum(weights(matrices, weight))
    for name in NAMES:
        sample = [(x, w) for x, w in zip(values(name, matrices), weights(matrices, weight)) if x == x]
        total, got = sum(w for _, w in sample), law[name]
        assert (got.total, got.undefined) == (total, law.total - total)
        close = {} if name != "fm" else {"rel": 1e-12, "abs": 1e-12}
        mean = sum(x * w for x, w in sample) / total
        assert got.mean(exact=True) == (pytest.approx(float(mean), **close) if close else mean)
        assert float(got.mean()) == pytest.approx(float(mean), rel=1e-14, abs=1e-14)
        variance = sum((x - mean) ** 2 * w for x, w in sample) / total
        assert float(got.var()) == pytest.approx(float(variance), rel=1e-12, abs=1e-12)
        assert got.std() == pytest.approx(float(variance) ** 0.5, rel=1e-9, abs=1e-7)
        assert (got.min(), got.max()) == (min(x for x, _ in sample), max(x for x, _ in sample))
        ordered = sorted({x for x, _ in sample})
        for p in (0, Fraction(1, 7), 0.25, "1/2", Fraction(9, 10), 1):
            share = Fraction(str(p))
            below = (x for x in ordered if Fraction(sum(w for y, w in sample if y <= x), total) >= share)
            assert got.quantile(p) == next(below)
        for x in [*ordered, Fraction(1, 3), -1, np.uint8(2)]:
            weight_below = sum(w for y, w in sample if y <= x)
            assert got.cdf(x) == 1 - got.sf(x) == Fraction(weight_below, total)
            assert got.pvalue(x) == Fraction(sum(w for y, w in sample if y >= x), total)
        assert STATISTICS[name](got.argmin()) == got.min()
        assert STATISTICS[name](got.argmax()) == got.max()
        assert got.argmin() in matrices
        assert got.argmax() in matrices


CONDITIONS = [
    "med<=1/5",
    "med=2/5, ari>0",
    "not (ri > wallace_ab)",
    "fm > 1/2 or med = 1/5",
    {"med": Fraction(1, 5)},
    "jaccard < 1/3 and wallace_ba <= 1/2",
    "med<0",
]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("matrices", [Tables(5, 3, 3, allow_empty=True), FixedRows((3, 1, 1), 2)], ids=repr)
def test_conditions_against_every_member(matrices, weight, condition):
    """Also on statistics that the law does not name, and on some that tell rows from columns."""
    law = joint_distribution(matrices, "med", "ard", "wallace_ab", weight=weight)
    meets, of_members = as_condition(condition), zip(*(values(name, matrices) for name in law.names))
    expected = defaultdict(int)
    for matrix, amount, all_of_it in zip(members(matrices), weights(matrices, weight), of_members):
        if meets(matrix):
            expected[tuple("nan" if x != x else x for x in all_of_it)] += amount
    chosen_law = law.given(condition)
    assert chosen_law.total == sum(expected.values())
    assert law.probability(condition) == Fraction(chosen_law.total, law.total)
    found = {tuple("nan" if x != x else x for x in point): w for point, w in list(chosen_law)}
    assert found == expected
    assert law.probability(condition, "ard>1", condition)[::2] == (law.probability(condition),) * 2
    if expected:
        assert chosen_law["ard"].max() == max(x[1] for x in expected)
        assert meets(chosen_law["ard"].argmax())
        assert chosen_law.given("ard>1/2").total == sum(
            w for x, w in expected.items() if x[1] > Fraction(1, 2)
        )


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_quantile_and_cdf_invert_each_other_and_slices_mix_to_the_law(data):
    n, r, s = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    law = joint_distribution(
        Tables(n, r, s, allow_empty=True), "med", "rd", "ard", weight=data.draw(st.sampled_from(WEIGHTS))
    )
    line = law[data.draw(st.sampled_from(law.names))]
    p = data.draw(st.fractions(0, 1, max_denominator=1000))
    x = line.quantile(p)
    assert line.cdf(x) >= p
    assert line.quantile(line.cdf(x)) == x
    smaller = [y for y, _ in line if y < x]
    assert not smaller or p == 0 or line.cdf(smaller[-1]) < p
    parts = [part for _, part in law.groupby(data.draw(st.sampled_from(law.names)))]
    at = data.draw(st.fractions(0, 2, max_denominator=30))
    assert sum(part.total * part[line.name].cdf(at) for part in parts) == law.total * line.cdf(at)
    assert sum(part.total for part in parts) == law.total


def test_large_laws_are_looked_at_in_blocks(monkeypatch, fold):
    """With limits of a few signatures: by bins, block after block, and by passes that hold nothing."""
    law = joint_distribution(Tables(10, 3, 3), "med", "rd", "ard", "fm")
    shares = [Fraction(k, 50) for k in range(51)]
    expected = {name: [law[name].quantile(p) for p in shares] for name in law.names}
    numbers = {name: (law[name].mean(exact=True), law[name].var(exact=True)) for name in ("med", "rd", "ard")}
    asked = law.probability("ard>1", "med<=1/4", "fm>jaccard")
    monkeypatch.setattr("confmat._integers.arrays.ROWS_WAITING", 2)
    monkeypatch.setattr(signed, "_MOST_SORTED", 20)
    monkeypatch.setattr(signed, "_BINS", 8)
    for held in (True, False):
        if not held:
            fold()
        again = joint_distribution(Tables(10, 3, 3), "med", "rd", "ard", "fm")
        assert again._held is held
        for name in law.names:
            assert [again[name].quantile(p) for p in shares[:: 1 if held else 10]] == expected[name][
                :: 1 if held else 10
            ]
        assert {
            name: (again[name].mean(exact=True), again[name].var(exact=True)) for name in numbers
        } == numbers
        assert again.probability("ard>1", "med<=1/4", "fm>jaccard") == asked
        assert again["ard"].argmax().tolist() == law["ard"].argmax().tolist()


@pytest.mark.parametrize("matrices", [Tables(6, 3, 3), Tables(7, 3, 2)], ids=repr)
@pytest.mark.parametrize("name", ["med", "rd", "wallace_ba"])
def test_slices_know_rows_from_columns(matrices, name):
    """Conditions that tell rows from columns, on laws of statistics that do not, given each value."""
    law = joint_distribution(matrices, "med", "rd", *{name} - {"med", "rd"})
    for value, part in law.groupby(name):
        others = zip(values(name, matrices), values("wallace_ab", matrices))
        there = [other for x, other in others if x == value or (x != x and value != value)]
        assert part.total == len(there)
        found = sum(other < Fraction(1, 2) for other in there)
        assert part.probability("wallace_ab<1/2") == Fraction(found, len(there))


def test_digests():
    law = joint_distribution(Tables(9, 3, 3), "med", "rd", "ard")
    assert law._digest_of_sums == joint_distribution(Tables(9, 3, 3), "rd")._digest_of_sums
    others = [
        joint_distribution(Tables(9, 3, 3), "med", "rd"),
        joint_distribution(Tables(9, 3, 3), "rd", "med"),
        joint_distribution(Tables(9, 3, 3), "med", "rd", weight="labelings"),
        joint_distribution(Tables(9, 3, 3, allow_empty=True), "med", "rd"),
        law.given("med<1/2"),
        law,
    ]
    assert len({x.digest for x in others}) == len(others)
    assert law.digest == joint_distribution(Tables(9, 3, 3), "med", "rd", "ard").digest
    slow = Statistic("rd", lambda t: partition.rand_distance(t, exact=True), symmetry="transposition")
    of_own = joint_distribution(Tables(9, 3, 3), "med", slow)
    assert list(of_own) == list(others[0])  # whatever the way
    assert of_own.digest != others[0].digest  # one's own is not the package's, whatever it is called


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
def test_witnesses_attain_the_extremes(matrices):
    for med, given_med in joint_distribution(matrices, "med", "rd", "ard").groupby("med"):
        for name in ("rd", "ard"):
            law = given_med[name]
            index = STATISTICS[name].index
            for matrix, value in ((law.argmin(), law.min()), (law.argmax(), law.max())):
                assert matrix in matrices
                assert index(matrix, exact=True) == value
                assert partition.med(matrix, exact=True) == med


def test_mean_ard_is_one_at_fixed_margins_under_labelings():
    """E is the mean of RD over all labelings with the margins (T6), so the ARD has mean exactly 1."""
    for n in range(2, 9):
        for matrices in (
            FixedMargins((n - 1, 1), (n - 1, 1)),
            FixedMargins((n,), (n - 1, 1)),
            *_margins_of(n),
        ):
            law = joint_distribution(matrices, "ard", weight="labelings")
            if partition.expected_rand_distance(matrices.unrank(0)) > 0:
                assert law["ard"].mean() == 1
            else:
                assert law["ard"].mean() == 0


def _margins_of(n):
    from brute import partitions

    margins = [p for parts in (2, 3) for p in partitions(n, parts)]
    return [FixedMargins(a, b) for a in margins for b in margins]


def test_chacon_2019_section_4_2():
    """The whole class (20,3,3): the facts stated with Figures 5 to 7."""
    law = joint_distribution(Tables(20, 3, 3), "med", "rd", "ard")
    rows = dict(law.groupby("med"))
    assert law.total == sum(each.total for each in rows.values()) == 2806281
    assert rows[0].total == 1026
    assert max(rows) == max_med(20, 3, 3) == Fraction(13, 20)
    largest = max(rows, key=lambda med: rows[med]["ard"].max())
    assert largest == Fraction(10, 20)
    assert rows[largest]["ard"].argmax().tolist() == [[10, 3, 2], [3, 0, 0], [2, 0, 0]]
    assert max(rows, key=lambda med: rows[med]["ard"].mean()) == Fraction(13, 20)
    outlier = rows[Fraction(4, 20)]["ard"]
    assert outlier.argmax().tolist() == [[16, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert float(outlier.max()) == pytest.approx(1.10758, abs=5e-6)
    assert max(each["rd"].max() for each in rows.values()) == max_rand_distance(20, 3, 3)


def test_two_by_two_has_one_rand_distance_at_each_med():
    for value, each in joint_distribution(Tables(20, 2, 2), "med", "rd", "ard").groupby("med"):
        d = value * 20
        assert each["rd"].min() == each["rd"].max() == Fraction(d * (20 - d), comb(20, 2))
    assert max(
        each["ard"].max() for _, each in joint_distribution(Tables(20, 2, 2), "med", "ard").groupby("med")
    ) == Fraction(95, 84)


@pytest.mark.parametrize("matrices", [Tables(2, 3, 3), Tables(0, 2, 2)], ids=repr)
def test_an_empty_class_has_no_mass(matrices):
    law = joint_distribution(matrices, "med", "rd", "ard")
    assert law.total == 0
    assert list(law.groupby("med")) == []
    assert list(law) == []
    assert len(law.to_frame()) == 0
    assert np.isnan(joint_distribution(matrices, "rd")["rd"].mean())


def test_a_complement_with_a_factor_is_in_order():
    matrices = Tables(12, 3, 3)
    half = Statistic(
        "half",
        symmetry="transposition",
        of=STATISTICS["rd"],
        factor=lambda _: Fraction(1, 2),
        complement=True,
    )
    rows = list(joint_distribution(matrices, "rd", weight="labelings"))
    listed = sorted((1 - rd / 2, weight) for (rd,), weight in rows)
    law = joint_distribution(matrices, half, weight="labelings")["half"]
    assert (law.min(), law.max()) == (listed[0][0], listed[-1][0])
    below = [*accumulate(weight for _, weight in listed)]
    for share in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
        assert law.quantile(share) == listed[bisect_left(below, share * below[-1])][0]


@pytest.mark.parametrize("name", ["total", "statistic", "another"])
def test_a_law_is_frozen(name):
    law = joint_distribution(Tables(5, 2, 2), "med", "rd")
    with pytest.raises(AttributeError, match="cannot assign"):
        setattr(law, name, 3)


def test_moments_are_floats_or_if_exact_fractions_however_a_law_is_held():
    own = Statistic("largest", np.max, symmetry="transposition")
    listed = joint_distribution(Tables(6, 2, 2), "med", "rd", "ard", own).given("largest<=3")
    signed_ones = joint_distribution(Tables(6, 2, 2), "med", "rd", "ard").given("med<=1/3")
    for name in ("med", "rd", "ard"):
        for law in (listed[name], signed_ones[name]):
            assert [type(law.mean()), type(law.var())] == [float, float]
            assert [type(law.mean(exact=True)), type(law.var(exact=True))] == [Fraction, Fraction]
