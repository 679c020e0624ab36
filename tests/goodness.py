"""The audit of a sampler: chi-square against a full support that is listed matrix by matrix, whole or at one MED."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import numpy as np
from late import stats

from confmat.indices.partition import med

JointDistribution = Mapping[bytes, float]


def key(matrix: np.ndarray) -> bytes:
    return np.ascontiguousarray(matrix, dtype=np.int64).tobytes()


def uniform(matrices) -> dict[bytes, float]:
    support = [key(matrix) for matrix in matrices]
    assert len(set(support)) == len(support) > 1
    return dict.fromkeys(support, 1 / len(support))


def weighted(matrices, weight) -> dict[bytes, float]:
    weights = {key(matrix): weight(matrix) for matrix in matrices}
    total = sum(weights.values())
    return {k: w / total for k, w in weights.items()}


def p_value(law: JointDistribution, draws: np.ndarray) -> float:
    """Upper tail of Pearson's statistic; 0 for a draw outside the support.  Expected counts must be at least 5."""
    data, size = key(draws), 8 * draws[0].size
    seen = Counter(data[at : at + size] for at in range(0, len(data), size))
    if set(seen) - set(law):
        return 0.0
    expected = {k: p * len(draws) for k, p in law.items()}
    assert min(expected.values()) >= 5, "too few draws for this support"
    statistic = sum((seen.get(k, 0) - e) ** 2 / e for k, e in expected.items())
    return float(stats.chi2.sf(statistic, len(law) - 1))


def given_of(matrices, m):
    return None if m is None else {"med": Fraction(m, matrices.n)}


@cache
def by_distance(matrices):
    """The members by n MED."""
    found = defaultdict(list)
    for matrix in matrices:
        found[n_unmatched(matrix)].append(matrix)
    return found


def support(matrices, m):
    return list(matrices) if m is None else by_distance(matrices)[m]


def n_unmatched(matrix):
    return int(med(matrix, exact=True) * matrix.sum())
