"""Extremes of statistics over pairs of memberships on a grid: all pairs compared, a proved end attained, or an ascent.

>>> from confmat.classes import MembershipGrids
>>> from confmat.search import minimize
>>> answer = minimize(MembershipGrids(3, 2, 2, 3), "sari")
>>> answer.value, answer.proved
(Fraction(-19, 20), True)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice, permutations
from random import Random
from typing import Any

import numpy as np

from confmat.answers import Answer, Part, details
from confmat.classes import MembershipGrids
from confmat.classes.memberships import MembershipRows
from confmat.indices.soft.ranges import value_range
from confmat.plans import Run, choose, method, out_of_reach, register
from confmat.search.problem import Best, Problem
from confmat.statistics.memberships import is_soft, values

GRID_METHODS = ("exhaustive", "theorem", "local")

# Pairs that are looked at unless the method is asked for: about a minute.
MOST_PAIRS = 3 * 10**6
_SECONDS_OF_PAIR = 2e-5

# Pairs with the extreme that are listed, one of each orbit.
MOST_PAIRS_LISTED = 1000


Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, repr=False)
class GridResult(Answer):
    """The largest (or smallest) value of a statistic over pairs of memberships, and pairs (U, V) that attain it.

    ``proved``: whether the value is certain; ``basis``: what it rests on; ``complete``: whether every orbit that
    attains it is listed (a thousand at most are); ``examined``: how many pairs were looked at.
    """

    matrices: MembershipGrids
    statistic: str
    largest: bool
    value: Any
    maximizers: tuple[tuple[MembershipRows, MembershipRows], ...]
    proved: bool
    basis: str
    complete: bool
    method: str
    examined: int

    @property
    def minimizers(self) -> tuple[tuple[MembershipRows, MembershipRows], ...]:
        """The pairs that attain ``value``, under the name that suits ``minimize``."""
        return self.maximizers

    def parts(self) -> Iterable[Part]:
        """The value, what it rests on, and where it is."""
        extreme = "largest" if self.largest else "smallest"
        standing = "proved" if self.proved else "not proved"
        lines = [("value", self.value), ("basis", f"{standing}: {self.basis}"), ("method", self.method)]
        for U, V in self.maximizers[:6]:
            lines.append(("at", f"U = {_side_text(U)}, V = {_side_text(V)}"))
        yield details(lines, f"{extreme} {self.statistic} over {self.matrices!r}")


def _side_text(side: MembershipRows) -> str:
    return "; ".join(" ".join(map(str, row)) for row in side)


class GridSearch(Problem):
    """Find the largest or smallest value of a statistic over pairs of memberships.

    >>> from confmat.statistics.memberships import soft_or_hard
    >>> str(GridSearch(MembershipGrids(3, 2, 2, 3), soft_or_hard("sari"), None, 1))
    'maximize sari over MembershipGrids(n=3, r=2, s=2, d=3)'
    """

    matrices: MembershipGrids  # type: ignore[assignment]


def extreme(question: GridSearch) -> GridResult:
    """The largest or smallest value over a class of pairs; methods as of `confmat.search.maximize`.

    - "exhaustive": one pair of every orbit, unless asked for up to three million pairs.
    - "theorem": an end of the range that is proved and attained: the largest value 1, by two equal clusterings; the
      least sARI of 2 x 2 clusters of two objects, 1 - d^2 (statement `sari-range`), and of three to seven, -1/(n-2) for
      even d (statement `sari-least`).
    - "local": ascent from ``restarts`` pairs drawn with ``rng``, a row at a time: a bound.

    >>> from confmat.statistics.memberships import soft_or_hard
    >>> extreme(GridSearch(MembershipGrids(2, 2, 2, 1000), soft_or_hard("sari"), None, -1)).value
    Fraction(-999999, 1)
    """
    answer: GridResult = choose(question).run()
    return answer


def _result(search: GridSearch, value: Any, pairs: Iterable[Pair], **facts: Any) -> GridResult:
    """An answer; ``pairs`` that attain it times d."""
    grids = search.matrices
    rational = tuple((grids.rational(U), grids.rational(V)) for U, V in pairs)
    return GridResult(
        grids,
        search.statistic.name,
        (search.sign > 0),
        value,
        rational,
        **facts,
    )


def _by_all(search: GridSearch) -> GridResult:
    grids = search.matrices
    record = search.statistic
    sign = search.sign
    best = Best()
    pairs = 0
    for U, V, weights in grids.blocks():
        pairs += int(weights.sum())
        signed_values = [sign * value for value in values(record, U, V, grids.d)]
        top = max((x for x in signed_values if x == x), default=None)
        if top is not None:
            places = [i for i, x in enumerate(signed_values) if x == top]
            places_listed = places[:MOST_PAIRS_LISTED]
            best.offer(
                top,
                [
                    (
                        len(places),
                        U[places_listed],
                        V[places_listed],
                    )
                ],
            )
    orbits = sum(number for number, _, _ in best.holders)
    pairs_at_best = chain.from_iterable(zip(U, V) for _, U, V in best.holders)
    return _result(
        search,
        None if best.value is None else sign * best.value,
        islice(pairs_at_best, MOST_PAIRS_LISTED),
        proved=record.exact,
        basis="all pairs compared" if record.exact else "all pairs compared, in doubles",
        complete=orbits <= MOST_PAIRS_LISTED,
        method="exhaustive",
        examined=pairs,
    )


def _grid_theorem(search: GridSearch) -> GridResult | None:
    """The value by a theorem, and a pair that attains it; None where no theorem knows it."""
    record = search.statistic
    grids = search.matrices
    n, (r, s), d = grids.n, grids.shape, grids.d
    if not is_soft(record) or n < max(r, s):
        return None
    if search.sign > 0:
        if min(r, s) < 2 or n < 3:
            return None
        labels = np.arange(n) % 2
        pair = d * np.eye(r, dtype=np.int64)[labels], d * np.eye(s, dtype=np.int64)[labels]
        end = value_range(record.name)[1]
        basis = "no pair can pass this value (statement `sari-range`), which two equal clusterings have"
    elif record.name in ("sari", "anderson_adjusted_rand") and (r, s) == (2, 2):
        least_known = _least_sari(n, d)
        if least_known is None:
            return None
        pair, end, basis = least_known
    else:
        return None
    value = values(
        record,
        pair[0][None],
        pair[1][None],
        d,
    )[0]
    if value != end:
        return None
    return _result(
        search, value, [pair], proved=True, basis=basis, complete=False, method="theorem", examined=0
    )


def _least_sari(n: int, d: int) -> tuple[Pair, Any, str] | None:
    """A pair with the least sARI of 2 x 2 clusters, its value and the theorem that says so; None where none does.

    >>> _least_sari(4, 6)[1:]
    (Fraction(-1, 2), 'statement `sari-least`')
    """
    if n == 2:
        return _least_of_two_objects(d), 1 - d * d, "statement `sari-range`"
    if n in range(3, 8) and d % 2 == 0:
        halves = np.full((n, 2), d // 2)
        return (halves, halves), Fraction(-1, n - 2), "statement `sari-least`"
    return None


def _least_of_two_objects(d: int) -> Pair:
    """Two pairs of rows, times d, with sARI 1 - d^2."""
    if d % 2 == 0:
        even = np.full((2, 2), d // 2)
        return np.array([[0, d], [d - 1, 1]]), even
    constant = [(d + 1) // 2, (d - 1) // 2]
    crisp = d * np.eye(2, dtype=np.int64)
    return np.array([constant, constant]), crisp


def _by_ascent(search: GridSearch) -> GridResult:
    """From random pairs, the best change of a row of one side for as long as one is better."""
    grids = search.matrices
    record = search.statistic
    rng = Random(search.rng)
    sign = search.sign
    best = Best()
    pairs_examined = 0

    def worth(pairs: list[Pair]) -> list[Any]:
        U, V = (np.array(sides) for sides in zip(*pairs))
        far_below = Fraction(-(10**18))
        return [sign * x if x == x else far_below for x in values(record, U, V, grids.d)]

    for _ in range(search.restarts):
        U, V = grids.sample(1, rng.randrange(2**32))
        pair = U[0], V[0]
        (value,) = worth([pair])
        pairs_examined += 1
        while True:
            moves = [
                *_steps_of_object(grids, pair, 0),
                *_steps_of_object(grids, pair, 1),
            ]
            of_moves = worth(moves)
            pairs_examined += len(moves)
            best_move = max(of_moves)
            if best_move <= value:
                break
            value = best_move
            pair = moves[of_moves.index(best_move)]
        best.offer(value, [pair])
    return _result(
        search,
        sign * best.value,
        best.holders[:1],
        proved=False,
        basis="the best pair found; a bound",
        complete=False,
        method="local",
        examined=pairs_examined,
    )


def _steps_of_object(grids: MembershipGrids, pair: Pair, side: int) -> Iterable[Pair]:
    """The pair with a step of 1/d, or all there is, from one cluster to another, of each object on one side."""
    for i in range(grids.n):
        for start, end in permutations(range(grids.shape[side]), 2):
            share = int(pair[side][i, start])
            for step in {1, share} if share else ():
                moved_pair = pair[0].copy(), pair[1].copy()
                moved_pair[side][i, start] -= step
                moved_pair[side][i, end] += step
                yield moved_pair


@method(
    "exhaustive", "all pairs are compared, one of each orbit", "the value, proved, and pairs that attain it"
)
def _exhaustive(search: GridSearch) -> Run | str:
    grids = search.matrices
    if not grids.can_be_listed:
        return out_of_reach("more members than 64 bits number")
    pairs = grids.count()
    if search.asked is None and pairs > MOST_PAIRS:
        return f"is taken for up to {MOST_PAIRS} pairs, or if it is asked for"
    seconds = float(pairs) * _SECONDS_OF_PAIR
    return Run(
        lambda: _by_all(search),
        seconds,
        2**28,
        facts={"pairs": pairs},
    )


@method("theorem", "a theorem says where it is", "the value, proved, and one pair")
def _theorem(search: GridSearch) -> Run | str:
    result = _grid_theorem(search)
    if result is None:
        return "knows none here"
    return Run(lambda: result)


@method("local", "steepest ascent from random pairs", "a bound, attained")
def _local(search: GridSearch) -> Run:
    grids = search.matrices
    moves = 2 * grids.n * sum(side * (side - 1) for side in grids.shape)
    seconds = search.restarts * grids.n * moves * _SECONDS_OF_PAIR
    return Run(lambda: _by_ascent(search), seconds, 2**28)


register(GridSearch, _exhaustive, _theorem, _local)
