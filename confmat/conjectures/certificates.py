"""Results of `check`: classes `Certificate` and `Counterexample`, and their JSON."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import cycle
from textwrap import fill
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from confmat._display import Answer, Part, Verbatim, counted
from confmat.certificates.seals import digest, read_certificate, write_certificate
from confmat.classes import MatrixClass, class_from_json
from confmat.conjectures.outcomes import IN_FLOATS, OutcomeEntry, Tested, as_word
from confmat.contingency.texts import matrix_text
from confmat.errors import CertificateError, InvalidCertificateError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Characters of a line above a picture.
_WIDEST_TITLE = 70


@dataclass(frozen=True, repr=False)
class _Answer(Answer):
    """Base class of the results of `check`. A result has a digest of its content."""

    KIND: ClassVar[str]
    about: Tested

    @property
    def conjecture(self) -> str:
        """Return the name of the statement, or its formula if it has no name."""
        return self.about.name

    @property
    def statement(self) -> str:
        """Return the statement in words, or its formula if it has no words."""
        return self.about.text

    @property
    @abstractmethod
    def holds(self) -> bool:
        """Return whether the statement is true for every matrix of all requested classes."""

    @property
    def counterexample(self) -> np.ndarray | None:
        """Return a matrix for which the statement is false, or None."""
        return None

    def __bool__(self) -> bool:
        return self.holds

    @abstractmethod
    def _content(self) -> dict[str, Any]:
        """Return the fields of the JSON text except the digest."""

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the canonical JSON of the content."""
        return digest(self.KIND, self._content())

    def to_json(self) -> str:
        """Return the result as JSON text, which `read` converts back.

        Returns
        -------
        str

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.conjectures import Conjecture, check
        >>> answers = [check(Conjecture("", text), Tables(4, 2, 2)) for text in ("med < 1", "ari >= 0")]
        >>> [(read(answer.to_json()) == answer, answer.KIND) for answer in answers]
        [(True, 'certificate'), (True, 'counterexample')]
        """
        return write_certificate(self.KIND, self._content())


