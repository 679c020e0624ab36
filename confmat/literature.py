"""Statements of the literature on clustering and classification indices, as conjectures that can be checked.

Those that turned out false name the statement that is true instead (``sharpened``).  ``F`` is the number of
pairs of points on which two clusterings disagree, RD = F/C(n, 2); r <= s throughout.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from confmat.classes import Tables, margin_classes
from confmat.classes.partitions import distinct_orderings, partitions
from confmat.conjectures import Conjecture, Finding, Violation
from confmat.engine.reference import find_table
from confmat.engine.run import Resources
from confmat.engine.summary import MOST_ARD, Summary, summarize
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.indices.pairs import PairSums, pairs_within

CHARON = "Charon, Denoeud, Guenoche & Hudry (2006), lemma 1"
CHACON = "Chacon (2019)"
ESPINDOLA = "Espindola & Ebecken (2005)"
FLYNT = "Flynt, Dean & Nugent (2019)"
AMODIO = "D'Ambrosio, Amodio, Iorio, Pandolfo & Siciliano (2015)"


# --- claims about the law of (MED, RD) of a class -------------------------------------------------


def about_law(test: Callable[[Summary], Violation | None]) -> Callable[[Tables], Finding]:
    """A claim from a test of the exact counts by (n MED, F) of a whole class, and of its extreme ARD."""

    @wraps(test)
    def claim(matrices: Tables) -> Finding:
        summary = summarize(matrices, "tables", Resources())
        assert summary is not None, "classes without members are left out"
        lines = [f"{m} {F} {count}" for m, F, count in _support(summary)]
        lines += [" ".join(map(str, row.tolist())) for row in summary.extremes[:, :, :2]]
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        return Finding(summary.total, digest, test(summary))

    return claim


def _support(summary: Summary) -> Iterator[tuple[int, int, int]]:
    for m, F in np.argwhere(summary.law != 0).tolist():
        yield m, F, int(summary.law[m, F])


def _size(summary: Summary) -> tuple[int, int, int]:
    """n, r, s with r <= s."""
    return summary.matrices.n, *sorted(summary.matrices.shape)  # type: ignore[return-value]


def _witness(summary: Summary, m: int, F: int) -> dict[str, Any]:
    """A table of the class with n MED = m and F disagreeing pairs."""
    for margins in margin_classes(summary.matrices):
        twice = pairs_within(margins.rows) + pairs_within(margins.cols) - F
        if twice < 0 or twice % 2:
            continue
        table = find_table(margins.rows, margins.cols, summary.matrices.n - m, twice // 2)
        if table is not None:
            return {"matrix": tuple(map(tuple, table.tolist()))}
    raise AssertionError(f"the law of {summary.matrices} counts a table that is not there: {m, F}")


def _differs(summary: Summary, what: str, claimed: Any, m: int, F: int, found: Any) -> Violation:
    return Violation(f"{what} is {found}, not {claimed}", _witness(summary, m, F))


def _largest_med(claimed: Callable[[int, int, int], int]) -> Callable[[Summary], Violation | None]:
    def test(summary: Summary) -> Violation | None:
        m, F, _ = max(_support(summary))
        expected = claimed(*_size(summary))
        return None if m == expected else _differs(summary, "the largest n MED", expected, m, F, m)

    return test


def _largest_rd(claimed: Callable[[int, int, int], int | None]) -> Callable[[Summary], Violation | None]:
    def test(summary: Summary) -> Violation | None:
        F, m = max((F, m) for m, F, _ in _support(summary))
        expected = claimed(*_size(summary))
        if F == expected:
            return None
        shown = "that of a table of the form (none exists)" if expected is None else expected
        return _differs(summary, "the largest F", shown, m, F, F)

    return test


def balanced_squares(total: int, parts: int) -> int:
    """Least sum of ``parts`` squares of integers with the given sum.

    >>> balanced_squares(7, 3)
    17
    """
    q, k = divmod(total, parts)
    return parts * q * q + k * (2 * q + 1)


def largest_hook(n: int, r: int, s: int) -> int | None:
    """Largest F of the tables (7): first row (x_1, 1 + x_2, ..., 1 + x_s), ones below the corner; None if none.

    >>> largest_hook(12, 3, 4)
    45
    """
    e = n - (r + s - 2)
    if e < 0:
        return None

    def disagreements(x: int) -> int:
        row = [x, *(1 + part for part in _balanced(e - x, s - 1))]
        rows, cols = [sum(row), *[1] * (r - 1)], [x + r - 1, *row[1:]]
        return pairs_within(rows) + pairs_within(cols) - 2 * pairs_within(row)

    return max(map(disagreements, range(e + 1) if s > 1 else [e]))


def _balanced(total: int, parts: int) -> list[int]:
    q, k = divmod(total, parts) if parts else (0, 0)
    return [q + 1] * k + [q] * (parts - k)


def _hooks_only(summary: Summary) -> Violation | None:
    """Whether as many tables attain the largest F as there are hooks that do."""
    n, r, s = _size(summary)
    largest = max(F for _, F, _ in _support(summary))
    attained = sum(count for _, F, count in _support(summary) if F == largest)
    hooks = 0
    for corner in range(n - (r + s - 2) + 1):
        for arm_total in range(s - 1, n - corner - (r - 1) + 1):
            for arm in partitions(arm_total, s - 1, minimum=1):
                for leg in partitions(n - corner - arm_total, r - 1, minimum=1):
                    rows, cols = [corner + arm_total, *leg], [n - arm_total, *arm]
                    F = pairs_within(rows) + pairs_within(cols) - 2 * pairs_within([corner, *arm, *leg])
                    if F == largest:
                        hooks += r * s * distinct_orderings(arm) * distinct_orderings(leg)
    if hooks == attained:
        return None
    return Violation(f"{attained} tables attain the largest F = {largest}, {hooks} of them are hooks")


# --- RD at given MED ------------------------------------------------------------------------------


def _by_med(test: Callable[[int, int, int, int, list[int]], str | None]) -> Callable[[Summary], Violation | None]:
    """A claim about the values of F at each MED: ``test(n, r, s, m, values)`` says what is wrong, or None."""

    def check(summary: Summary) -> Violation | None:
        values: dict[int, list[int]] = {}
        for m, F, _ in _support(summary):
            values.setdefault(m, []).append(F)
        for m, found in values.items():
            wrong = test(*_size(summary), m, found)
            if wrong:
                return Violation(f"at n MED = {m} {wrong}")
        return None

    return check


def _below_turan(n: int, r: int, s: int, m: int, values: list[int]) -> str | None:
    bound = 2 * (n - m) * m + m * m - balanced_squares(m, s - 1)
    return f"2F reaches {2 * max(values)} > {bound}" if 2 * max(values) > bound else None


def _at_hook(n: int, r: int, s: int, m: int, values: list[int]) -> str | None:
    arm = m - r + 1
    if arm < s - 1 or n - m < -(-arm // (s - 1)) + 1:
        return None
    value = 2 * (n - m) * m + arm * arm - balanced_squares(arm, s - 1) + (r - 1) * (r - 2)
    return f"the largest 2F is {2 * max(values)}, not {value}" if 2 * max(values) != value else None


def _above(numerator: Callable[[int, int], Fraction]) -> Callable[[int, int, int, int, list[int]], str | None]:
    def test(n: int, r: int, s: int, m: int, values: list[int]) -> str | None:
        bound = numerator(r, s) * m * m
        return f"2F goes down to {2 * min(values)} < {bound}" if 2 * min(values) < bound else None

    return test


# --- the largest ARD ------------------------------------------------------------------------------


def _largest_ard(summary: Summary) -> tuple[Fraction, dict[str, Any]]:
    """Largest ARD of the class, and a table that attains it."""
    M = comb(summary.matrices.n, 2)
    entries = [(m, *row[:2].tolist()) for m, row in enumerate(summary.extremes[MOST_ARD]) if row[0] >= 0]
    value, m, F, D = max((Fraction(F * M, D) if D else Fraction(0), m, F, D) for m, F, D in entries)
    for margins in margin_classes(summary.matrices):
        sums = PairSums(summary.matrices.n, pairs_within(margins.rows), pairs_within(margins.cols), 0)
        twice = sums.A + sums.B - F
        if twice < 0 or twice % 2 or sums.A * (M - sums.B) + sums.B * (M - sums.A) != D:
            continue
        table = find_table(margins.rows, margins.cols, summary.matrices.n - m, twice // 2)
        if table is not None:
            return value, {"matrix": tuple(map(tuple, table.tolist()))}
    raise AssertionError(f"no table of {summary.matrices} has the largest ARD {value}")


def largest_hook_ard(n: int, r: int, s: int) -> Fraction | None:
    """Largest ARD of hooks: a corner >= 0, the rest of the first row and of the first column >= 1, zeros.

    At given corner, arm and leg totals a balanced arm and leg are best (proofs/max_adjusted_rand.py).

    >>> largest_hook_ard(20, 2, 2)
    Fraction(95, 84)
    """
    best = None
    for corner in range(n - (r + s - 2) + 1):
        for total in range(s - 1, n - corner - (r - 1) + 1):
            arm, leg = _balanced(total, s - 1), _balanced(n - corner - total, r - 1)
            cells = [corner, *arm, *leg]
            A, B = pairs_within([corner + total, *leg]), pairs_within([n - total, *arm])
            value = PairSums(n, A, B, pairs_within(cells)).adjusted_rand_distance
            best = value if best is None else max(best, value)
    return best


def _ard_of_hook(summary: Summary) -> Violation | None:
    value, witness = _largest_ard(summary)
    hook = largest_hook_ard(*_size(summary))
    if value == hook:
        return None
    return Violation(f"the largest ARD is {value}, the best of the form has {hook}", witness)


def _ard_not_independent(summary: Summary) -> Violation | None:
    n, r, s = _size(summary)
    constant = [[n // (r * s)] * s] * r
    value, _ = _largest_ard(summary)
    if PairSums.of(constant).adjusted_rand_distance < value:
        return None
    return Violation(f"the independent table has the largest ARD, {value}", {"matrix": tuple(map(tuple, constant))})


# Largest n at which no hook has the largest ARD, and the range searched (proofs/max_adjusted_rand.py).
LAST_WITHOUT_HOOK = {
    (2, 2): 6,
    (2, 3): 6,
    (2, 4): 8,
    (2, 5): 9,
    (3, 3): 10,
    (3, 4): 12,
    (3, 5): 5,
    (4, 4): 5,
    (4, 5): 6,
    (5, 5): 7,
}


def least_expectations_2x2(n: int) -> tuple[int, list[tuple[int, int, int]]]:
    """All 2 x 2 tables with total n without empty lines: their number, and per d = 2..n/2 two values of D.

    D = A(M - B) + B(M - A) = M^2 E[RD]: at given d1 = n - d, d2 = d the RD is fixed, so the ARD is largest
    where D is least.  Each triple is (d, least D, D of [[n - d, ceil(d/2)], [floor(d/2), 0]]).  NumPy integers,
    exact for n up to 10^4.

    >>> least_expectations_2x2(4)
    (23, [(2, 16, 18)])
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


