"""The claims of ``check_index``: of what examples each speaks, and what is wrong with one of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat.indices.soft import one_hot
from confmat.matrices.labels import contingency
from confmat.testing.draws import draw_partition, draw_table
from confmat.testing.strategies import labeling_pairs, labelings, symmetries

# Replicas of every object where values are compared with their limit for infinitely many.
_REPLICAS = 10**6
_LIMIT_SLACK = 1e-4

# Tables of small cells, then large ones: sought apart, small examples first.
_SIZES = ("small", "ones"), ("large",)


class NotAValueError(Exception):
    """What a function returned cannot be judged: a fault of its own, even where the index may be undefined."""


@dataclass(frozen=True)
class Claim:
    """A property: its name, the examples it speaks of, and what is wrong with one of them, None if nothing is."""

    name: str
    examples: Sequence[SearchStrategy[Any]]
    fault: Callable[[Any], str | None]


@dataclass(frozen=True)
class Subject(ABC):
    """An index and its claims; a *case* is what it is called with, a table or a pair of labelings."""

    index: Callable[..., Any]
    undefined: tuple[type[Exception], ...]
    tolerance: float
    largest: int

    @property
    @abstractmethod
    def cases(self) -> Sequence[SearchStrategy[Any]]:
        """Cases: small ones, then large ones if the index takes them."""

    @property
    @abstractmethod
    def equal_cases(self) -> Sequence[SearchStrategy[Any]]:
        """The same of two equal clusterings."""

    @property
    def all_cases(self) -> list[SearchStrategy[Any]]:
        return [case | equal for case, equal in zip(self.cases, self.equal_cases)]

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
    def order(self) -> list[Claim]:
        """The index does not depend on what clusterings do not have: an order, names."""

    @abstractmethod
    def other_input(self, other: Callable[..., Any]) -> Claim:
        """The index and its version for the other kind of input agree."""

    def value(self, case: Any) -> Any:
        """The index of a case, which must not be changed by it."""
        given = deepcopy(case)
        value = self.call(self.index, given)
        if shown(given) != shown(case):
            raise NotAValueError(f"the index changed {shown(case)} to {shown(given)}")
        if not is_number(value):
            raise NotAValueError(f"{shown(case)} has {value!r}, which is not a real number")
        return value

    def claim(
        self, name: str, examples: Sequence[SearchStrategy[Any]], fault: Callable[[Any], str | None]
    ) -> Claim:
        """A claim about which an exception is a fault too, unless it says that the index is undefined."""

        def guarded(example: Any) -> str | None:
            try:
                return fault(example)
            except NotAValueError as error:
                return str(error)
            except self.undefined:
                return None
            except Exception as error:
                return f"{shown(example)} raises {type(error).__name__}: {error}"

        return Claim(name, examples, guarded)

    def agree(self, x: Any, y: Any) -> bool:
        """Whether two values are the same, up to the tolerance: of large values, a share of them."""
        close = abs(x - y) <= self.tolerance * max(1, abs(x), abs(y))
        return bool(x == y or (x != x and y != y) or close)

    def compare(self, case: Any, other: Any) -> str | None:
        """The fault when two cases have different values."""
        x, y = self.value(case), self.value(other)
        return None if self.agree(x, y) else f"{shown(case)} has {x}, {shown(other)} has {y}"

    def expect(self, case: Any, expected: Any, what: str, slack: float) -> str | None:
        """The fault when a case does not have the value that another function gives it."""
        if not is_number(expected):
            raise NotAValueError(f"{what}, beside {shown(case)}, is {expected!r}, which is not a real number")
        x = self.value(case)
        close = x == expected or abs(x - expected) <= slack * max(1, abs(x), abs(expected))
        return None if close else f"{shown(case)} has {x}, but {what} is {expected}"

    def symmetry(self) -> Claim:
        return self.claim("symmetry", self.cases, lambda case: self.compare(case, self.exchanged(case)))

    def bounds(self, low: Any, high: Any) -> Claim:
        def fault(case: Any) -> str | None:
            x = self.value(case)
            above = low is None or x >= low - self.tolerance
            below = high is None or x <= high + self.tolerance
            inside = x == x and above and below
            return None if inside else f"{shown(case)} has {x}, which is not between {low} and {high}"

        return self.claim("bounds", self.all_cases, fault)

    def identity(self, identity: Any) -> Claim:
        def fault(case: Any) -> str | None:
            x = self.value(case)
            table = self.table(case)
            equal = max(np.count_nonzero(table, axis=0)) == max(np.count_nonzero(table, axis=1)) == 1
            # One object among many may change less than the tolerance.
            tiny = not equal and int(table.sum()) ** 2 * self.tolerance > 1
            if tiny or self.agree(x, identity) == equal:
                return None
            kind = "equal" if equal else "different"
            return f"{shown(case)}, {kind} clusterings, has {x}, and equal ones should have {identity}"

        return self.claim("identity", self.all_cases, fault)

    def triangle(self) -> Claim:
        def fault(three: tuple[list[int], list[int], list[int]]) -> str | None:
            a, b, c = three
            ac, ab, bc = (self.value(self.case_of_labels(*pair)) for pair in ((a, c), (a, b), (b, c)))
            if ac <= ab + bc + self.tolerance:
                return None
            return f"{a} and {c} are at {ac}, with {b} between them at {ab} and {bc}"

        return self.claim("triangle inequality", [_triples], fault)

    def refinement(self, identity: Any) -> Claim:
        def fault(chain: tuple[list[int], list[int], list[int]]) -> str | None:
            coarse, middle, fine = chain
            x, y = (self.value(self.case_of_labels(coarse, labels)) for labels in (middle, fine))
            if abs(y - identity) >= abs(x - identity) - self.tolerance:
                return None
            return f"{coarse} has {x} against {middle}, but {y} against its refinement {fine}"

        return self.claim("refinement", [_chains()], fault)

    def limit(self, limit: Callable[..., Any]) -> Claim:
        def fault(case: Any) -> str | None:
            return self.expect(case * _REPLICAS, limit(case), f"the limit from {shown(case)}", _LIMIT_SLACK)

        return self.claim("limit", self.cases[:1], fault)

    def soft(self, soft: Callable[..., Any]) -> Claim:
        def fault(pair: tuple[list[int], list[int]]) -> str | None:
            crisp = [one_hot("labels", labels) for labels in pair]
            return self.expect(self.case_of_labels(*pair), soft(*crisp), "its soft version", self.tolerance)

        return self.claim("soft", [labeling_pairs()], fault)


class OfTables(Subject):
    @property
    def cases(self) -> Sequence[SearchStrategy[Any]]:
        return [draw_table(largest=self.largest, sizes=sizes) for sizes in _SIZES]

    @property
    def equal_cases(self) -> Sequence[SearchStrategy[Any]]:
        return [draw_partition(largest=self.largest, sizes=sizes).map(np.diag) for sizes in _SIZES]

    def call(self, function: Callable[..., Any], case: np.ndarray) -> Any:
        return function(case)

    def table(self, case: np.ndarray) -> np.ndarray:
        return case

    def case_of_labels(self, a: list[int], b: list[int]) -> np.ndarray:
        return np.asarray(contingency(a, b, sparse=False))

    def exchanged(self, case: np.ndarray) -> np.ndarray:
        return case.T

    def order(self) -> list[Claim]:
        def moved(table: np.ndarray) -> SearchStrategy[Any]:
            return st.tuples(st.just(table), symmetries(table.shape, transpose=False))

        return [
            self.claim(
                "order",
                [cases.flatmap(moved) for cases in self.cases],
                lambda x: self.compare(x[0], x[1](x[0])),
            )
        ]

    def other_input(self, other: Callable[..., Any]) -> Claim:
        def fault(pair: tuple[list[int], list[int]]) -> str | None:
            expected = other(*pair)
            return self.expect(
                self.case_of_labels(*pair), expected, f"that of the labels {shown(pair)}", self.tolerance
            )

        return self.claim("other input", [labeling_pairs()], fault)


class OfLabels(Subject):
    @property
    def cases(self) -> Sequence[SearchStrategy[Any]]:
        return [labeling_pairs()]

    @property
    def equal_cases(self) -> Sequence[SearchStrategy[Any]]:
        return [labelings().map(lambda labels: (labels, list(labels)))]

    def call(self, function: Callable[..., Any], case: tuple[list[Any], list[Any]]) -> Any:
        return function(*case)

    def table(self, case: tuple[list[Any], list[Any]]) -> np.ndarray:
        return np.asarray(contingency(*case, sparse=False))

    def case_of_labels(self, a: list[int], b: list[int]) -> tuple[list[int], list[int]]:
        return a, b

    def exchanged(self, case: tuple[list[Any], list[Any]]) -> tuple[list[Any], list[Any]]:
        return case[::-1]

    def order(self) -> list[Claim]:
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
            self.claim("order", [cases.flatmap(reordered) for cases in self.cases], order_fault),
            self.claim("names", [cases.flatmap(renamed) for cases in self.cases], names_fault),
        ]

    def other_input(self, other: Callable[..., Any]) -> Claim:
        def fault(pair: tuple[list[int], list[int]]) -> str | None:
            table = self.table(pair)
            return self.expect(pair, other(table), f"that of the table {shown(table)}", self.tolerance)

        return self.claim("other input", [labeling_pairs()], fault)


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


def is_number(value: Any) -> bool:
    """Whether it is a real number, NaN and the infinities among them; truth values are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def shown(example: Any) -> str:
    return str(example.tolist() if isinstance(example, np.ndarray) else example)
