"""Hand & Till's AUC and F with any beta as statistics: batches against plain evaluation, laws, conjectures."""

from fractions import Fraction

import numpy as np
import pytest

import confmat as cm
from confmat.indices import classification
from confmat.indices.classification import auc
from confmat.statistics import STATISTICS, f_beta

PLAIN = {
    "auc3": lambda table: auc(table, strategy="ovo", exact=True, undefined="nan"),
    "f_2": lambda table: classification.f_beta(table, beta=2, exact=True, undefined="nan"),
    "f_half": lambda table: classification.f_beta(table, beta=Fraction(1, 2), exact=True, undefined="nan"),
    "f_1_3": lambda table: classification.f_beta(table, beta=Fraction(1, 3), exact=True, undefined="nan"),
}


BETAS = {"f_2": 2, "f_half": Fraction(1, 2), "f_1_3": Fraction(1, 3)}


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(
    "matrices", [cm.Tables(6, 2, 2), cm.Tables(5, 3, 3), cm.Tables(3, 2, 2, allow_empty=True)], ids=repr
)
def test_batches_are_plain_values(name, matrices):
    statistic = STATISTICS["auc3"] if name == "auc3" else f_beta(BETAS[name])
    tables = np.array(list(matrices))
    for numerator, denominator, table in zip(*statistic.batch(tables), tables):
        value = PLAIN[name](table)
        assert (denominator == 0) == (value != value)
        assert denominator == 0 or Fraction(int(numerator), int(denominator)) == value


def test_wide_numbers_stay_exact():
    table = np.array([[2**40, 3], [5, 2**41]])
    for statistic in (f_beta(10**9), f_beta(Fraction(1, 10**9)), STATISTICS["auc3"]):
        numerator, denominator = (int(x[0]) for x in statistic.batch(table[None]))
        assert Fraction(numerator, denominator) == statistic(table)


def test_they_are_statistics_like_others():
    law = cm.joint_distribution(cm.Tables(5, 3, 3), "auc3", f_beta(2))
    assert law.total == cm.Tables(5, 3, 3).count()
    assert f_beta(2).name == "f_2"
    assert cm.Conjecture("x", "auc3 >= auc").predicate is not None
    with pytest.raises(ValueError, match="beta must be at least 0, got -1"):
        f_beta(-1)
