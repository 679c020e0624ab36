"""The law of the RD from the recursion over sets of cells, modulo as many primes as its counts take."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb
from typing import Any

import numpy as np

from confmat.classes import Tables
from confmat.engine.residues import from_residues, primes_for
from confmat.laws.rdlaw.kernels import advance
from confmat.laws.rdlaw.recursion import State, rectangle, recursion, values_on_cells
from confmat.plans.methods import as_threads

LARGEST_COLUMNS = {1: 8, 2: 8, 3: 4, 4: 4}
"""For each number of rows the largest supported number of columns (r <= s)."""

MOST_MEMORY = 2**33
"""What the recursion may hold, in bytes."""


def rand_distance_counts(
    n: int, r: int, s: int, *, empty: bool = False, threads: int | None = None
) -> list[int]:
    """Exact law of the RD: element F is the number of tables in ``Tables(n, r, s, empty)`` with C(n, 2) RD = F.

    The list ends with the largest F; it is empty for a class without members.  Shapes up to 1 x 8, 2 x 8, 3 x 4
    and 4 x 4 and their transposes; ValueError for others, and for an n that takes more than ``MOST_MEMORY``.
    Time grows as n^3, memory as n^2: (300,3,3) takes a second, (100,4,4) seven and half a GiB, (300,4,4) six minutes
    of processor time and 4 GiB.  ``threads``: how many, None for all cores.  Method: a recursion over sets of cells
    (statement `rd-recursion`).

    >>> rand_distance_counts(3, 2, 2)
    [4, 0, 4]
    """
    tables = Tables(n, r, s, empty)
    threads = as_threads(threads)
    if not has_recursion(r, s):
        shapes = ", ".join(f"{rows} x {columns}" for rows, columns in LARGEST_COLUMNS.items())
        raise ValueError(
            f"no recursion for r={r}, s={s}: supported are shapes up to {shapes} and their transposes; for others "
            'enumerate, confmat.joint(Tables(n, r, s), "med", "rd")'
        )
    r, s = sorted(tables.shape)
    if (memory := memory_of(tables.n, r, s)) > MOST_MEMORY:
        raise ValueError(
            f"n must be smaller, got n={n} for r={r}, s={s}: the recursion holds {memory / 2**30:.0f} GiB "
            f"(limit {MOST_MEMORY / 2**30:.0f})"
        )
    if tables.count() == 0:
        return []
    primes = primes_for(tables.count())
    with ThreadPoolExecutor(threads) as pool:
        residues = [_law_modulo(prime, tables.n, r, s, tables.empty, threads, pool) for prime in primes]
    return [int(count) for count in np.trim_zeros(from_residues(np.stack(residues), primes), "b")]


def has_recursion(r: int, s: int) -> bool:
    """Whether the shape is one of those of ``rand_distance_counts``.

    >>> has_recursion(4, 4), has_recursion(5, 3)
    (True, False)
    """
    few, many = sorted((r, s))
    return many <= LARGEST_COLUMNS.get(few, 0)


def memory_of(n: int, r: int, s: int) -> int:
    """Bytes that ``rand_distance_counts`` holds at once, in its largest arrays.

    >>> memory_of(300, 4, 4) / 2**30 < 4.1
    True
    """
    program = _program(*sorted((r, s)))
    sizes = program.sizes(np.array([n], object))  # Python integers: n may be of any size
    return 4 * int(program.slots @ sizes) + len(sizes) * (n + 1) + 64 * int(sizes.max())


def _law_modulo(
    prime: int, n: int, r: int, s: int, empty: bool, threads: int, pool: ThreadPoolExecutor
) -> np.ndarray:
    """The counts by F modulo a prime; without empty lines by inclusion-exclusion over rectangles."""
    program = _program(r, s)
    roots: Counter[int] = Counter()
    for i, j in product(range(1 if empty else r), range(1 if empty else s)):
        roots[program.numbers[rectangle(r - i, s - j, r, s)]] += (-1) ** (i + j) * comb(r, i) * comb(s, j)
    rings, residues, lengths = program.rings(n)
    needed = program.needed(n, list(roots))
    for m in range(n + 1):
        sizes = program.sizes(m)
        for level in program.levels:
            todo = level[needed[level, m]]
            arguments: tuple[Any, ...] = (sizes, program.terms, rings, residues, lengths)
            parts = (todo[i::threads] for i in range(min(threads, len(todo))))
            for part in [pool.submit(advance, m, prime, part, *arguments) for part in parts]:
                part.result()
    starts, slots, widths = rings
    law = np.zeros(widths[list(roots)].max(), np.int64)
    for state, factor in roots.items():
        slot = n % slots[state]
        start, length = starts[state] + slot * widths[state], lengths[state, slot]
        law[:length] = (law[:length] + factor * residues[start : start + length].astype(np.int64)) % prime
    return law


@dataclass(frozen=True)
class Program:
    """The relations of ``recursion(r, s)`` as arrays, for the kernel.

    ``numbers``: the states, by increasing number of cells; ``levels``: those of equal numbers of cells, which do not
    depend on each other.  ``cliques`` and ``fields``: the most cells in line and the largest field of each state.
    ``terms``: where those of each state start; source, back, slope, shift and factor of each.  ``slots``: how many
    values in line of each state are in use at once.
    """

    numbers: dict[State, int]
    levels: list[np.ndarray]
    cliques: np.ndarray
    fields: np.ndarray
    terms: tuple[np.ndarray, ...]
    slots: np.ndarray

    def sizes(self, n: int | np.ndarray) -> np.ndarray:
        """Bounds on the numbers of coefficients of N(state; n), from E <= (1 - 1/clique) n^2/2 + n field.

        Motzkin and Straus 1965.

        >>> _program(1, 2).sizes(2)
        array([1, 1, 2])
        """
        return n * n * (self.cliques - 1) // (2 * self.cliques) + n * self.fields + 1

    def rings(self, n: int) -> tuple[tuple[np.ndarray, ...], np.ndarray, np.ndarray]:
        """Room for the last values of all states, see ``confmat.laws.rdlaw.kernels.advance``.

        >>> (starts, slots, widths), residues, lengths = _program(1, 2).rings(2)
        >>> slots.tolist(), widths.tolist(), residues.size
        ([1, 2, 3], [1, 1, 2], 9)
        """
        widths = self.sizes(n)
        starts = np.cumsum(self.slots * widths) - self.slots * widths
        residues = np.empty(starts[-1] + self.slots[-1] * widths[-1], np.int32)
        return (starts, self.slots, widths), residues, np.zeros((len(starts), self.slots.max()), np.int64)

    def needed(self, n: int, roots: list[int]) -> np.ndarray:
        """Array [state, m]: whether N(state; m) is needed for N(root; n).

        >>> _program(1, 2).needed(2, [len(_program(1, 2).numbers) - 1])
        array([[ True,  True,  True],
               [ True,  True,  True],
               [ True, False,  True]])
        """
        first_term, sources, backs, *_ = self.terms
        needed = np.zeros((len(self.numbers), n + 1), bool)
        needed[roots, n] = True
        for state in range(len(needed) - 1, -1, -1):
            own = slice(first_term[state], first_term[state + 1])
            # The state itself comes first: the others have smaller numbers.
            for source, back in sorted({*zip(sources[own].tolist(), backs[own].tolist())}, reverse=True):
                if source == state and back:
                    for m in range(n, back - 1, -1):
                        needed[state, m - back] |= needed[state, m]
                elif back <= n:
                    needed[source, : n + 1 - back] |= needed[state, back:]
        return needed


@cache
def _program(r: int, s: int) -> Program:
    relations = recursion(r, s)
    numbers = {state: i for i, state in enumerate(relations)}
    rows = [
        (numbers[term.source], term.back, term.slope, term.shift, factor)
        for relation in relations.values()
        for term, factor in relation.items()
    ]
    sources, backs, slopes, shifts, factors = np.array(rows, np.int64).T.copy()
    first_term = np.cumsum([0, *map(len, relations.values())])
    slots = np.ones(len(numbers), np.int64)
    np.maximum.at(slots, sources, backs + 1)
    cells = np.stack([values_on_cells(state, r) for state in numbers])
    sizes = (cells > 0).sum(axis=(1, 2))
    cliques = np.maximum((cells > 0).sum(axis=1).max(axis=1), (cells > 0).sum(axis=2).max(axis=1))
    return Program(
        numbers,
        [np.flatnonzero(sizes == size) for size in range(r * s + 1)],
        np.maximum(cliques, 1),
        np.maximum(cells.max(axis=(1, 2)) - 1, 0),
        (first_term, sources, backs, slopes, shifts, factors.astype(float)),
        slots,
    )
