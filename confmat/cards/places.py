"""Where two clusterings stand: among all tables of their size, and at their cluster sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from time import process_time
from typing import NamedTuple

import numpy as np

from confmat.chance.null_laws import NullQuestion
from confmat.chance.p_values import PValue, p_of_draws
from confmat.classes import FixedMargins, MatrixClass, Tables
from confmat.errors import NotProved, TooLarge
from confmat.indices.cell_sums import PAIRS
from confmat.indices.extremes import (
    max_adjusted_rand_distance,
    max_med,
    max_rand_distance,
    min_med,
    min_rand_distance,
    nearest_matrices,
)
from confmat.indices.pairs import PairSums
from confmat.laws import Law, joint
from confmat.matrices.matching import heaviest_totals
from confmat.matrices.matrix import as_matrix, best_matching
from confmat.plans import Resources, choose, duration
from confmat.rows.sums import of_cells
from confmat.rows.tails import SMALLEST, tail
from confmat.sampling import stream
from confmat.statistics.table import as_statistic

MAIN = ("ari", "ri", "med")
"""The indices whose place is told; smaller is better of a distance, larger of its complement."""

# Draws are of one of these numbers: by the cells of a table, and fewer where a draw takes long.
DRAWS = (9_999, 4_999, 1_999, 999, 499, 199, 99, 19)

# Beyond these there is no place among other tables: a draw would take too long, or too much room.
MOST_CELLS_PLACED = 2500
LARGEST_N_PLACED = 10**8

# Seconds that the exact law of one population may take; more tables are drawn from without a plan, which takes longer.
_SECONDS_OF_LAW = 0.5
_MOST_TABLES = 10**12

# The same if a side has single objects: their enumeration takes longer than its plan.
_MOST_OF_SINGLE_OBJECTS = 10**6

_KNOWN = "best known, not proved"
_WORK = 2 * 10**7  # draws r s min(r, s), for which a second suffices
_SECONDS = 1.0  # of the draws of one population that are fewer for their time
_TOO_LONG = 2.0
_DEEP_TERMS, _DEEP_EDGES = (
    2 * 10**6,
    4 * 10**5,
)  # of the recursion for a p-value, in all rows: half a second at most
_LONGEST_HOOK = 10**6  # the best hook is looked for in n steps


@dataclass(frozen=True)
class End:
    """The best or worst value that is possible, or the best known, and what says so."""

    value: Fraction
    basis: str
    proved: bool


@dataclass(frozen=True)
class Population:
    """Tables among which a place is told: ``words`` what is equally likely, ``draws`` None if all were counted.

    ``refused``: why none was drawn, in words.
    """

    name: str
    words: str
    draws: int | None
    refused: str = ""


@dataclass(frozen=True)
class Standing:
    """One index: its value, the worst and the best possible, and how much of each population agrees as much.

    ``shares``: by the name of a population, the probability of a value as good as the observed one or better.
    """

    name: str
    observed: Fraction
    worst: End | None
    best: End | None
    shares: Mapping[str, PValue]


@dataclass(frozen=True)
class Place:
    """Standings of the indices of ``MAIN`` within two populations.

    "tables": all tables of this n, r and s, each equally likely.  "margins": the labels of one permuted, at these
    cluster sizes, where a share is the p-value.
    """

    populations: tuple[Population, ...]
    standings: tuple[Standing, ...]
    seed: int


def place(table: np.ndarray, rng: int = 0) -> Place:
    """The place of a table without empty lines; exact where a population is small, else of draws by ``rng``.

    Raises TooLarge for more than 10^8 objects or 2500 cells.

    >>> found = place(np.array([[5, 1], [0, 4]]))
    >>> ari = found.standings[0]
    >>> ari.observed, ari.worst.value, {name: str(share.value) for name, share in ari.shares.items()}
    (Fraction(40, 67), Fraction(-19, 116), {'tables': '17/123', 'margins': '1/21'})
    """
    table = np.asarray(as_matrix(table))
    n, (r, s) = int(table.sum()), table.shape
    if r * s > MOST_CELLS_PLACED or n > LARGEST_N_PLACED:
        raise TooLarge(f"matrix of {n} objects and {r} x {s} cells is too large to be placed among others")
    populations = []
    shares = []
    law = None
    for population, source in populations_of(table):
        populations.append(population)
        if population.draws is None:
            exact = joint(source.matrices, *MAIN, weight=source.weight)
            law = exact if population.name == "tables" else law
            shares.append(_places_by_law(exact, table))
        else:
            if population.draws:
                found = _places_by_draws(source, table, population.draws, rng)
            else:
                found = {}
            shares.append(found | (_deep(table) if population.name == "margins" else {}))
    return Place(
        tuple(populations),
        tuple(
            Standing(
                index,
                Fraction(as_statistic(index)(table)),
                *_ends(index, n, r, s, law),
                {x.name: share[index] for x, share in zip(populations, shares) if index in share},
            )
            for index in MAIN
        ),
        rng,
    )


class Source(NamedTuple):
    """What a population is of: the members of a class, each equally likely or by its pairs of labelings."""

    matrices: MatrixClass
    weight: str


def populations_of(table: np.ndarray) -> Iterator[tuple[Population, Source]]:
    """Yield the two populations of a table, and what ``joint`` or ``stream`` takes for each.

    >>> [population.draws for population, _ in populations_of(np.array([[5, 1], [0, 4]]))]
    [None, None]
    """
    n, (r, s) = int(table.sum()), table.shape
    margins = FixedMargins(table.sum(axis=1).tolist(), table.sum(axis=0).tolist())
    if n == r == s:  # each table has n! pairs of labelings
        tables = Source(margins, "labelings")
    else:
        tables = Source(Tables(n, r, s), "tables")
    few = Tables(n, r, s).has_at_most(_MOST_TABLES if n > max(r, s) else _MOST_OF_SINGLE_OBJECTS)
    for name, words, source in (
        ("tables", f"all {r} x {s} tables", tables),
        ("margins", "chance (p-value)", Source(margins, "labelings")),
    ):
        question = NullQuestion(
            source.matrices, MAIN, DRAWS[0], weight=source.weight, patience=_SECONDS_OF_LAW
        )
        if (few or name == "margins") and choose(question).method == "enumeration":
            yield Population(name, words, None), source
        else:
            draws, seconds = _draws_in_time(source, table)
            if draws:
                refused = ""
            else:
                refused = f"not drawn: would take {duration(seconds)}"
            yield Population(name, words, draws, refused), source


def _draws_in_time(source: Source, table: np.ndarray) -> tuple[int, float]:
    """How many draws, or 0, and how long all of them would take.

    The number depends on the cells alone, so that a card is the same everywhere, but where a draw takes long.

    >>> _draws_in_time(Source(Tables(50, 45, 45), "tables"), np.eye(45, dtype=int))[0]
    0
    """
    r, s = table.shape
    draws = _most_within(_WORK, r * s * min(r, s))
    drawing = stream(source.matrices, draws, rng=0, weight=source.weight)
    if drawing.method.name == "unranking":  # which counts before every draw: too long to be tried
        fewer = _most_within(_SECONDS, drawing.seconds / draws)
        return (min(draws, fewer) if fewer * drawing.seconds / draws <= _TOO_LONG else 0), drawing.seconds
    _places_by_draws(source, table, 1, 0)  # what is compiled or prepared once
    begin = process_time()
    _places_by_draws(source, table, DRAWS[-1], 0)
    a_draw = (process_time() - begin) / DRAWS[-1]
    if draws * a_draw > _TOO_LONG:
        draws = _most_within(_SECONDS, a_draw)
    return draws, draws * a_draw


def _most_within(total: float, each: float) -> int:
    """The most draws that a total suffices for, or the fewest there are.

    >>> _most_within(100, 0.2), _most_within(1, 5)
    (499, 19)
    """
    return next(
        (draws for draws in DRAWS if draws * each <= total),
        DRAWS[-1],
    )


def _places_by_law(law: Law, table: np.ndarray) -> dict[str, PValue]:
    """The exact share of each index that is as good as the table's, or better."""
    asked = []
    for index in MAIN:
        statistic = as_statistic(index)
        value = statistic(table)
        asked += [
            f"{index}{'>=' if statistic.complement else '<='}{value}",
            f"{index}={value}",
        ]
    found = law.ask(*asked)
    return {
        index: PValue(as_good, as_good - equal / 2, None)
        for index, as_good, equal in zip(MAIN, found[::2], found[1::2])
    }


