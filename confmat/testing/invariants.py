"""Properties of the indices of the package, and relations between them.

`check_metric` uses the properties if an index is named. The tests check properties and relations for random tables
of up to 10^30 objects.

>>> INVARIANTS["ri"], INVARIANTS["1 - jaccard"]
({'identity': 1, 'refinement': True}, {'metric': True})
>>> [relation for relation in RELATIONS if "mirkin" in relation]
['mirkin = rd*(n-1)/n']
>>> lines_of("ri")
['identity = 1, refinement', 'ri = 1 - rd']
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any

from confmat.indices.records import RECORDS
from confmat.statistics import STATISTICS
from confmat.statistics.grammar import SIZES, FormulaTree, named_in, parse

__all__ = ["INVARIANTS", "RELATIONS", "lines_of"]

INVARIANTS: Mapping[str, Mapping[str, Any]] = {
    **{record.name: record.claims for record in RECORDS.values()},
    "1 - jaccard": {"metric": True},
    "1 - nmi_max": {"metric": True},
    "1 - nmi_joint": {"metric": True},
}
"""Properties of statistics, and of expressions of statistics, as arguments of `check_metric`.  Symmetry and bounds are
in the records of the statistics."""

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
"""Relations between statistics, n, r and s, which are true if both expressions have a value."""


def claims_of(name: str) -> Mapping[str, Any]:
    """Return the properties of an index of the package as arguments of `check_metric`, or an empty dictionary.

    >>> claims_of("med"), claims_of("mine")
    ({'metric': True, 'refinement': True}, {})
    """
    return INVARIANTS.get(name, {})


def lines_of(name: str) -> list[str]:
    """Return one line of text with all properties of an index, then one line for each relation with its name.

    Parameters
    ----------
    name : str
        Short name of a statistic.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from confmat.testing.invariants import lines_of
    >>> lines_of("ri")
    ['identity = 1, refinement', 'ri = 1 - rd']
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
    """Return the names of the statistics in an expression or a relation, an empty set for a name alone."""
    if text in STATISTICS:
        return set()
    return {statistic.name for statistic in named_in(_parsed(text))}


def _parsed(text: str) -> FormulaTree:
    """Return the syntax tree of an expression or a relation."""
    is_relation = any(sign in text for sign in "=<>")
    sizes: Any = dict(SIZES)
    names_known: Any = ChainMap(sizes, STATISTICS)  # type: ignore[arg-type]
    return parse(text, names_known, argument="relation", number=not is_relation)
