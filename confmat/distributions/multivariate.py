"""The exact law (distribution) of some statistics over a class of matrices: one type, however it is held."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat._arguments import as_path
from confmat._display import Part, counted, exact_text, number_json, text_of
from confmat._display.sheets import FORMATS, Sheet
from confmat._engine.witnesses import first_member, member_at
from confmat.distributions.conditional import GivenValue, given_each
from confmat.distributions.explorer import MOST_SIGNATURES, explore
from confmat.distributions.held import Held
from confmat.distributions.lines import Line, Listed, Number
from confmat.distributions.signed import Signed
from confmat.distributions.sources import Source, load
from confmat.distributions.univariate import Distribution, numbers_of_laws
from confmat.errors import TooLargeError
from confmat.statistics.conditions import Condition, as_condition
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS, statistics_over

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class JointDistribution(Held):
    """The joint law of ``statistics`` over ``matrices``, given ``conditions``: exact, made by ``confmat.joint``, or of
    draws (``exact`` False, ``draws`` their number).

    ``law["ard"]`` is the law of one statistic.  Where every statistic has a formula a law is held as *signatures*, the
    weights of the distinct (m, A, B, P): conditions may then name any statistic with a formula.  Laws of others are
    held as their values.  ``held`` says whether either is so; else a question takes another pass over the class.
    """

    _kept: dict[str, Distribution] = field(default_factory=dict, init=False, compare=False)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *statistics: Any) -> JointDistribution:
        """Return the distribution that ``save`` wrote to a file.

        ``statistics``: names or records of statistics with formulas, as ``joint_distribution`` takes them; "med", "rd"
        and "ard" by default. The file must have the digest that was written with it, and its weights must add up to the
        count of the class.

        Raises CheckpointError if the file is damaged or of another form, and ValueError for other statistics.

        >>> import confmat as cm
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     whole = cm.joint_distribution(cm.Tables(20, 3, 3), "ard")
        ...     whole.save(f"{folder}/20-3-3")
        ...     read = cm.JointDistribution.load(f"{folder}/20-3-3", "ard", "jaccard")
        ...     read["ard"].mean() == whole["ard"].mean(), read["jaccard"].max()
        (True, Fraction(1, 1))
        """
        location = as_path("path", path)
        if not location.is_file():
            raise ValueError(f"path must be a file of JointDistribution.save, got {str(path)!r}")
        source = load(location)
        records = statistics_over(source.matrices, statistics or ("med", "rd", "ard"))
        names_without_formulas = [statistic.name for statistic in records if not statistic.counted]
        if names_without_formulas:
            raise ValueError(
                f"statistics of a stored law must have formulas in m, A, B and P, got {names_without_formulas}"
            )
        return cls(source.matrices, records, source.weight, Source(source))

    # --- one statistic --------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Distribution:
        """The law of one of the statistics.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(5, 2, 2), "med", "rd")["rd"].mean(exact=True)
        Fraction(2, 5)
        """
        if name not in self._kept:
            statistic = self._named(name)
            law = self
            if self._whole and len(self.statistics) > 1 and not self._lists and not self.source.is_held():
                # Values and matrices come from the law of the statistic alone where that is listed.
                law_alone = replace(self, statistics=(statistic,))
                law = law_alone if law_alone._lists else self
            self._kept[name] = Distribution(statistic, self._over, law._line(statistic), law._end, self.drawn)
        return self._kept[name]

    def _named(self, name: str) -> Statistic:
        by_name = dict(zip(self.names, self.statistics))
        if name not in by_name and name in STATISTICS:
            name = STATISTICS[name].name
        if name not in by_name:
            raise ValueError(f"name must be one of {', '.join(by_name)}, got {name!r}")
        return by_name[name]

    def _line(self, statistic: Statistic) -> Line:
        if self.known is not None:
            return self.known[statistic.name][0]
        if self._lists:
            position = self.names.index(statistic.name)
            law: Counter[Number] = Counter()
            for values, weight in self._listed:
                law[values[position]] += weight
            return Listed(law, rounded="P" in statistic.base.depends and statistic.counted)
        source = self._turned((statistic,))
        return Signed(self.matrices, statistic, source.blocks, source.size)

    def _end(self, law: Distribution, largest: bool) -> np.ndarray | None:
        """A matrix where a statistic is least or largest, which meets all that the law is given."""
        if self.drawn is not None:
            return None
        if self.known is not None:
            _, cells_at_end = self.known[law.name]
            return member_at(self.matrices, cells_at_end(largest))
        if isinstance(law._line, Signed) and not self._turned((law.statistic,)).oriented:
            return member_at(self.matrices, law._line.cells_at_end(largest))
        values = (law.statistic, law.max() if largest else law.min()), *self.fixed
        return first_member(self.matrices, self.conditions, values)

    # --- conditions -----------------------------------------------------------------------------------

    def given(self, condition: Any) -> JointDistribution:
        """The law among the matrices that meet a condition: "med=4/20", "med<=1/5, ard>1", a mapping, a function.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(5, 2, 2), "rd").given("med = 1/5")["rd"].mean(exact=True)
        Fraction(2, 5)
        """
        chosen = self._condition(condition)
        conditional = replace(self, conditions=(*self.conditions, chosen))
        if not self._lists:
            source = self._turned(chosen.statistics)
            conditional = replace(
                conditional, source=replace(source, conditions=(*source.conditions, chosen))
            )
        elif self._beyond(chosen):
            source = Source(
                self.source.of,
                conditions=conditional.conditions,
                oriented=conditional._turned(()).oriented,
            )
            conditional = replace(conditional, source=source)
        return conditional

    def _condition(self, condition: Any) -> Condition:
        """A condition that this law can answer; ValueError naming what it cannot."""
        chosen = as_condition(condition, known=self.statistics)
        chosen = chosen.at(self.matrices)
        if self.known is not None:
            raise TooLargeError(self._refusal("condition"))
        all_counted = all(s.counted for s in (*self.statistics, *chosen.statistics))
        foreign = self._beyond(chosen)
        if foreign and not (all_counted and self.points is None):
            same_names = [f"another {s.name}" for s in foreign if s.name in self.names]
            raise ValueError(
                f"condition must be on statistics of the law ({', '.join(self.names)}), got {str(chosen)!r}"
                f"{', with ' if same_names else ''}{', '.join(same_names)}"
            )
        return chosen

    def _map(self) -> Figure:
        """The heat map of the first two statistics, and three extreme tables."""
        from confmat._figures import Picture, finish, heat, matrix_map

        across, upwards = self.statistics[:2]
        signatures = self.sufficient_statistics()
        sums = np.stack([signatures[name] for name in "mABP"], axis=1)
        matrices: Any = self.matrices
        x, y = (statistic.rough_values(matrices, sums) for statistic in (across, upwards))
        is_defined = ~(np.isnan(x) | np.isnan(y))
        figure = Picture(10, 5.6)
        grid = figure.add_gridspec(3, 2, width_ratios=[5, 1.4])
        ax = figure.add_subplot(grid[:, 0])
        heat_map = heat(
            ax,
            x[is_defined],
            y[is_defined],
            signatures["weight"][is_defined].astype(float),
        )
        finish(ax, across.label, upwards.label)
        ends = [(across, "max", "largest"), (upwards, "max", "largest"), (upwards, "min", "smallest")]
        for k, (statistic, end, size) in enumerate(ends):
            line = self[statistic.name]
            table = getattr(line, f"arg{end}")()
            value = getattr(line, end)()
            small_ax = figure.add_subplot(grid[k, 1])
            value_text = value if isinstance(value, Fraction) else f"{float(value):.4g}"
            matrix_map(table, f"{size} {statistic.name.upper()}\n{value_text}", ax=small_ax)
        figure.colorbar(heat_map, ax=ax, label=f"{self.weight}, log scale", pad=0.01)
        figure.suptitle(f"{self.matrices.words()}{self.given_in_words}", fontsize=11)
        return figure

    def explore(self, path: Any, x: str = "med", y: str = "ard", *, most: int = MOST_SIGNATURES) -> Path:
        """Write the law as one page for a browser, which asks nothing of the network; returns its path.

        A heat map of two statistics; hover or tap a cell for its exact values, count, share and a table that has it;
        a condition typed in is answered exactly; one's own table is placed.  The page checks itself when it is opened:
        its weights add up to the total, and every table has the values shown.  Statistics are those of two clusterings
        with formulas; TooLargeError for more than ``most`` signatures, ValueError for a law that has none.

        >>> import tempfile
        >>> from pathlib import Path
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = joint_distribution(Tables(6, 2, 2), "med", "ard").explore(Path(folder, "law.html"))
        ...     "<!doctype html>" in page.read_text()
        True
        """
        return explore(self, path, x, y, most)

    def plot(self) -> Figure:
        """An exact law of several as a heat map of the first two, with extreme tables; else each in bars, side by side.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> [ax.get_title() for ax in joint_distribution(Tables(4, 2, 2), "med", "rd").plot().axes][1:4]
        ['largest MED\\n1/2', 'largest RD\\n2/3', 'smallest RD\\n0']
        """
        from confmat._figures import panels

        have_formulas = all(statistic.counted for statistic in self.statistics)
        if (
            self.draws is None
            and len(self.names) > 1
            and have_formulas
            and self.source is not None
            and self.total
        ):
            return self._map()

        figure, axes = panels(4.6 * len(self.names), 4, columns=len(self.names))
        for name, ax in zip(self.names, axes):
            self[name].plot("pmf", ax=ax)
        if self.draws is None:
            draws = ""
        else:
            draws = f", {self.draws:,} draws"
        words = f"{self.matrices.words()}{self.given_in_words}{draws}"
        figure.suptitle(fill(words, 48 * len(self.names)), fontsize=12)
        return figure

    def groupby(self, name: str) -> Iterator[GivenValue]:
        """Yield each value of one statistic, in increasing order, and the joint distribution given this value.

        The weight of a value is the ``total`` of the distribution given it. Given "med", the statistics "med", "rd" and
        "ard" are answered even if the joint distribution is too large for the memory.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint = joint_distribution(Tables(5, 2, 2), "med", "rd")
        >>> [(str(value), given["rd"].mean(exact=True)) for value, given in joint.groupby("med")]
        [('0', Fraction(0, 1)), ('1/5', Fraction(2, 5)), ('2/5', Fraction(3, 5))]
        """
        return given_each(self, self._named(name))

    def probability(self, *conditions: Any) -> Any:
        """Return the probability of a condition; of several, a tuple of their probabilities, found in one pass.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(20, 3, 3), "med", "ard").probability("med<=1/4, ard>1")
        Fraction(5, 311809)
        >>> joint_distribution(Tables(5, 2, 2), "med", "ard").probability("ard>1", "med=0")
        (Fraction(4, 9), Fraction(2, 9))
        """
        conditions_read = tuple(map(self._condition, conditions))
        if not self.total:
            raise ValueError(f"conditions must be on a law with members, which {self._over()} has not")
        if self._lists and not any(map(self._beyond, conditions_read)):
            laws = [replace(self, conditions=(*self.conditions, one)) for one in conditions_read]
            weights = [sum(weight for _, weight in law._listed) for law in laws]
        else:
            statistics: list[Statistic] = []
            for one in conditions_read:
                statistics += one.statistics
            source = replace(self._turned(statistics), conditions=self.conditions)
            weights = source.weights_where(conditions_read)
        shares = tuple(Fraction(weight, self.total) for weight in weights)
        return shares[0] if len(shares) == 1 else shares

    def parts(self) -> Iterator[Part]:
        """What it is over, the values of one statistic where they are few, and the numbers of every law.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> print(joint_distribution(Tables(4, 2, 2), "med"))
        All 2 x 2 tables with total 4, no empty row or column.
        19 matrices.
        <BLANKLINE>
        Law of med
        med  count  probability
        ───────────────────────
          0      6       0.3158
        1/4      8       0.4211
        1/2      5       0.2632
        <BLANKLINE>
        med, 3 values
                      value  exact
        ──────────────────────────
        mean    0.236842105  9/38
        sd      0.189765857
        min               0  0
        q1                0  0
        median         0.25  1/4
        q3              0.5  1/2
        max             0.5  1/2
        """
        if self.fixed or self.conditions or self.drawn:
            yield next(iter(self.brief()))
        else:
            yield f"All {self.matrices.words()}."
        if not self.total:
            yield "There is no such table."
            return
        yield f"{counted(self.total, 'draw') if self.drawn else amount(self.total, self.weight)}."
        if len(self.names) > 1:
            yield from self._numbers_of_all()
            return
        name = self.names[0]
        points = self._points()
        are_few = points is not None and len(points) <= _MOST_LISTED
        if points is not None and are_few:
            yield self._listing(points)
        yield from self[name]._in_writing("" if points is None else f", {counted(len(points), 'value')}")
        if not are_few:
            yield "Files and JSON have every value with its count."

    def published(self, form: str) -> str:
        """Its tables in a form that people publish; the law of one statistic is its values, however many."""
        if len(self.names) == 1 and self.total:
            points = self._points()
        else:
            points = None
        if points is None:
            return super().published(form)
        return FORMATS[form](self._listing(points))

    def _listing(self, points: list[Any]) -> Sheet:
        name = self.names[0]
        total = self.total
        sheet = Sheet(
            (name, "count", "probability"),
            (),
            f"Law of {name}",
        )
        for (value,), weight in points:
            exact = exact_text(value, _LONGEST_EXACT_IN_LAW)
            sheet.add_row(
                exact or f"{float(value):.6g}",
                weight,
                f"{weight / total:.4g}",
            )
        return sheet

    def _numbers_of_all(self) -> Iterator[Part]:
        if not self.held:
            yield "It is not held: each of its numbers is another pass over the class."
            return
        yield numbers_of_laws(Sheet(("",), ("",)), [(name, self[name]) for name in self.names], text_of)

    def _points(self) -> list[Any] | None:
        """Every value with its weight; None where they are too many to be listed."""
        try:
            return self.support if self.held else None
        except TooLargeError:
            return None

    def as_dict(self) -> dict[str, Any]:
        """Class, weight, total; of one statistic every value with its count, else the numbers of each law."""
        facts = {"class": self.matrices.to_json(), "weight": self.weight, "total": self.total}
        if len(self.names) > 1:
            return facts | {"statistics": {name: self[name].as_dict() for name in self.names}}
        facts["statistic"] = self.names[0]
        points = self._points()
        if points is None:
            return facts | {"numbers": self[self.names[0]].as_dict()}
        rows = [
            {"value": None if value != value else number_json(value), "total": weight}
            for (value,), weight in points
        ]
        return facts | {"law": rows}


def amount(total: int, weight: str) -> str:
    """Return the number of what is equally likely, in words.

    >>> amount(1, "tables"), amount(36, "labelings")
    ('1 matrix', '36 pairs of labelings')
    """
    units = {"tables": ("matrix", "matrices"), "labelings": ("pair of labelings", "pairs of labelings")}
    return counted(total, *units[weight])


# Laws of more values are described, not listed; exact values of more characters are rounded.
_MOST_LISTED = 100
_LONGEST_EXACT_IN_LAW = 40
