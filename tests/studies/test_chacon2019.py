"""Chacon (2019): the printed facts come out, and the laws behind the figures are what they say."""

from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from confmat.classes import Tables, random_model
from confmat.indices import extremes, partition
from confmat.indices.classification import cor
from confmat.laws import joint
from confmat.studies import chacon2019 as study
from confmat.studies.chacon2019_laws import LARGE, enumerated, large_class, overlap_law, recorded
from confmat.studies.chacon2019_null import chance_of_largest_med, draws, med_law, null_case

ITEMS = {item.id: item for item in study.ITEMS}

# Half a unit of the last printed digit.
TOLERANCES = {"table-1": 5e-8, "table-2": 5e-8, "figure-2": 5e-4, "figure-5": 5e-6, "outlier": 5e-6}
TOLERANCES |= {"section-3.3": 5e-5}
DRAWN = {"figure-3", "figure-4"}
OF_COUNTS = {"audit"}  # of matrices: nothing to draw, no doubles


def test_items_cover_the_paper():
    wanted = {f"table-{k}" for k in (1, 2, 3)} | {f"figure-{k}" for k in range(1, 9)}
    assert wanted | {"section-3.3", "section-3.4", "section-4.2", "outlier"} == set(ITEMS) - OF_COUNTS
    assert all(item.draw is not None for item in study.ITEMS if item.id not in OF_COUNTS)


@pytest.mark.parametrize("name", sorted(set(ITEMS) - DRAWN - OF_COUNTS - {"section-3.4", "figure-8"}))
def test_printed_values(name):
    frame = ITEMS[name].table()
    printed = frame[frame["printed"].notna()]
    assert set(printed.index) == set(ITEMS[name].printed)
    assert (printed["ours"] - printed["printed"]).abs().max() <= TOLERANCES.get(name, 1e-15) or printed.empty


@pytest.mark.parametrize("name", sorted(set(ITEMS) - DRAWN - OF_COUNTS))
def test_figures_are_drawn_and_exact_values_are_those_in_doubles(name):
    assert isinstance(ITEMS[name].draw(), Figure)
    frame = ITEMS[name].compute()
    exact = frame[frame["exact"] != ""]
    assert [float(Fraction(x)) for x in exact["exact"]] == exact["ours"].tolist()


def test_value_8_is_the_largest_rd_but_for_the_known_exception():
    frame = ITEMS["section-3.4"].table()
    difference = frame["difference"].dropna()
    assert difference.pop(("largest RD", "(4, 3, 3)")) == pytest.approx(1 / 3 - 5 / 6)
    assert (difference == 0).all()
    tables = [partition.rand_distance(matrix) for matrix in Tables(4, 3, 3)]
    assert frame["ours"]["largest RD", "(4, 3, 3)"] == max(tables)


def test_figure_1_against_all_tables():
    frame = study.figure_1()["exact"].map(Fraction)
    for d in (0, 1, 8, 12):
        ards = {
            partition.adjusted_rand_distance(x, exact=True)
            for x in Tables(20, 2, 2)
            if x[0, 0] + x[1, 1] == d
        }
        assert frame[f"d = {d}"][["least ARD", "largest ARD"]].tolist() == [min(ards), max(ards)]


@pytest.mark.parametrize("figure", ["figure-3", "figure-4"])
def test_null_case_against_what_is_printed(figure):
    """But for two upper ends, rounded down: 4.26 and 4.23."""
    frame = ITEMS[figure].table()
    printed = frame[frame["printed"].notna()]
    assert set(printed.index) == set(ITEMS[figure].printed)
    digits = {"largest MED": 0.01}
    off = {
        key: row["ours"]
        for key, row in printed.iterrows()
        if abs(row["difference"]) > digits.get(key[1], 0.05)
    }
    upper = ("all", "most sd MED / sd RD"), ("all", "most sd MED / sd ARD")
    assert set(off) <= set(upper)
    assert all(4.2 < x < 4.3 for x in off.values())
    means = frame["ours"].unstack()["mean ARD"].drop("all").to_numpy()
    assert means == pytest.approx(1, abs=1e-3)
    formula = frame["formula"].dropna()
    assert frame["ours"][formula.index].to_numpy() == pytest.approx(formula.to_numpy(), rel=1e-12)
    assert (frame["method"] == "sampled").sum() == 3 + 2 * 2  # ARD from k = 3 on, MED and NMED from 4 on


