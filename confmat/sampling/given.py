"""Uniform draws given the misclassification error distance, without bias at any distance of Tables.

Four ways, all exact.  *Matched*: propose a matching of rows to columns, the points on it and those off it; keep a
table with probability one over its number of best matchings.  Most proposals are kept at small distances, and
MED = 0 is built directly.  *Potentials* (see ``confmat.sampling.potentials``): the dual description, good near
the largest distance.  *Filtering*: draws from the whole class, for fixed margins or rows.  *Listing*: walk through
a class of moderate size up to relabeling, where it is small or a pilot shows that the others find too little.
Only where filtering finds too little in a class too large to list, draws are approximate: by *splitting* (see
``confmat.sampling.splitting``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import factorial

import numpy as np

from confmat.classes import FixedMargins, FixedRows, MatrixClass, Tables, margin_classes
from confmat.classes.compositions import Row
from confmat.engine.reference import tables_of_margins
from confmat.sampling.distance import MOST_LINES, check_distance, matched_points, no_member
from confmat.sampling.methods import LARGEST_TOTAL, Block, Method, TooRare, compiled, matched_proposals
from confmat.sampling.potentials import running_proposals
from confmat.sampling.splitting import MOST_LINES as MOST_SPLIT_LINES
from confmat.sampling.splitting import multilevel

# Proposals that one block may take before rejection gives up.
BUDGET = 10**9

# Draws made with one seed when they are filtered, and how many from the whole class they may take.
FILTER_BLOCK = 4096
FILTERED = 4 * 10**6

# Tables visited to list the members with a distance: at once, and when a pilot finds few of them (seconds).
LISTED = 10**6
MOST_LISTED = 2 * 10**7

# The pilot: this many draws must come from that many proposals.
PILOT_DRAWS = 20
PILOT = 20_000

# Potentials are weighed one total after another up to this best matching: some seconds.
MOST_MATCHED = 10**6


def given_med(matrices: MatrixClass, base: Callable[[], Method], m: int, approximate: bool = True) -> Method:
    """The best way to draw the members of ``matrices`` with MED = m/n; ``base()`` draws from the whole class.

    ``approximate``: splitting may take over where nothing exact finds enough.
    Raises ValueError when no member has this distance (as far as it is known), and for more columns than the
    matching by sets of columns can take.
    """
    if max(matrices.shape) > MOST_LINES or matrices.n >= LARGEST_TOTAL:
        raise ValueError(f"given needs at most {MOST_LINES} rows and columns and n < 2^62, got {matrices!r}")
    visited = _visited(matrices)
    if isinstance(matrices, Tables):
        method, pilot = (_from_tables(matrices, m, limit) for limit in (BUDGET, PILOT))
    elif visited <= LISTED:
        return _listed(matrices, m)
    else:
        whole = base()
        method, pilot = (_filtered(matrices, whole, m, limit) for limit in (FILTERED, PILOT))
    may_split = approximate and not isinstance(matrices, Tables) and max(matrices.shape) <= MOST_SPLIT_LINES
    if visited <= MOST_LISTED or may_split:
        try:
            pilot.draw(np.random.SeedSequence(0), PILOT_DRAWS)
        except TooRare:
            if visited <= MOST_LISTED:
                return _listed(matrices, m)
            why = f"less than {PILOT_DRAWS} of {PILOT} draws from the whole class have this MED"
            return multilevel(matrices, whole, m, why)
    return method


def _visited(matrices: MatrixClass) -> float:
    """About how many tables ``_listed`` walks through; infinite where too many, or not known."""
    try:
        count = matrices.count()
    except ValueError:  # margins that cannot be counted
        return np.inf
    if isinstance(matrices, FixedMargins):
        return count
    r, s = matrices.shape
    orders = factorial(s) * (factorial(r) if isinstance(matrices, Tables) else 1)
    # Members are numbered in 64 bits.
    return count // orders if count < 2**62 else np.inf


def _from_tables(matrices: Tables, m: int, limit: int) -> Method:
    check_distance(matrices, m)
    n, (r, s) = matrices.n, sorted(matrices.shape)
    if r == s and m == 0 and not matrices.empty:
        return Method(
            "diagonal", "MED = 0 is a matching alone", compiled("diagonal", (n,), matrices.shape, 1, "")
        )
    what = f"members of {matrices!r} with MED = {m}/{n}"
    turned = matrices.r > matrices.s
    matched = matched_proposals(n, r, s, m)
    running = running_proposals(n, r, s, n - m) if n - m <= MOST_MATCHED else [matched]
    if running[-1] < matched and (r == s or running[-1] < 2**62):
        split = np.array(running if r < s else [0] * len(running), np.int64)
        draw = compiled("propose_potentials", (split, n, matrices.empty), (r, s), limit, what, turned)
        return Method("potentials", "fewest proposals near the largest MED", draw, proposals=running[-1])
    draw = compiled("propose_matched", (n - m, m, matrices.empty), (r, s), limit, what, turned)
    return Method("matched", "a best matching, then the other cells", draw, proposals=matched)


def _listed(matrices: MatrixClass, m: int) -> Method:
    """Positions in a list of the members with this distance, one of each that lines in another order turn it into."""
    found, weights = [], []
    for rows, cols, weight in _margins(matrices):
        for batch in tables_of_margins(rows, cols):
            found.append(batch[matched_points(batch) == matrices.n - m])
            weights += [weight] * len(found[-1])
    if not weights:
        raise no_member(matrices, m)
    members, running = np.concatenate(found), np.cumsum(np.array(weights, np.int64))
    r, s = matrices.shape

    def draw(seeds: np.random.SeedSequence, size: int) -> Block:
        rng = np.random.Generator(np.random.PCG64(seeds))
        tables = members[np.searchsorted(running, rng.integers(0, running[-1], size), side="right")]
        if not isinstance(matrices, FixedMargins):
            tables = np.take_along_axis(tables, _orders(rng, size, s)[:, None, :], axis=2)
        if isinstance(matrices, Tables):
            tables = np.take_along_axis(tables, _orders(rng, size, r)[:, :, None], axis=1)
        return Block(tables, size)

    return Method("listing", f"all {running[-1]} members with this MED are known", draw)


def _margins(matrices: MatrixClass) -> Iterator[tuple[Row, Row, int]]:
    """Margins up to the order of the lines that the class leaves free, and how many orders there are."""
    from confmat.statistics import visited_margins

    if isinstance(matrices, FixedRows):
        for margins in margin_classes(matrices):
            yield matrices.rows, margins.cols, margins.weight
    else:
        yield from visited_margins(matrices, "permutations")


def _orders(rng: np.random.Generator, size: int, lines: int) -> np.ndarray:
    """Random permutations of 0..lines - 1, one in each row."""
    return rng.permuted(np.tile(np.arange(lines), (size, 1)), axis=1)


def _filtered(matrices: MatrixClass, base: Method, m: int, limit: int) -> Method:
    """Draws from the whole class, at most ``limit`` for a block, kept when their distance is right."""

    def draw(seeds: np.random.SeedSequence, size: int) -> Block:
        kept: list[np.ndarray] = [np.empty((0, *matrices.shape), np.int64)]
        found = drawn = 0
        while found < size:
            if drawn >= limit:
                raise TooRare(
                    f"only {found} of {drawn} draws from {matrices!r} had MED = {m}/{matrices.n}, {size} are needed"
                )
            block = base.draw(seeds.spawn(1)[0], FILTER_BLOCK)
            drawn += len(block.tables)
            kept.append(block.tables[matched_points(block.tables) == matrices.n - m])
            found += len(kept[-1])
        return Block(np.concatenate(kept)[:size], drawn)

    name, why = f"{base.name}, filtered", "draws of another MED are dropped"
    return replace(base, name=name, why=why, draw=draw, proposals=None, block=FILTER_BLOCK)
