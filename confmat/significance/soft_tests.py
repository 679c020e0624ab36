"""Permutation test of the agreement of two soft (fuzzy) clusterings: the objects of one of them are permuted.

For few objects all permutations are enumerated, up to permutations of equal rows. Otherwise permutations are drawn.
For hard labels the test is the exact test of the index that the soft index equals there.

>>> U, V = [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], ["a", "a", "a", "b", "b"]
>>> soft_test(U, V, "sari").pvalue
Fraction(1, 5)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from confmat._arguments import ALTERNATIVES, as_amount, as_choice, as_flag
from confmat._display import Part, details, exact_json
from confmat._limits import Limits, limited
from confmat.contingency.labels import contingency_matrix
from confmat.errors import TooLargeError, UndefinedIndexError
from confmat.indices import soft
from confmat.indices.soft.memberships import as_array
from confmat.indices.soft.relabelings import Relabelled, relabelled
from confmat.sampling.streams import Seed, check_seed
from confmat.significance.exact_tests import ExactTest, exact_test, ties_among
from confmat.significance.p_values import of_sides, tail_of_values

# The index that a soft index equals on hard labels, for which a recursion gives the distribution.
ON_LABELS = dict.fromkeys(("sari", "aci", "fari"), "ari") | dict.fromkeys(("ndc", "frobenius_rand"), "ri")
ON_LABELS |= {
    f"{family}_{function}": name
    for family in ("anderson", "frigui", "brouwer", "campello", "huellermeier")
    for function, name in {"rand": "ri", "adjusted_rand": "ari", "jaccard": "jaccard", "fm": "fm"}.items()
}

# Default number of draws, and the least number if a draw is slow.  The draws take about a minute.
DRAWS, FEWEST_DRAWS = 9_999, 199
_NUMBERS_A_MINUTE = 5 * 10**10


@dataclass(frozen=True, repr=False, kw_only=True)
class SoftTest(ExactTest):
    """Result of `soft_test`: an `ExactTest` with the moments of the index under random permutations.

    Attributes
    ----------
    mean, variance : Fraction, float or None
        Moments of the index over all permutations of the objects. None for hard labels, and if there is no formula.
    """

    mean: Any = None
    variance: Any = None

    @property
    def adjusted(self) -> Any:
        """Index adjusted by its mean, (x - mean)/(1 - mean). None if the mean is unknown or 1."""
        if self.mean is None or self.mean == 1:
            return None
        return (self.statistic - self.mean) / (1 - self.mean)

    @property
    def z(self) -> float | None:
        """Standardized index, (x - mean) / standard deviation. None if the variance is unknown or 0."""
        if not self.variance or self.mean is None:
            return None
        return float(self.statistic - self.mean) / sqrt(self.variance)

    def _facts(self) -> dict[str, Any]:
        """Return every field by name, and the moments, for JSON.

        >>> soft_test([0, 0, 1], [[1, 0], [1, 0], [0, 1]], "ndc")._facts()["mean"]
        {'exact': '5/9', 'value': 0.5555555555555556}
        """
        moments = {"mean": self.mean, "variance": self.variance, "adjusted": self.adjusted}
        numbers = {name: exact_json(x) for name, x in moments.items()}
        return super()._facts() | numbers | {"z": self.z}

    def _parts(self) -> Iterable[Part]:
        """Yield the displayed table: the index, its p-value, and its moments under the null model."""
        title = f"test of {self.name}, {self.alternative}, objects permuted at random: {self.method}"
        by_chance = [("mean by chance", self.mean), ("adjusted", self.adjusted), ("z", self.z)]
        known_lines = [(name, x) for name, x in by_chance if x is not None]
        yield details([*self._lines(), *known_lines], title)


def of_memberships(statistic: Any, b: Any) -> bool:
    """Return whether ``statistic`` names a soft index and ``b`` is a second clustering.

    >>> of_memberships("sari", [0, 1]), of_memberships("kappa", [0, 1]), of_memberships(None, [0])
    (True, False, False)
    """
    return b is not None and isinstance(statistic, str) and statistic in soft.INDICES


@limited
def soft_test(
    U: Any,
    V: Any,
    index: str = "sari",
    *,
    alternative: str = "greater",
    exact: bool = False,
    draws: int | None = None,
    rng: Seed = None,
    limits: Limits | None = None,
) -> SoftTest:
    """Test a soft index by permuting the objects of V at random.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), or n hard labels.
    index : str
        A name of ``soft.INDICES``. Default: "sari".
    alternative : {"greater", "less", "two-sided"}
        "greater" counts values >= the observed one, and "less" counts values <= the observed one. For "two-sided" the
        p-value is twice the smaller one of both, at most 1. Default: "greater".
    exact : bool
        Require the distribution over all permutations. Default: False.
    draws : int, optional
        Number of random permutations. Default: 9999, or fewer if these take longer than about a minute.
    rng : int, Generator or SeedSequence, optional
        Seed or generator of the draws.
    limits : Limits, optional
        Time, memory and threads. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    SoftTest
        The p-value is a Fraction over all n! permutations if at most 50 000 of them are different. This includes all
        cases of up to 8 objects. Otherwise it is from random permutations, with an interval. Floats that differ by at
        most 10^-11 of their range are equal. A permutation at which the index is 0/0 is not extreme.

    Raises
    ------
    TooLargeError
        If ``exact`` is true and there are too many permutations.
    UndefinedIndexError
        If the observed value is 0/0.

    Examples
    --------
    >>> soft_test([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.3, 0.7]], [[1, 0], [1, 0], [0, 1], [0, 1]]).pvalue
    Fraction(1, 3)
    """
    as_choice("index", index, soft.INDICES)
    as_choice("alternative", alternative, ALTERNATIVES)
    exact = as_flag("exact", exact)
    check_seed(rng)
    hard = all(as_array(name, side).ndim == 1 for name, side in (("U", U), ("V", V)))
    if hard and index in ON_LABELS:
        return _of_labels(U, V, index, alternative, exact, as_amount("draws", draws or 99_999, 1), rng)
    relabelings = relabelled(index, U, V)
    if relabelings.observed != relabelings.observed:
        raise UndefinedIndexError(f"index {index!r} must be defined for U and V, got 0/0")
    if relabelings.orders is not None:
        weighted_values = list(relabelings.law().items())
        method = "all orders of the objects"
        draws_made = None
    elif exact:
        raise TooLargeError(
            f"exact=True is limited to 8 objects, or to 50,000 different permutations, got {relabelings.n} objects"
        )
    else:
        if draws is None:
            draws_made = _number_of_draws(relabelings)
        else:
            draws_made = as_amount("draws", draws, 1)
        drawn_values = relabelings.drawn(draws_made, np.random.default_rng(rng))
        weighted_values = [(value, 1) for value in drawn_values]
        method = "Monte Carlo"
    mean, variance = _moments(relabelings)
    ties = ties_among([relabelings.observed, *(value for value, _ in weighted_values)])
    if ties and exact:
        raise TypeError(f"index must have exact values for exact=True, got floats from {index!r}")

    def one_sided(side: str) -> SoftTest:
        p = tail_of_values(weighted_values, relabelings.observed, side, ties, drawn=draws_made is not None)
        return SoftTest(
            **vars(p) | {"method": method},
            name=index,
            statistic=relabelings.observed,
            alternative=side,
            ties=ties,
            draws=draws_made,
            mean=mean,
            variance=variance,
        )

    return of_sides(one_sided, alternative, alternative=alternative)


def _of_labels(U: Any, V: Any, index: str, alternative: str, exact: bool, draws: int, rng: Seed) -> SoftTest:
    """Return the exact test of two hard labelings, with the name of the soft index.

    The tested index is the index of labelings that the soft index equals for hard labels.
    """
    answer = exact_test(
        contingency_matrix(U, V),
        ON_LABELS[index],
        alternative=alternative,
        exact=exact,
        draws=draws,
        rng=rng,
    )
    return SoftTest(**vars(answer) | {"name": index})


def _moments(relabelings: Relabelled) -> tuple[Any, Any]:
    """Return mean and variance of the index under random permutations of objects, each None if it is unknown."""
    try:
        return relabelings.closed_moments() or (None, None)
    except TooLargeError:
        return relabelings.closed_mean(), None


def _number_of_draws(relabelings: Relabelled) -> int:
    """Return the number of draws that take about a minute, at most ``DRAWS`` and at least ``FEWEST_DRAWS``."""
    return max(FEWEST_DRAWS, min(DRAWS, _NUMBERS_A_MINUTE // relabelings.work))
