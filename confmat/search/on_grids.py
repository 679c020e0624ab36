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
from confmat.classes.memberships import Rows
from confmat.indices.soft.ranges import value_range
from confmat.matrices.arguments import as_amount, as_choice, as_count
from confmat.plans import Question, Resources, Run, as_resources, choose, method, out_of_reach, register
from confmat.statistics.memberships import is_soft, soft_or_hard, values
from confmat.statistics.record import Statistic

METHODS = ("exhaustive", "theorem", "local")

# Pairs that are looked at unless the method is asked for: about a minute.
MOST_PAIRS = 3 * 10**6
_SECONDS_OF_PAIR = 2e-5

# Pairs with the extreme that are listed, one of each orbit.
MOST_LISTED = 1000


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
    maximizers: tuple[tuple[Rows, Rows], ...]
    proved: bool
    basis: str
    complete: bool
    method: str
    examined: int

    @property
    def minimizers(self) -> tuple[tuple[Rows, Rows], ...]:
        """The pairs that attain ``value``, under the name that suits ``minimize``."""
        return self.maximizers

    def parts(self) -> Iterable[Part]:
        """The value, what it rests on, and where it is."""
        title = f"{'largest' if self.largest else 'smallest'} {self.statistic} over {self.matrices!r}"
        sure = f"{'proved' if self.proved else 'not proved'}: {self.basis}"
        at = [("at", f"U = {_text(U)}, V = {_text(V)}") for U, V in self.maximizers[:6]]
        lines = [("value", self.value), ("basis", sure), ("method", self.method), *at]
        yield details(lines, title)


def _text(side: Rows) -> str:
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
        as_choice("method", method, METHODS)
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


def _by_all(grids: MembershipGrids, record: Statistic, largest: bool) -> GridResult:
    sign = 1 if largest else -1
    best: Any = None
    listed: list[tuple[Rows, Rows]] = []
    orbits, pairs = 0, 0
    for U, V, weights in grids.blocks():
        pairs += int(weights.sum())
        found = values(record, U, V, grids.d)
        defined = [sign * value for value in found if value == value]
        top = max(defined, default=None)
        if top is None or (best is not None and top < best):
            continue
        if best is None or top > best:
            best, listed, orbits = top, [], 0
        places = [i for i, value in enumerate(found) if value == value and sign * value == best]
        orbits += len(places)
        for i in places[: MOST_LISTED - len(listed)]:
            listed.append((grids.rational(U[i]), grids.rational(V[i])))
    return GridResult(
        grids,
        record.name,
        largest,
        value=None if best is None else sign * best,
        maximizers=tuple(listed),
        proved=record.exact,
        basis="all pairs compared" if record.exact else "all pairs compared, in doubles",
        complete=len(listed) == orbits,
        method="exhaustive",
        examined=pairs,
    )


def _by_theorem(grids: MembershipGrids, record: Statistic, largest: bool) -> GridResult | None:
    """The value by a theorem, and a pair that attains it; None where no theorem knows it."""
    n, (r, s), d = grids.n, grids.shape, grids.d
    if not is_soft(record) or n < max(r, s):
        return None
    if largest:
        if min(r, s) < 2 or n < 3:
            return None
        labels = np.arange(n) % 2
        pair = d * np.eye(r, dtype=np.int64)[labels], d * np.eye(s, dtype=np.int64)[labels]
        end = value_range(record.name)[1]
        basis = "no pair can pass this value (statement `sari-range`), which two equal clusterings have"
    elif record.name in ("sari", "anderson_adjusted_rand") and (r, s) == (2, 2):
        known = _least_sari(n, d)
        if known is None:
            return None
        pair, end, basis = known
    else:
        return None
    value = values(record, pair[0][None], pair[1][None], d)[0]
    if value != end:
        return None
    shown = (grids.rational(pair[0]), grids.rational(pair[1]))
    return GridResult(
        grids, record.name, largest, value, (shown,), True, basis, False, method="theorem", examined=0
    )


