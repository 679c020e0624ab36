"""Computing the laws of an archive, one class and weight after another."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from confmat.archive.folder import (
    EXTREMES,
    LAWS,
    SIGNATURES,
    Entry,
    Key,
    altered_files,
    created,
    extremes_file,
    is_new,
    law_file,
    sealed_entries,
    settled,
    signatures_file,
    write_entries,
)
from confmat.archive.parquet import MOST_COUNT, bytes_digest, content_digest, rows_of, write_columns
from confmat.arguments import as_counts, as_few, as_path
from confmat.classes import Tables
from confmat.engine.blocks import WEIGHTS
from confmat.engine.margins import number_of_margin_classes
from confmat.engine.pieces import work_of
from confmat.errors import ArchiveError, ConsistencyError
from confmat.laws.law import Law
from confmat.laws.over_class import joint, statistics_over
from confmat.plans import Resources, as_resources

METHOD = "every margin class enumerated"

_STATISTICS = ("med", "rd", "ard")
_MOST_POINTS = 5 * 10**7  # of a law, by a bound that is some twenty times what there is


@dataclass(frozen=True)
class Step:
    """How far a build has come: laws finished, of how many, and the one to be computed next (None at the end)."""

    done: int
    total: int
    key: Key | None


def build(
    folder: str | os.PathLike[str],
    shapes: Iterable[tuple[int, int]],
    sizes: Iterable[int],
    weights: Collection[str] = WEIGHTS,
    *,
    laws: Iterable[Law] = (),
    resources: Resources | None = None,
    progress: Callable[[Step], None] | None = None,
) -> tuple[Entry, ...]:
    """Add the laws of all r x s tables with total n, for every shape (r, s) and size n, to an archive.

    Makes the folder if need be.  Laws that it holds are kept, so that a build that was killed continues; each file
    is written aside and renamed.  Time: that of one enumeration of each class;
    shapes 2x2 to 4x4 with n up to 20 take 15 seconds of one core.  Classes of ``laws``, whole ones as
    ``confmat.open_law`` gives them, are not enumerated.  Returns all laws of the archive.

    Raises ValueError, before any work, for unknown weights, for counts beyond 38 digits, for laws of more
    than some 10^6 points, and for ``laws`` that are not asked for; ArchiveError for a folder that holds something
    else, is being built, or cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for entry in build(folder, [(2, 2)], [4], resources=Resources(threads=1)):
    ...         print(entry, entry.total, entry.points)
    2x2 n=4 labelings 196 4
    2x2 n=4 tables 19 4
    """
    keys = _keys(shapes, sizes, weights)
    law_of_key = {_key_of(law): law for law in laws}
    if strange := [law_of_key[key] for key in law_of_key if key not in keys]:
        raise ValueError(
            f"laws must be whole, over classes and with weights that are asked for, got {strange[0]!r}"
        )
    with created(folder) as path:
        keys_left = _incomplete(keys, path)
        entry_of_key = {entry.key: entry for entry in sealed_entries(path)}
        _remove_leftovers(path)
        report = progress or (lambda step: None)
        for laws_done, key in enumerate(keys_left):
            report(Step(laws_done, len(keys_left), key))
            entry = _compute(path, key, law_of_key.get(key) or law_of(key, as_resources(resources)))
            if (
                twin := entry_of_key.get(_other_weight(key))
            ) is not None:  # the file of extremes is theirs too
                entry_of_key[twin.key] = replace(twin, extremes_bytes=entry.extremes_bytes)
            entry_of_key[key] = entry
            write_entries(path, entry_of_key.values())
        report(Step(len(keys_left), len(keys_left), None))
        return sealed_entries(path)


def missing(
    folder: str | os.PathLike[str],
    shapes: Iterable[tuple[int, int]],
    sizes: Iterable[int],
    weights: Collection[str] = WEIGHTS,
) -> list[Key]:
    """The laws (r, s, n, weight) that ``build`` would compute; arguments and errors as there, nothing is written.

    >>> missing("a folder that does not exist", [(2, 2)], [4], ["tables"])
    [(2, 2, 4, 'tables')]
    """
    keys = _keys(shapes, sizes, weights)
    path = as_path("folder", folder)
    if is_new(path):
        return keys
    return settled(path, partial(_incomplete, keys))


def _keys(shapes: Iterable[tuple[int, int]], sizes: Iterable[int], weights: Collection[str]) -> list[Key]:
    """The laws asked for, small ones first within a shape, checked."""
    if not set(as_few("weights", weights)) <= set(WEIGHTS):
        raise ValueError(f'weights must be among ("tables", "labelings"), got {weights!r}')
    listed_shapes = as_few("shapes", shapes)
    pairs = {as_counts(f"shapes[{i}]", shape, minimum=1) for i, shape in enumerate(listed_shapes)}
    for shape in pairs:
        if len(shape) != 2:
            raise ValueError(f"shapes must be pairs of numbers of rows and columns, got {shape!r}")
    totals = set(as_counts("sizes", as_few("sizes", sizes, len(pairs))))
    keys = sorted((r, s, n, weight) for r, s in pairs for n in totals for weight in set(weights))
    for r, s, n, weight in keys:
        matrices = Tables(n, r, s)
        if _is_beyond(matrices, weight):
            raise ValueError(
                f"sizes must be smaller: counts have at most 38 digits, {weight} of {matrices!r} more"
            )
        _check_points(matrices)
    return keys


def _is_beyond(matrices: Tables, weight: str) -> bool:
    """Whether counts have too many digits; labelings of over 200 objects are so many, and not counted."""
    if weight == "labelings" and matrices.n > 200 and max(matrices.shape) > 1:
        return matrices.count() > 0
    return total_weight(matrices, weight) > MOST_COUNT


def _check_points(matrices: Tables) -> None:
    """Refuse laws of too many points; the bounds are asked for only where the number of matrices leaves it open."""
    if matrices.count() <= _MOST_POINTS:
        return
    if number_of_margin_classes(matrices) > _MOST_POINTS or work_of(matrices).signatures > _MOST_POINTS:
        raise ValueError(
            f"sizes must be smaller: the law of {matrices!r} may have over {_MOST_POINTS:.0e} points"
        )


def _incomplete(keys: list[Key], folder: Path) -> list[Key]:
    """The laws that are not listed, or a file of which is not as it was written."""
    entries = sealed_entries(folder)
    listed_keys = {entry.key for entry in entries}
    altered_paths = set(altered_files(folder, entries))

    def is_complete(key: Key) -> bool:
        files = {file_of(folder, key) for file_of in (law_file, signatures_file, extremes_file)}
        return key in listed_keys and not files & altered_paths

    return [key for key in keys if not is_complete(key)]


def total_weight(matrices: Tables, weight: str) -> int:
    """Sum of the weights of all tables in closed form: their number, or r! S(n, r) s! S(n, s) pairs of labelings.

    >>> total_weight(Tables(4, 2, 2), "labelings")
    196
    """
    if weight == "tables":
        return matrices.count()
    return matrices.labelings_count()


def _remove_leftovers(folder: Path) -> None:
    """Files that a killed build was writing."""
    try:
        for leftover in folder.rglob(".*.tmp"):
            leftover.unlink()
    except OSError as error:
        raise ArchiveError(f"archive {folder} cannot be written: {error.strerror or error}") from error


def _other_weight(key: Key) -> Key:
    """The law of the same class with the other weight.

    >>> _other_weight((2, 3, 4, "tables"))
    (2, 3, 4, 'labelings')
    """
    first_weight, second_weight = WEIGHTS
    return (*key[:3], second_weight if key[3] == first_weight else first_weight)


def _key_of(law: Law) -> Key | None:
    """The key of a whole law over Tables; None of others."""
    if law.source is None or not law._whole:
        return None
    n, (r, s) = law.matrices.n, law.matrices.shape
    if law.matrices == Tables(n, r, s):
        return r, s, n, law.weight
    return None


def law_of(key: Key, resources: Resources) -> Law:
    """The law, enumerated as soon as something is asked of it."""
    r, s, n, weight = key
    return joint(Tables(n, r, s), *_STATISTICS, weight=weight, resources=resources)


def _compute(folder: Path, key: Key, law: Law) -> Entry:
    """Write the files of a law, and return its entry."""
    entry, columns, signatures, extremes = columns_of(law)
    law_path = law_file(folder, key)
    signatures_path = signatures_file(folder, key)
    extremes_path = extremes_file(folder, key)
    write_columns(law_path, LAWS, columns)
    write_columns(signatures_path, SIGNATURES, signatures)
    write_columns(extremes_path, EXTREMES, extremes)
    return replace(
        entry,
        law_bytes=bytes_digest(law_path) or "",
        signatures_bytes=bytes_digest(signatures_path) or "",
        extremes_bytes=bytes_digest(extremes_path) or "",
    )


def columns_of(whole_law: Law) -> tuple[Entry, dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A law: its entry, without files, and the columns of its files: law, signatures, extremes.

    >>> entry, law, signatures, extremes = columns_of(law_of((2, 2, 4, "tables"), Resources(threads=1)))
    >>> entry.total, entry.points, law["count"], sum(signatures["count"])
    (19, 4, [6, 8, 4, 1], 19)
    """
    n = whole_law.matrices.n
    r, s = whole_law.matrices.shape
    matrices = Tables(n, r, s)
    sums = replace(whole_law, statistics=statistics_over(matrices, _STATISTICS))
    law = _law_columns(sums)
    signatures = _signature_columns(sums)
    for columns in (law, signatures):
        total = sum(columns["count"])
        if total != sums.total:
            raise ConsistencyError(
                f"the columns of the law of {matrices!r} have total {total}, not {sums.total}"
            )
    extremes = _extreme_columns(sums)
    entry = Entry(
        n=n,
        r=r,
        s=s,
        weight=sums.weight,
        matrices=matrices.count(),
        total=sums.total,
        points=len(law["count"]),
        signatures=len(signatures["count"]),
        law_digest=sums.digest_of_sums,
        content_digest=content_digest(rows_of(law)),
        extremes_digest=content_digest(rows_of(extremes)),
        signatures_digest=content_digest(rows_of(signatures)),
        law_bytes="",
        extremes_bytes="",
        signatures_bytes="",
        version=version("confmat"),
        method=METHOD,
        checked="; ".join(dict.fromkeys(verdict.second for verdict in sums.check())) or "none",
    )
    return entry, law, signatures, extremes


