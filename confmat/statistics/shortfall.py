"""How far tables are from meeting a condition, in doubles: what a local search goes down, what rounding may explain."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np

from confmat.statistics.grammar import RELATION_SIGNS, FormulaTree, fold
from confmat.statistics.table import OPERATORS

# Doubles that differ by no more may stand for equal numbers; a comparison that fails is missed by no less.
_ROUNDING = 1e-12


def shortfall(formula: FormulaTree, values: Mapping[str, Any]) -> np.ndarray:
    """0 where a formula holds, else by how much its comparisons fail, added up; least of alternatives.

    >>> from confmat.statistics import as_condition
    >>> known = {"med": np.array([0.1, 0.5]), "ard": np.array([1.5, 0.75])}
    >>> shortfall(as_condition("med <= 1/5, ard > 1").formula, known)
    array([0.  , 0.55])
    """
    met, _ = fold(formula, lambda statistic: values[statistic.name], _shortfalls)
    return np.asarray(met)


def _shortfalls(sign: str, parts: tuple[Any, ...]) -> Any:
    """A number, or how much is missing to a truth and to its contrary."""
    if sign in RELATION_SIGNS:
        return _of_comparison(sign, *(np.asarray(x, float) for x in parts))
    if sign == "not":
        return parts[0][::-1]
    if sign == "->":
        return _shortfalls(
            "or",
            (
                parts[0][::-1],
                parts[1],
            ),
        )
    if sign in ("and", "or"):
        met, missing = zip(*parts)
        if sign == "and":
            return reduce(np.add, met), reduce(np.minimum, missing)
        return reduce(np.minimum, met), reduce(np.add, missing)
    with np.errstate(divide="ignore", invalid="ignore"):
        return OPERATORS[sign](*(np.asarray(x, float) for x in parts))


def _of_comparison(relation: str, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers that are undefined meet no comparison, by a whole unit."""
    gap = np.abs(x - y)
    is_undefined = np.isnan(gap)
    are_near = gap <= _ROUNDING * np.maximum(1, np.abs(y))
    holds_where_near = relation in ("=", "<=", ">=")
    holds = np.where(are_near, holds_where_near, OPERATORS[relation](x, y)) & ~is_undefined
    missing = np.where(is_undefined, 1, gap) + _ROUNDING
    return np.where(holds, 0, missing), np.where(holds, missing, 0)
