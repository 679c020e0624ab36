"""Registry of statistics by name: those of the package, user-defined ones, and combinations such as "ard/med".

Statistics of two clusterings and their combinations have a formula in n, m = n MED, A, B and P, which compiled
functions count. A, B and P are the numbers of pairs of objects in a common row, in a common column and in a common
cell. Metrics of a classifier and user-defined functions are evaluated at every table up to their symmetry.
"""

from __future__ import annotations

import copyreg
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain
from math import factorial, prod
from numbers import Integral
from operator import attrgetter
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.orbits import PERMUTATIONS
from confmat.errors import UnsupportedError
from confmat.indices.numbers import Exact
from confmat.statistics.classifiers import CLASSIFIERS, OF_POSITIVE_CLASS
from confmat.statistics.clusterings import ASSOCIATION, CLUSTERINGS
from confmat.statistics.grammar import (
    ARITHMETIC,
    CONNECTIVES,
    EXISTS,
    NUMBERS,
    RELATION_SIGNS,
    SIZES,
    fold,
    found_among,
    meant_among,
    named_in,
    parse,
)
from confmat.statistics.ratios import COMPARISONS, IrrationalSum, Ratio, Whole
from confmat.statistics.record import DEPENDENCES, Formula, Statistic, shared_symmetry

Quotient = tuple[Any, Any]


def derived(text: str, known: Mapping[str, Statistic]) -> Statistic:
    """Return the statistic that a string such as "ard/med" defines from statistics with formulas, numbers and + - * /.

    It is undefined at a table if one of its statistics is, or if it divides by 0. Raise ValueError for any other
    text. Statistics without a formula, with a square root, or that depend on the class (nmed, nrd, mirkin) are not
    allowed.

    >>> from confmat.statistics import STATISTICS
    >>> ratio = derived("ard/med", STATISTICS)
    >>> ratio([[2, 1], [1, 2]]), ratio([[2, 0], [0, 2]])
    (Fraction(10, 3), nan)
    """
    tree = parse(text, known, argument="statistic", number=True)
    parts: Any = named_in(tree)
    for part in parts:
        if not part.counted or part.base.root or part.factor is not None:
            raise ValueError(
                "statistic must combine statistics with formulas in m, A, B and P, "
                f"got {text!r}: {part.name} has none"
            )
    if not parts:
        raise ValueError(f"statistic must contain the name of a statistic, got {text!r}")

    return Statistic(
        text,
        formula=partial(_value_of_tree, tree),
        depends=_depends({part.base.depends for part in parts}),
        symmetry=shared_symmetry(parts),
        tested=True,
    )


def assumptions_of(statistics: Iterable[Statistic]) -> tuple[str, ...]:
    """Return the assumptions of a result on some statistics, as texts.

    Assumptions are declared symmetries that were tested only on small tables, and values in floating point. A
    statistic that is a factor times one of the package, as in the second example, has the tested symmetry of the
    latter.

    >>> largest = Statistic("largest", np.max, symmetry="permutations")
    >>> assumptions_of([as_statistic("ari"), largest])
    ('declared symmetry of largest',)
    >>> med = as_statistic("med")
    >>> assumptions_of([Statistic("half", of=med, factor=lambda tables: Fraction(1, 2), symmetry="transposition")])
    ()
    """
    names = {}
    for x in chain.from_iterable(map(statistics_in, statistics)):
        is_declared: Any = x.generators
        if x.counted:
            # Permutations leave m, A, B and P unchanged. Declared are transposition, and arguments that are not used.
            is_declared = x.generators - PERMUTATIONS or x.base.depends != "mABP"
        if is_declared and not (x.tested or x.base.tested):
            names[f"declared symmetry of {x.name}"] = True
        if x.is_rounded:
            names[f"floating-point values of {x.name}"] = True
    return tuple(names)


