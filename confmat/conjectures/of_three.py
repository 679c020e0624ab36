"""Statements about three clusterings a, b and c, and about margins alone.

Of three: conditions on "ard_ab", "ard_bc", "ard_ac", and how far from a metric.
Any statistic of two clusterings may be named with a pair.  Its values are computed once for every kind of pair, which
are few (298 for n = 6, 3017 for n = 8), and a statement once for every combination of values.

Of margins: a condition on what they tell, or a function of row sums and column sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import inf
from typing import Any

import numpy as np

from confmat.classes.orbits import as_symmetry
from confmat.conjectures.named import condition_on, statistic_of
from confmat.conjectures.outcomes import Finding, Violation, explained
from confmat.conjectures.pair_kinds import table_of
from confmat.conjectures.predicates import usable
from confmat.conjectures.triples import PAIRS_OF_THREE, Kinds, MarginPairs, Three, Triple, Triples
from confmat.engine.tables import largest_table
from confmat.engine.walks import holding, numbered
from confmat.errors import ConsistencyError, SymmetryError, UndefinedIndexError
from confmat.matrices.texts import matrix_text
from confmat.statistics.conditions import Condition, as_condition
from confmat.statistics.record import Statistic
from confmat.statistics.table import as_statistic, exact_value


def condition_of_three(condition: str | Condition, argument: str = "statement") -> Condition:
    """The condition of a text such as "ard_ac <= ard_ab + ard_bc", on pairs of three clusterings.

    >>> condition_of_three("ard_ac <= 3/2 * (ard_ab + ard_bc)").names
    ('ard_ac', 'ard_ab', 'ard_bc')
    """
    return condition_on(condition, PAIRS_OF_THREE, argument, "pairs of three clusterings")


def judged(condition: Condition, members: Three, kinds: Kinds) -> tuple[np.ndarray, np.ndarray | None]:
    """Whether a condition on pairs of three clusterings holds at the rows of ``kinds``, and whether its premise does.

    >>> triples = Triples(3)
    >>> holds, _ = judged(condition_of_three("vi_ac <= vi_ab + vi_bc"), triples, triples.kinds())
    >>> holds.all()
    np.True_
    """
    columns = []
    for statistic in condition.statistics:
        base, pair = statistic_of(statistic)
        columns.append(values_of_kinds(base, kinds, PAIRS_OF_THREE.index(pair)))
    sizes = _sizes_of_members(members)
    return condition.judged(lambda part: holding(part, columns, sizes))


def _sizes_of_members(members: Three) -> dict[str, Any]:
    """What n, r and s stand for, as far as the numbers of clusters are given."""
    sizes = zip("nrs", (members.n, *members.numbers))
    return {name: Fraction(k) for name, k in sizes if k is not None}


def finding_of_three(test: Condition | Callable[..., Any], members: Three) -> Finding:
    """What a statement answers on every kind of triple, and the first triple at which it fails, if any.

    >>> finding_of_three(condition_of_three("ard_ac <= ard_ab + ard_bc"), Triples(4)).violation.detail
    'a = 12|3|4, b = 12|34, c = 1|2|34: ard_ac = 6/5, ard_ab = 3/7, ard_bc = 3/7'
    """
    kinds = members.kinds()
    is_met = None
    if isinstance(test, Condition):
        holds, is_met = judged(test, members, kinds)
    else:
        answers = []
        for row in kinds.kinds.tolist():
            tables = [kinds.tables[kind] for kind in row]
            answers.append(bool(test(*tables)))
        holds = np.array(answers, bool)
    violation = None
    if not holds.all():
        triple = min(map(kinds.triple, np.flatnonzero(~holds).tolist()))
        if isinstance(test, Condition):
            values = _values_at(test, members, triple)
        else:
            values = ""
        violation = Violation(f"{triple}{values}", triple._asdict())
    if is_met is None:
        cases = None
    else:
        cases = int(kinds.weights[is_met].sum())
    return Finding(
        int(kinds.weights.sum()),
        _seal(kinds, holds),
        violation,
        cases,
    )


def _seal(kinds: Kinds, holds: np.ndarray) -> str:
    """Digest of the tables of every row, what is said there, and of how many triples."""
    texts = [str(table.tolist()) for table in kinds.tables]
    lines = []
    for row, holds_here, weight in zip(kinds.kinds.tolist(), holds.tolist(), kinds.weights.tolist()):
        tables = " ".join(texts[kind] for kind in row)
        lines.append(f"{tables} {int(holds_here)} {weight}\n")
    return sha256("".join(sorted(lines)).encode()).hexdigest()


def _values_at(condition: Condition, members: Three, triple: Triple) -> str:
    """The values that a condition compares at a triple, in words; ConsistencyError where it holds there."""
    a, b, c = triple
    tables = {
        "ab": table_of(a, b),
        "bc": table_of(b, c),
        "ac": table_of(a, c),
    }
    exact_values = _sizes_of_members(members)
    words = []
    for statistic in condition.statistics:
        base, pair = statistic_of(statistic)
        exact_values[statistic.name] = exact_value(base, tables[pair])
        words.append(f"{statistic.name} = {base(tables[pair])}")
    if condition.holds(exact_values):
        raise ConsistencyError(f"a check found {triple} of {members!r}, which meets {condition}")
    return f": {', '.join(words)}"


def values_of_kinds(statistic: Statistic, kinds: Kinds, pair: int) -> tuple[list[Any], np.ndarray]:
    """Exact values of a statistic at one pair of every row, each once, and which one a row has.

    >>> values_of_kinds(as_statistic("med"), Triples(2).kinds(), 2)[0]
    [Fraction(0, 1), Fraction(1, 2)]
    """
    occurring, places = np.unique(kinds.kinds[:, pair], return_inverse=True)
    value_of_kind = []
    for kind in occurring.tolist():
        value_of_kind.append(exact_value(statistic, kinds.tables[kind]))
    values, places_of_kinds = numbered(value_of_kind)
    return values, places_of_kinds[places]


@dataclass(frozen=True)
class TriangleConstant:
    """The least factor K with d(a,c) <= K (d(a,b) + d(b,c)) for all triples of a class, and a triple that needs it.

    At most 1: the triangle inequality holds there.  ``value`` is infinite where d(a,c) > 0 = d(a,b) + d(b,c).
    """

    distance: str
    members: Triples
    value: Any
    triple: Triple | None

    @property
    def metric(self) -> bool:
        """Whether the triangle inequality holds for all triples of the class."""
        return bool(self.value <= 1)

    def __str__(self) -> str:
        if self.metric:
            holds = "the triangle inequality holds"
        else:
            holds = f"at {self.triple}"
        return f"{self.distance} over {self.members}: {self.value}, {holds}"


def triangle_constant(
    distance: str | Statistic | Callable[..., Any], n: int, *clusters: int | None
) -> TriangleConstant:
    """How far a distance of clusterings of n points is from a metric: the sharp factor of its triangle inequality.

    Over all triples of clusterings, or of those into r, s and t clusters.  Exact: doubles only choose which triples are
    compared exactly.  ValueError for what is no distance: not 0 for equal clusterings, or changed by exchanging them.

    >>> print(triangle_constant("ard", 4))
    ard over Triples(n=4): 7/5, at a = 12|3|4, b = 12|34, c = 1|2|34
    >>> triangle_constant("vi", 4).metric
    True
    """
    statistic = as_statistic(distance)
    members = Triples(n, *clusters)
    _check_distance(statistic)
    kinds = members.kinds()
    columns = [values_of_kinds(statistic, kinds, pair) for pair in range(3)]
    ab, bc, ac = (np.array(values, float)[places] for values, places in columns)
    if missing := np.isnan(ab + bc + ac).sum():
        raise UndefinedIndexError(
            f"distance must be defined for all pairs, {statistic.name} is not at {missing} triples"
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        rough = np.where(ac > 0, ac / (ab + bc), 0)
    near_largest = rough >= rough.max(initial=0) * (1 - 1e-9)
    constant: Any = Fraction(0)
    triple = None
    for row in np.flatnonzero((rough > 0) & near_largest).tolist():
        x, y, z = (values[places[row]] for values, places in columns)
        if x + y:
            quotient = z / (x + y)
        else:
            quotient = inf
        if quotient > constant:
            constant = quotient
            triple = kinds.triple(row)
    return TriangleConstant(statistic.name, members, constant, triple)


def _check_distance(statistic: Statistic) -> None:
    if "transposition" not in statistic.generators or statistic.root:
        raise ValueError(
            f"distance must be the same for (a, b) and (b, a) and no square root, got {statistic.name}"
        )
    for table in ([[3]], [[1, 0], [0, 2]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]):
        if (value := statistic(np.array(table))) != 0:
            raise ValueError(
                f"distance must be 0 for equal clusterings, got {statistic.name}, which is {value} "
                f"at {matrix_text(table)}"
            )


LineSums = tuple[int, ...]

TOLD = ("entropy_a", "entropy_b")
"""The statistics of the table that margins alone tell."""


def condition_of_margins(condition: str | Condition, argument: str = "statement") -> Condition:
    """The condition of a text such as "entropy_a <= entropy_b -> r <= s", on what margins tell.

    >>> condition_of_margins("entropy_a + entropy_b < n").names
    ('entropy_a', 'entropy_b')
    """
    result = as_condition(condition, argument)
    for statistic in result.statistics:
        if statistic not in map(as_statistic, TOLD):
            raise ValueError(
                f"{argument} must compare n, r, s, {' and '.join(TOLD)} where it is on margins, got {statistic.name} "
                f"in {str(condition)!r}; all else that margins tell needs a predicate, a function of row sums and "
                "column sums"
            )
    return result


def _condition_of_sums(condition: Condition) -> Callable[[LineSums, LineSums], Any]:
    """The condition as a function of margins: asked of one of their tables."""

    def holds(rows: LineSums, cols: LineSums) -> Any:
        table = largest_table(
            np.array(rows, np.int64),
            np.array(cols, np.int64),
        )
        values = ", ".join(f"{x.name} = {x(table)}" for x in condition.statistics)
        return condition(table) or (False, values)

    return holds


def finding_of_margins(
    test: Condition | Callable[[LineSums, LineSums], Any], matrices: MarginPairs, symmetry: str
) -> Finding:
    """What a condition, or a function of row sums and column sums, answers on all margins of a class.

    The symmetry is tried wherever it is used: on the same sums the other way round, and with rows and columns
    exchanged; SymmetryError where the answer is another one.

    >>> finding_of_margins(lambda rows, cols: max(rows) < 4, MarginPairs(5, 2, 2), "none").violation.witness
    {'rows': (1, 4), 'cols': (1, 4)}
    """
    test, premise = test.judged(_condition_of_sums) if isinstance(test, Condition) else (test, None)
    used_symmetry = usable(symmetry, matrices)
    lines = []
    failing = []
    members = cases = 0
    for rows, cols, weight in matrices.pairs(used_symmetry):
        images = _images(rows, cols, used_symmetry)
        holds, reason = explained(test(rows, cols), rows, cols)
        for image in images:
            if explained(test(*image), *image)[0] != holds:
                raise SymmetryError(
                    f"symmetry {used_symmetry!r} is declared of the predicate, which is {holds} at {rows}, {cols} and "
                    f"{not holds} at {image[0]}, {image[1]}"
                )
        members += weight
        if premise is not None and explained(premise(rows, cols))[0]:
            cases += weight
        lines.append(f"{rows} {cols} {weight} {int(holds)}\n")
        if not holds:
            failing.append((*min([(rows, cols), *images]), reason))
    violation = None
    if failing:
        rows, cols, reason = min(failing)
        violation = Violation(
            reason or "the predicate is False here",
            {"rows": rows, "cols": cols},
        )
    seal = sha256("".join(lines).encode()).hexdigest()
    return Finding(members, seal, violation, None if premise is None else cases)


def _images(rows: LineSums, cols: LineSums, symmetry: str) -> list[tuple[LineSums, LineSums]]:
    """Other orders of a pair of sorted margins, the increasing ones first."""
    generators = as_symmetry(symmetry)
    if "rows" not in generators:
        return []
    reversed_pair = rows[::-1], cols[::-1]
    if "transposition" in generators and len(rows) == len(cols):
        return [reversed_pair, reversed_pair[::-1]]
    return [reversed_pair]
