"""Answers to the questions about members, distributions, extremes, statements, tests and formulas."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from . import adapter, plain, trials
from .adapter import DO, JOINT, MEMBERS, NUMBERS, RESULT
from .reading import SEPARATOR, ask, class_of, digest_of, integers, matrix, memberships, of_points
from .texts import stored, text

REFUSED = "refused"
FAILED = "fails with"


def answer(question: str) -> str:
    """Return the text of the answer to a question; if it raises an error, REFUSED or the error."""
    kind, *arguments = question.split(SEPARATOR)
    try:
        return stored(KINDS[kind](*arguments))
    except Exception as error:
        is_refusal = isinstance(error, ArithmeticError | ValueError) and type(error) is not ZeroDivisionError
        return REFUSED if is_refusal else f"{FAILED} {type(error).__name__}: {error!s:.200}"


def answered(group: list[str]) -> dict[str, str]:
    """Return the answers to a group of questions."""
    return {question: answer(question) for question in group}


@lru_cache(8)
def joint(matrices: str, weight: str, statistics: str) -> Any:
    return DO.joint(class_of(matrices), statistics.split(), weight)


@lru_cache(8)
def joint_given(matrices: str, weight: str, statistics: str, condition: str) -> Any:
    return ask(joint(matrices, weight, statistics), JOINT, "given", condition)


def one(matrices: str, weight: str, statistics: str, name: str) -> Any:
    return DO.one(joint(matrices, weight, statistics), name)


# --- members of classes ---------------------------------------------------------------------------


def unranked(name: str, place: str) -> Any:
    """Answer the member at a fraction of the count, and how far its rank is off."""
    matrices = class_of(name)
    position = int(Fraction(place) * (ask(matrices, MEMBERS, "count") - 1))
    member = ask(matrices, MEMBERS, "unrank", position)
    return [member, ask(matrices, MEMBERS, "rank", member) - position]


def orbits(name: str) -> Any:
    found = [(text(table), size) for table, size in ask(class_of(name), MEMBERS, "orbits")]
    return digest_of(f"{table} {size}" for table, size in sorted(found))


# --- distributions --------------------------------------------------------------------------------


def quantity(what: str, distribution: Any) -> Any:
    if not ask(distribution, NUMBERS, "total"):
        return "no values"
    if what in ("mean", "variance"):
        return DO.exact_moments(distribution)[what == "variance"]
    if what == "about":
        return DO.mean_as_shown(distribution)
    return ask(distribution, NUMBERS, what)


def cdf_at_quantile(matrices: str, weight: str, statistics: str, name: str, p: str) -> Any:
    distribution = one(matrices, weight, statistics, name)
    return ask(distribution, NUMBERS, "cdf", ask(distribution, NUMBERS, "quantile", p))


def conditional(matrices: str, weight: str, statistics: str, condition: str, what: str, name: str) -> Any:
    law = joint_given(matrices, weight, statistics, condition)
    return quantity(what, DO.one(law, name)) if ask(law, JOINT, "total") else "no members"


def conditional_points(matrices: str, weight: str, statistics: str, condition: str) -> Any:
    law = joint_given(matrices, weight, statistics, condition)
    return of_points(law) if ask(law, JOINT, "total") else "no members"


def groups(matrices: str, weight: str, statistics: str, given: str, name: str) -> Any:
    """Answer weight, mean, extremes and digest of a statistic given each value of another."""
    found: list[Any] = []
    for value, law in DO.groups(joint(matrices, weight, statistics), given):
        each = DO.one(law, name)
        numbers = [quantity(what, each) for what in ("mean", "least", "median", "largest")]
        found.append([value, ask(law, JOINT, "total"), *numbers])
        found.append(of_points(each))
    return found


def attained(matrices: str, weight: str, statistics: str, condition: str, name: str) -> Any:
    """Answer whether example tables of the least and the largest value are members that have these values."""
    law = joint_given(matrices, weight, statistics, condition)
    if not ask(law, JOINT, "total"):
        return "no members"
    distribution = DO.one(law, name)
    right = []
    for end, example in (("least", "at least"), ("largest", "at most")):
        table = ask(distribution, NUMBERS, example)
        ask(class_of(matrices), MEMBERS, "rank", table)
        right.append(DO.index(name, table) == ask(distribution, NUMBERS, end))
    return right


def sums(matrices: str, weight: str) -> Any:
    """Answer the number and a digest of the sufficient statistics, and of their example tables that are wrong."""
    law = joint(matrices, weight, "med")
    columns = ask(law, JOINT, "sums")
    signatures = list(zip(*([int(x) for x in columns[name]] for name in adapter.SUMS)))
    wrong = 0
    for (m, *pairs, _), example in zip(signatures, ask(law, JOINT, "examples")):
        ask(class_of(matrices), MEMBERS, "rank", example)
        table = tuple(map(tuple, example.tolist()))
        wrong += [plain.total(table) - plain.matched(table), *plain.pair_sums(table)[:3]] != [m, *pairs]
    return [*digest_of(map(str, signatures)), wrong]


def in_a_file(matrices: str, weight: str, statistic: str) -> Any:
    """Answer the points of a statistic of a distribution that was written to a file and read again."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "stored")
        ask(joint(matrices, weight, "med rd ard"), JOINT, "save", path)
        return of_points(DO.open(path, statistic))


