"""Test if two soft clusterings agree more than by chance, by permuting the objects of one of them.

A few objects are enumerated in all orders, by classes of equal rows. Permutations of many objects are drawn. For
hard labels it is the exact test of the index which the soft one equals there.

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
from confmat.significance.exact_tests import (
    ExactTest,
    exact_test,
    of_alternative,
    tail_of_values,
    ties_among,
)

# What a soft index is on hard labels, where a recursion has its law.
ON_LABELS = dict.fromkeys(("sari", "aci", "fari"), "ari") | dict.fromkeys(("ndc", "frobenius_rand"), "ri")
ON_LABELS |= {
    f"{family}_{function}": name
    for family in ("anderson", "frigui", "brouwer", "campello", "huellermeier")
    for function, name in {"rand": "ri", "adjusted_rand": "ari", "jaccard": "jaccard", "fm": "fm"}.items()
}

# Draws unless said, and fewer where one takes long: about a minute in all, but never below the second number.
DRAWS, FEWEST_DRAWS = 9_999, 199
_NUMBERS_A_MINUTE = 5 * 10**10


@dataclass(frozen=True, repr=False)
class SoftTest(ExactTest):
    """Result of `soft_test`: an `ExactTest`, with the moments of the index under random permutation.

    Attributes
    ----------
    mean, variance : Fraction, float or None
        None for hard labels, and if they are not known exactly.
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
        """Standardised index, None if the variance is unknown or 0."""
        if not self.variance or self.mean is None:
            return None
        return float(self.statistic - self.mean) / sqrt(self.variance)

    def _facts(self) -> dict[str, Any]:
        """Return every field, and the moments.

        >>> soft_test([0, 0, 1], [[1, 0], [1, 0], [0, 1]], "ndc")._facts()["mean"]
        {'exact': '5/9', 'value': 0.5555555555555556}
        """
        moments = {"mean": self.mean, "variance": self.variance, "adjusted": self.adjusted}
        numbers = {name: exact_json(x) for name, x in moments.items()}
        return super()._facts() | numbers | {"z": self.z}

    def _parts(self) -> Iterable[Part]:
        """Yield the index, its p-value, and its moments under the null model."""
        title = f"test of {self.name}, {self.alternative}, objects permuted at random: {self.method}"
        by_chance = [("mean by chance", self.mean), ("adjusted", self.adjusted), ("z", self.z)]
        known_lines = [(name, x) for name, x in by_chance if x is not None]
        yield details([*self._lines(), *known_lines], title)


def of_memberships(statistic: Any, b: Any) -> bool:
    """Return whether a test is one of two soft clusterings, by the name of its statistic.

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
        "greater" counts values that are at least the observed one, "less" values that are at most it, and
        "two-sided" doubles the smaller probability, at most 1. Default: "greater".
    exact : bool
        Require the distribution over all permutations. Default: False.
    draws : int, optional
        Number of random permutations. Default: 9999, or fewer if these take longer than about a minute.
    rng : int, Generator or SeedSequence, optional
        Seed or generator of the draws.
    limits : Limits, optional
        What the test may use. Default: those of the enclosing block.

    Returns
    -------
    SoftTest
        The p-value is a Fraction of all n! permutations if at most 50 000 of them are different. This includes all
        cases of up to 8 objects. Otherwise it is that of random permutations, with its interval. Floats within
        10^-11 are equal. A permutation at which the index is 0/0 is not extreme.

    Raises
    ------
    TooLargeError
        If ``exact`` is true and the permutations are too many.
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
        raise UndefinedIndexError(f"index {index!r} is 0/0 for U and V")
    if relabelings.orders is not None:
        weighted_values = list(relabelings.law().items())
        method = "all orders of the objects"
        draws_made = None
    elif exact:
        raise TooLargeError(f"exact=True takes 8 objects, or few that differ, got {relabelings.n} objects")
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
        tail = tail_of_values(weighted_values, relabelings.observed, side, ties, drawn=draws_made is not None)
        return SoftTest(
            name=index,
            statistic=relabelings.observed,
            pvalue=tail.pvalue,
            beyond=2 * tail.mid - tail.pvalue,
            method=method,
            alternative=side,
            ties=ties,
            interval=tail.interval,
            draws=draws_made,
            mean=mean,
            variance=variance,
        )

    return of_alternative(one_sided, alternative)


def _of_labels(U: Any, V: Any, index: str, alternative: str, exact: bool, draws: int, rng: Seed) -> SoftTest:
    """Return the test of the index which a soft index equals on hard labels, with the name of the soft index."""
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
    try:
        return relabelings.closed_moments() or (None, None)
    except TooLargeError:
        return relabelings.closed_mean(), None


def _number_of_draws(relabelings: Relabelled) -> int:
    """Return the number of draws that take about a minute, by the operations of one draw."""
    return max(FEWEST_DRAWS, min(DRAWS, _NUMBERS_A_MINUTE // relabelings.work))
