"""Proofs of the statements that the package relies on: ``python -m proofs`` runs them all.

A module's docstring gives statements of the registry (`confmat.conjectures.STATEMENTS`), word for word, and the proof;
its ``verify()`` re-derives every algebraic step with SymPy, asserts the combinatorial steps over all small cases (of
steps that Rocq checks it tries the result), and returns a line about what was checked.
``proofs/rocq`` holds formal proofs of some of them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from itertools import permutations
from types import ModuleType
from typing import Any


def modules() -> Iterator[ModuleType]:
    """The proof modules, in alphabetical order."""
    for found in pkgutil.iter_modules(__path__):
        if not found.name.startswith("_"):
            module = importlib.import_module(f"{__name__}.{found.name}")
            if hasattr(module, "verify"):
                yield module


def require(condition: Any, step: str) -> None:
    """Raise AssertionError naming the step unless the condition holds (also under ``python -O``)."""
    if not condition:
        raise AssertionError(f"this step of the proof fails: {step}")


def require_equal(left: Any, right: Any, step: str) -> None:
    """Two rational expressions are the same: their difference, over one denominator, expands to zero."""
    import sympy as sp

    difference = sp.expand(sp.numer(sp.together(sp.sympify(left) - right)))
    require(difference == 0, f"{step}: the difference is {difference}")


def require_nonnegative(polynomial: Any, variables: Any, step: str) -> None:
    """A polynomial is >= 0 for all variables >= 0, because all its coefficients are."""
    import sympy as sp

    coefficients = sp.Poly(sp.expand(polynomial), *variables).coeffs()
    require(
        all(c >= 0 for c in coefficients), f"{step}: a coefficient of {sp.expand(polynomial)} is negative"
    )


def pairs(*sizes: Any) -> Any:
    """Pairs of points within groups of these sizes, which may be symbols."""
    return sum(x * (x - 1) / 2 for x in sizes)


def best_matching_weight(table: Any) -> int:
    """k(N) for r <= s by trying every matching: slow and obvious."""
    rows = [list(map(int, row)) for row in table]
    if len(rows) > len(rows[0]):
        rows = [list(row) for row in zip(*rows)]
    return max(
        sum(row[j] for row, j in zip(rows, columns))
        for columns in permutations(range(len(rows[0])), len(rows))
    )


def margins(table: Any) -> tuple[list[int], list[int]]:
    """Row and column sums, as Python ints."""
    rows = [list(map(int, row)) for row in table]
    return [sum(row) for row in rows], [sum(column) for column in zip(*rows)]


def twice_disagreements(table: Any) -> int:
    """F = sum of squared row sums + of squared column sums - 2 sum of squared cells = n (n - 1) RD."""
    rows, cols = margins(table)
    return sum(x * x for x in rows + cols) - 2 * sum(int(x) ** 2 for row in table for x in row)


def balanced_squares(total: int, parts: int) -> int:
    """bal(m, t): least sum of t squares of integers with sum m."""
    q, k = divmod(total, parts)
    return parts * q * q + k * (2 * q + 1)