def statistics_in(statistic: Statistic) -> Sequence[Statistic]:
    """Return the statistics that a derived statistic combines, or the statistic itself.

    >>> from confmat.statistics import STATISTICS
    >>> [x.name for x in statistics_in(derived("1 - ard/med", STATISTICS))]
    ['ard', 'med']
    """
    formula: Any = statistic.base.formula
    is_derived = isinstance(formula, partial) and formula.func is _value_of_tree
    return named_in(*formula.args) if is_derived else [statistic]  # type: ignore[return-value]


def _value_of_tree(tree: Any, *sums: Any) -> Quotient:
    """Return numerator and denominator of the parsed formula ``tree``.

    ``sums`` are n, m = n MED, and A, B, P: pairs of objects in common rows, columns and cells.
    """
    return fold(tree, lambda part: _quotient(part, *sums), _combined)


def _depends(parts: set[str]) -> str:
    """Return the smallest value of `Statistic.depends` that includes all values in ``parts``.

    >>> _depends({"m", "F"}), _depends({"F", "ABP"}), _depends({"F", "mABP"})
    ('mF', 'ABP', 'mABP')
    """
    letters = set("".join(parts))
    if "A" in letters:
        letters.discard("F")  # A + B - 2P
    return next(way for way in DEPENDENCES if letters <= set(way))


def _quotient(part: Statistic, *sums: Any) -> Quotient:
    """Return numerator and denominator of the statistic ``part``. For 0/0 they are those of its declared value.

    ``sums`` are n, m = n MED, and A, B, P: pairs of objects in common rows, columns and cells.
    """
    formula: Formula | None = part.base.formula
    assert formula is not None
    numerator, denominator = formula(*sums)
    if (if_undefined := part.base.undefined) == if_undefined:
        value = Fraction(if_undefined)
        is_nothing = _is_zero(denominator)
        numerator = numerator + is_nothing * value.numerator
        denominator = denominator + is_nothing * value.denominator
    if part.complement:
        return denominator - numerator, denominator
    return numerator, denominator


def _is_zero(x: Any) -> Any:
    """Return 1 for 0 and 0 for other numbers, elementwise."""
    if isinstance(x, Whole):
        return Whole((x.values == 0).astype(np.int64), 1)
    return (x == 0) * 1


def _combined(sign: str, parts: tuple[Any, ...]) -> Quotient:
    """Return the result of the operator ``sign`` on quotients (numerator, denominator), as numerator and denominator.

    A division by 0 gives 0/0.
    """
    pairs = [x.as_integer_ratio() if isinstance(x, Fraction) else x for x in parts]
    return _OPERATORS[sign](*(number for pair in pairs for number in pair))


_OPERATORS: dict[str, Callable[..., Quotient]] = {
    "neg": lambda p, q: (-p, q),
    "+": lambda p, q, x, y: (p * y + x * q, q * y),
    "-": lambda p, q, x, y: (p * y - x * q, q * y),
    "*": lambda p, q, x, y: (p * x, q * y),
    # Multiplied by x above and below, so that a division by 0 is 0/0.
    "/": lambda p, q, x, y: (p * y * x, q * x * x),
}


_own: dict[str, Statistic] = {}
_known = {statistic.name: statistic for statistic in (*CLUSTERINGS, *ASSOCIATION, *CLASSIFIERS)}

# Statistics by all their names in lower case.
_by_word = dict(OF_POSITIVE_CLASS)
for _statistic in _known.values():
    _by_word.update(dict.fromkeys((_statistic.name, *_statistic.names), _statistic))

OTHER_NAMES = {"trace": "accuracy", "pairs": "ri"}
"""Names of sums over cells in tests of a table, with the equivalent statistics."""


class _Table(Mapping[str, Statistic]):
    """Mapping of names to statistics. A lookup accepts other names too, but iteration yields each statistic once."""

    def __getitem__(self, name: str) -> Statistic:
        return _by_word[name.lower() if isinstance(name, str) else name]

    def __iter__(self) -> Iterator[str]:
        yield from _known
        yield from _own

    def __len__(self) -> int:
        return len(_known) + len(_own)

    def __repr__(self) -> str:
        return f"<statistics {', '.join(self)}>"


