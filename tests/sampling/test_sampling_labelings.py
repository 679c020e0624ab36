"""Draws in proportion to pairs of labelings against exact distributions (chi-square, fixed seeds)."""

import numpy as np
import pytest
from brute import labelings
from goodness import p_value, weighted
from late import stats

import confmat as cm
from confmat import Limits, plan
from confmat.classes import FixedColumns, FixedMargins, FixedRows, Tables
from confmat.errors import UnsupportedError
from confmat.sampling import sample, stream

AUDIT = [
    Tables(4, 2, 3, allow_empty=True),
    Tables(5, 3, 2, allow_empty=True),
    Tables(3, 3, 3, allow_empty=True),
    Tables(6, 1, 4, allow_empty=True),
    FixedMargins([3, 2, 1], [4, 2]),
    FixedMargins([2, 2, 2], [3, 1, 2]),
    FixedMargins([2, 0, 3], [1, 4]),
    FixedMargins([4, 3, 2], [3, 3, 3]),
]


@pytest.mark.parametrize("matrices", AUDIT, ids=repr)
def test_draws_have_their_weights(matrices):
    law = weighted(matrices, labelings)
    size = max(40_000, int(6 / min(law.values())))
    draws = np.asarray(sample(matrices, size, rng=5, weight="labelings"))
    assert p_value(law, draws) > 0.01 / len(AUDIT)


def test_the_audit_tells_weights_apart():
    draws = np.asarray(sample(AUDIT[0], 40_000, rng=5, weight="labelings"))
    assert p_value(weighted(AUDIT[0], lambda table: 1), draws) < 1e-6


@pytest.mark.parametrize("matrices", [Tables(12, 3, 3, allow_empty=True), FixedMargins([5, 4, 3], [5, 4, 3])])
def test_statistics_of_draws_have_their_exact_distribution(matrices):
    exact = cm.joint_distribution(matrices, "med", "rd", weight="labelings")
    drawn = stream(matrices, 50_000, rng=3, weight="labelings").distribution("med", "rd")
    assert (drawn._exact, drawn.sample_size, drawn.total, drawn.weight) == (
        False,
        50_000,
        50_000,
        "labelings",
    )
    for name in drawn.names:
        truth, found = exact[name], drawn[name]
        assert abs(truth.mean() - found.mean()) < 4.5 * found.standard_error()
        counts = dict(found)
        chances = [(counts.pop(x, 0), 50_000 * weight / exact.total) for x, weight in truth]
        assert not counts  # no value that is impossible
        common = [(seen, expected) for seen, expected in chances if expected >= 5]
        rare = 50_000 - np.sum(common, axis=0)
        observed, expected = np.transpose([*common, rare]) if rare[1] > 1e-6 else np.transpose(common)
        assert stats.chisquare(observed, expected, sum_check=False).pvalue > 1e-3


def test_one_table_and_no_objects():
    for matrices in (FixedMargins([4], [4]), FixedMargins([0], [0]), Tables(0, 2, 2, allow_empty=True)):
        assert (
            np.asarray(sample(matrices, 3, rng=1, weight="labelings")).tolist()
            == [np.asarray(x).tolist() for x in matrices] * 3
        )
    large = sample(FixedMargins([10**8, 5], [10**8, 5]), 2, rng=1, weight="labelings")
    assert (np.asarray(large).sum(axis=2) == [10**8, 5]).all()


def test_draws_name_their_weight():
    draws = sample(Tables(9, 2, 3, allow_empty=True), 500, rng=1, weight="labelings")
    assert (draws.weight, draws.method.name, draws.to_json()["weight"]) == ("labelings",) * 3
    assert draws.distribution("med").weight == "labelings"
    assert plan(sample, draws.matrices, 5, weight="labelings").method == "labelings"
    one, three = (
        sample(draws.matrices, 40_000, rng=1, weight="labelings", limits=Limits(threads=t)) for t in (1, 3)
    )
    assert (np.asarray(one) == np.asarray(three)).all()


@pytest.mark.parametrize(
    ("matrices", "options", "message"),
    [
        (Tables(5, 2, 2), {}, r"must be Tables\(n, r, s, allow_empty=True\) or FixedMargins"),
        (FixedRows([2, 3], 2), {}, "or FixedMargins .*, got FixedRows"),
        (FixedColumns([2, 3], 2), {}, "or FixedMargins .*, got FixedColumns"),
        (FixedMargins([10**9], [10**9]), {}, "fewer than 1000000000 objects"),
        (AUDIT[0], {"given": "med=1/4"}, 'given and method must be left out for weight="labelings"'),
        (AUDIT[0], {"method": "rejection"}, 'given and method must be left out for weight="labelings"'),
    ],
)
def test_other_weights_are_refused(matrices, options, message):
    with pytest.raises((ValueError, UnsupportedError), match=message):
        sample(matrices, 3, weight="labelings", **options)
    with pytest.raises(ValueError, match="weight must be one of tables, labelings"):
        sample(matrices, 3, weight="pairs")
