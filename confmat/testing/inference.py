"""Which claims an unknown function keeps on everything small, and a test file that says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import isfinite, nan
from numbers import Rational
from typing import Any

import numpy as np

from confmat.answers import Answer, Part, Verbatim
from confmat.arguments import as_choice, as_count
from confmat.indices.pairs import PairSums
from confmat.plans import telling
from confmat.statistics import STATISTICS
from confmat.testing.claims import Wishes, are_equal, is_number, shown
from confmat.testing.contracts import TRIED, contract
from confmat.testing.indexed import as_indexed
from confmat.testing.invariants import INVARIANTS, value_of
from confmat.testing.kinds import is_diagonal, small_tables
from confmat.testing.small import MOST_LISTED, admit_small, spelled_out

# Values are the same up to this, as in a contract; a float is a fraction if one with such a denominator rounds to it.
_TOLERANCE_OF_VALUES = 1e-9
_DENOMINATOR = 10**4
# Examples of all claims, once few of them and once as in the test.
_EXAMPLES_DRAWN = 8 * 22

_TEST = '''"""The contract of {function}, as `confmat contract --infer` found it on everything of up to {n} objects."""
{imports}
from confmat.testing import contract
from {module} import {function}


def test_{function}_keeps_its_contract():
    contract(
        {function},
        {arguments},
    ).check()
'''

# The argument of `contract` that makes a claim.
_MADE_BY = {
    "symmetry": "symmetric",
    "bounds": "bounds",
    "identity": "identity",
    "triangle inequality": "metric",
    "refinement": "refinement",
}


@dataclass(frozen=True, repr=False)
class Inferred(Answer):
    """What a function keeps on all small cases, and on random ones: a description, no proof.

    ``claims``: arguments of `contract` that it keeps; ``least`` and ``largest``: its values on small cases, fractions
    where they are, each with a table that has it (they are claimed as bounds if n - 1 objects have them, too);
    ``of_pairs``: whether it is a function of (n, A, B, P), the pair counts; ``equals``: statistics, and distances
    made of them such as "1 - jaccard", with the same values; ``broken``: what every index must keep, and this one does
    not ("value", "order", "names").
    """

    name: str
    n: int
    claims: dict[str, Any]
    least: tuple[Any, str]
    largest: tuple[Any, str]
    of_pairs: bool
    equals: tuple[str, ...]
    broken: tuple[str, ...]

    def parts(self) -> Iterator[Part]:
        """A line for each.

        >>> from confmat import rd
        >>> print(infer(rd, n=4))
        rand_distance on everything of up to 4 objects:
        keeps symmetric=True, bounds=(0, 1), identity=0, metric=True, refinement=True
        values from 0, as at [[1]], to 1, as at [[1, 1]]
        is a function of n, A, B, P: yes, up to 4 objects
        equals: rd, up to 4 objects
        """
        ends = [f"{value}, as at {case}" for value, case in (self.least, self.largest)]
        lines = [
            f"{self.name} on everything of up to {self.n} objects:",
            f"keeps {', '.join(_arguments(self.claims)) or 'no claim'}",
            f"values from {ends[0]}, to {ends[1]}",
            f"is a function of n, A, B, P: {f'yes, up to {self.n} objects' if self.of_pairs else 'no'}",
            f"equals: {', '.join(self.equals)}, up to {self.n} objects"
            if self.equals
            else "equals: none of confmat statistics",
        ]
        yield from map(Verbatim, lines)
        if self.broken:
            yield Verbatim(f"breaks {', '.join(self.broken)}")

    def as_test(self, module: str, function: str) -> str:
        """A test file with the contract that was found, for a function of a module; it passes.

        Raises ValueError where what every index must keep is broken.

        >>> from confmat import med
        >>> print(" ".join(infer(med, n=3).as_test("confmat", "med").split()[-6:]))
        bounds=(0, None), identity=0, metric=True, refinement=True, ).check()
        """
        if self.broken:
            raise ValueError(f"{function} must keep {' and '.join(self.broken)} for a test of its contract")
        arguments = ",\n        ".join(_arguments({**_effort(self.n), **self.claims}))
        imports = {"Fraction(": "from fractions import Fraction\n", "nan": "from math import nan\n"}
        import_lines = "".join(line for word, line in imports.items() if word in arguments)
        return _TEST.format(
            module=module,
            function=function,
            arguments=arguments,
            n=self.n,
            imports=import_lines and "\n" + import_lines,
        )


@telling
def infer(index: Callable[..., Any] | str, *, takes: str = "table", n: int = 5) -> Inferred:
    """Try every claim on everything of up to n objects, and at random: what is kept, the range, what it is equal to.

    ``takes`` is "table" or "labels".  Exceptions and nan count as undefined.  A function whose value the order of
    clusters changes is taken for a metric of a classifier.  Raises ValueError where it has no value at all and for an
    ``n`` beyond 11, TooLarge before any call where it takes more than the budget.

    >>> found = infer(lambda table: 1 - table.max() / table.sum(), n=4)
    >>> found.claims, found.largest, found.equals
    ({'symmetric': True, 'bounds': (0, None)}, (Fraction(3, 4), '[[1, 1], [1, 1]]'), ())
    """
    as_choice("takes", takes, ("table", "labels"))
    n = as_count("n", n, 1, MOST_LISTED)
    index, name, _ = as_indexed(index)
    if not callable(index):
        raise TypeError(f"index must be a function, got {index!r}")
    options = _effort(n)
    admit_small(
        "every claim",
        n,
        options["every"],
        seconds=_EXAMPLES_DRAWN * TRIED,
    )
    claims: dict[str, Any] = {} if takes == "table" else {"takes": takes}
    options_of_one_example = {**options, "examples": 1, "max_n": n}
    anything = contract(
        index, **options_of_one_example, **claims, undefined=(Exception, nan), symmetric=False
    )
    classifier = any(x.claim in ("order", "names") and x.status == "broken" for x in anything.findings)
    values, undefined_values = _values(index, takes, n, classifier)
    if not values:
        raise ValueError(f"index must have a value on some table of up to {n} objects, got none")
    values_of_smaller = [value for table, value in values if table.sum() < n]
    ends = []
    bounds = []
    for end in (min, max):
        table, value = end(values, key=lambda pair: pair[1])
        exact_value = _exact(value)
        ends.append((exact_value, shown(table)))
        # An end that moves from n - 1 to n objects is no bound.
        stays = values_of_smaller and exact_value == _exact(end(values_of_smaller))
        bounds.append(exact_value if stays else None)
    if undefined_values:
        claims["undefined"] = undefined_values
    if classifier:
        claims["classifier"] = True
    claims["symmetric"] = True
    if bounds != [None, None]:
        claims["bounds"] = tuple(bounds)
    is_perfect = is_diagonal if classifier else are_equal
    equal = [value for table, value in values if is_perfect(table)]
    if equal and max(equal) - min(equal) <= _TOLERANCE_OF_VALUES:
        claims["identity"] = _exact(equal[0])
        if not classifier:
            if claims["identity"] == 0:
                claims["metric"] = True
            claims["refinement"] = True
    claims, _ = _claims_kept(index, options_of_one_example, claims)
    claims, broken = _claims_kept(index, options, claims)
    return Inferred(
        name,
        n,
        claims,
        ends[0],
        ends[1],
        _of_pairs(values),
        _equals(values),
        broken,
    )


def _claims_kept(
    index: Callable[..., Any], options: dict[str, Any], claims: dict[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The claims without those that are broken; and the names of other broken ones, which no argument makes."""
    broken = contract(index, **options, **claims).broken
    lost = {_MADE_BY[claim] for claim in broken if claim in _MADE_BY}
    if not lost:
        return claims, tuple(broken)
    lost |= {"metric", "refinement"} if "identity" in lost else set()
    claims_left = {key: value for key, value in claims.items() if key not in lost}
    if "symmetric" in lost and "classifier" not in claims:
        claims_left["symmetric"] = False
    return _claims_kept(index, options, claims_left)


