"""Draws of members that satisfy a condition, from lists of such members up to the order of rows and columns.

A class of few tables has one list. A larger class is divided into *parts* by A and B, the numbers of pairs of objects
in a common row and column. The condition must then be on functions of (m, A, B, P). m is n MED, and P is the number of
pairs in a common cell. An enumeration of the class counts the members of each part that satisfy the
condition. A draw chooses a part in proportion to this number. It then chooses one of its tables, and the order of rows
and columns. The tables of a part are listed when it is chosen for the first time.

>>> from confmat.classes import Tables
>>> sampler_of_parts(Wanted.of(Tables(6, 3, 3), "ard > 5/4"), Limits()).why
'all 81 members with ard > 5/4 are known'
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from confmat._engine.margins import pairs_of_margin
from confmat._engine.walks import tables_under
from confmat._integers.arrays import MergedChunks
from confmat._limits import Limits, look
from confmat.classes import Margins
from confmat.classes.orbits import Generators
from confmat.distributions.sources import Pass, Source
from confmat.sampling.methods import DrawnTables, Sampler, Wanted, no_member
from confmat.sampling.random_bits import generator_of

# Tables (N x r x s), and cumulative numbers of the members that permutations of free sums make of them.
MemberList = tuple[np.ndarray, np.ndarray]


def symmetry_of_list(target: Wanted) -> Generators:
    """Return which of the symmetries "rows" and "columns" both the class and the condition have.

    Tables are then listed in one order of the rows or columns, and drawn in all orders.
    """
    return target.condition.symmetry & target.matrices.symmetry & {"rows", "columns"}


def _members_at(
    target: Wanted, margins: Iterable[Margins], pairs: tuple[int, int] | None = None
) -> MemberList:
    """List the members with these margins that satisfy the condition, with the running total of their copies.

    A listed member stands for all that differ from it in the order of rows and columns that the class does not fix:
    its copies. ``pairs`` are bounds of the number of pairs of objects in a common cell. Default: no bounds. Raise
    ValueError if there are no such members.
    """
    members = []
    weights = []
    for batch, copies in tables_under(margins, pairs):
        look()  # raises an error at the end of the time limit
        is_wanted = target.each(batch)
        members.append(batch[is_wanted])
        weights.append(copies[is_wanted])
    if not sum(map(len, members)):
        raise no_member(target.matrices, target)
    return np.concatenate(members), np.concatenate(weights).cumsum()


def sampler_of_list(target: Wanted) -> Sampler:
    """Return the sampler that draws from a list of all members that satisfy the condition."""
    members = _members_at(target, target.matrices.margins(symmetry_of_list(target)))
    return _sampler(target, members[1][-1:], lambda part: members)


def sampler_of_parts(target: Wanted, limits: Limits) -> Sampler:
    """Return the sampler that draws a part of the class, and then one of its members that satisfy the condition.

    The class is enumerated under ``limits``. Raise ValueError if no member satisfies the condition.
    """
    matrices = target.matrices
    source = Source(Pass(matrices, "tables", limits), (target.condition,), oriented=True)
    chunks = MergedChunks(3)
    for cells, weights in source.blocks():
        chunks.add(cells[:, 1:], weights)
    triples, weights = chunks.together()
    if not triples.size:
        raise no_member(matrices, target)
    changes = np.diff(triples[:, :2], axis=0, prepend=-1)
    firsts = np.flatnonzero(changes.any(axis=1))  # first (A, B, P) of each part
    most_pairs = np.maximum.reduceat(triples[:, 2], firsts)
    margins = defaultdict(list)
    for margin in matrices.margins(symmetry_of_list(target)):
        a, b = (int(pairs_of_margin(np.array(sums))) for sums in (margin.rows, margin.cols))
        margins[a, b].append(margin)

    @lru_cache(maxsize=64)  # the tables of some parts stay in memory
    def members_of(part: int) -> MemberList:
        a, b, fewest_pairs = triples[firsts[part]].tolist()
        return _members_at(target, margins[a, b], (fewest_pairs, most_pairs[part]))

    return _sampler(target, np.add.reduceat(weights, firsts).cumsum(), members_of)


def _sampler(target: Wanted, ends: np.ndarray, members_of: Callable[[int], MemberList]) -> Sampler:
    """Return the sampler of members in parts. ``ends`` are the cumulative numbers of the members of each part.

    ``members_of`` takes the index of a part and lists its tables.
    """
    free_lines = symmetry_of_list(target)
    shape = target.matrices.shape

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        # A generator for each array, so that the first draws do not depend on the size.
        of_members, *of_orders = map(generator_of, seeds.spawn(3))
        positions = of_members.integers(0, ends[-1], size)
        parts = np.searchsorted(ends, positions, side="right")
        tables = np.empty((size, *shape), np.int64)
        for part in np.unique(parts).tolist():
            in_part = parts == part
            members, running = members_of(part)
            # The positions of a part are as many consecutive integers as it has members.
            places = positions[in_part] % running[-1]
            tables[in_part] = members[np.searchsorted(running, places, side="right")]
        for axis, lines, rng in zip((2, 1), ("columns", "rows"), of_orders):
            if lines in free_lines:
                orders = rng.permuted(np.tile(np.arange(shape[axis - 1]), (size, 1)), axis=1)
                tables = np.take_along_axis(tables, np.expand_dims(orders, 3 - axis), axis)
        return DrawnTables(tables, size)

    return Sampler("listing", f"all {ends[-1]} members with {target} are known", draw)