def _ard_2x2(exceptions: frozenset[tuple[int, int]]) -> Callable[[Tables], Finding]:
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


# --- classification: one class against the rest, or pairs of classes ------------------------------

MEASURES = ("auc", "f", "gsp", "gss")


def _two_class(tp: float, fn: float, fp: float, tn: float) -> tuple[float, ...]:
    """AUC of one operating point, F (beta = 1), sqrt(sens prec), sqrt(sens spec); nan where one is 0/0."""
    if 0 in (tp + fn, fp + tn, tp + fp):
        return (math.nan,) * 4
    sens, spec, prec = tp / (tp + fn), tn / (fp + tn), tp / (tp + fp)
    return (sens + spec) / 2, 2 * tp / (2 * tp + fn + fp), math.sqrt(sens * prec), math.sqrt(sens * spec)


def multiclass_measures(matrix: np.ndarray) -> dict[str, float]:
    """The four measures extended in two ways: "auc1" one against the rest, "auc2" over pairs of classes.

    Rows are true classes.  (1) is weighted by class frequency, (2) the mean over ordered pairs.

    >>> values = multiclass_measures(np.array([[8, 2], [1, 9]]))
    >>> round(values["auc1"], 3), round(values["gss2"], 3)
    (0.85, 0.849)
    """
    n, k = int(matrix.sum()), len(matrix)
    rows, cols = matrix.sum(axis=1), matrix.sum(axis=0)
    rest = [
        _two_class(x, rows[i] - x, cols[i] - x, n - rows[i] - cols[i] + x)
        for i, x in enumerate(matrix.diagonal())
    ]
    pairs = [
        (_two_class(*matrix[[i, i, j, j], [i, j, i, j]]), _two_class(*matrix[[j, j, i, i], [j, i, j, i]]))
        for i, j in combinations(range(k), 2)
    ]
    one = np.average(np.array(rest), axis=0, weights=rows)
    two = np.mean(np.array(pairs), axis=(0, 1))
    names = [f"{name}{way}" for way in (1, 2) for name in MEASURES]
    return dict(zip(names, map(float, [*one, *two])))


