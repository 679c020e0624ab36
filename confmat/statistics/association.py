"""The statistics of tests of independence, a record each: chi-squared, G2, the probability of the table."""

from __future__ import annotations

from functools import partial

from confmat.indices import association
from confmat.indices.information import exact_if_small
from confmat.statistics.cell_sums import FACTORIALS, POWERS, SQUARES
from confmat.statistics.record import Statistic

ASSOCIATION = (
    Statistic(
        "chi2",
        names=("chi_squared", "pearson_chi2"),
        function=partial(association.chi_squared, exact=True),
        title="chi-squared",
        label="Pearson's chi-squared",
        index=association.chi_squared,
        symmetry="transposition",
        bounds=(0, None),
        rises_with=SQUARES,
    ),
    Statistic(
        "g2",
        names=("likelihood_ratio",),
        function=partial(exact_if_small, association.likelihood_ratio),
        title="likelihood ratio G2",
        label="G2 (likelihood ratio)",
        index=association.likelihood_ratio,
        batch=association.likelihood_ratios,
        symmetry="transposition",
        bounds=(0, None),
        rises_with=POWERS,
    ),
    Statistic(
        "ffh",
        names=("fisher", "table_probability"),
        function=association.probability_if_small,
        title="probability of the table",
        label="probability of the table given its margins (Fisher, Freeman & Halton)",
        index=association.table_probability,
        symmetry="transposition",
        bounds=(0, 1),
        falls_with=FACTORIALS,
    ),
)
