"""Properties that an index may have: the examples of each property, and the judgement of an example.

The input of an index (the arguments ``case``) is a table, two labelings, or two membership matrices. A `Claim` is a
property together with the inputs for which it is checked.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain
from math import inf, isfinite
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat.testing.arguments import MOST_CLUSTERS
from confmat.testing.findings import Claim, Fault, UndefinedCase
from confmat.testing.small import chains, triples
from confmat.testing.strategies import labelings

TOLERANCE = 1e-9
"""Tolerance of differences of floats, relative for values above 1."""

# Largest number of objects of tables that are also passed in Fortran order.
_MOST_BY_COLUMNS = 4

# Largest number of objects of enumerated triples and chains of clusterings.
_MOST_IN_TRIPLES = 5

DEGENERATE = ("one object", "one cluster", "all singletons", "one side singletons", "equal")
"""Kinds of degenerate cases, at which indices may be 0/0.  The first kind that applies to a case is its kind."""

# For properties that compare two values, singletons in one clustering are not degenerate.
WITHOUT_ONE_SIDE = tuple(kind for kind in DEGENERATE if kind != "one side singletons")
WITHOUT_EQUAL = ("one object", "one cluster", "all singletons")
FEWEST = ("one object", "one cluster")

# The index is called twice for all cases of up to this number of objects, and for random cases.
_TWICE_OBJECTS = 3

Judge = Callable[[Any], Fault | None]


class NotAValueError(Exception):
    """Error for a reference function that returned something other than a number."""


@dataclass(frozen=True)
class Outcome:
    """Result of an index for an input: a number, or the reason why there is none.

    Attributes
    ----------
    value : number
    missing : str
        Reason why there is no value, "" if there is one.
    error : Exception or None
        Exception that the index raised.
    declared : bool
        True if the missing value was declared by the argument ``undefined``.
    changed : bool
        True if the index changed its arguments.
    """

    value: Any = None
    missing: str = ""
    error: BaseException | None = None
    declared: bool = False
    changed: bool = False

    def is_again(self, second_call: "Outcome") -> bool:
        """Return whether a second call has the same outcome: an equal number, or no value for the same reason."""
        if self.error is not None or second_call.error is not None:
            return type(self.error) is type(second_call.error)
        return self.missing == second_call.missing and bool(self.value == second_call.value)


@dataclass(frozen=True)
class Wishes:
    """Numbers of objects of the inputs on which an index is checked.

    Up to ``every`` objects, all inputs are checked. Up to ``n`` objects, one input of each orbit is checked. Random
    inputs have up to ``max_n`` objects.
    """

    n: int
    every: int
    max_n: int


@dataclass(frozen=True)
class Subject(ABC):
    """Index and the kind of its input, with the properties that can be checked.

    Attributes
    ----------
    takes : str
        Name of the kind of input.
    most_objects : int
        Default limit of the objects of a random input.
    may_be_large : bool
        True if random inputs for a comparison with a reference may have more than ``wishes.max_n`` objects.
    index : callable
        Function of an input that returns a number.
    undefined : tuple
        Exceptions and numbers that mean an undefined value.
    wishes : Wishes
        Sizes of the inputs.
    """

    takes: ClassVar[str]
    most_objects: ClassVar[int]
    may_be_large: ClassVar[bool] = False

    index: Callable[..., Any]
    undefined: tuple[Any, ...]
    wishes: Wishes
    # Kinds of degenerate cases for which any result is accepted.
    silenced: frozenset[str] = frozenset()
    memory: dict[str, Outcome] = field(default_factory=dict, compare=False)

    @property
    def kinds_alike(self) -> Collection[str]:
        """Kinds of degenerate inputs, such as "one object", at which a change of the input may change the value.

        A change is, for example, another order of the objects. It must not change the value of any other input.
        """
        return WITHOUT_ONE_SIDE

    @abstractmethod
    def small(self) -> Iterator[Any]:
        """Yield all small inputs, in order of size."""

    def corners(self, max_n: int, most_clusters: int) -> Iterator[Any]:
        """Yield edge cases that random draws rarely reach.

        They have at most ``max_n`` objects and ``most_clusters`` clusters.
        """
        return iter(())

    def long(self, max_n: int) -> Iterator[Any]:
        """Yield inputs of increasing length, for a comparison with a reference."""
        return iter(())

    def listed(self) -> Iterator[Any]:
        """Yield all small inputs, then edge cases."""
        return chain(
            self.small(),
            self.corners(self.wishes.max_n, MOST_CLUSTERS),
        )

    @property
    @abstractmethod
    def drawn(self) -> Sequence[SearchStrategy[Any]]:
        """Strategies for random inputs."""

    @property
    def equal(self) -> Sequence[SearchStrategy[Any]]:
        """Strategies for inputs of two equal clusterings."""
        return [cases.map(lambda case: (case[0], deepcopy(case[0]))) for cases in self.drawn]

    def given(self, case: Any) -> tuple[Any, ...]:
        """Return the arguments of the index for an input, as copies, because a function may change them."""
        return deepcopy(case)

    @abstractmethod
    def table(self, case: Any) -> np.ndarray:
        """Return the contingency table of an input, from which its number of objects and its degenerate kind follow."""

    def size(self, case: Any) -> int:
        """Return the number of objects of an input."""
        return len(case[0])

    @abstractmethod
    def of_labels(self, a: Sequence[int], b: Sequence[int]) -> Any:
        """Return two labelings ``a`` and ``b`` as an input of the index, such as their table."""

    def exchanged(self, case: Any) -> Any:
        """Return an input of the index with its two partitions exchanged."""
        return case[1], case[0]

    def in_order(self, case: Any, order: Sequence[int]) -> Any:
        """Return an input of the index with its objects in another order."""
        sides = []
        for side in case:
            sides.append(side[order] if isinstance(side, np.ndarray) else [side[i] for i in order])
        return tuple(sides)

    def any_order(self) -> Claim:
        """Return the `Claim` that the order of the objects does not change the value."""

        def small() -> Iterator[tuple[Any, Any]]:
            for case in self.small():
                n = len(case[0])
                yield from ((case, self.in_order(case, exchange(n, i))) for i in range(n - 1))

        return self.alike("order", small, Subject.reordered)

    def reordered(self, case: Any) -> SearchStrategy[Any]:
        """Return a strategy for pairs of an input and the same objects in another order."""
        orders = st.permutations(range(len(case[0])))
        return orders.map(lambda order: (case, self.in_order(case, order)))

    def alike(
        self,
        name: str,
        small: Callable[[], Iterable[Any]],
        changes_of: Callable[[Any, Any], SearchStrategy[Any]],
    ) -> Claim:
        """Return the `Claim` that a change of an input of the index does not change the value.

        ``small`` returns small examples, each an input and the changed input. ``changes_of`` returns a strategy for
        examples, given this object and an input.
        """
        drawn = _drawn_changed(self.without_index(), changes_of)

        def judge(example: tuple[Any, Any]) -> Fault | None:
            return self.compare(*example)

        return self.claim(name, small, drawn, judge, lambda example: example[:1], kinds=self.kinds_alike)

    def without_index(self) -> "Subject":
        """Return a copy of this object without its index. The copy is a key of the caches of strategies.

        Subjects with the same inputs have equal copies.
        """
        return replace(self, index=abs, undefined=(), silenced=frozenset(), memory={})

    def unchanged(self) -> Iterator[Claim]:
        """Yield a `Claim` for each change of an input that must not change the value.

        A change is, for example, another order of the objects.
        """
        yield self.any_order()

    # --- values -----------------------------------------------------------------------------------

    def outcome(self, case: Any) -> Outcome:
        """Return the outcome of the index for an input. The index is called once for each input."""
        key = shown(case)
        if key not in self.memory:
            self.memory[key] = self.call_index(case)
        return self.memory[key]

    def call_index(self, case: Any) -> Outcome:
        """Return the outcome of a new call of the index for an input."""
        if self.silenced and (kind := self.kind(case)) in self.silenced:
            return Outcome(missing=f"may have any value ({kind})", declared=True)
        arguments = self.given(case)
        text_before = shown(arguments)
        try:
            value = self.index(*arguments)
        except Exception as error:
            declared = isinstance(error, tuple(x for x in self.undefined if isinstance(x, type)))
            return Outcome(missing=f"raises {type(error).__name__}: {error}", error=error, declared=declared)
        if shown(arguments) != text_before:
            return Outcome(missing=f"is changed to {shown(arguments)}", changed=True)
        if any(
            _is_same_value(value, stand_in) for stand_in in self.undefined if not isinstance(stand_in, type)
        ):
            return Outcome(missing=f"has {plain(value)}", declared=True)
        if not (is_number(value) and isfinite(value)):
            return Outcome(missing=f"has {plain(value)}, which is not a real number")
        return Outcome(value)

    def value(self, case: Any) -> Any:
        """Return the value of an input. Raise UndefinedCase if it has none."""
        outcome = self.outcome(case)
        if outcome.missing:
            raise UndefinedCase(self.text(case), outcome.missing)
        return outcome.value

    def has_some_value(self) -> bool:
        """Return whether the index had a value at some input so far."""
        return any(not outcome.missing for outcome in self.memory.values())

    def text(self, case: Any) -> str:
        """Return an input in one line."""
        return shown(case)

    def kind(self, case: Any) -> str | None:
        """Return the kind of a degenerate input, None for another input."""
        return degenerate(self.table(case))

    def agree(self, x: Any, y: Any) -> bool:
        """Return whether two values differ by at most ``TOLERANCE``, relative to values above 1."""
        return bool(x == y or abs(x - y) <= TOLERANCE * max(1, abs(x), abs(y)))

    def compare(self, case: Any, second_case: Any) -> Fault | None:
        """Return the fault if two inputs have different values, or only one of them has a value.

        Raise UndefinedCase if neither has a value.
        """
        first_outcome = self.outcome(case)
        second_outcome = self.outcome(second_case)
        if first_outcome.missing and second_outcome.missing:
            raise UndefinedCase(self.text(case), first_outcome.missing)
        if (
            not first_outcome.missing
            and not second_outcome.missing
            and self.agree(first_outcome.value, second_outcome.value)
        ):
            return None
        words = [
            f"{self.text(x)} {y.missing or f'has {y.value}'}"
            for x, y in ((case, first_outcome), (second_case, second_outcome))
        ]
        return Fault(
            ", ".join(words),
            first_outcome.error or second_outcome.error,
        )

    def expect(self, case: Any, asked_value: Any, value_words: str) -> Fault | None:
        """Return the fault if the value of an input is not ``asked_value``, otherwise None.

        ``value_words`` names the expected value in the message.
        """
        if not is_number(asked_value):
            raise NotAValueError(
                f"{value_words} for {self.text(case)} must be a real number, got {asked_value!r}"
            )
        x = self.value(case)
        if self.agree(x, asked_value):
            return None
        return Fault(f"{self.text(case)} has {x}, but {value_words} is {asked_value}")

    # --- claims -----------------------------------------------------------------------------------

    def claim(
        self,
        name: str,
        small_cases: Callable[[], Iterable[Any]],
        strategies: Sequence[SearchStrategy[Any]],
        judge: Judge,
        cases: Callable[[Any], Sequence[Any]] = lambda example: [example],
        *,
        kinds: Collection[str] = WITHOUT_ONE_SIDE,
    ) -> Claim:
        """Return a `Claim` with the small examples ``small_cases()`` and with ``strategies`` for random examples.

        ``judge`` returns the fault of an example or None. ``cases`` returns the inputs of which an example
        consists, for example both tables of a pair. Faults of examples with a degenerate input of one of ``kinds``,
        such as "one object", are reported separately.
        """

        def guarded(example: Any) -> Fault | None:
            try:
                return judge(example)
            except NotAValueError as error:
                return Fault(str(error))
            except UndefinedCase:
                raise
            except Exception as error:  # raised by a function other than the index
                return Fault(f"{shown(example)} raises {type(error).__name__}: {error}", error)

        def place(example: Any) -> tuple[int, str | None]:
            tables = [self.table(case) for case in cases(example)]
            kinds_of_tables = (degenerate(table, kinds) for table in tables)
            return int(tables[0].sum()), next(filter(None, kinds_of_tables), None)

        return Claim(name, small_cases, strategies, guarded, place)

    def all_drawn(self) -> list[SearchStrategy[Any]]:
        """Return strategies for random inputs, of different and of equal clusterings."""
        return _all_drawn(self.without_index())

    def deterministic(self) -> Claim:
        """Return the `Claim` that a second call returns the same value, and that arguments are not changed."""

        def judge(case: Any) -> Fault | None:
            first_call = self.outcome(case)
            second_call = self.call_index(case)
            if outcome_changed := next((x for x in (first_call, second_call) if x.changed), None):
                return Fault(f"{self.text(case)} {outcome_changed.missing}")
            if first_call.is_again(second_call):
                return None
            words = [x.missing or f"has {x.value}" for x in (first_call, second_call)]
            return Fault(
                f"{self.text(case)} {words[0]}, and when called again {words[1]}",
                first_call.error or second_call.error,
            )

        small_subject = replace(self, wishes=replace(self.wishes, n=min(self.wishes.n, _TWICE_OBJECTS)))
        return self.claim("deterministic", small_subject.small, self.all_drawn(), judge, kinds=())

    def has_value(self) -> Claim:
        """Return the `Claim` that the value of each input is a finite real number, or is declared as undefined."""

        def judge(case: Any) -> Fault | None:
            outcome = self.outcome(case)
            if outcome.declared:
                raise UndefinedCase(self.text(case), outcome.missing)
            if outcome.missing:
                return Fault(f"{self.text(case)} {outcome.missing}", outcome.error)
            return self.held_alike(case)

        return self.claim("value", self.listed, self.all_drawn(), judge, kinds=DEGENERATE)

    def held_otherwise(self, case: Any) -> Iterator[tuple[str, Any]]:
        """Yield other forms of an input that must have the same value, each after its description.

        A form is, for example, an array in Fortran order.
        """
        return iter(())

    def held_alike(self, case: Any) -> Fault | None:
        """Return the fault if a small input in another form has another value, otherwise None.

        A form is, for example, an array in Fortran order.
        """
        if self.size(case) > _MOST_BY_COLUMNS:
            return None
        value = self.outcome(case).value
        for words, other in self.held_otherwise(case):
            outcome = self.call_index(other)
            if outcome.declared or (not outcome.missing and self.agree(value, outcome.value)):
                continue
            return Fault(
                f"{shown(case)} has {value}, but {outcome.missing or outcome.value} {words}", outcome.error
            )
        return None

    def symmetry(self) -> Claim:
        """Return the `Claim` that the value is the same with the two partitions exchanged."""

        def judge(case: Any) -> Fault | None:
            return self.compare(case, self.exchanged(case))

        return self.claim("symmetry", self.listed, self.all_drawn(), judge)

    def bounds(self, low: Any, high: Any) -> Claim:
        """Return the `Claim` that values are between two bounds. None means without a bound."""
        lowest = -inf if low is None else low
        highest = inf if high is None else high

        def excess(case: Any) -> float:
            x = self.value(case)
            return float(max(0, lowest - x, x - highest))

        def judge(case: Any) -> Fault | None:
            if excess(case) <= TOLERANCE:
                return None
            return Fault(f"{self.text(case)} has {self.value(case)}, which is not between {low} and {high}")

        claim = self.claim("bounds", self.listed, self.all_drawn(), judge)
        return replace(claim, aim=excess, aimed=self.worst or self.drawn)

    @property
    def worst(self) -> Sequence[SearchStrategy[Any]]:
        """Strategies for inputs close to those with the largest distances."""
        return []

    def identity(self, identity: Any) -> Claim:
        """Return the `Claim` that equal clusterings, and no others, have the value ``identity``."""

        def judge(case: Any) -> Fault | None:
            x = self.value(case)
            table = self.table(case)
            equal = self.coincide(case)
            # One object among many may change less than the tolerance.
            tiny = not equal and int(table.sum()) ** 2 * TOLERANCE > 1
            if tiny or self.agree(x, identity) == equal:
                return None
            if equal:
                return Fault(f"{self.text(case)}, equal clusterings, has {x}, and should have {identity}")
            return Fault(f"{self.text(case)}, different clusterings, has {x}, which only equal ones may have")

        return self.claim("identity", self.listed, self.all_drawn(), judge, kinds=WITHOUT_EQUAL)

    def coincide(self, case: Any) -> bool:
        """Return whether the two partitions of an input are equal."""
        return are_equal(self.table(case))

    def triangle(self) -> Claim:
        """Return the `Claim` that the index satisfies the triangle inequality."""

        def cases(three: Any) -> list[Any]:
            a, b, c = three
            return [self.of_labels(*pair) for pair in ((a, c), (a, b), (b, c))]

        def judge(three: Any) -> Fault | None:
            ac, ab, bc = map(self.value, cases(three))
            if ac <= ab + bc + TOLERANCE:
                return None
            a, b, c = map(list, three)
            return Fault(f"{a} and {c} are at {ac}, with {b} between them at {ab} and {bc}")

        return self.claim(
            "triangle inequality",
            self.several(triples),
            [random_triples()],
            judge,
            cases,
        )

    def refinement(self, identity: Any) -> Claim:
        """Return the `Claim` that a refinement of a clustering does not increase its agreement with a coarser one.

        Let b be a refinement of a, and c of b. The value of (a, c) must not be closer to ``identity`` than that of
        (a, b).
        """

        def cases(chain: Any) -> list[Any]:
            coarse, middle, fine = chain
            return [
                self.of_labels(coarse, middle),
                self.of_labels(coarse, fine),
            ]

        def judge(chain: Any) -> Fault | None:
            x, y = map(self.value, cases(chain))
            if abs(y - identity) >= abs(x - identity) - TOLERANCE:
                return None
            coarse, middle, fine = map(list, chain)
            return Fault(f"{coarse} has {x} against {middle}, but {y} against its refinement {fine}")

        return self.claim(
            "refinement",
            self.several(chains),
            [random_chains()],
            judge,
            cases,
        )

    def several(self, all_of: Callable[[int], Iterator[Any]]) -> Callable[[], Iterator[Any]]:
        """Return a function that yields the examples ``all_of(n)`` for each small number n of objects.

        ``all_of`` yields triples or chains of partitions.
        """
        sizes = range(1, min(self.wishes.n, _MOST_IN_TRIPLES) + 1)
        return lambda: chain.from_iterable(map(all_of, sizes))


# --- examples -------------------------------------------------------------------------------------


# Strategies are made once, so that properties with equal strategies use the same examples.


@lru_cache(64)
def _all_drawn(subject: Subject) -> list[SearchStrategy[Any]]:
    """Return strategies for random inputs, of different and of equal clusterings."""
    return [case | equal for case, equal in zip(subject.drawn, subject.equal)]


@lru_cache(64)
def _drawn_changed(
    subject: Subject, changes_of: Callable[[Any, Any], SearchStrategy[Any]]
) -> list[SearchStrategy[Any]]:
    """Return strategies for pairs (input, changed input), one for each strategy in ``subject.drawn``.

    ``changes_of(subject, input)`` returns a strategy for the pairs of this input.
    """
    return [cases.flatmap(partial(changes_of, subject)) for cases in subject.drawn]


@lru_cache(1)
def random_triples() -> SearchStrategy[Any]:
    """Return a strategy for three labelings of the same objects.

    The three labels of each object are drawn together, so that shrinking can remove an object from all labelings.
    """
    label = st.integers(0, 3)
    return st.lists(st.tuples(label, label, label), min_size=1, max_size=8).map(in_columns)


def in_columns(rows: Iterable[Iterable[Any]]) -> tuple[list[Any], ...]:
    """Return one list for each labeling, given the labels of each object.

    >>> in_columns([(0, 1), (2, 3)])
    ([0, 2], [1, 3])
    """
    return tuple(map(list, zip(*rows)))


@lru_cache(1)
def random_chains() -> SearchStrategy[Any]:
    """Return a strategy for three labelings, each refined by the next one."""

    @st.composite
    def draw_chain(draw: Callable[[SearchStrategy[Any]], Any]) -> tuple[list[int], list[int], list[int]]:
        n = draw(st.integers(1, 21))
        fine = draw(labelings(n=n, clusters=draw(st.integers(1, min(n, MOST_CLUSTERS)))))
        merge = draw(labelings(n=max(fine) + 1))
        merge_again = draw(labelings(n=max(merge) + 1))
        middle = [merge[label] for label in fine]
        return [merge_again[label] for label in middle], middle, fine

    return draw_chain()


def degenerate(table: np.ndarray, kinds: Collection[str] = DEGENERATE) -> str | None:
    """Return the first of ``kinds`` that describes a table, None if it is not degenerate.

    >>> degenerate(np.array([[1]])), degenerate(np.array([[2, 1]])), degenerate(np.array([[2, 1], [1, 1]]))
    ('one object', 'one cluster', None)
    >>> degenerate(np.eye(3)), degenerate(np.array([[1, 1, 0], [0, 0, 1]])), degenerate(np.diag([2, 1]))
    ('all singletons', 'one side singletons', 'equal')
    """
    if table.sum() <= 1:
        kind = "one object"
    elif min(np.count_nonzero(table.any(axis=axis)) for axis in (0, 1)) <= 1:
        kind = "one cluster"
    elif are_equal(table):
        if table.max() == 1:
            kind = "all singletons"
        else:
            kind = "equal"
    elif min(table.sum(axis=axis).max() for axis in (0, 1)) == 1:
        kind = "one side singletons"
    else:
        return None
    return kind if kind in kinds else None


def exchange(lines: int, i: int) -> list[int]:
    """Return the order 0, ..., ``lines`` - 1 with i and i + 1 exchanged.

    >>> exchange(3, 1)
    [0, 2, 1]
    """
    order = list(range(lines))
    order[i : i + 2] = order[i + 1], order[i]
    return order


def are_equal(table: np.ndarray) -> bool:
    """Return whether a table is that of two equal partitions: at most one nonzero cell in each row and column.

    >>> are_equal(np.array([[0, 2], [1, 0]]))
    True
    """
    return all(int(np.count_nonzero(table, axis=axis).max()) <= 1 for axis in (0, 1))


def is_number(value: Any) -> bool:
    """Return whether a value is a real number, which includes NaN and infinity but not bools."""
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_same_value(value: Any, stand_in: Any) -> bool:
    """Return whether a value is equal to ``stand_in``, the number that means an undefined value. NaN equals NaN."""
    return is_number(value) and bool(value == stand_in or (value != value and stand_in != stand_in))


def plain(value: Any) -> str:
    """Return the repr of a value without the types of NumPy.

    >>> plain(np.float64("nan")), plain(np.array([[1.0]])), plain("x")
    ('nan', '[[1.0]]', "'x'")
    """
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    return repr(value)


def shown(example: Any) -> str:
    """Return an example as one line of text, with arrays and labelings as lists.

    >>> shown((np.array([[1, 2]]), (0, 1)))
    '([[1, 2]], [0, 1])'
    """
    if isinstance(example, tuple) and any(isinstance(x, (tuple, list, np.ndarray)) for x in example):
        return f"({', '.join(map(shown, example))})"
    if isinstance(example, np.ndarray):
        return str(example.tolist())
    return str(list(example) if isinstance(example, tuple) else example)
