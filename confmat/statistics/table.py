"""The table of statistics by name: those of the package, one's own, those that a text makes of others; their values.

The records stand at the functions of `confmat.indices`, those of classifiers in ``classifiers``.  Those of two
clusterings, and texts such as "ard/med", have a formula in the MED and the pair sums A, B, P, which the fast kernels
count.  Metrics of a classifier (rows = truth), and functions of one's own, are evaluated at every table that their
symmetry leaves to visit.  Values are numbers, or arrays of exact ratios, and the operators of formulas take both.  The
values over a whole class: ``confmat.distributions.supports``.
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
from confmat.statistics.classifiers import CLASSIFIERS
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
    """The statistic that a text says in terms of others with formulas, +, -, *, / and numbers; undefined where one is.

    A division by 0 is undefined.  ValueError for what is no such text, and for statistics without a formula, with
    square roots, or that depend on the class (nmed, nrd, mirkin).

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
        raise ValueError(f"statistic must name a statistic, got {text!r}")

    return Statistic(
        text,
        formula=partial(_value_of_tree, tree),
        depends=_depends({part.base.depends for part in parts}),
        symmetry=shared_symmetry(parts),
        tested=True,
    )


def assumptions_of(statistics: Iterable[Statistic]) -> tuple[str, ...]:
    """Return what an answer on some statistics assumes: declared symmetries, tested on small tables alone, and floats.

    >>> largest = Statistic("largest", np.max, symmetry="permutations")
    >>> assumptions_of([as_statistic("ari"), largest])
    ('declared symmetry of largest',)
    """
    names = {}
    for x in chain.from_iterable(map(statistics_in, statistics)):
        declared: Any = x.generators
        if x.counted:
            declared = declared - PERMUTATIONS or x.base.depends != "mABP"
        if declared and not (x.tested or x.base.tested):
            names[f"declared symmetry of {x.name}"] = True
        if x.is_rounded:
            names[f"floating-point values of {x.name}"] = True
    return tuple(names)


def statistics_in(statistic: Statistic) -> Sequence[Statistic]:
    """What a derived statistic combines, and so is as certain as; itself of any other.

    >>> from confmat.statistics import STATISTICS
    >>> [x.name for x in statistics_in(derived("1 - ard/med", STATISTICS))]
    ['ard', 'med']
    """
    formula: Any = statistic.base.formula
    is_derived = isinstance(formula, partial) and formula.func is _value_of_tree
    return named_in(*formula.args) if is_derived else [statistic]  # type: ignore[return-value]


def _value_of_tree(tree: Any, *sums: Any) -> Quotient:
    """The value of a text from n, m, A, B and P."""
    return fold(tree, lambda part: _quotient(part, *sums), _combined)


def _depends(parts: set[str]) -> str:
    """The least of the ways to say what all of them look at.

    >>> _depends({"m", "F"}), _depends({"F", "ABP"}), _depends({"F", "mABP"})
    ('mF', 'ABP', 'mABP')
    """
    letters = set("".join(parts))
    if "A" in letters:
        letters.discard("F")  # A + B - 2P
    return next(way for way in DEPENDENCES if letters <= set(way))


def _quotient(part: Statistic, *sums: Any) -> Quotient:
    """Numerator and denominator, that of a value where 0/0 has one."""
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
    """1 where a number is 0, else 0."""
    if isinstance(x, Whole):
        return Whole((x.values == 0).astype(np.int64), 1)
    return (x == 0) * 1


def _combined(sign: str, parts: tuple[Any, ...]) -> Quotient:
    """An operator applied to quotients; 0/0 for what is undefined."""
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

_by_other_names = {name: statistic for statistic in _known.values() for name in statistic.names}

OTHER_NAMES = {"trace": "accuracy", "pairs": "ri"}
"""Names of sums over cells, in tests of a table, and the statistics that stand for them."""


class _Table(Mapping[str, Statistic]):
    """Every statistic by its name, iterated once each; looked up under its other names too."""

    def __getitem__(self, name: str) -> Statistic:
        for word in (name, name.lower() if isinstance(name, str) else name):
            for records in (_known, _own, _by_other_names):
                if word in records:
                    return records[word]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        yield from _known
        yield from _own

    def __len__(self) -> int:
        return len(_known) + len(_own)

    def __repr__(self) -> str:
        return f"<statistics {', '.join(self)}>"


STATISTICS: Mapping[str, Statistic] = _Table()
"""Every statistic by its name, those registered at run time last; under other names too: "adjusted_rand_score"."""


def package_names(statistics: Iterable[Statistic]) -> list[str]:
    """The names of some of the package's statistics, which stand for them anywhere; UnsupportedError for one's own.

    >>> package_names([as_statistic("med"), as_statistic("ard")])
    ['med', 'ard']
    """
    for statistic in statistics:
        if not is_known(statistic):
            raise UnsupportedError(
                f"a name says what one of the package's statistics is: {statistic.name!r} is one's own, "
                "which its name does not tell"
            )
    return [statistic.name for statistic in statistics]


