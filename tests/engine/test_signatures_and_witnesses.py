"""``law.sufficient_statistics()``, ``law.example_tables()`` and ``law._arrays()`` at the door, beside the members one
by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb, factorial, prod

import numpy as np
import pytest

import confmat as cm
from confmat.classes import FixedColumns, FixedMargins, FixedRows, MatrixClass, Tables
from confmat.errors import TooLargeError
from confmat.statistics import Statistic

CLASSES = [
    Tables(6, 2, 2),
    Tables(6, 3, 3),
    Tables(5, 2, 4, allow_empty=True),
    Tables(6, 3, 2),
    Tables(5, 1, 3),
    FixedRows([2, 4, 1], 3),
    FixedColumns([1, 4, 2], 3),
    FixedMargins([2, 5], [4, 1, 2]),
    FixedMargins([1, 4, 2], [2, 1, 4]),
    Tables(2, 3, 3),
]


def signature(table: np.ndarray) -> tuple[int, ...]:
    """m, A, B and P of a table, by trying every matching."""
    rows = table.tolist() if table.shape[0] <= table.shape[1] else table.T.tolist()
    matched = max(
        sum(row[j] for row, j in zip(rows, columns))
        for columns in permutations(range(len(rows[0])), len(rows))
    )
    pairs = [sum(comb(int(x), 2) for x in part) for part in (table.sum(1), table.sum(0), table.ravel())]
    return int(table.sum()) - matched, *pairs


def weight_of(table: np.ndarray, weight: str) -> int:
    if weight == "tables":
        return 1
    return factorial(int(table.sum())) // prod(factorial(int(x)) for x in table.ravel())


def expected(
    matrices: MatrixClass, weight: str, meets=lambda table: True
) -> list[tuple[tuple[int, ...], int]]:
    law: Counter[tuple[int, ...]] = Counter()
    for table in matrices:
        if meets(table):
            law[signature(table)] += weight_of(table, weight)
    return sorted(law.items())


def listed(law: cm.JointDistribution) -> list[tuple[tuple[int, ...], int]]:
    columns = law.sufficient_statistics()
    assert list(columns) == ["m", "A", "B", "P", "weight"]
    return [(row[:4], row[4]) for row in zip(*(column.tolist() for column in columns.values()))]


@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
def test_signatures_are_those_of_the_members(matrices, weight):
    law = cm.joint_distribution(matrices, "med", "ard", weight=weight)
    found = listed(law)
    assert found == expected(matrices, weight)
    assert sum(weight for _, weight in found) == law.total


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
def test_each_signature_has_a_member_in_its_order(matrices):
    law = cm.joint_distribution(matrices, "rd")
    tables = law.example_tables()
    assert tables.shape == (len(listed(law)), *matrices.shape)
    assert tables.dtype == np.int64
    assert all(table in matrices for table in tables)
    assert [signature(table) for table in tables] == [cells for cells, _ in listed(law)]


@pytest.mark.parametrize("names", [("med",), ("med", "rd", "ard"), ("fm", "jaccard")])
def test_conditions_leave_some(names):
    law = cm.joint_distribution(Tables(7, 3, 3), *names).given("1/7 <= med, rd < 1/2")
    found = listed(law)
    assert found == expected(
        Tables(7, 3, 3),
        "tables",
        lambda x: signature(x)[0] >= 1 and sum(signature(x)[1:3]) - 2 * signature(x)[3] < 10.5,
    )
    assert [signature(table) for table in law.example_tables()] == [cells for cells, _ in found]


@pytest.mark.parametrize("names", [("med", "ard"), ("med", "rd"), ("jaccard", "ard"), ("fm", "med")])
def test_slices_share_them_out(names):
    law = cm.joint_distribution(Tables(6, 2, 3), *names)
    parts = [item for _, each in law.groupby(names[0]) for item in listed(each)]
    assert sorted(parts) == listed(law)
    for _, each in law.groupby(names[0]):
        assert sum(weight for _, weight in listed(each)) == each.total
        assert [signature(table) for table in each.example_tables()] == [cells for cells, _ in listed(each)]


def test_a_condition_that_tells_rows_from_columns():
    law = cm.joint_distribution(Tables(6, 2, 2), "med").given("wallace_ab > 1/2")
    met = [table for table in Tables(6, 2, 2) if 2 * signature(table)[3] > signature(table)[1] > 0]
    assert listed(law) == sorted(Counter(map(signature, met)).items())


def test_weights_beyond_64_bits_are_whole():
    law = cm.joint_distribution(Tables(30, 2, 2), "ard", weight="labelings")
    weights = law.sufficient_statistics()["weight"]
    assert sum(weights.tolist()) == law.total == Tables(30, 2, 2).labelings_count()
    large = cm.joint_distribution(Tables(40, 2, 3), "ard", weight="labelings")
    assert sum(large.sufficient_statistics()["weight"].tolist()) == large.total > 2**64


def test_more_points_than_codes_of_64_bits():
    matrices = FixedMargins([1500, 1], [1500, 1])
    law = cm.joint_distribution(matrices, "ard")
    assert [signature(table) for table in law.example_tables()] == [cells for cells, _ in listed(law)]
    assert len(listed(law)) == 2


def test_functions_leave_the_sufficient_statistics_as_they_are():
    largest = Statistic("largest", np.max, symmetry="transposition")
    law = cm.joint_distribution(Tables(6, 3, 3), largest, "med")
    assert listed(law) == expected(Tables(6, 3, 3), "tables")
    assert [signature(table) for table in law.example_tables()] == [cells for cells, _ in listed(law)]
    for refused in (law.given({largest: 3}), next(law.groupby("largest"))[1]):
        with pytest.raises(ValueError, match="formula in n, m, A, B and P, got conditions on largest"):
            refused.example_tables()


def test_nothing_to_list():
    law = cm.joint_distribution(Tables(5, 2, 2), "med").given("med > 1")
    assert [len(column) for column in law.sufficient_statistics().values()] == [0] * 5
    assert law.example_tables().shape == (0, 2, 2)


def test_draws():
    """Those of a statistic with a formula are signatures."""
    law = cm.sampling.stream(Tables(5, 2, 2), 100, rng=1).distribution("rd")
    assert sum(law.sufficient_statistics()["weight"].tolist()) == 100
    assert [signature(table) for table in law.example_tables()] == [cells for cells, _ in listed(law)]
    of_labelings = cm.joint_distribution(cm.FixedRows((2, 1), 2, allow_empty=False), "ri", weight="labelings")
    assert sum(of_labelings.sufficient_statistics()["weight"].tolist()) == of_labelings.total


def test_classes_too_large_for_memory_are_refused_before_work():
    law = cm.joint_distribution(Tables(100, 3, 3), "ard", limits=cm.Limits(memory=2**33))
    with pytest.raises(TooLargeError):
        law.sufficient_statistics()
    with cm.limits(seconds=1), pytest.raises(TooLargeError, match="an enumeration of"):
        cm.joint_distribution(Tables(60, 3, 3), "ard").example_tables()


@pytest.mark.parametrize("name", ["fm", "mcc", "nmi", "jaccard", "ari", "med", "kappa"])
def test_arrays_of_any_statistic(name):
    law = cm.joint_distribution(Tables(6, 2, 2), name)
    (column,), weights = law._arrays().columns.values(), law._arrays().weights
    assert [int(weight) for weight in weights] == [weight for _, weight in list(law)]
    values = [value for (value,), _ in list(law)]
    if column[0].dtype == float:
        assert name in ("fm", "mcc", "nmi")
        assert column[0].tolist() == [float(x) for x in values]
        assert column[1].tolist() == [*map(str, values)]
    else:
        assert [Fraction(p, q) if q else None for p, q in zip(*(x.tolist() for x in column))] == [
            x if x == x else None for x in values
        ]
