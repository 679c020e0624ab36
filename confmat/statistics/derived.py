"""Statistics that a text makes of others, "ard/med" or "ri - ari": formulas that the fast kernels count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from confmat.statistics.grammar import fold, names_in, parse
from confmat.statistics.ratios import Whole
from confmat.statistics.record import DEPENDENCES, Formula, Statistic, shared_symmetry

Quotient = tuple[Any, Any]


def derived(text: str, known: Mapping[str, Statistic]) -> Statistic:
    """The statistic that a text says in terms of others with formulas, +, -, *, / and numbers; undefined where one is.

    A division by 0 is undefined.  ValueError for what is no such text, and for statistics without a formula, with
    square roots, or that depend on the class (nmed, nrd, mirkin).

    >>> from confmat.statistics import STATISTICS
    >>> ratio = derived("ard/med", STATISTICS)
    >>> ratio([[2, 1], [1, 2]]), ratio([[2, 0], [0, 2]])
    (Fraction(10, 3), nan)
    """
    tree = parse(text, list(known), argument="statistic", number=True)
    parts = {name: known[name] for name in names_in(tree)}
    for name, part in parts.items():
        if not part.counted or part.base.root or part.factor is not None:
            raise ValueError(
                f"statistic must combine statistics with formulas in m, A, B and P, got {text!r}: {name} has none"
            )
    if not parts:
        raise ValueError(f"statistic must name a statistic, got {text!r}")

    def formula(n: Any, m: Any, a: Any, b: Any, p: Any) -> Quotient:
        found = {name: _quotient(part, n, m, a, b, p) for name, part in parts.items()}
        return fold(tree, found, _combined)

    return Statistic(
        text,
        formula=formula,
        depends=_depends({part.base.depends for part in parts.values()}),
        symmetry=shared_symmetry(parts.values()),
    )


def _depends(parts: set[str]) -> str:
    """The least of the ways to say what all of them look at."""
    letters = set("".join(parts))
    return (
        next(way for way in DEPENDENCES if letters <= set(way)) if letters != {"F", "A", "B", "P"} else "ABP"
    )


def _quotient(part: Statistic, *sums: Any) -> Quotient:
    """Numerator and denominator, that of a value where 0/0 has one."""
    formula: Formula | None = part.base.formula
    assert formula is not None
    numerator, denominator = formula(*sums)
    if (undefined := part.base.undefined) == undefined:
        value = Fraction(undefined)
        nothing = _is_zero(denominator)
        numerator = numerator + nothing * value.numerator
        denominator = denominator + nothing * value.denominator
    return (denominator - numerator, denominator) if part.complement else (numerator, denominator)


def _is_zero(x: Any) -> Any:
    """1 where a number is 0, else 0."""
    if isinstance(x, Whole):
        return Whole((x.values == 0).astype(np.int64), 1)
    return (x == 0) * 1


def _combined(sign: str, parts: tuple[Any, ...]) -> Quotient:
    """An operator applied to quotients; 0/0 for what is undefined."""
    pairs = [x.as_integer_ratio() if isinstance(x, Fraction) else x for x in parts]
    return _OPERATORS[sign](*(number for pair in pairs for number in pair))


_OPERATORS: dict[str, Callable[..., Quotient]] = {
    "neg": lambda p, q: (-p, q),
    "+": lambda p, q, x, y: (p * y + x * q, q * y),
    "-": lambda p, q, x, y: (p * y - x * q, q * y),
    "*": lambda p, q, x, y: (p * x, q * y),
    # Multiplied by x above and below, so that a division by 0 is 0/0.
    "/": lambda p, q, x, y: (p * y * x, q * x * x),
}
