"""What a predicate answers over a class, counted by (m, {A, B}, P): evidence that any enumerator can find again.

``m`` = n MED; A and B are the numbers of pairs of points together in a row and in a column, the smaller one first, P
that of pairs in a cell.  How a class is walked, in which order and under which symmetry, leaves these counts unchanged.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, permutations, product
from math import factorial, prod
from typing import Any

import numpy as np

from confmat.certificates import standalone
from confmat.certificates.verdict import Unreadable
from confmat.classes.orbits import PERMUTATIONS, Symmetry, as_symmetry
from confmat.engine.equal_rows import groups
from confmat.engine.walks import CHUNK, Chunk
from confmat.errors import TooLarge

# Tables that the second enumerator visits at most: it is plain Python, and takes a microsecond or two for each.
MOST_WALKED = 2 * 10**8


@dataclass(frozen=True)
class Violation:
    """Why a claim fails at a class: a sentence, and the matrices that show it, by name."""

    detail: str
    witness: Mapping[str, Any] = field(default_factory=dict)


def explained(answer: Any, where: str) -> tuple[bool, str]:
    """A truth and the reason given with it, of what a predicate answered: True, False, (True, ...) or (False, reason).

    >>> explained(True, ""), explained((False, "the cell [0, 1] is too large"), "")
    ((True, ''), (False, 'the cell [0, 1] is too large'))
    """
    holds, reason = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, "")
    if not isinstance(holds, bool | np.bool_):
        raise TypeError(f"a predicate must answer True or False, got {answer!r} for {where}")
    return bool(holds), str(reason)


@dataclass(frozen=True)
class Finding:
    """What one class showed: how many members were covered, a digest of the outcomes, and a violation if any.

    ``cases``: of how many cases the statement says something: members at which its premise holds (a of "a -> b"),
    changes of a member.  None: it has no premise and is about no changes.
    """

    covered: int
    digest: str
    violation: Violation | None = None
    cases: int | None = None


class Outcomes:
    """The number of members by (m, {A, B}, P, outcome), gathered in any order.

    Of a class of more than ``standalone.FINE`` members by (m, outcome) only, with sums over (A + B, AB, P, P^2) beside.

    >>> outcomes = Outcomes(8)
    >>> outcomes.add(np.array([[0, 1, 1, 1], [1, 1, 1, 0]]), np.array([4, 4]), np.array([1, 1]))
    >>> outcomes.counts
    {(0, 1, 1, 1, 1): 4, (1, 1, 1, 0, 1): 4}
    """

    def __init__(self, members: int = 0) -> None:
        self.covered = 0
        self.cases: int | None = None
        self._fine = members <= standalone.FINE
        self._counts: dict[tuple[int, ...], int] = defaultdict(int)
        self._sums: dict[tuple[int, ...], np.ndarray] = defaultdict(lambda: np.zeros(5, np.uint64))

    def add(
        self, sums: np.ndarray, weights: np.ndarray, outcomes: np.ndarray, cases: np.ndarray | None = None
    ) -> None:
        """m, A, B, P of tables or signatures (N x 4), the members that each stands for, 0 or 1, and cases of each."""
        self.covered += int(weights.sum())
        if cases is not None and len(cases):
            self.cases = (self.cases or 0) + int((weights * cases).sum())
        m, a, b, p = sums.T
        if self._fine:
            keys, order, starts = groups(
                np.column_stack([m, np.minimum(a, b), np.maximum(a, b), p, outcomes])
            )
            counts = np.add.reduceat(weights.astype(object)[order], starts)
            for key, weight in zip(map(tuple, keys.tolist()), counts.tolist()):
                self._counts[key] += weight
            return
        a, b, p = (x.astype(np.uint64) for x in (a, b, p))
        w = np.asarray([x % 2**64 for x in weights.tolist()] if weights.dtype == object else weights).astype(
            np.uint64
        )
        terms = np.stack([w, w * (a + b), w * a * b, w * p, w * p * p])  # modulo 2^64
        for level in np.unique(m).tolist():
            for outcome in (0, 1):
                self._sums[level, outcome] += terms[:, (m == level) & (outcomes == outcome)].sum(axis=1)

    @property
    def counts(self) -> dict[tuple[int, ...], int]:
        """The members with each (m, smaller of A and B, larger, P, outcome), sorted."""
        return dict(sorted(self._counts.items()))

    @property
    def digest(self) -> str:
        """SHA-256 of the lines "m A B P outcome count", sorted; of many members of "m outcome sums", modulo 2^64."""
        if self._fine:
            lines = (f"{' '.join(map(str, key))} {count}\n" for key, count in self.counts.items())
        else:
            lines = (
                f"{' '.join(map(str, [*key, *sums.tolist()]))}\n"
                for key, sums in sorted(self._sums.items())
                if sums.any()
            )
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def second_walk(matrices: Any, symmetry: str | Symmetry) -> Iterator[Chunk] | None:
    """Tables that stand for a class (N x r x s) and for how many members, by the enumerator of ``standalone``.

    It shares no code with the engine's.  Free lines are exchanged where ``symmetry`` allows that.  None for a class
    that it does not know; TooLarge, before any work, beyond ``MOST_WALKED`` tables.

    >>> from confmat.classes import Tables
    >>> [(tables.shape, int(copies.sum())) for tables, copies in second_walk(Tables(6, 3, 3), "permutations")]
    [((104, 3, 3), 1038)]
    """
    try:
        other = standalone.Class(_plain(matrices.to_json()))
    except Unreadable:
        return None
    exchanged = as_symmetry(symmetry) >= PERMUTATIONS
    free = [k for k, x in ((other.r, other.rows), (other.s, other.cols)) if exchanged and x is None]
    about = matrices.count() // prod(map(factorial, free))
    if about > MOST_WALKED:
        raise TooLarge(f"{matrices!r} has too many members for a second walk: about {about:.2g} tables")
    return _chunks(other.tables() if exchanged else _every_table(other))


def _every_table(other: standalone.Class) -> Iterator[tuple[Any, int]]:
    """All members, each for itself: at free margins in each of their orders."""
    sides = (
        [y for x, orders in side for y in (set(permutations(x)) if orders > 1 else [x])]
        for side in other.margins()
    )
    for rows, cols in product(*sides):
        yield from ((table, 1) for table in standalone.fillings(rows, cols))


def _plain(spec: Any) -> Any:
    return {key: list(x) if isinstance(x, tuple) else x for key, x in spec.items()}


def _chunks(tables: Iterator[tuple[Any, int]]) -> Iterator[Chunk]:
    while some := list(islice(tables, CHUNK)):
        found, weights = zip(*some)
        yield np.array(found, np.int64), np.array(weights, object)
