"""What the indices of the package claim, in one place, and that they keep it on everything small.

Here all tables of up to 3 objects and one of each orbit of up to 4; slow: of up to 5, and of up to 6.
"""

import math

import pytest

import confmat as cm
from confmat.errors import UndefinedIndexError
from confmat.indices import soft
from confmat.statistics import STATISTICS
from confmat.testing import contract

# What is known beyond the records of the table of statistics, which say symmetry and bounds.
METRIC = {"metric": True, "refinement": True}
CLAIMS = {
    "med": METRIC,
    "rd": METRIC,
    "mirkin": METRIC,
    "vi": METRIC,
    "ard": {"identity": 0, "refinement": True},
    "nmed": {"identity": 0},
    "nrd": {"identity": 0},
    "ri": {"identity": 1, "refinement": True},
    "ari": {"identity": 1, "refinement": True, "soft": soft.sari},
    "nmi": {"identity": 1},
    # Over pairs of classes: there must be two.
    **{name: {"undefined": ValueError} for name in STATISTICS if name.endswith("_pairs")},
}

# Broken on purpose, with the smallest number of objects.
BROKEN = {
    ("ard", "triangle inequality"): ({"metric": True}, 4),
    ("nmed", "triangle inequality"): ({"metric": True}, 5),
    ("nrd", "triangle inequality"): ({"metric": True}, 4),
    ("jaccard", "identity"): ({"identity": 0}, 2),
    ("fm", "identity"): ({"identity": 0}, 2),
    ("wallace_ab", "symmetry"): ({"symmetric": True}, 2),
}

SOFT = {
    soft.ndc: {"identity": 1, "bounds": (0, 1), "other_input": cm.ri},
    soft.campello_rand: {"bounds": (0, 1), "other_input": cm.ri},
    soft.brouwer_rand: {"bounds": (0, 1), "other_input": cm.ri},
    soft.frigui_rand: {"bounds": (0, 1), "other_input": cm.ri},
    soft.anderson_rand: {"bounds": (0, 1), "other_input": cm.ri},
    soft.aci: {"identity": 1, "other_input": cm.ari, "undefined": (UndefinedIndexError, math.nan)},
    soft.sari: {"other_input": cm.ari, "undefined": (UndefinedIndexError, math.nan)},
}

SIZES = [
    pytest.param({"n": 4, "every": 3, "examples": 1}, id="small"),
    pytest.param({"n": 6, "every": 5, "examples": 100}, id="all", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", STATISTICS)
def test_a_statistic_keeps_what_its_record_and_this_table_say(name, size):
    found = contract(name, **size, **CLAIMS.get(name, {}))
    assert found, str(found)


@pytest.mark.parametrize(("name", "claim"), BROKEN)
def test_what_is_known_to_be_broken_is(name, claim):
    claims, n = BROKEN[name, claim]
    found = contract(name, n=5, every=2, examples=1, **claims)
    assert found.broken[claim].n == n


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("index", SOFT, ids=lambda index: index.__name__)
def test_a_soft_index_keeps_what_this_table_says(index, size):
    found = contract(index, takes="memberships", **{**size, "n": min(4, size["n"]) - 2}, **SOFT[index])
    assert found, str(found)
