"""Tails of a sum over cells at fixed margins, labels permuted at random: floats with a proved error, or integers.

A table is a path in the graph of `confmat.fixed_margins`: a state has the column sums that remain after some rows,
and an edge fills the next row. The value of a path is the sum over the cells of its rows. A tail {value >= t}
contains the tables with a value of at least t.

The distributions of the values are computed row by row from both ends: of the paths from the first state to each
state, and from each state to the last one. In each step the end whose next row adds fewer terms advances. The two
ends meet at the edges of one row, or at states if this takes fewer steps. The steps of the meeting count as terms. Too
many terms are an error, which is raised before they are added.

Some paths are dropped or merged. Let *least* and *largest* be the extreme values of the paths from state i to the last
one. A path to state i with the value v is dropped if v < t - largest, because it cannot reach the tail. If v >= t -
least, every continuation is in the tail. The values of all such paths are replaced by one value *high(i)*. It is the
larger of t - least and the least value of a path to state i. Paths from state k to the last one are treated in the same
way. Their common value *rest(k)* is at least t - b, and b is the least value of a path to state k.

If both parts of a table are replaced, the sum is still at least t. Consider an edge from state i to state k. Then
high(i) plus the value of the edge is at least b, and rest(k) is at least t - b.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confmat._integers.arrays import from_residues, primes_for
from confmat._integers.compositions import arrangements
from confmat._numba import stoppable
from confmat.errors import TooLargeError
from confmat.fixed_margins.graph import MOST_EDGES, Arithmetic, Graph, OrderedMargins, lay
from confmat.fixed_margins.kernels import FAR, Edges, Laws, extremes, laws_along, meet, sums_from_above

MOST_TERMS = 1_500_000_000
"""Terms of one tail: about 15 seconds, at 10 ns each."""

MOST_KEYS = 50_000_000
"""Values of the distributions of one level: 16 bytes each, and 16 more while they are computed."""

# Measured costs relative to one step of a pointer along a distribution: a bisection, and a term added to a hash table.
SEARCH, SUM = 40, 10

# Number of keys of a distribution that fits into the cache, and the relative cost of a term of a longer one: 50 to
# 90 ns instead of 10.  A tail of 2 x 20 tables of 400 objects is too large, which is then found after 15 s, not 50.
IN_CACHE, SLOW = 100_000, 6

# Relative cost of a term along edges, compared with a meeting, because new keys are sorted.
NEW_KEY = 4

UNIT = 2.0**-53

SMALLEST = 1e-290
"""Smallest reliable probability: terms below 10^-308 are 0 in floats, and sums below this limit may lack them."""

LIFT = 2.0**400
"""Factor of the probabilities at each end, so that products down to 10^-500 remain normal floats."""


@dataclass(frozen=True)
class TailChances:
    """Probabilities P(value >= t) for each threshold t, and an upper bound of their relative errors."""

    chances: tuple[float, ...]
    error: float


def tail(
    margins: OrderedMargins,
    thresholds: Sequence[int],
    most_terms: int = MOST_TERMS,
    most_edges: int = MOST_EDGES,
) -> TailChances:
    """Return the probability P(value >= t) for each threshold t, in floats.

    Raise TooLargeError for more than ``most_terms`` terms, or more than ``most_edges`` edges of a row. The error
    bound is proved (statement `row-tail-error`).

    >>> squares = np.array([np.arange(3) ** 2] * 3)
    >>> margins = OrderedMargins((2, 2, 2), (2, 2, 2), (squares,) * 3)
    >>> [round(x, 12) for x in tail(margins, [8, 12]).chances]  # 36 of 90 labelings make one cell 2, 6 three of them
    [0.466666666667, 0.066666666667]
    """
    # reads: few statements, and a limit for each quantity
    graph = lay(
        margins,
        Arithmetic(),
        min(thresholds),
        max(thresholds),
        most_edges,
    )
    sums, roundings = met(graph, thresholds, most_terms)
    unlifted_sums = (float(x) / LIFT / LIFT for x in sums)
    chances = tuple(min(1.0, chance) for chance in unlifted_sums)
    return TailChances(chances, relative_error(roundings))


def relative_error(roundings: int) -> float:
    """Return a bound of the relative error of a float after a number of ``roundings``.

    >>> f"{relative_error(100):.2g}"
    '1.1e-14'
    """
    return 1.01 * UNIT * roundings


def met(graph: Graph, thresholds: Sequence[int], most_terms: int = MOST_TERMS) -> tuple[list[Any], int]:
    """Return the total weight of the tables with a sum of at least t, for each threshold t, and a number of roundings.

    Totals in floats are multiplied by ``LIFT`` squared, and have at most this number of roundings each. Raise
    TooLargeError if more than ``most_terms`` terms are needed.
    """
    fronts = _advance(graph, thresholds, most_terms)
    modulus = graph.arithmetic.modulus
    past_tails = sums_from_above(fronts.past, modulus)
    future_tails = sums_from_above(fronts.future, modulus)
    increasing = np.unique(np.array(thresholds, np.int64))
    sums, longest = stoppable(
        meet, fronts.edges, fronts.past, fronts.future, past_tails, future_tails, increasing, modulus
    )
    sum_at = dict(zip(increasing.tolist(), sums.tolist()))
    # Roundings of the meeting: in the sums from above, in the sum over the paths of a state, in the sum over states.
    law = max(int(np.diff(laws.first).max(initial=0)) for laws in (fronts.past, fronts.future))
    meeting = law + longest + len(fronts.past.first)
    roundings = fronts.roundings + roundings_of_rows(graph) + meeting
    return [sum_at[t] for t in thresholds], roundings


@dataclass(frozen=True)
class LawInDoubles:
    """Distribution of a sum in floats: P(sum = key) for increasing ``keys``.

    ``error`` is a bound of the relative error of any sum of these probabilities.
    """

    keys: np.ndarray
    chances: np.ndarray
    error: float


def law(margins: OrderedMargins, most_terms: int = MOST_TERMS, most_edges: int = MOST_EDGES) -> LawInDoubles:
    """Return the distribution of the sum over the cells, in floats.

    Raise TooLargeError for more than ``most_terms`` terms, or more than ``most_edges`` edges of a row. The error
    bound is proved (statement `row-tail-error`).

    >>> squares = np.array([np.arange(3) ** 2] * 3)
    >>> found = law(OrderedMargins((2, 2, 2), (2, 2, 2), (squares,) * 3))
    >>> found.keys, found.chances.round(6)
    (array([ 6,  8, 12]), array([0.533333, 0.4     , 0.066667]))
    """
    graph = lay(margins, Arithmetic(), most=most_edges)
    roundings = roundings_of_rows(graph)
    for laws_of_level, longest in laws_from_the_end(graph, LIFT, most_terms):
        future = laws_of_level
        roundings += longest
    error = relative_error(roundings + len(future.keys))
    return LawInDoubles(future.keys, future.weights / LIFT, error)


def laws_from_the_end(graph: Graph, lift: float, most_terms: int) -> Iterator[tuple[Laws, int]]:
    """Yield the distributions of the sum over the later rows, for each level from the last to the first.

    Each item also has the largest number of summands of one weight, which bounds rounding errors. All weights are
    multiplied by ``lift``, so that floats do not underflow. Raise TooLargeError for more than ``most_terms`` terms,
    or more than ``MOST_KEYS`` values of a level.

    >>> graph = lay(OrderedMargins((1,), (1,), (np.zeros((1, 2), np.int64),)), Arithmetic())
    >>> [laws.keys.tolist() for laws, _ in laws_from_the_end(graph, 1, 10)]
    [[0], [0]]
    """
    ahead = at_the_end(graph, lift)
    terms = 0
    yield ahead, 0
    for edges in reversed(graph.levels):
        terms += int(np.diff(ahead.first)[edges.target].sum())
        if terms > most_terms or len(ahead.keys) > MOST_KEYS:
            raise TooLargeError(
                f"rows and cols are too large: their distribution needs more than {most_terms:,} additions "
                f"or {MOST_KEYS:,} values in memory"
            )
        everything = np.full(len(edges.start) - 1, FAR)
        ahead, longest = stoppable(
            laws_along,
            edges,
            ahead,
            -everything,
            everything,
            graph.arithmetic.modulus,
        )
        yield ahead, longest


def roundings_of_rows(graph: Graph) -> int:
    """Return a bound of the number of roundings in the weight of a table, including those of sums of merged paths.

    A row with l objects left before it and s columns has 3 l + 5 s + 4 roundings.
    """
    margins = graph.margins
    roundings = sum(graph.terms)  # additions of merged paths
    s = len(margins.cols)
    for objects_left in margins.left[:-1]:
        roundings += 3 * objects_left + 5 * s + 4
    return roundings


def tail_counts(
    margins: OrderedMargins, thresholds: Sequence[int], most_terms: int = MOST_TERMS
) -> tuple[list[int], int]:
    """Count the labelings with these margins whose sum is at least t, for each threshold t, and all labelings.

    >>> squares = np.array([np.arange(3) ** 2] * 3)
    >>> tail_counts(OrderedMargins((2, 2, 2), (2, 2, 2), (squares,) * 3), [8, 12])
    ([42, 6], 90)
    """
    total = arrangements(margins.rows)
    primes = primes_for(total)
    low = min(thresholds)
    high = max(thresholds)
    residues = []
    for prime in primes:
        graph = lay(margins, Arithmetic(prime), low, high)
        sums, _ = met(graph, thresholds, most_terms)
        residues.append(sums)
    return [int(x) for x in from_residues(np.array(residues), primes)], total


@dataclass(frozen=True)
class _Fronts:
    """Distributions at both ends of the edges of a row, where the recursions from both ends of the graph meet.

    ``past`` has the distributions of the sums over the rows before the edges, and ``future`` those over the rows
    after them. If the edges lead from later states to earlier ones, it is the other way round. ``roundings`` is the
    number of roundings in both.
    """

    past: Laws
    edges: Edges
    future: Laws
    roundings: int


def _advance(graph: Graph, thresholds: Sequence[int], most_terms: int) -> _Fronts:
    """Compute distributions from both ends of the graph, row by row, until they meet.

    In each step the end whose next row adds fewer terms advances. Raise TooLargeError for more than ``most_terms``
    terms.
    """
    ahead = values_ahead(graph)
    behind = _values_along(graph.back, 1)
    lift = LIFT if not graph.arithmetic.modulus else 1
    modulus = graph.arithmetic.modulus
    past = Laws(
        np.array([0, 1]),
        np.zeros(1, np.int64),
        graph.arithmetic.one * lift,
    )
    future = at_the_end(graph, lift)
    i = 0
    k = len(graph.levels)
    terms = 0.0
    roundings = 0
    while k > i:
        forward = graph.back[i]
        backward = graph.levels[k - 1]
        terms_forward = _terms_along(forward, past)
        terms_backward = _terms_along(backward, future)
        fewest = min(terms_forward, terms_backward)
        meets = False
        if k - i == 1:
            to_meet = _steps_to_meet(backward, past, future) / SUM
            meets = to_meet < NEW_KEY * fewest
            fewest = to_meet if meets else fewest
        terms += fewest
        keys = max(len(past.keys), len(future.keys))
        if terms > most_terms or keys > MOST_KEYS:
            raise TooLargeError(
                f"rows and cols are too large: the tail needs more than {most_terms:,} additions or {MOST_KEYS:,} "
                "values in memory"
            )
        if meets:
            break
        if terms_forward <= terms_backward:
            i += 1
            window = _window(thresholds, ahead[i], behind[i])
            past, longest = stoppable(laws_along, forward, past, *window, modulus)
        else:
            k -= 1
            window = _window(thresholds, behind[k], ahead[k])
            future, longest = stoppable(laws_along, backward, future, *window, modulus)
        roundings += longest
    if i == k:
        return _Fronts(
            past,
            _stay(
                len(past.first) - 1,
                graph.arithmetic.one,
            ),
            future,
            roundings,
        )
    if len(past.keys) < len(future.keys):
        # Longer distributions in the outer loop: each stays in the cache while keys of shorter ones are searched in it.
        return _Fronts(future, graph.back[i], past, roundings)
    return _Fronts(past, graph.levels[i], future, roundings)


def _terms_along(edges: Edges, laws: Laws) -> float:
    """Estimate the cost of the distributions along these edges, in units of one term.

    Each edge adds the keys of the distribution at its target. Terms of distributions that exceed the cache cost
    ``SLOW`` units.
    """
    terms = np.diff(laws.first)[edges.target]
    return float(terms.sum() + (SLOW - 1) * terms[terms > IN_CACHE].sum())


def _steps_to_meet(edges: Edges, past: Laws, future: Laws) -> float:
    """Estimate the number of steps to combine the distributions at both ends of these edges."""
    sources = np.repeat(
        np.diff(past.first),
        np.diff(edges.start),
    )
    targets = np.diff(future.first)[edges.target]
    by_pointers = sources + targets
    by_search = SEARCH * np.minimum(sources, targets)
    return float(np.minimum(by_pointers, by_search).sum())


def _stay(states: int, unit_weight: np.ndarray) -> Edges:
    """Return edges from each of ``states`` states to itself, with value 0 and the weight ``unit_weight``."""
    places = np.arange(states + 1)
    return Edges(
        places,
        places[:-1],
        np.repeat(unit_weight, states),
        np.zeros(states, np.int64),
    )


def _window(
    thresholds: Sequence[int],
    values_beyond: tuple[np.ndarray, np.ndarray],
    own_values: tuple[np.ndarray, np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each state of a level the smallest value to keep, and the value into which larger ones are merged.

    Smaller values reach no threshold. Values above the second one reach every threshold.

    Parameters
    ----------
    values_beyond : tuple of arrays
        Smallest and largest sum over the rows that are not added yet, for each state.
    own_values : tuple of arrays
        The same over the rows that are added.
    """
    least_keys = min(thresholds) - values_beyond[1]
    last_keys = np.maximum(max(thresholds) - values_beyond[0], own_values[0])
    return least_keys, np.maximum(last_keys, least_keys)


