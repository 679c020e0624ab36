"""Answers to some of the questions by loops over all tables: a second opinion on what is stored.

``plain_answer`` returns None for a question that it cannot answer: a statistic or a condition without a plain
definition here, or a class of too many tables.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from fractions import Fraction
from math import comb, prod
from typing import Any

from .plain import STATISTICS, Table, col_sums, labelings, members, row_sums, total, weight_of
from .reading import SEPARATOR, matrix, of_points
from .texts import stored, text

MOST_TABLES = 4_000

Weights = dict[Any, int]


class NoPlainAnswer(Exception):
    """The question is about something that has no plain definition here."""


def plain_answer(question: str) -> str | None:
    kind, *arguments = question.split(SEPARATOR)
    if kind not in KINDS:
        return None
    try:
        return stored(KINDS[kind](*arguments))
    except NoPlainAnswer:
        return None


def few_members(name: str) -> list[Table]:
    """Return the members of a class, or raise NoPlainAnswer if a bound of their number is too large."""
    kind, *sizes = name.replace(" empty", "").split()
    if kind == "tables":
        n, r, s = map(int, sizes)
        bound = comb(n + r * s - 1, r * s - 1)
    else:
        of_rows, of_cols = 1, 1
        if kind in ("rows", "margins"):
            s = len(sizes[1].split(",")) if kind == "margins" else int(sizes[1])
            of_rows = prod(comb(int(x) + s - 1, s - 1) for x in sizes[0].split(","))
        if kind == "columns":
            of_cols = prod(comb(int(x) + int(sizes[0]) - 1, int(sizes[0]) - 1) for x in sizes[1].split(","))
        bound = max(of_rows, of_cols)
    if bound > MOST_TABLES:
        raise NoPlainAnswer
    return members(name)


def value(name: str, table: Table) -> Any:
    if name not in STATISTICS:
        raise NoPlainAnswer
    return STATISTICS[name](table)


class Condition:
    """A condition such as "med<=1/5, ard>1", "not (rd<1/2) or ari=0" or "med=0 -> rd=0"."""

    def __init__(self, condition: str) -> None:
        premise, arrow, conclusion = condition.partition("->")
        sides = [premise, conclusion] if arrow else [premise]
        self.parts = [[self._read(part) for part in side.split(",")] for side in sides]

    def _read(self, part: str) -> Any:
        names = set(re.findall(r"[a-z_]+", part)) - {"not", "or", "and"}
        if (
            not names <= set(STATISTICS)
            or re.search(r"[a-z]/[a-z]", part)
            or part.count("(") != part.count(")")
        ):
            raise NoPlainAnswer
        with_fractions = re.sub(r"(\d+)/(\d+)|(?<![\w/])(\d+)", r"F('\g<0>')", part)
        return compile(re.sub(r"(?<![<>=])=(?!=)", "==", with_fractions).strip(), part, "eval"), names

    def holds(self, table: Table) -> bool:
        met = []
        for side in self.parts:
            values = [
                eval(code, {"F": Fraction} | {x: value(x, table) for x in names}) for code, names in side
            ]
            met.append(all(values))
        return met[0] if len(met) == 1 else not met[0] or met[1]


def chosen(name: str, condition: str) -> list[Table]:
    if not condition:
        return few_members(name)
    wanted = Condition(condition)
    return [table for table in few_members(name) if wanted.holds(table)]


def weights_of(name: str, weight: str, names: list[str], condition: str = "") -> Weights:
    """Return the total weight of each tuple of values."""
    weights: Weights = Counter()
    for table in chosen(name, condition):
        values = tuple(value(x, table) for x in names)
        if any(x != x for x in values):
            raise NoPlainAnswer
        weights[values] += weight_of(table, weight)
    return weights


def of_one(name: str, weight: str, statistic: str, condition: str = "") -> Weights:
    weights: Weights = Counter()
    for (x,), mass in weights_of(name, weight, [statistic], condition).items():
        weights[x] += mass
    return weights


def quantile_of(weights: Weights, p: Fraction) -> Any:
    mass = sum(weights.values())
    running = 0
    for x in sorted(weights):
        running += weights[x]
        if running >= p * mass and running:
            return x
    raise AssertionError


def quantity_of(what: str, weights: Weights) -> Any:
    """Return the mean, variance, least, median or largest value, or the total weight."""
    mass = sum(weights.values())
    if not mass:
        return "no values"
    mean = sum(x * w for x, w in weights.items()) / Fraction(mass)
    if what == "variance":
        return sum((x - mean) ** 2 * w for x, w in weights.items()) / Fraction(mass)
    if what == "sd":
        raise NoPlainAnswer
    ends = {"least": min(weights), "largest": max(weights), "median": quantile_of(weights, Fraction(1, 2))}
    return ends.get(what, {"mean": mean, "total": mass, "undefined": 0}.get(what))


def up_to(weights: Weights, x: Fraction) -> Fraction:
    return Fraction(sum(w for y, w in weights.items() if y <= x), sum(weights.values()))


def plain_points(name: str, weight: str, statistics: str, condition: str = "") -> Any:
    weights = weights_of(name, weight, statistics.split(), condition)
    return of_points(weights.items()) if weights else "no members"


def plain_given(name: str, weight: str, _: str, condition: str, what: str, statistic: str) -> Any:
    weights = of_one(name, weight, statistic, condition)
    return quantity_of(what, weights) if weights else "no members"


def plain_groups(name: str, weight: str, _: str, given: str, statistic: str) -> Any:
    groups: dict[Any, Weights] = defaultdict(Counter)
    for (x, y), mass in weights_of(name, weight, [given, statistic]).items():
        groups[x][y] += mass
    found: list[Any] = []
    for x in sorted(groups):
        numbers = [quantity_of(what, groups[x]) for what in ("mean", "least", "median", "largest")]
        found.append([x, sum(groups[x].values()), *numbers])
        found.append(of_points(groups[x].items()))
    return found


def plain_probability(name: str, weight: str, _: str, condition: str) -> Any:
    met = sum(weight_of(table, weight) for table in chosen(name, condition))
    return Fraction(met, sum(weight_of(table, weight) for table in few_members(name)))


def plain_unrank(name: str, place: str) -> Any:
    tables = few_members(name)
    return [tables[int(Fraction(place) * (len(tables) - 1))], 0]


def plain_check(statement: str, *classes: str) -> Any:
    """Answer the number of tables, or the class and the first table that fails, in lexicographic order."""
    wanted = Condition(statement)
    number = 0
    for name in classes:
        tables = few_members(name)
        for table in tables:
            if not wanted.holds(table):
                return ["fails", (total(table), len(table), len(table[0])), table]
        number += len(tables)
    cases = sum(Condition(statement.partition("->")[0]).holds(t) for x in classes for t in members(x))
    return ["holds", number, cases if "->" in statement else None]


def plain_exact_test(table: str, name: str, side: str) -> Any:
    """Answer the value, the p-value and the mid-p value among all tables with the same margins."""
    observed = tuple(map(tuple, matrix(table)))
    margins = [",".join(map(str, sums)) for sums in (row_sums(observed), col_sums(observed))]
    weights: Weights = Counter()
    for other in few_members(f"margins {' '.join(margins)}"):
        weights[value(name, other)] += labelings(other)
    at = value(name, observed)
    mass = sum(weights.values())
    greater, less = (
        Fraction(sum(w for x, w in weights.items() if sign * x > sign * at), mass) for sign in (1, -1)
    )
    equal = Fraction(weights[at], mass)
    tails = {"greater": [greater + equal, greater], "less": [less + equal, less]}
    smaller = min(tails.values())
    p, beyond = tails.get(side, [min(2 * x, Fraction(1)) for x in smaller])
    return [at, p, (p + beyond) / 2]


KINDS = {
    "count": lambda name: len(few_members(name)),
    "unrank": plain_unrank,
    "rank": lambda name, table: few_members(name).index(tuple(map(tuple, matrix(table)))),
    "points": plain_points,
    "points given": plain_points,
    "whole": lambda name, weight, _, what, one: quantity_of(what, of_one(name, weight, one)),
    "quantile": lambda name, weight, _, one, p: quantile_of(of_one(name, weight, one), Fraction(p)),
    "cdf": lambda name, weight, _, one, x: up_to(of_one(name, weight, one), Fraction(x)),
    "given": plain_given,
    "groups": plain_groups,
    "probability": plain_probability,
    "check": plain_check,
    "index": lambda name, table: value(name, tuple(map(tuple, matrix(table)))),
    "exact test": plain_exact_test,
}


def extreme_value(name: str, end: str, statistic: str, condition: str = "") -> str:
    """Return the text of the largest or least value of a statistic among the members that meet a condition."""
    values = [value(statistic, table) for table in chosen(name, condition)]
    if any(x != x for x in values):
        raise NoPlainAnswer
    return text((max if end == "largest" else min)(values, default=None))
