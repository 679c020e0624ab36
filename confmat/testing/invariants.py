"""What the package claims of its own indices: one table of claims, one of relations between indices.

`contract` reads the claims where an index is named, the tests try them and the relations on drawn tables of up to 10^30
objects, `infer` compares with the distances named here, and the site prints them on the page of each index.

>>> INVARIANTS["ri"], INVARIANTS["1 - jaccard"]
({'identity': 1, 'refinement': True}, {'metric': True})
>>> [relation for relation in RELATIONS if "mirkin" in relation]
['mirkin = rd*(n-1)/n']
>>> lines_of("ri")
['identity = 1, refinement', 'ri = 1 - rd']
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isclose, nan
from typing import Any

import numpy as np

from confmat.errors import UndefinedIndexError
from confmat.indices.soft.ranges import value_range
from confmat.matrices.matrix import as_matrix, dense
from confmat.statistics import STATISTICS
from confmat.statistics.grammar import ARITHMETIC, SIZES, Chain, FormulaTree, fold, named_in, parse
from confmat.statistics.record import Statistic
from confmat.statistics.table import sizes_of

__all__ = ["INVARIANTS", "OF_FUNCTIONS", "RELATIONS", "holds", "lines_of", "value_of"]

_METRIC = {"metric": True, "refinement": True}
_SIMILARITY = {"identity": 1, "refinement": True}
_OF_PAIRS = {"identity": 1, "undefined": (ValueError,)}  # of classes: there must be two
_SOFT = {"takes": "memberships", "undefined": (UndefinedIndexError, nan)}


def _of_memberships(index: str) -> dict[str, Any]:
    """Claims of a soft index, its range among them; not of an index that is at most 1 of few clusters only.

    >>> _of_memberships("ndc")["bounds"], "bounds" in _of_memberships("sari")
    ((0, 1), False)
    """
    low, high = value_range(index)
    if low is None:
        return _SOFT
    return {**_SOFT, "bounds": (low, high)}


INVARIANTS: Mapping[str, Mapping[str, Any]] = {
    "med": _METRIC,
    "nmed": {"identity": 0},
    "rd": _METRIC,
    "ri": _SIMILARITY,
    "nrd": {"identity": 0},
    "ard": {"identity": 0, "refinement": True},
    "ari": _SIMILARITY,
    "mirkin": _METRIC,
    "fm": _SIMILARITY,
    "jaccard": _SIMILARITY,
    "1 - jaccard": {"metric": True},
    "wallace_ab": {},
    "wallace_ba": {},
    "vi": _METRIC,
    "mi": {},
    "entropy_a": {},
    "entropy_b": {},
    "nmi": _SIMILARITY,
    "nmi_geometric": _SIMILARITY,
    "nmi_max": _SIMILARITY,
    "1 - nmi_max": {"metric": True},
    "nmi_min": {},
    "nmi_joint": _SIMILARITY,
    "1 - nmi_joint": {"metric": True},
    "v_measure": _SIMILARITY,
    "homogeneity": {},
    "completeness": {},
    "ami": _SIMILARITY,
    "purity": {},
    "van_dongen": _METRIC,
    "pair_kappa": _SIMILARITY,
    "chi2": {"symmetric": True},
    "g2": {"symmetric": True},
    "ffh": {"symmetric": True},
    "accuracy": {"identity": 1, "symmetric": True},
    "balanced_accuracy": {"identity": 1},
    "kappa": {"identity": 1, "symmetric": True},
    "mcc": {"identity": 1, "symmetric": True},
    "auc": {"identity": 1},
    "auc_pairs": _OF_PAIRS,
    "auc3": _OF_PAIRS,
    "f1_weighted": {"identity": 1},
    "recall": {"identity": 1},
    "precision": {"identity": 1},
    "f1": {"identity": 1, "symmetric": True},
    "f_pairs": {**_OF_PAIRS, "symmetric": True},
    "gsp": {"identity": 1},
    "gsp_pairs": {**_OF_PAIRS, "symmetric": True},
    "gss": {"identity": 1},
    "gss_pairs": _OF_PAIRS,
}
"""Of each statistic, and of what is made of some: arguments of `contract`; symmetry and bounds are in the records."""

OF_FUNCTIONS: Mapping[str, Mapping[str, Any]] = {
    "partition.fowlkes_mallows_squared": {
        "bounds": (0, 1),
        **_SIMILARITY,
        "undefined": (UndefinedIndexError,),
    },
    "soft.ndc": {**_of_memberships("ndc"), "identity": 1, "other_input": "ri"},
    "soft.aci": {**_SOFT, "bounds": (None, 1), "identity": 1, "other_input": "ari"},
    "soft.fari": {**_SOFT, "bounds": (None, 1), "identity": 1, "other_input": "ari"},
    "soft.sari": {**_of_memberships("sari"), "other_input": "ari"},
    **{
        f"soft.{author}_rand": {**_of_memberships(f"{author}_rand"), "other_input": "ri"}
        for author in ("anderson", "brouwer", "campello", "frigui")
    },
    **{
        f"soft.{author}_adjusted_rand": {
            **_of_memberships(f"{author}_adjusted_rand"),
            "other_input": "ari",
        }
        for author in ("anderson", "brouwer", "campello", "frigui")
    },
}
"""Of indices in ``confmat.indices`` that are no statistics; ``other_input`` is the statistic that crisp ones have."""

RELATIONS: tuple[str, ...] = (
    "ri = 1 - rd",
    "ari = 1 - ard",
    "pair_kappa = ari",
    "mirkin = rd*(n-1)/n",
    "fm*fm = wallace_ab*wallace_ba",
    "jaccard*(wallace_ab + wallace_ba - wallace_ab*wallace_ba) = wallace_ab*wallace_ba",
    "jaccard <= fm",
    "fm <= 1/2*(wallace_ab + wallace_ba)",
    "vi = entropy_a + entropy_b - 2*mi",
    "mi <= entropy_a",
    "mi <= entropy_b",
    "homogeneity*entropy_a = mi",
    "completeness*entropy_b = mi",
    "nmi*(entropy_a + entropy_b) = 2*mi",
    "nmi_joint*(mi + vi) = mi",
    "g2 = 2*n*mi",
    "v_measure = nmi",
    "nmi_joint <= nmi_max",
    "nmi_max <= nmi",
    "nmi <= nmi_geometric",
    "nmi_geometric <= nmi_min",
    "van_dongen <= med",
    "1 - med <= purity",
)
"""Relations between statistics, n, r and s: they hold wherever both sides have a value."""

# Values in doubles are the same up to this.
_TOLERANCE = 1e-9


def claims_of(name: str) -> Mapping[str, Any]:
    """What a contract claims of an index of the package, beside its record; nothing of another.

    >>> claims_of("med"), claims_of("mine")
    ({'metric': True, 'refinement': True}, {})
    """
    return INVARIANTS.get(name, {})


def lines_of(name: str) -> list[str]:
    """The claims and relations in which an index occurs, as they are printed.

    >>> lines_of("van_dongen")
    ['metric, refinement', 'van_dongen <= med']
    """
    claims = []
    for key, value in claims_of(name).items():
        if key != "undefined":
            claims.append(key if value is True else f"{key} = {value}")
    lines = [", ".join(claims)] if claims else []
    for text, claims_of_text in INVARIANTS.items():
        if "metric" in claims_of_text and name in _names_in(text):
            lines.append(f"{text} is a metric")
    lines += [text for text in RELATIONS if name in _names_in(text)]
    return lines


def _names_in(text: str) -> set[str]:
    """The names in an expression or a relation; none of a name alone."""
    if text in STATISTICS:
        return set()
    return {statistic.name for statistic in named_in(_parsed(text))}


def _parsed(text: str) -> FormulaTree:
    is_relation = any(sign in text for sign in "=<>")
    sizes: Any = dict(SIZES)
    names_known: Any = ChainMap(sizes, STATISTICS)  # type: ignore[arg-type]
    return parse(text, names_known, argument="relation", number=not is_relation)


def value_of(text: str, table: Any) -> Any:
    """The value of an expression of statistics, n, r and s at a table; nan where a part has none.

    >>> value_of("1 - jaccard", [[2, 1], [0, 2]]), value_of("rd*(n-1)/n", [[1, 1]])
    (Fraction(2, 3), Fraction(1, 2))
    """
    return _evaluated(_parsed(text), dense(as_matrix(table)))


def _evaluated(formula: FormulaTree, cells: np.ndarray) -> Any:
    sizes = sizes_of(int(sum(cells.ravel().tolist())), cells.shape)

    def value(leaf: Any) -> Any:
        if isinstance(leaf, Statistic):
            return leaf(cells)
        return sizes[leaf.name]

    return fold(formula, value, _applied)


def _applied(sign: str, parts: tuple[Any, ...]) -> Any:
    """An operator on exact numbers; on doubles where two kinds of exact numbers do not go together."""
    try:
        return ARITHMETIC[sign](*parts)
    except ZeroDivisionError:
        return nan
    except (TypeError, ValueError, NotImplementedError):
        return ARITHMETIC[sign](*map(float, parts))


def holds(relation: str, table: Any) -> bool | None:
    """Whether a relation holds at a table, in doubles up to rounding; None where a side is undefined.

    >>> holds("ri = 1 - rd", [[2, 1], [0, 2]]), holds("jaccard <= fm", [[1, 1]]), holds("med = rd", [[2, 1], [0, 2]])
    (True, None, False)
    """
    formula = _parsed(relation)
    assert isinstance(formula, Chain)
    cells = dense(as_matrix(table))
    left_value, right_value = (_evaluated(part, cells) for part in formula.parts)
    if left_value != left_value or right_value != right_value:
        return None
    if formula.relations == ("=",):
        return _same(left_value, right_value)
    return bool(left_value <= right_value) or _same(left_value, right_value)


def _same(left_value: Any, right_value: Any) -> bool:
    if isinstance(left_value, Fraction) and isinstance(right_value, Fraction):
        return left_value == right_value
    return isclose(float(left_value), float(right_value), rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def function_of(text: str) -> Callable[[Any], float]:
    """An expression as a function of a table, in doubles.

    >>> function_of("1 - nmi_joint")([[1, 0], [0, 1]])
    0.0
    """
    return lambda table: float(value_of(text, table))
