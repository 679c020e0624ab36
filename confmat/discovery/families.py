"""Families of tables in n: one table at each n, every entry a multiple of n and a constant, for each residue of n."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from confmat.classes.orbits import Matrix, canonical, nested
from confmat.discovery.formulas import N, text_of


@dataclass(frozen=True)
class Family:
    """Tables ``slope`` n + ``constant``, for each residue of n modulo their number.

    >>> family, first = families({n: {((n - 2, 1), (1, 0))} for n in range(6, 12)}, 1, 3)[0]
    >>> print(family)
    hook [[n - 2, 1], [1, 0]]
    >>> family.at(20).tolist()
    [[18, 1], [1, 0]]
    """

    parts: tuple[tuple[tuple[tuple[Fraction, Fraction], ...], ...], ...]

    def at(self, n: int) -> np.ndarray | None:
        """The table at n; None where an entry would be negative or no whole number.

        >>> families({n: {((n - 2, 1), (1, 0))} for n in range(6, 12)}, 1, 3)[0][0].at(1) is None
        True
        """
        rows = [[slope * n + constant for slope, constant in row] for row in self.parts[n % len(self.parts)]]
        fine = all(x.denominator == 1 and x >= 0 for row in rows for x in row)
        return np.array([[int(x) for x in row] for row in rows]) if fine else None

    @property
    def is_hook(self) -> bool:
        """Whether all that is not in one row or one column is 0."""
        return all(
            any(
                all(
                    x == (0, 0)
                    for k, row in enumerate(part)
                    if k != i
                    for j, x in enumerate(row)
                    if j != corner
                )
                for i, corner in product(range(len(part)), range(len(part[0])))
            )
            for part in self.parts
        )

    def __str__(self) -> str:
        texts = [
            "[" + ", ".join("[" + ", ".join(text_of(a.numerator * N / a.denominator + b) for a, b in row) + "]"
                            for row in part) + "]"
            for part in self.parts
        ]  # fmt: skip
        words = "hook " if self.is_hook else "table "
        if len(texts) == 1:
            return words + texts[0]
        return words + "; ".join(f"{text} for n = {i} mod {len(texts)}" for i, text in enumerate(texts))


def families(listed: Mapping[int, set[Matrix]], period: int, most: int) -> list[tuple[Family, int]]:
    """Families, at most so many, with the n from which they have a member among the tables listed there.

    Found from the last two n of each residue, tried at all others, right at half of them at least; those that are right
    from the least n on come first, then those that change in the fewest entries.

    >>> [(str(x), n) for x, n in families({n: {((n // 2, 0), (0, n - n // 2))} for n in range(4, 12)}, 2, 3)]
    [('hook [[n/2, 0], [0, n/2]] for n = 0 mod 2; [[(n - 1)/2, 0], [0, (n + 1)/2]] for n = 1 mod 2', 4)]
    """
    orbits = {n: {nested(canonical(table)) for table in tables} for n, tables in listed.items()}
    per_residue = [
        sorted(_through(listed, orbits, [n for n in sorted(listed) if n % period == i]), key=_order)[:most]
        for i in range(period)
    ]
    return [
        (Family(tuple(part for _, part in parts)), max(min(listed), max(n for n, _ in parts) - period + 1))
        for parts in zip(*per_residue)
    ]


def _order(found: tuple[int, Any]) -> tuple[int, int, Any]:
    first, part = found
    return first, sum(a != 0 for row in part for a, _ in row), part


def _through(
    listed: Mapping[int, set[Matrix]], orbits: Mapping[int, set[Matrix]], ns: list[int]
) -> set[tuple[int, Any]]:
    """The parts through a table at each of the last two n, with the n from which they are right."""
    if len(ns) < 3:
        return set()
    n0, n1 = ns[-2:]
    found = set()
    for one, two in product(listed[n0], listed[n1]):
        part = tuple(
            tuple((Fraction(y - x, n1 - n0), x - Fraction(y - x, n1 - n0) * n0) for x, y in zip(*rows))
            for rows in zip(one, two)
        )
        family, right = Family((part,)), len(ns)
        while (
            right
            and (table := family.at(ns[right - 1])) is not None
            and nested(canonical(table)) in orbits[ns[right - 1]]
        ):
            right -= 1
        if len(ns) - right > max(2, len(ns) // 2):
            found.add((ns[right], part))
    return found