def _law_columns(sums: Law) -> dict[str, Any]:
    """The columns of a law."""
    exact = sums.to_arrays()
    counts = exact.weights.tolist()
    columns = _class_columns(sums, len(counts))
    for name, (numerators, denominators) in exact.columns.items():
        columns |= {f"{name}_num": numerators, f"{name}_den": denominators}
    columns["count"] = counts
    return columns


def _class_columns(sums: Law, rows: int) -> dict[str, Any]:
    """The class and the weight in every row."""
    sizes = zip("nrs", (sums.matrices.n, *sums.matrices.shape))
    return {
        **{name: np.full(rows, x) for name, x in sizes},
        "weight": [sums.weight] * rows,
    }


def _signature_columns(sums: Law) -> dict[str, Any]:
    """The columns of signatures, a of the rows of the class."""
    m, a, b, p, counts = sums.signatures().values()
    columns = {"m": m, "a": a, "b": b, "p": p, "count": counts.tolist()}
    return _class_columns(sums, len(m)) | columns


def _extreme_columns(law: Law) -> dict[str, Any]:
    """The columns of extremes: over the class, then at every MED."""
    if law.total:
        rows = list(_extreme_rows(law))
    else:
        rows = []
    if rows:
        return dict(zip(EXTREMES, map(list, zip(*rows))))
    return {name: [] for name in EXTREMES}


def _extreme_rows(law: Law) -> Iterator[tuple[Any, ...]]:
    for extreme, name in product(("min", "max"), _STATISTICS):
        yield _extreme_row(law, name, extreme, (None, None))
    for value, _, conditional_law in law.given_each("med"):
        for name, extreme in product(("rd", "ard"), ("min", "max")):
            yield _extreme_row(conditional_law, name, extreme, value.as_integer_ratio())


def _extreme_row(law: Law, name: str, extreme: str, med: tuple[int | None, int | None]) -> tuple[Any, ...]:
    marginal = law[name]
    if extreme == "min":
        value = marginal.min
        table = marginal.argmin()
    else:
        value = marginal.max
        table = marginal.argmax()
    assert table is not None
    rows_as_text = [",".join(map(str, row)) for row in table.tolist()]
    matrix = ";".join(rows_as_text)
    size = (law.matrices.n, *law.matrices.shape)
    return (*size, name, extreme, *med, *value.as_integer_ratio(), matrix)
