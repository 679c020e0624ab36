"""Checking an archive: its files against their digests, closed forms, another method, and a second computation."""

import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np

from confmat.archive.build import Step, columns_of, law_of, total_weight
from confmat.archive.folder import (
    EXTREMES,
    LAWS,
    SIGNATURES,
    Entry,
    classes_file,
    extremes_file,
    law_file,
    read_entries,
    signatures_file,
)
from confmat.archive.parquet import Row, content_digest, read_rows
from confmat.classes import canonical
from confmat.errors import ArchiveError
from confmat.indices.partition import adjusted_rand_distance, med, rand_distance
from confmat.laws.over_class import joint
from confmat.laws.ways import has_med_law, has_rd_law
from confmat.matrices.arguments import as_amount, as_count
from confmat.plans.methods import Resources, as_resources

_INDICES = {"med": med, "rd": rand_distance, "ard": adjusted_rand_distance}

# What an extreme is of: statistic, "min" or "max", and the MED given or None.
_Question = tuple[str, str, Fraction | None]


def verify(
    folder: str | os.PathLike[str],
    *,
    recompute: int = 0,
    seed: int = 0,
    resources: Resources | None = None,
    progress: Callable[[Step], None] | None = None,
) -> tuple[str, ...]:
    """What is wrong with an archive, a sentence each; empty when it is right.

    Every file must be there, and no other.  Counts must add up to the closed forms: the number of tables, or
    r! S(n, r) s! S(n, s) pairs of labelings.  Digests are computed again from the rows.  Up to 4 x 4 the law of the
    RD is compared with one found by a recursion, without visiting a table.  Extremes must be those of the law, and
    each matrix must attain its value.  ``recompute``: so many laws, drawn with ``seed``, are computed again.

    Raises ArchiveError when the folder is no archive or its list of laws cannot be read.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     verify(folder, recompute=1)
    ()
    """
    recompute, seed = as_amount("recompute", recompute), as_count("seed", seed)
    entries = read_entries(folder)
    path = Path(folder)
    chosen = random.Random(seed).sample(entries, min(recompute, len(entries)))
    problems = list(_unlisted(path, entries))
    seen: set[Path] = set()
    report = progress or (lambda step: None)
    for done, entry in enumerate(entries):
        report(Step(done, len(entries), entry.key))
        problems += (f"{entry}: {problem}" for problem in _entry_problems(entry))
        try:
            rows = read_rows(law_file(path, entry.key), LAWS)
            problems += (f"{entry}: {problem}" for problem in _law_problems(entry, rows))
            signatures = read_rows(signatures_file(path, entry.key), SIGNATURES)
            problems += (f"{entry}: {problem}" for problem in _signature_problems(entry, rows, signatures))
            file = extremes_file(path, entry.key)
            extremes = read_rows(file, EXTREMES)
            if content_digest(extremes) != entry.extremes_digest:
                problems.append(f"{entry}: {file.name} does not have the digest that is listed")
            if file not in seen:
                problems += (f"{entry}: {problem}" for problem in _extremes_problems(entry, rows, extremes))
            seen.add(file)
        except ArchiveError as error:
            problems.append(str(error))
        if entry in chosen:
            problems += (f"{entry}: {problem}" for problem in _differences(entry, as_resources(resources)))
    report(Step(len(entries), len(entries), None))
    return tuple(problems)


def _unlisted(folder: Path, entries: tuple[Entry, ...]) -> Iterator[str]:
    """Files that do not belong to the archive, and laws that are listed twice."""
    known = {classes_file(folder), folder / "manifest.json", folder / "README.md"}
    known |= {
        file_of(folder, entry.key)
        for entry in entries
        for file_of in (law_file, signatures_file, extremes_file)
    }
    for file in sorted(folder.rglob("*")):
        if file not in known and not file.is_dir():
            yield f"{file} is not part of the archive, or was left by a build that was stopped"
    if len({entry.key for entry in entries}) < len(entries):
        yield f"{classes_file(folder)} lists a law twice"


def _entry_problems(entry: Entry) -> Iterator[str]:
    closed_forms = {"matrices": entry.tables.count(), "total": total_weight(entry.tables, entry.weight)}
    for name, expected in closed_forms.items():
        if getattr(entry, name) != expected:
            yield f"listed with {name} {getattr(entry, name)}, the closed form is {expected}"


