"""The soft indices against printed values."""

import json
from pathlib import Path

import numpy as np
import pytest
from late import sk_datasets
from soft_cases import counts

from confmat.indices import soft
from flynt2019 import partitions as _partitions
from fuzzy_clusterings import pd_of_classes

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "soft_indices.json").read_text())


def test_toy_example():
    toy = ORACLES["toy"]
    for name in ("ndc", "expected_ndc", "aci"):
        assert getattr(soft, name)(toy["U"], toy["V"]) == pytest.approx(toy[name], abs=5e-5), name


def test_crisp_example():
    case = ORACLES["crisp_example"]
    pairs = soft.huellermeier_pairs(case["U"], case["V"], exact=True)
    assert counts(pairs) == case["counts"]
    assert pairs.rand() == case["rand"]
    assert soft.aci(case["U"], case["V"], exact=True) == case["adjusted_rand"]


@pytest.mark.parametrize("case", ORACLES["tables"], ids=lambda case: case["source"])
def test_printed_tables(case):
    pairs = soft.table_pairs(case["table"])
    for name in {"rand", "adjusted_rand"} & case.keys():
        assert getattr(pairs, name)() == pytest.approx(case[name], abs=5e-4)


def test_iris_against_itself():
    X, y = sk_datasets.load_iris(return_X_y=True)
    U = pd_of_classes(X, y)
    values = soft.all_indices(U, U)
    for name, value in ORACLES["iris_against_itself"].items():
        if name != "source":
            assert values[name] == pytest.approx(value, abs=5e-5), name


@pytest.mark.parametrize("case", ORACLES["diabetes"]["sari"], ids=lambda case: f"{case[0]}, {case[1]}")
def test_diabetes(case):
    first, second, value = case
    partitions = _partitions()
    assert soft.sari(partitions[first], partitions[second]) == pytest.approx(value, abs=5e-7)


def test_equation_3_of_flynt_is_a_misprint():
    """Read literally (a sum of the margin terms), it gives 0.647 for Table 5, which prints 0.301."""
    table = np.array(ORACLES["tables"][1]["table"])
    n = table.sum()
    falling = lambda x: (x * (x - 1)).sum()  # noqa: E731
    margins = falling(table.sum(axis=0)) + falling(table.sum(axis=1))
    literal = (falling(table) - margins / (n * (n - 1))) / (margins / 2 - margins / (n * (n - 1)))
    assert literal == pytest.approx(0.647, abs=5e-4)
