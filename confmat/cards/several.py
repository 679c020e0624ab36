"""More than two labelings of the same objects: one index of every pair, as a matrix and a picture.

>>> found = several({"ward": [1, 1, 2, 2], "em": [1, 1, 2, 3], "doctor": [5, 5, 6, 6]})
>>> print(found)
4 objects, 3 labelings.
Closest: ward and doctor, ARI 1.0000.
Farthest: ward and em, ARI 0.5714.
<BLANKLINE>
adjusted Rand index
          ward      em  doctor
──────────────────────────────
ward    1.0000  0.5714  1.0000
em      0.5714  1.0000  0.5714
doctor  1.0000  0.5714  1.0000
>>> found["ward", "em"]["med"]
Fraction(1, 4)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from confmat.answers import Answer, Part, counted, exact_json
from confmat.answers.sheets import Sheet
from confmat.arguments import as_choice
from confmat.cards.comparisons import Comparison, IndexValue, compared, of_clusterings, value_of
from confmat.matrices.labels import Missing, as_paired_labels, contingency, label_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PairOfNames = tuple[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Answer):
    """Several labelings by one ``index``: ``values`` of every ordered pair of ``names``; ``comparisons["a", "b"]`` is
    the card of two of them.
    """

    index: str
    labelings: Mapping[str, Sequence[Any]]
    values: Mapping[PairOfNames, IndexValue]
    na: Missing = "refuse"

    @property
    def names(self) -> tuple[str, ...]:
        """Of the labelings."""
        return tuple(self.labelings)

    def __getitem__(self, pair: PairOfNames) -> Comparison:
        first, second = pair
        for name in pair:
            if name not in self.labelings:
                raise KeyError(f"pair must be of {', '.join(self.names)}, got {name!r}")
        return card_of_two(self.labelings, (first, second), self.na, 0)

    def parts(self) -> Iterator[Part]:
        """The closest and the farthest two, and the matrix."""
        objects = counted(len(self.labelings[self.names[0]]), "object")
        yield f"{objects}, {counted(len(self.names), 'labeling')}."
        yield from self._ends()
        sheet = Sheet(
            ("", *self.names),
            ("",),
            of_clusterings()[self.index].title,
        )
        for first in self.names:
            values = (self.values[first, second] for second in self.names)
            sheet.add_row(first, *map(_decimal, values))
        yield sheet

    def _ends(self) -> Iterator[Part]:
        """The closest and the farthest two, where the index is defined anywhere."""
        defined = []
        for (first, second), value in self.values.items():
            if first != second and value is not None:
                defined.append((float(value), first, second))
        if not defined:
            return
        closest = min(defined, key=itemgetter(0))
        farthest = max(defined, key=itemgetter(0))
        if of_clusterings()[self.index].complement:  # larger is better
            closest, farthest = farthest, closest
        for word, (value, first, second) in (("Closest", closest), ("Farthest", farthest)):
            yield f"{word}: {first} and {second}, {self.index.upper()} {value:.4f}."

    def as_dict(self) -> dict[str, Any]:
        """The index, the names, and the matrix of its values."""
        rows = [[exact_json(self.values[first, second]) for second in self.names] for first in self.names]
        return {"index": self.index, "names": self.names, "matrix": rows}

    def to_frame(self) -> Any:
        """The matrix as a pandas DataFrame of doubles, 0/0 as nan."""
        import pandas as pd

        rows = [[exact_json(self.values[a, b])["value"] for b in self.names] for a in self.names]
        return pd.DataFrame(
            rows,
            index=list(self.names),
            columns=list(self.names),
            dtype=float,
        )

    def plot(self) -> Axes:
        """The matrix as a picture, every value written into its cell.

        >>> several({"a": [1, 1, 2], "b": [1, 2, 2], "c": [1, 1, 1]}).plot().get_title()
        'adjusted Rand index'
        """
        from confmat.pictures import matrix_map

        numbers = self.to_frame().to_numpy().round(2)
        title = of_clusterings()[self.index].title
        return matrix_map(
            numbers,
            title,
            names=("", ""),
            labels=(self.names, self.names),
        )


def several(
    labelings: Mapping[str, Sequence[Any]], index: str = "ari", na: Missing = "refuse"
) -> Comparisons:
    """One index of every pair of labelings, by their names; ValueError for an index that is none of clusterings.

    >>> several({"a": [1, 1, 2], "b": [1, 2, 2], "c": [1, 1, 1]}, "med").values["a", "b"]
    Fraction(1, 3)
    """
    statistic = of_clusterings()[as_choice("index", index, tuple(of_clusterings()))]
    values: dict[PairOfNames, IndexValue] = {}
    for name, labels in labelings.items():
        values[name, name] = value_of(statistic, _matrix(labels, labels, na)[0])
    for first, second in combinations(labelings, 2):
        matrix = _matrix(labelings[first], labelings[second], na)[0]
        values[first, second] = value_of(statistic, matrix)
        values[second, first] = value_of(statistic, matrix.T)
    return Comparisons(index, labelings, values, na)


def card_of_two(
    labelings: Mapping[str, Sequence[Any]], pair: PairOfNames, na: Missing, seed: int
) -> Comparison:
    """The card of two of some labelings.

    >>> card_of_two({"a": [1, 1, 2], "b": [1, 2, 2]}, ("a", "b"), "refuse", 0)["med"]
    Fraction(1, 3)
    """
    matrix, labels = _matrix(
        labelings[pair[0]],
        labelings[pair[1]],
        na,
    )
    return compared(matrix, labels, pair, seed)


def _matrix(
    first: Sequence[Any], second: Sequence[Any], na: Missing
) -> tuple[Any, tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """The contingency matrix of two labelings, and the labels of its rows and columns."""
    a, b = as_paired_labels(na, labels_a=first, labels_b=second)
    return contingency(a, b), (label_values(a), label_values(b))


def _decimal(value: IndexValue) -> str:
    if value is None:
        return "0/0"
    return f"{float(value):.4f}"
