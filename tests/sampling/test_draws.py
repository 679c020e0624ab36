"""Draws as objects, and their empirical laws against exact ones."""

import pickle
from math import sqrt

import duckdb
import numpy as np
import pytest
from command_line import succeed

import confmat as cm
from confmat.classes import Tables
from confmat.distributions import JointDistribution, joint_distribution
from confmat.errors import UnsupportedError
from confmat.sampling import stream

SMALL = Tables(8, 3, 2)


def test_draws_are_a_sequence_of_matrices():
    draws = cm.sample(SMALL, 50, rng=1)
    array = np.asarray(draws)
    assert (len(draws), draws.shape, array.dtype) == (50, (50, 3, 2), np.int64)
    assert np.array_equal(array, stream(SMALL, 50, rng=1).array())
    assert all((x == y).all() for x, y in zip(draws, array, strict=True))
    assert (draws[-1] == array[-1]).all()
    assert (draws[3:5] == array[3:5]).all()
    assert np.asarray(draws, float).dtype == float
    copy = np.array(draws)
    copy[0] = 7
    assert (draws[0] != 7).any()
    for size in (0, 1, 50):
        some = cm.sample(SMALL, size, rng=1)
        assert len(repr(some).splitlines()) <= 5
        assert f"{size} draws from Tables(n=8, r=3, s=2, allow_empty=False), by rejection" in repr(some)
        assert some._repr_html_().count("<tr>") <= 17
    assert "given med = 1/4" in repr(cm.sample(SMALL, 5, rng=1, given="med=2/8"))


def test_the_law_of_draws_is_near_the_law():
    exact = joint_distribution(SMALL, "med", "ard", "vi")
    law = cm.sample(SMALL, 20_000, rng=2).distribution("med", "ard", "vi")
    assert isinstance(law, JointDistribution)
    assert (law._exact, law.sample_size, law._held) == (False, 20_000, True)
    assert "20000 draws" in repr(law)
    assert {x for x, _ in law} <= {x for x, _ in exact}
    for name in law.names:
        assert abs(law[name].mean() - exact[name].mean()) < 4.5 * law[name].standard_error()
        assert law[name].standard_error() == law[name].std() / sqrt(law[name].total)
    assert abs(law.probability("ard>1") - exact.probability("ard>1")) < 4.5 * law["ard"].standard_error(1)
    assert law["ard"].max() == exact["ard"].max()
    assert law["ard"].argmax() is None
    given = law.given("med<=1/4")
    assert (
        abs(given["ard"].mean() - exact.given("med<=1/4")["ard"].mean()) < 4.5 * given["ard"].standard_error()
    )
    assert sum(each.total for _, each in law.groupby("med")) == law.total
    assert law.total == 20_000
    with pytest.raises(
        ValueError,
        match="digest must be of an exact distribution, got <distribution of med, ard, vi over Tables",
    ):
        _ = law.digest


def test_the_errors_of_means_are_those_of_many_repetitions():
    """The spread of means over 200 sets of draws, against the errors that single sets state."""
    laws = [cm.sample(SMALL, 200, rng=seed).distribution("rd")["rd"] for seed in range(200)]
    spread = np.std([law.mean() for law in laws])
    stated = np.mean([law.standard_error() for law in laws])
    assert 0.85 < spread / stated < 1.15


def test_exact_laws_have_no_error():
    law = joint_distribution(SMALL, "med", "rd")
    assert (law["med"].standard_error(), law.sample_size) == (0, None)
    assert joint_distribution(SMALL, "med", "fm")._exact
    law = joint_distribution(
        SMALL,
        cm.Statistic("norm", lambda x: float((x**2).sum()) ** 0.5, symmetry="permutations", exact=False),
    )
    assert not law._exact
    assert "floating-point values of norm" in repr(law)
    with pytest.raises(ValueError, match="digest must be of an exact distribution"):
        _ = law.digest


def test_no_draws():
    law = cm.sample(SMALL, 0).distribution("med")
    assert (list(law), law.sample_size, law.total) == ([], 0, 0)
    assert np.isnan(law["med"].mean())


def test_draws_and_laws_of_texts_go_to_other_processes():
    for matrices in (SMALL, cm.FixedMargins([3, 3, 4], [4, 3, 3])):
        draws = cm.sample(matrices, 5, rng=1)
        again = pickle.loads(pickle.dumps(draws))
        assert repr(again) == repr(draws)
        assert list(again.distribution("med")) == list(draws.distribution("med"))
        with pytest.raises(UnsupportedError, match="was pickled cannot draw"):
            again.method.draw(np.random.SeedSequence(1), 1)
    law = cm.joint_distribution(cm.Tables(5, 2, 2), "ard/med")
    assert list(pickle.loads(pickle.dumps(law))) == list(law)


@pytest.mark.parametrize("suffix", [".npy", ".parquet", ".csv"])
def test_files_hold_the_same_draws(tmp_path, suffix, confmat):
    draws = np.asarray(cm.sample(SMALL, 500, rng=1))
    path = tmp_path / f"draws{suffix}"
    succeed(confmat("sample", SMALL.text(), "--size", 500, "--seed", 1, "--out", path))
    found = np.load(path) if suffix == ".npy" else duckdb.sql(f"FROM '{path}'").df().to_numpy()
    assert np.array_equal(found.reshape(draws.shape), draws)
