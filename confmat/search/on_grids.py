"""Extremes of statistics over pairs of memberships on a grid: all pairs compared, a proved end attained, or an ascent.

>>> from confmat.classes import MembershipGrids
>>> answer = extreme(grid_search(MembershipGrids(3, 2, 2, 3), "sari", largest=False))
>>> answer.value, answer.proved
(Fraction(-19, 20), True)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from confmat.answers import Answer, Part, details
from confmat.classes import MembershipGrids
from confmat.classes.memberships import MembershipRows
from confmat.indices.soft.ranges import value_range
from confmat.matrices.arguments import as_amount, as_choice, as_count
from confmat.plans import Question, Resources, Run, as_resources, choose, method, out_of_reach, register
from confmat.statistics.memberships import is_soft, soft_or_hard, values
from confmat.statistics.record import Statistic

GRID_METHODS = ("exhaustive", "theorem", "local")

# Pairs that are looked at unless the method is asked for: about a minute.
MOST_PAIRS = 3 * 10**6
_SECONDS_OF_PAIR = 2e-5

# Pairs with the extreme that are listed, one of each orbit.
MOST_PAIRS_LISTED = 1000


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


@dataclass(frozen=True)
class GridSearch(Question):
    """Find the largest or smallest value of a statistic over pairs of memberships; ``asked``: the method by name."""

    matrices: MembershipGrids
    statistic: Statistic
    largest: bool = True
    restarts: int = 20
    rng: int = 0
    asked: str | None = None
    resources: Resources = field(default_factory=Resources)

    def __str__(self) -> str:
        word = "maximize" if self.largest else "minimize"
        return f"{word} {self.statistic.name} over {self.matrices!r}"


def grid_search(
    grids: MembershipGrids,
    statistic: Any,
    *,
    largest: bool = True,
    method: str | None = None,
    restarts: int = 20,
    rng: int = 0,
    resources: Resources | None = None,
) -> GridSearch:
    """What a search over a class of pairs asks, its arguments checked.

    >>> str(grid_search(MembershipGrids(3, 2, 2, 3), "sari"))
    'maximize sari over MembershipGrids(n=3, r=2, s=2, d=3)'
    """
    record = soft_or_hard(statistic)
    if method is not None:
        as_choice("method", method, GRID_METHODS)
    restarts, rng = as_amount("restarts", restarts, 1), as_count("rng", rng)
    return GridSearch(grids, record, largest, restarts, rng, method, as_resources(resources))


def extreme(question: GridSearch) -> GridResult:
    """The largest or smallest value over a class of pairs; methods as of `confmat.search.maximize`.

    - "exhaustive": one pair of every orbit, unless asked for up to three million pairs.
    - "theorem": an end of the range that is proved and attained: the largest value 1, by two equal clusterings; the
      least sARI of 2 x 2 clusters of two objects, 1 - d^2 (statement `sari-range`), and of three to seven, -1/(n-2) for
      even d (statement `sari-least`).
    - "local": ascent from ``restarts`` pairs drawn with ``rng``, a row at a time: a bound.

    >>> extreme(grid_search(MembershipGrids(2, 2, 2, 1000), "sari", largest=False)).value
    Fraction(-999999, 1)
    """
    answer: GridResult = choose(question).run()
    return answer


def _result(
    search: GridSearch, value: Any, pairs: Iterable[tuple[np.ndarray, np.ndarray]], **how: Any
) -> GridResult:
    """An answer; ``pairs`` that attain it times d."""
    grids = search.matrices
    rational = tuple((grids.rational(U), grids.rational(V)) for U, V in pairs)
    return GridResult(grids, search.statistic.name, search.largest, value, rational, **how)


def _by_all(search: GridSearch) -> GridResult:
    grids, record = search.matrices, search.statistic
    sign = 1 if search.largest else -1
    best: Any = None
    pairs_at_best: list[tuple[np.ndarray, np.ndarray]] = []
    orbits, pairs = 0, 0
    for U, V, weights in grids.blocks():
        pairs += int(weights.sum())
        block_values = values(record, U, V, grids.d)
        signed_values = [sign * value for value in block_values if value == value]
        top = max(signed_values, default=None)
        if top is None or (best is not None and top < best):
            continue
        if best is None or top > best:
            best, pairs_at_best, orbits = top, [], 0
        places = [i for i, value in enumerate(block_values) if value == sign * best]
        orbits += len(places)
        for i in places[: MOST_PAIRS_LISTED - len(pairs_at_best)]:
            pairs_at_best.append((U[i].copy(), V[i].copy()))
    return _result(
        search,
        None if best is None else sign * best,
        pairs_at_best,
        proved=record.exact,
        basis="all pairs compared" if record.exact else "all pairs compared, in doubles",
        complete=len(pairs_at_best) == orbits,
        method="exhaustive",
        examined=pairs,
    )


def _grid_theorem(search: GridSearch) -> GridResult | None:
    """The value by a theorem, and a pair that attains it; None where no theorem knows it."""
    record, grids = search.statistic, search.matrices
    n, (r, s), d = grids.n, grids.shape, grids.d
    if not is_soft(record) or n < max(r, s):
        return None
    if search.largest:
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
    value = values(record, pair[0][None], pair[1][None], d)[0]
    if value != end:
        return None
    return _result(
        search, value, [pair], proved=True, basis=basis, complete=False, method="theorem", examined=0
    )


def _least_sari(n: int, d: int) -> tuple[tuple[np.ndarray, np.ndarray], Any, str] | None:
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


def _least_of_two_objects(d: int) -> tuple[np.ndarray, np.ndarray]:
    """Two pairs of rows, times d, with sARI 1 - d^2."""
    if d % 2 == 0:
        even = np.full((2, 2), d // 2)
        return np.array([[0, d], [d - 1, 1]]), even
    constant = [(d + 1) // 2, (d - 1) // 2]
    crisp = d * np.eye(2, dtype=np.int64)
    return np.array([constant, constant]), crisp


def _by_ascent(search: GridSearch) -> GridResult:
    """From random pairs, the best change of a row of one side for as long as one is better."""
    grids, record = search.matrices, search.statistic
    rng = Random(search.rng)
    sign = 1 if search.largest else -1
    examined = 0
    best: tuple[Any, Any] | None = None

    def worth(U: np.ndarray, V: np.ndarray) -> list[Any]:
        nonlocal examined
        examined += len(U)
        far_below = -(10**18)
        return [sign * x if x == x else Fraction(far_below) for x in values(record, U, V, grids.d)]

    for _ in range(search.restarts):
        random_pair = grids.sample(1, rng.randrange(2**32))
        U, V = random_pair[0][0], random_pair[1][0]
        value = worth(U[None], V[None])[0]
        while True:
            moves = [*_steps_of_object(grids, U, V, 0), *_steps_of_object(grids, U, V, 1)]
            of_moves = worth(np.array([u for u, _ in moves]), np.array([v for _, v in moves]))
            place = max(range(len(moves)), key=of_moves.__getitem__)
            if of_moves[place] <= value:
                break
            value, (U, V) = of_moves[place], moves[place]
        if best is None or value > best[0]:
            best = value, (U, V)
    assert best is not None
    return _result(
        search,
        sign * best[0],
        [best[1]],
        proved=False,
        basis="the best pair found; a bound",
        complete=False,
        method="local",
        examined=examined,
    )


def _steps_of_object(
    grids: MembershipGrids, U: np.ndarray, V: np.ndarray, side: int
) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """The pair with a step of 1/d from one cluster to another, of each object on one side."""
    for i in range(grids.n):
        for start in range(grids.shape[side]):
            for end in range(grids.shape[side]):
                moved_pair = (U.copy(), V.copy())
                row = moved_pair[side][i]
                if start == end or not row[start]:
                    continue
                for step in {1, int(row[start])}:
                    moved_pair = (U.copy(), V.copy())
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
    return Run(lambda: _by_all(search), seconds, 2**28, facts={"pairs": pairs})


@method("theorem", "a theorem says where it is", "the value, proved, and one pair")
def _theorem(search: GridSearch) -> Run | str:
    result = _grid_theorem(search)
    return "knows none here" if result is None else Run(lambda: result)


@method("local", "steepest ascent from random pairs", "a bound, attained")
def _local(search: GridSearch) -> Run:
    grids = search.matrices
    moves = 2 * grids.n * sum(side * (side - 1) for side in grids.shape)
    seconds = search.restarts * grids.n * moves * _SECONDS_OF_PAIR
    return Run(lambda: _by_ascent(search), seconds, 2**28)


register(GridSearch, _exhaustive, _theorem, _local)
