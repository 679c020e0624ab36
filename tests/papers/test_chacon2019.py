"""Chacon (2019): the laws behind its figures against labelings one by one, enumeration, and other readings."""

import shutil
import subprocess
from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np
import pytest

import chacon2019 as study
import confmat as cm
from confmat.indices.extremes import max_med


@pytest.mark.parametrize(("n", "k"), [(2, 2), (6, 2), (7, 2), (4, 3), (6, 3), (7, 3), (4, 4), (5, 4)])
def test_random_labels_against_the_exact_law(n, k):
    law = cm.joint_distribution(cm.Tables(n, k, k, allow_empty=True), "med", "rd", weight="labelings")
    if k < 4:
        found = study.null_med_law(n, k)
        weights = {Fraction(m, n): Fraction(w, k ** (2 * n)) for m, w in found.items()}
        assert weights == {m: law.probability(f"med={m}") for m in weights}
        assert sum(weights.values()) == 1
    if n % k == 0:
        largest = law.probability(f"med={max_med(n, k, k, allow_empty=True)}")
        assert study.chance_of_largest_med(n, k) == pytest.approx(float(largest), rel=1e-12)
    else:
        with pytest.raises(ValueError, match=f"k must divide n, got n = {n}, k = {k}"):
            study.chance_of_largest_med(n, k)
    q = Fraction(2 * (k - 1), k**2)
    assert (law["rd"].mean(exact=True), law["rd"].var(exact=True)) == (q, q * (1 - q) / comb(n, 2))


def test_rd_of_unequal_numbers_of_labels():
    law = cm.joint_distribution(cm.Tables(6, 2, 3, allow_empty=True), "rd", weight="labelings")["rd"]
    ours = study.null_unequal(6, [(2, 3)], draws=200)
    assert ours["r = 2, s = 3", "mean RD"] == law.mean(exact=True)
    assert ours["r = 2, s = 3", "sd RD"] == pytest.approx(law.std())


def test_overlap_against_labels():
    """Every labeling of four objects in clusters of 2, 1, 1, one by one."""
    truth = (0, 0, 1, 2)
    expected = {}
    for labels in np.ndindex(3, 3, 3, 3):
        table = np.zeros((3, 3), int)
        np.add.at(table, (truth, labels), 1)
        med = 4 - max(int(sum(table[i, p[i]] for i in range(3))) for p in permutations(range(3)))
        expected.setdefault(Fraction(int(np.trace(table)), 4), []).append(Fraction(med, 4))
    rows = study.overlap_law((2, 1, 1)).groupby("cor")
    assert {overlap: each["med"].mean(exact=True) for overlap, each in rows} == {
        x: sum(m) / len(m) for x, m in expected.items()
    }


def test_two_by_two_by_the_differences_of_sizes():
    for n in (5, 8, 13):
        for d in range(1, n):
            for (a, b), (c, e) in study.tables_2x2(n, d):
                u, w = a + b - c - e, a + c - b - e
                value = cm.ard([[a, b], [c, e]], exact=True)
                assert study.ard_from_differences(n, d, u, w) == value


def test_the_line_by_line_r_function_is_ours():
    ours = study.appendix_a()
    assert {x for (_, name), x in ours.items() if name == "tables where they differ"} == {0}
    assert min(x for (_, name), x in ours.items() if name == "tables") > 10


def has_clue():
    """Whether R and its package clue, of which solve_LSAP is, are here."""
    if shutil.which("Rscript") is None:
        return False
    asked = 'quit(status = !requireNamespace("clue", quietly = TRUE))'
    return subprocess.run(["Rscript", "-e", asked], capture_output=True).returncode == 0


@pytest.mark.skipif(not has_clue(), reason="needs R with the package clue")
def test_the_printed_r_function_itself_is_ours():
    """Run in R as it is printed, on labels of every table of four classes."""
    tables = [table for size in ((5, 2, 2), (6, 2, 3), (6, 3, 2), (5, 3, 4)) for table in cm.Tables(*size)]
    lines = ["library(clue)", study.R_FUNCTION]
    for table in tables:
        labels = np.repeat(np.indices(table.shape).reshape(2, -1), table.ravel(), axis=1)
        sides = [",".join(map(str, side)) for side in labels.tolist()]
        lines.append('cat(format(med(c({}), c({})), digits = 17), "\\n")'.format(*sides))
    ran = subprocess.run(["Rscript", "-"], input="\n".join(lines), capture_output=True, text=True, check=True)
    printed = list(map(float, ran.stdout.split()))
    assert len(printed) == len(tables) > 500
    assert printed == pytest.approx([float(cm.med(table)) for table in tables], abs=1e-15)


@pytest.mark.slow
def test_recomputed_law_is_the_recorded_one():
    """All 2 * 10^14 matrices: minutes."""
    law, record = cm.joint_distribution(cm.Tables(50, 4, 4), "med", "rd", "ard"), study.large_record()
    rows = [each for _, each in law.groupby("med")]
    assert [each.total for each in rows] == record["med_counts"]
    means = [each["rd"].mean(exact=True) for each in rows]
    assert means == list(map(Fraction, record["conditional_mean_rd"]))
    assert law._digest_of_sums == record["digest"]
