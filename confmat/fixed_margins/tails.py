"""Tails of a sum over cells at fixed margins, labels permuted at random: floats with a proved error, or integers.

A tail {value >= t} is computed from both ends. Among the values v of paths to a state only those with t - (largest
ahead) <= v count. Those with v >= t - (least ahead) are merged, because they are in the tail for every
continuation. The same holds for the paths from a state on. The end that adds fewer terms advances. They meet over
the edges of a last row, with the longer distributions in the outer loop, or in states if this takes fewer steps.
The steps of the meeting count as terms, and a tail with too many terms is refused before they are added.

Merging is correct: behind a state, keys above high = max(t - least ahead, least behind) become high. If both halves
of a path are merged, its value counts as at least t, as it should: high behind + edge >= least behind the end of
the edge, and high ahead >= t minus that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from confmat._integers.arrays import from_residues, primes_for
from confmat._integers.compositions import arrangements
from confmat._numba import stoppable
from confmat.errors import TooLargeError
from confmat.fixed_margins.graph import MOST_EDGES, Arithmetic, Graph, OrderedMargins, lay
from confmat.fixed_margins.kernels import FAR, Edges, Laws, extremes, laws_along, meet, sums_from_above

MOST_TERMS = 1_500_000_000
"""Terms of laws that one tail may add up: some 15 seconds, at 10 ns each."""

MOST_KEYS = 50_000_000
"""Values that the laws of one level may have: 16 bytes each, and as much again while they are made."""

# Beside a step of a pointer along a law, measured: a search in it, and a term added to a law's hash table.
SEARCH, SUM = 40, 10

# The most keys of a law that is added to others in the cache, and how much longer a term of a longer one takes,
# measured: 50 to 90 ns for 10.  Of 2 x 20 tables of 400 objects no tail is within reach: known after 15 s, not 50.
IN_CACHE, SLOW = 100_000, 6

# How much longer a term takes that is equal to none before it, a key of its own, which is sorted: 120 ns.
NEW_KEY = 12

UNIT = 2.0**-53

SMALLEST = 1e-290
"""Below it doubles may have lost chances on the way: shares of a row below 10^-308 are 0."""

LIFT = 2.0**400
"""What chances on either side of the middle are multiplied by, so that products down to 10^-500 stay normal doubles."""


@dataclass(frozen=True)
class TailChances:
    """P(value >= t) for each threshold t, and a bound of the relative error of each."""

    chances: tuple[float, ...]
    error: float


def tail(
    margins: OrderedMargins,
    thresholds: Sequence[int],
    most_terms: int = MOST_TERMS,
    most_edges: int = MOST_EDGES,
) -> TailChances:
    """Return P(value >= t) for each threshold, in floats.

    Raises TooLargeError beyond ``most_terms`` terms, or too many edges. The error is proved in statement
    `row-tail-error`.

    >>> squares = np.array([np.arange(3) ** 2] * 3)
    >>> margins = OrderedMargins((2, 2, 2), (2, 2, 2), (squares,) * 3)
    >>> [round(x, 12) for x in tail(margins, [8, 12]).chances]  # 36 of 90 labelings make one cell 2, 6 three of them
    [0.466666666667, 0.066666666667]
    """
    # reads: few statements, and a limit for each thing that may be too many
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
    """Return a bound of the relative error of a number after ``roundings`` roundings (`row-tail-error`).

    >>> f"{relative_error(100):.2g}"
    '1.1e-14'
    """
    return 1.01 * UNIT * roundings


def met(graph: Graph, thresholds: Sequence[int], most_terms: int = MOST_TERMS) -> tuple[list[Any], int]:
    """Return the weights of all paths with a value of at least each threshold (floats are lifted twice), and a bound
    of the number of roundings.
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
    # Sums of the meeting: of a law from above, of a state's paths, of the states.
    law = max(int(np.diff(laws.first).max(initial=0)) for laws in (fronts.past, fronts.future))
    meeting = law + longest + len(fronts.past.first)
    roundings = fronts.roundings + roundings_of_rows(graph) + meeting
    return [sum_at[t] for t in thresholds], roundings


@dataclass(frozen=True)
class LawInDoubles:
    """P(value = key) for increasing keys, and a bound of the relative error of every sum of them."""

    keys: np.ndarray
    chances: np.ndarray
    error: float


def law(margins: OrderedMargins, most_terms: int = MOST_TERMS, most_edges: int = MOST_EDGES) -> LawInDoubles:
    """Return the distribution of the value in floats.

    Raises TooLargeError beyond ``most_terms`` terms, or too many edges. The error is proved in statement
    `row-tail-error`.

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
    """Yield the distributions of the values ahead of the states, from the last level on, and the most terms of a sum
    in them.

    Raises TooLargeError beyond ``most_terms`` terms, or ``MOST_KEYS`` values.

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
                f"the distribution is too large: more than {most_terms:,} terms in all, "
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
    """Return the number of roundings in the weights of a path, with those of certain sums on it.

    A row has 3 l + 5 s + 4 of them, with l objects left before it and s columns.
    """
    margins = graph.margins
    roundings = sum(graph.terms)
    s = len(margins.cols)
    for objects_left in margins.left[:-1]:
        roundings += 3 * objects_left + 5 * s + 4
    return roundings


