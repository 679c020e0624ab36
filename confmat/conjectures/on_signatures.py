"""Statements about (m, A, B, P), decided on the distinct signatures of a class, as the engine counts them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.conjectures.outcomes import Finding, Outcomes
from confmat.conjectures.predicates import of_predicate
from confmat.engine.reference import tables_of_margins
from confmat.engine.walks import Chunk, chunks
from confmat.indices.pairs import pairs_within
from confmat.laws.sources import Pass, Source
from confmat.plans.methods import Progress, Resources
from confmat.statistics.conditions import Condition
from confmat.statistics.grammar import Chain, Name, Number
from confmat.statistics.ratios import Whole
from confmat.statistics.record import Statistic

# Numbers A and B of pairs of points in rows and columns, the smaller first, at which a condition fails.
Failing = set[tuple[int, int]]


@dataclass(frozen=True)
class _Truth:
    """A function of n, m, A, B and P that answers True or False, as a formula: 1 or 0."""

    function: Callable[..., Any]

    def __call__(self, n: Any, m: Any, A: Any, B: Any, P: Any) -> tuple[Any, int]:
        given = [x if isinstance(x, Whole) else Whole([*map(int, np.ravel(x))]) for x in (m, A, B, P)]
        try:
            answer = self.function(n, *given)
        except TypeError:  # it asks NumPy for more
            answer = self.function(n, *(x.values.astype(object) for x in given))
        if isinstance(answer, Whole) or np.asarray(answer).dtype != np.bool_:
            raise TypeError(f"a claim about signatures must answer True or False for each, got {answer!r}")
        truths = np.broadcast_to(answer, given[0].values.shape)
        return Whole(truths) if isinstance(m, Whole) else truths.reshape(np.shape(m)).astype(int)[()], 1


def condition_of_arrays(function: Callable[..., Any], symmetry: str = "none") -> Condition:
    """That a function of n and of arrays m, A, B and P is true, everywhere.

    The arrays are of whole numbers that never overflow (``Whole``), or of Python's for a function that asks NumPy for
    more.  Lines may always be exchanged; ``symmetry`` "transposition" is declared, and tried.

    >>> less = condition_of_arrays(lambda n, m, A, B, P: P * P <= A * B, "transposition")
    >>> less([[2, 1], [0, 1]]), sorted(less.symmetry)
    (True, ['columns', 'rows', 'simultaneous', 'transposition'])
    """
    widest = "permutations" if symmetry == "none" else symmetry
    try:
        truth = Statistic("claim", formula=_Truth(function), symmetry=widest)
    except TypeError as error:
        raise TypeError(
            "predicate must be a condition with formulas, or a function of n and of arrays m, A, B, P that answers "
            f"True or False for each, got {function!r}"
        ) from error
    return Condition(Chain(("=",), (Name(truth.name), Number(Fraction(1)))), (truth,))


def outcomes_of_signatures(
    condition: Condition, matrices: MatrixClass, of: Pass | None = None
) -> tuple[Outcomes, Failing, int]:
    """What a condition with formulas answers over a class, where it fails, and for how many members.

    ``of``: a pass over the class that others share, or a checkpoint has; its ``progress`` is called now and then, and
    may raise to stop it.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_condition
    >>> outcomes, failing, members = outcomes_of_signatures(as_condition("med < 1/2"), Tables(4, 2, 2))
    >>> outcomes.covered, sorted(failing), members
    (19, [(2, 2), (3, 3)], 5)
    """
    of = of or Pass(matrices, "tables", Resources())
    source = Source(of, oriented="transposition" not in condition.symmetry)
    outcomes, members = Outcomes(matrices.count()), 0
    failing: Failing = set()
    for signatures, weights in source.blocks():
        _look(of.resources)
        holds, cases = condition.judged(lambda asked: asked.mask(matrices, *signatures.T))  # noqa: B023
        outcomes.add(signatures, weights, holds, cases)
        members += int(weights[~holds].sum())
        failing |= set(map(tuple, np.unique(np.sort(signatures[~holds, 1:3]), axis=0).tolist()))
    return outcomes, failing, members


def _look(where: Resources) -> None:
    if where.progress is not None:
        where.progress(Progress("signatures", 0, 1, 0.0))


def tables_at(matrices: MatrixClass, symmetry: str, failing: Failing) -> Iterator[Chunk]:
    """The tables of a class, up to a symmetry, whose margins have such numbers of pairs.

    >>> from confmat.classes import Tables
    >>> sum(int(copies.sum()) for _, copies in tables_at(Tables(4, 2, 2), "transposition", {(2, 2)}))
    3
    """
    for rows, cols, copies in matrices.margins(symmetry):
        if tuple(sorted((pairs_within(rows), pairs_within(cols)))) in failing:
            for batch in tables_of_margins(rows, cols):
                yield batch, np.full(len(batch), copies)


def finding_of(
    predicate: Callable[..., Any],
    matrices: MatrixClass,
    symmetry: str,
    by_signatures: bool,
    where: Resources | None = None,
) -> Finding:
    """What a predicate answers over a class: on its signatures, or on its tables up to a symmetry.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_condition
    >>> condition = as_condition("med < 1/2")
    >>> found = [finding_of(condition, Tables(4, 2, 2), "transposition", by) for by in (True, False)]
    >>> found[0] == found[1], found[0].covered
    (True, 19)
    """
    where = where or Resources()
    if not by_signatures:
        walk = (_look(where) or chunk for chunk in chunks(matrices, symmetry))  # type: ignore[func-returns-value]
        return of_predicate(predicate, matrices, walk, symmetry)
    outcomes, failing, _ = outcomes_of_signatures(predicate, matrices, Pass(matrices, "tables", where))  # type: ignore[arg-type]
    first = (
        of_predicate(predicate, matrices, tables_at(matrices, symmetry, failing), symmetry)
        if failing
        else None
    )
    return Finding(outcomes.covered, outcomes.digest, first.violation if first else None, outcomes.cases)
