"""Degenerate tables: every public function answers, or says what is undefined; no arithmetic fails inside."""

import inspect
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confmat as cm
from confmat.distributions import joint_distribution
from confmat.errors import TooLargeError, UndefinedIndexError, UnsupportedError
from confmat.indices import classification, partition, soft
from confmat.sampling import sample
from confmat.significance import pair_distribution, soft_test
from confmat.statistics import STATISTICS

sizes = st.integers(0, 3)
counts = st.integers(1, 9)


@st.composite
def degenerate_tables(draw):
    """Draw a table with one member at its margins, empty rows and columns, at most one object, or all singletons."""
    core = draw(
        st.one_of(
            st.lists(counts, min_size=1, max_size=3).map(lambda row: np.array([row])),
            st.lists(counts, min_size=1, max_size=3).map(lambda column: np.array([column]).T),
            st.integers(1, 4).map(lambda n: np.eye(n, dtype=int)),
            st.sampled_from([np.zeros((1, 1), int), np.ones((1, 1), int), np.array([[1, 1], [1, 0]])]),
        )
    )
    before, after = draw(st.tuples(sizes, sizes)), draw(st.tuples(sizes, sizes))
    table = np.pad(core, list(zip(before, after)))
    if draw(st.booleans()):
        side = max(table.shape)
        table = np.pad(table, [(0, side - x) for x in table.shape])
    return table


def labels_of(table):
    """The labels of the objects that a table counts."""
    rows, cols = np.nonzero(table)
    repeats = table[rows, cols]
    return np.repeat(rows, repeats).tolist(), np.repeat(cols, repeats).tolist()


REFUSALS = ("undefined", "0/0", "must", "irrational", "needs")


def answered(function, *arguments, **options):
    """The answer, or None if the function says what is undefined or refuses its argument by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **options)
        except (UndefinedIndexError, ValueError) as error:
            refusal = error
    assert isinstance(refusal, TooLargeError | UnsupportedError) or any(
        word in str(refusal) for word in REFUSALS
    )
    return None


def shown_distribution(tables, name, weight):
    """What the distribution of a statistic prints, for which it is computed."""
    return str(joint_distribution(tables, name, weight=weight))


INDICES = {name: statistic.index for name, statistic in STATISTICS.items()}
INDICES |= {
    f.__name__: f
    for f in (
        partition.wallace_ab,
        partition.pair_counts,
        partition.expected_rand_distance,
        partition.adjusted_rand_index_null_moments,
        classification.sensitivity,
        classification.specificity,
        classification.auc3,
        classification.all_metrics,
    )
}


@pytest.mark.parametrize("name", INDICES)
@settings(max_examples=8)
@given(table=degenerate_tables())
def test_every_index(name, table):
    index = INDICES[name]
    variants = [{}]
    if "exact" in inspect.signature(index).parameters:
        variants.append({"exact": True})
    for options in variants:
        answered(index, table, **options)
        answered(index, *labels_of(table), **options)
    if name in STATISTICS:
        answered(STATISTICS[name], table)


@pytest.mark.parametrize("name", STATISTICS)
@settings(max_examples=8)
@given(table=degenerate_tables(), alternative=st.sampled_from(["greater", "less", "two-sided"]))
def test_every_exact_test(name, table, alternative):
    for exact in (False, True):
        found = answered(cm.exact_test, table, name, alternative=alternative, exact=exact)
        if found is not None:
            assert 0 < found.pvalue <= 1
            assert str(found)
            assert found.to_json()
            is_alone = min(np.count_nonzero(table.sum(axis=axis)) for axis in (0, 1)) == 1
            assert found.pvalue == 1 or not is_alone


@settings(max_examples=20)
@given(degenerate_tables())
def test_every_report_and_permutation_test(table):
    for report in (cm.compare, cm.classification_report, cm.permutation_test):
        for arguments in ((table,), labels_of(table)):
            found = answered(report, *arguments)
            if found is not None:
                assert str(found)
                assert found.to_json()
    for exact in (True, False):
        found = answered(cm.permutation_test, table, exact=exact, draws=9, rng=1)
        if found is not None:
            assert 0 < found.p_ari.pvalue <= 1
            assert 0 < found.p_med.pvalue <= 1


@settings(max_examples=20)
@given(degenerate_tables())
def test_every_answer_about_margins(table):
    rows, cols = (table.sum(axis=axis).tolist() for axis in (1, 0))
    tables = cm.FixedMargins(rows, cols)
    members = list(tables)
    assert len(members) == tables.count()
    for weight in ("tables", "labelings"):
        for name in ("med", "ari", "jaccard", "kappa"):
            answered(shown_distribution, tables, name, weight)
        drawn = answered(sample, tables, 3, rng=1, weight=weight)
        assert drawn is None or all(x.tolist() in [m.tolist() for m in members] for x in np.asarray(drawn))
    for search in (cm.maximize, cm.minimize):
        for name in ("med", "ari", "jaccard"):
            found = answered(search, tables, name)
            assert found is None or str(found)
    found = answered(pair_distribution, rows, cols)
    assert found is None or found.at_least(0) == pytest.approx(1)


@settings(max_examples=20)
@given(degenerate_tables())
def test_every_soft_index(table):
    a, b = labels_of(table)
    for name in soft.INDICES:
        answered(soft.adjusted, a, b, name)
        found = answered(soft_test, a, b, name, draws=9, rng=1)
        assert found is None or 0 < found.pvalue <= 1
    answered(soft.all_indices, a, b)
    answered(soft.null_moments, a, b)