def _places_by_draws(source: Source, table: np.ndarray, draws: int, seed: int) -> dict[str, PValue]:
    """The same from draws, compared exactly by the distances that the indices belong to."""
    n = int(table.sum())
    drawing = stream(source.matrices, draws, rng=seed, weight=source.weight, resources=Resources(threads=1))
    tables = drawing.array()
    sums = _sums_or_bound(tables, best_matching(table).total).astype(object).T
    shares = {}
    for index in MAIN:
        base = as_statistic(index).base
        assert base.formula is not None
        observed = Fraction(base(table))
        numerators, denominators = base.formula(n, *sums)
        left = numerators * observed.denominator
        # A distance that is 0/0 is 0.
        right = observed.numerator * np.where(denominators == 0, 1, denominators)
        shares[index] = p_of_draws(
            int((left < right).sum()),
            int((left == right).sum()),
            draws,
        )
    return shares


def _deep(table: np.ndarray) -> dict[str, PValue]:
    """The p-values of ARI and RI by a recursion over rows where that is quick: both grow with the pairs in cells.

    >>> {index: f"{p.value:.3g}" for index, p in _deep(np.diag([50, 50, 50])).items()}
    {'ari': '2.95e-69', 'ri': '2.95e-69'}
    """
    rows, cols = (tuple(table.sum(axis=axis).tolist()) for axis in (1, 0))
    pairs = PairSums.of(table).P
    try:
        margins = of_cells(PAIRS, rows, cols).margins
        found = tail(
            margins,
            [pairs, pairs + 1],
            _DEEP_TERMS,
            _DEEP_EDGES // len(rows),
        )
    except TooLarge:
        return {}
    as_good, better = found.chances
    if as_good < SMALLEST:
        return {}
    p = PValue(as_good, (as_good + better) / 2, error=found.error)
    return {"ari": p, "ri": p}


