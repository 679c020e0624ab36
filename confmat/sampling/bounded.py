"""Tables drawn under potentials, cell by cell: for a best matching of few points in any number of lines.

The dual description of ``confmat.sampling.potentials``, n_ij <= u_i + v_j: here the cells are drawn below their
bounds from numbers of completions, so that no proposal has a negative cell.  Potentials are listed up to the
order of lines.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from confmat.classes.compositions import distinct_orderings, partitions
from confmat.compiled import njit
from confmat.sampling.kernels import full
from confmat.sampling.potentials import number_of_potentials, tight_matching
from confmat.sampling.random_bits import below, shuffle

# Numbers of completions that may be kept: counted in about a second.
MOST_ENTRIES = 2 * 10**6


class Bounds(NamedTuple):
    """``potentials``: u and v, a line per choice; ``ways``: (choice, cell, total) -> completions from this cell on.

    ``running``: numbers of (order of lines, table) of the choices so far.
    """

    potentials: np.ndarray
    ways: np.ndarray
    running: np.ndarray


def bounds(n: int, r: int, s: int, matched: int) -> Bounds | None:
    """All potentials of r x s tables with this best matching, r <= s; None where that is too much for 64 bits.

    >>> bounds(4, 2, 2, 2).running
    array([2, 3, 7, 9])
    """
    room = MOST_ENTRIES // ((r * s + 1) * (n + 1))
    choices = list(islice(_potentials(r, s, matched), room + 1))
    if len(choices) > room:
        return None
    potentials, ways, running = [], [], [0]
    for u, v, orders in choices:
        caps = np.add.outer(u, v).ravel()
        if caps.sum() < n:
            continue
        table = _completions(caps.tolist(), n)
        running.append(running[-1] + orders * table[0][n])
        if max(map(max, table)) >= 2**62 or running[-1] >= 2**62:
            return None
        potentials.append((*u, *v))
        ways.append(np.array(table, np.int64))
    if not ways:
        return None
    return Bounds(np.array(potentials, np.int64), np.array(ways), np.array(running[1:], np.int64))


def _potentials(r: int, s: int, matched: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """u, v up to order, with the number of their orders; in square tables some u_i = 0, as in ``running_proposals``."""
    for of_rows in range(matched + 1):
        for u in partitions(of_rows, r, minimum=0):
            for v in partitions(matched - of_rows, s, minimum=0):
                if r < s or not u[-1]:
                    yield u, v, distinct_orderings(u) * distinct_orderings(v)


def _completions(caps: list[int], n: int) -> list[list[int]]:
    """For cell c = 0, 1, ... and totals t <= n: ways to fill the cells from c on, each up to its cap."""
    table = [[1] + [0] * n]
    for cap in reversed(caps):
        after, window, row = table[-1], 0, []
        for t in range(n + 1):
            window += after[t] - (after[t - cap - 1] if t > cap else 0)
            row.append(window)
        table.append(row)
    return table[::-1]


@njit(nogil=True, cache=True)
def propose_bounded(
    state: np.ndarray,
    potentials: np.ndarray,
    ways: np.ndarray,
    running: np.ndarray,
    keep_empty: bool,
    limit: int,
    out: np.ndarray,
) -> tuple[int, int]:
    """As ``propose_potentials``, from ``bounds``: proposals are uniform over (potentials, table below them).

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((3, 2, 2), np.int64)
    >>> proposals, kept = propose_bounded(state, *bounds(4, 2, 2, 2), False, 1000, out)
    >>> kept, out.sum(axis=(1, 2)).tolist()
    (3, [4, 4, 4])
    """
    r, s = out.shape[1:]
    slack = np.zeros((s, s), np.int64)
    column_of = np.zeros(s, np.int64)
    table = np.zeros((r, s), np.int64)
    of_rows, of_cols = np.arange(r), np.arange(s)
    proposals = kept = 0
    while kept < len(out) and proposals < limit:
        proposals += 1
        chosen = int(np.searchsorted(running, below(state, running[-1]), side="right"))
        u, v = potentials[chosen, :r], potentials[chosen, r:]
        left = ways.shape[2] - 1
        for cell in range(r * s):
            position = below(state, ways[chosen, cell, left])
            x = 0
            while position >= ways[chosen, cell + 1, left - x]:
                position -= ways[chosen, cell + 1, left - x]
                x += 1
            table[cell // s, cell % s] = x
            slack[cell // s, cell % s] = u[cell // s] + v[cell % s] - x
            left -= x
        slack[r:] = v
        if (keep_empty or full(table)) and tight_matching(slack, column_of):
            many = number_of_potentials(slack, column_of)
            if many == 1 or below(state, many) == 0:
                shuffle(state, of_rows)
                shuffle(state, of_cols)
                for i in range(r):
                    for j in range(s):
                        out[kept, of_rows[i], of_cols[j]] = table[i, j]
                kept += 1
    return proposals, kept
