"""Exact joint laws of indices over a class of matrices, and the conditional laws of one given another."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.run import Resources
from confmat.engine.summary import Summary, collect, streams, summarize
from confmat.engine.work import WEIGHTS
from confmat.laws.cells import check_cells, describe_cells
from confmat.laws.description import Description, Number, Sought, Witness, describe, describe_summary
from confmat.laws.evaluation import evaluate, exact_columns
from confmat.laws.files import write_csv, write_parquet
from confmat.statistics.record import Statistic
from confmat.statistics.table import ARD, MED, RD, as_statistic, check_square, sort_key

__all__ = ["Conditional", "Description", "Given", "Joint", "Statistic", "Witness", "joint"]

# Their conditional laws given the MED are streamed, see ``confmat.engine.summary``.
_SUMMARIZED = frozenset({MED, RD, ARD})


def joint(
    matrices: MatrixClass,
    *statistics: str | Statistic | Any,
    weight: str = "tables",
    resources: Resources | None = None,
) -> Joint:
    """Exact joint law of some statistics over a class of matrices.

    ``statistics``: short names of the table ``confmat.statistics.STATISTICS`` (``confmat statistics`` prints it; some
    are of square matrices alone, rows = truth), the index functions that they name, or functions of a matrix of one's
    own (wrapped in ``Statistic`` to declare what leaves them unchanged).
    ``weight``: "tables", each matrix once, or "labelings", each pair of labelings once, n!/prod x! for a matrix
    with cells x.  ``resources``: threads or executor, checkpoint, progress.  A law with a statistic that has no
    formula is computed table by table, in one thread: it takes progress, but no executor and no
    checkpoint.  A function compiled by ``numba.njit`` runs in a compiled loop: (20,3,3), 2.8 million matrices without
    a symmetry, in two seconds.

    Nothing is enumerated before something is asked of the result.  Given "med", the laws of "rd" and "ard" are
    streamed: (50,4,4), 2*10^14 matrices, takes minutes and little memory.  Everything else holds the support.

    Raises TypeError or ValueError for an unknown statistic or weight, or a metric of a class that is not square.

    >>> from confmat.classes import Tables
    >>> law = joint(Tables(5, 2, 2), "med", "rd")
    >>> law.total
    36
    >>> [(str(row.value), row.total) for row in law.given("med").rows]
    [('0', 8), ('1/5', 12), ('2/5', 16)]
    """
    if not isinstance(matrices, MatrixClass):
        raise TypeError(f"matrices must be a class of matrices such as Tables(20, 3, 3), got {matrices!r}")
    if weight not in WEIGHTS:
        raise ValueError(f'weight must be "tables" or "labelings", got {weight!r}')
    if not statistics:
        raise ValueError('statistics must name at least one statistic, such as "med"')
    chosen = tuple(as_statistic(statistic) for statistic in statistics)
    names = [statistic.name for statistic in chosen]
    check_square(matrices, chosen)
    if len(set(names)) < len(names):
        raise ValueError(f"statistics must have different names, got {names}")
    return Joint(matrices, chosen, weight, resources or Resources())


@dataclass(frozen=True)
class Joint:
    """The exact joint law of ``statistics`` over ``matrices``; made by ``joint``."""

    matrices: MatrixClass
    statistics: tuple[Statistic, ...]
    weight: str
    resources: Resources = field(default_factory=Resources, compare=False, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Short names of the statistics."""
        return tuple(statistic.name for statistic in self.statistics)

    @cached_property
    def summary(self) -> Summary | None:
        """The sums of one pass over the class, behind the conditional laws of RD and ARD; None if it is empty."""
        return summarize(self.matrices, self.weight, self.resources)

    @cached_property
    def _cells(self) -> tuple[np.ndarray, np.ndarray]:
        """The distinct (m, A, B, P) and their weights, where a summary would be larger."""
        check_cells(self.matrices)
        return collect(self.matrices, self.weight, self.resources)

    @cached_property
    def support(self) -> list[tuple[tuple[Number, ...], int]]:
        """Every value of the statistics that occurs, in increasing order, with its weight.

        Holds the whole support: (20,3,3) has 28 thousand points of (MED, RD, ARD), (50,3,3) 7.6 million.
        """
        return evaluate(self.matrices, self.statistics, self.weight, self.resources)

    @cached_property
    def total(self) -> int:
        """Weight of all matrices: their number, or the number of pairs of labelings."""
        if self.weight == "tables":
            return self.matrices.count()
        if self._summarized:
            if not streams(self.matrices, self.weight):
                return int(self._cells[1].sum())
            return self.summary.total if self.summary is not None else 0
        return sum(weight for _, weight in self.support)

    def mean(self, name: str) -> Fraction | float:
        """Mean of a statistic over the class, exact; a float for a statistic that is itself one.

        >>> from confmat.classes import Tables
        >>> joint(Tables(5, 2, 2), "med", "rd").mean("rd")
        Fraction(2, 5)
        """
        position = self._position(name)
        if not self.support:
            raise ValueError(f"{name!r} has no mean over {self.matrices!r}, which has no members")
        values: dict[Number, int] = {}
        for value, weight in self.support:
            values[value[position]] = values.get(value[position], 0) + weight
        return describe(values).mean

    def given(self, name: str, *, exact: bool = False) -> Conditional:
        """The laws of the other statistics given each value of one.

        The mean and variance of the ARD are correctly rounded doubles, or Fractions with ``exact=True`` (their
        denominators have thousands of digits); all other numbers are exact unless a statistic is not.

        >>> from confmat.classes import Tables
        >>> law = joint(Tables(5, 2, 2), "med", "rd").given("med")
        >>> [(str(row.value), row.laws["rd"].mean) for row in law.rows]
        [('0', Fraction(0, 1)), ('1/5', Fraction(2, 5)), ('2/5', Fraction(3, 5))]
        """
        position = self._position(name)
        others = [n for n in self.names if n != name]
        if name == "med" and self._summarized:
            return Conditional(self, name, tuple(self._given_med(others, exact)))
        rows = []
        ordered = sorted(self.support, key=lambda item: sort_key(item[0][position]))
        for value, items in groupby(ordered, key=lambda item: item[0][position]):
            laws: dict[str, dict[Number, int]] = {n: {} for n in others}
            total = 0
            for values, weight in items:
                total += weight
                for n, v in zip(self.names, values):
                    if n != name:
                        laws[n][v] = laws[n].get(v, 0) + weight
            described = {n: self._witnessed(position, value, n, describe(law)) for n, law in laws.items()}
            rows.append(Given(value, total, Fraction(total, self.total), described))
        return Conditional(self, name, tuple(rows))

    def _witnessed(self, position: int, value: Number, name: str, law: Description) -> Description:
        """A conditional law that knows where its extremes are."""
        chosen = self.statistics[position], self.statistics[self.names.index(name)]
        least, most = (Sought(self.matrices, chosen, (value, x)) for x in (law.min, law.max))
        defined = value == value and law.min == law.min
        return replace(law, least=least, most=most) if defined else law

    def _given_med(self, others: list[str], exact: bool) -> Iterator[Given]:
        if not streams(self.matrices, self.weight):
            described = describe_cells(self.matrices, *self._cells, others, exact)
        elif self.summary is not None:
            described = describe_summary(self.summary, others, self.resources, exact)
        else:
            return
        for m, total, laws in described:
            value = Fraction(m, self.matrices.n) if self.matrices.n else Fraction(0)
            yield Given(value, total, Fraction(total, self.total), laws)

    def _position(self, name: str) -> int:
        if name not in self.names:
            raise ValueError(f"name must be one of {', '.join(self.names)}, got {name!r}")
        return self.names.index(name)

    def to_frame(self) -> Any:
        """The support as a pandas DataFrame: one row a value, columns by name (Fractions or floats) and count.

        >>> from confmat.classes import Tables
        >>> joint(Tables(4, 2, 2), "med", "rd").to_frame()
           med   rd count
        0    0    0     6
        1  1/4  1/2     8
        2  1/2  2/3     5
        """
        import pandas as pd

        frame = pd.DataFrame([values for values, _ in self.support], columns=list(self.names), dtype=object)
        frame["count"] = pd.Series([weight for _, weight in self.support], dtype=object)
        return frame

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write one row per distinct value: exact values as text p/q, then the count.  Whole or not at all.

        Of "med", "rd", "ard" (in this order) laws of 10^7 rows are written without holding Python objects.
        Raises ValueError, before any work, for laws that are too large; see ``given``.

        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> with TemporaryDirectory() as folder:
        ...     joint(Tables(4, 2, 2), "med", "rd").to_csv(f"{folder}/law.csv")
        ...     Path(folder, "law.csv").read_text().split()
        ['med,rd,count', '0,0,6', '1/4,1/2,8', '1/2,2/3,5']
        """
        if self._in_arrays:
            exact_columns(self.matrices, self.names, self.weight, self.resources).write(path, "csv")
        else:
            write_csv(path, self.names, self.support)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the support as Parquet: text columns as in the CSV, numerators and denominators where they fit.

        >>> import duckdb
        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> with TemporaryDirectory() as folder:
        ...     joint(Tables(4, 2, 2), "rd").to_parquet(f"{folder}/law.parquet")
        ...     duckdb.read_parquet(f"{folder}/law.parquet").fetchall()
        [('0', 0, 1, 6), ('1/2', 1, 2, 8), ('2/3', 2, 3, 5)]
        """
        if self._in_arrays:
            exact_columns(self.matrices, self.names, self.weight, self.resources).write(path, "parquet")
        else:
            write_parquet(path, self.names, self.support)

    @property
    def _summarized(self) -> bool:
        """Whether the sums of one pass over margin classes answer."""
        return set(self.statistics) <= _SUMMARIZED and self.matrices.has_margins

    @property
    def _in_arrays(self) -> bool:
        # Without the ARD a law has few values, and may be known without an enumeration.
        return (
            self.matrices.has_margins
            and ARD in self.statistics
            and self.statistics == tuple(x for x in (MED, RD, ARD) if x in self.statistics)
        )

    def digest(self) -> str:
        """SHA-256 over the canonical text of the law of (MED, RD) and of the sums of F by (A, B) and MED.

        The same on every machine, for every number of threads and every method.

        >>> from confmat.classes import Tables
        >>> joint(Tables(4, 2, 2), "med", "rd").digest()[:8]
        '567fa653'
        """
        sha = hashlib.sha256(f"{self.matrices!r} {self.weight}\n".encode())
        if self.summary is not None:
            for (m, f), count in np.ndenumerate(self.summary.law):
                if count:
                    sha.update(f"{m} {f} {count}\n".encode())
            rows = [self.summary.moments(m) for m in range(len(self.summary.law))]
            for k, (a, b) in enumerate(self.summary.keys.tolist()):
                for m, moments in enumerate(rows):
                    first, second = moments[k]
                    if first:
                        sha.update(f"{a} {b} {m} {first} {second}\n".encode())
        return sha.hexdigest()


