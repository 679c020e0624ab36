"""Sixty sparse tables: the exact test against recorded fractions, and what R 4.2.2 makes of them."""

import csv
import doctest
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from confmat.significance import exact_test

PAGE = Path(__file__).parents[2] / "notebooks" / "pages" / "exact_tests.md"
RECORDED = list(csv.DictReader((Path(__file__).parents[1] / "sixty_tables.csv").open(encoding="utf-8")))
SIZES = [
    (20, 3, 30),
    (20, 3, 50),
    (15, 3, 40),
    (12, 4, 40),
    (10, 4, 40),
    (8, 5, 40),
    (8, 8, 30),
    (8, 8, 40),
    (7, 7, 40),
    (10, 10, 30),
    (6, 6, 50),
    (20, 2, 60),
    (30, 2, 60),
    (12, 3, 60),
    (10, 4, 60),
]
WRONG_IN_R = {2, 4, 8, 10, 17, 23, 25, 30, 32, 34, 37, 38, 40, 47, 49, 53, 54, 55, 60}


def sixty_tables():
    """As the page says."""
    rng = np.random.default_rng(3)
    for r, s, n in SIZES * 4:
        table = np.zeros((r, s), int)
        np.add.at(table, (rng.integers(0, r, n), rng.integers(0, s, n)), 1)
        yield table[table.any(1)][:, table.any(0)]


TABLES = list(sixty_tables())


def apart(x, y):
    return abs(float(x) / float(y) - 1)


def test_doubles_are_within_their_bound_of_the_fractions():
    assert len(RECORDED) == len(TABLES) == 60
    for table, record in zip(TABLES, RECORDED):
        assert (*table.shape, table.sum()) == tuple(int(record[x]) for x in ("rows", "columns", "objects"))
        found, exact = exact_test(table), Fraction(record["exact"])
        assert abs(Fraction(found.pvalue) / exact - 1) <= Fraction(found.error) < Fraction(1, 10**10)


@pytest.mark.slow
def test_fractions():
    for table, record in zip(TABLES, RECORDED):
        assert exact_test(table, exact=True).pvalue == Fraction(record["exact"])


def test_p_values_of_other_packages():
    """R is wrong in nineteen, SciPy's simulation and fexact in none; the page lists the nineteen."""
    wrong = set()
    for record in RECORDED:
        exact = float(Fraction(record["exact"]))
        if apart(record["r_4_2_2"], exact) > 1e-6:
            wrong.add(int(record["table"]))
            assert float(record["r_4_2_2"]) < exact
        assert apart(record["fexact_0_2_0"], exact) < 1e-6
        assert abs(float(record["scipy_1_17_1"]) - exact) < 4 * (exact * (1 - exact) / 9999) ** 0.5
    assert wrong == WRONG_IN_R
    lines = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines()]
    listed = {int(line[0].strip("| ")): line for line in lines if line[0].strip("| ").isdecimal()}
    assert set(listed) == wrong
    for number, line in listed.items():
        record = RECORDED[number - 1]
        exact = float(Fraction(record["exact"]))
        assert line[1:5] == [
            f"{record['rows']} x {record['columns']}",
            record["objects"],
            f"{exact:.8f}",
            f"{float(record['r_4_2_2']):.8f}",
        ]


def test_the_page_runs():
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_r_prints_the_recorded_values():
    lines = []
    for table in TABLES:
        cells = ",".join(map(str, table.ravel().tolist()))
        matrix = f"matrix(c({cells}), nrow = {len(table)}, byrow = TRUE)"
        lines.append(f'cat(format(fisher.test({matrix}, workspace = 2e7)$p.value, digits = 17), "\\n")')
    version = 'cat(paste(R.version$major, R.version$minor, sep = "."), "\\n")'
    script = "\n".join([version, *lines])
    printed = subprocess.run(["Rscript", "-"], input=script, capture_output=True, text=True, check=True)
    found_version, *values = printed.stdout.split()
    if found_version != "4.2.2":
        pytest.skip(f"recorded with R 4.2.2, this is {found_version}")
    for value, record in zip(values, RECORDED, strict=True):
        assert apart(value, record["r_4_2_2"]) < 1e-12