def in_csv(matrices: str, weight: str, statistics: str) -> Any:
    with TemporaryDirectory() as folder:
        path = Path(folder, "points.csv")
        ask(joint(matrices, weight, statistics), JOINT, "csv", path)
        with path.open(newline="") as file:
            return digest_of(map(exact_values, csv.DictReader(file)))


def exact_values(row: dict[str, str]) -> str:
    """Return the exact values of a row of a CSV file and its count, such as "1/2,3,5".

    >>> exact_values({"rd": "0.5", "rd_num": "1", "rd_den": "2", "count": "5"})
    '1/2,5'
    """
    values = []
    for name in row:
        if f"{name}_den" in row:
            numerator, denominator = row[f"{name}_num"], row[f"{name}_den"]
            values.append(str(Fraction(int(numerator), int(denominator))) if denominator else "nan")
    return ",".join([*values, row["count"]])


# --- functions of a user --------------------------------------------------------------------------

FUNCTIONS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "first row": (lambda t: int(t[0].sum()), "none"),
    "first column": (lambda t: int(t[:, 0].sum()), "none"),
    "last row less first": (lambda t: int(t[-1].sum() - t[0].sum()), "none"),
    "corner": (lambda t: int(t[0, 0]), "none"),
    "weighted": (lambda t: sum((2 * i + 3 * j) * int(t[i, j]) for i, j in cells(t)), "none"),
    "largest cell": (lambda t: int(t.max()), "transposition"),
    "largest row": (lambda t: int(t.sum(axis=1).max()), "permutations"),
    "zeros": (lambda t: int((t == 0).sum()), "transposition"),
}
SQUARE_FUNCTIONS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "diagonal": (lambda t: int(t.trace()), "simultaneous"),
    "above less below": (lambda t: sum((j > i) - (j < i) for i, j in cells(t) if t[i, j]), "none"),
    "true class used least": (lambda t: int((t.sum(axis=1) - t.diagonal()).min()), "simultaneous"),
}
PREDICATES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "first row is not the smaller": (lambda t: bool(t[0].sum() >= t[-1].sum()), "none"),
    "first column is not the smaller": (lambda t: bool(t[:, 0].sum() >= t[:, -1].sum()), "none"),
    "corner is not alone": (lambda t: bool(t[0, 0] <= t.sum() - t[0, 0] + 1), "none"),
    "no cell exceeds four": (lambda t: bool(t.max() <= 4), "transposition"),
    "rows are no more unequal": (
        lambda t: bool(t.sum(axis=1).max() <= t.sum(axis=0).max() + 2),
        "permutations",
    ),
    "something": (lambda t: bool(t.sum() >= 1), "transposition"),
}


def cells(table: Any) -> Iterable[tuple[int, int]]:
    return ((i, j) for i in range(table.shape[0]) for j in range(table.shape[1]))


def function_points(matrices: str, weight: str, name: str) -> Any:
    function, symmetry = (FUNCTIONS | SQUARE_FUNCTIONS)[name]
    identifier = name.replace(" ", "_")
    law = DO.joint(class_of(matrices), [DO.statistic(identifier, function, symmetry)], weight)
    return [text(DO.exact_moments(DO.one(law, identifier))[0]), *of_points(law)]


def predicate(name: str, *classes: str) -> Any:
    test, symmetry = PREDICATES[name]
    return verdict(DO.predicate(name, test, symmetry), classes)


# --- extremes, checks, tests ----------------------------------------------------------------------


def extreme(matrices: str, end: str, statistic: str, condition: str = "") -> Any:
    """Answer the value, and all representatives of the tables that attain it."""
    search = {"largest": DO.largest, "least": DO.least}[end]
    result = search(class_of(matrices), statistic, condition or None)
    value, tables, proved, complete = (
        ask(result, RESULT, x) for x in ("value", "tables", "proved", "complete")
    )
    return [value, *sorted(map(text, tables)), f"{proved} {complete}"]


