"""Statements about a table before and after a change: "ari_after >= ari_before", over all ways to change it.

A change is on either side, of rows or of columns; none leaves a cluster without a point.  A line without a point is no
cluster: it stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, product
from typing import Any

import numpy as np

from confmat.arguments import as_choice
from confmat.classes import Tables
from confmat.classes.orbits import NONE, Generators, nested
from confmat.conjectures.named import statistic_of
from confmat.conjectures.outcomes import explained
from confmat.engine.walks import exact_values, holding
from confmat.matrices.matrix import as_matrix
from confmat.matrices.texts import matrix_text
from confmat.statistics.conditions import Condition

TIMES = ("before", "after")

_TABLES_AT_ONCE = 512  # tables whose changes are held

Change = Callable[[np.ndarray], Iterable[np.ndarray]]


def _transfers(table: np.ndarray) -> Iterator[np.ndarray]:
    """A point that is not alone in its column goes to another one."""
    for i, j in np.argwhere(table):
        for other_line in range(table.shape[1]):
            if other_line != j and table[:, j].sum() > 1 and table[:, other_line].any():
                changed_table = table.copy()
                changed_table[i, [j, other_line]] += [-1, 1]
                yield changed_table


def _merges(table: np.ndarray, perfect: bool = False) -> Iterator[np.ndarray]:
    """Two columns become one; ``perfect``: two that lie within the same row."""
    for pair in combinations(range(table.shape[1]), 2):
        columns = table[:, pair]
        rows_met = columns.any(axis=1).sum()
        if columns.any(axis=0).all() and (rows_met == 1 or not perfect):
            yield np.column_stack(
                [
                    np.delete(table, pair, axis=1),
                    columns.sum(axis=1),
                ]
            )


def _column_splits(table: np.ndarray, perfect: bool = False) -> Iterator[np.ndarray]:
    """A column becomes two; ``perfect``: without dividing a cell."""
    for j, column in enumerate(table.T.tolist()):
        shares = [sorted({0, x}) if perfect else range(x + 1) for x in column]
        for part in product(*shares):
            rest = tuple(x - y for x, y in zip(column, part))
            if any(part) and part <= rest:  # each once
                yield np.column_stack([np.delete(table, j, axis=1), part, rest])


def _additions(table: np.ndarray) -> Iterator[np.ndarray]:
    """A point more, in clusters that are there."""
    for place in product(*map(np.flatnonzero, (table.any(axis=1), table.any(axis=0)))):
        changed_table = table.copy()
        changed_table[place] += 1
        yield changed_table


def _on_both_sides(change: Change, table: np.ndarray) -> Iterator[np.ndarray]:
    yield from change(table)
    yield from (changed_table.T for changed_table in change(table.T))


def _given(change: Change, table: np.ndarray) -> Iterator[np.ndarray]:
    """What a function of one's own makes of a table; TypeError or ValueError where that is not tables."""
    changed_tables = change(table.copy())  # it might write into its argument
    if not isinstance(changed_tables, Iterable):
        raise TypeError(f"related_by must give tables, got {changed_tables!r:.60} of {matrix_text(table)}")
    for changed_table in changed_tables:
        try:
            yield np.asarray(as_matrix(changed_table))
        except (TypeError, ValueError) as error:
            raise type(error)(f"related_by must give tables, of {matrix_text(table)}: {error}") from error


_PERFECT = [partial(_on_both_sides, partial(change, perfect=True)) for change in (_column_splits, _merges)]

CHANGES: dict[str, Change] = {
    "transfers": partial(_on_both_sides, _transfers),
    "merges": partial(_on_both_sides, _merges),
    "splits": partial(_on_both_sides, _column_splits),
    "perfect-splits": _PERFECT[0],
    "perfect-merges": _PERFECT[1],
    "improvements": lambda table: chain(*(change(table) for change in _PERFECT)),
    "replications": lambda table: (table * times for times in (2, 3)),
    "additions": _additions,
}
"""Ways to change a table: none of them depends on the order of lines, nor on which clustering is the first.

- transfers: a point that is not alone in its cluster joins another cluster;
- merges: two clusters become one; splits: one becomes two;
- perfect-splits: no two points together in the other clustering are parted; perfect-merges: two clusters within one
  of the other clustering; improvements: both (Goesgens, Tikhonov & Prokhorenkova 2021);
- replications: every point becomes two, or three; additions: a point more in clusters that are there.
"""


