"""Ways to the values over a class: arrays, files, laws without enumeration, sizes that are refused."""

from collections import Counter, defaultdict
from fractions import Fraction
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from brute import labelings, pair_sums

from confmat import Limits, plan
from confmat._engine.run import Enumeration
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.distributions import joint_distribution, sums
from confmat.distributions.med_distribution import med_counts
from confmat.errors import TooLargeError
from confmat.indices.extremes import max_med
from confmat.indices.partition import adjusted_rand_distance, med, rand_distance
from confmat.statistics import Statistic, as_statistic


@pytest.mark.parametrize(
    "names", [("med",), ("rd",), ("ard",), ("med", "ard"), ("rd", "ard"), ("med", "rd", "ard")]
)
@pytest.mark.parametrize(
    "matrices", [Tables(9, 3, 3), Tables(2, 3, 3), Tables(1, 1, 1), FixedMargins((4, 3), (5, 2))]
)
def test_arrays_hold_the_support(names, matrices):
    law = joint_distribution(matrices, *names)
    exact = law._arrays()
    values = [[Fraction(int(p), int(q)) for p, q in zip(*exact.columns[name])] for name in names]
    assert list(zip(zip(*values), exact.weights.tolist())) == list(law)


@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize(
    "matrices", [Tables(6, 3, 3), Tables(4, 2, 3, allow_empty=True), FixedRows((5, 4), 3), Tables(1, 1, 1)]
)
def test_values_of_all_signatures_are_those_of_each(matrices, weight):
    """Statistics that are 0/0, complements, scaled, roots; doubles that are equal where quotients are not."""
    near = Statistic(
        "near",
        formula=lambda n, m, a, b, p: (p + 2**60, 3 * 2**60),
        depends="ABP",
        symmetry="transposition",
    )
    for names in (
        ("ard",),
        ("ari", "nmed"),
        ("wallace_ab", "wallace_ba", "ri"),
        ("fm", "nrd"),
        ("jaccard", "rd"),
        (near,),
    ):
        statistics = tuple(map(as_statistic, names))
        expected = Counter()
        for table in matrices:
            (sums,) = pair_sums(table[None]).tolist()
            values = tuple(statistic.over(matrices)(*sums) for statistic in statistics)
            expected[repr(values)] += labelings(table) if weight == "labelings" else 1
        found = list(joint_distribution(matrices, *names, weight=weight))
        assert {repr(values): number for values, number in found} == expected
        assert len(found) == len(expected)


def test_too_large_a_support_is_refused_before_work():
    with pytest.raises(ValueError, match=r"Tables\(n=50, r=4, s=4.* with up to"):
        joint_distribution(Tables(50, 4, 4), "med", "rd", "ard").to_csv("never.csv")
    with pytest.raises(ValueError, match=r"Use d\[name\]"):
        _ = list(joint_distribution(Tables(50, 4, 4), "ari"))


@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize(
    "matrices",
    [
        Tables(14, 2, 2),
        Tables(10, 3, 3),
        Tables(8, 2, 4, allow_empty=True),
        Tables(9, 3, 2),
        Tables(2, 3, 3),
        Tables(0, 2, 2, allow_empty=True),
        Tables(1, 1, 1),
        FixedMargins((7, 5, 3), (9, 6)),
        FixedRows((5, 4), 3),
    ],
    ids=repr,
)
def test_a_law_that_is_not_held_says_the_same_given_the_med(matrices, weight, fold):
    """Moments, quartiles, extremes and the matrices that attain them, from sums of two passes."""
    held = joint_distribution(matrices, "med", "rd", "ard", weight=weight)
    assert held._held
    sums = held._digest_of_sums
    expected = [said(*row, held.names) for row in held.groupby("med")]
    fold()
    law = joint_distribution(matrices, "med", "rd", "ard", weight=weight)
    assert not law._held
    assert [said(*row, law.names) for row in law.groupby("med")] == expected
    assert (law.total, law._digest_of_sums) == (held.total, sums)


@pytest.mark.parametrize("weight", ["tables", "labelings"])
def test_a_law_of_med_and_rd_alone_is_found_from_the_sums_of_one_pass(weight, fold):
    matrices = Tables(7, 3, 4)
    expected = list(joint_distribution(matrices, "med", "rd", weight=weight))
    fold()
    assert list(joint_distribution(matrices, "med", "rd", weight=weight)) == expected


def said(value, each, names):
    laws = [each[name] for name in names]
    ends = [[end.tolist() for end in (law.argmin(), law.argmax())] for law in laws if law.name != "med"]
    return value, each.total, [(law.describe(), law.var()) for law in laws], ends


def test_one_statistic_of_a_law_that_is_not_held_is_found_without_a_pass(fold, monkeypatch):
    fold()
    monkeypatch.setattr("confmat._engine.run.Enumeration.chunks", None)
    law = joint_distribution(Tables(12, 3, 3), "med", "rd", "ard")
    assert not law._held
    assert law["med"].max() == max_med(12, 3, 3)


def test_the_med_given_the_med_is_one_value(fold):
    fold()
    for m, law in joint_distribution(Tables(4, 2, 2), "med", "rd").groupby("med"):
        assert (law["med"].mean(exact=True), law["med"].var(exact=True), law["med"].std()) == (m, 0, 0.0)


