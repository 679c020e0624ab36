"""Verification of an archive."""

import os
import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from confmat._arguments import as_amount, as_count
from confmat._limits import Limits, as_limits
from confmat.archive.build import Step, compute
from confmat.archive.files import Entry, entry_of, law_file, read_entries
from confmat.distributions.sources import independent_count
from confmat.errors import ArchiveError


def verify(
    folder: str | os.PathLike[str],
    *,
    recompute: int = 3,
    rng: int = 0,
    limits: Limits | None = None,
    progress: Callable[[Step], None] | None = None,
) -> tuple[str, ...]:
    """Return the problems of an archive.

    All digests are computed again. The sum of the counts of a file is compared with a closed form: the number of
    tables, or of pairs of labelings. A few classes are enumerated again.

    Parameters
    ----------
    folder : path
        Directory of the archive.
    recompute : int
        Number of files whose classes are enumerated again (default: 3).
    rng : int
        Seed that selects these files (default: 0).
    limits : Limits, optional
        Threads, seconds and memory of each enumeration.
    progress : callable, optional
        Called with a Step before each file and at the end.

    Returns
    -------
    tuple of str
        One sentence for each problem. Empty if there are none.

    Raises
    ------
    ArchiveError
        If the directory is not an archive, or its manifest cannot be read.

    Notes
    -----
    A person who changes a file can change the manifest, too. Compare ``confmat.archive.digest`` with the published
    digest.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     verify(folder)
    ()
    """
    recompute = as_amount("recompute", recompute)
    generator = random.Random(as_count("rng", rng))
    entries = read_entries(folder)
    keys_again = {x.key for x in generator.sample(entries, min(recompute, len(entries)))}
    report = progress or (lambda step: None)
    problems = []
    for done, entry in enumerate(entries):
        report(Step(done, len(entries), entry.key))
        again = as_limits(limits) if entry.key in keys_again else None
        if problem := _problem_of(Path(folder), entry, again):
            problems.append(f"{entry}: {problem}")
    report(Step(len(entries), len(entries), None))
    return tuple(problems)


def _problem_of(folder: Path, entry: Entry, again: Limits | None) -> str:
    """Return the problem of the file of ``entry`` in the archive ``folder`` as text, "" if there is none.

    If ``again`` is not None, the class is also enumerated again within these limits, and the digests are compared.
    """
    try:
        found = entry_of(law_file(folder, entry.key), entry.key)
    except ArchiveError as error:
        return str(error)
    if found != entry:
        return "the file differs from its manifest"
    expected = independent_count(entry.tables, entry.weight)
    if entry.total != expected:
        return f"the counts add up to {entry.total}, the closed form is {expected}"
    if again is None:
        return ""
    with TemporaryDirectory() as temporary:
        second = compute(Path(temporary), entry.key, again)
    if second.digest == entry.digest:
        return ""
    return f"computed again, its digest is {second.digest}, not {entry.digest}"
