"""Distance of tables from satisfying a condition, in floating point, as the penalty in a local search.

For example, a table with MED 0.5 fails "med <= 1/5" by 0.3. Numbers that differ only by rounding errors count as
equal.
"""

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np

from confmat.statistics.grammar import RELATION_SIGNS, FormulaTree, fold
from confmat.statistics.table import OPERATORS

# Floats that differ by at most this may represent equal numbers. A comparison that fails does so by at least this.
_ROUNDING = 1e-12


def shortfall(formula: FormulaTree, values: Mapping[str, Any]) -> np.ndarray:
    """Return by how much each table fails a condition, 0 if it satisfies the condition.

    ``values`` maps the names of statistics to arrays, with an entry for each table. A comparison fails by the
    difference of its operands. The results of the operands of "and" are added, and of those of "or" the smallest is
    taken.

    >>> from confmat.statistics import as_condition
    >>> known = {"med": np.array([0.1, 0.5]), "ard": np.array([1.5, 0.75])}
    >>> shortfall(as_condition("med <= 1/5, ard > 1").formula, known)
    array([0.  , 0.55])
    """
    met, _ = fold(formula, lambda statistic: values[statistic.name], _shortfalls)
    return np.asarray(met)


def _shortfalls(sign: str, parts: tuple[Any, ...]) -> Any:
    """Return the result of an operator of a formula, from the results ``parts`` of its operands.

    The result of an arithmetic operator is a number. That of another operator is a pair of numbers, by how much the
    formula and by how much its negation fails. One of them is 0.
    """
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
    """Return two numbers: by how much x ``relation`` y fails, and by how much its negation fails.

    One of them is 0. A comparison with an undefined number fails by 1.
    """
    gap = np.abs(x - y)
    is_undefined = np.isnan(gap)
    are_near = gap <= _ROUNDING * np.maximum(1, np.abs(y))
    holds_where_near = relation in ("=", "<=", ">=")
    holds = np.where(are_near, holds_where_near, OPERATORS[relation](x, y)) & ~is_undefined
    missing = np.where(is_undefined, 1, gap) + _ROUNDING
    return np.where(holds, 0, missing), np.where(holds, missing, 0)
