"""Checking an archive: its files against their digests, closed forms, another method, and a second computation."""

import hashlib
import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from confmat.archive.build import Step, columns_of, law_of, total_weight
from confmat.archive.folder import (
    EXTREMES,
    LAWS,
    SIGNATURES,
    Entry,
    altered_files,
    classes_file,
    extremes_file,
    has_readme,
    is_sealed,
    law_file,
    read_entries,
    signatures_file,
)
from confmat.archive.parquet import ParquetRow, content_digest, read_rows
from confmat.arguments import as_amount, as_count
from confmat.classes import canonical
from confmat.errors import ArchiveError
from confmat.indices.partition import adjusted_rand_distance, med, rand_distance
from confmat.laws.distances import has_med_law, has_rd_law
from confmat.laws.over_class import joint
from confmat.plans import Resources, as_resources

_INDICES = {"med": med, "rd": rand_distance, "ard": adjusted_rand_distance}

_ENDS: dict[str, Any] = {"min": min, "max": max}

NumeratorAndDenominator = tuple[int, int]  # numerator and denominator
# What an extreme is of: statistic, "min" or "max", and the MED given or None.
_Question = tuple[str, str, NumeratorAndDenominator | None]


def verify(
    folder: str | os.PathLike[str],
    *,
    recompute: int = 0,
    rng: int = 0,
    resources: Resources | None = None,
    progress: Callable[[Step], None] | None = None,
) -> tuple[str, ...]:
    """What is wrong with an archive, a sentence each; empty when it is right.

    Every file must be there as it was built, and no other.  Counts must be positive and add up to the closed forms:
    the number of tables, or r! S(n, r) s! S(n, s) pairs of labelings.  Digests are computed again from the rows, which
    must be in order, each once.  Signatures must give the law; where r = s they must be symmetric, and those of
    labelings must have the mean of P that A and B give it.  Up to 4 x 4 the law of the RD is compared with one found
    by a recursion, without visiting a table.  Extremes must be those of the law, and each matrix must attain its
    value.  ``recompute``: so many laws, drawn with ``rng``, are computed again.  Digests cannot tell who wrote them:
    compare that of the archive with one that was published.

    Raises ArchiveError when the folder is no archive or its list of laws cannot be read.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     verify(folder, recompute=1)
    ()
    """
    recompute = as_amount("recompute", recompute)
    rng = as_count("rng", rng)
    entries = read_entries(folder, altered=True)
    path = Path(folder)
    entries_again = random.Random(rng).sample(entries, min(recompute, len(entries)))
    problems = list(_folder_problems(path, entries))
    files_seen: set[Path] = set()
    report = progress or (lambda step: None)
    for entries_done, entry in enumerate(entries):
        report(Step(entries_done, len(entries), entry.key))
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
            if _law_digest(entry, signatures) != entry.law_digest:
                problems.append(f"{entry}: its signatures do not have the law_digest that is listed")
            if file not in files_seen:
                problems += (f"{entry}: {problem}" for problem in _extremes_problems(entry, rows, extremes))
            files_seen.add(file)
        except ArchiveError as error:
            problems.append(str(error))
        if entry in entries_again:
            problems += (f"{entry}: {problem}" for problem in _differences(entry, as_resources(resources)))
    report(Step(len(entries), len(entries), None))
    return tuple(problems)


def _folder_problems(folder: Path, entries: tuple[Entry, ...]) -> Iterator[str]:
    """Files that do not belong to the archive or are not as built, by their names in its folder; laws listed twice."""
    list_of_laws = classes_file(folder).relative_to(folder)
    own_files = {
        classes_file(folder),
        folder / "manifest.json",
        folder / "README.md",
    }
    own_files |= {
        file_of(folder, entry.key)
        for entry in entries
        for file_of in (law_file, signatures_file, extremes_file)
    }
    for file in sorted(folder.rglob("*")):
        if file not in own_files and not file.is_dir():
            yield f"{file.relative_to(folder)} is not part of the archive, or was left by a build that was stopped"
    if not has_readme(folder):
        yield "README.md is missing, or is not the text that was written"
    keys = [entry.key for entry in entries]
    if len(set(keys)) < len(keys):
        yield f"{list_of_laws} lists a law twice"
    elif keys != sorted(keys):
        yield f"{list_of_laws} does not list the laws in order"
    if not is_sealed(folder, entries):
        yield f"{list_of_laws} is not as it was built"
    for file in altered_files(folder, entries):
        if file.exists():
            yield f"{file.relative_to(folder)} is not as it was built"