def _least_sari(n: int, d: int) -> tuple[tuple[np.ndarray, np.ndarray], Any, str] | None:
    """A pair with the least sARI of 2 x 2 clusters, its value and the theorem that says so; None where none does.

    >>> _least_sari(4, 6)[1:]
    (Fraction(-1, 2), 'statement `sari-least`')
    """
    if n == 2:
        return _least_of_two_objects(d), 1 - d * d, "statement `sari-range`"
    if n in range(3, 8) and d % 2 == 0:
        half = np.full((n, 2), d // 2)
        return (half, half), Fraction(-1, n - 2), "statement `sari-least`"
    return None


def _least_of_two_objects(d: int) -> tuple[np.ndarray, np.ndarray]:
    """Two pairs of rows, times d, with sARI 1 - d^2."""
    if d % 2:
        constant = [(d + 1) // 2, (d - 1) // 2]
        return np.array([constant, constant]), np.array([[d, 0], [0, d]])
    return np.array([[0, d], [d - 1, 1]]), np.full((2, 2), d // 2)


def _by_ascent(search: GridSearch) -> GridResult:
    """From random pairs, the best change of a row of one side for as long as one is better."""
    grids, record, largest = search.matrices, search.statistic, search.largest
    rng = Random(search.rng)
    sign = 1 if largest else -1
    examined = 0
    best: tuple[Any, Any] | None = None

    def worth(U: np.ndarray, V: np.ndarray) -> list[Any]:
        nonlocal examined
        examined += len(U)
        least = -(10**18)
        return [sign * x if x == x else Fraction(least) for x in values(record, U, V, grids.d)]

    for _ in range(search.restarts):
        drawn = grids.sample(1, rng.randrange(2**32))
        U, V = drawn[0][0], drawn[1][0]
        here = worth(U[None], V[None])[0]
        while True:
            moves = [*_moves(grids, U, V, 0), *_moves(grids, U, V, 1)]
            of_moves = worth(np.array([u for u, _ in moves]), np.array([v for _, v in moves]))
            place = max(range(len(moves)), key=of_moves.__getitem__)
            if of_moves[place] <= here:
                break
            here, (U, V) = of_moves[place], moves[place]
        if best is None or here > best[0]:
            best = here, (grids.rational(U), grids.rational(V))
    assert best is not None
    return GridResult(
        grids,
        record.name,
        largest,
        value=sign * best[0],
        maximizers=(best[1],),
        proved=False,
        basis="the best pair found; a bound",
        complete=False,
        method="local",
        examined=examined,
    )


def _moves(
    grids: MembershipGrids, U: np.ndarray, V: np.ndarray, side: int
) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """The pair with a step of 1/d from one cluster to another, of each object on one side."""
    for i in range(grids.n):
        for start in range(grids.shape[side]):
            for end in range(grids.shape[side]):
                changed = (U.copy(), V.copy())
                row = changed[side][i]
                if start == end or not row[start]:
                    continue
                for step in {1, int(row[start])}:
                    changed = (U.copy(), V.copy())
                    changed[side][i, start] -= step
                    changed[side][i, end] += step
                    yield changed


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
        lambda: _by_all(grids, search.statistic, search.largest), seconds, 2**28, facts={"pairs": pairs}
    )


@method("theorem", "a theorem says where it is", "the value, proved, and one pair")
def _theorem(search: GridSearch) -> Run | str:
    known = _by_theorem(search.matrices, search.statistic, search.largest)
    return "knows none here" if known is None else Run(lambda: known)


@method("local", "steepest ascent from random pairs", "a bound, attained")
def _local(search: GridSearch) -> Run:
    grids = search.matrices
    moves = 2 * grids.n * sum(side * (side - 1) for side in grids.shape)
    seconds = search.restarts * grids.n * moves * _SECONDS_OF_PAIR
    return Run(lambda: _by_ascent(search), seconds, 2**28)


register(GridSearch, _exhaustive, _theorem, _local)