@dataclass(frozen=True, repr=False)
class Certificate(_Answer):
    """Certificate that a statement is true for every matrix of some classes.

    Attributes
    ----------
    entries : tuple of OutcomeEntry
        The classes, each with its number of matrices and the digest of their outcomes.
    seconds : float
        Time of the check.
    left : int
        Number of requested classes that a stopped check did not reach. They are not part of the certificate.
    interrupted : bool
        True if Ctrl-C stopped the check.
    resumed : int
        Number of classes that were read from a checkpoint.
    digest : str
        SHA-256 of the content. It is the same on every machine and in every run.
    """

    KIND = "certificate"
    entries: tuple[OutcomeEntry, ...]
    seconds: float = field(default=0.0, compare=False)
    left: int = field(default=0, compare=False)
    interrupted: bool = field(default=False, compare=False)
    resumed: int = field(default=0, compare=False)

    def _brief(self) -> Iterator[Part]:
        """Yield the brief text, one line with the statement and the numbers of matrices and classes."""
        yield Verbatim(str(self))

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text: the statement, the checked classes, the assumptions, and the digest."""
        yield from _statement_of(self)
        members = counted(self.covered, "member")
        classes = counted(len(self.entries), "class", "classes")
        yield f"True for all {members} of {classes} ({self.seconds:.1f} s)."
        for assumption in self.assumptions:
            yield f"Assumes the {assumption}."
        if not self.about.bound:
            yield "Not bound to its functions."
        if self.resumed:
            yield f"Read {counted(self.resumed, 'class', 'classes')} from a checkpoint."
        if self.vacuous:
            yield "Vacuous: nothing satisfies the premise."
        elif self.cases is not None:
            yield f"It says something in {counted(self.cases, 'case')}."
        if self.left:
            yield f"Stopped: {counted(self.left, 'larger class is', 'larger classes are')} not decided."
        yield Verbatim(f"Digest {self.digest}")

    def __str__(self) -> str:
        if self.left:
            classes_left = f"; {counted(self.left, 'class is', 'classes are')} left"
        else:
            classes_left = ""
        conjecture = self.statement if self.statement.endswith(IN_FLOATS) else self.conjecture
        return f"{conjecture} is true for all {self.scope}{classes_left}"

    @property
    def holds(self) -> bool:
        """Return whether every requested class was checked."""
        return not self.left

    @property
    def scope(self) -> str:
        """Return a string with the numbers of matrices and classes that were checked.

        >>> from confmat.classes import Tables
        >>> from confmat.conjectures import Conjecture, check
        >>> check(Conjecture("late", "med > 1/2 -> ard > 1"), Tables(4, 2, 2)).scope
        '19 members of 1 class; vacuous: nothing satisfies the premise'
        """
        if self.cases is None:
            cases = ""
        else:
            cases = f" ({counted(self.cases, 'case')})"
        vacuous = "; vacuous: nothing satisfies the premise" if self.vacuous else cases
        classes = counted(len(self.entries), "class", "classes")
        return f"{counted(self.covered, 'member')} of {classes}{vacuous}"

    @property
    def cases(self) -> int | None:
        """Return the number of matrices that satisfy the premise of an implication, or None if there is no premise."""
        numbers = [entry.cases for entry in self.entries if entry.cases is not None]
        return sum(numbers) if numbers else None

    @property
    def vacuous(self) -> bool:
        """Return whether the statement has a premise that no matrix satisfies."""
        return self.cases == 0

    def plot(self) -> Axes:
        """Draw the number of matrices of each class against the number of objects, with a line for each shape.

        Returns
        -------
        matplotlib.axes.Axes

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.conjectures import Conjecture, check
        >>> answer = check(Conjecture("low", "rd <= 1"), [Tables(n, 2, 2) for n in (2, 3, 4)])
        >>> [line.get_ydata().tolist() for line in answer.plot().lines]
        [[2.0, 8.0, 19.0]]
        """
        from confmat._figures import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILLION, canvas, finish

        drawn = {entry.matrices: entry.covered for entry in self.entries}
        ax = canvas(None)
        styles = cycle(zip((BLUE, VERMILLION, GREEN, PURPLE, ORANGE, BLACK), "osD^vX"))
        for shape, (colour, marker) in zip(sorted({x.shape for x in drawn}), styles):
            points = sorted((x.n, float(y)) for x, y in drawn.items() if x.shape == shape)
            words = " × ".join(map(str, shape))
            ax.plot(*np.array(points).T, color=colour, marker=marker, markersize=4, label=words)
        ax.set_yscale("log")
        ax.legend(frameon=False)
        finish(ax, "objects, n", "members enumerated", fill(str(self), _WIDEST_TITLE))
        return ax

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Return the unproved assumptions: a declared symmetry of a user-defined test, and floating-point values."""
        return self.about.assumptions

    @property
    def proved(self) -> bool:
        """Return whether the check made no unproved assumptions."""
        return not self.assumptions

    @property
    def covered(self) -> int:
        """Return the number of matrices for which the statement was checked, directly or by symmetry."""
        return sum(entry.covered for entry in self.entries)

    def _facts(self) -> dict[str, Any]:
        """Return the fields of the brief JSON output. The answer is "true", or "open" if the check was stopped.

        >>> from confmat.classes import Tables
        >>> about = Tested("med < 1", "med < 1", {"formula": "med < 1"})
        >>> facts = Certificate(about, (OutcomeEntry(Tables(4, 2, 2), 19, "5e1f"),))._facts()
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
            "assumptions": self.assumptions,
            "bound": self.about.bound,
            "resumed": self.resumed,
            "seconds": round(self.seconds, 3),
            "digest": self.digest,
        }

    def _content(self) -> dict[str, Any]:
        classes = [entry.to_json() for entry in self.entries]
        return self.about.to_json() | {"classes": classes}


def _with_decimals(text: str) -> str:
    """Return a string with a decimal number added after each fraction.

    >>> _with_decimals("med = 1/2, ari = 5797/9857")
    'med = 1/2 = 0.5, ari = 5797/9857 = 0.588'
    """
    return re.sub(r"= (-?\d+/\d+)\b", lambda found: f"{found[0]} = {float(Fraction(found[1])):.3g}", text)


@dataclass(frozen=True, repr=False)
class Counterexample(_Answer):
    """Smallest counterexample to a statement.

    Classes are ordered by n and then by shape. In a class, the counterexample to a predicate is the
    lexicographically smallest matrix in row-major order.

    Attributes
    ----------
    matrices : MatrixClass
        Class of the counterexample.
    detail : str
        Reason why the statement is false, such as the values of its statistics.
    witness : dict
        Example tables as nested tuples by name, such as {"matrix": ((2, 1), (1, 0))}. It is empty if the claim is
        about the class as a whole.
    entries : tuple of OutcomeEntry
        Smaller classes, for which the statement is true.
    """

    KIND = "counterexample"
    matrices: MatrixClass
    detail: str
    witness: Mapping[str, Any]
    entries: tuple[OutcomeEntry, ...] = ()

    @property
    def holds(self) -> bool:
        """Return False, since the statement is false."""
        return False

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text: the statement, the class of the counterexample, and its matrices."""
        yield from _statement_of(self)
        yield f"False. The smallest counterexample is in {self.matrices}: {_with_decimals(self.detail)}."
        for label, value in self.witness.items():  # matrices, sums, labels
            yield Verbatim(f"  {label} {matrix_text(np.atleast_2d(value))}")

    def _brief(self) -> Iterator[Part]:
        """Yield the parts of the brief text: the class for which the statement is false, and the counterexample."""
        yield Verbatim(f"{self.conjecture} is false in {self.matrices}: {_with_decimals(self.detail)}")
        for label, value in self.witness.items():
            yield Verbatim(f"{label}: {matrix_text(np.atleast_2d(value))}")

    def __str__(self) -> str:
        return "\n".join(map(str, self._brief()))

    def plot(self) -> Figure:
        """Draw the matrices of the counterexample as heat maps.

        Returns
        -------
        matplotlib.figure.Figure

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.conjectures import Conjecture, check
        >>> len(check(Conjecture("near", "ari >= 0"), [Tables(4, 2, 2)]).plot().axes)
        1
        """
        from confmat._figures import matrix_maps

        if not self.witness:
            raise ValueError(
                f"the counterexample to {self.conjecture!r} has no matrix, so that plot() has nothing to draw"
            )
        return matrix_maps(
            self.witness.items(),
            f"{self.statement}\nfalse at n = {self.matrices.n}: {self.detail}",
        )

    @property
    def counterexample(self) -> np.ndarray | None:
        """Return the matrix for which the statement is false, or None if it is false for the class as a whole."""
        if "matrix" in self.witness:
            return np.array(self.witness["matrix"])
        return None

    def _facts(self) -> dict[str, Any]:
        """Return the fields of the brief JSON output, with the matrices by name.

        >>> from confmat.classes import Tables
        >>> about = Tested("med < 1/2", "med < 1/2", {"formula": "med < 1/2"})
        >>> Counterexample(about, Tables(2, 2, 2), "med = 1/2", {"matrix": ((1, 0), (0, 1))})._facts()["matrix"]
        ((1, 0), (0, 1))
        """
        place = {
            "n": self.matrices.n,
            "class": self.matrices.to_json(),
            "detail": self.detail,
        }
        return {"answer": "false", "statement": self.statement, **place, **self.witness}

    def _content(self) -> dict[str, Any]:
        place = {
            "class": self.matrices.to_json(),
            "members": self.matrices.count(),
            "detail": self.detail,
        }
        classes = [entry.to_json() for entry in self.entries]
        witness = {"witness": dict(self.witness), "classes": classes}
        return self.about.to_json() | place | witness


