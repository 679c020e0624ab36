"""Conjectures about matrices, and their check: the smallest counterexample, or a certificate.

A ``Conjecture`` is a statement with a test: a predicate of one matrix, or a claim about a whole class of
matrices (an extremal value, say).  ``check`` walks classes in increasing size.  What it covered is counted and
compared with the closed-form count of each class, so that nothing is missed silently; ``verify`` does the
counting, and the walk, again.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import permutations
from typing import Any

import numpy as np

from confmat.certificates.seals import digest
from confmat.classes import Tables
from confmat.classes.orbits import largest_arrangement
from confmat.classes.symmetry import NAMED as SYMMETRIES
from confmat.classes.symmetry import ONLY_SQUARE, as_symmetry
from confmat.conjectures.certificates import (
    Certificate,
    Counted,
    Counterexample,
    Entry,
    Folder,
    Tested,
    read,
)
from confmat.conjectures.costs import BY_CALLS, BY_KERNELS, IN_ARRAYS, CheckQuestion
from confmat.conjectures.outcomes import Outcomes
from confmat.engine.sources import sources
from confmat.engine.tablewise import Chunk, chunks, meets
from confmat.errors import CertificateError, CheckpointError, SymmetryError
from confmat.plans.choice import choose, plannable
from confmat.statistics.conditions import Condition, as_condition

__all__ = [
    "Certificate",
    "CertificateError",
    "CheckpointError",
    "Conjecture",
    "Counterexample",
    "Finding",
    "SymmetryError",
    "Violation",
    "check",
    "domain",
    "examine",
    "read",
]

_DRAWS = 128  # random matrices of each class on which a declared symmetry is tried


@dataclass(frozen=True)
class Violation:
    """Why a claim fails at a class: a sentence, and the matrices that show it, by name."""

    detail: str
    witness: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """What one class showed: how many members were covered, a digest of the outcomes, and a violation if any."""

    covered: int
    digest: str
    violation: Violation | None = None


def _tables(n: int, shape: tuple[int, int]) -> Iterable[Counted]:
    return [Tables(n, *shape)]


@dataclass(frozen=True)
class Conjecture:
    """A statement that can be checked.

    The statement itself says what is tested where it is a condition, "med<=1/10 -> ari>=0" (see ``as_condition``);
    classes must then be square where its statistics ask for it, and what leaves these unchanged is its symmetry.  Else
    give either ``predicate``, a condition or a function of an r x s int64 array that answers True or False (jitted by
    Numba it is called in a compiled loop), or ``claim``, a function of a whole class that returns a ``Finding``.

    ``symmetry`` says what leaves the predicate unchanged: "transposition" (permutations of rows and of
    columns and, for r = s, transposition), "permutations", "simultaneous" (one permutation of rows and
    columns), "none".  It is tried on random matrices before it is used.
    ``applies``: the classes that the statement speaks about.  ``family``: the classes of one n and shape.
    ``status``: "open", "proved", "refuted" or "verified", in words.  ``sharpened``: name of the conjecture
    that says what is true instead.

    >>> conjecture = Conjecture("near", "med<=1/10 -> ari>=0")
    >>> conjecture.symmetry, check(conjecture, [Tables(n, 2, 2) for n in range(10, 15)]).covered
    ('transposition', 2105)
    """

    name: str
    statement: str
    source: str = ""
    predicate: Callable[[np.ndarray], bool] | None = None
    claim: Callable[[Any], Finding] | None = None
    symmetry: str = "none"
    applies: Callable[[Any], bool] = lambda matrices: True
    family: Callable[[int, tuple[int, int]], Iterable[Counted]] = _tables
    status: str = "open"
    sharpened: str | None = None

    def __post_init__(self) -> None:
        if self.predicate is not None and self.claim is not None:
            raise ValueError(f"conjecture {self.name!r} needs either a predicate or a claim")
        if self.predicate is None and self.claim is None:
            self._take_from_statement()
        if self.symmetry not in SYMMETRIES:
            raise ValueError(f"symmetry must be one of {', '.join(SYMMETRIES)}, got {self.symmetry!r}")

    def _take_from_statement(self) -> None:
        argument = f"statement of {self.name!r}, which has neither a predicate nor a claim,"
        condition = as_condition(self.statement, argument)
        object.__setattr__(self, "predicate", condition)
        if not condition.exact:
            object.__setattr__(self, "statement", f"{self.statement} (compared in doubles, up to rounding)")
        if self.symmetry == "none":
            widest = next(name for name, of in SYMMETRIES.items() if of <= condition.symmetry)
            object.__setattr__(self, "symmetry", widest)
        if any(x.generators and x.generators <= ONLY_SQUARE for x in condition.statistics):
            object.__setattr__(self, "applies", _is_square)

    def fingerprint(self) -> str:
        """Digest of the statement and of the source text of its test: a changed conjecture is another one.

        >>> small = Conjecture("small", "no entry exceeds 2", predicate=lambda table: table.max() <= 2)
        >>> large = Conjecture("small", "no entry exceeds 3", predicate=small.predicate)
        >>> small.fingerprint() == large.fingerprint()
        False
        """
        return digest("conjecture", {"name": self.name, "text": self.statement, **self.about.to_json()})

    @cached_property
    def about(self) -> Tested:
        """The statement in a form that fixes its meaning, as certificates have it.

        Of a condition on statistics of the table that is its text; else the source of the test and of all of one's own
        that it reaches.
        """
        test = self.predicate if self.predicate is not None else self.claim
        if not isinstance(test, Condition):
            return Tested(self.name, self.statement, {"source": sources(test), "symmetry": self.symmetry})
        own = {x.name: sources(x.base.formula or x.function) for x in test.statistics if x.index is None}
        if not own:
            return Tested(str(test), str(test), {"formula": str(test)})
        texts = {f"{key} of {name}": text for name, found in own.items() for key, text in found.items()}
        whole = {"formula": str(test), "source": texts, "symmetry": self.symmetry}
        return Tested(self.name, self.statement, whole)


def _is_square(matrices: Any) -> bool:
    return bool(matrices.shape[0] == matrices.shape[1])


def domain(
    conjecture: Conjecture, shapes: Iterable[tuple[int, int]], sizes: Iterable[int]
) -> tuple[Counted, ...]:
    """The classes with these shapes and sizes that a conjecture speaks about, in increasing size.

    Classes without a member are left out.

    >>> from confmat.conjectures import LITERATURE
    >>> domain(LITERATURE["med-max"], [(2, 2), (2, 3)], range(1, 4))
    (Tables(n=2, r=2, s=2, empty=False), Tables(n=3, r=2, s=2, empty=False), Tables(n=3, r=2, s=3, empty=False))
    """
    ordered = sorted(set(shapes))
    return tuple(
        matrices
        for n in sorted(set(sizes))
        for shape in ordered
        for matrices in conjecture.family(n, shape)
        if matrices.count() and conjecture.applies(matrices)
    )


def _question(conjecture: Conjecture, classes: Iterable[Counted], **options: Any) -> CheckQuestion:
    """What a call of ``check`` asks."""
    chosen, predicate = tuple(in_order(conjecture, classes)), conjecture.predicate
    run = partial(check, conjecture, chosen, **options)
    if predicate is None:
        return CheckQuestion(conjecture.name, conjecture.symmetry, chosen, BY_KERNELS, None, run)
    in_arrays = isinstance(predicate, Condition) or hasattr(predicate, "py_func")
    each = IN_ARRAYS if in_arrays else BY_CALLS
    return CheckQuestion(conjecture.name, conjecture.symmetry, chosen, each, partial(_holds, predicate), run)


@plannable(_question)
def check(
    conjecture: Conjecture,
    classes: Iterable[Counted],
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[Counted], None] | None = None,
) -> Certificate | Counterexample:
    """Test a conjecture on every member of some classes, in increasing size.

    Returns the smallest counterexample, or a certificate.  Classes outside the conjecture's range are an error.
    With ``checkpoint``, a folder, every finished class is kept there and a check that was killed resumes;
    ``progress`` is called before every class.  SymmetryError when the declared symmetry turns out false,
    TooLarge, before any work, for what takes longer than the budget.

    >>> small = Conjecture("small", "no entry exceeds 2", predicate=lambda m: m.max() <= 2, symmetry="permutations")
    >>> answer = check(small, [Tables(n, 2, 2) for n in range(2, 6)])
    >>> answer.matrices.n, answer.matrix.tolist()
    (4, [[0, 1], [3, 0]])
    """
    asked = _question(conjecture, classes)
    choose(asked).admitted()
    chosen = list(asked.classes)
    kept = (
        None if checkpoint is None else Folder(checkpoint, conjecture.name, conjecture.fingerprint(), chosen)
    )
    entries: list[Entry] = []
    started = time.perf_counter()
    for position, matrices in enumerate(chosen):
        entry = None if kept is None else kept.load(position, matrices)
        if entry is None:
            if progress is not None:
                progress(matrices)
            begun = time.perf_counter()
            finding = examine(conjecture, matrices)
            if finding.violation is not None:
                found = finding.violation
                return Counterexample(conjecture.about, matrices, found.detail, found.witness, tuple(entries))
            entry = Entry(matrices, finding.covered, finding.digest, time.perf_counter() - begun)
            entry.compare_count()
            if kept is not None:
                kept.save(position, entry)
        entries.append(entry)
    seconds = time.perf_counter() - started
    return Certificate(conjecture.about, tuple(entries), seconds)


def examine(conjecture: Conjecture, matrices: Counted) -> Finding:
    """Test a conjecture on every member of one class; the violation is that of the first member that fails.

    >>> claim = Conjecture("flat", "no cell holds three points", predicate=lambda table: table.max() < 3)
    >>> finding = examine(claim, Tables(4, 2, 2))
    >>> finding.covered, finding.violation.witness["matrix"]
    (19, ((0, 1), (3, 0)))
    """
    if conjecture.claim is not None:
        return conjecture.claim(matrices)
    assert conjecture.predicate is not None
    symmetry = usable(conjecture.symmetry, matrices)
    _try_symmetry(conjecture.predicate, symmetry, matrices)
    return of_predicate(conjecture.predicate, matrices, chunks(matrices, symmetry), symmetry)  # type: ignore[arg-type]


def of_predicate(
    predicate: Callable[[np.ndarray], bool], matrices: Counted, walk: Iterable[Chunk], symmetry: str
) -> Finding:
    """What a walk over a class finds: the counts of its outcomes, and the first member that fails.

    >>> chunk = np.array([[[0, 2], [1, 1]]]), np.array([4])
    >>> of_predicate(lambda table: table[0, 1] < 2, Tables(4, 2, 2), [chunk], "permutations").violation.witness
    {'matrix': ((0, 2), (1, 1))}
    """
    outcomes = Outcomes()
    first: tuple[tuple[int, ...], ...] | None = None
    for batch, copies in walk:
        holds = _holds(predicate, matrices, batch)
        outcomes.add(batch, copies, holds)
        for table in batch[~holds]:
            if first is None or _least_first_row(table, symmetry) <= first[0]:
                image = smallest_image(table, symmetry)
                first = image if first is None else min(first, image)
    violation = None if first is None else Violation(_why(predicate, first), {"matrix": first})
    return Finding(outcomes.covered, outcomes.digest, violation)


def _why(predicate: Callable[[np.ndarray], bool], table: tuple[tuple[int, ...], ...]) -> str:
    """What is wrong with a table: the values that a condition compares."""
    if not isinstance(predicate, Condition):
        return "the predicate is False here"
    return ", ".join(f"{x.name} = {x(table)}" for x in predicate.statistics) or "the condition is False here"


def _try_symmetry(predicate: Callable[[np.ndarray], bool], symmetry: str, matrices: Any) -> None:
    """Compare the predicate on random matrices of a class and their images; SymmetryError if two differ.

    Half of the matrices are uniform, half have most of their points in few cells.  They are the same at every
    call (a fixed seed), so that a check can be repeated.  Passing is no proof: the certificate names the symmetry.
    """
    if symmetry == "none" or matrices.count() == 0:
        return
    rng = random.Random(0)
    tables, images = [], []
    for draw in range(_DRAWS):
        table = np.array(matrices.unrank(rng.randrange(matrices.count())), np.int64)
        if draw % 2:
            _concentrate(table, matrices, rng)
        rows, cols = (rng.sample(range(k), k) for k in table.shape)
        image = table[np.ix_(rows, rows if symmetry == "simultaneous" else cols)]
        if symmetry == "transposition" and image.shape[0] == image.shape[1] and rng.random() < 0.5:
            image = image.T
        tables.append(table)
        images.append(image)
    values = (_holds(predicate, matrices, np.array(some)) for some in (tables, images))
    for table, image, of_table, of_image in zip(tables, images, *values):
        if of_table != of_image:
            raise SymmetryError(
                f"symmetry {symmetry!r} is declared, but the predicate is {of_table} for {table.tolist()} "
                f"and {of_image} for {image.tolist()}"
            )


def usable(symmetry: str, matrices: Any) -> str:
    """The symmetry, where it maps the class to itself; else "none": every member is visited.

    >>> usable("transposition", Tables(4, 2, 2)), usable("simultaneous", Tables(4, 2, 3))
    ('transposition', 'none')
    """
    wanted = as_symmetry(symmetry)
    if matrices.shape[0] != matrices.shape[1]:
        wanted -= ONLY_SQUARE
    return symmetry if wanted and wanted <= matrices.symmetry else "none"


def _concentrate(table: np.ndarray, matrices: Any, rng: random.Random) -> None:
    """Move points of random cells into one cell, as far as the table stays in the class."""
    cells = rng.sample(range(table.size), table.size)
    target = cells[0]
    for cell in cells[1:]:
        moved = rng.randint(0, int(table.flat[cell]))
        table.flat[cell] -= moved
        table.flat[target] += moved
        if table not in matrices:
            table.flat[cell] += moved
            table.flat[target] -= moved


def smallest_image(table: np.ndarray, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """The first matrix, in row-major lexicographic order, among the images of ``table``.

    >>> smallest_image(np.array([[3, 1], [0, 2]]), "permutations")
    ((0, 2), (3, 1))
    """
    if symmetry == "none":
        return _nested(table)
    if symmetry == "simultaneous":
        orders = (list(order) for order in permutations(range(len(table))))
        return min(_nested(table[np.ix_(order, order)]) for order in orders)
    top = int(table.max())  # the smallest arrangement is the largest one of the complement
    images = [top - table]
    if symmetry == "transposition" and table.shape[0] == table.shape[1]:
        images.append(images[0].T)
    lines = (0,) * table.shape[0], (0,) * table.shape[1]
    best = max(largest_arrangement(_nested(image), *lines, *lines)[0] for image in images)
    return tuple(tuple(top - x for x in row) for row in best)


def _least_first_row(table: np.ndarray, symmetry: str) -> tuple[int, ...]:
    """A lower bound of the first row of every image: it spares most calls of ``smallest_image``."""
    if symmetry == "none":
        return tuple(table[0].tolist())
    lines = [*table.tolist(), *(table.T.tolist() if table.shape[0] == table.shape[1] else [])]
    return min(tuple(sorted(line)) for line in lines)


def _nested(table: np.ndarray) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, table.tolist()))


def _holds(predicate: Callable[[np.ndarray], bool], matrices: Any, batch: np.ndarray) -> np.ndarray:
    """Values of the predicate on every matrix of a batch from a class."""
    if isinstance(predicate, Condition):
        return meets(predicate, matrices, batch)
    from numba.core.dispatcher import Dispatcher

    if isinstance(predicate, Dispatcher):
        values = np.empty(len(batch), np.bool_)
        _compiled_loop()(predicate, batch.copy(), values)  # it might write into its argument
        return values
    answers = []
    for table in batch:
        table = table.view()
        table.flags.writeable = False
        answer = predicate(table)
        if not isinstance(answer, (bool, np.bool_)):
            raise TypeError(f"a predicate must answer True or False, got {answer!r} for {table.tolist()}")
        answers.append(bool(answer))
    return np.array(answers, bool)


@lru_cache
def _compiled_loop() -> Callable[..., None]:
    from numba import njit

    @njit(nogil=True)
    def loop(predicate, batch, values):  # type: ignore[no-untyped-def]
        for i in range(len(batch)):
            values[i] = predicate(batch[i])

    return loop


def in_order(conjecture: Conjecture, classes: Iterable[Counted]) -> list[Counted]:
    """The classes in increasing size, each once; ValueError for none, and for those outside the conjecture's range.

    >>> in_order(Conjecture("near", "med < 1"), [Tables(4, 2, 2), Tables(3, 2, 2), Tables(4, 2, 2)])
    [Tables(n=3, r=2, s=2, empty=False), Tables(n=4, r=2, s=2, empty=False)]
    """
    chosen = sorted(set(classes), key=lambda c: (c.n, c.shape, repr(c)))
    if not chosen:
        raise ValueError(
            f"classes must not be empty: conjecture {conjecture.name!r} has nothing to be tested on"
        )
    for matrices in chosen:
        if not conjecture.applies(matrices):
            raise ValueError(f"conjecture {conjecture.name!r} says nothing about {matrices}")
    return chosen