STATISTICS: Mapping[str, Statistic] = _Table()
"""Registry of all statistics by name, also by other names such as "adjusted_rand_score". User-defined ones are last."""


def package_names(statistics: Iterable[Statistic]) -> list[str]:
    """Return the names of statistics of the package. Raise UnsupportedError for a user-defined statistic.

    >>> package_names([as_statistic("med"), as_statistic("ard")])
    ['med', 'ard']
    """
    for statistic in statistics:
        if not is_known(statistic):
            raise UnsupportedError(
                f"statistics must be those of the package, got the user-defined statistic {statistic.name!r}"
            )
    return [statistic.name for statistic in statistics]


def _pickled(statistic: Statistic) -> Any:
    """Return the arguments that restore a statistic from a pickle.

    A statistic of the package is restored by its name, so that it is the same object.
    """
    if is_known(statistic):
        return as_statistic, (statistic.name,)
    return object.__reduce_ex__(statistic, 2)


copyreg.pickle(Statistic, _pickled)


def is_known(statistic: Statistic) -> bool:
    """Return whether a statistic belongs to the package, so that the package's tests check its properties.

    >>> is_known(as_statistic("med")), is_known(Statistic("med", len))
    (True, False)
    """
    return _known.get(statistic.name) is statistic


def register(statistic: Statistic) -> Statistic:
    """Add a user-defined statistic to the registry, so that its short name is accepted everywhere.

    Parameters
    ----------
    statistic : Statistic

    Returns
    -------
    Statistic
        The same statistic.

    Raises
    ------
    TypeError
        If it is not a ``Statistic``.
    ValueError
        If its name is not an identifier or already has a meaning.

    Examples
    --------
    >>> largest = register(Statistic("largest", lambda table: int(table.max()), symmetry="transposition"))
    >>> largest is STATISTICS["largest"] is as_statistic("largest")
    True
    >>> unregister("largest")
    """
    if not isinstance(statistic, Statistic):
        raise TypeError(f"statistic must be a Statistic, got {statistic!r}")
    for name in (statistic.name, *statistic.names):
        if not name.isidentifier():
            raise ValueError(f"statistic must have an identifier as name, got {name!r}")
        meaning = meaning_of(name)
        if meaning:
            raise ValueError(f"statistic must have an unused name, got {name!r}, which is {meaning}")
    _own[statistic.name] = statistic
    for name in (statistic.name, *statistic.names):
        _by_word[name.lower()] = statistic
    _of_text.cache_clear()
    return statistic


def meaning_of(name: str) -> str | None:
    """Return a description of the present meaning of a name in the package, or None if the name is not used.

    >>> meaning_of("acc"), meaning_of("sari"), meaning_of("ard_max"), meaning_of("exists"), meaning_of("largest")
    ('a statistic', 'a soft index', 'a number of distributions', 'a word of statements', None)
    """
    from confmat.indices.soft.relabelings import INDICES

    if name in STATISTICS or name in OTHER_NAMES:
        return "a statistic"
    if name in INDICES:
        return "a soft index"
    base, _, ending = name.rpartition("_")
    if base in STATISTICS and ending in NUMBERS:
        return "a number of distributions"
    if name in CONNECTIVES or name in SIZES or name == EXISTS:
        return "a word of statements"
    return None


def unregister(name: str) -> None:
    """Remove a user-defined statistic from the registry.

    Parameters
    ----------
    name : str

    Raises
    ------
    ValueError
        If the name was not registered.

    Examples
    --------
    >>> unregister("med")
    Traceback (most recent call last):
    ...
    ValueError: name must be that of a registered statistic, got 'med'
    """
    if name not in _own:
        raise ValueError(f"name must be that of a registered statistic, got {name!r}")
    for word in (name, *_own.pop(name).names):
        del _by_word[word.lower()]
    _of_text.cache_clear()


