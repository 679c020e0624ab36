"""Class `Result`: an extreme value that a search found, and its certificate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat._display import Answer, Part, Verbatim, counted, number_json, text_of
from confmat._display.sheets import whole
from confmat.certificates.seals import check_known, write_certificate
from confmat.classes import MatrixClass
from confmat.classes.matrix_class import order_in_words
from confmat.classes.orbits import Generators, as_symmetry, nested
from confmat.contingency.texts import matrix_text
from confmat.errors import UnsupportedError
from confmat.search.pruning import LARGEST_N_SCANNED, margin_classes_to_search, open_potentials
from confmat.statistics.clusterings import ARD
from confmat.statistics.conditions import Condition
from confmat.statistics.record import Number, Statistic
from confmat.statistics.table import package_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# More matrices than these are counted, not shown; JSON has them all.
_MOST_MATRICES_SHOWN = 20


@dataclass(frozen=True, eq=False, repr=False)
class Result(Answer):
    """Largest (or smallest) value of a statistic over a class of matrices, and the matrices that attain it.

    ``value`` is a Fraction or another exact number, a float if the statistic is not exact, None if no matrix
    satisfies the condition. ``tables`` has one representative of each orbit, the lexicographically largest first.
    ``proved`` is True if the value is certain. ``assumptions`` lists unproved properties, such as a symmetry that a
    user declared. ``complete`` is True if every orbit that attains the value is represented. ``method`` is the name
    of the search method. ``examined`` counts the objects that were compared.
    """

    matrices: MatrixClass
    record: Statistic
    largest: bool
    given: Condition | None
    value: Number | None
    tables: tuple[np.ndarray, ...]
    proved: bool
    assumptions: tuple[str, ...]
    complete: bool
    method: str
    examined: dict[str, int]

    @property
    def statistic(self) -> str:
        """Return the short name of the statistic. ``record`` is the statistic itself."""
        return self.record.name

    def __bool__(self) -> bool:
        """Return whether a matrix satisfies the condition, so that there is an extreme value."""
        return self.value is not None

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text: the value, its method, and the matrices that attain it."""
        if self.given is None:
            condition = ""
        else:
            condition = f", {self.given}"
        yield f"{self.matrices.words().capitalize()}{condition}."
        extreme = f"{'Largest' if self.largest else 'Smallest'} {self.statistic}"
        if self.value is None:
            yield f"{extreme}: no such matrix{'' if self.proved else ' was met'}.{order_in_words(self.matrices)}"
            return
        if self.method == "theorem":
            theorem: Any = self.record.base.largest
            if self.given is not None:
                theorem = theorem.given_most_med
            by_what = f"theorem {theorem.name}"
        else:
            by_what = self.method
        yield f"{extreme}: {self._value()}  ({self._standing()}, {by_what})"
        count = len(self.tables)
        if self.complete:
            yield f"Attained, up to symmetry, by {'one matrix' if count == 1 else counted(count, '', 'matrices')}:"
        else:
            yield "Attained among others by:" if count == 1 else f"Attained by {whole(count)} that were met:"
        for table in self.tables[:_MOST_MATRICES_SHOWN]:
            yield Verbatim(f"  {matrix_text(table)}")
        if count > _MOST_MATRICES_SHOWN:
            yield f"  and {whole(count - _MOST_MATRICES_SHOWN)} more (--json lists all)"

    def _value(self) -> str:
        """Return the value as text, with a decimal if it is a long fraction."""
        assert self.value is not None
        decimal = f"{float(self.value):.12g}"
        is_short = isinstance(self.value, float) or str(self.value) == decimal
        if is_short:
            return decimal
        return f"{self.value} = {decimal}"

    def _standing(self) -> str:
        """Return a string that says if the value is proved, or only a lower or upper bound."""
        if self.proved:
            return "proved"
        if self.assumptions:
            return f"not proved: assumes the {', '.join(self.assumptions)}"
        return f"not proved: {'a lower' if self.largest else 'an upper'} bound"

    def _facts(self) -> dict[str, Any]:
        """Return the fields of the JSON output.

        >>> from confmat.classes import Tables
        >>> from confmat.search import maximize
        >>> answer = maximize(Tables(6, 2, 2), "ard").to_json()
        >>> answer["tables"], answer["value"]
        ([[[2, 2], [1, 1]]], {'exact': '45/37', 'value': 1.2162162162162162})
        """
        return {
            "class": self.matrices,
            "statistic": self.statistic,
            "given": None if self.given is None else str(self.given),
            "value": None if self.value is None else number_json(self.value),
            "tables": self.tables,
            "proved": self.proved,
            "assumptions": self.assumptions,
            "complete": self.complete,
            "method": self.method,
            "examined": self.examined,
        }

    def plot(self) -> Figure:
        """Draw up to six of the matrices that attain the value, as heat maps.

        Returns
        -------
        matplotlib.figure.Figure

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.search import maximize
        >>> len(maximize(Tables(6, 2, 2), "ard").plot().axes)
        1
        """
        from confmat._figures import matrix_maps

        if self.value is None:
            raise ValueError(
                f"no member of {self.matrices!r} satisfies {self.given}, so that nothing can be drawn"
            )
        count = len(self.tables)
        titled_tables = [(f"{i} of {count}" if count > 1 else "", x) for i, x in enumerate(self.tables, 1)]
        standing = "proved" if self.proved else "not proved"
        extreme = "largest" if self.largest else "smallest"
        condition = "" if self.given is None else f", {self.given}"
        title = f"{extreme} {self.statistic}: {text_of(self.value)} ({standing})\n{self.matrices.words()}{condition}"
        return matrix_maps(titled_tables, title)

    def certificate(self) -> str:
        """Return the result as JSON that ``confmat verify`` can check, or its stand-alone script without this package.

        The checker enumerates all matrices again. The largest RD or ARD is instead checked by bounds in closed
        form, and by dual potentials if these are not sufficient.

        Returns
        -------
        str

        Raises
        ------
        UnsupportedError
            If not every matrix that attains the value is listed, or the checker does not support the statistic.

        Examples
        --------
        >>> from confmat.certificates import check
        >>> from confmat.classes import Tables
        >>> from confmat.search import maximize
        >>> check(maximize(Tables(6, 2, 2), "ard").certificate()).partition(" is ")[2]
        '45/37; matrices with it, up to symmetry: 1'
        """
        spec = self.matrices.to_json()
        value = self.value
        of_condition = () if self.given is None else self.given.statistics
        if not (self.proved and self.complete):
            raise UnsupportedError(
                f'a certificate needs all matrices that attain the value, but method "{self.method}" does not list '
                'them. Repeat the search with method="exhaustive"'
            )
        check_known(spec, package_names([self.record, *of_condition]))
        proof: dict[str, Any] = {"members": self.matrices.count()}
        if self.method in ("bound-and-prune", "theorem"):
            if self.matrices.n > LARGEST_N_SCANNED:
                raise UnsupportedError(
                    f"a certificate that relies on bounds of the search requires n <= {LARGEST_N_SCANNED}, "
                    f"got {self.matrices.n}"
                )
            for_ard = self.record.base == ARD
            dual_potentials = open_potentials(self.matrices, for_ard, self.tables[0])
            proof = {
                "margin_classes": margin_classes_to_search(self.matrices),
                "potentials": dual_potentials.tolist(),
            }
        return write_certificate(
            "extreme",
            {
                "class": spec,
                "statistic": self.statistic,
                "largest": self.largest,
                "given": None if self.given is None else str(self.given),
                "value": None if value is None else str(Fraction(value)),
                "matrices": [table.tolist() for table in self.tables],
                "proof": proof,
            },
        )


