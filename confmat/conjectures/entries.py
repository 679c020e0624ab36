"""What certificates consist of: the statement, and an entry for each class, as values and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from confmat.classes import Chains, Triples, class_from_json
from confmat.classes.burnside import orbits_count
from confmat.classes.margin_pairs import MarginPairs
from confmat.classes.matrix_class import MatrixClass
from confmat.classes.random_models import MODELS, RandomModel
from confmat.classes.triples import Three
from confmat.conjectures.claims.membership_grids import MembershipPairs
from confmat.engine.trying import DECLARED
from confmat.errors import CertificateError, NotACertificate
from confmat.matrices.arguments import as_count


class Counted(Protocol):
    """What is checked at a time: a frozen dataclass with a size ``n``, a ``shape`` and a closed-form count."""

    @property
    def n(self) -> int: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    def to_json(self) -> dict[str, Any]: ...

    def count(self) -> int:
        """How many members there are.

        >>> from confmat.classes import Tables
        >>> Tables(4, 2, 2).count()
        19
        """
        ...


@dataclass(frozen=True)
class Tested:
    """What was tested, in a form that fixes its meaning.

    ``test`` is {"formula": text} for a condition on statistics of the table, with "on" or "related_by" where it is not
    about one table; else {"source": texts by name, "symmetry":
    what is declared to leave it unchanged}, with "formula" where the condition is on statistics of one's own.  Of a
    formula ``name`` and ``text`` are the formula itself.
    """

    name: str
    text: str
    test: Mapping[str, Any]

    @property
    def basis(self) -> str:
        """What a check of all members rests on.

        >>> Tested("flat", "no cell holds 5", {"source": {}, "symmetry": "permutations"}).basis
        'all members, given the declared symmetry (permutations)'
        """
        declared = self.test.get("symmetry", "none")
        return "all members" + ("" if declared == "none" else f", {DECLARED} ({declared})")

    def to_json(self) -> dict[str, Any]:
        """The statement as a part of a certificate.

        >>> Tested.from_json(Tested("med < 1", "med < 1", {"formula": "med < 1"}).to_json()).name
        'med < 1'
        """
        return {"conjecture": self.name, "statement": self.text, "test": dict(self.test)}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Tested:
        """What ``to_json`` wrote, among other keys; CertificateError for parts that are none.

        >>> Tested.from_json({"conjecture": "flat", "statement": "", "test": {"formula": 3}})
        Traceback (most recent call last):
        ...
        confmat.errors.NotACertificate: this is not a certificate: its test is {'formula': 3}
        """
        name, text, test = (content[key] for key in ("conjecture", "statement", "test"))
        kinds = {"formula": str, "on": str, "related_by": str, "symmetry": str, "source": dict}
        formulas = ({"formula", *more} for more in ((), ("on",), ("related_by",), ("source", "symmetry")))
        known = ({"source", "symmetry"}, *formulas)
        fits = isinstance(test, dict) and set(test) in known
        if not fits or not all(isinstance(x, kinds[key]) for key, x in test.items()):
            raise NotACertificate(f"this is not a certificate: its test is {test!r:.200}")
        return cls(as_word(name), as_word(text), test)


@dataclass(frozen=True)
class Entry:
    """One class of a certificate: how many members were covered, and the digest of their outcomes.

    ``cases``: at how many members the premise holds, or how many changes were tested (see ``Finding``), else None.
    """

    matrices: Counted
    covered: int
    digest: str
    cases: int | None = None
    seconds: float = field(default=0.0, compare=False)

    def compare_count(self) -> None:
        """CertificateError unless the members covered are all there are.

        >>> from confmat.classes import Tables
        >>> Entry(Tables(4, 2, 2), 18, "5e1f").compare_count()
        Traceback (most recent call last):
        ...
        confmat.errors.CertificateError: Tables(n=4, r=2, s=2, empty=False) has 19 members, 18 were covered
        """
        count = self.matrices.count()
        if self.covered != count:
            raise CertificateError(f"{self.matrices} has {count} members, {self.covered} were covered")

    @property
    def orbits(self) -> int | None:
        """Members up to permutations of lines and, in square classes, transposition; None where no formula says."""
        if isinstance(self.matrices, Three):
            return self.matrices.orbits_count()
        return orbits_count(self.matrices) if isinstance(self.matrices, MatrixClass) else None

    def to_json(self) -> dict[str, Any]:
        """The entry as a part of a certificate.

        >>> from confmat.classes import Tables
        >>> Entry(Tables(4, 2, 2), 19, "5e1f").to_json()["orbits"]
        5
        """
        return {
            "class": self.matrices.to_json(),
            "members": self.covered,
            **({} if self.cases is None else {"cases": self.cases}),
            "orbits": self.orbits,
            "digest": self.digest,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Entry:
        """What ``to_json`` wrote; CertificateError unless the count is the closed-form one, and the orbits Burnside's.

        >>> from confmat.classes import Tables
        >>> Entry.from_json(Entry(Tables(4, 2, 2), 19, "5e1f").to_json() | {"orbits": 6})
        Traceback (most recent call last):
        ...
        confmat.errors.CertificateError: Tables(n=4, r=2, s=2, empty=False) has 5 orbits, not 6
        """
        matrices = members_from_json(content["class"])
        cases = as_count("cases", content["cases"]) if "cases" in content else None
        entry = cls(matrices, as_count("members", content["members"]), as_word(content["digest"]), cases)
        entry.compare_count()
        if content["orbits"] != entry.orbits:
            raise CertificateError(f"{matrices} has {entry.orbits} orbits, not {content['orbits']!r}")
        return entry


def as_word(text: Any) -> str:
    """A text; TypeError for anything else."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no text")
    return text


def members_from_json(content: Mapping[str, Any]) -> Counted:
    """A class, a random model, or what else is checked at a time, from its JSON.

    >>> members_from_json(Triples(4).to_json())
    Triples(n=4)
    """
    for other in (MembershipPairs, Triples, Chains, MarginPairs):
        if content["kind"] == other.KIND:
            return other.from_json(content)
    if content["kind"] in MODELS:
        return RandomModel.from_json(content)
    return class_from_json(content)
