"""Construction of an archive: one distribution after another is enumerated and written to its file."""

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from confmat._arguments import as_counts, as_few, as_path
from confmat._engine.blocks import WEIGHTS
from confmat._limits import Limits, as_limits
from confmat.archive.files import (
    STORED_STATISTICS,
    Entry,
    Key,
    altered_files,
    entry_of,
    found_archive,
    has_content,
    law_file,
    read_entries,
    write_entries,
    write_law,
)
from confmat.classes import Tables
from confmat.distributions.from_class import joint_distribution
from confmat.distributions.sources import independent_count

_MOST_COUNT = 10**38 - 1  # the widest exact integer of Parquet
_MOST_OBJECTS = 200  # pairs of labelings of more objects exceed it, and take long to count


@dataclass(frozen=True)
class Step:
    """Progress of a build or a verification.

    Attributes
    ----------
    done, total : int
        Number of files that are finished, and of all files.
    key : tuple or None
        The next file as (r, s, n, weight), or None at the end.
    """

    done: int
    total: int
    key: Key | None


def build(
    folder: str | os.PathLike[str],
    shapes: Iterable[tuple[int, int]],
    sizes: Iterable[int],
    weights: Collection[str] = WEIGHTS,
    *,
    limits: Limits | None = None,
    progress: Callable[[Step], None] | None = None,
) -> tuple[Entry, ...]:
    """Write the exact distributions of (MED, RD, ARD) over classes of tables to an archive.

    Parameters
    ----------
    folder : path
        A new or empty directory, or an archive to extend. Finished files stay, so that a build that was stopped can be
        continued by the same call.
    shapes : iterable of (int, int)
        Numbers of rows and columns.
    sizes : iterable of int
        Totals n. Each is combined with each shape.
    weights : collection of str
        "tables", "labelings", or both (default: both).
    limits : Limits, optional
        Threads, seconds and memory of each enumeration.
    progress : callable, optional
        Called with a Step before each class and at the end.

    Returns
    -------
    tuple of Entry
        Entries of the whole archive.

    Raises
    ------
    ValueError
        If a weight is unknown or counts have more than 38 digits.
    ArchiveError
        If the directory has other files, or cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for entry in build(folder, [(2, 2)], [4]):
    ...         print(entry, entry.total, entry.points)
    2x2 n=4 labelings 196 4
    2x2 n=4 tables 19 4
    """
    shapes = as_few("shapes", shapes)
    sizes = as_few("sizes", sizes)
    missing(folder, shapes, sizes, weights)  # all arguments are checked before anything is written
    path = as_path("folder", folder)
    report = progress or (lambda step: None)
    found_archive(path)
    keys_left = missing(path, shapes, sizes, weights)
    for done, key in enumerate(keys_left):
        report(Step(done, len(keys_left), key))
        entry = compute(path, key, as_limits(limits))
        others = [listed for listed in read_entries(path) if listed.key != key]
        write_entries(path, [*others, entry])
    report(Step(len(keys_left), len(keys_left), None))
    return read_entries(path)


def missing(
    folder: str | os.PathLike[str],
    shapes: Iterable[tuple[int, int]],
    sizes: Iterable[int],
    weights: Collection[str] = WEIGHTS,
) -> list[Key]:
    """Return the keys of the files that ``build`` would compute, without writing anything.

    Parameters
    ----------
    folder, shapes, sizes, weights : as for `build`

    Returns
    -------
    list of (int, int, int, str)
        The keys (r, s, n, weight) of the files that are missing or altered.

    Raises
    ------
    ValueError, ArchiveError
        The errors of ``build``.

    Examples
    --------
    >>> missing("a directory that does not exist", [(2, 2)], [4], ["tables"])
    [(2, 2, 4, 'tables')]
    """
    keys = _keys(shapes, sizes, weights)
    path = as_path("folder", folder)
    if not has_content(path):
        return keys
    entries = read_entries(path)
    altered = altered_files(path, entries)
    finished = {entry.key for entry in entries if law_file(path, entry.key) not in altered}
    return [key for key in keys if key not in finished]


def _keys(shapes: Iterable[tuple[int, int]], sizes: Iterable[int], weights: Collection[str]) -> list[Key]:
    """Check the arguments of ``build`` and return the keys (r, s, n, weight) of the files, sorted.

    ``shapes`` are pairs (r, s), ``sizes`` are totals n, and ``weights`` are "tables" or "labelings". There is a key
    for each combination.
    """
    if not set(as_few("weights", weights)) <= set(WEIGHTS):
        raise ValueError(f'weights must contain only "tables" and "labelings", got {weights!r}')
    pairs = {as_counts(f"shapes[{i}]", x, minimum=1) for i, x in enumerate(as_few("shapes", shapes))}
    for shape in pairs:
        if len(shape) != 2:
            raise ValueError(f"shapes must be pairs of numbers of rows and columns, got {shape!r}")
    totals = set(as_counts("sizes", as_few("sizes", sizes, len(pairs))))
    keys = sorted((r, s, n, weight) for r, s in pairs for n in totals for weight in set(weights))
    for r, s, n, weight in keys:
        matrices = Tables(n, r, s)
        is_large = weight == "labelings" and n > _MOST_OBJECTS
        if is_large or independent_count(matrices, weight) > _MOST_COUNT:
            raise ValueError(
                f"{weight} of {matrices!r} must have a count of at most 38 digits, got more. Use smaller sizes or "
                "shapes"
            )
    return keys


def compute(folder: Path, key: Key, limits: Limits) -> Entry:
    """Enumerate the class of ``key`` = (r, s, n, weight), write its file into ``folder``, and return its entry."""
    r, s, n, weight = key
    matrices = Tables(n, r, s)
    arrays = joint_distribution(matrices, *STORED_STATISTICS, weight=weight, limits=limits)._arrays()
    path = law_file(folder, key)
    write_law(path, key, arrays)
    return entry_of(path, key)
