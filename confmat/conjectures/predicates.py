"""Evaluation of a predicate over the tables of a class up to symmetry, and the smallest table for which it is false.

A condition with formulas is evaluated on the distinct (m, A, B, P) of the class. m = n MED is the number of objects
outside the best matching. A, B and P are the numbers of pairs of objects in a common row, column and cell.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from confmat._engine.walks import (
    Chunk,
    chunks,
    exact_values,
    holding,
    pair_sums,
    tables_under,
)
from confmat._limits import Limits, look
from confmat.classes import MatrixClass
from confmat.classes.orbits import ONLY_SQUARE, as_symmetry, largest_image, nested
from confmat.conjectures.outcomes import IN_FLOATS, Finding, Outcomes, Violation, explained
from confmat.contingency.texts import matrix_text
from confmat.distributions.sources import Pass, Source
from confmat.errors import ConsistencyError, UndefinedIndexError
from confmat.indices.pairs import pairs_within
from confmat.statistics.conditions import Condition


def of_predicate(
    predicate: Callable[[np.ndarray], bool], matrices: MatrixClass, walk: Iterable[Chunk], symmetry: str
) -> Finding:
    """Return the outcomes of a predicate over the tables of a class, and its smallest violation, as a `Finding`.

    ``walk`` yields arrays of tables (N x r x s), each with an array of the numbers of matrices that the tables
    represent. A table represents its images under ``symmetry`` that are in the class.

    >>> from confmat.classes import Tables
    >>> chunk = np.array([[[0, 2], [1, 1]]]), np.array([4])
    >>> of_predicate(lambda table: table[0, 1] < 2, Tables(4, 2, 2), [chunk], "permutations").violation.witness
    {'matrix': ((0, 2), (1, 1))}
    """
    outcomes = Outcomes(matrices.count())
    first_image: tuple[tuple[int, ...], ...] | None = None
    for batch, copies in walk:
        sums = pair_sums(batch)
        holds, cases = _judged(predicate, matrices, batch, sums)
        outcomes.add(sums, copies, holds, cases)
        for table in batch[~holds]:
            if first_image is None or _least_first_row(table, symmetry) <= first_image[0]:
                image = smallest_image(table, symmetry)
                if first_image is None:
                    first_image = image
                else:
                    first_image = min(first_image, image)
    if first_image is None:
        violation = None
    else:
        violation = Violation(_why(predicate, first_image), {"matrix": first_image})
    return Finding(outcomes.covered, outcomes.digest, violation, outcomes.cases)


def _judged(
    predicate: Callable[[np.ndarray], bool], matrices: Any, batch: np.ndarray, sums: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return two arrays: whether a predicate is true for each table of a batch, and whether its premise is.

    The second one is None if there is no premise. ``sums`` has the columns m = n MED, and A, B, P: pairs of objects
    in common rows, columns and cells.
    """
    if not isinstance(predicate, Condition):
        return holds_at(predicate, batch), None
    if predicate.counted:
        return predicate.judged(lambda condition: condition.mask(matrices, *sums.T))
    columns = [exact_values(x, matrices, batch) for x in predicate.statistics]
    return predicate.judged(lambda condition: holding(condition.at(matrices), batch, columns))


def _why(predicate: Callable[[np.ndarray], bool], table: tuple[tuple[int, ...], ...]) -> str:
    """Return the values that a condition compares at a table, or the reason that a function returns."""
    if not isinstance(predicate, Condition):
        return _ask(predicate, np.array(table, np.int64))[1] or "the predicate is False here"
    values = {x.name: x(table) for x in predicate.statistics}
    text = ", ".join(f"{name} = {value}" for name, value in values.items()) or "the condition is False here"
    return text if predicate.exact else text + IN_FLOATS


def confirm(predicate: Callable[[np.ndarray], bool], table: np.ndarray) -> None:
    """Call a function again at its counterexample. Raise ConsistencyError if it is now true.

    >>> confirm(lambda table: table[0, 0] < 2, np.array([[1, 1], [0, 1]]))
    Traceback (most recent call last):
    ...
    confmat.errors.ConsistencyError: a check found the counterexample 1,1;0,1, but the predicate is True in a second \
call. It is random, or its declared symmetry is false
    """
    if holds_at(predicate, table[None])[0]:
        raise ConsistencyError(
            f"a check found the counterexample {matrix_text(table)}, but the predicate is True in a second call. It is "
            "random, or its declared symmetry is false"
        )


def usable(symmetry: str, matrices: Any) -> str:
    """Return the name of a symmetry unchanged if this symmetry maps the class to itself, otherwise "none".

    >>> from confmat.classes import Tables
    >>> usable("transposition", Tables(4, 2, 2)), usable("simultaneous", Tables(4, 2, 3))
    ('transposition', 'none')
    """
    generators = as_symmetry(symmetry)
    if matrices.shape[0] != matrices.shape[1]:
        generators -= ONLY_SQUARE
    if generators and generators <= matrices.symmetry:
        return symmetry
    return "none"