def at_the_end(graph: Graph, lift: float) -> Laws:
    """Return the distributions after the last row: at each state the sum 0, with the weight ``lift``.

    >>> graph = lay(OrderedMargins((1,), (1,), (np.zeros((1, 2), np.int64),)), Arithmetic())
    >>> at_the_end(graph, 1).weights
    array([1.])
    """
    size = graph.sizes[-1]
    weights = np.repeat(graph.arithmetic.one * lift, size)
    return Laws(
        np.arange(size + 1),
        np.zeros(size, np.int64),
        weights,
    )


def values_ahead(graph: Graph) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the smallest and largest sum over the later rows, for the states of each level (two arrays a level).

    >>> squares = np.array([np.arange(3) ** 2] * 2)
    >>> values_ahead(lay(OrderedMargins((2, 2), (2, 2), (squares,) * 2), Arithmetic()))[0]
    (array([4]), array([8]))
    """
    return _values_along(
        reversed(graph.levels),
        graph.sizes[-1],
    )[::-1]


def _values_along(levels: Iterable[Edges], size: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return for each level the smallest and the largest sum between its states and the first level.

    An element of ``levels`` has the edges from the states of a level back to the level before. The first level has
    ``size`` states.
    """
    values = [
        (
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
        )
    ]
    for edges in levels:
        values.append(extremes(edges, *values[-1]))
    return values
