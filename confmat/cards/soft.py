"""The card of two soft clusterings: every soft index with its range, what it is by chance, and what is left then.

>>> print(compare_soft([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], ["x", "x", "y"]).lines[2].name)
sari
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from confmat.answers import Answer, Fields, Part, counted, exact_json
from confmat.answers.sheets import Sheet
from confmat.cards.comparisons import Comparison
from confmat.cards.several import card_of_two
from confmat.errors import TooLarge, UndefinedIndexError
from confmat.indices import soft
from confmat.indices.soft.memberships import as_array, as_memberships
from confmat.indices.soft.ranges import outside, range_in_words
from confmat.indices.soft.relabelings import relabelled

# Means by chance without a closed form: so many orders at most, and fewer where one takes long.
MOST_ORDERS, FEWEST_ORDERS, NUMBERS = 199, 19, 5 * 10**8

# Beyond it equivalences are put into buckets of this width.
MOST_SORTED, BUCKETS = 5000, 2**20

ORDER = ("ndc", "aci", "sari", "fari")


@dataclass(frozen=True)
class IndexLine(Fields):
    """A soft index: its value (nan: 0/0), its mean by chance, and the standard error of that where it is drawn.

    ``mean`` is None where it is 0/0 at some order of the objects, or not known.
    """

    name: str
    value: float
    mean: float | None
    error: float

    @property
    def adjusted(self) -> float | None:
        """(value - mean)/(1 - mean), None where that is not known."""
        if self.mean is None or self.mean == 1 or self.value != self.value:
            return None
        return (self.value - self.mean) / (1 - self.mean)

    @property
    def mark(self) -> str:
        """ "0/0", "below 0", "above 1", or nothing."""
        return outside(self.value)

    def as_dict(self) -> dict[str, Any]:
        """Value, range, chance, what is left, mark.

        >>> IndexLine("sari", -0.5, -0.25, 0.0).to_json()["mark"]
        'below 0'
        """
        return {
            **exact_json(self.value),
            "range": range_in_words(self.name),
            "chance": self.mean,
            "chance_error": self.error,
            "adjusted": self.adjusted,
            "mark": self.mark,
        }


@dataclass(frozen=True, repr=False)
class SoftComparison(Answer):
    """Two soft clusterings by every soft index: ``lines``; and ``hardened``, each object in its largest membership.

    ``hard``: whether all memberships are 0 or 1, so that the card is that of two labelings.
    """

    n: int
    lines: tuple[IndexLine, ...]
    hard: bool
    labels: tuple[list[Any], list[Any]]

    def __getitem__(self, name: str) -> IndexLine:
        for line in self.lines:
            if line.name == name:
                return line
        known = ", ".join(line.name for line in self.lines)
        raise KeyError(f"index must be one of {known}, got {name!r}")

    @cached_property
    def hardened(self) -> Comparison:
        """The card of the labels of largest membership, of several the first.

        >>> compare_soft([[0.9, 0.1], [0.2, 0.8]], ["x", "y"]).hardened["ari"]
        Fraction(1, 1)
        """
        names = "a", "b"
        return card_of_two(dict(zip(names, self.labels)), names, "refuse", 0)

    def parts(self) -> Iterable[Part]:
        """The soft indices, unless memberships are hard, and the card of the labels."""
        if self.hard:
            yield "All memberships are 0 or 1: this is the card of two labelings."
            yield from self.hardened.parts()
            return
        yield from self.brief()
        yield "Each object in its cluster of largest membership (of several, the first):"
        yield from self.hardened.parts()

    def brief(self) -> Iterable[Part]:
        """The soft indices alone."""
        head = ("soft index", "value", "", "range", "by chance", "adjusted")
        sheet = Sheet(
            head,
            ("soft index", "", "range"),
            f"{counted(self.n, 'object')}, memberships",
        )
        for line in self.lines:
            error = f" ± {line.error:.4f}" if line.error else ""
            sheet.add_row(
                line.name,
                _decimals(line.value, 7),
                line.mark,
                range_in_words(line.name),
                _decimals(line.mean, 4) + error,
                _decimals(line.adjusted, 4),
            )
        yield sheet
        yield (
            "By chance: the mean when the objects of one side are permuted at random; adjusted: (value - mean)/(1 - "
            "mean).  ± : of random orders, one standard error."
        )

    def as_dict(self) -> dict[str, Any]:
        """The lines by name, and the card of labels."""
        return {"soft": {line.name: line for line in self.lines}, "hardened": self.hardened}


def _decimals(number: float | None, places: int) -> str:
    """A number to so many decimals, "-" where there is none; what rounds to zero has no sign.

    >>> _decimals(0.5, 2), _decimals(None, 2), _decimals(-0.001, 2)
    ('0.50', '-', '0.00')
    """
    if number is None or number != number:
        return "-"
    return f"{number:z.{places}f}"


def compare_soft(U: Any, V: Any) -> SoftComparison:
    """Every soft index of two clusterings of the same objects, with its range and its mean by chance.

    Means without a closed form are of all orders of few objects, else of up to 199 random ones.

    >>> card = compare_soft([[1, 0], [0.5, 0.5], [0, 1]], [[1, 0], [0.25, 0.75], [0, 1]])
    >>> {line.name: round(line.mean, 3) for line in card.lines if line.name in ("aci", "sari")}
    {'aci': 0.0, 'sari': -0.477}
    """
    if len(as_array("U", U)) > MOST_SORTED:
        buckets = BUCKETS
    else:
        buckets = None
    values = soft.all_indices(U, V, buckets=buckets)
    named_sides = (("U", U), ("V", V))
    sides = [as_memberships(name, side) for name, side in named_sides]
    hard = all(bool(((side == 0) | (side == 1)).all()) for side in sides)
    other_names = [name for name in values if name not in ORDER]
    names = [*ORDER, *other_names]
    if hard:
        lines = tuple(IndexLine(name, values[name], None, 0.0) for name in names)
    else:
        lines = tuple(_line(name, values, sides) for name in names)
    labels = [_hard_labels(name, side) for name, side in named_sides]
    return SoftComparison(
        len(sides[0]),
        lines,
        hard,
        (labels[0], labels[1]),
    )


def _hard_labels(name: str, side: Any) -> list[Any]:
    array = as_array(name, side)
    if array.ndim == 1:
        return array.tolist()
    return (array.argmax(axis=1) + 1).tolist()


def _line(name: str, values: dict[str, float], sides: list[np.ndarray]) -> IndexLine:
    mean, error = _by_chance(name, values, sides)
    return IndexLine(name, values[name], mean, error)


def _by_chance(name: str, values: dict[str, float], sides: list[np.ndarray]) -> tuple[float | None, float]:
    """The mean of an index, None where it is undefined at some order, and its standard error where it is drawn."""
    if name == "aci":
        return 0.0, 0.0
    if name == "ndc" and values["aci"] != 1:  # what the ACI was adjusted by
        return 1 - (1 - values["ndc"]) / (1 - values["aci"]), 0.0
    try:
        index = relabelled(name, sides[0], sides[1])
        closed = index.closed_mean()
        if closed is not None:
            return (None if closed != closed else float(closed)), 0.0
        draws = max(FEWEST_ORDERS, min(MOST_ORDERS, NUMBERS // index.work))
        found = soft.null_moments(
            sides[0],
            sides[1],
            name,
            draws=draws,
            rng=0,
        )
    except (TooLarge, UndefinedIndexError):
        return None, 0.0
    return float(found.mean), found.errors[0]
