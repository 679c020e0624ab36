"""How surprising the agreement of two clusterings is: exact or Monte Carlo tests in the permutation model."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from confmat.chance.null_laws import null_law
from confmat.classes import FixedMargins, random_model
from confmat.indices.null_moments import NullMoments, adjusted_rand_index_null_moments
from confmat.laws import Law, Marginal
from confmat.laws.moments import Number
from confmat.matrices.arguments import as_count
from confmat.matrices.matrix import drop_empty, one_matrix
from confmat.sampling.streams import Seed

__all__ = ["Critical", "PValue", "Significance", "significance"]

# Fibers of up to this many tables and points are enumerated: a few seconds.
MOST_TABLES = 5 * 10**7
MOST_POINTS = 300

# Beyond these no choice of method helps.
LARGEST_EXACT = 2000
LARGEST_DRAWN = 10**8

LEVELS = (Fraction(1, 10), Fraction(1, 20), Fraction(1, 100), Fraction(1, 1000))


@dataclass(frozen=True)
class PValue:
    """Probability of a result at least as extreme as the observed one.

    Exact: a Fraction, ``interval`` None.  Monte Carlo: (b + 1)/(m + 1) for b of m draws as extreme (Davison and
    Hinkley 1997), which never is 0 and keeps the level, and the Clopper-Pearson ``interval`` for the exact one.
    ``mid`` counts results equal to the observed one half.
    """

    value: Fraction
    mid: Fraction
    interval: tuple[float, float] | None

    def __float__(self) -> float:
        return float(self.value)


@dataclass(frozen=True)
class Critical:
    """At ``level``: reject from ``ari`` upwards, or from ``med`` downwards; None where nothing is rare enough."""

    level: Fraction
    ari: Fraction | None
    med: Fraction | None


@dataclass(frozen=True)
class Significance:
    """Result of ``significance``; ``draws`` is None when the law is exact.

    ``mean``, ``variance``: exact null moments of the ARI; ``z`` the standardised ARI (None if it is constant);
    ``normal_p`` its upper normal tail, ``normal_error`` the largest difference between the null distribution
    function of the ARI and the normal one.
    """

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    ari: Fraction
    med: Fraction
    p_ari: PValue
    p_med: PValue
    mean: Fraction
    variance: Fraction
    z: float | None
    normal_p: float | None
    normal_error: float | None
    critical: tuple[Critical, ...]
    draws: int | None

    @property
    def method(self) -> str:
        """ "exact", or "Monte Carlo"."""
        return "exact" if self.draws is None else "Monte Carlo"


def significance(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    exact: bool | None = None,
    draws: int = 99_999,
    rng: Seed = None,
    confidence: float = 0.99,
    levels: Iterable[Any] = LEVELS,
) -> Significance:
    """Test whether two clusterings agree more than chance makes them: P(ARI >= observed), P(MED <= observed).

    Null model: both clusterings keep their sizes, the labels of one are permuted at random (Hubert and Arabie
    1985).  One argument is their contingency matrix, two are labelings.  ``exact``: None enumerates all
    tables with these margins where they are at most 5 * 10^7 of at most 300 points, and draws ``draws``
    otherwise; True and False insist.  ``levels``: of the critical values.

    Raises ValueError for an empty matrix, for a level or confidence outside (0, 1), and for more than 10^8 objects
    (2000 with exact=True).

    >>> result = significance([[4, 0], [1, 5]])
    >>> result.method, result.p_ari.value, result.p_med.value
    ('exact', Fraction(1, 21), Fraction(1, 21))
    >>> significance("a a a a b b b b b b".split(), [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]).p_ari.value
    Fraction(1, 21)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
    level_list = [_level(level) for level in levels]
    draws = as_count("draws", draws, 1)
    table = _table(matrix_or_labels_a, labels_b)
    margins = FixedMargins(table.sum(axis=1).tolist(), table.sum(axis=0).tolist())
    if margins.n == 0:
        raise ValueError("matrix must hold at least one object")
    enumerated = _small(margins) if exact is None else exact
    if margins.n > (LARGEST_EXACT if enumerated else LARGEST_DRAWN):
        raise ValueError(
            f"matrix holds {margins.n} objects: exact laws take at most {LARGEST_EXACT}, draws {LARGEST_DRAWN}"
        )
    model = random_model("sizes", rows=margins.rows, cols=margins.cols)
    law = null_law(model, "ari", "med", exact=enumerated, draws=draws, rng=rng)
    moments = adjusted_rand_index_null_moments(margins=(margins.rows, margins.cols))
    ari, med = (Fraction(law[name].statistic(table)) for name in law.names)
    z, normal_p, normal_error = _normal(ari, moments, law["ari"])
    return Significance(
        rows=margins.rows,
        cols=margins.cols,
        ari=ari,
        med=med,
        p_ari=_p_value([(-x, w) for x, w in law["ari"]], -ari, enumerated, confidence),
        p_med=_p_value(list(law["med"]), med, enumerated, confidence),
        mean=moments.mean,
        variance=moments.variance,
        z=z,
        normal_p=normal_p,
        normal_error=normal_error,
        critical=tuple(_critical(level, law) for level in level_list),
        draws=None if enumerated else draws,
    )


