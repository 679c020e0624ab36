"""The laws given each value of one statistic."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat._display import Answer, Part, Verbatim, counted, exact_json, text_of
from confmat._display.sheets import Sheet
from confmat._engine.signatures import SIGNATURES_READ_AT_ONCE, joined
from confmat.contingency.texts import matrix_text
from confmat.distributions.files import write_law_csv, write_parquet
from confmat.distributions.lines import Number
from confmat.distributions.sums import LawsGivenMed
from confmat.distributions.univariate import numbers_of_laws
from confmat.errors import TooLargeError
from confmat.statistics.clusterings import ARD, MED, RD
from confmat.statistics.record import Statistic, sort_key

if TYPE_CHECKING:
    from confmat.distributions.multivariate import JointDistribution

# What sums of a pass know given the MED.
_SUMMED = frozenset({MED, RD, ARD})


@dataclass(frozen=True)
class Slice:
    """One value of the conditioning statistic, its weight and probability, and the law there."""

    value: Number
    weight: int
    law: JointDistribution
    probability: Fraction

    def __iter__(self) -> Iterator[Any]:
        """Value, weight, law."""
        return iter((self.value, self.weight, self.law))


@dataclass(frozen=True, repr=False)
class Family(Answer):
    """The laws given each value of one statistic of a law, ``law.groupby("med")``.

    Iterates `Slice`s in increasing order of the value, one at a time; ``rows`` holds them all.

    >>> from confmat.classes import Tables
    >>> from confmat.distributions import joint_distribution
    >>> for value, weight, law in joint_distribution(Tables(4, 2, 2), "med", "rd").groupby("med"):
    ...     print(value, weight, law["rd"].mean())
    0 6 0
    1/4 8 1/2
    1/2 5 2/3
    """

    law: JointDistribution
    name: str

    @property
    def statistic(self) -> Statistic:
        """The one whose values are given."""
        return self.law._named(self.name)

    @cached_property
    def rows(self) -> tuple[Slice, ...]:
        """All slices."""
        return tuple(self)

    @property
    def others(self) -> tuple[str, ...]:
        """The other statistics."""
        return tuple(name for name in self.law.names if name != self.name)

    def __iter__(self) -> Iterator[Slice]:
        law = self.law
        if law._lists:
            yield from self._listed()
        elif self.statistic != MED or law.source.part is not None:
            yield from self._by_value()
        elif law.source.is_held():
            yield from self._by_level()
        elif set(law.statistics) <= _SUMMED and not law.conditions and law.known is None:
            yield from self._summed()
        else:
            yield from self._by_value()

    def _slice(self, value: Number, weight: int, **parts: Any) -> Slice:
        fixed = (*self.law.fixed, (self.statistic, value))
        law = replace(self.law, fixed=fixed, **parts)
        return Slice(value, weight, law, Fraction(weight, self.law.total))

    def _listed(self) -> Iterator[Slice]:
        position = self.law.names.index(self.name)
        points_in_order = sorted(
            self.law.support,
            key=lambda item: sort_key(item[0][position]),
        )
        for value, items in groupby(points_in_order, key=lambda item: item[0][position]):
            points = list(items)
            yield self._slice(value, sum(weight for _, weight in points), points=points)

    def _by_level(self) -> Iterator[Slice]:
        law = self.law
        source = law._turned(law.statistics)
        for m, weight_without_conditions in enumerate(source.of.found.weights):
            source_at_m = source.at(m)
            if weight_without_conditions and (weight := source_at_m.weight):
                yield self._slice(Fraction(m, max(1, law.matrices.n)), weight, source=source_at_m)

    def _summed(self) -> Iterator[Slice]:
        laws = LawsGivenMed(self.law.source.of)
        for m in laws.levels:
            laws_at_m = {name: laws.law(name, m) for name in self.law.names}
            yield self._slice(Fraction(m, max(1, self.law.matrices.n)), laws.sums.weights[m], known=laws_at_m)

    def _by_value(self) -> Iterator[Slice]:
        law = self.law
        if not law.held or law.source.size > SIGNATURES_READ_AT_ONCE:
            raise TooLargeError(law._refusal(f"laws given each {self.name}"))
        source = law._turned(law.statistics)
        cells, weights = joined(source.blocks())
        function = self.statistic.over(source.of.matrices)
        values: dict[Number, int] = {}
        value_numbers = np.array([values.setdefault(function(*sums), len(values)) for sums in cells.tolist()])
        for value in sorted(values, key=sort_key):
            has_value = value_numbers == values[value]
            part = cells[has_value], weights[has_value]
            yield self._slice(
                value,
                int(part[1].sum()),
                source=source.listed(*part),
            )

    def to_frame(self, *, exact: bool = False) -> Any:
        """A pandas DataFrame: value, total, probability, then mean, sd, min, quartiles, max of each statistic.

        Doubles, correctly rounded; with ``exact`` Fractions (sd: a double).

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> frame = joint_distribution(Tables(4, 2, 2), "med", "rd").groupby("med").to_frame()
        >>> frame[["med", "total", "rd_mean", "rd_max"]].values.tolist()
        [[0.0, 6.0, 0.0, 0.0], [0.25, 8.0, 0.5, 0.5], [0.5, 5.0, 0.6666666666666666, 0.6666666666666666]]
        """
        import pandas as pd

        names, rows = self.exact_rows(exact=exact)
        records = [dict(zip(names, values)) | {"total": weight} for values, weight in rows]
        frame = pd.DataFrame(
            records,
            columns=[
                names[0],
                "total",
                *names[1:],
            ],
            dtype=object,
        )
        if exact:
            return frame
        fits = all(weight < 2**63 for _, weight in rows)
        kinds = dict.fromkeys(names, float) | {"total": int if fits else object}
        return frame.astype(kinds, errors="ignore")

    def exact_rows(
        self, *, exact: bool = False
    ) -> tuple[tuple[str, ...], list[tuple[tuple[Number, ...], int]]]:
        """Column names and rows with exact numbers, in the order of ``to_frame`` with the total last.

        Moments of statistics such as the ARD are rounded unless ``exact``.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> names, rows = joint_distribution(Tables(4, 2, 2), "med", "rd").groupby("med").exact_rows()
        >>> names[:3], [(str(values[2]), total) for values, total in rows]
        (('med', 'probability', 'rd_mean'), [('0', 6), ('1/2', 8), ('2/3', 5)])
        """
        kinds = ("mean", "sd", "min", "q1", "median", "q3", "max")
        names = (self.name, "probability", *(f"{name}_{kind}" for name in self.others for kind in kinds))
        partly = self._partly_undefined
        rows = []
        for row in self.rows:
            numbers = [x for name in self.others for x in row.law[name].describe(exact=exact).values()]
            numbers += [row.law[name].undefined for name in partly]
            rows.append(((row.value, row.probability, *numbers), row.weight))
        return (*names, *(f"{name}_undefined" for name in partly)), rows

    @cached_property
    def _partly_undefined(self) -> list[str]:
        """The other statistics that are undefined somewhere."""
        return [name for name in self.others if any(row.law[name].undefined for row in self.rows)]

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write ``exact_rows`` as CSV: exact numbers as text p/q, rounded ones as decimals.

        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> with TemporaryDirectory() as folder:
        ...     joint_distribution(Tables(4, 2, 2), "med", "rd").groupby("med").to_csv(f"{folder}/law.csv")
        ...     Path(folder, "law.csv").read_text().split()[1]
        '0,6/19,0,0.0,0,0,0,0,0,6'
        """
        write_law_csv(path, *self.exact_rows(), count="total")

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write ``exact_rows`` as Parquet.

        >>> import duckdb
        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> with TemporaryDirectory() as folder:
        ...     joint_distribution(Tables(4, 2, 2), "med", "rd").groupby("med").to_parquet(f"{folder}/law.parquet")
        ...     duckdb.read_parquet(f"{folder}/law.parquet").project("rd_mean, total").fetchall()
        [('0', 6), ('1/2', 8), ('2/3', 5)]
        """
        write_parquet(path, *self.exact_rows(), count="total")

    def to_latex(self, digits: int = 4) -> str:
        """A LaTeX tabular of the means and ranges, rounded to ``digits`` decimals.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> lines = joint_distribution(Tables(4, 2, 2), "med", "rd").groupby("med").to_latex(digits=2).splitlines()
        >>> lines[2].split(" & ")[:3], lines[5].split(" & ")[:3]
        (['MED', 'matrices', 'RD mean'], ['1/4', '8', '0.50'])
        """
        head = [
            self.name.upper(),
            "matrices" if self.law.weight == "tables" else self.law.weight,
        ]
        for name in self.others:
            head += [f"{name.upper()} {key}" for key in ("mean", "sd", "min", "max")]
        head += [f"{name.upper()} undefined" for name in self._partly_undefined]
        sheet = Sheet(tuple(head))
        for row in self.rows:
            cells = [str(row.value), str(row.weight)]
            for name in self.others:
                law = row.law[name]
                cells += [f"{float(x):.{digits}f}" for x in (law.mean(), law.std(), law.min(), law.max())]
            cells += [str(row.law[name].undefined) for name in self._partly_undefined]
            sheet.add_row(*cells)
        return sheet.tex()

    def brief(self) -> Iterator[Part]:
        """What it is, in a line."""
        yield Verbatim(
            f"<laws of {', '.join(self.others)} given each {self.name}, over {self.law.matrices!r}>"
        )

    def parts(self) -> Iterator[Part]:
        """The law of the statistic with the matrices of largest ARD, then every other law given its values."""
        law = self.law
        yield f"All {law.matrices.words()}."
        if not self.rows:
            yield "There is no such table."
            return
        yield f"{amount(law.total, law.weight)}, each equally likely."
        yield self._own_law()
        for name in self.others:
            yield self._law_given(name)
        yield "Computed exactly, rounded here; JSON and files keep the fractions."
        yield "q1, median, q3: the least value with 1/4, 1/2, 3/4 of the mass up to it."

    def _own_law(self) -> Sheet:
        """Every value with its weight; of the ARD the largest, and where it is."""
        if self.law.weight == "tables":
            unit = "matrices"
        else:
            unit = "labelings"
        sheet = Sheet(
            (self.name.upper(), unit, "probability"),
            (),
            _title_of(self.statistic),
        )
        if "ard" in self.others:
            sheet.head, sheet.left = (*sheet.head, "largest ARD", "at"), ("at",)
        for row in self.rows:
            cells: tuple[str | int, ...] = (
                self._value_text(row.value),
                row.weight,
                f"{float(row.probability):.4g}",
            )
            if "ard" in self.others:
                for name in self.others:
                    _ = row.law[name].mean()  # told below: here its signatures are unpacked once for all
                law_of_ard = row.law["ard"]
                cells += (
                    f"{float(law_of_ard.max()):.5f}",
                    matrix_text(law_of_ard.argmax()),
                )
            sheet.add_row(*cells)
        return sheet

    def _law_given(self, name: str) -> Sheet:
        title = f"{_title_of(self.law._named(name))} given the {self.name.upper()}"
        labelled = []
        for row in self.rows:
            labelled.append((self._value_text(row.value), row.law[name]))
        sheet = Sheet((self.name.upper(),), (), title)
        return numbers_of_laws(sheet, labelled, lambda x: f"{float(x):.5f}")

    def _value_text(self, value: Number) -> str:
        """A MED with n below the line, as in the literature: 4/20; any other value as it is."""
        n = self.law.matrices.n
        if self.statistic == MED:
            if n:
                return f"{Fraction(value) * n}/{n}"
            return "0"
        return text_of(value)

    def as_dict(self) -> dict[str, Any]:
        """Class, weight, total, and for every value its weight and the numbers of the other laws there."""
        law = self.law
        return {
            "class": law.matrices.to_json(),
            "weight": law.weight,
            "total": law.total,
            f"given_{self.name}": [self._facts_given(row) for row in self],  # nothing is kept of them
        }

    def _facts_given(self, row: Slice) -> dict[str, Any]:
        facts = {
            self.name: exact_json(row.value),
            "total": row.weight,
            "probability": float(row.probability),
        }
        for name in self.others:
            numbers = row.law[name].as_dict()
            facts[name] = numbers | ({"argmax": row.law[name].argmax()} if name == "ard" else {})
        return facts


def amount(total: int, weight: str) -> str:
    """So many of what is equally likely.

    >>> amount(1, "tables"), amount(36, "labelings")
    ('1 matrix', '36 pairs of labelings')
    """
    units = {"tables": ("matrix", "matrices"), "labelings": ("pair of labelings", "pairs of labelings")}
    return counted(total, *units[weight])


def _title_of(statistic: Statistic) -> str:
    title = statistic.title
    return f"{title[0].upper()}{title[1:]} ({statistic.name.upper()})"
