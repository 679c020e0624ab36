"""Mean and variance of a soft index under random relabeling of objects, and the index adjusted by its mean.

The null model permutes objects: object i of U is paired with object pi(i) of V, and all n! permutations are equally
likely (Hubert and Arabie 1985). The sARI of Flynt, Dean and Nugent (2019) is the adjusted index of Anderson et al.
(2010). Its mean is not 0 for memberships (statement `sari-mean`), so that ``adjusted`` corrects it. The ACI has
mean 0. So does the Frobenius adjusted Rand index ``fari`` of Andrews, Browne and Hvingelby (2022). It is another
function of the sum of squares of U'V.

>>> from fractions import Fraction
>>> U, V = [[1, 0], [Fraction(1, 2), Fraction(1, 2)], [0, 1]], [0, 1, 1]
>>> mean, variance = null_moments(U, V, "sari")
>>> mean, variance, adjusted(U, V, "sari")
(Fraction(-4, 15), Fraction(32, 225), Fraction(4, 19))
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum, sqrt
from typing import Any

import numpy as np

from confmat._arguments import as_amount
from confmat.errors import TooLargeError, UndefinedIndexError
from confmat.indices.null_moments import NullMoments
from confmat.indices.soft.memberships import Memberships, SoftNumber
from confmat.indices.soft.relabelings import Relabelled, relabelled
from confmat.indices.undefined import Undefined, check_undefined, undefined_value


class SoftMoments(NullMoments):
    """Mean and variance of a soft index under random relabeling, a named tuple with two further attributes.

    Attributes
    ----------
    method : str
        "closed form" and "all orders" are exact, "draws" is an estimate.
    errors : (float, float)
        Standard errors of the mean and of the variance, 0 if they are exact.
    """

    method: str
    errors: tuple[float, float]

    def __new__(
        cls, mean: Any, variance: Any, method: str, errors: tuple[float, float] = (0.0, 0.0)
    ) -> SoftMoments:
        moments = super().__new__(cls, mean, variance)
        moments.method, moments.errors = method, errors
        return moments

    def __repr__(self) -> str:
        return f"SoftMoments(mean={self.mean!r}, variance={self.variance!r}, method={self.method!r})"


def null_moments(
    U: Memberships,
    V: Memberships,
    index: str = "sari",
    *,
    exact: bool | None = None,
    draws: int = 9_999,
    rng: Any = None,
) -> SoftMoments:
    """Return mean and variance of a soft index if the objects of V are permuted at random.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    index : str
        A name of ``soft.INDICES``. Default: "sari".
    exact : bool, optional
        Calculate with Fractions. Default: if all memberships are ints, Fractions or labels.
    draws : int
        Number of random permutations if neither a closed form nor all permutations can be used. Default: 9999.
    rng : int, Generator or SeedSequence, optional
        Seed or generator of the permutations.

    Returns
    -------
    SoftMoments

    Raises
    ------
    UndefinedIndexError
        If the index is 0/0 at a permutation.

    Notes
    -----
    A closed form exists for the sARI, the indices of Anderson, Frigui and Brouwer except the Jaccard indices, and
    ``fari``, in O(n K^2). For the NDC and the ACI the mean takes O(n^2 log n), and the variance O(n^3 log n) up to
    200 objects. Otherwise all permutations are enumerated if at most 50 000 of them are different.

    Examples
    --------
    >>> null_moments([0, 0, 1, 1], [0, 1, 0, 1], "sari")
    SoftMoments(mean=Fraction(0, 1), variance=Fraction(1, 2), method='closed form')
    >>> null_moments([0, 0, 1, 1], [0, 1, 0, 1], "campello_jaccard").method
    'all orders'
    """
    draws = as_amount("draws", draws, 2)
    of_orders = relabelled(index, U, V, exact=exact)
    try:
        moments = of_orders.closed_moments()
    except TooLargeError:
        return _with_exact_mean(of_orders, draws, rng)
    if moments is not None:
        _refuse_undefined(of_orders, [moments[0]])
        return SoftMoments(*moments, "closed form")
    if of_orders.orders is not None:
        return _of_all_orders(of_orders)
    return _of_draws(of_orders, draws, rng)


def _with_exact_mean(of_orders: Relabelled, draws: int, rng: Any) -> SoftMoments:
    """Return the exact mean of the index ``of_orders``, and its variance estimated from ``draws`` permutations.

    ``rng`` draws the permutations of the objects.
    """
    moments = _of_draws(of_orders, draws, rng)
    errors = 0.0, moments.errors[1]
    method = "mean: closed form; variance: draws"
    return SoftMoments(of_orders.closed_mean(), moments.variance, method, errors)


def _of_all_orders(of_orders: Relabelled) -> SoftMoments:
    """Return the exact moments of the index ``of_orders`` over all permutations of the objects of V."""
    law = of_orders.law()
    _refuse_undefined(of_orders, law)
    number: Any = Fraction if of_orders.exact else float
    orders = sum(law.values())
    mean_value = (
        sum(
            (number(value) * weight for value, weight in law.items()),
            number(0),
        )
        / orders
    )
    squares = ((number(value) - mean_value) ** 2 * weight for value, weight in law.items())
    return SoftMoments(mean_value, sum(squares, number(0)) / orders, "all orders")


def _of_draws(of_orders: Relabelled, draws: int, rng: Any) -> SoftMoments:
    """Return estimates of the moments of the index ``of_orders`` from ``draws`` random permutations of objects.

    ``rng`` draws the permutations.
    """
    values = [float(value) for value in of_orders.drawn(draws, np.random.default_rng(rng))]
    _refuse_undefined(of_orders, values)
    mean_value = fsum(values) / draws
    deviations = np.array(values) - mean_value
    variance = float((deviations**2).sum()) / (draws - 1)
    fourth = float((deviations**4).mean())
    errors = sqrt(variance / draws), sqrt(max(0.0, fourth - variance**2) / draws)
    return SoftMoments(mean_value, variance, "draws", errors)


def _refuse_undefined(of_orders: Relabelled, values: Any) -> None:
    """Raise UndefinedIndexError if one of the ``values`` of the index ``of_orders`` is nan."""
    if any(value != value for value in values):
        raise UndefinedIndexError(
            f"index {of_orders.name!r} is 0/0 at some permutation of the objects, so that its mean is undefined"
        )


def adjusted(
    U: Memberships,
    V: Memberships,
    index: str = "sari",
    *,
    exact: bool | None = None,
    undefined: Undefined = "raise",
    draws: int = 9_999,
    rng: Any = None,
) -> SoftNumber:
    """Return (x - E)/(1 - E), where x is the index of U and V, and E its mean under random relabeling.

    For hard labels it is the adjusted Rand index if x is a Rand index or an adjusted Rand index.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    index : str
        A name of ``soft.INDICES``. Default: "sari".
    exact : bool, optional
        Calculate with Fractions. Default: if all memberships are ints, Fractions or labels.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".
    draws : int
        Number of random permutations, see `null_moments`. Default: 9999.
    rng : int, Generator or SeedSequence, optional
        Seed or generator of the permutations.

    Returns
    -------
    float or Fraction
        At most 1, with mean 0. ``undefined`` if E is 1.

    Examples
    --------
    >>> adjusted([0, 0, 1, 1], [0, 1, 0, 1], "ndc"), adjusted([0, 0, 1, 1], [0, 1, 0, 1], "sari")
    (Fraction(-1, 2), Fraction(-1, 2))
    """
    check_undefined(undefined)
    of_orders = relabelled(index, U, V, exact=exact)
    mean = of_orders.closed_mean()
    if mean is None:
        mean = null_moments(U, V, index, exact=exact, draws=draws, rng=rng).mean
    value = of_orders.observed
    if value != value or mean != mean:
        return undefined_value(undefined, index, "as U and V are, or at some order of the objects")
    if mean != 1:
        return (value - mean) / (1 - mean)
    if value == 1:
        return value
    return undefined_value(undefined, f"adjusted {index}", "its mean is 1")


def fari(
    U: Memberships, V: Memberships, *, exact: bool | None = None, undefined: Undefined = "raise"
) -> SoftNumber:
    """Return the Frobenius adjusted Rand index (FARI).

    U U' and V V' are scaled such that the sum of the entries of each equals the sum of their squares. The FARI is
    the Rand index of these matrices, adjusted by its mean over permutations of the objects of V.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool, optional
        Calculate with Fractions. Default: if all memberships are ints, Fractions or labels.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        At most 1, with mean 0. It is 1 for U = V.

    Notes
    -----
    Time O(nKL).

    References
    ----------
    Andrews, Browne and Hvingelby (2022).

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> fari([[1, 0], [half, half], [0, 1]], [0, 1, 1]), fari([[1, 0], [half, half]], [[1, 0], [half, half]])
    (Fraction(3, 8), Fraction(1, 1))
    """
    check_undefined(undefined)
    value = relabelled("fari", U, V, exact=exact).observed
    if value == value:
        return value
    return undefined_value(undefined, "FARI", "its mean is 1")
