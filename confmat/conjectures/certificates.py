"""What a check leaves behind: a certificate or a counterexample, as values and as JSON, and its checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import cycle
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from confmat.certificates.seals import digest, read_sealed, sealed
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
from confmat.shown import counted, html_table, text_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
        return "all members" + ("" if declared == "none" else f", given the declared symmetry ({declared})")

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
        return cls(_word(name), _word(text), test)


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
        matrices = _class_from_json(content["class"])
        cases = as_count("cases", content["cases"]) if "cases" in content else None
        entry = cls(matrices, as_count("members", content["members"]), _word(content["digest"]), cases)
        entry.compare_count()
        if content["orbits"] != entry.orbits:
            raise CertificateError(f"{matrices} has {entry.orbits} orbits, not {content['orbits']!r}")
        return entry


@dataclass(frozen=True, repr=False)
class Certificate:
    """A statement holds for every member of these classes.

    ``left``: how many classes a check that was stopped did not cover; they are no part of the certificate.
    ``digest`` seals all that the JSON says; it is the same on every machine and in every run.
    """

    about: Tested
    entries: tuple[Entry, ...]
    seconds: float = field(default=0.0, compare=False)
    left: int = field(default=0, compare=False)

    def __repr__(self) -> str:
        rows = [(str(entry.matrices), entry.covered) for entry in self.entries]
        return text_table(f"{self}: {self.statement}", rows)

    def _repr_html_(self) -> str:
        rows = [(entry.matrices, entry.covered) for entry in self.entries]
        return html_table(f"{self}: {self.statement}", ["class", "members"], rows)

    def __str__(self) -> str:
        stopped = f"; {counted(self.left, 'class is', 'classes are')} left" if self.left else ""
        return f"{self.conjecture} is true for all {self.scope}{stopped}"

    @property
    def scope(self) -> str:
        """What was covered, in words.

        >>> from confmat.classes import Tables
        >>> from confmat.conjectures import Conjecture, check
        >>> check(Conjecture("late", "med > 1/2 -> ard > 1"), Tables(4, 2, 2)).scope
        '19 members of 1 class; vacuous: nothing satisfies the premise'
        """
        cases = "" if self.cases is None else f" ({counted(self.cases, 'case')})"
        vacuous = "; vacuous: nothing satisfies the premise" if self.vacuous else cases
        classes = counted(len(self.entries), "class", "classes")
        return f"{counted(self.covered, 'member')} of {classes}{vacuous}"

    @property
    def cases(self) -> int | None:
        """At how many members the premise holds, or how many changes were tested; None without either."""
        found = [entry.cases for entry in self.entries if entry.cases is not None]
        return sum(found) if found else None

    @property
    def vacuous(self) -> bool:
        """Whether the premise holds nowhere: the statement is then true of nothing."""
        return self.cases == 0

    def plot(self) -> Axes:
        """How many members were visited: a line for each shape, by the number of objects.

        >>> from confmat.classes import Tables
        >>> from confmat.conjectures import Conjecture, check
        >>> answer = check(Conjecture("low", "rd <= 1"), [Tables(n, 2, 2) for n in (2, 3, 4)])
        >>> [line.get_ydata().tolist() for line in answer.plot().lines]
        [[2.0, 8.0, 19.0]]
        """
        from confmat.pictures import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILLION, canvas, finish

        ax, styles = canvas(None), cycle(zip((BLUE, VERMILLION, GREEN, PURPLE, ORANGE, BLACK), "osD^vX"))
        for shape, (colour, marker) in zip(sorted({x.matrices.shape for x in self.entries}), styles):
            some = sorted((x.matrices.n, x.covered) for x in self.entries if x.matrices.shape == shape)
            words = " × ".join(map(str, shape))
            ax.plot(*np.array(some, float).T, color=colour, marker=marker, markersize=4, label=words)
        ax.set_yscale("log")
        ax.legend(frameon=False)
        finish(ax, "objects, n", "members visited", f"{self}")
        return ax

    @property
    def conjecture(self) -> str:
        """Name of the statement; of a formula the formula itself."""
        return self.about.name

    @property
    def statement(self) -> str:
        """The statement in words, or the formula."""
        return self.about.text

    @property
    def basis(self) -> str:
        """What the answer rests on: all members, or all given a symmetry that was declared and tried."""
        return self.about.basis

    @property
    def proved(self) -> bool:
        """Whether nothing is taken as declared."""
        return DECLARED not in self.basis

    @property
    def covered(self) -> int:
        """Number of members for which the statement was tested, directly or by symmetry."""
        return sum(entry.covered for entry in self.entries)

    def facts(self) -> dict[str, Any]:
        """The answer in brief, for JSON: "true", or "open" for a check that was stopped.

        >>> from confmat.classes import Tables
        >>> about = Tested("med < 1", "med < 1", {"formula": "med < 1"})
        >>> facts = Certificate(about, (Entry(Tables(4, 2, 2), 19, "5e1f"),)).facts()
        >>> facts["answer"], facts["members"], facts["classes"], facts["n"]
        ('true', 19, 1, 4)
        """
        return {
            "answer": "open" if self.left else "true",
            "statement": self.statement,
            "n": max((entry.matrices.n for entry in self.entries), default=None),
            "members": self.covered,
            "cases": self.cases,
            "vacuous": self.vacuous,
            "classes": len(self.entries),
            "classes_left": self.left,
            "seconds": round(self.seconds, 3),
            "digest": self.digest,
        }

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of all the rest."""
        return digest("certificate", self._content())

    def _content(self) -> dict[str, Any]:
        classes = [entry.to_json() for entry in self.entries]
        return self.about.to_json() | {"basis": self.basis, "classes": classes}

    def to_json(self) -> str:
        """The certificate as text; ``read`` reads it back.

        >>> from confmat.classes import Tables
        >>> about = Tested("med < 1", "med < 1", {"formula": "med < 1"})
        >>> held = Certificate(about, (Entry(Tables(4, 2, 2), 19, "5e1f"),))
        >>> read(held.to_json()) == held, held.digest[:8]
        (True, '...')
        """
        return sealed("certificate", self._content())


