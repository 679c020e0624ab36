"""Uniform draws given the misclassification error distance, without bias at any distance.

Three ways, all exact.  *Matched*: propose a matching of rows to columns, the points on it and those off it; keep a
table with probability one over its number of best matchings.  Most proposals are kept at small distances, and
MED = 0 is built directly.  *Potentials* (see ``confmat.sampling.potentials``): the dual description, good near
the largest distance.  *Listing*: walk through a small class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from confmat.classes import MatrixClass, Tables
from confmat.engine.reference import tables_of_margins
from confmat.sampling.kernels import pair_sums_and_matching
from confmat.sampling.methods import LARGEST_TOTAL, Block, Method, TooRare, compiled, matched_proposals
from confmat.sampling.potentials import potential_proposals

# Proposals that one block may take before rejection gives up.
BUDGET = 10**9

# A class of up to this many members is listed.
LISTED = 10**6

# Draws from the whole class that a block may drop.
FILTERED = 10**7

MOST_LINES = 12


def as_distance(matrices: MatrixClass, given: Mapping[str, Any]) -> int:
    """The number of unmatched points m that ``given={"med": m/n}`` asks for.

    Raises ValueError for another statistic, or a value that is not a multiple of 1/n in [0, 1].

    >>> as_distance(Tables(20, 3, 3), {"med": Fraction(1, 5)})
    4
    """
    if set(given) != {"med"}:
        raise ValueError(f'given must be {{"med": value}}, got {dict(given)!r}')
    value = given["med"]
    n = matrices.n
    try:
        m = Fraction(value) * n
    except (TypeError, ValueError):
        raise TypeError(f'given["med"] must be a number such as Fraction(4, 20), got {value!r}') from None
    if isinstance(value, float) and abs(m - round(m)) < Fraction(n, 10**12):
        m = Fraction(round(m))
    if m.denominator != 1 or not 0 <= m <= n:
        raise ValueError(f'given["med"] must be a multiple of 1/{n} between 0 and 1, got {value!r}')
    return int(m)


def given_med(matrices: MatrixClass, base: Callable[[], Method], m: int) -> Method:
    """The best way to draw the members of ``matrices`` with MED = m/n; ``base()`` draws from the whole class.

    Raises ValueError when no member has this distance (as far as it is known), and for more columns than the
    matching by sets of columns can take.
    """
    if max(matrices.shape) > MOST_LINES or matrices.n >= LARGEST_TOTAL:
        raise ValueError(f"given needs at most {MOST_LINES} rows and columns and n < 2^62, got {matrices!r}")
    if isinstance(matrices, Tables):
        return _from_tables(matrices, m)
    if matrices.count() <= LISTED:
        return _listed(matrices, m)
    return _filtered(matrices, base(), m)


def _from_tables(matrices: Tables, m: int) -> Method:
    from confmat.indices.extremes import max_med

    n, (r, s) = matrices.n, sorted(matrices.shape)
    if not matrices.count() or m > max_med(n, r, s, empty=matrices.empty) * n:
        raise _none(matrices, m)
    if r == s and m == 0 and not matrices.empty:
        return Method(
            "diagonal", "MED = 0 is a matching alone", compiled("diagonal", (n,), matrices.shape, 1, "")
        )
    if r < s and matrices.count() <= LISTED:
        return _listed(matrices, m)
    matched = matched_proposals(n, r, s, m)
    dual = potential_proposals(n, s, n - m) if r == s else None
    what = f"members of {matrices!r} with MED = {m}/{n}"
    if dual is not None and dual < matched:
        draw = compiled("propose_potentials", (n - m, n, matrices.empty), matrices.shape, BUDGET, what)
        return Method("potentials", "fewest proposals near the largest MED", draw, proposals=dual)
    turned = matrices.r > matrices.s
    draw = compiled("propose_matched", (n - m, m, matrices.empty), (r, s), BUDGET, what, turned)
    return Method("matched", "a best matching, then the other cells", draw, proposals=matched)


def _none(matrices: MatrixClass, m: int) -> ValueError:
    return ValueError(f"no member of {matrices!r} has MED = {m}/{matrices.n}")


def _listed(matrices: MatrixClass, m: int) -> Method:
    """Positions in a list of the members with this distance."""
    from confmat.statistics import visited_margins

    found = [
        batch[matched_points(batch) == matrices.n - m]
        for rows, cols, _ in visited_margins(matrices, "none")
        for batch in tables_of_margins(rows, cols)
    ]
    members = np.concatenate(found)
    if not len(members):
        raise _none(matrices, m)

    def draw(seeds: np.random.SeedSequence, size: int) -> Block:
        rng = np.random.Generator(np.random.PCG64(seeds))
        return Block(members[rng.integers(0, len(members), size)], size)

    return Method("listing", f"the class is small: {len(members)} members have this MED", draw)


def _filtered(matrices: MatrixClass, base: Method, m: int) -> Method:
    """Draws from the whole class, kept when their distance is right."""

    def draw(seeds: np.random.SeedSequence, size: int) -> Block:
        kept: list[np.ndarray] = []
        found = drawn = 0
        while found < size:
            if drawn >= FILTERED:
                raise TooRare(
                    f"only {found} of {drawn} draws from {matrices!r} had MED = {m}/{matrices.n}, {size} are needed"
                )
            block = base.draw(seeds.spawn(1)[0], base.block)
            drawn += len(block.tables)
            kept.append(block.tables[matched_points(block.tables) == matrices.n - m])
            found += len(kept[-1])
        return Block(np.concatenate(kept)[:size], drawn)

    return replace(
        base, name=f"{base.name}, filtered", why="draws of another MED are dropped", draw=draw, proposals=None
    )


def matched_points(tables: np.ndarray) -> np.ndarray:
    """Total of the best matching of every table (size x r x s).

    Sets of columns up to ``MOST_LINES``, an assignment problem for each table beyond.
    """
    if max(tables.shape[1:]) > MOST_LINES:
        from scipy.optimize import linear_sum_assignment

        return np.array([t[linear_sum_assignment(t, maximize=True)].sum() for t in tables], np.int64)
    narrow = tables if tables.shape[1] <= tables.shape[2] else tables.transpose(0, 2, 1)
    return pair_sums_and_matching(np.ascontiguousarray(narrow))[:, 0]
