"""The first draws of a seed do not depend on how many are drawn."""

import numpy as np
import pytest

import confmat as cm

TABLES = cm.Tables(20, 3, 3)
MARGINS = cm.FixedMargins([9, 8, 7], [8, 8, 8])
DRAWS = [
    (TABLES, {}),
    (TABLES, {"method": "unranking"}),
    (TABLES, {"given": "med=4/20"}),
    (TABLES, {"given": "ard>1"}),
    (cm.Tables(100, 30, 3), {}),
    (cm.Tables(300, 3, 3), {}),
    (cm.Tables(60, 4, 4), {"given": "ari>=0.2"}),
    (cm.FixedRows((9, 8, 7), 3), {}),
    (MARGINS, {}),
    (MARGINS, {"given": "ari>=0.2"}),
    (MARGINS, {"weight": "labelings"}),
    (cm.FixedMargins([1] * 9, [3, 4, 2]), {}),
    (cm.Tables(20, 3, 3, allow_empty=True), {"weight": "labelings"}),
]


@pytest.mark.parametrize(("matrices", "options"), DRAWS)
@pytest.mark.parametrize("seed", [1, np.random.SeedSequence(2)])
def test_first_draws_do_not_depend_on_the_size(matrices, options, seed):
    all_draws = np.asarray(cm.sample(matrices, 300, rng=seed, **options))
    for size in (1, 7, 100):
        assert (np.asarray(cm.sample(matrices, size, rng=seed, **options)) == all_draws[:size]).all()


def test_first_values_do_not_depend_on_the_size():
    law = cm.distribution(TABLES, "ari")
    assert law.rvs(100, rng=1)[:7].tolist() == law.rvs(7, rng=1).tolist()
