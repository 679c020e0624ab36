"""Distribution of the misclassification error distance (MED) over all tables with total n, without enumeration.

``med_counts`` returns all counts and ``med_count`` one of them. ``med_moment`` and ``med_moment_formula`` return
moments, and ``limit_density`` the density of the limit as n grows. All follow from ``generating_function``.
"""

from confmat.distributions.med_distribution.counts import (
    LARGEST_COLUMNS,
    GeneratingFunction,
    generating_function,
    med_count,
    med_counts,
)
from confmat.distributions.med_distribution.limits import limit_density, med_moment, med_moment_formula

__all__ = [
    "LARGEST_COLUMNS",
    "GeneratingFunction",
    "generating_function",
    "limit_density",
    "med_count",
    "med_counts",
    "med_moment",
    "med_moment_formula",
]
