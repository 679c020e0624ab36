"""Printed rows against every matrix that they may be of, and means over runs against every sum of errors."""

from fractions import Fraction

import numpy as np
import pytest

from confmat.auditing import Report
from confmat.studies.audited import CHACON, FLYNT, SANTOS, audited
from confmat.studies.santos2009_ranges import two_class_ari


def two_class_matrices(report):
    """(u, v), objects of the first and the second class that are wrong, of all matrices with the printed scores."""
    a, b = report.rows
    windows = dict(zip(report.scores, report.question.windows))

    def fits(name, value):
        low, high, has_low, has_high = windows.get(name, (-2, 2, True, True))
        return (low < value < high) or (value == low and has_low) or (value == high and has_high)

    u, v = np.divmod(np.arange((a + 1) * (b + 1)), b + 1)
    acc = windows.get("acc", (0, 1))
    near = abs(1 - (u + v) / (a + b) - float(acc[0] + acc[1]) / 2) <= float(acc[1] - acc[0])
    return [
        (x, y)
        for x, y in zip(u[near].tolist(), v[near].tolist())
        if fits("acc", 1 - Fraction(x + y, a + b))
        and fits("bacc", 1 - Fraction(x * b + y * a, 2 * a * b))
        and ("ari" not in windows or fits("ari", two_class_ari(a, b, x, y)))
    ]


@pytest.mark.parametrize("name", ["Table 2, apart"])
def test_two_classes_are_counted(name):
    assert audited({name: FLYNT[name]}).loc[name, "ours"] == len(two_class_matrices(FLYNT[name])) > 0


@pytest.mark.parametrize("name", ["Sonar, MLP", "Check2x2(200,50), SVM"])
def test_rows_of_two_classes_are_of_no_matrix_and_means_are_sums(name):
    report = SANTOS[name]
    found = audited({name: report}, runs=20).loc[name]
    assert found["ours"] == len(two_class_matrices(report)) == 0
    summed = Report.of([20 * x for x in report.rows], acc=report.scores["acc"], bacc=report.scores["bacc"])
    assert found["means"] == ("yes" if two_class_matrices(summed) else "no")


def test_printed_matrices_have_what_is_printed_of_them():
    found = audited(CHACON)
    assert found["ours"].to_list() == [
        6,
        1,
        1,
        9,
    ]  # the outlier: [[16, 1, 1], [1, 0, 0], [1, 0, 0]], in nine orders
    assert set(found["possible"]) == {"yes"}


@pytest.mark.slow
def test_every_row_is_audited():
    assert set(audited(FLYNT)["possible"]) == {"yes"}
    table = audited(SANTOS, runs=20)
    assert len(table) == 29
    assert set(table["possible"]) == {"no"}
    equal = [name for name in table.index if len({*SANTOS[name].rows}) == 1]
    assert equal == [name for name, said in table["means"].items() if said == "no"]  # COR is BCR there
    assert set(table["means"]) == {"yes", "no"}
