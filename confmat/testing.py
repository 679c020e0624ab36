"""A contract for indices that compare two clusterings: `check_index` runs what an index claims.

Each claim is a property of generated tables or labelings; the error shows the smallest example that Hypothesis
finds against it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import numpy as np
from hypothesis import find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy

from confmat.indices.soft import one_hot
from confmat.labels import contingency
from confmat.strategies import labeling_pairs, labelings, partitions, symmetries, tables

__all__ = ["ContractError", "check_index"]

# Replicas of every object where values are compared with their limit for infinitely many.
_REPLICAS = 10**6
_LIMIT_SLACK = 1e-4


class ContractError(AssertionError):
    """An index breaks a claim: ``claim`` is its name, ``example`` the smallest counterexample found."""

    def __init__(self, claim: str, example: Any, found: str) -> None:
        super().__init__(f"{claim} fails: {found}")
        self.claim = claim
        self.example = example


def check_index(
    index: Callable[..., Any],
    *,
    takes: str = "table",
    symmetric: bool = True,
    metric: bool = False,
    bounds: tuple[Any, Any] | None = None,
    identity: Any = None,
    refinement: bool = False,
    other_input: Callable[..., Any] | None = None,
    limit: Callable[..., Any] | None = None,
    soft: Callable[..., Any] | None = None,
    undefined: tuple[type[Exception], ...] = (),
    tolerance: float = 1e-9,
    max_examples: int = 100,
    seed: int = 0,
) -> tuple[str, ...]:
    """Check the claims of an index of two clusterings; return their names, raise ContractError at the first broken.

    ``index`` is called with a contingency table (an int64 array), or with two lists of labels if ``takes`` is
    "labels".  It may be anyone's.  Always checked: the order of rows and columns does not matter (of labels: the
    order of the objects, and the names), and the input is left as it was.  Claims by argument:

    - ``symmetric``: the same value with the two clusterings exchanged.
    - ``metric``: 0 exactly for equal clusterings, and the triangle inequality (sets ``identity=0``).
    - ``bounds=(low, high)``: no value beyond; None for an open side.
    - ``identity``: the value of equal clusterings, and of no others.
    - ``refinement``: the value moves away from ``identity``, or stays, where one refines the other further.
    - ``other_input``: the same index for the other kind of input (labels or a table).
    - ``limit``: its value, from a table, for infinitely many replicas of each object; compared with the index of
      10^6 times the table (up to 10^-4).
    - ``soft``: its version for memberships, called with two one-hot matrices.

    An exception in ``undefined`` means that the index has no value there: such examples pass.  Any other one is
    a fault, and so is a NaN where a claim needs a number.  Values may differ by ``tolerance``.  Each claim takes
    about ``max_examples`` calls or a few more, the same ones for the same ``seed``.

    >>> from sklearn.metrics import adjusted_rand_score
    >>> check_index(adjusted_rand_score, takes="labels", bounds=(-0.5, 1), identity=1, refinement=True)
    ('order', 'names', 'symmetry', 'bounds', 'identity', 'refinement')
    >>> from confmat.indices.partition import adjusted_rand_distance, med
    >>> check_index(med, metric=True, bounds=(0, 1), refinement=True, limit=med)
    ('order', 'symmetry', 'bounds', 'identity', 'triangle inequality', 'refinement', 'limit')
    >>> check_index(lambda table: table.trace() / table.sum())  # the accuracy
    Traceback (most recent call last):
    ...
    confmat.testing.ContractError: order fails: [[1, 0], [0, 1]] has 1.0, [[0, 1], [1, 0]] has 0.0
    """
    if takes not in ("table", "labels"):
        raise ValueError(f'takes must be "table" or "labels", got {takes!r}')
    if refinement and identity is None and not metric:
        raise ValueError("refinement needs identity, the value of equal clusterings, got None")
    if limit is not None and takes == "labels":
        raise ValueError('limit needs an index that takes="table", got takes="labels"')
    if metric:
        identity = 0 if identity is None else identity
    subject = (_OfTables if takes == "table" else _OfLabels)(index, undefined, tolerance)
    claims = subject.order()
    claims += [subject.symmetry()] if symmetric else []
    claims += [subject.bounds(*bounds)] if bounds is not None else []
    claims += [subject.identity(identity)] if identity is not None else []
    claims += [subject.triangle()] if metric else []
    claims += [subject.refinement(identity)] if refinement else []
    claims += [subject.other_input(other_input)] if other_input is not None else []
    claims += [subject.limit(limit)] if limit is not None else []
    claims += [subject.soft(soft)] if soft is not None else []
    for claim in claims:
        _check(claim, max_examples, seed)
    return tuple(claim.name for claim in claims)


# --- claims ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Claim:
    """A property: its name, the examples it speaks of, and what is wrong with one of them, None if nothing is."""

    name: str
    examples: SearchStrategy[Any]
    fault: Callable[[Any], str | None]


def _check(claim: _Claim, max_examples: int, seed: int) -> None:
    options = settings(max_examples=max_examples, database=None, deadline=None)
    try:
        example = find(
            claim.examples, lambda x: claim.fault(x) is not None, settings=options, random=Random(seed)
        )
    except NoSuchExample:
        return
    raise ContractError(claim.name, example, claim.fault(example) or f"at times, for {_shown(example)}")


@dataclass(frozen=True)
class _Subject(ABC):
    """An index and its claims; a *case* is what it is called with, a table or a pair of labelings."""

    index: Callable[..., Any]
    undefined: tuple[type[Exception], ...]
    tolerance: float

    cases: ClassVar[SearchStrategy[Any]]
    equal_cases: ClassVar[SearchStrategy[Any]]

    @abstractmethod
    def call(self, function: Callable[..., Any], case: Any) -> Any:
        """A function of such a case."""

    @abstractmethod
    def table(self, case: Any) -> np.ndarray:
        """The contingency table of a case."""

    @abstractmethod
    def case_of_labels(self, a: list[int], b: list[int]) -> Any:
        """The case that two labelings make."""

    @abstractmethod
    def exchanged(self, case: Any) -> Any:
        """The case with its two clusterings exchanged."""

    @abstractmethod
    def order(self) -> list[_Claim]:
        """The index does not depend on what clusterings do not have: an order, names."""

    @abstractmethod
    def other_input(self, other: Callable[..., Any]) -> _Claim:
        """The index and its version for the other kind of input agree."""

    def value(self, case: Any) -> Any:
        """The index of a case, which must not be changed by it."""
        given = deepcopy(case)
        value = self.call(self.index, given)
        if _shown(given) != _shown(case):
            raise ValueError(f"the index changed {_shown(case)} to {_shown(given)}")
        return value

    def claim(self, name: str, examples: SearchStrategy[Any], fault: Callable[[Any], str | None]) -> _Claim:
        """A claim about which an exception is a fault too, unless it says that the index is undefined."""

        def guarded(example: Any) -> str | None:
            try:
                return fault(example)
            except self.undefined:
                return None
            except Exception as error:
                return f"{_shown(example)} raises {type(error).__name__}: {error}"

        return _Claim(name, examples, guarded)

    def agree(self, x: Any, y: Any) -> bool:
        """Whether two values are the same, up to the tolerance."""
        return bool(x == y or (x != x and y != y) or abs(x - y) <= self.tolerance)

    def compare(self, case: Any, other: Any) -> str | None:
        """The fault when two cases have different values."""
        x, y = self.value(case), self.value(other)
        return None if self.agree(x, y) else f"{_shown(case)} has {x}, {_shown(other)} has {y}"

    def expect(self, case: Any, expected: Any, what: str, slack: float) -> str | None:
        """The fault when a case does not have the value that another function gives it."""
        x = self.value(case)
        close = x == expected or abs(x - expected) <= slack
        return None if close else f"{_shown(case)} has {x}, but {what} is {expected}"

    def symmetry(self) -> _Claim:
        return self.claim("symmetry", self.cases, lambda case: self.compare(case, self.exchanged(case)))

    def bounds(self, low: Any, high: Any) -> _Claim:
        def fault(case: Any) -> str | None:
            x = self.value(case)
            above = low is None or x >= low - self.tolerance
            below = high is None or x <= high + self.tolerance
            inside = x == x and above and below
            return None if inside else f"{_shown(case)} has {x}, which is not between {low} and {high}"

        return self.claim("bounds", self.cases | self.equal_cases, fault)

    def identity(self, identity: Any) -> _Claim:
        def fault(case: Any) -> str | None:
            x = self.value(case)
            table = self.table(case)
            equal = max(np.count_nonzero(table, axis=0)) == max(np.count_nonzero(table, axis=1)) == 1
            if self.agree(x, identity) == equal:
                return None
            kind = "equal" if equal else "different"
            return f"{_shown(case)}, {kind} clusterings, has {x}, and equal ones should have {identity}"

        return self.claim("identity", self.cases | self.equal_cases, fault)

    def triangle(self) -> _Claim:
        def fault(three: tuple[list[int], list[int], list[int]]) -> str | None:
            a, b, c = three
            ac, ab, bc = (self.value(self.case_of_labels(*pair)) for pair in ((a, c), (a, b), (b, c)))
            if ac <= ab + bc + self.tolerance:
                return None
            return f"{a} and {c} are at {ac}, with {b} between them at {ab} and {bc}"

        return self.claim("triangle inequality", _triples, fault)

    def refinement(self, identity: Any) -> _Claim:
        def fault(chain: tuple[list[int], list[int], list[int]]) -> str | None:
            coarse, middle, fine = chain
            x, y = (self.value(self.case_of_labels(coarse, labels)) for labels in (middle, fine))
            if abs(y - identity) >= abs(x - identity) - self.tolerance:
                return None
            return f"{coarse} has {x} against {middle}, but {y} against its refinement {fine}"

        return self.claim("refinement", _chains(), fault)

    def limit(self, limit: Callable[..., Any]) -> _Claim:
        def fault(case: Any) -> str | None:
            return self.expect(case * _REPLICAS, limit(case), f"the limit from {_shown(case)}", _LIMIT_SLACK)

        return self.claim("limit", self.cases, fault)

    def soft(self, soft: Callable[..., Any]) -> _Claim:
        def fault(pair: tuple[list[int], list[int]]) -> str | None:
            crisp = [one_hot("labels", labels) for labels in pair]
            return self.expect(self.case_of_labels(*pair), soft(*crisp), "its soft version", self.tolerance)

        return self.claim("soft", labeling_pairs(), fault)


class _OfTables(_Subject):
    cases = tables()
    equal_cases = partitions().map(np.diag)

    def call(self, function: Callable[..., Any], case: np.ndarray) -> Any:
        return function(case)

    def table(self, case: np.ndarray) -> np.ndarray:
        return case

    def case_of_labels(self, a: list[int], b: list[int]) -> np.ndarray:
        return np.asarray(contingency(a, b, sparse=False))

    def exchanged(self, case: np.ndarray) -> np.ndarray:
        return case.T

    def order(self) -> list[_Claim]:
        def moved(table: np.ndarray) -> SearchStrategy[Any]:
            return st.tuples(st.just(table), symmetries(table.shape, transpose=False))

        return [self.claim("order", self.cases.flatmap(moved), lambda x: self.compare(x[0], x[1](x[0])))]

    def other_input(self, other: Callable[..., Any]) -> _Claim:
        def fault(pair: tuple[list[int], list[int]]) -> str | None:
            expected = other(*pair)
            return self.expect(
                self.case_of_labels(*pair), expected, f"that of the labels {_shown(pair)}", self.tolerance
            )

        return self.claim("other input", labeling_pairs(), fault)


class _OfLabels(_Subject):
    cases = labeling_pairs()
    equal_cases = labelings().map(lambda labels: (labels, list(labels)))

    def call(self, function: Callable[..., Any], case: tuple[list[Any], list[Any]]) -> Any:
        return function(*case)

    def table(self, case: tuple[list[Any], list[Any]]) -> np.ndarray:
        return np.asarray(contingency(*case, sparse=False))

    def case_of_labels(self, a: list[int], b: list[int]) -> tuple[list[int], list[int]]:
        return a, b

    def exchanged(self, case: tuple[list[Any], list[Any]]) -> tuple[list[Any], list[Any]]:
        return case[::-1]

    def order(self) -> list[_Claim]:
        def reordered(pair: tuple[list[int], list[int]]) -> SearchStrategy[Any]:
            return st.tuples(st.just(pair), st.permutations(range(len(pair[0]))))

        def renamed(pair: tuple[list[int], list[int]]) -> SearchStrategy[Any]:
            return st.tuples(st.just(pair), *(st.permutations("abcdefgh"[: max(x) + 1]) for x in pair))

        def order_fault(example: Any) -> str | None:
            pair, order = example
            return self.compare(pair, tuple([labels[i] for i in order] for labels in pair))

        def names_fault(example: Any) -> str | None:
            pair, *names = example
            return self.compare(pair, tuple([name[x] for x in labels] for labels, name in zip(pair, names)))

        return [
            self.claim("order", self.cases.flatmap(reordered), order_fault),
            self.claim("names", self.cases.flatmap(renamed), names_fault),
        ]

    def other_input(self, other: Callable[..., Any]) -> _Claim:
        def fault(pair: tuple[list[int], list[int]]) -> str | None:
            table = self.table(pair)
            return self.expect(pair, other(table), f"that of the table {_shown(table)}", self.tolerance)

        return self.claim("other input", labeling_pairs(), fault)


# --- examples -------------------------------------------------------------------------------------


@st.composite
def _chains(draw: Callable[[SearchStrategy[Any]], Any]) -> tuple[list[int], list[int], list[int]]:
    """Three labelings, each refined by the next."""
    fine = draw(labelings())
    merge = draw(labelings(n=max(fine) + 1))
    merge_again = draw(labelings(n=max(merge) + 1))
    middle = [merge[label] for label in fine]
    return [merge_again[label] for label in middle], middle, fine


# Three labelings, object by object, so that an object can be left out as a whole.
_triples = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=8).map(
    lambda objects: tuple(list(labels) for labels in zip(*objects))
)


def _shown(example: Any) -> str:
    return str(example.tolist() if isinstance(example, np.ndarray) else example)