def _table(matrix_or_labels_a: Any, labels_b: Any) -> np.ndarray:
    """The observed table without empty lines, dense."""
    table = drop_empty(one_matrix(matrix_or_labels_a, labels_b))
    return np.asarray(table.toarray() if hasattr(table, "toarray") else table)


def _level(level: Any) -> Fraction:
    try:
        value = Fraction(str(level))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"levels must be numbers such as 0.05 or '1/20', got {level!r}") from None
    if not 0 < value < 1:
        raise ValueError(f"levels must lie between 0 and 1, got {level}")
    return value


def _small(margins: FixedMargins) -> bool:
    return margins.n <= MOST_POINTS and margins.has_at_most(MOST_TABLES)


def _p_value(law: list[tuple[Number, int]], observed: Fraction, exact: bool, confidence: float) -> PValue:
    """P(value <= observed) under ``law``, value and weight."""
    total = sum(weight for _, weight in law)
    below = sum(weight for value, weight in law if value < observed)
    equal = sum(weight for value, weight in law if value == observed)
    if exact:
        return PValue(Fraction(below + equal, total), Fraction(2 * below + equal, 2 * total), None)
    return p_of_draws(below, equal, total, confidence)


def p_of_draws(below: int, equal: int, draws: int, confidence: float = 0.99) -> PValue:
    """The p-value where so many of the draws are more extreme than what was observed, and so many as extreme.

    >>> p_of_draws(3, 1, 99).value
    Fraction(1, 20)
    """
    from scipy.stats import binomtest

    interval = binomtest(below + equal, draws).proportion_ci(confidence, method="exact")
    # The observed table counts as one of the draws, equal to itself.
    value, mid = Fraction(below + equal + 1, draws + 1), Fraction(2 * below + equal + 1, 2 * (draws + 1))
    return PValue(value, mid, (float(interval.low), float(interval.high)))


def _critical(level: Fraction, law: Law) -> Critical:
    ari = _last_within(level, list(law["ari"])[::-1])
    return Critical(level, ari, _last_within(level, list(law["med"])))


def _last_within(level: Fraction, law: list[tuple[Number, int]]) -> Fraction | None:
    """The last value, in the given order, up to which the law holds at most ``level`` of its mass."""
    total = sum(weight for _, weight in law)
    last, running = None, 0
    for value, weight in law:
        running += weight
        if Fraction(running, total) > level:
            break
        last = Fraction(value)
    return last


def _normal(
    ari: Fraction, moments: NullMoments, law: Marginal
) -> tuple[float | None, float | None, float | None]:
    """z-score, normal upper tail, and the largest distance between the two distribution functions."""
    if moments.variance == 0:
        return None, None, None
    from scipy.stats import norm

    sd = sqrt(moments.variance)
    values, weights = zip(*law)
    scores = np.array([float(x - moments.mean) / sd for x in values])
    after = np.array(np.cumsum(np.array(weights, object)) / law.total, float)
    before = np.concatenate([[0.0], after[:-1]])
    smooth = norm.cdf(scores)
    error = max(np.abs(after - smooth).max(), np.abs(before - smooth).max())
    z = float(ari - moments.mean) / sd
    return z, float(norm.sf(z)), float(error)
