"""What is declared of a statistic, a predicate or a class of one's own is tried before it is used.

The package's own statistics, statements and classes are tried in its tests.

>>> from confmat.classes import Tables
>>> tried(Tables(6, 2, 2), [Statistic("most", np.max, symmetry="transposition")])
True
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import lru_cache, wraps
from itertools import count, filterfalse, islice, takewhile
from math import comb
from typing import Any

import numpy as np

from confmat.classes import MatrixClass, RandomModel
from confmat.classes.matrix_class import first_members
from confmat.classes.orbits import ONLY_SQUARE, Generators, images, nested
from confmat.engine.tables import largest_table, random_table, tables_of_margins
from confmat.engine.walks import numbered, pair_sums, values_at
from confmat.errors import ConsistencyError, SymmetryError
from confmat.integers.arrays import groups
from confmat.matrices.texts import matrix_text
from confmat.statistics.record import Number, Statistic, same_value
from confmat.statistics.table import is_known, statistics_in

# What an answer rests on where trying is no proof.
DECLARED = "given the declared symmetry"

# All tables of small totals, so many (and so many cells) of one shape; then so many members of the class, drawn.
MOST_TABLES_TRIED = 10**5
MOST_CELLS_TRIED = 4 * 10**6
DRAWN = 1000
_DRAWN_CELLS = 10**5
_EXCHANGES = 8

# A class with so many members is tried on all of them.
MOST_MEMBERS = 10**4

# Some values, most of them distinct, and the position of each table's value among them.
ValuesAndPlaces = tuple[list[Any], np.ndarray]


@dataclass(frozen=True)
class Declared:
    """A function of a table of which a symmetry is declared: its name in messages, and how it is evaluated at many.

    ``subject`` tells it from others: what was tried of it within one question is not tried again.
    """

    name: str
    subject: Any
    symmetry: Generators
    evaluate: Callable[[np.ndarray], ValuesAndPlaces] = field(compare=False)


def tried(matrices: MatrixClass | RandomModel, statistics: Iterable[Statistic]) -> bool:
    """Try what is declared of a class (of each, of a model) and of some statistics; whether it is then certain here.

    Of one's own statistics: on all tables of the class's total, empty lines allowed, where these and all of smaller
    totals are 10^5 at most (3 x 3: n <= 10); it is then certain.  Else on all tables of such small totals, and on 10^3
    members of the class drawn at random: no proof.  Tables at which a function raises an error are passed over.
    A derived statistic, such as "1 - med", is as certain as those that it combines.
    Raises SymmetryError with an example, ValueError for a formula that depends on more than it says.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import Statistic, as_statistic
    >>> tried(Tables(6, 2, 2), [as_statistic("ari"), Statistic("most", np.max, symmetry="transposition")])
    True
    >>> tried(Tables(60, 2, 2), [Statistic("most", np.max, symmetry="transposition")])
    False
    >>> tried(Tables(9, 2, 2), [Statistic("last", lambda table: table[1, 1], symmetry={"rows"})])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.SymmetryError: symmetry 'rows' is declared of 'last', which is ... at ...;... and ... at ...;...
    """
    own: list[Statistic] = []
    for statistic in filterfalse(is_known, statistics):
        own += filterfalse(is_known, statistics_in(statistic))
    classes: list[MatrixClass] = []
    if isinstance(matrices, MatrixClass):
        classes = [matrices]
    elif own:
        classes = [part for part, _ in matrices.parts]
    certain = True
    for one in classes:
        certain &= one.of_package or _class_is_certain(one)
        for statistic in own:
            certain &= _statistic_is_certain(statistic, one)
    return certain


_answers: ContextVar[dict[Any, Any] | None] = ContextVar("answers", default=None)


@contextmanager
def one_question() -> Iterator[None]:
    """Within it what was tried is not tried again; between questions a function may have changed, and is.

    >>> from confmat.classes import Tables
    >>> with one_question():
    ...     tried(Tables(6, 2, 2), []) and tried(Tables(6, 2, 2), [])
    True
    """
    token = _answers.set({})
    try:
        yield
    finally:
        _answers.reset(token)


def once(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is asked once within ``one_question``, where its arguments can be hashed."""

    @wraps(function)
    def wrapper(*arguments: Any) -> Any:
        answers = _answers.get()
        key = (function, arguments)
        try:
            hash(key)
        except TypeError:
            answers = None
        if answers is None:
            return function(*arguments)
        if key not in answers:
            answers[key] = function(*arguments)
        return answers[key]

    return wrapper


