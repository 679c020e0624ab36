"""Two ways to one law, compared: a pass over the margin classes, and others that share none of its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from confmat.answers import Answer, Part, Verbatim
from confmat.classes import MatrixClass
from confmat.classes.matrix_class import members
from confmat.engine.margins import MOST_MARGIN_CLASSES, number_of_margin_classes
from confmat.engine.pieces import work_of
from confmat.engine.signatures import is_confirmed
from confmat.engine.walks import Chunk, meets, values_of, weighted
from confmat.errors import ConsistencyError
from confmat.laws.distances import (
    Weights,
    by_generating_function,
    by_recursion,
    has_med_law,
    has_rd_law,
    of_signatures,
    of_sums,
)
from confmat.laws.sources import Pass
from confmat.laws.supports import PointsOfSupport
from confmat.statistics.conditions import Condition
from confmat.statistics.record import Statistic

# A pass visits so many tables at most, and so many members are enumerated one by one.
MOST_VISITED = 10**9
MOST_MEMBERS_COMPARED = 10**5

# Values (m = n MED, F = C(n, 2) RD, or one of them) and their weights.
AgreementLaw = Mapping[Any, int]


@dataclass(frozen=True, repr=False)
class Agreement(Answer):
    """Two ways gave one law: of what, by which ways, and how many values each with its weight were compared.

    >>> print(Agreement("med", "one pass", "the generating function", 3))
    law of med: one pass and the generating function agree on all 3 values
    """

    of: str
    first: str
    second: str
    values: int

    def parts(self) -> Iterator[Part]:
        """A line."""
        if self.values == 1:
            values = ""
        else:
            values = f" on all {self.values} values"
        yield Verbatim(f"law of {self.of}: {self.first} and {self.second} agree{values}")


def of_class(source: Pass) -> Iterator[Agreement]:
    """The laws of the MED and of the RD over a class, from a pass and by the ways that reach it without one.

    ConsistencyError where two differ.  Nothing where matrices are weighed, where not all of a shape and total are
    members, or where a pass would visit more than ``MOST_VISITED`` tables.

    >>> from confmat.classes import Tables
    >>> from confmat.plans import Resources
    >>> for agreement in of_class(Pass(Tables(6, 2, 2), "tables", Resources())):
    ...     print(agreement)
    law of med: one pass and the generating function agree on all 4 values
    law of rd: one pass and the recursion over sets of cells agree on all 4 values
    """
    matrices = source.matrices
    if source.weight != "tables" or not matrices or not matrices.unrestricted:
        return
    if number_of_margin_classes(matrices) > MOST_MARGIN_CLASSES or work_of(matrices).visited > MOST_VISITED:
        return
    if source.is_held():
        keys, sums = of_signatures(source.blocks())
        weights = dict(zip(map(tuple, keys.tolist()), sums.tolist()))
    else:
        weights = of_sums(source.found)
    others = (
        ("med", has_med_law, by_generating_function, "the generating function"),
        ("rd", has_rd_law, by_recursion, "the recursion over sets of cells"),
    )
    for place, (name, is_known, law_of, way) in enumerate(others):
        if is_known(matrices):
            first, second = (_of_one(law, place) for law in (weights, law_of(matrices)))
            yield agreement(matrices, name, ("one pass", first), (way, second))


def _of_one(weights: Weights, place: int) -> AgreementLaw:
    """The law of m or (1) of F from the weights of (m, F)."""
    law: Counter[int] = Counter()
    for m_and_f, weight in weights.items():
        law[m_and_f[place]] += weight
    return law


def of_reading(source: Pass) -> Iterator[Agreement]:
    """The signatures that were read from a file or a folder, and all of them computed again, piece by piece.

    ConsistencyError where they differ.  Nothing where they were computed here.
    """
    if not source.read_from or not source.is_held():
        return
    signatures = source.found
    if not is_confirmed(signatures, source.matrices, source.weight, whole=True):
        raise ConsistencyError(
            f"the {source.read_from} is not the law of {source.matrices!r}: another pass differs"
        )
    yield Agreement(
        "m, A, B, P",
        f"the {source.read_from}",
        "another pass",
        len(signatures),
    )


def of_members(
    matrices: MatrixClass,
    weight: str,
    statistics: tuple[Statistic, ...],
    conditions: tuple[Condition, ...],
    support: Callable[[], PointsOfSupport],
) -> Iterator[Agreement]:
    """A law, and the same from its members one by one, without any symmetry; of at most ``MOST_MEMBERS_COMPARED``."""
    if not matrices or matrices.count() > MOST_MEMBERS_COMPARED:
        return
    of_each = dict(values_of(matrices, statistics, _member_blocks(matrices, weight, conditions)))
    of = ", ".join([x.name for x in statistics]) + "".join(f" given {x}" for x in conditions)
    yield agreement(
        matrices,
        of,
        ("the law", dict(support())),
        ("every member one by one", of_each),
    )


def _member_blocks(matrices: MatrixClass, weight: str, conditions: tuple[Condition, ...]) -> Iterator[Chunk]:
    for tables in members(matrices):
        for condition in conditions:
            tables = tables[meets(condition, matrices, tables)]
        if len(tables):
            yield tables, weighted((tables, np.ones(len(tables), np.int64)), weight)


def agreement(
    matrices: MatrixClass, of: str, first: tuple[str, AgreementLaw], second: tuple[str, AgreementLaw]
) -> Agreement:
    """Two laws, each with the way to it, compared value by value.

    >>> from confmat.classes import Tables
    >>> agreement(Tables(2, 2, 2), "med", ("one way", {0: 2}), ("another", {0: 1, 1: 1}))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.ConsistencyError: law of med over Tables(n=2, r=2, s=2, empty=False): one way gives 0 the weight ...
    """
    (way, law), (second_way, second_law) = first, second
    weights = _by_text(law)
    second_weights = _by_text(second_law)
    for text in weights | second_weights:
        weight = weights.get(text, 0)
        second_weight = second_weights.get(text, 0)
        if weight != second_weight:
            raise ConsistencyError(
                f"law of {of} over {matrices!r}: {way} gives {text} the weight {weight}, "
                f"{second_way} {second_weight}"
            )
    return Agreement(of, way, second_way, len(weights | second_weights))


def _by_text(law: AgreementLaw) -> dict[str, int]:
    """The weights by the texts of the values: nan is nan."""
    return {_point_text(value): weight for value, weight in law.items()}


def _point_text(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(str, value))})"
    return str(value)
