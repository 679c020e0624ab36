"""Which statistics are one: compared by their values on every table looked at, not by how they are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from confmat.classes import MatrixClass, Tables
from confmat.engine.signatures import joined
from confmat.laws.sources import Pass, Source
from confmat.plans import Resources
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS, as_statistic

# Classes in which different statistics differ, whatever others are looked at: few tables of one shape fit a line.
_TELLING_TABLES = (Tables(7, 2, 3), Tables(8, 3, 3))
_MOST_CELLS = 10**6
_ABSOLUTE_TIE = 1e-9

FactorAndConstant = tuple[float, float]  # factor, constant


class Values:
    """The values of statistics on the tables of classes, as doubles.

    >>> values = Values([Tables(6, 2, 2)])
    >>> values.line("ard", "1 - ari"), values.line("rd", "2*rd"), values.line("rd", "ard") is None
    ((1.0, 0.0), (2.0, 0.0), True)
    """

    def __init__(self, classes: Iterable[MatrixClass]) -> None:
        self._cells: list[tuple[MatrixClass, np.ndarray]] = []
        cells_left = _MOST_CELLS
        for matrices in dict.fromkeys((*_TELLING_TABLES, *classes)):
            if cells_left > 0:
                cells, _ = joined(Source(Pass(matrices, "tables", Resources())).blocks())
                self._cells.append((matrices, cells))
                cells_left -= len(cells)
        self._of: dict[str, np.ndarray] = {}

    def of(self, text: str) -> np.ndarray:
        """The values of a statistic on all tables, up to symmetry.

        >>> sorted(set(Values([]).of("med - med").tolist()))
        [0.0]
        """
        if text not in self._of:
            statistic = as_statistic(text)
            self._of[text] = np.concatenate(
                [statistic.rough_values(*cells_of_class) for cells_of_class in self._cells]
            )
        return self._of[text]

    def line(self, one: str, other: str) -> FactorAndConstant | None:
        """The factor and the constant by which the second is made of the first; None where there are none."""
        x = self.of(one)
        y = self.of(other)
        if (np.isnan(x) != np.isnan(y)).any() or np.isnan(x).all():
            return None
        place_of_least = np.nanargmin(x)
        place_of_largest = np.nanargmax(x)
        if x[place_of_largest] - x[place_of_least] <= _ABSOLUTE_TIE:
            return None
        factor = (y[place_of_largest] - y[place_of_least]) / (x[place_of_largest] - x[place_of_least])
        constant = y[place_of_least] - factor * x[place_of_least]
        size = max(1.0, float(np.nanmax(np.abs(y))))
        if np.nanmax(np.abs(factor * x + constant - y)) > _ABSOLUTE_TIE * size:
            return None
        return round(float(factor), 9), abs(round(float(constant), 9))

    def is_constant(self, text: str) -> bool:
        """Whether a statistic has one value on all tables where it is defined."""
        x = self.of(text)
        return bool(np.isnan(x).all() or np.nanmax(x) - np.nanmin(x) <= _ABSOLUTE_TIE)


def can_be_asked(statistic: Statistic) -> bool:
    """Whether questions can be asked of a statistic: it has a formula that transposition leaves unchanged.

    >>> can_be_asked(as_statistic("ard")), can_be_asked(as_statistic("wallace_ab")), can_be_asked(as_statistic("fm"))
    (True, False, False)
    """
    may_transpose = "transposition" in statistic.generators
    return bool(statistic.counted and may_transpose and not statistic.base.root and not statistic.factor)


def on_record() -> list[str]:
    """Statistics of the package that others are compared with.

    >>> "ard" in on_record(), "nmi" in on_record()
    (True, False)
    """
    return [name for name, statistic in STATISTICS.items() if can_be_asked(statistic)]


def different(names: Sequence[str], values: Values) -> tuple[list[str], list[str]]:
    """Those that are neither constant nor made of one before them, and what was left out, in words.

    One that is another of the package on every table, or a multiple of it, is asked under that name.

    >>> different(["ard", "1 - ari", "2*rd", "med - med"], Values([]))
    (['ard', 'rd'], ['1 - ari is ard', '2*rd is a multiple of rd', 'med - med is constant'])
    >>> different(["-ard"], Values([]))
    (['-ard'], [])
    """
    kept_names: list[str] = []
    words: list[str] = []
    for text in names:
        if values.is_constant(text):
            words.append(f"{text} is constant")
            continue
        name = text
        for known in on_record() if text not in STATISTICS else ():
            line = values.line(known, text)
            if line is not None and line[0] > 0 and not line[1]:
                name = known
                words.append(f"{text} is {known if line[0] == 1 else f'a multiple of {known}'}")
                break
        made_of = [one for one in kept_names if one == name or values.line(one, name) is not None]
        if not made_of:
            kept_names.append(name)
        elif name == text:
            words.append(f"{text} is made of {made_of[0]}")
    return kept_names, words


def relatives(name: str, values: Values) -> list[tuple[str, bool]]:
    """Statistics of the package of which one is made, with a factor and a constant; whether they rise together.

    >>> relatives("ari", Values([]))
    [('ard', False), ('ari', True), ('pair_kappa', True)]
    """
    lines = ((known, values.line(known, name)) for known in on_record())
    return [(known, line[0] > 0) for known, line in lines if line is not None]