def representatives(
    matrices: MatrixClass, symmetry: str | Generators, tables: list[np.ndarray]
) -> tuple[np.ndarray, ...]:
    """Return one of ``tables`` for each orbit, its largest member, in decreasing lexicographic order.

    Orbits are those of ``symmetry``, as far as it maps the class ``matrices`` to itself.

    >>> from confmat.classes import Tables
    >>> representatives(Tables(3, 2, 2), "permutations", [np.array([[0, 2], [1, 0]]), np.array([[1, 0], [0, 2]])])
    (array([[2, 0],
           [0, 1]]),)
    """
    members = {nested(_as_member(matrices, table)) for table in tables}
    # Most tables differ only in the order of rows and columns, which is removed quickly.
    if {"rows", "columns"} <= as_symmetry(symmetry) & matrices.symmetry:
        sorted_columns = [sorted(zip(*rows)) for rows in members]
        members = {tuple(sorted(zip(*columns))) for columns in sorted_columns}
    canonical = {nested(matrices.representative(np.array(rows), symmetry)) for rows in members}
    return tuple(np.array(rows) for rows in sorted(canonical, reverse=True))


def _as_member(matrices: MatrixClass, table: np.ndarray) -> np.ndarray:
    """Return the table, or a table of the class with its rows or columns in another order.

    If no order gives a table of the class, return the table unchanged.
    """
    if table in matrices:
        return table
    try:
        return matrices.representative(table)
    except ValueError:
        return table
