"""Which claims an unknown function keeps on everything small, and a test file that says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from confmat.indices.pairs import PairSums
from confmat.matrices.arguments import as_choice, as_count
from confmat.statistics import STATISTICS
from confmat.testing.claims import Wishes, are_equal, is_number, shown
from confmat.testing.contracts import contract
from confmat.testing.kinds import is_diagonal, small_tables
from confmat.testing.small import spelled_out

# Values are the same up to this, as in a contract.
_TOLERANCE = 1e-9

_TEST = '''"""The contract of {function}, as `confmat contract --infer` found it on everything of up to {n} objects."""

from confmat.testing import contract
from {module} import {function}


def test_{function}_keeps_its_contract():
    contract({function}, {arguments}).check()
'''


@dataclass(frozen=True)
class Inferred:
    """What a function keeps on all small cases: a description, no proof.

    ``claims``: arguments of `contract` that it keeps; ``least`` and ``largest``: its values there, each with a table
    that has it; ``of_pairs``: whether it is a function of (n, A, B, P), the pair counts; ``equals``: short names
    of statistics that have the same values.
    """

    name: str
    n: int
    claims: dict[str, Any]
    least: tuple[Any, Any]
    largest: tuple[Any, Any]
    of_pairs: bool
    equals: tuple[str, ...]

    def __str__(self) -> str:
        """A line for each.

        >>> from confmat import rd
        >>> print(infer(rd, n=4))
        rand_distance on everything of up to 4 objects:
        keeps symmetric=True, identity=0.0, metric=True, refinement=True
        values from 0.0, as at [[1]], to 1.0, as at [[1, 1]]
        is a function of n, A, B, P: yes
        equals: rd
        """
        claims = ", ".join(f"{key}={value!r}" for key, value in self.claims.items()) or "no claim"
        ends = [f"{value}, as at {case}" for value, case in (self.least, self.largest)]
        return "\n".join(
            [
                f"{self.name} on everything of up to {self.n} objects:",
                f"keeps {claims}",
                f"values from {ends[0]}, to {ends[1]}",
                f"is a function of n, A, B, P: {'yes' if self.of_pairs else 'no'}",
                f"equals: {', '.join(self.equals) or 'none of confmat statistics'}",
            ]
        )

    def as_test(self, module: str, function: str) -> str:
        """A test file with the contract that was found, for a function of a module.

        >>> from confmat import rd
        >>> print(infer(rd, n=3).as_test("confmat", "rd").splitlines()[-1].strip())
        contract(rd, symmetric=True, identity=0.0, metric=True, refinement=True, bounds=(0.0, 1.0)).check()
        """
        bounds = self.least[0], self.largest[0]
        claims = {**self.claims, "bounds": bounds} if self.claims else {"bounds": bounds}
        arguments = ", ".join(f"{key}={value!r}" for key, value in claims.items())
        return _TEST.format(module=module, function=function, arguments=arguments, n=self.n)


def infer(index: Callable[..., Any], *, takes: str = "table", n: int = 5) -> Inferred:
    """Try every claim on everything of up to n objects: what the function keeps, its range, what it is equal to.

    ``takes`` is "table" or "labels".  Exceptions and nan count as undefined.  A function whose value the order of
    clusters changes is taken for a metric of a classifier.  Raises ValueError where it has no value at all.

    >>> found = infer(lambda table: 1 - table.max() / table.sum(), n=4)
    >>> found.claims, found.largest[1], found.equals
    ({'symmetric': True}, '[[1, 1], [1, 1]]', ())
    """
    as_choice("takes", takes, ("table", "labels"))
    n = as_count("n", n, 1)
    if not callable(index):
        raise TypeError(f"index must be a function, got {index!r}")
    options: dict[str, Any] = {"takes": takes, "n": n, "every": min(n, 4), "examples": 1, "max_objects": n}
    options["undefined"] = (Exception, float("nan"))
    plain = contract(index, **options)
    classifier = bool({"order", "names"} & set(plain.broken))
    values = _values(index, takes, n, classifier)
    if not values:
        raise ValueError(f"index must have a value on some table of up to {n} objects, got none")
    same = is_diagonal if classifier else are_equal
    equal = {value for table, value in values if same(table)}
    identity = equal.pop() if len(equal) == 1 else None
    wanted: dict[str, Any] = {"classifier": True} if classifier else {}
    wanted |= {"symmetric": True} | ({} if identity is None else {"identity": identity})
    wanted |= {"metric": True} if identity == 0 and not classifier else {}
    wanted |= {"refinement": True} if identity is not None and not classifier else {}
    broken = contract(index, **options, **wanted).broken
    names = {
        "symmetry": "symmetric",
        "triangle inequality": "metric",
        "refinement": "refinement",
        "identity": "identity",
    }
    lost = {names[claim] for claim in broken if claim in names} | (
        {"metric"} if "identity" in broken else set()
    )
    lost |= {"refinement"} if "identity" in lost else set()
    claims = {key: value for key, value in wanted.items() if key not in lost}
    claims |= {"symmetric": False} if "symmetric" in lost and not classifier else {}
    if takes != "table":
        claims = {"takes": takes, **claims}
    by_value = sorted(values, key=lambda pair: pair[1])
    ends = [
        (value, shown(table))
        for table, value in (by_value[0], next(x for x in values if x[1] == by_value[-1][1]))
    ]
    return Inferred(
        getattr(index, "__name__", "the index"),
        n,
        claims,
        ends[0],
        ends[1],
        _of_pairs(values),
        _equals(values),
    )


def _values(index: Callable[..., Any], takes: str, n: int, classifier: bool) -> list[tuple[np.ndarray, Any]]:
    """One table of each orbit with its value, where it has one."""
    found = []
    for table in small_tables(Wishes(n, 0, 1, n, 2 * n, False), classifier, representatives=True):
        arguments = [list(side) for side in spelled_out(table)] if takes == "labels" else [table.copy()]
        try:
            value = index(*arguments)
        except Exception:
            continue
        if is_number(value) and value == value:
            found.append((table, value))
    return found


def _of_pairs(values: list[tuple[np.ndarray, Any]]) -> bool:
    known: dict[PairSums, Any] = {}
    return all(abs(known.setdefault(PairSums.of(table), x) - x) <= _TOLERANCE for table, x in values)


def _equals(values: list[tuple[np.ndarray, Any]]) -> tuple[str, ...]:
    """The statistics with these values, wherever both have one, and they have one at all."""

    def value_of(statistic: Any, table: np.ndarray) -> float:
        try:
            return float(statistic(table))
        except ValueError:  # of a table that is not square, or too small
            return float("nan")

    def agrees(statistic: Any) -> bool:
        pairs = [(x, value_of(statistic, table)) for table, x in values]
        return any(y == y for _, y in pairs) and all(y != y or abs(x - y) <= _TOLERANCE for x, y in pairs)

    return tuple(name for name, statistic in STATISTICS.items() if agrees(statistic))
