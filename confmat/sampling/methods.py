"""Methods to draw from a class, and the condition that drawn members must satisfy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from math import perm, prod
from typing import Any

import numpy as np

from confmat._engine.walks import meets
from confmat._integers.arrays import uniform_below
from confmat._integers.compositions import compositions_count
from confmat._limits import look
from confmat.classes import MatrixClass
from confmat.errors import TooLargeError, TooRareError, UnsupportedError
from confmat.sampling.kernels import MOST_LINES
from confmat.sampling.random_bits import generator_of, state_of
from confmat.statistics.clusterings import MED
from confmat.statistics.conditions import AnyCondition, Condition, as_condition
from confmat.statistics.table import check_square

# Below this fraction of accepted proposals an exact method without rejection is faster.
POOR_ACCEPTANCE = Fraction(1, 1000)

# Largest number of cells for unranking without empty rows and columns: a draw of a larger table would take minutes.
MOST_UNRANKED_CELLS = 2500

# Largest number of objects and of cells for rejection with cells of one byte.
_MOST_IN_BYTES = 127

# Totals of compiled proposals are below this limit, because they use 64-bit integers.
LARGEST_INDEXED = 2**62


@dataclass(frozen=True)
class DrawnTables:
    """Consecutive draws, an array (k x r x s), and the number of their proposals."""

    tables: np.ndarray
    proposals: int


@dataclass(frozen=True)
class Sampler:
    """Method to draw independently and exactly uniformly.

    Attributes
    ----------
    name, why : str
        Name of the method, and the reason to choose it.
    draw : callable
        ``draw(seeds, size)`` returns `DrawnTables` with ``size`` draws, which depend only on its arguments.
    proposals : int or None
        Number of different proposals, if each is equally likely. The fraction of accepted proposals times this
        number then estimates the number of members.
    block : int
        Number of draws with the same seed.
    """

    name: str
    why: str
    draw: Callable[[np.random.SeedSequence, int], DrawnTables] = field(repr=False)
    proposals: int | None = None
    block: int = 16384

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without arrays and kernels.

        A copy in another process reports the method but cannot draw.
        """
        return self.__dict__ | {"draw": _made_elsewhere}