def tail_counts(
    margins: OrderedMargins, thresholds: Sequence[int], most_terms: int = MOST_TERMS
) -> tuple[list[int], int]:
    """Count the labelings with these margins whose value is at least each threshold, and all labelings.

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
    """Distributions behind a row and ahead of it, the edges of the row, and roundings of the sums in the
    distributions.
    """

    past: Laws
    edges: Edges
    future: Laws
    roundings: int


def _advance(graph: Graph, thresholds: Sequence[int], most_terms: int) -> _Fronts:
    """Return both ends after they met. Each time the end that adds fewer terms advances."""
    ahead = values_ahead(graph)
    behind = _values_along(graph.back, 1)
    lift = LIFT if not graph.arithmetic.modulus else 1
    modulus = graph.arithmetic.modulus
    rows = len(graph.levels)
    past = Laws(
        np.array([0, 1]),
        np.zeros(1, np.int64),
        graph.arithmetic.one * lift,
    )
    future = at_the_end(graph, lift)
    i = 0
    k = rows
    terms = 0.0
    roundings = 0
    new_keys_behind = new_keys_ahead = 1.0
    while k > i:
        forward = graph.back[i]
        backward = graph.levels[k - 1]
        cost_forward = _terms_along(forward, past, new_keys_behind)
        cost_backward = _terms_along(backward, future, new_keys_ahead)
        if k - i == 1:
            cost_to_meet = _steps_to_meet(backward, past, future) / SUM
        else:
            cost_to_meet = inf
        terms += min(cost_forward, cost_backward, cost_to_meet)
        keys = max(len(past.keys), len(future.keys))
        if terms > most_terms or keys > MOST_KEYS:
            raise TooLargeError(
                f"the tail takes more than {most_terms:,} terms, or {MOST_KEYS:,} values at once"
            )
        if cost_to_meet < min(cost_forward, cost_backward):
            break
        if cost_forward <= cost_backward:
            i += 1
            added = _terms_of_edges(forward, past).sum()
            past, longest = stoppable(
                laws_along, forward, past, *_window(thresholds, ahead[i], behind[i]), modulus
            )
            new_keys_behind = len(past.keys) / max(1, added)
        else:
            k -= 1
            added = _terms_of_edges(backward, future).sum()
            future, longest = stoppable(
                laws_along, backward, future, *_window(thresholds, behind[k], ahead[k]), modulus
            )
            new_keys_ahead = len(future.keys) / max(1, added)
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
        # The longer laws outside: each stays in the cache while short ones are looked up in it.
        return _Fronts(future, graph.back[i], past, roundings)
    return _Fronts(past, graph.levels[i], future, roundings)


def _terms_of_edges(edges: Edges, laws: Laws) -> np.ndarray:
    """Return the number of terms that each of these edges adds to a distribution."""
    return np.diff(laws.first)[edges.target]


def _terms_along(edges: Edges, laws: Laws, new_keys: float) -> float:
    """Return the number of terms of the distributions along these edges. Terms of long ones count ``SLOW`` times.

    ``new_keys`` is the fraction of terms that are different from all before them.
    """
    terms = _terms_of_edges(edges, laws)
    return float((1 + NEW_KEY * new_keys) * terms.sum() + (SLOW - 1) * terms[terms > IN_CACHE].sum())


def _steps_to_meet(edges: Edges, past: Laws, future: Laws) -> float:
    """Return the approximate number of pointer steps to meet over these edges."""
    sources = np.repeat(
        np.diff(past.first),
        np.diff(edges.start),
    )
    targets = np.diff(future.first)[edges.target]
    by_pointers = sources + targets
    by_search = SEARCH * np.minimum(sources, targets)
    return float(np.minimum(by_pointers, by_search).sum())


def _stay(states: int, unit_weight: np.ndarray) -> Edges:
    """Return edges from each state to itself, for two ends that meet in a state."""
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
    """Return the least key that counts at each state, and the key from which on keys are merged.

    ``values_beyond`` and ``own_values`` are pairs of arrays: the least and the largest value of each state.
    """
    least_keys = min(thresholds) - values_beyond[1]
    last_keys = np.maximum(max(thresholds) - values_beyond[0], own_values[0])
    return least_keys, np.maximum(last_keys, least_keys)


def at_the_end(graph: Graph, lift: float) -> Laws:
    """Return the distributions after the last row: one key 0 for each state.

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
    """Return the least and the largest value from each state on, a pair of arrays for each level.

    >>> squares = np.array([np.arange(3) ** 2] * 2)
    >>> values_ahead(lay(OrderedMargins((2, 2), (2, 2), (squares,) * 2), Arithmetic()))[0]
    (array([4]), array([8]))
    """
    return _values_along(
        reversed(graph.levels),
        graph.sizes[-1],
    )[::-1]


def _values_along(levels: Iterable[Edges], size: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the least and the largest value of the paths along these edges, from ``size`` initial states."""
    values = [
        (
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
        )
    ]
    for edges in levels:
        values.append(extremes(edges, *values[-1]))
    return values