@dataclass(frozen=True)
class Changed:
    """That a condition on "ari_before", "ari_after", or a function of two tables, holds for all changes of a table.

    ``change``: a name in ``CHANGES``, or a function of a table that gives tables.

    >>> from confmat.conjectures.named import condition_on
    >>> rises = Changed(condition_on("ari_after >= ari_before", TIMES), "improvements")
    >>> rises(np.array([[2, 1], [0, 1]])), len(list(CHANGES["improvements"](np.array([[2, 1], [0, 1]]))))
    (True, 2)
    """

    test: Condition | Callable[[np.ndarray, np.ndarray], Any]
    change: str | Change

    def __post_init__(self) -> None:
        if not callable(self.change):
            as_choice("related_by", self.change, CHANGES)

    @property
    def condition(self) -> Condition | None:
        """The condition on the tables before and after, where it is one."""
        return self.test if isinstance(self.test, Condition) else None

    @property
    def stated(self) -> dict[str, str] | None:
        """The statement as certificates have it, where its formula is the whole of it."""
        if self.condition is None or callable(self.change):
            return None
        return {"formula": str(self.condition), "related_by": self.change}

    @property
    def symmetry(self) -> Generators:
        """What leaves it unchanged, as far as its statistics say."""
        if isinstance(self.test, Condition) and self.stated:
            return self.test.symmetry
        return NONE

    def __call__(self, table: np.ndarray) -> bool:
        n, (r, s) = int(table.sum()), table.shape
        has_empty_line = not (table.any(axis=0).all() and table.any(axis=1).all())
        holds, _ = self.each(
            Tables(n, r, s, empty=has_empty_line),
            table[None],
        )
        return bool(holds[0])

    def each(self, matrices: Any, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Whether it holds for each of some members (N x r x s) of a class, and of how many changes it says something.

        >>> from confmat.conjectures.named import condition_on
        >>> lower = Changed(condition_on("med_after <= med_before", TIMES), "merges")
        >>> lower.each(Tables(4, 2, 2), np.array([[[3, 0], [0, 1]], [[1, 1], [1, 1]]]))
        (array([False,  True]), array([2, 2]))
        """
        holds = np.ones(len(tables), bool)
        changes = np.zeros(len(tables), np.int64)
        for start in range(0, len(tables), _TABLES_AT_ONCE):
            part = slice(start, start + _TABLES_AT_ONCE)
            self._look_at(
                matrices,
                tables[part],
                holds[part],
                changes[part],
            )
        return holds, changes

    def _look_at(self, matrices: Any, tables: np.ndarray, holds: np.ndarray, changes: np.ndarray) -> None:
        """Write whether it holds for each of some tables, and of how many changes it says something."""
        groups: dict[tuple[int, ...], list[tuple[int, np.ndarray]]] = {}
        for place, table in enumerate(tables):
            for changed_table in self._changes(table):
                groups.setdefault((int(changed_table.sum()), *changed_table.shape), []).append(
                    (place, changed_table)
                )
        for group in groups.values():
            places, changed_tables = map(np.array, zip(*group))
            is_right, says = self._judged(matrices, tables, places, changed_tables)
            holds[places[~is_right]] = False
            np.add.at(changes, places, 1 if says is None else says)

    def _changes(self, table: np.ndarray) -> Iterable[np.ndarray]:
        if callable(self.change):
            return _given(self.change, table)
        return CHANGES[self.change](table)

    def changes_any(self, tables: Iterable[np.ndarray]) -> bool:
        """Whether at least one of some tables can be changed: else the statement says nothing about them.

        >>> Changed(lambda before, after: False, "merges").changes_any([np.array([[3]]), np.array([[1], [2]])])
        True
        """
        return any(True for table in tables for _ in self._changes(table))

    def _judged(
        self, matrices: Any, tables: np.ndarray, places: np.ndarray, afters: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Whether the test, and its premise, hold for pairs of a table, by its place, and of one after a change."""
        if not isinstance(self.test, Condition):
            answers = []
            for pair in zip(tables[places], afters):
                holds, _ = self._explained(*pair)
                answers.append(holds)
            return np.array(answers, bool), None
        columns = self._columns(self.test, matrices, tables, places, afters)
        return self.test.judged(lambda condition: holding(condition.at(matrices), columns))

    def _explained(self, table: np.ndarray, changed_table: np.ndarray) -> tuple[bool, str]:
        return explained(self.test(table, changed_table), table, changed_table)  # type: ignore[call-arg]

    @staticmethod
    def _columns(
        condition: Condition, matrices: Any, tables: np.ndarray, places: np.ndarray, afters: np.ndarray
    ) -> list[tuple[list[Any], np.ndarray]]:
        """Values of each statistic, and which of them each pair has."""
        n, (r, s) = int(afters[0].sum()), afters.shape[1:]
        changed_class = Tables(n, r, s, empty=matrices.may_be_empty)
        columns = []
        for statistic in condition.statistics:
            base, time = statistic_of(statistic)
            values, places_of_values = exact_values(
                base, *((changed_class, afters) if time == "after" else (matrices, tables))
            )
            columns.append((values, places_of_values if time == "after" else places_of_values[places]))
        return columns

    def shown(self, matrices: Any, table: np.ndarray) -> tuple[str, dict[str, Any]]:
        """Of a member at which it fails: the values before and after the first change that breaks it, and that table.

        >>> from confmat.conjectures.named import condition_on
        >>> lower = Changed(condition_on("med_after <= med_before", TIMES), "merges")
        >>> lower.shown(Tables(4, 2, 2), np.array([[3, 0], [0, 1]]))
        ('med_after = 1/4, med_before = 0', {'after': ((3,), (1,))})
        """
        pair = matrices, table[None], np.zeros(1, np.int64)
        breaking = []
        for changed_table in self._changes(table):
            holds, _ = self._judged(*pair, changed_table[None])
            if not holds[0]:
                breaking.append(changed_table.tolist())
        smallest = np.array(min(breaking))
        witness = {"after": nested(smallest)}
        if not isinstance(self.test, Condition):
            _, reason = self._explained(table, smallest)
            return reason or "the predicate is False for this change", witness
        words = []
        for name, (values, places) in zip(self.test.names, self._columns(self.test, *pair, smallest[None])):
            words.append(f"{name} = {values[places[0]]}")
        return ", ".join(words), witness