def _entry_problems(entry: Entry) -> Iterator[str]:
    closed_forms = {
        "matrices": entry.tables.count(),
        "total": total_weight(entry.tables, entry.weight),
    }
    for name, closed_form in closed_forms.items():
        if getattr(entry, name) != closed_form:
            yield f"listed with {name} {getattr(entry, name)}, the closed form is {closed_form}"


def _law_problems(entry: Entry, rows: list[ParquetRow]) -> Iterator[str]:
    if any(row[:4] != (entry.n, entry.r, entry.s, entry.weight) for row in rows):
        yield "its file has rows of another class or weight"
    if len(rows) != entry.points:
        yield f"has {len(rows)} rows, {entry.points} are listed"
    if any(row[-1] < 1 for row in rows):
        yield "has counts below 1"
    values = [tuple(_order(*row[i : i + 2]) for i in (4, 6, 8)) for row in rows]
    if not _increases(values):
        yield "its rows are not in increasing order of MED, RD, ARD, each once"
    counts = sum(row[-1] for row in rows)
    closed_form = total_weight(entry.tables, entry.weight)
    if counts != closed_form:
        yield f"the counts add up to {counts}, the closed form is {closed_form}"
    if content_digest(rows) != entry.content_digest:
        yield "its rows do not have the digest that is listed"
    if entry.weight == "tables" and has_rd_law(entry.tables):
        law: dict[tuple[int, int], int] = defaultdict(int)
        for row in rows:
            law[row[6:8]] += row[-1]
        if law != {x.as_integer_ratio(): count for (x,), count in joint(entry.tables, "rd").support}:
            yield "the law of the RD is not the one found without visiting tables"


def _order(num: int, den: int) -> int:
    """A whole number that increases with a fraction of 64-bit integers.

    >>> _order(91, 89) < _order(10, 7)
    True
    """
    return (num << 126) // den  # they differ by more than 2^-126


def _increases(values: list[Any]) -> bool:
    return all(value < next_value for value, next_value in pairwise(values))


def _signature_problems(entry: Entry, rows: list[ParquetRow], signatures: list[ParquetRow]) -> Iterator[str]:
    """Their number and digest; and the law of MED, RD and ARD that they give, which is compared with other methods."""
    if len(signatures) != entry.signatures or content_digest(signatures) != entry.signatures_digest:
        yield "its signatures do not have the number and the digest that are listed"
    if any(row[:4] != (entry.n, entry.r, entry.s, entry.weight) for row in signatures):
        yield "its signatures have rows of another class or weight"
    if any(row[-1] < 1 for row in signatures):
        yield "its signatures have counts below 1"
    if not _increases([row[4:8] for row in signatures]):
        yield "its signatures are not in increasing order, each once"
    if entry.r == entry.s and not _is_symmetric(signatures):
        yield "its signatures are not symmetric, as those of a square shape are"
    if entry.weight == "labelings" and not _has_null_means(entry, signatures):
        yield "its signatures do not have the mean of P that A and B give to labelings"
    law: dict[tuple[int, ...], int] = defaultdict(int)
    M = comb(entry.n, 2)
    for *_, m, a, b, p, count in signatures:
        f = a + b - 2 * p
        d = a * (M - b) + b * (M - a)
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


def _is_symmetric(signatures: list[ParquetRow]) -> bool:
    """Whether A and B can be exchanged: so can rows and columns of a square shape."""
    counts = {row[4:8]: row[-1] for row in signatures}
    return all(counts.get((m, b, a, p)) == count for (m, a, b, p), count in counts.items())


def _has_null_means(entry: Entry, signatures: list[ParquetRow]) -> bool:
    """Whether at each A and B the mean of P over all pairs of labelings is A B / C(n, 2)."""
    M = comb(entry.n, 2)
    excess: dict[tuple[int, int], int] = defaultdict(int)
    for *_, a, b, p, count in signatures:
        excess[a, b] += count * (p * M - a * b)
    return not any(excess.values())