def _effort(n: int) -> dict[str, Any]:
    """What is looked at, here and in the test: less than a contract does by itself."""
    return {"n": n, "every": min(n, 4), "examples": 20}


def _exact(value: Any) -> Any:
    """The number as a whole one or a fraction, if it is one, or the nearest double of a simple one.

    >>> _exact(0.6666666666666666), _exact(np.float64(1)), _exact(2**0.5)
    (Fraction(2, 3), 1, 1.4142135623730951)
    """
    if isinstance(value, Rational):
        fraction = Fraction(int(value.numerator), int(value.denominator))
    else:
        fraction = Fraction(float(value)).limit_denominator(_DENOMINATOR)
        if float(fraction) != value:
            return float(value)
    if fraction.denominator == 1:
        return int(fraction)
    return fraction


def _arguments(claims: dict[str, Any]) -> list[str]:
    """Arguments as they are written in Python.

    >>> _arguments({"undefined": (ValueError, nan), "bounds": (Fraction(1, 2), None)})
    ['undefined=(ValueError, nan)', 'bounds=(Fraction(1, 2), None)']
    """

    def source(value: Any) -> str:
        if isinstance(value, tuple):
            return f"({''.join(f'{source(x)}, ' for x in value)[: -1 - (len(value) > 1)]})"
        if isinstance(value, type):
            return value.__name__
        return repr(value)

    return [f"{key}={source(value)}" for key, value in claims.items()]


def _values(
    index: Callable[..., Any], takes: str, n: int, classifier: bool
) -> tuple[list[tuple[np.ndarray, Any]], tuple[Any, ...]]:
    """One table of each orbit with its value, where it has one; and what came where it has none."""
    values_found: list[tuple[np.ndarray, Any]] = []
    missing: dict[Any, None] = {}
    for table in small_tables(Wishes(n, 0, 1, n, 2 * n, False), classifier, representatives=True):
        arguments = [list(side) for side in spelled_out(table)] if takes == "labels" else [table.copy()]
        try:
            value = index(*arguments)
        except Exception as error:
            # The nearest class that a test knows without an import.
            missing[next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")] = None
            continue
        if is_number(value) and isfinite(value):
            values_found.append((table, value))
        elif is_number(value) and value != value:
            missing[nan] = None
    return values_found, tuple(missing)


def _of_pairs(values: list[tuple[np.ndarray, Any]]) -> bool:
    value_of_sums: dict[PairSums, Any] = {}
    return all(
        abs(value_of_sums.setdefault(PairSums.of(table), x) - x) <= _TOLERANCE_OF_VALUES
        for table, x in values
    )


def _equals(values: list[tuple[np.ndarray, Any]]) -> tuple[str, ...]:
    """The statistics, and what the invariants make of some, with these values wherever both have one, if ever."""

    def double_at(statistic: Any, table: np.ndarray) -> float:
        try:
            return float(statistic(table))
        except ValueError:  # of a table that is not square, or too small
            return float("nan")

    def agrees(statistic: Any) -> bool:
        values_told = 0
        for table, x in values:  # the first that differs settles it
            y = double_at(statistic, table)
            if abs(x - y) > _TOLERANCE_OF_VALUES:
                return False
            values_told += y == y
        return values_told > 0

    invariants = {text: partial(value_of, text) for text in INVARIANTS if text not in STATISTICS}
    return tuple(
        name for name, one_statistic in {**STATISTICS, **invariants}.items() if agrees(one_statistic)
    )