_ROUNDOFF = 1e-9


def never_below(first: str, *others: str) -> Callable[[np.ndarray], bool]:
    """Whether one measure is at least the others, wherever all are defined (up to rounding)."""

    def predicate(matrix: np.ndarray) -> bool:
        values = multiclass_measures(matrix)
        return not any(values[first] < values[other] - _ROUNDOFF for other in others)

    return predicate


def never_above(first: str, *others: str) -> Callable[[np.ndarray], bool]:
    """Whether one measure is at most the others, wherever all are defined (up to rounding)."""

    def predicate(matrix: np.ndarray) -> bool:
        values = multiclass_measures(matrix)
        return not any(values[first] > values[other] + _ROUNDOFF for other in others)

    return predicate


ALL_MEASURES = tuple(f"{name}{way}" for way in (1, 2) for name in MEASURES)


def most_optimistic(measure: str) -> Conjecture:
    """The statement that a measure is the largest of the eight on every matrix."""
    others = [name for name in ALL_MEASURES if name != measure]
    return Conjecture(
        f"optimistic-{measure}",
        f"{measure} is the largest of the eight multi-class measures",
        ESPINDOLA,
        predicate=never_below(measure, *others),
        symmetry="simultaneous",
        applies=_multi_class,
        status="refuted",
    )


