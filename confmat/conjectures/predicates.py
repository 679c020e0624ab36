"""A predicate over the tables of a class: asked, tried under its symmetry, and the first table that fails."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from confmat.classes import Tables
from confmat.classes.orbits import NONE, ONLY_SQUARE, as_symmetry, largest_image, nested
from confmat.conjectures.changes import Changed
from confmat.conjectures.entries import Counted
from confmat.conjectures.outcomes import Finding, Outcomes, Violation, explained
from confmat.engine.trying import Declared, Values, is_certain, tried
from confmat.engine.walks import Chunk, exact_values, holding, meets, pair_sums
from confmat.errors import UndefinedIndexError
from confmat.statistics.conditions import Condition


def of_predicate(
    predicate: Callable[[np.ndarray], bool], matrices: Counted, walk: Iterable[Chunk], symmetry: str
) -> Finding:
    """What a walk over a class finds: the counts of its outcomes, and the first member that fails.

    >>> from confmat.classes import Tables
    >>> chunk = np.array([[[0, 2], [1, 1]]]), np.array([4])
    >>> of_predicate(lambda table: table[0, 1] < 2, Tables(4, 2, 2), [chunk], "permutations").violation.witness
    {'matrix': ((0, 2), (1, 1))}
    """
    outcomes = Outcomes(matrices.count())
    first: tuple[tuple[int, ...], ...] | None = None
    for batch, copies in walk:
        sums = pair_sums(batch)
        holds, cases = _judged(predicate, matrices, batch, sums)
        outcomes.add(sums, copies, holds, cases)
        for table in batch[~holds]:
            if first is None or _least_first_row(table, symmetry) <= first[0]:
                image = smallest_image(table, symmetry)
                first = image if first is None else min(first, image)
    violation = None if first is None else _violation(predicate, matrices, first)
    return Finding(outcomes.covered, outcomes.digest, violation, outcomes.cases)


def _judged(
    predicate: Callable[[np.ndarray], bool], matrices: Any, batch: np.ndarray, sums: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
    """Whether it holds at tables with these (m, A, B, P), and of how many cases of each it says something."""
    if isinstance(predicate, Changed):
        return predicate.each(matrices, batch)
    if not isinstance(predicate, Condition):
        return holds_at(predicate, matrices, batch), None
    if predicate.counted:
        return predicate.judged(lambda condition: condition.mask(matrices, *sums.T))
    columns = [exact_values(x, matrices, batch) for x in predicate.statistics]
    return predicate.judged(lambda condition: holding(condition.at(matrices), columns))


def _violation(
    predicate: Callable[[np.ndarray], bool], matrices: Any, table: tuple[tuple[int, ...], ...]
) -> Violation:
    """What is wrong with a table, and the tables that show it."""
    if isinstance(predicate, Changed):
        detail, others = predicate.shown(matrices, np.array(table, np.int64))
        return Violation(detail, {"matrix": table, **others})
    return Violation(_why(predicate, table), {"matrix": table})


def _why(predicate: Callable[[np.ndarray], bool], table: tuple[tuple[int, ...], ...]) -> str:
    """The values that a condition compares, or the reason that a function gives."""
    if not isinstance(predicate, Condition):
        return _ask(predicate, np.array(table, np.int64))[1] or "the predicate is False here"
    if any(
        x.counted and x.index is None for x in predicate.statistics
    ):  # a claim on numbers that have no names
        numbers = pair_sums(np.array([table]))[0].tolist()
        return "(m, A, B, P) = ({}, {}, {}, {})".format(*numbers)
    return ", ".join(f"{x.name} = {x(table)}" for x in predicate.statistics) or "the condition is False here"


def try_symmetry(predicate: Callable[[np.ndarray], bool], symmetry: str, matrices: Any) -> None:
    """Try what is declared of a predicate (a condition's statistics) and of the class; SymmetryError if it is false.

    See ``confmat.engine.trying``; predicates of the package are tried in its tests.  Passing is no proof: the
    certificate names the symmetry.
    """
    tried(matrices, predicate.statistics if isinstance(predicate, Condition) else ())
    wanted = as_symmetry(symmetry)
    if wanted <= getattr(predicate, "symmetry", NONE):
        return
    if not wanted or _of_package(predicate):
        return

    def evaluate(tables: np.ndarray) -> Values:
        n, (r, s) = int(tables[0].sum()), tables.shape[1:]
        return [False, True], holds_at(predicate, Tables(n, r, s, empty=True), tables).astype(np.int64)

    is_certain(Declared("the predicate", predicate, wanted, evaluate), matrices)


def _of_package(predicate: Any) -> bool:
    code = getattr(getattr(predicate, "py_func", predicate), "__code__", None)
    return code is not None and Path(code.co_filename).is_relative_to(Path(__file__).parent)


def usable(symmetry: str, matrices: Any) -> str:
    """The symmetry, where it maps the class to itself; else "none": every member is visited.

    >>> from confmat.classes import Tables
    >>> usable("transposition", Tables(4, 2, 2)), usable("simultaneous", Tables(4, 2, 3))
    ('transposition', 'none')
    """
    wanted = as_symmetry(symmetry)
    if matrices.shape[0] != matrices.shape[1]:
        wanted -= ONLY_SQUARE
    return symmetry if wanted and wanted <= matrices.symmetry else "none"


def smallest_image(table: np.ndarray, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """The first matrix, in row-major lexicographic order, among the images of ``table``.

    >>> smallest_image(np.array([[3, 1], [0, 2]]), "permutations")
    ((0, 2), (3, 1))
    """
    if symmetry == "none":
        return nested(table)
    top = int(table.max())  # the smallest image is the largest one of the complement
    return nested(top - largest_image(top - table, as_symmetry(symmetry)))


def _least_first_row(table: np.ndarray, symmetry: str) -> tuple[int, ...]:
    """A lower bound of the first row of every image: it spares most calls of ``smallest_image``."""
    if symmetry == "none":
        return tuple(table[0].tolist())
    lines = [*table.tolist(), *(table.T.tolist() if table.shape[0] == table.shape[1] else [])]
    return min(tuple(sorted(line)) for line in lines)


def holds_at(predicate: Callable[[np.ndarray], bool], matrices: Any, batch: np.ndarray) -> np.ndarray:
    """Values of the predicate on every matrix of a batch from a class."""
    if isinstance(predicate, Condition):
        return meets(predicate, matrices, batch)
    if isinstance(predicate, Changed):
        return predicate.each(matrices, batch)[0]
    from numba.core.dispatcher import Dispatcher

    if isinstance(predicate, Dispatcher):
        values = np.empty(len(batch), np.bool_)
        _compiled_loop()(predicate, batch.copy(), values)  # it might write into its argument
        return values
    return np.array([_ask(predicate, table)[0] for table in batch], bool)


def _ask(predicate: Callable[[np.ndarray], Any], table: np.ndarray) -> tuple[bool, str]:
    """What a function says of one table, and why; an index that is 0/0 within it names the table."""
    table = table.view()
    table.flags.writeable = False
    try:
        return explained(predicate(table), str(table.tolist()))
    except UndefinedIndexError as error:
        raise UndefinedIndexError(f"{error}, in the predicate at {table.tolist()}") from error


@lru_cache
def _compiled_loop() -> Callable[..., None]:
    from numba import njit

    @njit(nogil=True)
    def loop(predicate, batch, values):  # type: ignore[no-untyped-def]
        for i in range(len(batch)):
            values[i] = predicate(batch[i])

    return loop