def _made_elsewhere(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
    """Raise UnsupportedError: a copy of a sampler in another process cannot draw."""
    raise UnsupportedError("a sampler that was pickled cannot draw. Call sample or stream again.")


def number_of_proposals(matrices: MatrixClass) -> int:
    """Return the size of the set from which rejection proposes: compositions of the total, or of every row sum.

    >>> from confmat.classes import FixedRows, Tables
    >>> number_of_proposals(Tables(4, 2, 2)), number_of_proposals(FixedRows([2, 1], 2))
    (35, 6)
    """
    rows, cols = matrices.possible_sums
    for side, other_side in ((rows, cols), (cols, rows)):
        if side.sums is not None:
            return prod(compositions_count(total, other_side.lines) for total in side.sums)
    return compositions_count(matrices.n, rows.lines * cols.lines)


def rejection(matrices: MatrixClass, reason: str, limit: int = 2**62) -> Sampler:
    """Return the sampler that proposes uniform compositions by stars and bars and accepts members.

    The method is that of Chacon (2019, Appendix C). ``reason`` is the reason to choose it, ``limit`` the largest
    number of proposals for a chunk.

    >>> from confmat.classes import Tables
    >>> method = rejection(Tables(4, 2, 2), "asked for")
    >>> method.proposals, method.draw(np.random.SeedSequence(1), 3).tables.sum(axis=(1, 2)).tolist()
    (35, [4, 4, 4])
    """
    if matrices.n >= LARGEST_INDEXED:
        raise ValueError(f'n must be below 2^62 for method="rejection", got {matrices.n}')
    rows, cols = matrices.possible_sums
    is_turned = rows.sums is None and cols.sums is not None
    if is_turned:
        rows, cols = cols, rows
    totals = np.array((matrices.n,) if rows.sums is None else rows.sums, np.int64)
    shape = (rows.lines, cols.lines)
    is_narrow = max(matrices.n, prod(shape)) <= _MOST_IN_BYTES
    kind = np.uint8 if is_narrow else np.int64
    bounds = np.hstack([rows.bounds(), cols.bounds()]).astype(kind)
    draw = compiled("lanes.reject", (totals, bounds), shape, limit, f"rejection from {matrices!r}", is_turned)
    return Sampler("rejection", reason, draw, proposals=number_of_proposals(matrices))


def compiled(
    kernel: str,
    arguments: tuple[Any, ...],
    shape: tuple[int, int],
    limit: int,
    subject: str,
    is_turned: bool = False,
) -> Callable[[np.random.SeedSequence, int], DrawnTables]:
    """Return a function that draws by the compiled function ``kernel``, such as "kernels.propose_whole".

    ``arguments`` and ``limit``, the largest number of proposals, are passed to the kernel. ``subject`` names the
    draws in error messages. ``is_turned`` transposes the tables. The returned function raises TooRareError if
    ``limit`` is too small.

    >>> draw = compiled("kernels.propose_whole", (4, 3, False), (2, 2), 100, "tables of 4 points")
    >>> draw(np.random.SeedSequence(1), 3).tables.sum(axis=(1, 2)).tolist()
    [4, 4, 4]
    """

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        module, _, name = kernel.partition(".")
        propose = getattr(import_module(f"confmat.sampling.{module}"), name)
        tables = np.empty((size, *shape), np.int64)
        proposals, number_kept = propose(state_of(seeds), *arguments, limit, tables)
        if number_kept < size:
            raise TooRareError(
                f"{subject}: {number_kept} of {proposals} proposals were accepted, {size} are needed. "
                "Request fewer draws or a smaller class.",
                found=number_kept,
            )
        if is_turned:
            tables = tables.transpose(0, 2, 1)
        return DrawnTables(tables, proposals)

    return draw


def unranking(matrices: MatrixClass, reason: str) -> Sampler:
    """Return the sampler that draws the member at a uniform position by exact counting (``unrank``), for any total.

    ``reason`` is the reason to choose this method. Positions are drawn first. The members at these positions are
    found in increasing order, because neighbors use the same counts of the recursion. They are returned in the
    order of the draws. For k x k tables without empty rows and columns the first draw takes about 0.05 s at k = 12,
    4 s at 35 and 26 s at 50. Raise ValueError beyond ``MOST_UNRANKED_CELLS`` cells.

    >>> from confmat.classes import Tables
    >>> unranking(Tables(10**30, 2, 2), "asked for").draw(np.random.SeedSequence(1), 1).tables.sum() == 10**30
    True
    """
    r, s = matrices.shape
    if matrices.unrestricted and not matrices.may_be_empty and r * s > MOST_UNRANKED_CELLS:
        raise ValueError(
            f'matrices must have at most {MOST_UNRANKED_CELLS} cells for method="unranking", got {matrices!r} '
            f"with {r * s} cells"
        )

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        rng = generator_of(seeds)
        positions = [uniform_below(rng, matrices.count()) for _ in range(size)]
        tables = np.empty(
            (size, *matrices.shape),
            np.int64 if matrices.n < 2**63 else object,
        )
        for i in sorted(range(size), key=positions.__getitem__):
            look()
            tables[i] = matrices.unrank(positions[i])
        return DrawnTables(tables, size)

    return Sampler("unranking", reason, draw, block=max(1, min(256, 25_600 // (r * s))))


def acceptance(matrices: MatrixClass) -> Fraction:
    """Return the exact fraction of the proposals of rejection that are members.

    >>> from confmat.classes import Tables
    >>> acceptance(Tables(2, 2, 2))
    Fraction(1, 5)
    """
    count = matrices.count_at_once()
    if count is None:
        raise TooLargeError(
            f"the rate of accepted draws needs the number of members of {matrices!r}, which take too long to count"
        )
    return Fraction(count, number_of_proposals(matrices))


def matched_proposals(n: int, r: int, s: int, points_unmatched: int) -> int:
    """Count the proposals for tables with ``points_unmatched`` objects outside a matching. Requires r <= s.

    A proposal is a matching of rows to columns, with a composition of objects into its cells and one into the other
    cells.

    >>> matched_proposals(4, 2, 2, points_unmatched=1)
    16
    """
    cells_off = r * (s - 1)
    return (
        perm(s, r)
        * compositions_count(n - points_unmatched, r)
        * compositions_count(points_unmatched, cells_off)
    )


@dataclass(frozen=True)
class Wanted:
    """Request for the members of a class that satisfy ``condition``.

    ``unmatched`` is n MED if the condition is a value of the misclassification error distance (MED), otherwise
    None.
    """

    matrices: MatrixClass
    condition: Condition
    unmatched: int | None

    @classmethod
    def of(cls, matrices: MatrixClass, condition_given: AnyCondition) -> Wanted:
        """Return the members of a class that satisfy a condition.

        Raise ValueError for an invalid condition, or for a MED that is not a multiple of 1/n in [0, 1]. Raise
        UnsupportedError for the MED of tables that are too large for compiled loops.

        >>> from confmat.classes import Tables
        >>> Wanted.of(Tables(20, 3, 3), "med=4/20").unmatched, str(Wanted.of(Tables(20, 3, 3), "ard>1"))
        (4, 'ard > 1')
        """
        condition = as_condition(condition_given, "given")
        check_square(matrices, condition.statistics)
        is_large = max(matrices.shape) > MOST_LINES or matrices.n >= LARGEST_INDEXED
        if is_large and MED in condition.statistics:
            raise UnsupportedError(
                f"matrices must have at most {MOST_LINES} rows and columns and fewer than 2^62 objects for a condition "
                f"on med, got {matrices!r}"
            )
        value = condition.med(matrices)
        n = matrices.n
        if value is None:
            return cls(matrices, condition, None)
        if (value * max(n, 1)).denominator != 1 or not 0 <= value <= 1:
            raise ValueError(
                f"given must have a MED that is a multiple of 1/{n} between 0 and 1, got {condition}"
            )
        return cls(matrices, condition, int(value * n))

    def __str__(self) -> str:
        """Return the condition as text."""
        if self.unmatched is None:
            return str(self.condition)
        return f"MED = {self.unmatched}/{self.matrices.n}"

    def each(self, tables: np.ndarray) -> np.ndarray:
        """Return a mask of the tables (k x r x s) that satisfy the condition.

        >>> from confmat.classes import Tables
        >>> Wanted.of(Tables(4, 2, 2), "rd=0").each(np.array([[[3, 0], [0, 1]], [[2, 1], [0, 1]]]))
        array([ True, False])
        """
        return meets(self.condition, self.matrices, tables)


def check_distance(matrices: MatrixClass, m: int) -> None:
    """Raise ValueError if no member has MED = m/n.

    >>> from confmat.classes import Tables
    >>> check_distance(Tables(4, 2, 2), 2)
    >>> check_distance(Tables(4, 2, 2), 3)
    Traceback (most recent call last):
    ...
    ValueError: no member of Tables(n=4, r=2, s=2, allow_empty=False) has MED = 3/4
    """
    from confmat.indices.extremes import max_med

    n, (r, s) = matrices.n, sorted(matrices.shape)
    least_unmatched = 0 if matrices.may_be_empty else s - r  # a column without partner contains an object
    if (
        not matrices.count()
        or not least_unmatched <= m <= max_med(n, r, s, allow_empty=matrices.may_be_empty) * n
    ):
        raise no_member(matrices, f"MED = {m}/{n}")


def no_member(matrices: MatrixClass, target: object) -> ValueError:
    """Return the error for a class without a member that satisfies a condition.

    >>> from confmat.classes import Tables
    >>> str(no_member(Tables(4, 2, 2), "MED = 3/4"))
    'no member of Tables(n=4, r=2, s=2, allow_empty=False) has MED = 3/4'
    """
    return ValueError(f"no member of {matrices!r} has {target}")