def _pickled(statistic: Statistic) -> Any:
    """One of the package's by its name, so that it is the same record elsewhere; one's own by its fields."""
    if is_known(statistic):
        return as_statistic, (statistic.name,)
    return object.__reduce_ex__(statistic, 2)


copyreg.pickle(Statistic, _pickled)


def is_known(statistic: Statistic) -> bool:
    """Whether it is one of the package's own, whose declarations are tried in its tests.

    >>> is_known(as_statistic("med")), is_known(Statistic("med", len))
    (True, False)
    """
    return _known.get(statistic.name) is statistic


def register(statistic: Statistic) -> Statistic:
    """Put a statistic of one's own into the table: its short name then stands wherever a name does.

    Raises TypeError for what is no ``Statistic``, ValueError for a name that is no identifier, or that means something
    to any part of the package: ``meaning_of``.

    >>> largest = register(Statistic("largest", lambda table: int(table.max()), symmetry="transposition"))
    >>> largest is STATISTICS["largest"] is as_statistic("largest")
    True
    >>> unregister("largest")
    """
    if not isinstance(statistic, Statistic):
        raise TypeError(f"statistic must be a Statistic, got {statistic!r}")
    for name in (statistic.name, *statistic.names):
        if not name.isidentifier():
            raise ValueError(f"statistic must have an identifier for a name, got {name!r}")
        meaning = meaning_of(name)
        if meaning:
            raise ValueError(f"statistic must have a name that is free, got {name!r}, {meaning}")
    _own[statistic.name] = statistic
    _by_other_names.update(dict.fromkeys(statistic.names, statistic))
    _of_text.cache_clear()
    return statistic


def meaning_of(name: str) -> str | None:
    """Return what a name means to any part of the package, None if it is free.

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
    """Take a statistic of one's own out of the table; ValueError for any other name.

    >>> unregister("med")
    Traceback (most recent call last):
    ...
    ValueError: name must be one that was registered, got 'med'
    """
    if name not in _own:
        raise ValueError(f"name must be one that was registered, got {name!r}")
    for other_name in _own.pop(name).names:
        del _by_other_names[other_name]
    _of_text.cache_clear()


def as_statistic(statistic: str | Statistic | Callable[[np.ndarray], Any]) -> Statistic:
    """A ``Statistic`` from a short name, a text such as "ard/med", an index function, one's own, or itself.

    Of a function of one's own no symmetry is assumed.

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
            hint = meant_among(statistic, STATISTICS) or f", which is none of {', '.join(STATISTICS)}"
            raise ValueError(f"statistic must be the name of a statistic, got {statistic!r}{hint}")
        return record
    if not callable(statistic):
        raise TypeError(f"statistic must be a short name or a function of a matrix, got {statistic!r}")
    return known_of(statistic) or Statistic(name_of(statistic), statistic)


@lru_cache(1024)
def _of_text(text: str) -> Statistic:
    """A derived statistic, whose formula is tried once: a millisecond."""
    return derived(text, STATISTICS)


def known_of(function: Callable[..., Any]) -> Statistic | None:
    """The statistic of the table that users call by a function; None for a function of one's own.

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
    """What a function is called, for people to read.

    >>> name_of(len), name_of(partial(max, 3))
    ('len', 'statistic')
    """
    return str(getattr(function, "__name__", "statistic"))


def _called(function: Callable[..., Any]) -> tuple[Callable[..., Any], dict[str, Any]]:
    """A function and the options it is called with, defaults included; ``exact`` changes no statistic.

    So ``wallace`` is ``partial(wallace, direction="ab")``.
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
    """Raise ValueError for a statistic that relabels rows and columns together, over matrices that are not square.

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
    """Number of pairs of labelings with this contingency matrix, n!/prod x!.

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
    """A value as a Fraction, a root or a float.

    >>> as_number(np.int64(3)), as_number(np.float64(0.5))
    (Fraction(3, 1), 0.5)
    """
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, np.floating):
        return float(value)
    return value


def sizes_of(n: int, shape: tuple[int, ...]) -> dict[str, Fraction]:
    """What n, r and s stand for in a formula.

    >>> sizes_of(20, (3, 4))["s"]
    Fraction(4, 1)
    """
    return dict(zip(SIZES, map(Fraction, (n, *shape))))


# --- on arrays ------------------------------------------------------------------------------------


def ratios_of(statistic: Statistic, matrices: MatrixClass, sums: Iterable[np.ndarray]) -> Ratio:
    """The values of a statistic with a formula over members of a class, from arrays m, A, B and P.

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
    """An operator applied to ratios or truths, in arrays."""
    if sign in TRUTHS:
        return TRUTHS[sign](*parts)
    if any(isinstance(x, Exact) for x in parts):
        raise IrrationalSum
    numbers = [_constant(x) if isinstance(x, Fraction) else x for x in parts]
    if sign in RELATION_SIGNS:
        return numbers[0].compared(sign, numbers[1])
    return OPERATORS[sign](*numbers)


def statistics_over(matrices: MatrixClass, statistics: Iterable[Any]) -> tuple[Statistic, ...]:
    """Statistics by name, function or record, all of which a class can have; TypeError, ValueError.

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