def as_statistic(statistic: str | Statistic | Callable[[np.ndarray], Any]) -> Statistic:
    """Return the ``Statistic`` of a name, a formula or a function.

    Parameters
    ----------
    statistic : str, Statistic or callable
        Short name, text such as "ard/med", function of an index, user-defined function of a matrix, or a
        ``Statistic``. A user-defined function is assumed to have no symmetry.

    Returns
    -------
    Statistic

    Raises
    ------
    ValueError
        If the name is unknown.
    TypeError
        If the argument is neither a string nor callable.

    Examples
    --------
    >>> as_statistic("med").name, as_statistic("cor").name
    ('med', 'accuracy')
    >>> from confmat.indices import partition
    >>> as_statistic(partition.med) is as_statistic("med")
    True
    """
    if isinstance(statistic, Statistic):
        return statistic
    if isinstance(statistic, str):
        record = found_among(statistic, STATISTICS)
        if record is None and any(sign in statistic for sign in "+-*/"):
            return _of_text(statistic)
        if record is None:
            hint = meant_among(statistic, STATISTICS) or ". Run `confmat statistics` for the list"
            raise ValueError(f"statistic must be the name of a statistic, got {statistic!r}{hint}")
        return record
    if not callable(statistic):
        raise TypeError(
            f"statistic must be the short name of a statistic or a function of a matrix, got {statistic!r}"
        )
    return known_of(statistic) or Statistic(name_of(statistic), statistic)


@lru_cache(1024)
def _of_text(text: str) -> Statistic:
    """Return the statistic that a string defines, from a cache: testing its formula takes a millisecond."""
    return derived(text, STATISTICS)


def known_of(function: Callable[..., Any]) -> Statistic | None:
    """Return the statistic in the registry that a function computes, or None.

    >>> from confmat.indices import partition
    >>> known_of(partition.med).name, known_of(len)
    ('med', None)
    """
    call = _called(function)
    for record in STATISTICS.values():
        ways_to_call = (record.index, record.function, *record.aliases)
        if any(_called(way) == call for way in ways_to_call if way is not None):
            return record
    return None


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function for messages, "statistic" if it has none.

    >>> name_of(len), name_of(partial(max, 3))
    ('len', 'statistic')
    """
    return str(getattr(function, "__name__", "statistic"))


def _called(function: Callable[..., Any]) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return a function and its keyword arguments, including defaults, but without ``exact``.

    Two ways to call the same function are thus equal: ``kappa`` and ``partial(kappa, rows=None)``.
    """
    options: dict[str, Any] = {}
    if isinstance(function, partial) and not function.args:
        options = function.keywords
        function = function.func
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a function of C that does not say
        parameters = []
    defaults = {x.name: x.default for x in parameters if x.default is not x.empty}
    return function, {name: value for name, value in (defaults | options).items() if name != "exact"}


def check_square(matrices: MatrixClass, statistics: tuple[Statistic, ...]) -> None:
    """Raise ValueError if matrices are not square but a statistic needs the same classes in rows and columns.

    >>> from confmat.classes import Tables
    >>> check_square(Tables(4, 2, 3), (as_statistic("med"),))
    >>> check_square(Tables(4, 2, 3), (as_statistic("cor"),))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: statistic 'accuracy' needs square matrices (rows and columns are the same classes), got ...
    """
    r, s = matrices.shape
    for statistic in statistics:
        if statistic.pairs_classes and r != s:
            raise ValueError(
                f"statistic {statistic.name!r} needs square matrices (rows and columns are the same classes), "
                f"got {matrices!r}"
            )


def labelings(table: np.ndarray) -> int:
    """Return the number of pairs of labelings with a given contingency matrix.

    It is n! divided by the product of x! over the cells x.

    >>> labelings(np.array([[1, 1], [0, 2]]))
    12
    """
    cells = table.ravel().tolist()
    return factorial(sum(cells)) // prod(map(factorial, cells))