def verdict(statement: Any, classes: Iterable[str]) -> Any:
    """Answer the numbers of tables and of cases, or the smallest counterexample."""
    result = DO.check(statement, [class_of(name) for name in classes])
    if hasattr(result, RESULT["covered"]):
        return ["holds", ask(result, RESULT, "covered"), ask(result, RESULT, "cases")]
    matrices = ask(result, RESULT, "class")
    size = ask(matrices, MEMBERS, "n"), *ask(matrices, MEMBERS, "shape")
    return ["fails", size, ask(result, RESULT, "counterexample")]


def p_values(test: Any, *names: str) -> Any:
    return [ask(test, RESULT, name) for name in names]


def exact_test(table: str, name: str, side: str) -> Any:
    return p_values(DO.exact_test(matrix(table), name, side), "statistic", "p", "mid")


def additive_test(table: str, name: str, side: str) -> Any:
    cell = {"squares": lambda x, i, j: x * x, "moments": lambda x, i, j: (2 * i + j * j) * x}[name]
    return p_values(DO.additive(matrix(table), cell, side), "statistic", "p", "mid")


def permutation_test(table: str, side: str) -> Any:
    test = DO.permutation_test(matrix(table), side)
    return [*DO.p_values(test), *p_values(test, "mean", "variance")]


def soft_test(U: str, V: str, name: str) -> Any:
    return p_values(DO.soft_test(memberships(U), memberships(V), name), "statistic", "p")


# --- formulas -------------------------------------------------------------------------------------


def rational(expression: Any, **values: Fraction) -> Fraction:
    """Evaluate a SymPy expression at rational values of its symbols."""
    import sympy as sp

    by_name = {str(symbol): symbol for symbol in expression.free_symbols}
    at = {by_name[name]: sp.Rational(x) for name, x in values.items() if name in by_name}
    number = sp.simplify(expression.subs(at))
    if not number.is_Rational:
        raise ZeroDivisionError(f"{expression} at {values} is {number}")
    return Fraction(int(number.p), int(number.q))


def formula(name: str, shape: str, empty: str, at: str) -> Any:
    """Answer the values of formulas in n at a number, which need not be an integer."""
    expressions = adapter.FORMULAS[name](*integers(shape), empty == "empty")
    return [rational(expression, n=Fraction(at)) for expression in expressions.values()]


def generating_function(shape: str, x: str, y: str) -> Any:
    expressions = adapter.FORMULAS["med"](*integers(shape))
    return [rational(expression, x=Fraction(x), y=Fraction(y)) for expression in expressions.values()]


def limit_density(shape: str, at: str) -> Any:
    return rational(adapter.FORMULAS["density"](*integers(shape)), mu=Fraction(at))


KINDS: dict[str, Callable[..., Any]] = {
    "count": lambda name: ask(class_of(name), MEMBERS, "count"),
    "labelings": lambda name: ask(class_of(name), MEMBERS, "labelings_count"),
    "members": lambda name: digest_of(map(text, class_of(name))),
    "orbits": orbits,
    "unrank": unranked,
    "rank": lambda name, table: ask(class_of(name), MEMBERS, "rank", matrix(table)),
    "points": lambda *which: of_points(joint(*which)),
    "whole": lambda matrices, weight, names, what, name: quantity(what, one(matrices, weight, names, name)),
    "quantile": lambda *which: ask(one(*which[:-1]), NUMBERS, "quantile", which[-1]),
    "cdf": lambda *which: ask(one(*which[:-1]), NUMBERS, "cdf", which[-1]),
    "cdf at quantile": cdf_at_quantile,
    "probability": lambda *which: ask(joint(*which[:-1]), JOINT, "probability", which[-1]),
    "given": conditional,
    "points given": conditional_points,
    "groups": groups,
    "attained": attained,
    "sums": sums,
    "file": in_a_file,
    "csv": in_csv,
    "function": function_points,
    "predicate": predicate,
    "extreme": extreme,
    "check": lambda statement, *classes: verdict(statement, classes),
    "index": lambda name, table: DO.index(name, matrix(table)),
    "labels": lambda name, a, b: DO.index_of_labels(name, integers(a), integers(b)),
    "exact test": exact_test,
    "additive test": additive_test,
    "permutation test": permutation_test,
    "pair tail": lambda rows, cols, pairs: DO.pair_tail(integers(rows), integers(cols), int(pairs)),
    "soft": lambda U, V, name: soft_test(U, V, name)[0],
    "soft p": soft_test,
    "soft moments": lambda U, V, name: DO.soft_moments(memberships(U), memberships(V), name),
    "soft adjusted": lambda U, V, name: DO.soft_adjusted(memberships(U), memberships(V), name),
    "formula": formula,
    "generating function": generating_function,
    "density": limit_density,
    "counts": lambda name, sizes: adapter.COUNTS[name](*integers(sizes)),
} | trials.KINDS