def _sums_or_bound(tables: np.ndarray, matched: int) -> np.ndarray:
    """As `pair_sums`, but of tables that match fewer points than ``matched`` for certain, m is a bound that says so.

    >>> _sums_or_bound(np.array([[[2, 1], [0, 1]], [[2, 1], [2, 1]]]), 3)
    array([[1, 3, 2, 1],
           [3, 6, 7, 2]])
    """
    # No matching has more than the largest cell of every row, or of every column.
    most_by_rows = tables.max(axis=2).sum(axis=1)
    most_by_cols = tables.max(axis=1).sum(axis=1)
    most = np.minimum(most_by_rows, most_by_cols)
    near = most >= matched
    if near.any():
        most[near] = heaviest_totals(tables[near])
    rows = tables.sum(axis=2)
    cols = tables.sum(axis=1)
    cells = tables.reshape(len(tables), -1)
    columns = [rows.sum(axis=1) - most]
    for sizes in (rows, cols, cells):
        pairs = sizes * (sizes - 1) // 2
        columns.append(pairs.sum(axis=1))
    return np.column_stack(columns)


# --- the best and the worst possible --------------------------------------------------------------


def _ends(index: str, n: int, r: int, s: int, law: Law | None) -> tuple[End | None, End | None]:
    """The worst and the best value over all tables: from their law, by theorems, or the best known."""
    statistic = as_statistic(index)
    if law is not None:
        low, high = (End(Fraction(x), "all tables compared", True) for x in (law[index].min, law[index].max))
        return (low, high) if statistic.complement else (high, low)
    distance = statistic.base.name
    ends = _farthest(distance, n, r, s), _nearest(distance, n, r, s)
    if not statistic.complement:
        return ends
    worst, best = (None if x is None else replace(x, value=1 - x.value) for x in ends)
    return worst, best


def _farthest(distance: str, n: int, r: int, s: int) -> End | None:
    if distance != "ard":
        largest = {"med": max_med, "rd": max_rand_distance}[distance](n, r, s)
        return End(largest, f"theorem max_{'rand' if distance == 'rd' else 'med'}", True)
    try:
        return End(max_adjusted_rand_distance(n, r, s), "theorem max_adjusted_rand", True)
    except (NotProved, TooLarge):
        pass
    try:
        if n <= _LONGEST_HOOK:
            return End(max_adjusted_rand_distance(n, r, s, conjectured=True), _KNOWN, False)
        return None
    except NotProved:
        return None


def _nearest(distance: str, n: int, r: int, s: int) -> End:
    if distance != "ard":
        return End({"med": min_med, "rd": min_rand_distance}[distance](n, r, s), "closed form", True)
    if r == s:
        return End(Fraction(0), "the two coincide", True)
    return End(min(PairSums.of(x).adjusted_rand_distance for x in nearest_matrices(n, r, s)), _KNOWN, False)
