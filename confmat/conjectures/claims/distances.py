"""Claims about MED, RD and ARD over a whole class, from the engine's exact counts by (n MED, F).

``F`` is the number of pairs of points on which two clusterings disagree, RD = F/C(n, 2); r <= s throughout.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from confmat.classes import Tables
from confmat.classes.orbits import nested
from confmat.conjectures.checking import Finding, Violation
from confmat.conjectures.claims.hooks import hooks_with, largest_hook_ard
from confmat.conjectures.outcomes import Outcomes
from confmat.engine.fold import LEAST_ARD, LEAST_RD, MOST_ARD, MOST_RD
from confmat.engine.signatures import Signatures, enumerated
from confmat.engine.tables import find_table
from confmat.engine.walks import Chunk, pair_sums
from confmat.engine.witnesses import handed_out
from confmat.errors import ConsistencyError
from confmat.indices.hooks import squares
from confmat.indices.pairs import PairSums, pairs_within
from confmat.plans import Resources
from confmat.statistics.table import STATISTICS


@dataclass(frozen=True)
class Summary:
    """The exact counts of a class by (m, F), and at every m its extremes.

    ``law[m, F]``; ``extremes`` (4 x n + 1 x 2): F and D where the least and largest RD, the least and largest ARD are,
    -1 where there are none.
    """

    matrices: Tables
    law: np.ndarray
    extremes: np.ndarray

    @property
    def total(self) -> int:
        """How many members were counted."""
        return sum(self.law.ravel().tolist())


@dataclass(frozen=True)
class AboutLaw:
    """A claim from a test of the exact counts by (n MED, F) of a whole class, and of its extreme ARD.

    >>> AboutLaw(largest_med(lambda n, r, s: n // 2))(Tables(6, 2, 2)).covered
    60
    """

    test: Callable[[Summary], Violation | None]

    def __call__(self, matrices: Tables) -> Finding:
        kept = enumerated(matrices, "tables", Resources())
        assert isinstance(kept, Signatures), "classes of claims are small"
        outcomes = Outcomes()
        for cells, weights in kept.blocks():
            outcomes.add(cells, weights, np.ones(len(cells), np.int64))
        return self._finding(_summary(matrices, outcomes.counts))

    def of_walk(self, matrices: Tables, walk: Iterable[Chunk]) -> Finding:
        """The same from the tables of a class (N x r x s) and the numbers of members that they stand for.

        >>> claim = AboutLaw(largest_med(lambda n, r, s: n // 2))
        >>> walk = [(np.array([[[1, 0], [0, 1]]]), np.array([2]))]  # the members of Tables(2, 2, 2)
        >>> claim.of_walk(Tables(2, 2, 2), walk) == claim(Tables(2, 2, 2))
        True
        """
        outcomes = Outcomes()
        for tables, copies in walk:
            outcomes.add(pair_sums(tables), copies, np.ones(len(tables), np.int64))
        return self._finding(_summary(matrices, outcomes.counts))

    def _finding(self, summary: Summary) -> Finding:
        """With the digest of the counts and of the extremes at every MED, however they were found."""
        lines = [f"{m} {F} {count}" for m, F, count in _support(summary)]
        for kind, at_each_med in enumerate(summary.extremes.tolist()):
            adjusted = kind in (LEAST_ARD, MOST_ARD)
            lines += [
                f"{kind} {m} {Fraction(F, max(D, 1)) if adjusted else F}"
                for m, (F, D) in enumerate(at_each_med)
                if F >= 0
            ]
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        return Finding(summary.total, digest, self.test(summary))


def _summary(matrices: Tables, counts: Mapping[tuple[int, ...], int]) -> Summary:
    """A summary of the counts by (m, A, B, P, 1): the law of (m, F), and at every m the extremes."""
    M = comb(matrices.n, 2)
    law = np.zeros((matrices.n + 1, M + 1), object)
    extremes = np.full((4, matrices.n + 1, 2), -1, np.int64)
    best: dict[tuple[int, int], Fraction] = {}
    for (m, A, B, P, _), count in counts.items():
        F, D = A + B - 2 * P, A * (M - B) + B * (M - A)
        law[m, F] += count
        for kind in (LEAST_RD, MOST_RD, LEAST_ARD, MOST_ARD):
            value = Fraction(F, max(D, 1)) if kind in (LEAST_ARD, MOST_ARD) else Fraction(F)
            signed = value if kind in (MOST_RD, MOST_ARD) else -value
            if (kind, m) not in best or signed > best[kind, m]:
                best[kind, m] = signed
                extremes[kind, m] = F, D
    return Summary(matrices, law, extremes)


def _support(summary: Summary) -> Iterator[tuple[int, int, int]]:
    for m, F in np.argwhere(summary.law != 0).tolist():
        yield m, F, int(summary.law[m, F])


def sorted_size(matrices: Any) -> tuple[int, int, int]:
    """n, r, s with r <= s.

    >>> sorted_size(Tables(6, 3, 2))
    (6, 2, 3)
    """
    r, s = sorted(matrices.shape)
    return matrices.n, r, s


def _size(summary: Summary) -> tuple[int, int, int]:
    return sorted_size(summary.matrices)


def _witness(summary: Summary, m: int, F: int, D: int | None = None) -> dict[str, Any]:
    """A table of the class with n MED = m and F disagreeing pairs."""
    M = comb(summary.matrices.n, 2)
    for margins in summary.matrices.margins("transposition"):
        A, B = pairs_within(margins.rows), pairs_within(margins.cols)
        twice = A + B - F
        if twice < 0 or twice % 2 or D not in (None, A * (M - B) + B * (M - A)):
            continue
        table = find_table(margins.rows, margins.cols, summary.matrices.n - m, twice // 2)
        if table is not None:
            return _shown(summary.matrices, table, m, F, D)
    raise ConsistencyError(f"the law of {summary.matrices} counts a table that is not there: {m, F, D}")


def _shown(matrices: Tables, table: np.ndarray, m: int, F: int, D: int | None = None) -> dict[str, Any]:
    """A table as a witness, after it was seen to be a member with what is said of it.

    >>> _shown(Tables(4, 2, 2), np.array([[2, 1], [0, 1]]), 1, 3)
    {'matrix': ((2, 1), (0, 1))}
    >>> _shown(Tables(4, 2, 2), np.array([[2, 1], [0, 1]]), 1, 4)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.ConsistencyError: a claim showed [[2, 1], [0, 1]], where rd is 1/2, not 2/3, over ...
    """
    pairs = comb(matrices.n, 2)
    values = [(STATISTICS["med"], Fraction(m, matrices.n))]
    if pairs:
        values.append((STATISTICS["rd"], Fraction(F, pairs)))
    if D:
        values.append((STATISTICS["ard"], Fraction(F * pairs, D)))
    handed_out("a claim showed", matrices, table[None], values=values)
    return {"matrix": nested(table)}


def largest_med(claimed: Callable[[int, int, int], int]) -> Callable[[Summary], Violation | None]:
    """The largest n MED of a class is the claimed function of (n, r, s).

    >>> AboutLaw(largest_med(lambda n, r, s: n))(Tables(4, 2, 2)).violation.detail
    'the largest n MED is 2, not 4'
    """

    def test(summary: Summary) -> Violation | None:
        m, F, _ = max(_support(summary))
        expected = claimed(*_size(summary))
        if m == expected:
            return None
        return Violation(f"the largest n MED is {m}, not {expected}", _witness(summary, m, F))

    return test


def largest_rd(claimed: Callable[[int, int, int], int | None]) -> Callable[[Summary], Violation | None]:
    """The largest F of a class is the claimed function of (n, r, s); None claims nothing that exists.

    >>> from confmat.conjectures.claims.hooks import largest_hook
    >>> AboutLaw(largest_rd(largest_hook))(Tables(12, 3, 4)).violation is None
    True
    """

    def test(summary: Summary) -> Violation | None:
        F, m = max((F, m) for m, F, _ in _support(summary))
        expected = claimed(*_size(summary))
        if expected == F:
            return None
        shown = "that of the form (there is no such table)" if expected is None else expected
        return Violation(f"the largest F is {F}, not {shown}", _witness(summary, m, F))

    return test


def hooks_only(summary: Summary) -> Violation | None:
    """Whether as many tables attain the largest F as there are hooks that do.

    >>> AboutLaw(hooks_only)(Tables(4, 2, 2)).violation, AboutLaw(hooks_only)(Tables(9, 2, 3)).violation
    (Violation(detail='5 tables attain the largest F = 4, 4 of them are hooks', witness={}), None)
    """
    n, r, s = _size(summary)
    largest = max(F for _, F, _ in _support(summary))
    attained = sum(count for _, F, count in _support(summary) if largest == F)
    hooks = hooks_with(largest, n, r, s)
    if hooks == attained:
        return None
    return Violation(f"{attained} tables attain the largest F = {largest}, {hooks} of them are hooks")


# --- RD at given MED ------------------------------------------------------------------------------


@dataclass(frozen=True)
class by_med:
    """A claim about the values of F at each MED: ``test(n, r, s, m, values)`` says what is wrong, or None.

    ``of_each``: it is about each of the values, not about the largest alone.

    >>> largest = by_med(lambda n, r, s, m, values: f"F reaches {max(values)}" if max(values) > 8 else None)
    >>> AboutLaw(largest)(Tables(6, 2, 2)).violation.detail
    'at n MED = 3 F reaches 9'
    """

    test: Callable[[int, int, int, int, list[int]], str | None]
    of_each: bool = True

    def __call__(self, summary: Summary) -> Violation | None:
        values: dict[int, list[int]] = {}
        for m, F, _ in _support(summary):
            values.setdefault(m, []).append(F)
        for m, found in values.items():
            wrong = self.test(*_size(summary), m, found)
            if wrong:
                return Violation(f"at n MED = {m} {wrong}")
        return None

    def allowed(self, matrices: Any, m: int) -> tuple[int, int]:
        """The least and the largest F that it allows at n MED = m, of all from 0 to C(n, 2).

        >>> by_med(most_2f_below_turan).allowed(Tables(6, 2, 2), 3)
        (0, 9)
        """
        size, M = sorted_size(matrices), comb(matrices.n, 2)
        fine = [F for F in range(M + 1) if self.test(*size, m, [F]) is None]
        if not fine:
            return 0, M
        return (fine[0] if self.of_each else 0), fine[-1]


def most_2f_below_turan(n: int, r: int, s: int, m: int, values: list[int]) -> str | None:
    """2F <= 2km + m^2 - (least sum of s - 1 squares with sum m), k = n - m.

    >>> most_2f_below_turan(6, 2, 2, 3, [7, 9]), most_2f_below_turan(6, 2, 2, 3, [10])
    (None, '2F reaches 20 > 18')
    """
    bound = 2 * (n - m) * m + m * m - squares(m, s - 1)
    return f"2F reaches {2 * max(values)} > {bound}" if 2 * max(values) > bound else None


def largest_2f_at_hook(n: int, r: int, s: int, m: int, values: list[int]) -> str | None:
    """For long arms the largest 2F is that of a hook with corner k and a leg of ones.

    Verified, not proved: statement `rd-given-med-upper-attained`.

    >>> largest_2f_at_hook(6, 2, 2, 3, [7, 9]), largest_2f_at_hook(12, 2, 3, 4, [7, 9])
    (None, 'the largest 2F is 18, not 68')
    """
    arm = m - r + 1
    if arm < s - 1 or n - m < -(-arm // (s - 1)) + 1:
        return None
    value = 2 * (n - m) * m + arm * arm - squares(arm, s - 1) + (r - 1) * (r - 2)
    return f"the largest 2F is {2 * max(values)}, not {value}" if 2 * max(values) != value else None


def least_2f_above(
    numerator: Callable[[int, int], Fraction],
) -> Callable[[int, int, int, int, list[int]], str | None]:
    """2F is at least a constant of the shape times m^2.

    >>> test = least_2f_above(lambda r, s: Fraction(2))
    >>> test(6, 2, 2, 2, [4, 8]), test(6, 2, 2, 2, [3, 8])
    (None, '2F goes down to 6 < 8')
    """

    def test(n: int, r: int, s: int, m: int, values: list[int]) -> str | None:
        bound = numerator(r, s) * m * m
        return f"2F goes down to {2 * min(values)} < {bound}" if 2 * min(values) < bound else None

    return test


# --- the largest ARD ------------------------------------------------------------------------------


def _largest_ard(summary: Summary) -> tuple[Fraction, dict[str, Any]]:
    """Largest ARD of the class, and a table that attains it."""
    M = comb(summary.matrices.n, 2)
    entries = [(m, *row.tolist()) for m, row in enumerate(summary.extremes[MOST_ARD]) if row[0] >= 0]
    value, m, F, D = max((Fraction(F * M, D) if D else Fraction(0), m, F, D) for m, F, D in entries)
    return value, _witness(summary, m, F, D)


def ard_of_hook(summary: Summary) -> Violation | None:
    """The largest ARD of a class is that of a hook.

    >>> AboutLaw(ard_of_hook)(Tables(7, 2, 2)).violation is None
    True
    >>> AboutLaw(ard_of_hook)(Tables(6, 2, 2)).violation.detail
    'the largest ARD is 45/37, the best hook has 6/5'
    """
    value, witness = _largest_ard(summary)
    hook = largest_hook_ard(*_size(summary))
    if value == hook:
        return None
    shown = "no hook exists" if hook is None else f"the best hook has {hook}"
    return Violation(f"the largest ARD is {value}, {shown}", witness)


def largest_ard(claimed: Callable[[int, int, int], Fraction]) -> Callable[[Summary], Violation | None]:
    """The largest ARD of a class is the claimed function of (n, r, s).

    >>> AboutLaw(largest_ard(lambda n, r, s: Fraction(3, 2)))(Tables(6, 2, 2)).violation.detail
    'the largest ARD is 45/37, not 3/2'
    """

    def test(summary: Summary) -> Violation | None:
        value, witness = _largest_ard(summary)
        expected = claimed(*_size(summary))
        return (
            None if value == expected else Violation(f"the largest ARD is {value}, not {expected}", witness)
        )

    return test


def ard_not_independent(summary: Summary) -> Violation | None:
    """The table with all cells equal does not have the largest ARD.

    >>> AboutLaw(ard_not_independent)(Tables(4, 2, 2)).violation.witness
    {'matrix': ((1, 1), (1, 1))}
    """
    r, s = summary.matrices.shape
    constant = [[summary.matrices.n // (r * s)] * s] * r
    value, _ = _largest_ard(summary)
    if PairSums.of(constant).adjusted_rand_distance < value:
        return None
    table = np.array(constant)
    handed_out("a claim showed", summary.matrices, table[None], values=[(STATISTICS["ard"], value)])
    return Violation(f"the independent table has the largest ARD, {value}", {"matrix": nested(table)})


# Tables with all cells equal that do have the largest ARD: all (n, r, s) with r <= s <= 5 and n <= 25.
INDEPENDENT_IS_LARGEST = frozenset(
    {(4, 2, 2), (8, 2, 2), (6, 2, 3), (8, 2, 4), (10, 2, 5), (9, 3, 3), (12, 3, 4)}
)


def least_expectations_2x2(n: int) -> tuple[int, list[tuple[int, int, int]]]:
    """All 2 x 2 tables with total n without empty lines: their number, and per d = 2..n/2 two values of D.

    D = A(M - B) + B(M - A) = M^2 E[RD]: at given d1 = n - d, d2 = d the RD is fixed, so the ARD is largest
    where D is least.  Each triple is (d, least D, D of [[n - d, ceil(d/2)], [floor(d/2), 0]]).  NumPy integers,
    exact for n up to 10^4.

    >>> least_expectations_2x2(4)
    (19, [(2, 16, 18)])
    """
    M = comb(n, 2)

    def expectation(a: Any, b: Any) -> Any:
        A = (a * (a - 1) + (n - a) * (n - a - 1)) // 2
        B = (b * (b - 1) + (n - b) * (n - b - 1)) // 2
        return A * (M - B) + B * (M - A)

    covered, least = 0, []
    for d in range(n + 1):  # d = n12 + n21; rows n11 = x, columns n12 = y
        x, y = np.arange(n - d + 1)[:, None], np.arange(d + 1)[None, :]
        a, b = x + y, x + d - y
        full = (a > 0) & (a < n) & (b > 0) & (b < n)
        covered += int(full.sum())
        if 2 <= d <= n // 2:
            form = expectation(n - d + d - d // 2, n - d + d // 2)
            least.append((d, int(expectation(a, b)[full].min()), int(form)))
    return covered, least


def ard_2x2(exceptions: frozenset[tuple[int, int]]) -> Callable[[Tables], Finding]:
    """At every d >= 2 the form of `least_expectations_2x2` is best, except at the given (n, d), where it is not.

    >>> ard_2x2(frozenset())(Tables(4, 2, 2)).violation.detail
    'at d2 = 2 the largest ARD is 3/2, the form has 4/3'
    >>> ard_2x2(frozenset({(4, 2)}))(Tables(4, 2, 2)).violation is None
    True
    """

    def claim(matrices: Tables) -> Finding:
        covered, least = least_expectations_2x2(matrices.n)
        violation = None
        for d, smallest, form in least:
            if (smallest < form) != ((matrices.n, d) in exceptions):
                M = comb(matrices.n, 2)
                best, shown = (Fraction(M * d * (matrices.n - d), D) for D in (smallest, form))
                violation = Violation(f"at d2 = {d} the largest ARD is {best}, the form has {shown}")
                break
        return Finding(covered, hashlib.sha256(repr(least).encode()).hexdigest(), violation)

    return claim
