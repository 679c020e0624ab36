"""Distribution of the Rand distance (RD) over all tables with total n, without enumeration."""

from confmat.distributions.rand_distribution.counts import (
    LARGEST_COLUMNS_OF_RD,
    MOST_MEMORY,
    memory_of_columns,
    rand_distance_counts,
)

__all__ = [
    "LARGEST_COLUMNS_OF_RD",
    "MOST_MEMORY",
    "memory_of_columns",
    "rand_distance_counts",
]
