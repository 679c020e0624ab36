"""What a proposal is: what it says, of which classes, and what speaks for it.

What was discovered, as a page with pictures and as a list for programs.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat.answers import Answer, Part, Verbatim
from confmat.answers.sheets import whole
from confmat.classes import Tables
from confmat.conjectures.certificates import Certificate, Counterexample
from confmat.conjectures.stated import Conjecture
from confmat.discovery.facts import Facts
from confmat.discovery.formulas import MED, ClosedForm, N, Surface
from confmat.laws.files import written_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confmat.pictures import Picture


Shape = tuple[int, int]
Shown = Mapping[Tables, Facts]
ConjectureAndRange = tuple[Conjecture, "Range"]

KINDS_OF_PROPOSALS = ("bound", "given the MED", "law", "first failure")
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
        if self.period > 1:
            residue_class = f", n = {self.residue} mod {self.period}"
        else:
            residue_class = ""
        return f"{r} x {s}, {self.first} <= n <= {self.last}{residue_class}"

    @property
    def classes(self) -> list[Tables]:
        """All of them."""
        totals = range(self.first, self.last + 1)
        return [Tables(n, *self.shape) for n in totals if n % self.period == self.residue]


@dataclass(frozen=True, repr=False)
class Proposal(Answer):
    """What may be true: a sentence, the conjectures that say it (one for each residue of n), and what speaks for it.

    ``kind``: one of ``KINDS_OF_PROPOSALS``.  ``formula``: the closed form.
    ``extremal``: the families of tables that attain it.
    ``fitted``, ``tried``: from how many n (n and MED; classes, of laws) it was found, and tried at besides;
    ``sharpness``: how much of the statistic what is known leaves open at the largest n, from 0 to 1, 1/2 of laws.
    ``shown``: what its picture shows.  ``certificates``: one for each conjecture, of its range.
    """

    kind: str
    sentence: str
    claims: tuple[ConjectureAndRange, ...]
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
        return "; ".join(str(sizes) for _, sizes in self.claims)

    @property
    def score(self) -> float:
        """Sharpness, less where there is little evidence."""
        return self.sharpness * self.tried / (self.tried + _HALF)

    def parts(self) -> Iterator[Part]:
        """Its kind and its sentence."""
        yield Verbatim(f"<{self.kind}: {self.sentence}>")

    def as_dict(self) -> dict[str, Any]:
        """What a report lists: statement, kind, range, evidence, extremal, formula.

        >>> Proposal("law", "the law of med is unimodal", ()).to_json()["kind"]
        'law'
        """
        return {
            "statement": self.statement,
            "sentence": self.sentence,
            "kind": self.kind,
            "range": [str(sizes) for _, sizes in self.claims],
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


def shapes_of(classes: Iterable[Tables]) -> list[Shape]:
    """Of the classes that were looked at."""
    return sorted({matrices.shape for matrices in classes})


_TITLES = dict(
    zip(KINDS_OF_PROPOSALS, ("Bounds", "Bounds at given MED", "Laws", "What fails, and where first"))
)


_SCORE = """A score is the sharpness, times t/(t + 10) for t values (or classes) at which a proposal was tried, and from
which it was not found. The sharpness is how much of the statistic what is known leaves open at the largest n; of laws
it is 1/2."""


_FIRST = 12  # proposals that are shown


@dataclass(frozen=True, repr=False)
class Discovery(Answer):
    """What was proposed, the best first; ``tried``: how many of each thing were tried, and left out.

    >>> from confmat.discovery import discover
    >>> found = discover([(2, 2)], range(2, 14), ["rd"])
    >>> found.classes[0], len(found.proposals) > 0
    (Tables(n=2, r=2, s=2, empty=False), True)
    """

    statistics: tuple[str, ...]
    classes: tuple[Tables, ...]
    proposals: tuple[Proposal, ...]
    tried: dict[str, int]

    def _title(self) -> str:
        shapes = [f"{r} x {s}" for r, s in shapes_of(self.classes)]
        members = sum(matrices.count() for matrices in self.classes)
        names = ", ".join(self.statistics)
        proposals = f"{len(self.proposals)} proposals on {names}"
        return f"{proposals}; {', '.join(shapes)}, n <= {self.classes[-1].n}, {whole(members)} tables"

    def parts(self) -> Iterator[Part]:
        """The first proposals, in sentences."""
        for i, proposal in enumerate(self.proposals[:_FIRST], 1):
            yield f"{i}. {proposal.sentence}."
        more = len(self.proposals) - _FIRST
        if more > 0:
            yield f"and {more} more: --json, or --out DIR"
        if not self.proposals:
            yield "Nothing new was found in these classes."

    def brief(self) -> Iterator[Part]:
        """How many there are, of what."""
        yield f"{self._title()}."

    def as_dict(self) -> list[dict[str, Any]]:
        """The proposals as a list of {statement, sentence, kind, range, evidence, extremal, formula}.

        >>> from confmat.discovery import discover
        >>> discover([(2, 2)], range(2, 5), ["med"]).to_json()
        []
        """
        return [proposal.to_json() for proposal in self.proposals]

    def markdown(self, pictures: bool = False) -> str:
        """The page; with ``pictures`` it shows ``picture-01.svg`` and so on.

        >>> from confmat.discovery import discover
        >>> print(discover([(2, 2)], range(2, 5), ["med"]).markdown().splitlines()[0])
        # What may be true
        """
        return "\n".join(
            [
                "# What may be true",
                "",
                f"{self._title()}.",
                "",
                *self._lines(pictures),
                *self._counted(),
            ]
        )

    def _lines(self, pictures: bool) -> Iterator[str]:
        for kind, title in _TITLES.items():
            numbered = [(i, x) for i, x in enumerate(self.proposals, 1) if x.kind == kind]
            yield from [f"## {title}", ""] if numbered else []
            for i, x in numbered:
                yield from _lines_of(i, x)
                yield from [f"![proposal {i}]({_picture(i)})", ""] if pictures else []

    def _counted(self) -> Iterator[str]:
        yield from ["## What was tried", ""]
        yield from (f"- {whole(number)} {words}" for words, number in self.tried.items())
        yield from ["", _SCORE]

    def write(self, folder: str | os.PathLike[str]) -> Path:
        """Write report.md, its pictures, report.json and the certificates into a folder; its path.

        Pictures and certificates of an earlier report that are not written again are removed, no other file.

        >>> from tempfile import TemporaryDirectory
        >>> from confmat.discovery import discover
        >>> with TemporaryDirectory() as name:
        ...     place = discover([(2, 2)], range(2, 5), ["med"]).write(name)
        ...     sorted(path.name for path in place.iterdir())
        ['certificates', 'report.json', 'report.md']
        """
        from matplotlib import rc_context

        place = Path(folder)
        certificates = place / "certificates"
        certificates.mkdir(parents=True, exist_ok=True)
        files = {
            place / "report.json": json.dumps(self.to_json(), indent=1),
            place / "report.md": self.markdown(True),
        }
        pictures = []
        for i, proposal in enumerate(self.proposals, 1):
            pictures.append(place / _picture(i))
            with rc_context({"svg.hashsalt": "confmat"}), written_whole(pictures[-1]) as file_aside:
                picture(proposal).savefig(file_aside, format="svg", metadata={"Date": None})
            for k, certificate in enumerate(proposal.certificates, 1):
                files[certificates / f"{i:02d}-{k}.json"] = certificate.to_json()
        for path, text in files.items():
            with written_whole(path) as file_aside:
                file_aside.write_text(text + "\n", encoding="utf-8")
        for path in {*place.iterdir(), *certificates.iterdir()} - {*files, *pictures}:
            if _OWN_FILE.fullmatch(path.relative_to(place).as_posix()):
                path.unlink()
        return place

    def plot(self) -> Picture:
        """The picture of the first proposal; ValueError where there is none.

        >>> from confmat.discovery import discover
        >>> len(discover([(2, 2)], range(2, 14), ["med", "rd"]).plot().axes) > 0
        True
        """
        if not self.proposals:
            raise ValueError(f"{self._title()}: there is nothing to draw")
        return picture(self.proposals[0])


_OWN_FILE = re.compile(r"picture-\d{2,}\.svg|certificates/\d{2,}-\d+\.json")  # what a report may have written


def _picture(i: int) -> str:
    return f"picture-{i:02d}.svg"


def _lines_of(i: int, x: Proposal) -> Iterator[str]:
    yield from [f"### {i}. {x.sentence[0].upper()}{x.sentence[1:]}", ""]
    if x.kind != "law" and x.kind != "first failure":
        for statement in dict.fromkeys(conjecture.statement for conjecture in x.conjectures):
            yield f"    {statement}"
        yield ""
    for certificate in x.certificates:
        if isinstance(certificate, Certificate):
            n = [entry.matrices.n for entry in certificate.entries]
            yield f"- True of all {whole(certificate.covered)} members of {len(n)} classes, n = {min(n)} to {max(n)}."
    if x.fitted:
        yield f"- Found from {whole(x.fitted)} value{'s' * (x.fitted > 1)}, right at {whole(x.tried)} others."
    if x.extremal:
        yield f"- Attained: {x.extremal}."
    yield from [f"- Score {x.score:.2f}; sharpness {x.sharpness:.2f}.", ""]


def picture(proposal: Proposal) -> Picture:
    """Values with the closed form and a table that attains them; or the classes where a claim about laws holds.

    >>> law = Proposal("law", "it holds", (), shown={"verdicts": {Tables(4, 2, 2): True, Tables(5, 2, 2): False}})
    >>> ax = picture(law).axes[0]
    >>> ax.get_xlabel(), {line.get_label(): line.get_xdata().tolist() for line in ax.lines}
    ('objects, n', {'holds': [4.0], 'fails': [5.0]})
    """
    if "verdicts" in proposal.shown:
        return _of_laws(proposal.shown["verdicts"])
    if "form" in proposal.shown:
        return _of_values(**proposal.shown)
    return _of_surface(**proposal.shown)


def _mark_points(ax: Axes, points: Iterable[tuple[Any, Any]], marker: str, **style: Any) -> None:
    """Marks at some points, exact numbers too; none where there are none."""
    coordinates = np.array(list(points), float).reshape(-1, 2)
    ax.plot(*coordinates.T, marker, **style)


def _of_values(values: Mapping[int, Fraction], form: ClosedForm, text: str, table: Any, n: int) -> Picture:
    from confmat.pictures import BLUE, VERMILLION, finish, matrix_map, panels

    figure, (left_axes, right_axes) = panels(9, 3.6, columns=2, width_ratios=[2, 1])
    found_from = [(total, y) for total, y in values.items() if total in form.fitted]
    tried_at = [(total, y) for total, y in values.items() if total not in form.fitted]
    _mark_points(left_axes, found_from, "o", color=BLUE, markersize=5, label="found from")
    _mark_points(left_axes, tried_at, "D", color=VERMILLION, markersize=5, label="tried at")
    totals = np.linspace(form.first, form.last, 200)
    for part in dict(zip(form.texts, form.parts)).values():
        curve = [(total, part(total)) for total in totals]
        _mark_points(left_axes, curve, "-", color="#777777", linewidth=0.8, zorder=0)
    left_axes.legend(frameon=False)
    finish(left_axes, "objects, n", f"largest {text}")
    matrix_map(table, f"n = {n}", ax=right_axes)
    return figure


def _of_surface(surface: Surface, values: Mapping[tuple[int, int], Fraction], n: int, text: str) -> Picture:
    from confmat.pictures import BLUE, VERMILLION, finish, panels

    figure, (ax,) = panels(7, 3.6)
    of_total = [(m / n, y) for (total, m), y in values.items() if total == n]
    points_of_form = []
    for total, m in values:
        if total == n and surface.first <= m <= n / 2:
            part = surface.parts[m % surface.period]
            points_of_form.append(
                (
                    m / n,
                    part.subs({N: n, MED: m / n}),
                )
            )
    _mark_points(ax, of_total, "o", color=BLUE, label=text)
    _mark_points(
        ax, points_of_form, "o", color=VERMILLION, fillstyle="none", markersize=10, label="closed form"
    )
    ax.legend(frameon=False)
    finish(ax, "MED", text, f"n = {n}")
    return figure


def _of_laws(verdicts: Mapping[Tables, bool]) -> Picture:
    from confmat.pictures import BLUE, VERMILLION, finish, panels

    shapes = shapes_of(verdicts)
    figure, (ax,) = panels(7, 2.2 + 0.3 * len(shapes))
    places: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    for matrices, holds in verdicts.items():
        places[holds].append((matrices.n, shapes.index(matrices.shape)))
    _mark_points(ax, places[True], "o", color=BLUE, label="holds")
    _mark_points(ax, places[False], "x", color=VERMILLION, label="fails")
    ax.margins(y=0.25)
    ax.set_yticks(
        range(len(shapes)),
        [f"{r} × {s}" for r, s in shapes],
    )
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    finish(ax, "objects, n", "")
    return figure
