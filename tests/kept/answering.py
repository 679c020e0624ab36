"""Answers to the questions, through the adapter."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .adapter import CHECK, CLASSES, FOUND, HOLDS, INDEX, JOINT, MATRICES, ONE, REFUTED, SEARCH
from .texts import stored, text

SEPARATOR = " | "
REFUSED = "refused"


def answer(question: str) -> str:
    """Return the text of the answer to a question, or REFUSED if it raises an error."""
    kind, *arguments = question.split(SEPARATOR)
    try:
        return stored(KINDS[kind](*arguments))
    except (ArithmeticError, ValueError) as error:
        if type(error) is ZeroDivisionError:
            raise
        return REFUSED


def answered(group: list[str]) -> dict[str, str]:
    """Return the answers to a group of questions."""
    return {question: answer(question) for question in group}


def numbers(sequence: str) -> tuple[int, ...]:
    """Read "2,1,0"."""
    return tuple(map(int, sequence.split(",")))


def matrix(rows: str) -> list[list[int]]:
    """Read "2,1;0,3"."""
    return [list(numbers(row)) for row in rows.split(";")]


def memberships(rows: str) -> list[list[Fraction]]:
    """Read "1/2,1/2;0,1"."""
    return [[Fraction(x) for x in row.split(",")] for row in rows.split(";")]


@lru_cache(64)
def class_of(name: str) -> Any:
    """Return the class with a name such as "tables 7 2 3" or "rows 3,2 4 empty"."""
    kind, *sizes = name.split()
    empty = sizes[-1] == "empty"
    read = [numbers(x) if "," in x or kind == "margins" else int(x) for x in sizes if x != "empty"]
    if kind == "rows":
        read[0] = numbers(sizes[0])
    if kind == "columns":
        read[1] = numbers(sizes[1])
    return CLASSES[kind](*read, empty)


@lru_cache(8)
def joint(matrices: str, weight: str, statistics: str) -> Any:
    return JOINT.of(class_of(matrices), statistics.split(), weight)


@lru_cache(8)
def joint_given(matrices: str, weight: str, statistics: str, condition: str) -> Any:
    return JOINT.given(joint(matrices, weight, statistics), condition)


def one(matrices: str, weight: str, statistics: str, name: str, condition: str = "") -> Any:
    law = joint(matrices, weight, statistics)
    return JOINT.one(joint_given(matrices, weight, statistics, condition) if condition else law, name)


def of_points(points: Any) -> list[str]:
    """Return the number of points and a digest of their values and weights, in increasing order."""
    lines = sorted(f"{text(values)}:{weight}" for values, weight in points)
    return [str(len(lines)), hashlib.sha256("\n".join(lines).encode()).hexdigest()[:24]]


def of_members(name: str) -> list[str]:
    members = [text(member) for member in class_of(name)]
    return [str(len(members)), hashlib.sha256("\n".join(members).encode()).hexdigest()[:24]]


def unranked(name: str, place: str) -> Any:
    """Answer the member at a fraction of the count, and the rank of this member."""
    matrices = class_of(name)
    position = int(Fraction(place) * (MATRICES.count(matrices) - 1))
    member = MATRICES.unrank(matrices, position)
    return [member, MATRICES.rank(matrices, member) - position]


def quantity(what: str, law: Any) -> Any:
    if not ONE["total"](law):
        return "no values"
    return ONE[what](law)


def whole(matrices: str, weight: str, statistics: str, what: str, name: str) -> Any:
    return quantity(what, one(matrices, weight, statistics, name))


def quantile(matrices: str, weight: str, statistics: str, name: str, p: str) -> Any:
    return ONE["quantile"](one(matrices, weight, statistics, name), p)


def cdf(matrices: str, weight: str, statistics: str, name: str, x: str) -> Any:
    return ONE["cdf"](one(matrices, weight, statistics, name), x)


def cdf_at_quantile(matrices: str, weight: str, statistics: str, name: str, p: str) -> Any:
    law = one(matrices, weight, statistics, name)
    return ONE["cdf"](law, ONE["quantile"](law, p))


def points(matrices: str, weight: str, statistics: str) -> Any:
    return of_points(joint(matrices, weight, statistics))


def conditional(matrices: str, weight: str, statistics: str, condition: str, what: str, name: str) -> Any:
    if not JOINT.total(joint_given(matrices, weight, statistics, condition)):
        return "no members"
    return quantity(what, one(matrices, weight, statistics, name, condition))


def conditional_points(matrices: str, weight: str, statistics: str, condition: str) -> Any:
    law = joint_given(matrices, weight, statistics, condition)
    return of_points(law) if JOINT.total(law) else "no members"


def probability(matrices: str, weight: str, statistics: str, condition: str) -> Any:
    return JOINT.probability(joint(matrices, weight, statistics), condition)


def groups(matrices: str, weight: str, statistics: str, given: str, name: str) -> Any:
    """Answer weight, mean, extremes and digest of a statistic given each value of another."""
    found = []
    for value, mass, law in JOINT.groups(joint(matrices, weight, statistics), given):
        each = JOINT.one(law, name)
        found.append([value, mass, *(quantity(x, each) for x in ("mean", "least", "median", "largest"))])
        found.append(of_points(each))
    return found


def extreme(matrices: str, end: str, statistic: str, condition: str = "") -> Any:
    """Answer the value, and all representatives of the tables that attain it."""
    value, tables, proved, complete = FOUND(
        SEARCH[end](class_of(matrices), statistic, given=condition or None)
    )
    return [value, *sorted(map(text, tables)), f"{proved} {complete}"]


def check(statement: str, *classes: str) -> Any:
    answered = CHECK(statement, [class_of(name) for name in classes])
    if HOLDS(answered) is not None:
        return ["holds", *HOLDS(answered)]
    matrices, counterexample = REFUTED(answered)
    return ["fails", MATRICES.sizes(matrices), counterexample]


def soft_test(U: str, V: str, name: str) -> Any:
    return INDEX.of_soft_test(INDEX.soft_test(memberships(U), memberships(V), name))


KINDS: dict[str, Callable[..., Any]] = {
    "count": lambda name: MATRICES.count(class_of(name)),
    "members": of_members,
    "unrank": unranked,
    "rank": lambda name, table: MATRICES.rank(class_of(name), matrix(table)),
    "points": points,
    "whole": whole,
    "quantile": quantile,
    "cdf": cdf,
    "cdf at quantile": cdf_at_quantile,
    "probability": probability,
    "given": conditional,
    "points given": conditional_points,
    "groups": groups,
    "extreme": extreme,
    "check": check,
    "index": lambda name, table: INDEX.of_table(name, matrix(table)),
    "labels": lambda name, a, b: INDEX.of_labels(name, numbers(a), numbers(b)),
    "exact test": lambda table, *how: INDEX.of_exact_test(INDEX.exact_test(matrix(table), *how)),
    "permutation test": lambda table, side: INDEX.of_permutation_test(
        INDEX.permutation_test(matrix(table), side)
    ),
    "soft": lambda U, V, name: INDEX.of_soft_test(INDEX.soft_test(memberships(U), memberships(V), name))[0],
    "soft p": soft_test,
    "soft moments": lambda U, V, name: INDEX.soft_moments(memberships(U), memberships(V), name),
    "soft adjusted": lambda U, V, name: INDEX.soft_adjusted(memberships(U), memberships(V), name),
}