@once
def _statistic_is_certain(statistic: Statistic, matrices: MatrixClass) -> bool:
    if statistic.counted:
        return is_known(statistic.base) or formula_is_certain(statistic.base, matrices)
    declared = Declared(
        repr(statistic.name),
        statistic,
        statistic.generators,
        lambda tables: values_at(statistic, tables),
    )
    return is_certain(declared, matrices)


def is_certain(declared: Declared, matrices: MatrixClass) -> bool:
    """``tried`` of one function of a table.

    >>> from confmat.classes import Tables
    >>> odd = Declared("odd", "odd", frozenset({"rows"}), lambda tables: ([False, True], tables[:, 0, 0] % 2))
    >>> is_certain(odd, Tables(1, 2, 2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.SymmetryError: symmetry 'rows' is declared of odd, which is ... at ...;... and ... at ...;...
    """
    r, s = matrices.shape
    declared = replace(declared, symmetry=declared.symmetry - (ONLY_SQUARE if r != s else set()))
    if not declared.symmetry:
        return True
    for total in (totals := _totals_tried(matrices)):
        _try_total(declared, total, (r, s))
    if totals == [matrices.n]:
        return True
    _try_members(declared, matrices)
    return False


def _totals_tried(matrices: MatrixClass) -> list[int]:
    """The total of the class where it is small, else all that are."""
    cells = matrices.shape[0] * matrices.shape[1]
    most = min(MOST_TABLES_TRIED, MOST_CELLS_TRIED // cells)
    small = list(takewhile(lambda total: comb(total + cells, cells) <= most, count()))
    if matrices.n in small:
        return [matrices.n]
    return small


@once
def _try_total(declared: Declared, total: int, shape: tuple[int, int]) -> None:
    """Compare the function on all tables of a total with itself on their images."""
    flat = _compositions(total, shape[0] * shape[1])
    tables = flat.reshape(-1, *shape)
    places = np.arange(flat.shape[1]).reshape(shape)
    evaluated = _evaluated(declared, tables)
    for generator, image in images(places, declared.symmetry):
        # In the order of their images, which are all the tables again.
        order = np.lexsort(flat[:, image.ravel()].astype(np.int16).T[::-1])
        _compare(declared, generator, tables, evaluated, order)


def _compositions(total: int, parts: int) -> np.ndarray:
    """All rows of ``parts`` numbers from 0 with this sum, in increasing order."""
    rows = np.zeros((1, 0), np.int64)
    left = np.array([total])
    for _ in range(parts - 1):
        ways = left + 1
        first = np.cumsum(ways) - ways
        entry = np.arange(ways.sum()) - np.repeat(first, ways)
        rows = np.column_stack([np.repeat(rows, ways, axis=0), entry])
        left = np.repeat(left, ways) - entry
    return np.column_stack([rows, left])


@once
def _try_members(declared: Declared, matrices: MatrixClass) -> None:
    """Compare the function on members drawn at random with itself on one image of each."""
    rng = np.random.default_rng(0)
    tables = _drawn(matrices, rng)
    if not len(tables):
        return
    images_of_tables = [_turned(table, declared.symmetry, rng) for table in tables]
    turned = np.arange(len(tables), 2 * len(tables))
    tables = np.concatenate([tables, images_of_tables])
    name = " ".join(sorted(declared.symmetry))
    _compare(declared, name, tables, _evaluated(declared, tables), turned)


def _turned(table: np.ndarray, symmetry: Generators, rng: np.random.Generator) -> np.ndarray:
    """A random image of a table."""
    lines = zip(("rows", "columns"), table.shape)
    rows, cols = (rng.permutation(k) if name in symmetry else np.arange(k) for name, k in lines)
    if "simultaneous" in symmetry:
        order = rng.permutation(len(rows))
        rows = rows[order]
        cols = cols[order]
    image = table[np.ix_(rows, cols)]
    if "transposition" in symmetry and rng.random() < 0.5:
        return image.T
    return image


# --- members at random ----------------------------------------------------------------------------


def _drawn(matrices: MatrixClass, rng: np.random.Generator) -> np.ndarray:
    """Members of a class, half of them with most points in few cells; none where 64 bits do not hold them."""
    r, s = matrices.shape
    size = max(8, min(DRAWN, _DRAWN_CELLS // (r * s)))
    if matrices.n >= 2**53 or not matrices:
        return np.zeros((0, r, s), np.int64)
    tables = [_member(matrices, rng) for _ in range(size)]
    for table in tables[::2]:
        _concentrate(table, matrices, rng)
    return np.array(tables)


def _member(matrices: MatrixClass, rng: np.random.Generator) -> np.ndarray:
    if matrices.sides is None:
        position = int(rng.integers(min(matrices.count(), 2**62)))
        return np.array(matrices.unrank(position), np.int64)
    table = random_table(matrices, rng)
    # At fixed margins it is a vertex: some points change places.
    for (i, j), (k, l) in rng.integers(0, table.shape, size=(_EXCHANGES, 2, 2)).tolist():
        if i != k and j != l:
            moved = int(rng.integers(min(table[i, j], table[k, l]) + 1))
            table[[i, k, i, k], [j, l, l, j]] += [-moved, -moved, moved, moved]
    return table


def _concentrate(table: np.ndarray, matrices: MatrixClass, rng: np.random.Generator) -> None:
    """Move points of random cells into one cell, as far as the table stays in the class."""
    target, *others = rng.permutation(table.size).tolist()
    for cell in others[:_EXCHANGES]:
        moved = int(rng.integers(int(table.flat[cell]) + 1))
        table.flat[[cell, target]] += [-moved, moved]
        if table not in matrices:
            table.flat[[cell, target]] += [moved, -moved]


# --- values compared --------------------------------------------------------------------------------


def _evaluated(declared: Declared, tables: np.ndarray) -> ValuesAndPlaces:
    """The distinct values of a function at tables, and which one every table has: -1 where it raises an error."""
    values: list[Any] = []
    which = np.full(len(tables), -1)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            values, which = declared.evaluate(tables)
        except ConsistencyError:
            raise
        except Exception:  # of the user's function, at some of the tables
            if len(tables) > 1:
                for i, table in enumerate(tables):
                    of_table, _ = _evaluated(declared, table[None])
                    if of_table:
                        which[i] = len(values)
                        values += of_table
    values, places = numbered(values)
    return values, np.append(places, -1)[which]


def _compare(
    declared: Declared, generator: str, tables: np.ndarray, evaluated: ValuesAndPlaces, turned: np.ndarray
) -> None:
    """Tables ``turned`` are images of the first ones: SymmetryError where values differ."""
    values, places = evaluated
    second = places[turned]
    first = places[: len(turned)]
    for i in np.flatnonzero((first != second) & (first >= 0) & (second >= 0)).tolist():
        x = values[first[i]]
        y = values[second[i]]
        if not same_value(x, y):
            raise SymmetryError(
                f"symmetry {generator!r} is declared of {declared.name}, which is {x} at {matrix_text(tables[i])} "
                f"and {y} at {matrix_text(tables[turned[i]])}"
            )


# --- formulas -----------------------------------------------------------------------------------------


def formula_is_certain(statistic: Statistic, matrices: MatrixClass) -> bool:
    """``tried`` of a statistic with a formula: that it looks at no more than it says, and at A and B alike.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import Statistic
    >>> together = Statistic("together", formula=lambda n, m, a, b, p: (p, 1), symmetry="permutations")
    >>> formula_is_certain(together, Tables(60, 2, 2))
    True
    """
    if statistic.depends == "mABP" and "transposition" not in statistic.generators:
        return True
    for total in (totals := _totals_tried(matrices)):
        _try_formula(statistic, total, matrices.shape)
    if totals == [matrices.n]:
        return True
    _compare_formula(statistic, matrices.n, _drawn(matrices, np.random.default_rng(0)))
    return False


@once
def _try_formula(statistic: Statistic, total: int, shape: tuple[int, int]) -> None:
    cells = shape[0] * shape[1]
    _compare_formula(statistic, total, _compositions(total, cells).reshape(-1, *shape))


def _compare_formula(statistic: Statistic, n: int, tables: np.ndarray) -> None:
    if len(tables):
        sums = groups(pair_sums(tables))[0].tolist()
    else:
        sums = []
    for m, a, b, p in sums:
        value = _key(statistic, n, m, a, b, p)
        if value is None:
            continue
        found = _key(statistic, n, *statistic.counted_of(m, a, b, p))
        if found is not None and not same_value(value, found):
            raise ValueError(
                f"depends must name all that {statistic.name!r} depends on, got {statistic.depends!r}: it is {value} "
                f"at (n, m, A, B, P) = {(n, m, a, b, p)}, and {found} where the rest is left out"
            )
        found = _key(statistic, n, m, b, a, p)
        if "transposition" in statistic.generators and found is not None and not same_value(value, found):
            raise SymmetryError(
                f"symmetry 'transposition' is declared of {statistic.name!r}, which is {value} at (n, m, A, B, P) = "
                f"{(n, m, a, b, p)} and {found} with A and B exchanged"
            )


def _key(statistic: Statistic, *sums: int) -> Number | None:
    try:
        return statistic.key(*sums)
    except Exception:  # of the user's formula
        return None


# --- classes ------------------------------------------------------------------------------------------


def _class_is_certain(matrices: MatrixClass) -> bool:
    """Whether all that a class declares is so: tried on all of its members, or on some of them."""
    try:
        hash(matrices)
    except TypeError:
        return _tried_class.__wrapped__(matrices)  # each time again
    return _tried_class(matrices)


@lru_cache(maxsize=1024)
def _tried_class(matrices: MatrixClass) -> bool:
    tables = first_members(matrices, MOST_MEMBERS + 1)
    whole = len(tables) <= MOST_MEMBERS
    if whole:
        _try_listed(matrices, tables)
    if matrices.has_margins:
        _try_margins(matrices, len(tables) if whole else None)
    if not matrices.symmetry or not tables:
        return True
    for member in tables if whole else _drawn(matrices, np.random.default_rng(0)):
        for generator, image in images(member, matrices.symmetry):
            if image not in matrices:
                raise SymmetryError(
                    f"symmetry {generator!r} is declared of {matrices!r}, of which {matrix_text(member)} is a member "
                    f"and {matrix_text(image)} is not"
                )
    return whole


def _try_listed(matrices: MatrixClass, tables: list[np.ndarray]) -> None:
    """Whether a class iterates each member once, as many again when asked again, and as many as it counts."""
    times = Counter(map(nested, tables))
    for table, number in times.items():
        if number > 1:
            raise ConsistencyError(f"{matrices!r} iterates {matrix_text(table)} {number} times")
    if (again := sum(1 for _ in matrices)) != len(tables):
        raise ConsistencyError(f"{matrices!r} iterates {len(tables)} members, and {again} when asked again")
    if matrices.counts_itself and (count := matrices.count()) != len(tables):
        raise ConsistencyError(f"{matrices!r} counts {count} members and iterates {len(tables)}")


# Margins of a class that is not listed whole, of each of which one table is asked.
_MARGINS_ASKED = 100


def _try_margins(matrices: MatrixClass, count: int | None) -> None:
    """Whether all matrices with the margins that a class declares are members, and are all of them."""
    promised = 0
    for rows, cols, weight in islice(matrices.margins(), _MARGINS_ASKED if count is None else None):
        sums = np.array(rows), np.array(cols)
        if (len(rows), len(cols)) != tuple(matrices.shape) or any(x.sum() != matrices.n for x in sums):
            raise ConsistencyError(
                f"{matrices!r} declares the margins {rows}, {cols}, which are of other tables"
            )
        batches = [largest_table(*sums)[None]] if count is None else tables_of_margins(rows, cols)
        for batch in batches:
            inside = matrices.contains_each(batch)
            if not inside.all():
                raise ConsistencyError(
                    f"{matrices!r} declares that all tables with margins {rows}, {cols} are members, "
                    f"and {matrix_text(batch[inside.argmin()])} is none"
                )
            promised += weight * len(batch)
    if count is not None and promised != count:
        raise ConsistencyError(f"{matrices!r} declares margins of {promised} members and iterates {count}")