# --- on numbers -----------------------------------------------------------------------------------

TRUTHS: dict[str, Callable[..., Any]] = {
    "and": lambda *parts: np.logical_and.reduce(np.broadcast_arrays(*parts)),
    "or": lambda *parts: np.logical_or.reduce(np.broadcast_arrays(*parts)),
    "not": np.logical_not,
    "->": lambda given, then: np.logical_or(np.logical_not(given), then),
}

OPERATORS = ARITHMETIC | COMPARISONS


def as_number(value: Any) -> Any:
    """Convert an integer to a Fraction and a NumPy float to a float. Return other numbers unchanged.

    >>> as_number(np.int64(3)), as_number(np.float64(0.5))
    (Fraction(3, 1), 0.5)
    """
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, np.floating):
        return float(value)
    return value


def sizes_of(n: int, shape: tuple[int, ...]) -> dict[str, Fraction]:
    """Return a dict with the numbers n, r and s.

    >>> sizes_of(20, (3, 4))["s"]
    Fraction(4, 1)
    """
    return dict(zip(SIZES, map(Fraction, (n, *shape))))


# --- on arrays ------------------------------------------------------------------------------------


def ratios_of(statistic: Statistic, matrices: MatrixClass, sums: Iterable[np.ndarray]) -> Ratio:
    """Return the values of a statistic with a formula at tables of a class.

    ``sums`` are the arrays m = n MED, and A, B, P: pairs of objects in common rows, columns and cells.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import STATISTICS
    >>> rd = ratios_of(STATISTICS["rd"], Tables(4, 2, 2), np.array([[1, 0], [3, 2], [2, 2], [1, 2]]))
    >>> of_ratios(">", (rd, Fraction(1, 3)))
    array([ True, False])
    """
    base = statistic.base
    terms = base.exact_terms(matrices.n, sums)
    if base.undefined != base.undefined:
        if_undefined = None
    else:
        if_undefined = Fraction(base.undefined)
    values = Ratio.of(*terms, undefined=if_undefined, root=base.root)
    if statistic.factor is not None:
        values = values * _constant(statistic.factor(matrices))
    if statistic.complement:
        return _constant(Fraction(1)) - values
    return values


def _constant(value: Fraction) -> Ratio:
    return Ratio.of(value.numerator, value.denominator)


def of_ratios(sign: str, parts: tuple[Any, ...]) -> Any:
    """Return the elementwise result of the operator ``sign`` of a formula. ``parts`` are ratios or truth values."""
    if sign in TRUTHS:
        return TRUTHS[sign](*parts)
    if any(isinstance(x, Exact) for x in parts):
        raise IrrationalSum
    numbers = [_constant(x) if isinstance(x, Fraction) else x for x in parts]
    if sign in RELATION_SIGNS:
        return numbers[0].compared(sign, numbers[1])
    return OPERATORS[sign](*numbers)


def statistics_over(matrices: MatrixClass, statistics: Iterable[Any]) -> tuple[Statistic, ...]:
    """Return statistics from names, functions or records.

    Raise TypeError or ValueError if there is no statistic, an entry is not valid, or names are repeated. Raise
    ValueError if a statistic needs square matrices and those of the class are not.

    >>> from confmat.classes import Tables
    >>> [statistic.name for statistic in statistics_over(Tables(4, 2, 2), ["med", "ari"])]
    ['med', 'ari']
    """
    listed = [x for one in statistics for x in (one if isinstance(one, list | tuple) else [one])]
    records = tuple(map(as_statistic, listed))
    if not records:
        raise ValueError('statistics must name at least one statistic, such as "med"')
    names = [*map(attrgetter("name"), records)]
    if len(set(names)) < len(names):
        raise ValueError(f"statistics must have different names, got {names}")
    check_square(matrices, records)
    return records
