"""Every name that any part of the package reads means one thing, and a second meaning is refused."""

import keyword
from itertools import product

import numpy as np
import pytest

import confmat as cm
from confmat.indices import classification, partition, soft
from confmat.statistics import STATISTICS, register, unregister
from confmat.statistics.grammar import NUMBERS
from confmat.statistics.table import meaning_of

ALIASES = [name for statistic in STATISTICS.values() for name in statistic.names]
NAMES = sorted({*STATISTICS, *ALIASES, *soft.INDICES, "trace", "pairs", "exists"})
NUMBERED = [f"{name}_{ending}" for name, ending in product(("med", "ard", "acc"), NUMBERS)]
TABLE = np.array([[3, 1], [1, 3]])
LABELS = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]


def doors():
    """What takes a name, each as a function of the name."""
    yield lambda name: cm.statistics.as_statistic(name)
    yield lambda name: cm.exact_test(TABLE, name)
    yield lambda name: cm.permutation_test(*LABELS, statistic=name)
    yield lambda name: cm.maximize(cm.Tables(3, 2, 2), name)
    yield lambda name: cm.joint_distribution(cm.Tables(3, 2, 2), name)
    yield lambda name: cm.check(f"{name} >= -99", cm.Tables(3, 2, 2))
    yield lambda name: cm.check(f"{name}_mean >= -99", cm.Tables(3, 2, 2))
    yield lambda name: cm.sample(cm.Tables(3, 2, 2), 1, given=f"{name} >= -99")
    yield lambda name: cm.check_metric(cm.ari, reference=name)
    yield lambda name: soft.adjusted(np.eye(4), np.eye(4), name)


@pytest.mark.parametrize("name", [*NAMES, *NUMBERED])
def test_a_second_meaning_is_refused_at_registration(name):
    for statistic in (
        cm.Statistic(name, lambda table: 0),
        cm.Statistic("fresh", lambda table: 0, names=(name,)),
    ):
        with pytest.raises(ValueError, match=f"must have an unused name, got '{name}', which is a "):
            register(statistic)
    assert "fresh" not in STATISTICS


@pytest.mark.parametrize(
    "name", ["n", "r", "s", "and", "or", "not", *keyword.softkwlist[:1], "two words", ""]
)
def test_words_of_the_grammar_are_refused(name):
    if meaning_of(name) or not name.isidentifier():
        with pytest.raises(ValueError, match="name"):
            register(cm.Statistic(name, lambda table: 0))


CANDIDATES = {
    "sum",
    "total",
    "law",
    "p",
    "value",
    "random",
    "table",
    *dir(soft),
    *dir(partition),
    *dir(classification),
}


@pytest.mark.parametrize("name", sorted(x for x in CANDIDATES if x.isidentifier() and not meaning_of(x)))
def test_no_door_reads_a_name_that_is_free(name):
    for door in doors():
        with pytest.raises((ValueError, TypeError)):
            door(name)


def test_other_names_of_a_registered_statistic_stand_for_it():
    diagonal = register(cm.Statistic("diagonal_sum", lambda t: int(t.trace()), names=("diagonal",)))
    try:
        assert STATISTICS["diagonal"] is diagonal
        assert cm.joint_distribution(cm.Tables(3, 2, 2), "diagonal").names == ("diagonal_sum",)
        assert cm.exact_test(TABLE, "diagonal").statistic == 6
        with pytest.raises(ValueError, match="got 'diagonal', which is a statistic"):
            register(cm.Statistic("diagonal", lambda table: 0))
    finally:
        unregister("diagonal_sum")
    assert "diagonal" not in STATISTICS
