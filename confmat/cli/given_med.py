"""Output of ``confmat table``: distributions of the MED and of other statistics given the MED."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from confmat._display import Answer, Part, exact_json
from confmat._display.sheets import Sheet
from confmat.classes.matrix_class import order_in_words
from confmat.contingency.texts import matrix_text
from confmat.distributions import JointDistribution
from confmat.distributions.multivariate import amount
from confmat.distributions.univariate import numbers_of_laws
from confmat.statistics import STATISTICS


@dataclass(frozen=True, repr=False)
class GivenMed(Answer):
    """Joint distribution of the MED and other statistics, reported at each MED."""

    joint: JointDistribution

    @cached_property
    def rows(self) -> list[tuple[Any, JointDistribution]]:
        """Pairs of a value of the MED and the joint distribution given this value."""
        return list(self.joint.groupby("med"))

    @property
    def others(self) -> tuple[str, ...]:
        """Names of the statistics without the MED."""
        return tuple(name for name in self.joint.names if name != "med")

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text: tables of the MED and of each other statistic given the MED.

        The table of the MED also has the largest ARD for each value of the MED.
        """
        joint = self.joint
        conditions = "".join(f", given {condition}" for condition in joint.conditions)
        yield f"All {joint.matrices.words()}{conditions}."
        if not self.rows:
            yield f"There is no such table.{order_in_words(joint.matrices)}"
            return
        yield f"{amount(joint.total, joint.weight)}, each equally likely."
        unit = "matrices" if joint.weight == "tables" else "labelings"
        sheet = Sheet(("MED", unit, "probability", "largest ARD", "at"), ("at",), _title_of("med"))
        for value, given in self.rows:
            for name in self.others:
                given[name].mean()  # unpacks the sufficient statistics once for all
            ard = given["ard"]
            probability = f"{given.total / joint.total:.4g}"
            sheet.add_row(
                self._med_text(value),
                given.total,
                probability,
                f"{float(ard.max()):.5f}",
                matrix_text(ard.argmax()),
            )
        yield sheet
        for name in self.others:
            yield self._sheet_of(name)
        yield "Computed exactly, rounded here; JSON and files keep the fractions."
        yield "q1, median, q3: the least value with 1/4, 1/2, 3/4 of the mass up to it."

    def _sheet_of(self, name: str) -> Sheet:
        """Return a sheet with the numbers of a statistic given each MED."""
        sheet = Sheet(("MED",), (), f"{_title_of(name)} given the MED")
        labelled = []
        for value, given in self.rows:
            labelled.append((self._med_text(value), given[name]))
        return numbers_of_laws(sheet, labelled, lambda x: f"{float(x):.5f}")

    def _med_text(self, value: Fraction) -> str:
        """Return a MED as a fraction with denominator n, such as 4/20."""
        n = self.joint.matrices.n
        return f"{value * n}/{n}" if n else "0"

    def _facts(self) -> dict[str, Any]:
        """Return the class, the weight, the total and a list "given_med" by name, for JSON.

        The list has a dictionary for each value of the MED, as `_facts_given` returns it.
        """
        joint = self.joint
        return {
            "class": joint.matrices.to_json(),
            "weight": joint.weight,
            "total": joint.total,
            "given_med": [self._facts_given(*row) for row in self.rows],
        }

    def _facts_given(self, value: Fraction, given: JointDistribution) -> dict[str, Any]:
        """Return a value of the MED, its weight, and the numbers of the other statistics given this value, by name."""
        facts = {
            "med": exact_json(value),
            "total": given.total,
            "probability": float(Fraction(given.total, self.joint.total)),
        }
        for name in self.others:
            facts[name] = given[name]._facts() | ({"argmax": given[name].argmax()} if name == "ard" else {})
        return facts


def _title_of(name: str) -> str:
    """Return the title of a statistic with its short name."""
    title = STATISTICS[name].title
    return f"{title[0].upper()}{title[1:]} ({name.upper()})"