def test_quartiles_in_the_lowest_bin():
    """Three values of the ARD below 1/2048, with weights 1, 1 and 2: they are the quartiles."""
    n, half = 500, comb(500, 2) // 2
    matrices = Tables(n, 2, 2)
    signatures = np.array([[1, half, half, half - k] for k in (1, 2, 3)]), np.array([1, 1, 2])
    enumeration = Enumeration(matrices, "tables", Limits())
    first_run = sums.Sums(matrices, enumeration.moduli)
    first_run.add([signatures])
    laws = sums.LawsGivenMed(SimpleNamespace(matrices=matrices, found=first_run))
    laws.__dict__["_found"] = signatures
    ard = laws.line("ard", 1)
    assert first_run.bins[1, 0] == 4
    assert ard.at([1, 2, 3, 4]) == [Fraction(2 * k, half) for k in (1, 2, 3, 3)]


@pytest.mark.parametrize("matrices", [Tables(200, 2, 2), Tables(100, 1, 3), Tables(2000, 1, 2)], ids=repr)
def test_few_tables_of_many_points(matrices):
    rows = list(joint_distribution(matrices, "med", "rd", "ard").groupby("med"))
    assert [each.total for _, each in rows] == [
        count for count in med_counts(matrices.n, matrices.r, matrices.s) if count
    ]
    for value_of_med, each in rows[:: len(rows) // 5]:
        for name, index in (("rd", rand_distance), ("ard", adjusted_rand_distance)):
            law = each[name]
            for matrix, value in ((law.argmin(), law.min()), (law.argmax(), law.max())):
                assert matrix in matrices
                assert (med(matrix, exact=True), index(matrix, exact=True)) == (value_of_med, value)


def test_large_n_goes_through_the_cells():
    """r = s = 2, n = 200: one RD at each MED; P(MED = 1/2) = C(n, n/2)/2^n under independent uniform labels."""
    n = 200
    law = joint_distribution(Tables(n, 2, 2, allow_empty=True), "med", "rd", weight="labelings")
    rows = list(law.groupby("med"))
    assert law.total == 4**n
    assert Fraction(rows[-1][1].total, law.total) == Fraction(comb(n, n // 2), 2**n)
    assert all(each["rd"].min() == each["rd"].max() for _, each in rows)


@pytest.mark.parametrize(
    "matrices", [Tables(12, 3, 3), Tables(11, 4, 2, allow_empty=True), Tables(9, 3, 4), Tables(2, 3, 3)]
)
@pytest.mark.parametrize(("name", "method"), [("med", "generating function"), ("rd", "recursion")])
def test_one_law_without_enumeration_is_the_enumerated_one(matrices, name, method):
    """MED by its generating function, RD by its recursion."""
    assert plan(joint_distribution, matrices, name).method == method
    enumerated = defaultdict(int)
    for (value, _), weight in list(joint_distribution(matrices, name, "ard")):
        enumerated[(value,)] += weight
    assert dict(list(joint_distribution(matrices, name))) == enumerated


def test_med_alone_at_many_points():
    law = joint_distribution(Tables(10**5, 3, 3), "med")
    assert sum(weight for _, weight in list(law)) == Tables(10**5, 3, 3).count()
    assert list(law)[-1][0][0] == max_med(10**5, 3, 3)


@pytest.mark.parametrize(
    "matrices",
    [
        Tables(9, 4, 4),
        Tables(7, 5, 3),
        Tables(6, 2, 4, allow_empty=True),
        Tables(5, 7, 7),
        Tables(0, 4, 4, allow_empty=True),
    ],
    ids=repr,
)
@pytest.mark.parametrize("names", [("med", "rd"), ("nrd", "nmed", "mirkin"), ("med",)], ids=str)
def test_sums_and_sufficient_statistics_of_a_pass_agree(matrices, names, fold):
    kept = list(joint_distribution(matrices, *names))
    fold()
    assert kept == list(joint_distribution(matrices, *names))


def test_a_law_of_med_and_rd_tells_its_progress_and_keeps_finished_parts(tmp_path):
    seen = []
    law = list(joint_distribution(Tables(14, 4, 4), "med", "rd", limits=Limits(progress=seen.append)))
    assert {at.stage for at in seen} == {"enumerating"}
    assert seen[-1].fraction == 1
    kept = list(joint_distribution(Tables(14, 4, 4), "med", "rd", limits=Limits(checkpoint=tmp_path)))
    assert kept == law
    assert list(tmp_path.iterdir())


def test_few_values_of_many_signatures_are_listed(monkeypatch):
    """Of MED and RD there are few values, however many signatures a class has."""
    expected = list(joint_distribution(Tables(10, 3, 3), "med", "rd"))
    monkeypatch.setattr("confmat.distributions.held.MOST_POINTS_LISTED", 200)
    monkeypatch.setattr("confmat.distributions.signed._MOST_SORTED", 200)
    monkeypatch.setattr("confmat.distributions.univariate.SIGNATURES_READ_AT_ONCE", 200)
    law = joint_distribution(Tables(10, 3, 3), "med", "rd")
    assert list(law) == expected
    assert law._arrays().weights.tolist() == [weight for _, weight in expected]
    assert law["rd"].values.tolist() == sorted({rd for (_, rd), _ in expected})
    assert sum(law["rd"].probabilities) == 1
    assert law.given("ard>1")["rd"].max() == max(rd for (_, rd), _ in list(law.given("ard>1")))
    many = joint_distribution(Tables(10, 3, 3), "ard")
    with pytest.raises(TooLargeError, match="with up to"):
        _ = list(many)
    with pytest.raises(TooLargeError, match="exceeds the limit of"):
        _ = many["ard"].values
