"""Families of tables in n: one table at each n, every entry a multiple of n and a constant, for each residue of n."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from confmat.classes.orbits import Matrix, canonical, nested
from confmat.discovery.formulas import N, by_residue, text_of_form

# A family is right at more n than the two that it was found from, and at half of all.
_LEAST_RIGHT = 3


@dataclass(frozen=True, eq=False)
class TableLine:
    """Tables (``slopes`` n + ``constants``)/``divisor``, entry by entry.

    >>> line = TableLine(np.array([[1, 0], [0, 1]]), np.array([[-1, 0], [0, 1]]), 2)
    >>> print(line)
    [[(n - 1)/2, 0], [0, (n + 1)/2]]
    >>> line.at(7).tolist(), line.at(8)
    ([[3, 0], [0, 4]], None)
    """

    slopes: np.ndarray
    constants: np.ndarray
    divisor: int

    def at(self, n: int) -> np.ndarray | None:
        """The table at n; None where an entry would be negative or no whole number."""
        table, rest = np.divmod(self.slopes * n + self.constants, self.divisor)
        if rest.any() or (table < 0).any():
            return None
        return table

    @property
    def is_hook(self) -> bool:
        """Whether all that is not in one row or one column is 0."""
        is_used = (self.slopes != 0) | (self.constants != 0)
        for i, j in np.ndindex(is_used.shape):
            without_row = np.delete(is_used, i, axis=0)
            if not np.delete(without_row, j, axis=1).any():
                return True
        return False

    @property
    def order(self) -> tuple[int, list[Any]]:
        """Lines with few entries that change come first."""
        return int(np.count_nonzero(self.slopes)), np.dstack([self.slopes, self.constants]).tolist()

    def __str__(self) -> str:
        table = sp.Matrix(self.slopes) * N + sp.Matrix(self.constants)
        entries = table / self.divisor
        rows = [", ".join(map(text_of_form, row)) for row in entries.tolist()]
        return f"[[{'], ['.join(rows)}]]"


@dataclass(frozen=True)
class FormulaFamily:
    """A line of tables for each residue of n modulo their number.

    >>> family, first = families({n: {((n - 2, 1), (1, 0))} for n in range(6, 12)}, 1, 3)[0]
    >>> print(family)
    hook [[n - 2, 1], [1, 0]]
    >>> family.at(20).tolist()
    [[18, 1], [1, 0]]
    """

    lines: tuple[TableLine, ...]

    def at(self, n: int) -> np.ndarray | None:
        """The table at n; None where an entry would be negative or no whole number.

        >>> families({n: {((n - 2, 1), (1, 0))} for n in range(6, 12)}, 1, 3)[0][0].at(1) is None
        True
        """
        return self.lines[n % len(self.lines)].at(n)

    def __str__(self) -> str:
        kind = "hook" if all(line.is_hook for line in self.lines) else "table"
        return f"{kind} {by_residue('n', list(map(str, self.lines)))}"


def families(listed: Mapping[int, set[Matrix]], period: int, most: int) -> list[tuple[FormulaFamily, int]]:
    """Families, at most so many, with the n from which they have a member among the tables listed there.

    Found from the last two n of each residue, tried at all others, right at half of them at least; those that are right
    from the least n on come first, then those that change in the fewest entries.

    >>> [(str(x), n) for x, n in families({n: {((n // 2, 0), (0, n - n // 2))} for n in range(4, 12)}, 2, 3)]
    [('hook [[n/2, 0], [0, n/2]] for n = 0 mod 2; [[(n - 1)/2, 0], [0, (n + 1)/2]] for n = 1 mod 2', 4)]
    """
    lines_of_residues = []
    for residue in range(period):
        of_residue = {n: listed[n] for n in sorted(listed) if n % period == residue}
        of_residue_lines = sorted(
            _lines_through(of_residue),
            key=lambda x: (x[0], x[1].order),
        )
        lines_of_residues.append(of_residue_lines[:most])
    families_found = []
    for ns_and_lines in zip(*lines_of_residues):
        ns, lines = zip(*ns_and_lines)
        families_found.append(
            (
                FormulaFamily(lines),
                max(
                    min(listed),
                    max(ns) - period + 1,
                ),
            )
        )
    return families_found


def _lines_through(listed: Mapping[int, set[Matrix]]) -> Iterator[tuple[int, TableLine]]:
    """The lines through a table at each of the last two n, with the n from which they are right."""
    ns = list(listed)
    if len(ns) < _LEAST_RIGHT:
        return
    orbits = {n: set(map(_orbit, tables)) for n, tables in listed.items()}
    last_but_one, last_n = ns[-2:]
    for table, next_table in product(listed[last_but_one], listed[last_n]):
        slopes = np.array(next_table) - np.array(table)
        divisor = last_n - last_but_one
        line = TableLine(slopes, np.array(table) * divisor - slopes * last_but_one, divisor)
        first_right = len(ns)
        while first_right and _has(orbits[ns[first_right - 1]], line.at(ns[first_right - 1])):
            first_right -= 1
        if len(ns) - first_right >= max(_LEAST_RIGHT, len(ns) // 2 + 1):
            yield ns[first_right], line


def _has(orbits: set[Matrix], table: np.ndarray | None) -> bool:
    return table is not None and _orbit(nested(table)) in orbits


# Most lines pass through the tables of others: one in seven is another one.
@lru_cache(maxsize=10_000)
def _orbit(table: Matrix) -> Matrix:
    return nested(canonical(table))