@dataclass(frozen=True)
class Given:
    """One value of the conditioning statistic: its weight, its probability, the laws of the others there."""

    value: Number
    total: int
    probability: Fraction
    laws: dict[str, Description]


@dataclass(frozen=True)
class Conditional:
    """The laws of the other statistics given one; ``rows`` in increasing order of its values."""

    joint: Joint
    given: str
    rows: tuple[Given, ...]

    def to_frame(self) -> Any:
        """A pandas DataFrame: value, total, probability, then mean, sd, min, quartiles, max of each statistic.

        Floats, correctly rounded from the exact numbers in ``rows``.

        >>> from confmat.classes import Tables
        >>> frame = joint(Tables(4, 2, 2), "med", "rd").given("med").to_frame()
        >>> frame[["med", "total", "rd_mean", "rd_max"]].values.tolist()
        [[0.0, 6.0, 0.0, 0.0], [0.25, 8.0, 0.5, 0.5], [0.5, 5.0, 0.6666666666666666, 0.6666666666666666]]
        """
        import pandas as pd

        records = []
        for row in self.rows:
            record: dict[str, Any] = {self.given: float(row.value), "total": row.total}
            record["probability"] = float(row.probability)
            for name, law in row.laws.items():
                record |= {f"{name}_{key}": float(number) for key, number in law.numbers().items()}
            records.append(record)
        return pd.DataFrame(records)

    def exact_rows(self) -> tuple[tuple[str, ...], list[tuple[tuple[Number, ...], int]]]:
        """Column names and rows with exact numbers, in the order of ``to_frame`` with the total last.

        >>> from confmat.classes import Tables
        >>> names, rows = joint(Tables(4, 2, 2), "med", "rd").given("med").exact_rows()
        >>> names[:3], [(str(values[2]), total) for values, total in rows]
        (('med', 'probability', 'rd_mean'), [('0', 6), ('1/2', 8), ('2/3', 5)])
        """
        names = [self.given, "probability"]
        for law_name, law in self.rows[0].laws.items() if self.rows else ():
            names += [f"{law_name}_{key}" for key in law.numbers()]
        rows = [
            (
                (
                    row.value,
                    row.probability,
                    *(x for law in row.laws.values() for x in law.numbers().values()),
                ),
                row.total,
            )
            for row in self.rows
        ]
        return tuple(names), rows

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write ``exact_rows`` as CSV: exact numbers as text p/q, rounded ones as decimals.

        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> with TemporaryDirectory() as folder:
        ...     joint(Tables(4, 2, 2), "med", "rd").given("med").to_csv(f"{folder}/law.csv")
        ...     Path(folder, "law.csv").read_text().split()[1]
        '0,6/19,0,0.0,0,0,0,0,0,6'
        """
        write_csv(path, *self.exact_rows(), count="total")

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write ``exact_rows`` as Parquet.

        >>> import duckdb
        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> with TemporaryDirectory() as folder:
        ...     joint(Tables(4, 2, 2), "med", "rd").given("med").to_parquet(f"{folder}/law.parquet")
        ...     duckdb.read_parquet(f"{folder}/law.parquet").project("rd_mean, total").fetchall()
        [('0', 6), ('1/2', 8), ('2/3', 5)]
        """
        write_parquet(path, *self.exact_rows(), count="total")

    def to_latex(self, digits: int = 4) -> str:
        """A LaTeX tabular of the means and ranges, rounded to ``digits`` decimals.

        >>> from confmat.classes import Tables
        >>> lines = joint(Tables(4, 2, 2), "med", "rd").given("med").to_latex(digits=2).splitlines()
        >>> lines[1].split(" & ")[:3], lines[3].split(" & ")[:3]
        (['MED', 'matrices', 'RD mean'], ['1/4', '8', '0.50'])
        """
        names = list(self.rows[0].laws) if self.rows else []
        head = [self.given.upper(), "matrices" if self.joint.weight == "tables" else "labelings"]
        for name in names:
            head += [f"{name.upper()} {key}" for key in ("mean", "sd", "min", "max")]
        lines = [r"\begin{tabular}{" + "r" * len(head) + "}", " & ".join(head) + r" \\ \hline"]
        for row in self.rows:
            cells = [str(row.value), str(row.total)]
            for name in names:
                law = row.laws[name]
                cells += [f"{float(x):.{digits}f}" for x in (law.mean, law.sd, law.min, law.max)]
            lines.append(" & ".join(cells) + r" \\")
        return "\n".join([*lines, r"\end{tabular}"])