def smallest_image(table: np.ndarray, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """Return the lexicographically smallest image of ``table`` under a symmetry, in row-major order.

    >>> smallest_image(np.array([[3, 1], [0, 2]]), "permutations")
    ((0, 2), (3, 1))
    """
    if symmetry == "none":
        return nested(table)
    top = int(table.max())  # the smallest image is the largest one of the complement
    return nested(top - largest_image(top - table, as_symmetry(symmetry)))


def _least_first_row(table: np.ndarray, symmetry: str) -> tuple[int, ...]:
    """Return a vector that is lexicographically at most the first row of every image of ``table``.

    With this bound, `smallest_image` is called for few tables only.
    """
    if symmetry == "none":
        return tuple(table[0].tolist())
    lines = [
        *table.tolist(),
        *(table.T.tolist() if table.shape[0] == table.shape[1] else []),
    ]
    return min(tuple(sorted(line)) for line in lines)


def holds_at(predicate: Callable[[np.ndarray], bool], batch: np.ndarray) -> np.ndarray:
    """Return the truth values of a function for the tables of a batch."""
    return np.array([_ask(predicate, table)[0] for table in batch], bool)


def _ask(predicate: Callable[[np.ndarray], Any], table: np.ndarray) -> tuple[bool, str]:
    """Return the answer of a function for one table as (bool, reason).

    If an index is undefined (0/0), the error names the table.
    """
    table = table.view()
    table.flags.writeable = False
    try:
        return explained(predicate(table), table)
    except UndefinedIndexError as error:
        raise UndefinedIndexError(f"{error}, in the predicate at {matrix_text(table)}") from error


# Numbers A and B of pairs of points in rows and columns, the smaller first, at which a condition fails.
Failing = set[tuple[int, int]]


def outcomes_of_signatures(condition: Condition, of: Pass) -> tuple[Outcomes, Failing]:
    """Return the outcomes of a condition with formulas over a class, and its failures.

    Failures are the pairs {A, B} of the tables for which the condition is false. ``of`` is the enumeration of the
    class. A and B are the numbers of pairs of objects in common rows and in common columns.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_condition
    >>> enumeration = Pass(Tables(4, 2, 2), "tables", Limits())
    >>> outcomes, failing = outcomes_of_signatures(as_condition("med < 1/2"), enumeration)
    >>> outcomes.covered, sorted(failing)
    (19, [(2, 2), (3, 3)])
    """
    matrices = of.matrices
    source = Source(of, oriented="transposition" not in condition.symmetry)
    outcomes = Outcomes(matrices.count())
    failing: Failing = set()
    for signatures, weights in source.blocks():
        look("the check")
        holds, cases = condition.judged(lambda part: part.mask(matrices, *signatures.T))  # noqa: B023
        outcomes.add(signatures, weights, holds, cases)
        failing |= set(map(tuple, np.unique(np.sort(signatures[~holds, 1:3]), axis=0).tolist()))
    return outcomes, failing


def _watched(walk: Iterable[Chunk]) -> Iterator[Chunk]:
    """Yield the chunks of ``walk`` unchanged. Raise an error after the deadline."""
    for chunk in walk:
        look("the check")
        yield chunk


def tables_at(matrices: MatrixClass, symmetry: str, failing: Failing) -> Iterator[Chunk]:
    """Yield the tables of a class with (min(A, B), max(A, B)) in the set ``failing``, up to a symmetry.

    Each item is an array of tables and an array of the numbers of members that they represent. A and B are the
    numbers of pairs of objects in common rows and in common columns.

    >>> from confmat.classes import Tables
    >>> sum(int(copies.sum()) for _, copies in tables_at(Tables(4, 2, 2), "transposition", {(2, 2)}))
    3
    """
    margins_failing = []
    for margins in matrices.margins(symmetry):
        A, B = sorted([pairs_within(margins.rows), pairs_within(margins.cols)])
        if (A, B) in failing:
            margins_failing.append(margins)
    yield from tables_under(margins_failing)


def finding_of(
    predicate: Callable[..., Any],
    matrices: MatrixClass,
    symmetry: str,
    by_signatures: bool,
    where: Limits | None = None,
) -> Finding:
    """Return the finding of a predicate over a class.

    If ``by_signatures`` is True, the predicate must be a condition with formulas. It is evaluated on the distinct
    (m, A, B, P): n MED, and the numbers of pairs of objects in common rows, columns and cells. Otherwise it is
    evaluated on all tables up to ``symmetry``.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_condition
    >>> condition = as_condition("med < 1/2")
    >>> found = [finding_of(condition, Tables(4, 2, 2), "transposition", by) for by in (True, False)]
    >>> found[0] == found[1], found[0].covered
    (True, 19)
    """
    if not by_signatures:
        return of_predicate(predicate, matrices, _watched(chunks(matrices, symmetry)), symmetry)
    of = Pass(matrices, "tables", where or Limits())
    outcomes, failing = outcomes_of_signatures(predicate, of)  # type: ignore[arg-type]
    violation = None
    if failing:
        tables = tables_at(matrices, symmetry, failing)
        violation = of_predicate(predicate, matrices, tables, symmetry).violation
    return Finding(outcomes.covered, outcomes.digest, violation, outcomes.cases)