@pytest.mark.parametrize(("n", "k"), [(6, 3), (5, 3), (7, 2), (4, 4), (4, 2)])
def test_exact_parts_of_the_null_case_against_enumeration(n, k):
    law = joint(random_model("labels", n, k, k), "med", "rd")
    largest = extremes.max_med(n, k, k, empty=True)
    if k < 4:
        found = med_law(n, k)
        weights = {Fraction(m, n): Fraction(w, k ** (2 * n)) for m, w in found.items()}
        assert weights == {m: law.probability(f"med={m}") for m in weights}
        assert sum(weights.values()) == 1
    if n % k == 0:
        assert chance_of_largest_med(n, k) == pytest.approx(
            float(law.probability(f"med={largest}")), rel=1e-12
        )
    else:
        with pytest.raises(ValueError, match=f"k must divide n, got n = {n}, k = {k}"):
            chance_of_largest_med(n, k)
    q = Fraction(2 * (k - 1), k**2)
    assert law["rd"].mean == q
    assert law["rd"].var == q * (1 - q) / comb(n, 2)


def test_null_case_drawn_anew():
    first, again, other = (null_case(20, draws(20, 200, seed)) for seed in (1, 1, 2))
    assert first.equals(again)
    exact = first["method"] == "exact"
    assert first[exact].equals(other[exact])
    assert not first.equals(other)
    means = first["ours"].unstack().drop("all")
    assert means["mean ARD"].to_numpy() == pytest.approx(1, abs=0.1)
    assert means["P(largest MED)"].notna().all()  # 3 does not divide 20, but its law is exact
    with pytest.raises(ValueError, match="replications must be at least 100, got 99"):
        draws(20, 99, 1)


def test_matrices_that_diverge():
    first, second, third = (np.array(matrix) for matrix in study.DIVERGING.values())
    assert (first.sum(axis=1) == second.sum(axis=1)).all()
    assert (first.sum(axis=1) == third.sum(axis=1)).all()
    off = ~np.eye(3, dtype=bool)
    assert (third - second)[off].min() >= 0  # five more objects leave the diagonal
    assert [(1 - cor(matrix, exact=True)) * 20 for matrix in (first, second, third)] == [0, 13, 18]
    assert partition.med(third) < partition.med(second)


def test_overlap_law_against_labels():
    """Every labeling of four objects in clusters of 2, 1, 1, one by one."""
    truth = (0, 0, 1, 2)
    expected = {}
    for labels in np.ndindex(3, 3, 3, 3):
        table = np.zeros((3, 3), int)
        np.add.at(table, (truth, labels), 1)
        moved = 4 - int(np.trace(table))
        med = 4 - max(sum(table[i, p[i]] for i in range(3)) for p in permutations(range(3)))
        law = expected.setdefault(moved, {})
        law[med] = law.get(med, 0) + 1
    assert overlap_law((2, 1, 1)) == expected


def test_recorded_law_is_the_default():
    law = large_class()
    assert law == recorded()
    assert law.total == LARGE.count()
    assert len(law.counts) == len(law.mean_rd) == len(law.mean_ard) == 38
    frame = study.figure_8()
    assert frame["ours"]["all", "rejection rate"] == pytest.approx(0.01597, abs=5e-6)
    assert frame["ours"]["all", "matrices"] == pytest.approx(2.04e14, rel=1e-3)


def test_frames_have_one_row_a_key():
    frame = study.figure_7()
    assert isinstance(frame.index, pd.MultiIndex)
    assert frame.index.is_unique
    counts = frame["ours"].unstack()["matrices"]
    assert counts.drop("all").sum() == counts["all"]


def test_enumeration_at_a_small_size(capsys):
    law = enumerated(Tables(9, 3, 3), progress=True)
    frame = joint(Tables(9, 3, 3), "med", "rd", "ard").given_each("med").to_frame()
    assert list(law.counts) == frame["total"].tolist()
    assert list(map(float, law.mean_rd)) == frame["rd_mean"].tolist()
    assert list(law.mean_ard) == frame["ard_mean"].tolist()
    assert law.total == Tables(9, 3, 3).count()
    assert not capsys.readouterr().out


@pytest.mark.slow
def test_recomputed_law_is_the_recorded_one():
    """All 2 * 10^14 matrices: minutes."""
    assert large_class(recompute=True) == recorded()