def _law_problems(entry: Entry, rows: list[Row]) -> Iterator[str]:
    if any(row[:4] != (entry.n, entry.r, entry.s, entry.weight) for row in rows):
        yield "its file has rows of another class or weight"
    if len(rows) != entry.points:
        yield f"has {len(rows)} rows, {entry.points} are listed"
    counts = sum(row[-1] for row in rows)
    expected = total_weight(entry.tables, entry.weight)
    if counts != expected:
        yield f"the counts add up to {counts}, the closed form is {expected}"
    if content_digest(rows) != entry.content_digest:
        yield "its rows do not have the digest that is listed"
    if entry.weight == "tables" and has_rd_law(entry.tables):
        law: dict[tuple[int, int], int] = defaultdict(int)
        for row in rows:
            law[row[6:8]] += row[-1]
        if law != {x.as_integer_ratio(): count for (x,), count in joint(entry.tables, "rd").support}:
            yield "the law of the RD is not the one found without visiting tables"


def _signature_problems(entry: Entry, rows: list[Row], signatures: list[Row]) -> Iterator[str]:
    """Their number and digest; and the law of MED, RD and ARD that they give, which is compared with other methods."""
    if len(signatures) != entry.signatures or content_digest(signatures) != entry.signatures_digest:
        yield "its signatures do not have the number and the digest that are listed"
    law: dict[tuple[int, ...], int] = defaultdict(int)
    M = comb(entry.n, 2)
    for *_, m, a, b, p, count in signatures:
        f, d = a + b - 2 * p, a * (M - b) + b * (M - a)
        values = Fraction(m, entry.n), Fraction(f, M or 1), Fraction(f * M, d or 1)
        law[tuple(part for x in values for part in x.as_integer_ratio())] += count
    if law != {row[4:10]: row[-1] for row in rows}:
        yield "its signatures give another law"
    if entry.weight == "tables" and has_med_law(entry.tables):
        meds: dict[tuple[int, ...], int] = defaultdict(int)
        for (*med, _, _, _, _), count in law.items():
            meds[tuple(med)] += count
        if meds != {x.as_integer_ratio(): count for (x,), count in joint(entry.tables, "med").support}:
            yield "the law of the MED is not the one found without visiting tables"


def _extremes_problems(entry: Entry, rows: list[Row], extremes: list[Row]) -> Iterator[str]:
    if any(row[:3] != (entry.n, entry.r, entry.s) for row in extremes):
        yield "its extremes are of another class"
        return
    expected = _extremes_of(rows)
    found: dict[_Question, Fraction] = {}
    for *_, statistic, extreme, given_num, given_den, num, den, text in extremes:
        given = None if given_num is None else Fraction(given_num, given_den)
        found[statistic, extreme, given] = Fraction(num, den)
        if not _attains(entry, text, statistic, Fraction(num, den), given):
            yield f"the matrix {text} does not have {statistic} = {num}/{den}, or is not the one to be given"
    for question in expected.keys() | found.keys():
        if expected.get(question) != found.get(question):
            statistic, extreme, given = question
            at = "" if given is None else f" given med = {given}"
            listed = "not there" if question not in found else f"given as {found[question]}"
            yield f"the {extreme} of {statistic}{at} is {listed}, in the law it is {expected.get(question)}"


def _extremes_of(rows: list[Row]) -> dict[_Question, Fraction]:
    """All extremes of a law, from its rows."""
    values: dict[tuple[str, Fraction | None], set[tuple[int, int]]] = defaultdict(set)
    meds: dict[tuple[int, int], Fraction] = {}
    for row in rows:
        at = meds.setdefault(row[4:6], Fraction(*row[4:6]))
        values["med", None].add(row[4:6])
        values["rd", at].add(row[6:8])
        values["ard", at].add(row[8:10])
    ends: dict[_Question, Fraction] = {}
    for (statistic, given), ratios in values.items():
        exact = [Fraction(*ratio) for ratio in ratios]
        ends[statistic, "min", given], ends[statistic, "max", given] = min(exact), max(exact)
    for statistic in ("rd", "ard"):
        for extreme, better in (("min", min), ("max", max)):
            among = [x for (name, end, _), x in ends.items() if (name, end) == (statistic, extreme)]
            if among:
                ends[statistic, extreme, None] = better(among)
    return ends


def _attains(entry: Entry, text: str, statistic: str, value: Fraction, given: Fraction | None) -> bool:
    """Whether a matrix is a canonical member of the class with this value (at this MED)."""
    try:
        matrix = [[int(x) for x in row.split(",")] for row in text.split(";")]
        if matrix not in entry.tables or not np.array_equal(canonical(matrix), matrix):
            return False
        return _INDICES[statistic](matrix, exact=True) == value and given in (None, med(matrix, exact=True))
    except (ValueError, KeyError):
        return False


def _differences(entry: Entry, resources: Resources) -> Iterator[str]:
    """What a second computation finds different."""
    again, *_ = columns_of(law_of(entry.key, resources))
    for name in ("law_digest", "content_digest", "extremes_digest", "signatures_digest"):
        if getattr(again, name) != getattr(entry, name):
            yield f"computed again, its {name} is {getattr(again, name)}, not {getattr(entry, name)}"
