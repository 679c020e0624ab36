"""From classes to proposals: one pass over each class, closed forms, what is new, certificates."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from importlib.metadata import version
from math import inf
from typing import Any

from confmat.classes import Tables
from confmat.conjectures.certificates import Certificate, Entry
from confmat.conjectures.on_signatures import outcomes_of_signatures
from confmat.conjectures.registry import STATEMENTS
from confmat.conjectures.stated import Conjecture, domain
from confmat.discovery.bounds import bounds_at_med, sharp_bounds
from confmat.discovery.facts import DISTANCES, Facts, facts_of
from confmat.discovery.known import Knowledge
from confmat.discovery.of_laws import of_laws
from confmat.discovery.proposals import Proposal, Tried
from confmat.discovery.report import Discovery
from confmat.engine.folders import ManifestFolder
from confmat.engine.sizes import cells_to_hold
from confmat.engine.sources import package_digest
from confmat.errors import ConsistencyError
from confmat.laws.sources import Pass
from confmat.plans.methods import Resources, admit
from confmat.statistics.conditions import Condition
from confmat.statistics.table import as_statistic

# About how many seconds two statistics take in a class, and for each of its signatures.
_A_CLASS, _A_SIGNATURE = 0.01, 7e-5


def discover(
    shapes: Iterable[tuple[int, int]],
    sizes: Iterable[int],
    statistics: Iterable[str] = DISTANCES,
    *,
    known: Collection[str] = tuple(STATEMENTS),
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Discovery:
    """Propose what is true of the tables of some shapes and totals: sharp bounds with closed forms, properties of laws.

    ``statistics``: short names, or texts made of them such as "1 - jaccard", with formulas in (m, A, B, P) that
    transposition leaves unchanged.  The largest value of each, and of the ratio and of the difference of each two, is
    found for every class, a closed form in n is fitted on some n and must be right at others (the last third); so are
    the extremes of each at given MED; and what its law does.  ``known``: names of statements of the registry; what
    follows from these is left out.  ``checkpoint``: a folder where each class is kept, so that a run that was killed
    goes on.  ``progress`` is called with a line before each class.

    Every proposal holds on all members of its range, again by a pass of its own: it has a certificate.  Nothing is
    proved beyond.  Classes without members are left out.

    Raises TypeError or ValueError for shapes, sizes, statistics or names that are none, TooLarge where it would take
    more than a ``budget``.  O(tables up to symmetry) for a class, as ``joint``.

    >>> found = discover([(3, 3)], range(3, 12), ["med", "rd"], known=[])
    >>> best = found.proposals[0]
    >>> best.sentence, best.conjectures[0].statement
    ('the largest rd/med is 2*(n - 2)/(n - 1), of 3 x 3, 4 <= n <= 11', 'rd <= 2*(n - 2)/(n - 1) * med')
    >>> print(best.certificates[0])
    rd <= 2 * (n - 2) / (n - 1) * med is true for all 106870 members of 8 classes
    """
    names = _statistics(statistics)
    classes = _classes(shapes, sizes)
    knowledge = Knowledge(_names(known))
    seconds = sum(_A_CLASS + _A_SIGNATURE * cells_to_hold(matrices) for matrices in classes) * len(names) ** 2
    admit(f"questions about {len(classes)} classes", seconds, patience=inf)
    folder = None if checkpoint is None else _folder(checkpoint, names)
    shown: dict[Tables, Facts] = {}
    for i, matrices in enumerate(classes):
        if progress is not None:
            progress(f"{matrices} ({i + 1} of {len(classes)})")
        shown[matrices] = _facts(matrices, names, folder)
    tried = Tried()
    found = [
        x
        for propose in (sharp_bounds, bounds_at_med, of_laws)
        for x in propose(shown, names, knowledge, tried)
    ]
    found.sort(key=lambda x: (-x.score, x.sentence))
    return Discovery(names, tuple(classes), tuple(certified(found, progress)), dict(tried))


def _statistics(statistics: Iterable[str]) -> tuple[str, ...]:
    if isinstance(statistics, str):
        raise TypeError(f"statistics must be a list of names, got {statistics!r}")
    # A text is kept as it was given; anything else is called by its name.
    names = tuple(dict.fromkeys(x if isinstance(x, str) else as_statistic(x).name for x in statistics))
    if not names:
        raise ValueError('statistics must name at least one statistic, such as "rd"')
    for name in names:
        one = as_statistic(name)
        if not one.counted or one.base.root or one.factor or "transposition" not in one.generators:
            raise ValueError(
                f"statistics must have formulas in m, A, B and P that transposition leaves unchanged, got {name!r}"
            )
    return names


def _names(known: Collection[str]) -> frozenset[str]:
    if isinstance(known, str) or not set(known) <= set(STATEMENTS):
        wrong = known if isinstance(known, str) else sorted(set(known) - set(STATEMENTS))[0]
        raise ValueError(f"known must be names of statements of the registry, got {wrong!r}")
    return frozenset(known)


def _classes(shapes: Iterable[tuple[int, int]], sizes: Iterable[int]) -> list[Tables]:
    """The classes with members, in increasing size; ValueError for none."""
    found: list[Any] = list(domain(Conjecture("any", "n >= 0"), shapes, sizes))
    if not found:
        raise ValueError(f"shapes and sizes must have members, got {shapes!r:.60} and {sizes!r:.60}")
    return found


def _folder(folder: str | os.PathLike[str], statistics: tuple[str, ...]) -> ManifestFolder:
    """Where what classes showed is kept, a sealed file for each."""
    manifest: dict[str, object] = {
        "format": "confmat discover",
        "version": version("confmat"),
        "sources": package_digest(),
        "statistics": list(statistics),
    }
    return ManifestFolder(folder, manifest, lambda found: "run; it is left as it is")


def _facts(matrices: Tables, names: tuple[str, ...], kept: ManifestFolder | None) -> Facts:
    """What a class shows, read where it is kept, and kept there."""
    if kept is None:
        return facts_of(matrices, names)
    path = kept.folder / f"{matrices.n:04d}-{matrices.r}x{matrices.s}.json"
    found: Facts | None = kept.read_sealed_json(path)
    if found is None:
        found = facts_of(matrices, names)
        kept.write_sealed_json(path, found)
    return found


def certified(found: Iterable[Proposal], progress: Callable[[str], None] | None = None) -> list[Proposal]:
    """The proposals with a certificate for each statement, from one more pass over each class for all of them.

    ConsistencyError, naming statement and class, for one that fails: it was made from the same numbers.

    >>> certified([])
    []
    """
    chosen = list(found)
    waiting: dict[Tables, list[Conjecture]] = {}
    for proposal in chosen:
        for conjecture, where in proposal.claims if not proposal.certificates else ():
            for matrices in where.classes:
                waiting.setdefault(matrices, []).append(conjecture)
    entries: dict[str, list[Entry]] = {}
    for matrices in sorted(waiting, key=lambda x: (x.n, x.shape)):
        if progress is not None:
            progress(f"certificates of {matrices}")
        whole = Pass(matrices, "tables", Resources())
        for conjecture in waiting[matrices]:
            entries.setdefault(conjecture.name, []).append(_entry(conjecture, matrices, whole))
    return [
        replace(
            x,
            certificates=x.certificates
            or tuple(Certificate(c.about, tuple(entries[c.name])) for c, _ in x.claims),
        )
        for x in chosen
    ]


def _entry(conjecture: Conjecture, matrices: Tables, whole: Pass) -> Entry:
    assert isinstance(conjecture.predicate, Condition)
    outcomes, failing, _ = outcomes_of_signatures(conjecture.predicate, matrices, of=whole)
    if failing:
        raise ConsistencyError(f"{conjecture.statement} was found over {matrices!r}, and is false there")
    return Entry(matrices, outcomes.covered, outcomes.digest, outcomes.cases)
