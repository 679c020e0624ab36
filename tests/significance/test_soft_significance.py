"""P-values of soft indices: all orders of few objects, one after another; draws of many; labels as their own index."""

from fractions import Fraction as F
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indices.soft_cases import rows

import confmat as cm
from confmat.errors import TooLargeError, UndefinedIndexError
from confmat.indices import soft


@st.composite
def pairs(draw):
    n = draw(st.integers(2, 5))
    return [draw(st.lists(rows(2, 3), min_size=n, max_size=n)) for _ in range(2)]


@pytest.mark.parametrize("name", ["sari", "ndc", "aci", "fari", "campello_rand", "anderson_jaccard"])
@settings(max_examples=15)
@given(UV=pairs(), alternative=st.sampled_from(["greater", "less", "two-sided"]))
def test_pvalue_is_the_share_of_all_orders(name, UV, alternative):
    U, V = UV

    def value(order):
        relabelled = [V[i] for i in order]
        if name == "anderson_jaccard":
            return soft.anderson_pairs(U, relabelled, exact=True).jaccard("nan")
        if name == "fari":
            return soft.fari(U, relabelled)
        options = {} if name in ("ndc", "aci") else {"undefined": "nan"}
        return getattr(soft, name)(U, relabelled, exact=True, **options)

    values = [value(order) for order in permutations(range(len(V)))]
    if values[0] != values[0]:
        with pytest.raises(UndefinedIndexError):
            cm.permutation_test(U, V, statistic=name)
        return
    shares = {
        "greater": F(sum(x >= values[0] for x in values), len(values)),
        "less": F(sum(x <= values[0] for x in values), len(values)),
    }
    shares["two-sided"] = min(F(1), 2 * min(shares.values()))
    found = cm.permutation_test(U, V, statistic=name, alternative=alternative)
    assert found.pvalue == shares[alternative]
    assert isinstance(found.pvalue, F)


def test_eight_objects_have_the_share_of_all_orders():
    rng = np.random.default_rng(8)
    U, V = rng.dirichlet([1, 1], 8), rng.dirichlet([1, 1, 1], 8)
    together = [abs(side[:, None] - side).sum(axis=2) / 2 for side in (U, V)]
    orders = np.array(list(permutations(range(8))))
    distances = abs(together[0] - together[1][orders[:, :, None], orders[:, None]]).sum(axis=(1, 2))
    found = cm.permutation_test(U, V, statistic="ndc")
    assert found.draws is None
    assert found.pvalue == F(int((distances <= distances[0] + 1e-11).sum()), 40320)


def test_draws_have_an_interval_that_holds_the_exact_value(monkeypatch):
    rng = np.random.default_rng(9)
    U, V = rng.dirichlet([1, 1], 9), rng.dirichlet([1, 1, 1], 9)
    V[0] = V[1] = V[2]
    assert cm.permutation_test(U, V, statistic="sari").draws is not None  # 9!/3! orders are too many
    U[3:6] = U[3]
    exact = cm.permutation_test(U, V, statistic="sari")
    assert exact.draws is None
    monkeypatch.setattr("confmat.indices.soft.relabelings.MOST_ORDERS", 1)
    drawn = cm.permutation_test(U, V, statistic="sari", draws=2000, rng=1)
    assert (drawn.method, drawn.draws) == ("Monte Carlo", 2000)
    assert drawn.interval[0] <= exact.pvalue <= drawn.interval[1]
    assert drawn.interval[1] - drawn.interval[0] < 0.1
    with pytest.raises(TooLargeError, match="exact=True is limited to 8 objects"):
        cm.permutation_test(
            rng.dirichlet([1, 1], 20), rng.dirichlet([1, 1], 20), statistic="sari", exact=True
        )


@pytest.mark.parametrize(("name", "hard"), [("sari", "ari"), ("ndc", "ri"), ("campello_jaccard", "jaccard")])
def test_labels_have_the_test_of_the_index_that_it_is(name, hard):
    a, b = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 2]
    found = cm.permutation_test(a, b, statistic=name)
    of_labels = cm.permutation_test(a, b, statistic=hard)
    as_rows = cm.permutation_test(np.eye(3)[a], np.eye(3)[b], statistic=name)
    assert found.name == name
    assert found.pvalue == pytest.approx(float(of_labels.pvalue))
    assert float(as_rows.pvalue) == pytest.approx(float(found.pvalue))
    assert (
        cm.permutation_test(a, b).p_ari.pvalue
        == cm.permutation_test(a, b, statistic="sari", exact=True).pvalue
    )