def most_pessimistic(measure: str) -> Conjecture:
    """The statement that a measure is the smallest of the eight on every matrix."""
    others = [name for name in ALL_MEASURES if name != measure]
    return Conjecture(
        f"pessimistic-{measure}",
        f"{measure} is the smallest of the eight multi-class measures",
        ESPINDOLA,
        predicate=never_above(measure, *others),
        symmetry="simultaneous",
        applies=_multi_class,
        status="refuted",
    )


# --- soft memberships -----------------------------------------------------------------------------


@dataclass(frozen=True)
class MembershipPairs:
    """Pairs (U, V) of n objects: U soft with entries in {0, 1/q, ..., 1} and no tied row, V hard.

    A row is tied when its largest membership is not unique: it has no hard label.  The order of the objects
    does not matter, so a pair is a multiset of n joint rows.

    >>> pairs = MembershipPairs(3, 3, 2, 2)
    >>> pairs.count(), sum(len(U) for U, V in pairs.blocks())
    (120, 120)
    """

    n: int
    q: int
    clusters: int = 2
    classes: int = 2

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of clusters and of classes."""
        return self.clusters, self.classes

    def count(self) -> int:
        """C(R + n - 1, n), R the number of joint rows."""
        rows = sum(
            self.clusters * _bounded(self.q - top, self.clusters - 1, top - 1) for top in range(1, self.q + 1)
        )
        return comb(rows * self.classes + self.n - 1, self.n)

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """All pairs, times q, in blocks of shapes (size, n, clusters) and (size, n, classes)."""
        from confmat.studies.soft_grids import grid_rows, pairs_of_memberships

        rows = grid_rows(self.clusters, self.q)
        untied = rows[(rows == rows.max(axis=1, keepdims=True)).sum(axis=1) == 1]
        yield from pairs_of_memberships(untied, self.q * np.eye(self.classes, dtype=np.int64), self.n)


def _bounded(total: int, parts: int, cap: int) -> int:
    """Number of compositions of a total into parts between 0 and a cap, by inclusion-exclusion."""
    if parts == 0:
        return int(total == 0)
    return sum(
        (-1) ** t * comb(parts, t) * comb(total - t * (cap + 1) + parts - 1, parts - 1)
        for t in range(parts + 1)
        if total >= t * (cap + 1)
    )


def _sari_at_most_ari(pairs: MembershipPairs) -> Finding:
    from confmat.studies.soft_grids import largest_excess

    visit, covered = hashlib.sha256(), 0
    for U, V in pairs.blocks():
        visit.update(U.astype("<i8").tobytes() + V.astype("<i8").tobytes())
        covered += len(U)
    worst = largest_excess(pairs.n, pairs.q, pairs.clusters, pairs.classes)
    violation = None
    if worst is not None and worst.value > 0:
        text = {name: tuple(tuple(map(str, row)) for row in getattr(worst, name)) for name in ("U", "V")}
        violation = Violation(f"sARI exceeds the ARI by {worst.value}", text)
    return Finding(covered, visit.hexdigest(), violation)


def _grids(n: int, shape: tuple[int, int]) -> Iterable[MembershipPairs]:
    return [MembershipPairs(n, q, *shape) for q in range(2, 5)]


def _labels(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows, cols = np.indices(matrix.shape).reshape(2, -1)
    return np.repeat(rows, matrix.ravel()), np.repeat(cols, matrix.ravel())


def _ndc_is_rand(matrix: np.ndarray) -> bool:
    from confmat.indices.soft import ndc

    return ndc(*_labels(matrix), exact=True) == 1 - PairSums.of(matrix).rand_distance


def _aci_is_adjusted_rand(matrix: np.ndarray) -> bool:
    from confmat.indices.soft import aci

    return aci(*_labels(matrix), exact=True) == 1 - PairSums.of(matrix).adjusted_rand_distance


# --- the statements -------------------------------------------------------------------------------


def _proper(matrices: Any) -> bool:
    """Tables without empty lines, at least two clusters on both sides."""
    return isinstance(matrices, Tables) and not matrices.empty and min(matrices.shape) >= 2


def _square(matrices: Any) -> bool:
    return _proper(matrices) and matrices.r == matrices.s


def _multi_class(matrices: Any) -> bool:
    return _square(matrices) and matrices.r >= 3


def _proper_from(excess: int) -> Callable[[Any], bool]:
    """Proper tables with n >= r + s + excess."""
    return lambda matrices: _proper(matrices) and matrices.n >= sum(matrices.shape) + excess


def _two_by_two(matrices: Any) -> bool:
    return _proper(matrices) and matrices.shape == (2, 2)


def _late_hook(matrices: Any) -> bool:
    shape = tuple(sorted(matrices.shape))
    return _proper(matrices) and matrices.n > LAST_WITHOUT_HOOK.get(shape, matrices.n)


def _divisible(matrices: Any) -> bool:
    return _proper(matrices) and matrices.n % (matrices.r * matrices.s) == 0


def _med_bound(n: int, r: int, s: int) -> int:
    return n - -(-n // s)


def _printed_value(n: int, r: int, s: int) -> int:
    return int(max_rand_distance(n, r, s, as_printed=True) * comb(n, 2))


_STATEMENTS = [
    Conjecture(
        "med-bound",
        "the bound n MED <= n - ceil(n/s), r <= s, is attained",
        CHARON + "; the normaliser of the MED in " + CHACON,
        claim=about_law(_largest_med(_med_bound)),
        applies=_proper,
        status="refuted",
        sharpened="med-max",
    ),
    Conjecture(
        "med-bound-late",
        "the bound n MED <= n - ceil(n/s), r <= s, is attained for n >= r + s - 1",
        CHARON,
        claim=about_law(_largest_med(_med_bound)),
        applies=_proper_from(-1),
        status="refuted",
        sharpened="med-max",
    ),
    Conjecture(
        "med-max",
        "the largest n MED is 2n - r - s for n <= r + s - 2, n - ceil((n + s - r)/s) up to (r - 1)s, then "
        "n - ceil(n/s), r <= s",
        "sharpens " + CHARON,
        claim=about_law(_largest_med(lambda n, r, s: int(max_med(n, r, s) * n))),
        applies=_proper,
        status="proved",
    ),
    Conjecture(
        "rd-max-form",
        "the largest RD is attained by a table of the form (7), a hook whose leg consists of ones",
        CHACON + ", Section 3.4, conjecture",
        claim=about_law(_largest_rd(largest_hook)),
        applies=_proper,
        status="refuted",
        sharpened="rd-max",
    ),
    Conjecture(
        "rd-max-form-late",
        "the largest RD is attained by a table of the form (7) for n >= r + s - 2",
        CHACON + ", Section 3.4, with the range in which it holds",
        claim=about_law(_largest_rd(largest_hook)),
        applies=_proper_from(-2),
        status="proved",
    ),
    Conjecture(
        "rd-max-value",
        "the largest RD has the value (8)",
        CHACON + ", Section 3.4 and Appendix B",
        claim=about_law(_largest_rd(_printed_value)),
        applies=_proper,
        status="refuted",
        sharpened="rd-max",
    ),
    Conjecture(
        "rd-max",
        "the largest RD has the value (8) for n >= s + 2(r - 1), r <= s, and two other closed forms below "
        "(confmat.indices.extremes.max_rand_distance)",
        "sharpens " + CHACON + ", Section 3.4",
        claim=about_law(_largest_rd(lambda n, r, s: int(max_rand_distance(n, r, s) * comb(n, 2)))),
        applies=_proper,
        status="proved",
    ),
    Conjecture(
        "rd-max-hooks-only",
        "for n >= r + s - 1 all tables with the largest RD are hooks, except when r = s = 2",
        "observed, after " + CHACON,
        claim=about_law(_hooks_only),
        applies=lambda matrices: _proper_from(-1)(matrices) and matrices.shape != (2, 2),
    ),
    Conjecture(
        "ard-2x2",
        "at given d1 >= d2 >= 2 the largest ARD of 2 x 2 tables is that of [[d1, ceil(d2/2)], [floor(d2/2), 0]]",
        CHACON + ", Section 3.3.1, conjecture",
        claim=_ard_2x2(frozenset()),
        applies=_two_by_two,
        status="refuted",
        sharpened="ard-2x2-exceptions",
    ),
    Conjecture(
        "ard-2x2-exceptions",
        "at given d1 >= d2 >= 2 the largest ARD of 2 x 2 tables is that of [[d1, ceil(d2/2)], [floor(d2/2), 0]], "
        "except for (n, d1, d2) = (4, 2, 2) and (6, 3, 3)",
        "sharpens " + CHACON + ", Section 3.3.1",
        claim=_ard_2x2(frozenset({(4, 2), (6, 3)})),
        applies=_two_by_two,
        status="proved",
    ),
    Conjecture(
        "ard-form",
        "the largest ARD is attained by a hook",
        CHACON + ", Section 3.4 (there for n sufficiently large)",
        claim=about_law(_ard_of_hook),
        applies=_proper,
        status="refuted",
        sharpened="ard-form-late",
    ),
    Conjecture(
        "ard-form-late",
        "the largest ARD is attained by a hook for n > 6, 6, 8, 9, 10, 12, 5, 5, 6, 7 at 2x2, 2x3, 2x4, 2x5, 3x3, "
        "3x4, 3x5, 4x4, 4x5, 5x5",
        CHACON + ", Section 3.4, with a range",
        claim=about_law(_ard_of_hook),
        applies=_late_hook,
        status="open (proved for 2 x 2)",
    ),
    Conjecture(
        "ard-independent",
        "the table of independent clusterings, all cells n/(rs), does not have the largest ARD",
        CHACON + ", Section 3.4 (there: in general)",
        claim=about_law(_ard_not_independent),
        applies=_divisible,
        status="refuted",
    ),
    Conjecture(
        "rd-given-med-upper",
        "2F <= 2km + m^2 - (least sum of s - 1 squares with sum m), m = n MED, k = n - m",
        "this project",
        claim=about_law(_by_med(_below_turan)),
        applies=_proper,
        status="proved",
    ),
    Conjecture(
        "rd-given-med-upper-attained",
        "for m >= r + s - 2, a = m - r + 1 and k >= ceil(a/(s-1)) + 1 the largest 2F is 2km + a^2 - (least sum of "
        "s - 1 squares with sum a) + (r-1)(r-2)",
        "this project",
        claim=about_law(_by_med(_at_hook)),
        applies=_proper,
    ),
    Conjecture(
        "rd-given-med-lower",
        "2F >= s/(r(s-1)) m^2, m = n MED",
        "this project",
        claim=about_law(_by_med(_above(lambda r, s: Fraction(s, r * (s - 1))))),
        applies=_proper,
        status="proved",
    ),
    Conjecture(
        "rd-given-med-lower-sharp",
        "2F >= s(r+s-2)/(r(s-1)^2) m^2, m = n MED",
        "this project",
        claim=about_law(_by_med(_above(lambda r, s: Fraction(s * (r + s - 2), r * (s - 1) ** 2)))),
        applies=_proper,
    ),
    *(
        Conjecture(
            f"one-vs-rest-{measure}",
            f"the extension of {measure} by one class against the rest is at least the one by pairs of classes",
            ESPINDOLA + ', "irrespective of the measure employed"',
            predicate=never_below(f"{measure}1", f"{measure}2"),
            symmetry="simultaneous",
            applies=_square,
            status="refuted",
        )
        for measure in MEASURES
    ),
    *map(most_optimistic, ALL_MEASURES),
    *map(most_pessimistic, ALL_MEASURES),
    Conjecture(
        "sari-below-ari",
        "the soft adjusted Rand index of (U, V), V hard, is at most the ARI of the hardened U and V",
        FLYNT + " (there: in the vast majority of cases)",
        claim=_sari_at_most_ari,
        applies=lambda pairs: isinstance(pairs, MembershipPairs),
        family=_grids,
        status="refuted",
    ),
    Conjecture(
        "ndc-crisp",
        "the normalised degree of concordance of two crisp clusterings is the Rand index",
        "Huellermeier, Rifqi, Henzgen & Senge (2012)",
        predicate=_ndc_is_rand,
        symmetry="transposition",
        applies=_proper,
        status="proved",
    ),
    Conjecture(
        "aci-crisp",
        "the adjusted concordance index of two crisp clusterings is the adjusted Rand index",
        AMODIO + " (there: up to simulation error)",
        predicate=_aci_is_adjusted_rand,
        symmetry="transposition",
        applies=_proper,
        status="proved",
    ),
]

LITERATURE = {conjecture.name: conjecture for conjecture in _STATEMENTS}