@dataclass(frozen=True, repr=False)
class Counterexample:
    """The smallest counterexample: smallest n, then shape, and for a predicate smallest entries (row-major).

    ``witness`` names the matrices that show it, as nested tuples: for a claim about a class one that attains the
    extreme in question, or none where the class as a whole shows it.  ``entries``: the classes before it, where the
    statement holds.
    """

    about: Tested
    matrices: Counted
    detail: str
    witness: Mapping[str, Any]
    entries: tuple[Entry, ...] = ()

    def _title(self) -> str:
        return f"{self.conjecture} is false in {self.matrices}: {self.detail}"

    def __repr__(self) -> str:
        return text_table(self._title(), self.witness.items())

    def _repr_html_(self) -> str:
        return html_table(self._title(), ["", ""], self.witness.items())

    def __str__(self) -> str:
        shown = "".join(f"\n{name}: {value}" for name, value in self.witness.items())
        return f"{self._title()}{shown}"

    @property
    def conjecture(self) -> str:
        """Name of the statement; of a formula the formula itself."""
        return self.about.name

    @property
    def statement(self) -> str:
        """The statement in words, or the formula."""
        return self.about.text

    def plot(self) -> Figure:
        """The matrices of the counterexample as heat maps.

        >>> from confmat.classes import Tables
        >>> from confmat.conjectures import Conjecture, check
        >>> len(check(Conjecture("near", "ari >= 0"), [Tables(4, 2, 2)]).plot().axes)
        1
        """
        from confmat.pictures import matrix_maps

        if not self.witness:
            raise ValueError(f"{self._title()}: no matrix shows it, there is nothing to draw")
        return matrix_maps(
            self.witness.items(), f"{self.statement}\nfalse at n = {self.matrices.n}: {self.detail}"
        )

    @property
    def matrix(self) -> np.ndarray | None:
        """The witness, where it is one matrix."""
        return np.array(self.witness["matrix"]) if "matrix" in self.witness else None

    def facts(self) -> dict[str, Any]:
        """The answer in brief, for JSON, with the witness's matrices by name.

        >>> from confmat.classes import Tables
        >>> about = Tested("med < 1/2", "med < 1/2", {"formula": "med < 1/2"})
        >>> Counterexample(about, Tables(2, 2, 2), "med = 1/2", {"matrix": ((1, 0), (0, 1))}).facts()["matrix"]
        ((1, 0), (0, 1))
        """
        where = {"n": self.matrices.n, "class": self.matrices.to_json(), "detail": self.detail}
        return {"answer": "false", "statement": self.statement, **where, **self.witness}

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of all the rest."""
        return digest("counterexample", self._content())

    def _content(self) -> dict[str, Any]:
        shown = {"class": self.matrices.to_json(), "members": self.matrices.count(), "detail": self.detail}
        classes = [entry.to_json() for entry in self.entries]
        witness = {"witness": dict(self.witness), "classes": classes}
        return self.about.to_json() | {"basis": self.about.basis} | shown | witness

    def to_json(self) -> str:
        """The counterexample as text; ``read`` reads it back.

        >>> from confmat.classes import Tables
        >>> about = Tested("med < 1/2", "med < 1/2", {"formula": "med < 1/2"})
        >>> found = Counterexample(about, Tables(2, 2, 2), "med = 1/2", {"matrix": ((1, 0), (0, 1))})
        >>> read(found.to_json()) == found
        True
        """
        return sealed("counterexample", self._content())


def read(text: str) -> Certificate | Counterexample:
    """What ``to_json`` wrote: CertificateError for another text, a broken seal, and counts that are not so.

    >>> read("{}")
    Traceback (most recent call last):
    ...
    confmat.errors.NotACertificate: this is not a certificate: it does not have the format "confmat certificate"
    """
    content = read_sealed(text)
    try:
        about = Tested.from_json(content)
        entries = tuple(map(Entry.from_json, content["classes"]))
        if content["kind"] == "certificate":
            answer: Certificate | Counterexample = Certificate(about, entries)
        elif content["kind"] == "counterexample":
            witness = {name: _tuples(value) for name, value in content["witness"].items()}
            matrices = _class_from_json(content["class"])
            answer = Counterexample(about, matrices, _word(content["detail"]), witness, entries)
        else:
            raise ValueError(f"kind {content['kind']!r}")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, CertificateError):
            raise
        raise NotACertificate(f"this is not a certificate: {error!r}") from error
    if answer.digest != content["digest"]:
        raise NotACertificate("this is not a certificate: it says more or less than it should")
    return answer


def _word(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no text")
    return text


def _class_from_json(content: Mapping[str, Any]) -> Counted:
    for other in (MembershipPairs, Triples, Chains, MarginPairs):
        if content["kind"] == other.KIND:
            return other.from_json(content)
    if content["kind"] in MODELS:
        return RandomModel.from_json(content)
    return class_from_json(content)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
