"""Conditional distributions given each value of one statistic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat._engine.signatures import SIGNATURES_READ_AT_ONCE, joined
from confmat.distributions.lines import Number
from confmat.distributions.sums import LawsGivenMed
from confmat.errors import TooLargeError
from confmat.statistics.clusterings import ARD, MED, RD
from confmat.statistics.record import Statistic, sort_key

if TYPE_CHECKING:
    from confmat.distributions.multivariate import JointDistribution

# Statistics whose distributions given the MED follow from sums over a class.
_SUMMED = frozenset({MED, RD, ARD})

GivenValue = tuple[Number, "JointDistribution"]


def given_each(law: JointDistribution, statistic: Statistic) -> Iterator[GivenValue]:
    """Yield each value of a statistic, in increasing order, and the joint distribution given this value.

    >>> from confmat.classes import Tables
    >>> from confmat.distributions import joint_distribution
    >>> law = joint_distribution(Tables(4, 2, 2), "med", "rd")
    >>> [(str(value), given.total) for value, given in given_each(law, MED)]
    [('0', 6), ('1/4', 8), ('1/2', 5)]
    """
    parts = _by_value
    if law._lists:
        parts = _listed
    elif statistic == MED and law._source.part is None:
        if law._source.is_held():
            parts = _by_level
        elif set(law._statistics) <= _SUMMED and not law.conditions and law._known is None:
            parts = _summed
    for value, fields in parts(law, statistic):
        yield value, replace(law, _fixed=(*law._fixed, (statistic, value)), **fields)


def _listed(law: JointDistribution, statistic: Statistic) -> Iterator[tuple[Number, dict[str, Any]]]:
    """Yield pairs (value, changes) for the values of ``statistic``. ``replace(law, **changes)`` is given this value.

    It has only the tuples of values (of all statistics) with this value. ``law`` must be a distribution that lists
    its values.
    """
    position = law._statistics.index(statistic)
    in_order = sorted(law._support, key=lambda item: sort_key(item[0][position]))
    for value, points in groupby(in_order, key=lambda item: item[0][position]):
        yield value, {"_given_points": list(points)}


def _by_level(law: JointDistribution, statistic: Statistic) -> Iterator[tuple[Number, dict[str, Any]]]:
    """Yield pairs (value, changes) for the values of the MED. ``replace(law, **changes)`` is given this value.

    Its source has only the sufficient statistics with this MED. Those of the whole class must be in memory.
    ``statistic`` is not used, because it is the MED.
    """
    source = law._turned(law._statistics)
    for m, weight_without_conditions in enumerate(source.of.found.weights):
        source_at_m = source.at(m)
        if weight_without_conditions and source_at_m.weight:
            yield Fraction(m, max(1, law.matrices.n)), {"_source": source_at_m}


def _summed(law: JointDistribution, statistic: Statistic) -> Iterator[tuple[Number, dict[str, Any]]]:
    """Yield pairs (value, changes) for the values of the MED. ``replace(law, **changes)`` is given this value.

    It has the distributions of MED, RD and ARD, computed from sums over the class. ``statistic`` is not used,
    because it is the MED.
    """
    laws = LawsGivenMed(law._source.of)
    for m in laws.levels:
        known = {name: laws.line(name, m) for name in law.names}
        yield Fraction(m, max(1, law.matrices.n)), {"_known": known}


def _by_value(law: JointDistribution, statistic: Statistic) -> Iterator[tuple[Number, dict[str, Any]]]:
    """Yield pairs (value, changes) for the values of ``statistic``. ``replace(law, **changes)`` is given this value.

    The new source has only the sufficient statistics at which the statistic has the value. Raise TooLargeError if
    the class has too many sufficient statistics.
    """
    if not law._held or law._source.size > SIGNATURES_READ_AT_ONCE:
        raise TooLargeError(law._refusal(f"distributions given each {statistic.name}"))
    source = law._turned(law._statistics)
    cells, weights = joined(source.blocks())
    function = statistic.over(source.of.matrices)
    values: dict[Number, int] = {}
    value_numbers = np.array([values.setdefault(function(*sums), len(values)) for sums in cells.tolist()])
    for value in sorted(values, key=sort_key):
        has_value = value_numbers == values[value]
        yield value, {"_source": source.listed(cells[has_value], weights[has_value])}
