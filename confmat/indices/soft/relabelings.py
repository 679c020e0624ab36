"""Soft indices as functions of a permutation of the objects of V, and their values over all permutations.

Object i of U is paired with object pi(i) of V, and all n! permutations pi are equally likely. Objects with equal
rows of memberships are interchangeable: they form a class. A permutation is represented by a table. Its cell (i, j)
is the number of objects in class i of U that are paired with objects in class j of V.

>>> index = relabelled("sari", [[1, 0], [1, 0], [0, 1]], [0, 0, 1])
>>> index.observed
Fraction(1, 1)
>>> sorted(index.law().items())
[(Fraction(-1, 2), 4), (Fraction(1, 1), 2)]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import chain, islice, product
from math import comb, factorial, lgamma, log, nan, prod
from numbers import Rational
from operator import sub
from typing import Any

import numpy as np

from confmat._arguments import as_choice
from confmat._integers.compositions import Composition, bounded_compositions
from confmat._integers.row_walks import tables_by_rows
from confmat._limits import look
from confmat.errors import TooLargeError
from confmat.indices.soft.cardinalities import (
    largest_other,
    pair_counts,
    together_and_apart,
)
from confmat.indices.soft.concordance import ROUNDOFF, huellermeier_degrees
from confmat.indices.soft.memberships import (
    FuzzyPairCounts,
    Memberships,
    SoftNumber,
    as_array,
    as_pair_of_memberships,
)
from confmat.indices.soft.pair_totals import (
    OBJECTS_OF_BLOCK,
    DistanceTotal,
    ProductTotal,
    every_pair,
    matrix_of,
)
from confmat.indices.undefined import Undefined

# Table of the numbers of objects in a class of U (row) that are paired with objects in a class of V (column).
OrderTable = tuple[Composition, ...]

# Largest number of different permutations that are enumerated: 8! = 40 320 take a second.
MOST_ORDERS = 50_000

# Operations for each ordered pair of objects: indexing, subtraction and addition.
_OF_A_PAIR = 10

# With at least this number of classes of equal rows in U and in V there are more permutations than MOST_ORDERS.
MANY_CLASSES = 9

FUNCTIONS = ("rand", "adjusted_rand", "jaccard", "dice", "fm")
PRODUCTS = ("anderson", "frigui", "brouwer")

INDICES = (
    "ndc",
    "aci",
    "sari",
    "frobenius_rand",
    "fari",
    *(f"{family}_{function}" for family in (*PRODUCTS, "campello") for function in FUNCTIONS),
    *(f"huellermeier_{function}" for function in ("jaccard", "dice", "fm")),
)
"""The soft indices by name."""


class Relabelled(ABC):
    """Soft index of memberships U and V as a function of a permutation of the objects of V.

    It is computed from sums over pairs of objects. In arrays of permutations (``orders``), row k pairs object i of
    U with object ``orders[k, i]`` of V.
    """

    name: str
    u: np.ndarray
    v: np.ndarray
    exact: bool

    @abstractmethod
    def sums(self, orders: np.ndarray) -> np.ndarray:
        """Return the sums that determine the index, one row for each permutation in ``orders`` (K x n)."""

    @abstractmethod
    def value(self, sums: list[Any]) -> SoftNumber:
        """Return the index from a row of `sums`, nan if it is 0/0."""

    def closed_mean(self) -> SoftNumber | None:
        """Return the mean of the index over all permutations by a formula, or None if no formula is known.

        The result is nan if the index is 0/0 at some permutation.
        """
        return None

    def closed_moments(self) -> tuple[SoftNumber, SoftNumber] | None:
        """Return mean and variance over all permutations by formulas, or None if these are not known.

        Raise TooLargeError if they take too long.
        """
        return None

    @property
    def n(self) -> int:
        """Return the number of objects."""
        return int(self.u.shape[1])

    @property
    @abstractmethod
    def work(self) -> int:
        """Return the approximate number of operations for one permutation."""

    @cached_property
    def observed(self) -> SoftNumber:
        """Return the index of U and V without a permutation."""
        return self.values(np.arange(self.n)[None])[0]

    def values(self, orders: np.ndarray) -> list[SoftNumber]:
        """Return the values of the index for the permutations in ``orders``, one in each row."""
        rows = [tuple(row) for row in self.sums(orders).tolist()]
        value_of = {row: self.value(list(row)) for row in set(rows)}
        return [value_of[row] for row in rows]

    @cached_property
    def orders(self) -> list[OrderTable] | None:
        """Return tables that represent all permutations, or None if there are more than ``MOST_ORDERS`` tables.

        Objects with equal rows of memberships form a class. Permutations with the same table give the same index.
        Cell (i, j) is the number of objects in class i of U that are paired with objects in class j of V.
        """
        rows, cols = (tuple(map(len, _classes(side))) for side in (self.u, self.v))
        if min(len(rows), len(cols)) >= MANY_CLASSES:
            return None
        # A table represents at most as many permutations as equal rows of U and of V have.
        log_of_fewest = lgamma(self.n + 1) - sum(lgamma(size + 1) for size in (*rows, *cols))
        if log_of_fewest > log(2 * MOST_ORDERS):
            return None

        # The candidates for the next row depend on the remaining column sums only.
        @cache
        def rows_within(size: int, columns_left: Composition) -> list[Composition]:
            return [*bounded_compositions(size, columns_left)]

        def next_rows(rows_above: list[Composition]) -> Iterator[Composition]:
            columns_left = tuple(map(sub, cols, map(sum, zip(*rows_above)))) or cols
            return iter(rows_within(rows[len(rows_above)], columns_left))

        tables = [tuple(table) for table in islice(tables_by_rows(len(rows), next_rows), MOST_ORDERS + 1)]
        return tables if len(tables) <= MOST_ORDERS else None

    def law(self) -> Counter[SoftNumber]:
        """Return a counter of the values of the index: the number of permutations with each value.

        Raise TooLargeError for more than ``MOST_ORDERS`` tables (see `orders`).
        """
        if self.orders is None:
            raise TooLargeError(
                f"the mean of {self.name} is computed for at most {MOST_ORDERS:,} different permutations "
                "of the objects, got more"
            )
        law: Counter[SoftNumber] = Counter()
        for orders, weights in _orders_of_tables(self.orders, self.u, self.v):
            for value, weight in zip(self.values(orders), weights):
                law[nan if value != value else value] += weight
        return law

    def drawn(self, draws: int, rng: np.random.Generator) -> list[SoftNumber]:
        """Return the values of the index for ``draws`` random permutations of the objects, drawn from ``rng``."""
        values: list[SoftNumber] = []
        step = max(1, OBJECTS_OF_BLOCK // max(1, self.n * len(self.u) * len(self.v)))
        while len(values) < draws:
            look()
            size = min(step, draws - len(values))
            in_order = np.tile(np.arange(self.n), (size, 1))
            values += self.values(rng.permuted(in_order, axis=1))
        return values


def _orders_of_tables(
    tables: list[OrderTable], u: np.ndarray, v: np.ndarray
) -> Iterator[tuple[np.ndarray, list[int]]]:
    """Yield one permutation of the objects for each of ``tables``, and the number of equivalent ones, in chunks.

    Objects with equal rows of ``u`` form a class, and so do those of ``v``. A table has the number of objects of a
    class of ``u`` that are paired with a class of ``v``. Permutations with the same table are equivalent. A chunk
    is an array of permutations and a list of numbers.
    """
    classes_of_u = _classes(u)
    classes_of_v = _classes(v)
    place = np.argsort([i for members in classes_of_u for i in members])
    representatives = np.tile(
        [members[0] for members in classes_of_v],
        len(classes_of_u),
    )
    orders_within = prod(factorial(len(members)) for members in (*classes_of_u, *classes_of_v))
    all_tables = iter(tables)
    step = max(1, OBJECTS_OF_BLOCK // max(1, u.shape[1] ** 2))
    while block := list(islice(all_tables, step)):
        cells_of_tables = [[*chain.from_iterable(table)] for table in block]
        orders = [np.repeat(representatives, cells)[place] for cells in cells_of_tables]
        weights = [orders_within // prod(map(factorial, cells)) for cells in cells_of_tables]
        yield np.array(orders), weights


def _classes(side: np.ndarray) -> list[list[int]]:
    """Return lists of the indices of objects that have equal rows of memberships.

    ``side`` has the transposed memberships, a column for each object.

    >>> _classes(np.array([[1, 0, 1], [0, 1, 0]]))
    [[0, 2], [1]]
    """
    objects_of_row: dict[tuple[Any, ...], list[int]] = {}
    for i, row in enumerate(map(tuple, side.T.tolist())):
        objects_of_row.setdefault(row, []).append(i)
    return list(objects_of_row.values())


# --- which index ----------------------------------------------------------------------------------


@dataclass(eq=False)
class OfOneTotal(Relabelled):
    """Index that is a function of one sum over pairs of objects, such as the sum of products of degrees.

    Attributes
    ----------
    name : str
    u, v : array
        Transposed memberships, (K x n) and (L x n).
    exact : bool
        Whether the memberships are integers.
    total : ProductTotal or DistanceTotal
        The sum as a function of a permutation.
    unit : number
        The sum is divided by this number before ``function`` is applied.
    function : callable
        Returns the index, given the divided sum.
    on_a_line : bool
        Whether ``function`` is affine.
    """

    name: str
    u: np.ndarray
    v: np.ndarray
    exact: bool
    total: ProductTotal | DistanceTotal
    unit: Any
    function: Callable[[Any], SoftNumber]
    on_a_line: bool = True

    @property
    def work(self) -> int:
        return self.n * len(self.u) * len(self.v)

    def sums(self, orders: np.ndarray) -> np.ndarray:
        return self.total.at(orders)[:, None]

    def value(self, sums: list[Any]) -> SoftNumber:
        return self.function(Fraction(sums[0], self.unit) if self.exact else sums[0] / self.unit)

    @cached_property
    def _slope(self) -> SoftNumber:
        """Return the change of the index if the sum over pairs increases by 1.

        It is nan if the denominator of the index is 0.
        """
        zero = self.total.mean * 0
        return self.function(zero + 1) - self.function(zero)

    def closed_mean(self) -> SoftNumber | None:
        if not self.on_a_line:
            return None
        # If the denominator is 0, the index is 0/0, unless U and V agree on every pair.
        undefined = self._slope != self._slope and self.total.moments()[1]
        return nan if undefined else self.function(self.total.mean)

    def closed_moments(self) -> tuple[SoftNumber, SoftNumber] | None:
        mean_value = self.closed_mean()
        if mean_value is None:
            return None
        variance = self.total.moments()[1]
        # A variance of floats below this is a rounding error of 10^-14 for each pair.
        roundoff = 0 if self.exact else (ROUNDOFF * comb(self.n, 2)) ** 2
        if variance <= roundoff:
            return mean_value, mean_value * 0
        variance_of_index = self._slope**2 * variance
        if self.exact:
            return mean_value, variance_of_index
        return float(mean_value), float(variance_of_index)


@dataclass(eq=False)
class OfCounts(Relabelled):
    """Index of pair counts a, b, c, d of Campello or Huellermeier, which all depend on the permutation.

    Attributes
    ----------
    name : str
    u, v : array
        Transposed memberships, (K x n) and (L x n).
    exact : bool
        Whether the memberships were multiplied by a common denominator, so that they are integers.
    degrees : pair of tuples of arrays
        Degrees to which two objects are together or apart, for all pairs of objects, in U and in V.
    counts : callable
        Returns the terms that pairs with given degrees add to the counts.
    units : tuple
        Numbers by which the counts are divided: powers of the common denominator, or 1.
    function : str
        Formula of the index ("rand", "jaccard", ...).
    """

    name: str
    u: np.ndarray
    v: np.ndarray
    exact: bool
    degrees: tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]
    counts: Callable[..., tuple[Any, ...]]
    units: tuple[Any, ...]
    function: str

    @property
    def work(self) -> int:
        return _OF_A_PAIR * self.n**2

    def sums(self, orders: np.ndarray) -> np.ndarray:
        i, j = np.triu_indices(self.n, 1)
        degrees_of_u = [degree[i, j] for degree in self.degrees[0]]
        rows = []
        for order in orders:
            look()
            degrees_of_v = [degree[order[i], order[j]] for degree in self.degrees[1]]
            rows.append([part.sum() for part in self.counts(*degrees_of_u, *degrees_of_v)])
        return np.array(rows)

    def value(self, sums: list[Any]) -> SoftNumber:
        pairs = comb(self.n, 2)
        numbers = map(Fraction, sums) if self.exact else sums
        counts = [number / unit for number, unit in zip(numbers, self.units)]
        if len(counts) == 3:  # of all pairs
            counts.append(pairs - sum(counts))
        return index_of(pair_counts(counts, 1, pairs, self.exact), self.function)


def index_of(counts: FuzzyPairCounts, function: str, undefined: Undefined = "nan") -> SoftNumber:
    """Return the value of an index, given the four pair counts from which it is computed.

    ``function`` is "rand", "adjusted_rand", "jaccard", "dice" or "fm". ``undefined`` is the result if the index is
    0/0.

    >>> index_of(FuzzyPairCounts(a=1.0, b=2.0, c=1.0, d=2.0, pairs=6), "jaccard")
    0.25
    """
    method = "fowlkes_mallows" if function == "fm" else function
    return getattr(counts, method)(undefined)


def relabelled(index: str, U: Memberships, V: Memberships, *, exact: bool | None = None) -> Relabelled:
    """Return the index of U and V as a function of the permutation of the objects of V.

    ``exact`` means calculation with Fractions. Default: if all memberships are rational numbers or labels.

    >>> relabelled("ndc", [0, 0, 1], [0, 1, 1]).observed
    Fraction(1, 3)
    """
    as_choice("index", index, INDICES)
    long_name = "anderson_adjusted_rand" if index == "sari" else index
    family, _, function = long_name.partition("_")
    if exact is None:
        exact = is_rational("U", U) and is_rational("V", V)
    exact = exact and family != "brouwer"
    u, v, unity = as_pair_of_memberships(U, V, exact=exact)
    if family in ("campello", "huellermeier"):
        return _of_counts(index, family, function, (u, v, unity, exact))
    if family in ("ndc", "aci"):
        return _of_distances(index, (u, v, unity, exact))
    if family == "brouwer":
        u = u / np.linalg.norm(u, axis=0)
        v = v / np.linalg.norm(v, axis=0)
    total = ProductTotal.of(u, v, unity, diagonal=family not in ("frigui", "brouwer"))
    if family in ("frobenius", "fari"):
        function_of = _frobenius(total, family == "fari", exact)
    else:
        function_of = _of_margins(total, function, exact)
    is_on_a_line = function != "jaccard"
    return OfOneTotal(index, u, v, exact, total, unity**4, function_of, is_on_a_line)


def _of_margins(total: ProductTotal, function: str, exact: bool) -> Callable[[Any], SoftNumber]:
    """Return a function that computes an index of pair counts from the sum of products of degrees.

    A degree says how much two objects are together in U, or in V. The sums of the degrees of U and of V are those
    of ``total``, and do not depend on the permutation. ``function`` names the index ("rand", "jaccard", ...).
    """
    n = total.first.n
    diagonal = n if total.diagonal else 0
    together_u = total.of_side(total.first) - diagonal
    together_v = total.of_side(total.second) - diagonal
    ordered_pairs = n * (n - 1)

    def index_at(products: Any) -> SoftNumber:
        a = products - diagonal
        b = together_u - a
        c = together_v - a
        d = ordered_pairs - a - b - c
        return index_of(
            pair_counts(
                (a, b, c, d),
                2,
                comb(n, 2),
                exact,
            ),
            function,
        )

    return index_at


def _frobenius(total: ProductTotal, is_adjusted: bool, exact: bool) -> Callable[[Any], SoftNumber]:
    """Return the Rand index of U U' and V V', or the index adjusted by its mean, as a function of one sum.

    Each matrix is scaled by the sum of its entries divided by their sum of squares. If x and y are the scaled
    entries, the Rand index is 1 - (sum of (x - y)^2)/(n (n - 1)). The argument of the returned function is the sum
    of the products of the unscaled entries.
    """
    number: Any = Fraction if exact else float
    n = total.first.n
    ordered_pairs = n * n - n
    scale = Fraction(1)
    squares = Fraction(0)
    for side in (total.first, total.second):
        side_sum = total.of_side(side)
        side_scale = side_sum / total.norm(side)
        scale *= side_scale
        squares += side_sum * side_scale  # side_scale^2 times the sum of squares

    def rand(products: Any) -> SoftNumber:
        if n < 2:
            return number(1)
        return (2 * number(scale) * products - number(squares) + ordered_pairs) / ordered_pairs

    if not is_adjusted:
        return rand
    expected_rand = rand(number(total.moments()[0]))

    def adjusted_rand(products: Any) -> SoftNumber:
        if expected_rand == 1:
            return number(1)
        return (rand(products) - expected_rand) / (1 - expected_rand)

    return adjusted_rand


def _of_distances(index: str, sides: tuple[Any, Any, Any, bool]) -> Relabelled:
    """Return the NDC or the ACI as a function of the permutation of the objects of V.

    ``sides`` has the transposed memberships u and v, the number that represents 1, and whether they are exact.
    """
    u, v, unity, exact = sides
    total = DistanceTotal(u, v, unity)
    number: Any = Fraction if exact else float

    def concordance(distances: Any) -> SoftNumber:
        return number(1) - distances / total.pairs

    def adjusted_concordance(distances: Any) -> SoftNumber:
        if total.distances[1] <= (0 if exact else ROUNDOFF):
            return number(1)
        return 1 - distances / total.mean

    function = concordance if index == "ndc" else adjusted_concordance
    return OfDistances(index, u, v, exact, total, unity, function)


class OfDistances(OfOneTotal):
    """Index that is a function of a sum of distances. Its observed value needs no matrix of all pairs."""

    @property
    def work(self) -> int:
        return _OF_A_PAIR * self.n**2

    @cached_property
    def observed(self) -> SoftNumber:
        assert isinstance(self.total, DistanceTotal)
        return self.function(self.total.distances[0] * self.total.pairs)


def _of_counts(index: str, family: str, function: str, sides: tuple[Any, Any, Any, bool]) -> Relabelled:
    """Return an index of pair counts of Campello or Huellermeier as a function of the permutation of the objects of V.

    ``family`` names the author, ``function`` the formula ("rand", "jaccard", ...). ``sides`` has the transposed
    memberships u and v, the number that represents 1, and whether they are exact.
    """
    u, v, unity, exact = sides
    n = u.shape[1]
    if family == "huellermeier":
        degrees = (matrix_of(u, unity),), (matrix_of(v, unity),)
        counts = partial(huellermeier_degrees, one=unity)
        return OfCounts(index, u, v, exact, degrees, counts, (unity**3, unity, unity), function)
    all_pairs = every_pair(n)
    of_u = together_and_apart(u, largest_other(u), *all_pairs)
    of_v = together_and_apart(v, largest_other(v), *all_pairs)

    def cells(*degrees: np.ndarray) -> tuple[Any, ...]:
        return tuple(np.minimum(x, y) for x, y in product(degrees[:2], degrees[2:]))

    return OfCounts(
        index,
        u,
        v,
        exact,
        (of_u, of_v),
        cells,
        (unity,) * 4,
        function,
    )


def is_rational(name: str, value: Memberships) -> bool:
    """Return whether memberships are integers, Fractions or labels.

    >>> is_rational("U", ["a", "b"]), is_rational("U", [[1, 0]]), is_rational("U", [[0.5, 0.5]])
    (True, True, False)
    """
    array = as_array(name, value)
    if array.ndim != 2 or array.dtype.kind in "biu":
        return True
    return array.dtype.kind == "O" and all(isinstance(x, Rational) for x in array.flat)