def _statement_of(answer: _Answer) -> Iterator[Part]:
    """Yield one line of text: the name of the statement with its words, or the formula alone."""
    has_name = not answer.statement.startswith(answer.conjecture)
    yield f"{answer.conjecture}: {answer.statement}." if has_name else f"{answer.statement}."


def read(text: str) -> Certificate | Counterexample:
    """Return the result of a check from the text that its ``to_json`` returned.

    Parameters
    ----------
    text : str
        Text of a certificate or a counterexample.

    Returns
    -------
    Certificate or Counterexample

    Raises
    ------
    CertificateError
        If the text is not valid, its digest does not match, or a count differs from the closed form.

    Examples
    --------
    >>> read("{}")
    Traceback (most recent call last):
    ...
    confmat.errors.InvalidCertificateError: this is not a certificate: it does not have the format "confmat certificate"
    """
    content = read_certificate(text)
    try:
        statement = Tested.from_json(content)
        entries = tuple(map(OutcomeEntry.from_json, content["classes"]))
        if content["kind"] == "certificate":
            answer: Certificate | Counterexample = Certificate(statement, entries)
        elif content["kind"] == "counterexample":
            witness = {name: _tuples(value) for name, value in content["witness"].items()}
            matrices = class_from_json(content["class"])
            answer = Counterexample(statement, matrices, as_word(content["detail"]), witness, entries)
        else:
            raise ValueError(f"its kind must be certificate or counterexample, got {content['kind']!r}")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, CertificateError):
            raise
        raise InvalidCertificateError(f"this is not a certificate: {error!r}") from error
    if answer.digest != content["digest"]:
        raise InvalidCertificateError(
            "this is not a certificate: its fields do not have the digest that it contains"
        )
    return answer


def _tuples(value: Any) -> Any:
    """Return nested lists as nested tuples."""
    if isinstance(value, list):
        return tuple(map(_tuples, value))
    return value
