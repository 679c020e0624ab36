"""Proofs of the statements that the package relies on. ``python -m proofs`` runs them all.

The docstring of a module contains statements of the registry (`confmat.conjectures.STATEMENTS`), word for word, and
their proofs. Its function ``verify()`` derives every algebraic step again with SymPy and checks the combinatorial
steps for all small cases. Steps that Rocq proves are only checked for small cases. It returns a line that says what
was checked. ``proofs/rocq`` has formal proofs of some statements.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from types import ModuleType
from typing import Any

import sympy as sp

from confmat._integers.compositions import partitions
from confmat.classes import Tables
from confmat.indices.pairs import PairSums

Table = list[list[int]]
Margin = tuple[int, ...]


def modules() -> Iterator[ModuleType]:
    """Yield the proof modules in alphabetical order."""
    for found in pkgutil.iter_modules(__path__):
        if not found.name.startswith("_"):
            module = importlib.import_module(f"{__name__}.{found.name}")
            if hasattr(module, "verify"):
                yield module


def require(condition: Any, step: str) -> None:
    """Raise AssertionError with the name of the proof step if a condition is false, also under ``python -O``."""
    if not condition:
        raise AssertionError(f"this step of the proof fails: {step}")


def require_equal(left: Any, right: Any, step: str) -> None:
    """Check that two rational expressions are equal. Their difference over one denominator must expand to zero."""
    difference = sp.expand(sp.numer(sp.together(sp.sympify(left) - right)))
    require(difference == 0, f"{step}: the difference is {difference}")


def require_nonnegative(fraction: Any, least: Mapping[Any, Any], step: str, strict: bool = False) -> None:
    """Check that a quotient of polynomials is >= 0 (> 0 if ``strict``) for all variables at or above given values.

    ``least`` maps each variable to its least value. After a shift by these values numerator and denominator must
    have no negative coefficient, and the denominator a positive constant term. If ``strict``, the numerator must
    have one, too.
    """
    shifted = sp.sympify(fraction).subs({x: x + low for x, low in least.items()}, simultaneous=True)
    numerator, denominator = (sp.Poly(part, *least) for part in sp.fraction(sp.cancel(shifted)))
    coefficients = [*numerator.coeffs(), *denominator.coeffs()]
    require(min(coefficients) >= 0, f"{step}: a coefficient of {shifted} is negative")
    at_the_start = [part.eval(dict.fromkeys(least, 0)) for part in (numerator, denominator)]
    require(at_the_start[1] > 0 and (at_the_start[0] > 0 or not strict), f"{step}: {shifted} at 0")


def small_classes(
    *shapes: tuple[int, int, int], allow_empty: bool = False
) -> Iterator[tuple[int, int, int, list[Table]]]:
    """Yield n, r, s and the list of all r x s tables with total n, for each (r, s, most) and each n up to ``most``.

    n begins with max(r, s), or with 2 if ``allow_empty``.

    >>> [(n, len(tables)) for n, r, s, tables in small_classes((1, 2, 4))]
    [(2, 1), (3, 2), (4, 3)]
    """
    for r, s, most in shapes:
        for n in range(2 if allow_empty else max(r, s), most + 1):
            yield n, r, s, [table.tolist() for table in Tables(n, r, s, allow_empty=allow_empty)]


def small_margins(sizes: Sequence[int], lines: Sequence[int]) -> Iterator[tuple[Margin, Margin]]:
    """Yield all pairs of margins without zeros for each total in ``sizes``.

    Both margins are in decreasing order. Their numbers of sums are from ``lines``.

    >>> list(small_margins([3], [1, 2]))
    [((3,), (3,)), ((3,), (2, 1)), ((2, 1), (3,)), ((2, 1), (2, 1))]
    """
    for n in sizes:
        sides = [side for count in lines for side in partitions(n, count, minimum=1)]
        yield from product(sides, sides)


def is_hook(table: Table) -> bool:
    """Return whether some row and some column together contain all objects."""
    positive = [(i, j) for i, row in enumerate(table) for j, x in enumerate(row) if x]
    return any(len({j for k, j in positive if k != i}) <= 1 for i in range(len(table)))


def ard(table: Any) -> Fraction:
    """Return the adjusted Rand distance of a table, 0 if it is 0/0."""
    return PairSums.of(table).adjusted_rand_distance


def pairs(*sizes: Any) -> Any:
    """Return the number of pairs of objects within groups of the given sizes, which may be symbols."""
    return sum(x * (x - 1) / 2 for x in sizes)


def best_matching_weight(table: Any) -> int:
    """Return the weight of a best matching of a table by comparing all matchings. This is slow."""
    rows = [list(map(int, row)) for row in table]
    if len(rows) > len(rows[0]):
        rows = [list(row) for row in zip(*rows)]
    return max(
        sum(row[j] for row, j in zip(rows, columns))
        for columns in permutations(range(len(rows[0])), len(rows))
    )


def margins(table: Any) -> tuple[list[int], list[int]]:
    """Return the row sums and the column sums of a table as Python ints."""
    rows = [list(map(int, row)) for row in table]
    return [sum(row) for row in rows], [sum(column) for column in zip(*rows)]


def twice_disagreements(table: Any) -> int:
    """Return n (n - 1) RD of a table: the squares of all row and column sums minus twice those of the cells."""
    rows, cols = margins(table)
    return sum(x * x for x in rows + cols) - 2 * sum(int(x) ** 2 for row in table for x in row)


def balanced_squares(total: int, parts: int) -> int:
    """Return bal(m, t), the least sum of squares of t integers with sum m."""
    q, k = divmod(total, parts)
    return parts * q * q + k * (2 * q + 1)
