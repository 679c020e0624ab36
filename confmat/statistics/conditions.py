"""Conditions on matrices, such as "med <= 1/5, ard > 1". They are evaluated exactly, for one matrix or for arrays."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, nan
from numbers import Rational
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.orbits import Generators
from confmat.contingency.matrix import as_matrix
from confmat.contingency.texts import matrix_text
from confmat.errors import UndecidedError
from confmat.indices.classification.counts import as_confusion_table
from confmat.indices.numbers import Exact, Rounded
from confmat.statistics.grammar import (
    RELATION_SIGNS,
    SIZES,
    Apply,
    Chain,
    Constant,
    FormulaTree,
    Name,
    applied,
    fold,
    named_in,
    parse,
    with_sizes,
    write,
)
from confmat.statistics.ratios import IrrationalSum
from confmat.statistics.record import Statistic, shared_symmetry
from confmat.statistics.table import (
    OPERATORS,
    STATISTICS,
    TRUTHS,
    as_number,
    as_statistic,
    is_known,
    known_of,
    name_of,
    of_ratios,
    ratios_of,
    sizes_of,
)

# Arrays are evaluated in chunks that fit in the processor's cache, which is several times faster.
_ROWS_AT_ONCE = 2**16


@dataclass(frozen=True, repr=False)
class Condition:
    """Condition on a matrix: comparisons of statistics and of the sizes n, r and s. It is made by `as_condition`.

    ``str`` returns a string that `as_condition` accepts, if every statistic is registered. An undefined number (0/0
    or a division by 0) satisfies no comparison, not even !=. The ``not`` of such a comparison is therefore true.
    Integers, fractions, sums of square roots ("fm", "gsp") and numbers with logarithms are compared exactly.

    >>> condition = as_condition("med<=4/20, ard>1")
    >>> condition, condition.names
    (Condition('med <= 1/5 and ard > 1'), ('med', 'ard'))
    >>> condition.holds({"med": Fraction(1, 10), "ard": Fraction(11, 10)}), condition([[2, 0], [0, 2]])
    (True, False)
    """

    formula: FormulaTree
    statistics: tuple[Statistic, ...]

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names):
            raise ValueError(
                f"condition must not have two statistics of the same name, got {', '.join(self.names)}"
            )

    def __str__(self) -> str:
        return write(self.formula)

    def __repr__(self) -> str:
        return f"Condition({str(self)!r})"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names of the statistics in the condition."""
        return tuple(statistic.name for statistic in self.statistics)

    @property
    def counted(self) -> bool:
        """Return whether every statistic in the condition has a formula, which `mask` requires."""
        return all(statistic.counted for statistic in self.statistics)

    @property
    def exact(self) -> bool:
        """Return whether no statistic of the condition is a float. If one is, inequalities hold up to rounding only."""
        return not any(statistic.is_rounded for statistic in self.statistics)

    @property
    def symmetry(self) -> Generators:
        """Return generators of the group of permutations (and transposition) that leaves every statistic unchanged.

        The statistics are those of the condition. The generators are a subset of "rows", "columns", "simultaneous"
        and "transposition".
        """
        return shared_symmetry(self.statistics)

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Return whether the condition is true for given values of its statistics.

        Parameters
        ----------
        values : dict of str to number
            Value of each statistic in the condition, nan if it is undefined. Also n, r and s if the condition names
            them.

        Returns
        -------
        bool

        Raises
        ------
        ValueError
            If a value is missing, or a float is compared by = or !=.

        Examples
        --------
        >>> as_condition("1/5 < med <= r/5").holds({"med": Fraction(2, 5), "r": 2})
        True
        """
        names = [x.name for x in named_in(self.formula)]
        missing = [name for name in names if name not in values]
        if missing:
            raise ValueError(f"values must include {', '.join(missing)}, got {', '.join(values) or 'none'}")
        numbers = {name: as_number(values[name]) for name in names}
        return bool(fold(self.formula, lambda named: numbers[named.name], self._of_numbers))

    def mask(self, matrices: MatrixClass, m: Any, A: Any, B: Any, P: Any) -> np.ndarray:
        """Return whether the condition is true at each of many tables of a class, given by their m, A, B and P.

        Parameters
        ----------
        matrices : MatrixClass
            The class, which determines n, r and s.
        m : array of int
            The number n MED of objects outside the best matching of rows to columns.
        A, B, P : array of int
            Numbers of pairs of objects in a common row, in a common column and in a common cell.

        Returns
        -------
        array of bool
            Exact, since quotients are compared by products of integers.

        Raises
        ------
        ValueError
            If a statistic has no formula in m, A, B and P.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> as_condition("med<=1/4, rd<fm").mask(Tables(4, 2, 2), *np.array([[1, 0], [3, 3], [2, 3], [1, 3]]))
        array([False,  True])
        """
        if not self.counted:
            names_without_formulas = ", ".join(x.name for x in self.statistics if not x.counted)
            raise ValueError(
                f"condition must be on statistics with a formula in n, m, A, B and P, got {self} "
                f"with {names_without_formulas}"
            )
        sums = [np.asarray(x) for x in np.broadcast_arrays(m, A, B, P)]
        bound = self.at(matrices)
        truths = np.empty(sums[0].shape, bool)
        columns = [x.ravel() for x in sums]
        for start in range(0, truths.size, _ROWS_AT_ONCE):
            part = slice(start, start + _ROWS_AT_ONCE)
            truths.flat[part] = bound._where(matrices, *(x[part] for x in columns))
        return truths

    def _where(self, matrices: MatrixClass, *sums: np.ndarray) -> Any:
        """Return the result of `mask` for a chunk of one-dimensional arrays m, A, B and P.

        They are n MED and the numbers of pairs of objects in common rows, columns and cells.
        """
        try:
            records: Any = named_in(self.formula)
            ratios = {x.name: ratios_of(x, matrices, sums) for x in records}
            return fold(self.formula, lambda statistic: ratios[statistic.name], of_ratios)
        except IrrationalSum:
            functions = {x.name: x.over(matrices) for x in self.statistics}
            truths = []
            for row in np.stack(sums, axis=1).tolist():
                truths.append(self.holds({name: of(*row) for name, of in functions.items()}))
            return truths

    @cached_property
    def negated(self) -> Condition:
        """Return the negation of the condition.

        >>> as_condition("med<1/5").negated
        Condition('not med < 1/5')
        """
        return Condition(applied("not", (self.formula,)), self.statistics)

    @cached_property
    def premise(self) -> Condition | None:
        """Return the premise of an implication, or None if the condition is not an implication.

        The premise of "a -> b" is a, that of "a -> b -> c" is "a and b".

        >>> as_condition("med > 0 -> rd < 1 -> ard < 1").premise
        Condition('med > 0 and rd < 1')
        """
        given = []
        rest = self.formula
        while isinstance(rest, Apply) and rest.operator == "->":
            premise, rest = rest.parts
            given.append(premise)
        if given:
            return Condition(applied("and", tuple(given)), self.statistics)
        return None

    def judged(self, ask: Callable[[Condition], Any]) -> tuple[Any, Any]:
        """Return the results of the function ``ask`` for the condition and for its premise.

        Parameters
        ----------
        ask : callable
            Function that is called with a condition.

        Returns
        -------
        tuple
            ``ask(condition)`` and ``ask(premise)``. The second is None if the condition is not an implication.

        Examples
        --------
        >>> as_condition("med > 1/2 -> rd > 0").judged(lambda condition: condition([[2, 0], [0, 2]]))
        (True, False)
        """
        return ask(self), None if self.premise is None else ask(self.premise)

    def at(self, matrices: Any) -> Condition:
        """Return the condition with the names n, r and s replaced by these numbers of a class.

        Parameters
        ----------
        matrices : MatrixClass

        Returns
        -------
        Condition

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> as_condition("med <= r/n").at(Tables(20, 3, 4))
        Condition('med <= 3/20')
        """
        return Condition(with_sizes(self.formula, sizes_of(matrices.n, matrices.shape)), self.statistics)

    def med(self, matrices: MatrixClass) -> Fraction | None:
        """Return the value of the MED if the condition has the form "med = value".

        Parameters
        ----------
        matrices : MatrixClass
            The class, whose sizes n, r and s the condition may name.

        Returns
        -------
        Fraction or None
            None if the condition has another form.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> conditions = map(as_condition, ("med=4/n", {"med": 0.2}, "med<1"))
        >>> [condition.med(Tables(20, 3, 3)) for condition in conditions]
        [Fraction(1, 5), Fraction(1, 5), None]
        """
        bound = self.at(matrices)
        n = max(1, matrices.n)
        match bound.formula:
            case Chain(("=",), (Name(x), Constant(value)) | (Constant(value), Name(x))):
                candidate = value
            case Chain((_, _), (Constant(low), Name(x), Constant(high))) if ceil(low * n) == floor(high * n):
                candidate = Fraction(ceil(low * n), n)
            case _:
                return None
        return candidate if x == STATISTICS["med"] and bound.holds({"med": candidate}) else None

    def most_misplaced(self, matrices: MatrixClass) -> int | None:
        """Return the largest n MED that a condition of the form "med <= value", "med < value" or "med = value" admits.

        Parameters
        ----------
        matrices : MatrixClass
            The class, whose sizes n, r and s the condition may name.

        Returns
        -------
        int or None
            None if the condition has another form.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> conditions = map(as_condition, ("med<=4/20", "1/5 > med", "med=1/5", "med>1/5"))
        >>> [condition.most_misplaced(Tables(20, 3, 3)) for condition in conditions]
        [4, 3, 4, None]
        """
        bound = self.at(matrices)
        n = max(1, matrices.n)
        match bound.formula:
            case Chain(("<=" | "<" | "=",), (Name(x), Constant(value))):
                most = floor(value * n)
            case Chain((">=" | ">" | "=",), (Constant(value), Name(x))):
                most = floor(value * n)
            case _:
                return None
        if x != STATISTICS["med"]:
            return None
        if bound.holds({"med": Fraction(most, n)}):
            return most
        return most - 1

    def __call__(self, matrix: Any) -> bool:
        """Return whether a matrix of any shape satisfies the condition.

        The names n, r and s mean the sizes of the matrix.
        """
        if any(statistic.pairs_classes for statistic in self.statistics):
            matrix = as_confusion_table(matrix)
        table = as_matrix(matrix)
        values = sizes_of(int(table.sum()), table.shape)
        try:
            return self.holds(values | {x.name: x(table) for x in self.statistics})
        except UndecidedError as error:
            raise UndecidedError(f"{error}, at {matrix_text(table)}") from None

    def _of_numbers(self, sign: str, parts: tuple[Any, ...]) -> Any:
        """Return the result of the operator ``sign`` of a formula for the operands ``parts``.

        The operands are numbers or truth values. An arithmetic operator on an undefined number gives nan, a
        comparison False.
        """
        if sign in TRUTHS:
            return TRUTHS[sign](*parts)
        if any(x != x for x in parts):  # undefined
            return False if sign in RELATION_SIGNS else nan
        if sign in ("=", "!=") and any(isinstance(x, float) for x in parts):
            raise ValueError(f"condition must compare floats by <, <=, > or >=, got {self}")
        if sign == "/" and parts[1] == 0:
            return nan
        return OPERATORS[sign](*parts)


AnyCondition = Condition | Mapping[Any, Any] | Callable[..., Any] | str
"""Types that ``as_condition`` accepts."""


def as_condition(
    condition: AnyCondition, argument: str = "condition", known: Iterable[Statistic] = ()
) -> Condition:
    """Return a condition from a string, a mapping, a function of a matrix, or a condition.

    Parameters
    ----------
    condition : str, dict, callable or Condition
        A string is, for example, "med=4/20", "1/5<med<=2/5, ard>1" or "med<=1/10 -> ari>=0". A mapping from
        statistics to values requires all these values. A float in it stands for all numbers that round to it. A
        function accepts an r x s array and returns a bool. A `Statistic` of such a function can declare its
        symmetry.
    argument : str
        Name of the argument in error messages. Default: "condition".
    known : iterable of Statistic
        Statistics that a string can name although they are not registered. Default: none.

    Returns
    -------
    Condition

    Raises
    ------
    ValueError
        If a string is not valid. If a statistic whose values are floats is compared by = or !=, the error is raised
        when the condition is evaluated.
    TypeError
        If the condition is another object.

    Notes
    -----
    Comparisons (= == != < <= > >=) are between numbers. Numbers are statistics, n, r, s, integers and decimals (0.2
    is 1/5), combined by + - * /. Comparisons are joined by not, and, or, -> and the comma. The comma is an ``and``
    with lower precedence than ``or``.

    Examples
    --------
    >>> as_condition("med=4/20") == as_condition({"med": "0.2"}) == as_condition({as_statistic("med"): Fraction(1, 5)})
    True
    >>> as_condition({"rd": 2 / 3})([[1, 1], [1, 1]]), as_condition({"rd": "0.6666666666666666"})([[1, 1], [1, 1]])
    (True, False)
    >>> as_condition("gsp = 1/3 or fm > 1/2")([[2, 2], [2, 0]])
    True
    """
    if isinstance(condition, Condition):
        return condition
    if isinstance(condition, str):
        readable: Any = ChainMap({x.name: x for x in known}, dict(SIZES), STATISTICS)  # type: ignore[arg-type]
        return _condition_of(parse(condition, readable, argument=argument))
    if isinstance(condition, Mapping):
        return _from_mapping(argument, condition)
    if callable(condition):
        return _from_function(argument, condition)
    raise TypeError(
        f'{argument} must be a string such as "med=4/20", a mapping or a function, got {condition!r}'
    )


def _condition_of(formula: FormulaTree) -> Condition:
    """Return the condition of a parsed formula."""
    return Condition(formula, tuple(x for x in named_in(formula) if isinstance(x, Statistic)))


def _from_mapping(argument: str, mapping: Mapping[Any, Any]) -> Condition:
    """Return the condition that each statistic (key of ``mapping``) has the value given there.

    ``argument`` is the name of the argument in error messages.
    """
    if not mapping:
        raise ValueError(f"{argument} must not be empty, got {mapping!r}")
    names = set()
    equations = []
    for key, value in mapping.items():
        try:
            statistic = as_statistic(key)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{argument} must have statistics as keys, got {key!r}: {error}") from None
        name = statistic.name
        if name in names or STATISTICS.get(name, statistic) != statistic:
            raise ValueError(
                f"{argument} must have different statistics, got {name!r} twice or for two functions"
            )
        names.add(name)
        equations.append(_equation(f"{argument}[{name!r}]", Name(statistic), value))
    return _condition_of(applied("and", tuple(equations)))


def _equation(argument: str, name: Name, value: Any) -> Chain:
    """Return the formula that a statistic equals ``value``. For a float: that the statistic rounds to it.

    ``argument`` describes the value in error messages.
    """
    if isinstance(value, str):
        readable: Any = ChainMap(dict(SIZES), STATISTICS)  # type: ignore[arg-type]
        return Chain(("=",), (name, parse(value, readable, argument=argument, number=True)))
    if isinstance(value, bool) or not isinstance(value, float | np.floating | Rational | Exact):
        raise TypeError(f'{argument} must be a number or a string such as "4/20", got {value!r}')
    low, high, _ = numbers = Rounded.of(argument, value)
    if low == high:
        return Chain(("=",), (name, Constant(low)))
    return Chain((numbers.relation, numbers.relation), (Constant(low), name, Constant(high)))


@dataclass(frozen=True)
class _TruthStatistic:
    """Statistic that is 1 if a predicate of a table is true, otherwise 0."""

    predicate: Callable[[np.ndarray], Any]

    def __call__(self, table: np.ndarray) -> int:
        answer = self.predicate(table)
        if not isinstance(answer, bool | np.bool_):
            raise TypeError(f"condition must return True or False, got {answer!r} for {matrix_text(table)}")
        return int(answer)


def _from_function(argument: str, function: Callable[..., Any]) -> Condition:
    """Return the condition that ``function`` returns True for a table.

    ``argument`` is the name of the argument in error messages.
    """
    statistic = function if isinstance(function, Statistic) else known_of(function)
    if statistic is None:
        statistic = Statistic(f"{name_of(function)}()", function)
    if statistic.counted or is_known(statistic) or statistic.function is None:
        raise ValueError(
            f'{argument} must compare the statistic with a value, such as "{statistic.name}=1/5", got only the '
            "statistic"
        )
    truth = Statistic(
        statistic.name, _TruthStatistic(statistic.function), symmetry=statistic.symmetry, tested=True
    )
    formula = Chain(("=",), (Name(truth), Constant(Fraction(1))))
    return Condition(formula, (truth,))
