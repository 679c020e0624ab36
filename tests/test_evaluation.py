"""Ways to the values over a class: arrays, files, laws without enumeration, sizes that are refused."""

from collections import defaultdict
from fractions import Fraction
from math import comb

import pytest

from confmat.classes import FixedMargins, Tables
from confmat.engine.run import Resources
from confmat.evaluation import exact_columns
from confmat.indices.extremes import max_med
from confmat.laws import joint
from confmat.statistics import has_med_law, has_rd_law, streams


@pytest.mark.parametrize(
    "names", [("med",), ("rd",), ("ard",), ("med", "ard"), ("rd", "ard"), ("med", "rd", "ard")]
)
@pytest.mark.parametrize(
    "matrices", [Tables(9, 3, 3), Tables(2, 3, 3), Tables(1, 1, 1), FixedMargins((4, 3), (5, 2))]
)
def test_arrays_hold_the_support(names, matrices):
    exact = exact_columns(matrices, names, "tables", Resources())
    values = [[Fraction(int(p), int(q)) for p, q in zip(*exact.columns[name])] for name in names]
    assert list(zip(zip(*values), exact.weights.tolist())) == joint(matrices, *names).support


def test_too_large_a_support_is_refused_before_work():
    with pytest.raises(ValueError, match=r"Tables\(n=50, r=4, s=4.* has up to 3480849636 points"):
        joint(Tables(50, 4, 4), "med", "rd", "ard").to_csv("never.csv")
    with pytest.raises(ValueError, match="given"):
        _ = joint(Tables(50, 4, 4), "ari").support


@pytest.mark.slow
def test_large_n_goes_through_the_support():
    """r = s = 2, n = 400: one RD at each MED; P(MED = 1/2) = C(n, n/2)/2^n under independent uniform labels."""
    n = 400
    law = joint(Tables(n, 2, 2, empty=True), "med", "rd", weight="labelings")
    assert not streams(law.matrices, "labelings")
    rows = law.given("med").rows
    assert law.total == 4**n
    assert rows[-1].probability == Fraction(comb(n, n // 2), 2**n)
    assert all(row.laws["rd"].min == row.laws["rd"].max for row in rows)


@pytest.mark.parametrize(
    "matrices", [Tables(12, 3, 3), Tables(11, 4, 2, empty=True), Tables(9, 3, 4), Tables(2, 3, 3)]
)
@pytest.mark.parametrize(("name", "is_known"), [("med", has_med_law), ("rd", has_rd_law)])
def test_one_law_without_enumeration_is_the_enumerated_one(matrices, name, is_known):
    """MED by its generating function, RD by its recursion."""
    assert is_known(matrices)
    enumerated = defaultdict(int)
    for (value, _), weight in joint(matrices, name, "ard").support:
        enumerated[(value,)] += weight
    assert dict(joint(matrices, name).support) == enumerated


def test_med_alone_at_a_million_points():
    law = joint(Tables(10**6, 3, 3), "med")
    assert sum(weight for _, weight in law.support) == Tables(10**6, 3, 3).count()
    assert law.support[-1][0][0] == max_med(10**6, 3, 3)
