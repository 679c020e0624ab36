"""The exact law (distribution) of some statistics over a class of matrices: one type, however it is held."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from confmat.classes import RandomModel
from confmat.engine.trying import tried
from confmat.engine.witnesses import first_member, handed_out
from confmat.errors import TooLarge
from confmat.laws.family import Family
from confmat.laws.held import Held
from confmat.laws.lines import AtSignatures, Line, Listed, Number, Witness, witness
from confmat.laws.marginal import Marginal
from confmat.laws.signed import Signed
from confmat.laws.sources import Source
from confmat.shown import MOST_ROWS, html_table
from confmat.statistics.conditions import Condition, as_condition
from confmat.statistics.record import Statistic

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class Law(Held):
    """The joint law of ``statistics`` over ``matrices``, given ``conditions``: exact, made by ``confmat.joint``, or of
    draws (``exact`` False, ``draws`` their number).

    ``law["ard"]`` is the law of one statistic.  Where every statistic has a formula a law is held as *signatures*, the
    weights of the distinct (m, A, B, P): conditions may then name any statistic with a formula.  Laws of others are
    held as their values.  ``held`` says whether either is so; else a question takes another pass over the class.
    """

    # --- one statistic --------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Marginal:
        """The law of one of the statistics.

        >>> from confmat.classes import Tables
        >>> from confmat.laws import joint
        >>> joint(Tables(5, 2, 2), "med", "rd")["rd"].mean
        Fraction(2, 5)
        """
        if name not in self._kept:
            statistic = self.statistics[self.names.index(self._checked(name))]
            law = self._answering(statistic)
            self._kept[name] = Marginal(statistic, self._over(), law._line(statistic), law._end, self.drawn)
        return self._kept[name]

    def _answering(self, statistic: Statistic) -> Law:
        """The law that values and matrices of one statistic come from: that of it alone where this one is not held."""
        if self._whole and len(self.statistics) > 1 and not self._lists and not self.source.held:
            alone = replace(self, statistics=(statistic,))
            return alone if alone._lists else self
        return self

    @cached_property
    def _kept(self) -> dict[str, Marginal]:
        return {}

    def _checked(self, name: str) -> str:
        if name not in self.names:
            raise ValueError(f"name must be one of {', '.join(self.names)}, got {name!r}")
        return name

    def _line(self, statistic: Statistic) -> Line:
        if self.known is not None:
            return self.known[statistic.name][0]
        if self._lists:
            position = self.names.index(statistic.name)
            law: dict[Number, int] = {}
            for values, weight in self._listed:
                law[values[position]] = law.get(values[position], 0) + weight
            return Listed(law, rounded="P" in statistic.base.depends and statistic.counted)
        source = self._turned((statistic,))
        is_known = self._whole or self.source.held
        total = partial(getattr, self, "total") if is_known else None
        return Signed(self._class, statistic, source.blocks, source.size, total)

    def _end(self, law: Marginal, largest: bool) -> np.ndarray | None:
        """A matrix where a statistic is least or largest, which meets all that the law is given."""
        if self.drawn is not None:
            return None
        found_by = f"the law of {law.name} gave"
        values = (law.statistic, law.max if largest else law.min), *self.fixed
        if self.known is not None:
            _, least, most = self.known[law.name]
            found: AtSignatures | Witness = most if largest else least
        elif isinstance(law._line, Signed) and not self._turned((law.statistic,)).oriented:
            found = witness(self._class, law._line.cells_at_end(largest))
        else:
            return first_member(found_by, self.matrices, self.conditions, values)
        return handed_out(found_by, self._class, found.matrix()[None], self.conditions, values)[0]

    # --- conditions -----------------------------------------------------------------------------------

    def given(self, condition: Any) -> Law:
        """The law among the matrices that meet a condition: "med=4/20", "med<=1/5, ard>1", a mapping, a function.

        >>> from confmat.classes import Tables
        >>> from confmat.laws import joint
        >>> joint(Tables(5, 2, 2), "rd").given("med = 1/5")["rd"].mean
        Fraction(2, 5)
        """
        chosen = self._condition(condition)
        given = replace(self, conditions=(*self.conditions, chosen))
        if not self._lists:
            source = self._turned(chosen.statistics)
            given = replace(given, of=replace(source, conditions=(*source.conditions, chosen)))
        elif self._beyond(chosen):
            source = Source(self.source.of, conditions=given.conditions, oriented=given._turned(()).oriented)
            given = replace(given, of=source)
        return given

    def _condition(self, condition: Any) -> Condition:
        """A condition that this law can answer; ValueError naming what it cannot."""
        chosen = as_condition(condition, known=self.statistics)
        if isinstance(self.matrices, RandomModel) and self.matrices.matrices is None and chosen.of_shape:
            raise ValueError(
                f"condition must not name r or s over tables of many shapes, got {str(chosen)!r}"
            )
        chosen = chosen.at(self.matrices)
        tried(self.matrices, chosen.statistics)
        if self.known is not None:
            raise TooLarge(self._refusal("condition"))
        all_counted = all(s.counted for s in (*self.statistics, *chosen.statistics))
        foreign = self._beyond(chosen)
        if foreign and not (all_counted and self.points is None and self._class.has_margins):
            others = [f"another {s.name}" for s in foreign if s.name in self.names]
            raise ValueError(
                f"condition must be on statistics of the law ({', '.join(self.names)}), got {str(chosen)!r}"
                f"{', with ' if others else ''}{', '.join(others)}"
            )
        return chosen

    def plot(self) -> Figure:
        """The law of each statistic in bars, side by side.

        >>> from confmat.classes import Tables
        >>> from confmat.laws import joint
        >>> [ax.get_title() for ax in joint(Tables(4, 2, 2), "med", "rd").plot().axes]
        ['Law of MED', 'Law of RD']
        """
        from confmat.pictures import panels

        figure, axes = panels(4.6 * len(self.names), 4, columns=len(self.names))
        for name, ax in zip(self.names, axes):
            self[name].plot("mass", ax=ax)
        drawn = "" if self.draws is None else f", {self.draws:,} draws"
        figure.suptitle(f"{self.matrices.words()}{drawn}", fontsize=12)
        return figure

    def given_each(self, name: str) -> Family:
        """The laws given each value of one statistic, in increasing order: iterates (value, weight, law).

        Streamed: given "med", "rd" and "ard" are answered where the law itself is too large to be held.

        >>> from confmat.classes import Tables
        >>> from confmat.laws import joint
        >>> [(str(x), law["rd"].mean) for x, _, law in joint(Tables(5, 2, 2), "med", "rd").given_each("med")]
        [('0', Fraction(0, 1)), ('1/5', Fraction(2, 5)), ('2/5', Fraction(3, 5))]
        """
        return Family(self, self._checked(name))

    def probability(self, condition: Any) -> Fraction:
        """Probability of a condition.

        >>> from confmat.classes import Tables
        >>> from confmat.laws import joint
        >>> joint(Tables(20, 3, 3), "med", "ard").probability("med<=1/4, ard>1")
        Fraction(5, 311809)
        """
        return self.ask(condition)[0]

    def ask(self, *conditions: Any) -> tuple[Fraction, ...]:
        """Probabilities of several conditions at once: where the law is not held, by one pass for all of them.

        >>> from confmat.classes import Tables
        >>> from confmat.laws import joint
        >>> joint(Tables(5, 2, 2), "med", "ard").ask("ard>1", "med=0")
        (Fraction(4, 9), Fraction(2, 9))
        """
        chosen = tuple(map(self._condition, conditions))
        if not self.total:
            raise ValueError(f"conditions must be on a law with members, which {self._over()} has not")
        if self._lists and not any(map(self._beyond, chosen)):
            laws = [replace(self, conditions=(*self.conditions, c)) for c in chosen]
            weights = [sum(weight for _, weight in law._listed) for law in laws]
        else:
            source = self._turned([s for c in chosen for s in c.statistics])
            source = replace(source, conditions=self.conditions)
            weights = source.weights_where(chosen)
        return tuple(Fraction(weight, self.total) for weight in weights)

    def _repr_html_(self) -> str:
        if not self.total or not self.held:
            return html_table(repr(self), [], [])
        numbers = [(name, self[name].numbers()) for name in self.names[:MOST_ROWS]]
        return html_table(repr(self), ["", *numbers[0][1]], [(name, *law.values()) for name, law in numbers])
