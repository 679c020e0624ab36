"""Class `Statistic`: the definition and the properties of a statistic of a matrix.

In formulas, m = n MED is the number of objects outside the best matching of rows to columns. A, B and P are the
numbers of pairs of objects in a common row, in a common column and in a common cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import chain
from operator import index as as_integer
from typing import Any, cast

import numpy as np

from confmat._arguments import as_few, as_fraction
from confmat.classes import FixedMargins, MatrixClass
from confmat.classes.orbits import ALL, ONLY_SQUARE, PERMUTATIONS, Generators, as_symmetry
from confmat.contingency.matrix import as_matrix, best_matching, dense, margins
from confmat.fixed_margins.cell_sums import PAIRS, CellSum
from confmat.indices.classification.counts import as_confusion_table
from confmat.indices.classification.roots import RootSum
from confmat.indices.numbers import Exact
from confmat.indices.pairs import PairSums
from confmat.indices.records import Theorem
from confmat.statistics.declarations import check_symmetry, small_tables
from confmat.statistics.grammar import SIZES
from confmat.statistics.ratios import Whole

# Also `RootSum` and `LogRatio`: exact numbers that add and compare with these, for type checkers Fractions.
Number = Fraction | float
Formula = Callable[[Any, Any, Any, Any, Any], tuple[Any, Any]]

# What a formula may depend on: the MED's numerator m, the disagreements F = A + B - 2P, or A, B and P themselves.
DEPENDENCES = ("m", "F", "mF", "ABP", "mABP")

# (n, m, A, B, P) of three tables for which declared properties are tested: [[3, 1, 0], [1, 2, 1]], [[2, 1], [0, 4]]
# and [[1, 1], [1, 1]].
_TRIED = ((8, 3, 12, 9, 4), (7, 1, 9, 11, 7), (4, 2, 2, 2, 0))


@dataclass(frozen=True, repr=False)
class Statistic:
    """Statistic of a matrix: its definition, its symmetry and other known properties.

    Every field except the name is optional. Exactly one of ``formula``, ``of`` and ``function`` defines the values.

    Parameters
    ----------
    name : str
        Short name.
    function : callable
        Takes an r x s int64 array. Returns an int, a Fraction, a pair (numerator, denominator), an exact number
        with roots or logarithms (`RootSum`, `LogRatio`), or a float.
    names : tuple of str
        Other names.
    symmetry : str or set of str
        Permutations of rows and columns that do not change the value. "permutations" means all of them,
        "transposition" also transposition of square tables. "simultaneous" means the same permutation of both. A
        set has generators: "rows", "columns", "simultaneous", "transposition". Default: "none".
    batch : callable
        The function for arrays of the shape (N, r, s). Returns an array of floats, or arrays of numerators and
        denominators in lowest terms (0/0 if undefined). It may also return a list of distinct values and the index
        of each table's value.
    title, label : str
        Name in tables, and on axes.
    index : callable
        The function of the public API.
    aliases : tuple of callable
        Functions that are equivalent to ``index``.
    formula : callable
        Takes n, m = n MED, A, B, P, as integers or arrays, and returns a numerator and a denominator. A, B and P
        are the numbers of pairs of objects together in a row, in a column and in a cell. This is the fastest
        definition.
    depends : {"m", "F", "mF", "ABP", "mABP"}
        Arguments that the formula uses. F = A + B - 2P. Default: "mABP".
    undefined : number
        Value if the formula is 0/0. Default: nan.
    root : bool
        True if the value is the square root of the formula. Default: False.
    of : Statistic
        Another statistic with a formula.
    factor : callable
        Takes a class and returns the number by which ``of`` is multiplied.
    complement : bool
        True if the value is 1 minus the product. Default: False.
    exact : bool
        True if values are exact numbers and not floats. Default: True.
    bounds : (number, number)
        Smallest and largest possible value, None for no bound.
    largest : Theorem
        Theorem on the largest value.
    rises_with, falls_with : CellSum
        Sum over cells of which the statistic is a strictly increasing (decreasing) function if the margins are
        fixed. The function is affine, except for sums of logarithms.
    tested : bool
        True if the tests of the package cover the declared properties. Default: False.

    Raises
    ------
    ValueError
        If fields contradict each other or the values of the formula on small tables.
    SymmetryError
        If a function does not have the declared symmetry on small tables.

    Examples
    --------
    >>> dice = Statistic(
    ...     "dice", formula=lambda n, m, a, b, p: (2 * p, a + b), depends="ABP", symmetry="transposition", bounds=(0, 1)
    ... )
    >>> dice([[2, 1], [0, 2]]), dice([[1, 0], [0, 1]])
    (Fraction(1, 2), nan)
    """

    name: str
    function: Callable[[np.ndarray], Any] | None = None
    _: KW_ONLY
    names: tuple[str, ...] = ()
    symmetry: str | Iterable[str] = "none"
    batch: Callable[[np.ndarray], Any] | None = None
    title: str = ""
    label: str = ""
    index: Callable[..., Any] | None = None
    aliases: tuple[Callable[..., Any], ...] = ()
    formula: Formula | None = None
    depends: str = "mABP"
    undefined: float | Fraction = math.nan
    root: bool = False
    of: Statistic | None = None
    factor: Callable[[MatrixClass], Fraction] | None = None
    complement: bool = False
    exact: bool = True
    bounds: tuple[int | Fraction | None, int | Fraction | None] = (None, None)
    largest: Theorem | None = None
    rises_with: CellSum | None = None
    falls_with: CellSum | None = None
    tested: bool = field(default=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check_types()
        object.__setattr__(self, "title", self.title or self.name)
        object.__setattr__(self, "label", self.label or self.title)
        generators = as_symmetry(self.symmetry)
        if not isinstance(self.symmetry, str):
            object.__setattr__(self, "symmetry", generators)
        if self.depends not in DEPENDENCES:
            raise ValueError(f"depends must be one of {', '.join(DEPENDENCES)}, got {self.depends!r}")
        if self.of is not None:
            if self.of.formula is None:
                raise ValueError(f"of= must be a statistic with a formula, got {self.of!r}")
            if self.formula is not None:
                raise ValueError(f"formula must be None if of= is given, got {self.formula!r}")
        if self.function is None and not self.counted:
            raise ValueError(f"function or formula must be given for statistic {self.name!r}, got neither")
        if self.counted and not self.of_clusterings:
            raise ValueError(
                f"symmetry must be 'transposition' or 'permutations' for a formula, got {self.symmetry!r}"
            )
        if self.formula is not None:
            self._try_formula()
        elif self.function is not None and not self.tested:
            check_symmetry(repr(self.name), self.generators, self, same_value)

    def _check_types(self) -> None:
        """Check the types of all fields and convert some of them."""
        if self.undefined == self.undefined:
            exact = as_fraction("undefined", self.undefined)
            # A float is meant as its shortest decimal: 0.1 is 1/10.
            if isinstance(self.undefined, float):
                exact = Fraction(str(float(self.undefined)))
            object.__setattr__(self, "undefined", exact)
        if not isinstance(self.name, str):
            raise TypeError(f"name must be a string, got {self.name!r}")
        object.__setattr__(self, "names", as_few("names", self.names))
        if not all(isinstance(name, str) for name in self.names):
            raise TypeError(f"names must be strings, got {self.names!r}")
        if not self.name.strip():
            raise ValueError(f"name must not be empty, got {self.name!r}")
        if self.name in SIZES:
            raise ValueError(
                f"name must not be n, r or s, which mean the sizes of a class in conditions, got {self.name!r}. "
                'Choose another name, as in Statistic("score", function)'
            )
        for name in ("function", "batch", "index", "formula", "factor"):
            value = getattr(self, name)
            if value is not None and not callable(value):
                raise TypeError(f"{name} must be a function, got {value!r}")
        if not isinstance(self.of, Statistic | None):
            raise TypeError(f"of= must be a statistic, got {self.of!r}")
        if not isinstance(self.bounds, tuple) or len(self.bounds) != 2:
            raise TypeError(f"bounds must be a pair of numbers or None, got {self.bounds!r}")
        ends = [as_fraction(f"bounds[{i}]", x) for i, x in enumerate(self.bounds) if x is not None]
        if ends != sorted(ends):
            raise ValueError(f"bounds must not decrease, got {self.bounds!r}")

    def __repr__(self) -> str:
        return f"Statistic({self.name!r}, symmetry={self.symmetry!r})"

    @property
    def base(self) -> Statistic:
        """Return the statistic of which this one is a multiple or the complement, or this statistic itself."""
        return self.of or self

    @cached_property
    def generators(self) -> Generators:
        """Return the generators of the symmetry."""
        return as_symmetry(self.symmetry)

    @cached_property
    def is_rounded(self) -> bool:
        """Return whether values are floats.

        For a user-defined function this is found by a test on small tables.

        >>> from confmat.statistics import STATISTICS
        >>> Statistic("half", lambda table: table[0, 0] / 2).is_rounded, STATISTICS["gsp"].is_rounded
        (True, False)
        """
        if self.function is None or self.tested or not self.exact:
            return not self.exact
        for table in chain.from_iterable(small_tables()):
            try:
                value = as_number(self, self.function(table))
            except Exception:  # a function may be of other shapes alone
                continue
            if value == value:
                return isinstance(value, float)
        return False

    @property
    def of_clusterings(self) -> bool:
        """Return whether the statistic compares two clusterings.

        Permutations of rows and of columns then leave its values unchanged.
        """
        return self.generators >= PERMUTATIONS

    @property
    def pairs_classes(self) -> bool:
        """Return whether rows and columns are the same classes, as for a metric of a classifier.

        Only the same permutation of rows and of columns then leaves its values unchanged.
        """
        return bool(self.generators) and self.generators <= ONLY_SQUARE

    @property
    def counted(self) -> bool:
        """Return whether the statistic, or its ``base``, has a formula in n, m, A, B and P.

        Compiled functions can then enumerate its values.
        """
        return self.base.formula is not None

    @property
    def cell_sum(self) -> CellSum | None:
        """Return the sum over cells that determines the statistic if the margins are fixed, or None if it is unknown.

        >>> from confmat.statistics import STATISTICS
        >>> [STATISTICS[name].cell_sum.name for name in ("ari", "kappa", "vi")]
        ['pairs in common cells', 'objects on the diagonal', 'x log x']
        """
        if self.counted:
            return None if "m" in self.base.depends else PAIRS
        return self.rises_with or self.falls_with

    @property
    def direction(self) -> int:
        """Return 1 if the statistic increases with ``base``, -1 if it decreases as its complement."""
        return -1 if self.complement else 1

    def key(self, n: int, m: int, A: int, B: int, P: int) -> Number:
        """Return a number that orders tables as the statistic does, or in the reverse order.

        It is the value of the formula of ``base``, the statistic of which this one is a monotone function. With F =
        A + B - 2P, RD = F/M and RI = 1 - F/M have the key F/M. The key of FM is the square of FM.

        Parameters
        ----------
        n : int
            Number of objects.
        m : int
            The number n MED of objects outside the best matching of rows to columns.
        A, B, P : int
            Numbers of pairs of objects in a common row, in a common column and in a common cell.

        Returns
        -------
        Fraction or float
            NaN if it is undefined.

        Raises
        ------
        ValueError
            If the formula divides a number other than 0 by 0.

        Examples
        --------
        >>> from confmat.statistics import STATISTICS
        >>> STATISTICS["fm"].key(5, 1, 4, 4, 2), STATISTICS["fm"].key(3, 1, 0, 3, 0)
        (Fraction(1, 4), nan)
        """
        assert self.base.formula is not None
        numerator, denominator = map(as_integer, self.base.formula(n, m, A, B, P))
        if denominator:
            return Fraction(numerator, denominator)
        if numerator:
            raise ValueError(
                f"formula of statistic {self.base.name!r} must not divide by 0, except 0 by 0, got {numerator}/0 at "
                f"(n, m, A, B, P) = {(n, m, A, B, P)}"
            )
        if_undefined = self.base.undefined
        if if_undefined == if_undefined:
            return Fraction(if_undefined)
        return math.nan

    def exact_terms(
        self, n: int, sums: Iterable[np.ndarray], bound: int | None = None
    ) -> tuple[Whole, Whole]:
        """Return numerators and denominators of the formula as integers that do not overflow.

        Parameters
        ----------
        n : int
            Number of objects.
        sums : iterable of array
            The arrays m = n MED, and A, B and P: pairs of objects in common rows, columns and cells.
        bound : int, optional
            Upper bound of the sums, which is known without looking at them. Default: their largest number.

        Returns
        -------
        (Whole, Whole)
            They contain Python ints if 64 bits are too few.

        Examples
        --------
        >>> from confmat.statistics import STATISTICS
        >>> [x.values.tolist() for x in STATISTICS["rd"].exact_terms(4, np.array([[1, 0], [3, 3], [2, 3], [1, 3]]))]
        [[3, 0], 6]
        """
        formula = self.base.formula
        assert formula is not None
        columns = list(sums)
        try:
            terms = formula(n, *map(partial(Whole, bound=bound), columns))
        except TypeError:
            terms = formula(n, *(x.astype(object) for x in columns))
        numerator, denominator = terms
        if not isinstance(numerator, Whole):
            numerator = Whole(numerator)
        if not isinstance(denominator, Whole):
            denominator = Whole(denominator)
        return numerator, denominator

    def _approximate_keys(self, n: int, sums: np.ndarray) -> np.ndarray:
        """Return the values of the formula of ``base`` as floats.

        Parameters
        ----------
        n : int
            Number of objects.
        sums : array of int, shape (N, 4)
            Columns m = n MED, and A, B, P: pairs of objects in common rows, columns and cells.

        Returns
        -------
        array of float, shape (N,)
            NaN if undefined. The error is at most 1e-12 for values of moderate size and n up to 10^6.

        Examples
        --------
        >>> from confmat.statistics import STATISTICS
        >>> STATISTICS["ri"]._approximate_keys(4, np.array([[1, 3, 2, 1], [0, 3, 3, 3]]))  # of RD, its complement
        array([0.5, 0. ])
        """
        assert self.base.formula is not None
        ratio = self.base.formula(
            float(n),
            *sums.T.astype(float),
        )
        numerator, denominator = (np.broadcast_to(np.asarray(x, float), len(sums)) for x in ratio)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(
                denominator == 0,
                float(self.base.undefined),
                numerator / denominator,
            )

    def _approximate_values(self, matrices: MatrixClass, sums: np.ndarray) -> np.ndarray:
        """Return the values of the statistic at tables of a class as floats.

        Parameters
        ----------
        matrices : MatrixClass
            The class.
        sums : array of int, shape (N, 4)
            Columns m = n MED, and A, B, P: pairs of objects in common rows, columns and cells.

        Returns
        -------
        array of float, shape (N,)

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.statistics import STATISTICS
        >>> STATISTICS["ri"]._approximate_values(Tables(4, 2, 2), np.array([[1, 3, 2, 1]]))
        array([0.5])
        """
        keys = self._approximate_keys(matrices.n, sums)
        if self.base.root:
            values = np.sqrt(keys)
        else:
            values = keys
        if self.factor is not None:
            values = values * float(self.factor(matrices))
        return 1 - values if self.complement else values

    def over(self, matrices: MatrixClass) -> Callable[[int, int, int, int], Any]:
        """Return the statistic at tables of a class as a function of m, A, B and P.

        Parameters
        ----------
        matrices : MatrixClass
            The class.

        Returns
        -------
        callable
            Function of m = n MED, and of A, B, P: the numbers of pairs of objects in common rows, columns and
            cells. It returns nan if the value is undefined, and a `RootSum` for a square root.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.statistics import STATISTICS
        >>> STATISTICS["nmed"].over(Tables(4, 2, 2))(1, 3, 2, 1)
        Fraction(1, 2)
        """
        n = matrices.n
        base = self.base
        if self.factor is not None and matrices:
            factor = self.factor(matrices)
        else:
            factor = None
        if factor is not None and factor < 0:
            raise ValueError(f"factor of {self.name!r} must not be negative, got {factor} for {matrices!r}")

        def value(m: int, A: int, B: int, P: int) -> Any:
            x: Any = base.key(n, m, A, B, P)
            if x != x:
                return math.nan  # one object for all, so that equal tuples of values are found equal
            if base.root:
                x = RootSum.sqrt(Fraction(x))
            if factor is not None:
                x = x * factor
            return 1 - x if self.complement else x

        return value

    def __call__(self, matrix: Any) -> Number:
        """Return the value of a matrix: a Fraction or another exact number, a float if not exact, nan if undefined.

        >>> from confmat.statistics import STATISTICS
        >>> STATISTICS["ari"]([[42, 8], [9, 41]]), STATISTICS["vi"]([[1, 1], [1, 1]])
        (Fraction(35104, 81667), 2*log(2))
        """
        if self.counted:
            value_of_counts = self.over(FixedMargins(*margins(matrix)))
            return value_of_counts(*self._counts(matrix))
        assert self.function is not None
        # Functions of the package accept sparse matrices, user-defined functions only arrays.
        table: Any = as_matrix(as_confusion_table(matrix) if self.pairs_classes else matrix)
        return as_number(self, self.function(table if self.index is not None else dense(table)))

    def _counts(self, matrix: Any) -> tuple[int, int, int, int]:
        """Return m = n MED, and the numbers A, B and P of pairs in common rows, columns and cells of a matrix.

        m is 0 if the formula does not use it.
        """
        sums = PairSums.of(matrix)
        m = sums.n - best_matching(matrix).total if "m" in self.base.depends else 0
        return m, sums.A, sums.B, sums.P

    def counted_of(self, m: int, A: int, B: int, P: int) -> tuple[int, int, int, int]:
        """Return m, A, B and P as compiled functions count them for this statistic.

        Arguments that the formula does not use are replaced by 0. If the formula uses A, B and P only as A + B - 2P,
        this number is in place of A.

        Parameters
        ----------
        m : int
            The number n MED of objects outside the best matching of rows to columns.
        A, B, P : int
            Numbers of pairs of objects in a common row, in a common column and in a common cell.

        Returns
        -------
        tuple of int

        Examples
        --------
        >>> from confmat.statistics import STATISTICS
        >>> STATISTICS["rd"].counted_of(1, 3, 2, 1)
        (0, 3, 0, 0)
        """
        if self.depends == "m":
            return m, 0, 0, 0
        if "m" not in self.depends:
            m = 0
        if "F" in self.depends:
            return m, A + B - 2 * P, 0, 0
        return m, A, B, P

    def _try_formula(self) -> None:
        """Check that the formula accepts integers and arrays, and does not use more arguments than ``depends``."""
        for n, m, a, b, p in _TRIED if self.tested else _small_sums():
            try:
                value = self.key(n, m, a, b, p)
                rough = self._approximate_keys(n, np.array([[m, a, b, p]] * 2))
                exact = self.exact_terms(n, np.array([[m], [a], [b], [p]]))
            except (TypeError, ValueError) as error:
                raise type(error)(
                    f"formula must return two integers for integers, and two arrays for arrays: {self.name!r} "
                    f"does not at (n, m, A, B, P) = {(n, m, a, b, p)}: {error}"
                ) from None
            assert self.formula is not None
            terms = [*map(as_integer, self.formula(n, m, a, b, p))]
            of_arrays = [np.ravel(x.values).tolist()[0] for x in exact]
            if of_arrays != terms:
                raise ValueError(
                    f"formula must return the same value for integers and for arrays of integers, "
                    f"got {terms} and {of_arrays}"
                )
            if not np.allclose(rough, float(value), rtol=1e-12, equal_nan=True):
                raise ValueError(
                    f"formula must return the same value for numbers and for arrays, got {value} and {rough[0]}"
                )
            of_less = self.key(n, *self.counted_of(m, a, b, p))
            if not same_value(value, of_less):
                raise ValueError(
                    f"depends must include all arguments that {self.name!r} uses, got {self.depends!r}"
                )
            if "transposition" in self.generators and not same_value(value, self.key(n, m, b, a, p)):
                raise ValueError(
                    f"symmetry must be 'permutations' for {self.name!r}, which transposition changes, got "
                    f"{self.symmetry!r}"
                )


@lru_cache(maxsize=1)
def _small_sums() -> tuple[tuple[int, int, int, int, int], ...]:
    """Return the distinct tuples (n, m, A, B, P) of all small tables and of three larger ones.

    m = n MED. A, B and P are the numbers of pairs of objects in common rows, columns and cells.
    """
    found = dict.fromkeys(_TRIED)
    for tables in small_tables():
        for table in tables:
            sums = PairSums.of(table)
            found[sums.n, sums.n - best_matching(table).total, sums.A, sums.B, sums.P] = None
    return tuple(found)


def shared_symmetry(statistics: Iterable[Statistic]) -> Generators:
    """Return generators of the symmetry that leaves all statistics unchanged.

    Without statistics return all generators.

    >>> corner = Statistic("corner", lambda table: table[0, 0])
    >>> shared_symmetry([corner, Statistic("total", np.sum, symmetry="transposition")])
    frozenset()
    """
    return ALL.intersection(*(statistic.generators for statistic in statistics))


def as_number(statistic: Statistic, value: Any) -> Number:
    """Convert the result of a statistic's function to a Fraction, another exact number or a float.

    A pair is a fraction, and (0, 0) is undefined (nan). Raise TypeError if the result is not a number, and
    ValueError for a pair (x, 0). The message names the statistic.

    >>> as_number(Statistic("half", lambda table: (1, 2)), (1, 2))
    Fraction(1, 2)
    """
    if isinstance(value, tuple) and len(value) == 2:
        numerator = int(value[0])
        denominator = int(value[1])
        if denominator == 0 and numerator != 0:
            raise ValueError(
                f"statistic {statistic.name!r} returned {value!r}, a fraction with denominator 0"
            )
        if denominator:
            return _rounded(statistic, Fraction(numerator, denominator))
        return math.nan
    if isinstance(value, Exact) and statistic.exact:
        return cast(Number, value)
    if isinstance(value, (float, np.floating, Exact)):
        return float(value)
    if isinstance(value, (int, np.integer, np.bool_, Fraction)):
        return _rounded(statistic, Fraction(value if isinstance(value, Fraction) else int(value)))
    raise TypeError(
        f"statistic {statistic.name!r} must return an int, a Fraction, a pair of ints or a float, got {value!r}"
    )


def _rounded(statistic: Statistic, value: Fraction) -> Number:
    """Return a value unchanged if the statistic is exact, otherwise as a float."""
    return value if statistic.exact else float(value)


def same_value(x: Number, y: Number) -> bool:
    """Return whether the values ``x`` and ``y`` are equal. Two undefined values are equal, and floats up to rounding.

    >>> same_value(0.1 + 0.2, 0.3), same_value(math.nan, math.nan), same_value(Fraction(10**30), Fraction(10**30 + 1))
    (True, True, False)
    """
    double = isinstance(x, float) or isinstance(y, float)
    return x == y or (x != x and y != y) or (double and math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-9))


def sort_key(x: Number) -> tuple[bool, float, Number]:
    """Return a key for sorting values in increasing order, with undefined values (nan) last.

    Values are compared by their floats, and exactly only if these are equal. The order is exact, because rounding
    is monotone. This is several times faster than comparing Fractions.

    >>> sorted([math.nan, Fraction(1, 2), 0.25], key=sort_key)
    [0.25, Fraction(1, 2), nan]
    """
    if x != x:
        return True, 0, 0
    try:
        return False, float(x), x
    except OverflowError:
        return False, math.inf if x > 0 else -math.inf, x