def _law_digest(entry: Entry, signatures: list[ParquetRow]) -> str:
    """What ``Law.digest_of_sums`` is, from signatures, one by one."""
    counts: dict[tuple[int, int], int] = defaultdict(int)
    moments: dict[tuple[int, int, int], list[int]] = defaultdict(lambda: [0, 0])
    for *_, m, a, b, p, count in signatures:
        f = a + b - 2 * p
        counts[m, f] += count
        sums = moments[min(a, b), max(a, b), m]
        sums[0] += count * f
        sums[1] += count * f * f
    lines: list[tuple[int, ...]] = [(*key, count) for key, count in sorted(counts.items())]
    lines += [(*key, *sums) for key, sums in sorted(moments.items()) if sums[0]]
    text = "".join(" ".join(map(str, line)) + "\n" for line in lines)
    return hashlib.sha256(f"{entry.tables!r} {entry.weight}\n{text}".encode()).hexdigest()


def _extremes_problems(entry: Entry, rows: list[ParquetRow], extremes: list[ParquetRow]) -> Iterator[str]:
    if any(row[:3] != (entry.n, entry.r, entry.s) for row in extremes):
        yield "its extremes are of another class"
        return
    extremes_of_law = _extremes_of(rows)
    values_of_questions: dict[_Question, list[NumeratorAndDenominator]] = defaultdict(list)
    for *_, statistic, extreme, given_num, given_den, num, den, text in extremes:
        if given_num is None:
            med = None
        else:
            med = given_num, given_den
        values_of_questions[statistic, extreme, med].append((num, den))
        if not _attains(entry, text, statistic, (num, den), med):
            yield f"the matrix {text} does not have {statistic} = {num}/{den}, or is not the one to be given"
    for question in {**extremes_of_law, **values_of_questions}:
        if values_of_questions[question] != [extremes_of_law.get(question)]:
            statistic, extreme, med = question
            if med is None:
                condition = ""
            else:
                condition = f" given med = {Fraction(*med)}"
            values = " and as ".join(str(Fraction(*value)) for value in values_of_questions[question])
            values_in_words = f"given as {values}" if values else "not there"
            if question in extremes_of_law:
                right_value = Fraction(*extremes_of_law[question])
            else:
                right_value = None
            yield f"the {extreme} of {statistic}{condition} is {values_in_words}, in the law it is {right_value}"
    if (
        list(values_of_questions) != list(extremes_of_law)
        and values_of_questions.keys() == extremes_of_law.keys()
    ):
        yield "its extremes are not in their order"


def _extremes_of(rows: list[ParquetRow]) -> dict[_Question, NumeratorAndDenominator]:
    """All extremes of a law, from its rows, in their order in the file."""
    values_of_law: dict[str, set[NumeratorAndDenominator]] = defaultdict(set)
    by_med: dict[NumeratorAndDenominator, dict[str, set[NumeratorAndDenominator]]] = {}
    for row in rows:
        med = row[4:6]
        rd = row[6:8]
        ard = row[8:10]
        values_at_med = by_med.setdefault(med, {"rd": set(), "ard": set()})
        values_at_med["rd"].add(rd)
        values_at_med["ard"].add(ard)
        for statistic, value in (("med", med), ("rd", rd), ("ard", ard)):
            values_of_law[statistic].add(value)
    ends: dict[_Question, NumeratorAndDenominator] = {}
    for extreme, end in _ENDS.items():
        for statistic, values in values_of_law.items():
            ends[statistic, extreme, None] = end(values, key=_order_of)
    for med in sorted(by_med, key=_order_of):
        for statistic, values in by_med[med].items():
            for extreme, end in _ENDS.items():
                ends[statistic, extreme, med] = end(values, key=_order_of)
    return ends


def _order_of(value: NumeratorAndDenominator) -> int:
    return _order(*value)


def _attains(
    entry: Entry,
    text: str,
    statistic: str,
    value: NumeratorAndDenominator,
    med_of_law: NumeratorAndDenominator | None,
) -> bool:
    """Whether a matrix is a canonical member of the class with this value (at this MED)."""
    try:
        matrix = [[int(x) for x in row.split(",")] for row in text.split(";")]
        if matrix not in entry.tables or not np.array_equal(canonical(matrix), matrix):
            return False
        if med_of_law not in (None, med(matrix, exact=True).as_integer_ratio()):
            return False
        return _INDICES[statistic](matrix, exact=True).as_integer_ratio() == value
    except (ValueError, KeyError):
        return False


def _differences(entry: Entry, resources: Resources) -> Iterator[str]:
    """What a second computation finds different."""
    second_entry, *_ = columns_of(law_of(entry.key, resources))
    for name in ("law_digest", "content_digest", "extremes_digest", "signatures_digest"):
        if getattr(second_entry, name) != getattr(entry, name):
            yield f"computed again, its {name} is {getattr(second_entry, name)}, not {getattr(entry, name)}"
