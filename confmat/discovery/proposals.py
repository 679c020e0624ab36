"""What a proposal is: what it says, of which classes, and what speaks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from confmat.classes import Tables
from confmat.conjectures.certificates import Certificate, Counterexample
from confmat.conjectures.stated import Conjecture
from confmat.discovery.facts import Facts

Shape = tuple[int, int]
Shown = Mapping[Tables, Facts]

KINDS = ("bound", "given the MED", "law", "first failure")
"""What a proposal may be: a sharp bound with a closed form, one at each MED, a property of laws, or where one ends."""

# Evidence at which a score is half of what it is with any amount.
_HALF = 10


@dataclass(frozen=True)
class Range:
    """Tables of one shape with a total from ``first`` to ``last``, of one residue."""

    shape: Shape
    first: int
    last: int
    period: int = 1
    residue: int = 0

    def __call__(self, matrices: Any) -> bool:
        return (
            matrices.shape == self.shape
            and self.first <= matrices.n <= self.last
            and matrices.n % self.period == self.residue
        )

    def __str__(self) -> str:
        r, s = self.shape
        every = f", n = {self.residue} mod {self.period}" if self.period > 1 else ""
        return f"{r} x {s}, {self.first} <= n <= {self.last}{every}"

    @property
    def classes(self) -> list[Tables]:
        """All of them."""
        return [
            Tables(n, *self.shape)
            for n in range(self.first, self.last + 1)
            if n % self.period == self.residue
        ]


@dataclass(frozen=True, repr=False)
class Proposal:
    """What may be true: a sentence, the conjectures that say it (one for each residue of n), and what speaks for it.

    ``kind``: one of ``KINDS``.  ``formula``: the closed form.  ``extremal``: the families of tables that attain it.
    ``fitted``, ``tried``: from how many n (n and MED; classes, of laws) it was found, and tried at besides;
    ``sharpness``: how much of the statistic what is known leaves open at the largest n, from 0 to 1, 1/2 of laws.
    ``shown``: what its picture shows.  ``certificates``: one for each conjecture, of its range.
    """

    kind: str
    sentence: str
    claims: tuple[tuple[Conjecture, Range], ...]
    formula: str = ""
    extremal: str = ""
    fitted: int = 0
    tried: int = 0
    sharpness: float = 0.5
    shown: Mapping[str, Any] = field(default_factory=dict, compare=False)
    certificates: tuple[Certificate | Counterexample, ...] = ()

    @property
    def conjectures(self) -> tuple[Conjecture, ...]:
        """The statements to be checked."""
        return tuple(conjecture for conjecture, _ in self.claims)

    @property
    def statement(self) -> str:
        """The statements, as the grammar of conditions has them, or the claim about laws in words."""
        return "; ".join(dict.fromkeys(x.statement for x in self.conjectures))

    @property
    def range(self) -> str:
        """The classes that it is about."""
        return "; ".join(str(where) for _, where in self.claims)

    @property
    def score(self) -> float:
        """Sharpness, less where there is little evidence."""
        return self.sharpness * self.tried / (self.tried + _HALF)

    def __repr__(self) -> str:
        return f"<{self.kind}: {self.sentence}>"

    def to_json(self) -> dict[str, Any]:
        """What a report lists: statement, kind, range, evidence, extremal, formula.

        >>> Proposal("law", "the law of med is unimodal", ()).to_json()["kind"]
        'law'
        """
        return {
            "statement": self.statement,
            "sentence": self.sentence,
            "kind": self.kind,
            "range": [str(where) for _, where in self.claims],
            "evidence": {
                "fitted": self.fitted,
                "tried": self.tried,
                "sharpness": round(self.sharpness, 4),
                "classes": sum(len(x.entries) for x in self.certificates),
                "members": sum(entry.covered for x in self.certificates for entry in x.entries),
                "digests": [x.digest for x in self.certificates],
            },
            "extremal": self.extremal,
            "formula": self.formula,
        }


class Tried(dict[str, int]):
    """How many of each thing were tried, found, dropped."""

    def count(self, what: str, number: int = 1) -> None:
        """So many more.

        >>> tried = Tried()
        >>> tried.count("pairs", 3)
        >>> tried
        {'pairs': 3}
        """
        self[what] = self.get(what, 0) + number


def shapes_of(shown: Shown) -> list[Shape]:
    """Of the classes that were looked at."""
    return sorted({matrices.shape for matrices in shown})
