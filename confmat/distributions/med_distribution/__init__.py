"""The law of the MED over all tables with n points, for every n: no enumeration, quasi-polynomials.

``med_counts`` the whole law, ``med_count`` one value, ``med_moment`` and ``med_moment_formula`` moments,
``limit_density`` the limit as n grows, ``generating_function`` what they rest on.
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
