"""The folder of an archive: its files, their columns, its list of laws."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from confmat.archive.parquet import COUNT, content_digest, read_rows, write_columns
from confmat.classes import Tables
from confmat.engine.folders import written_whole
from confmat.engine.work import WEIGHTS
from confmat.errors import ArchiveError
from confmat.matrices.arguments import as_instance, as_path

# What is in the files: the README of every archive and the docstring of this room, as Markdown and reStructuredText.
README = """An archive of exact laws: every (MED, RD, ARD) among the tables of a class, with its exact count.

The laws of all r x s tables with total n, for some shapes and totals, in a folder of Parquet files that DuckDB,
pandas or any other reader opens without this program:

- ``classes.parquet``: one row a law: its class and weight, its size, digests, provenance
- ``laws/RxS-nNN-WEIGHT.parquet``: the law of (MED, RD, ARD)
- ``signatures/RxS-nNN-WEIGHT.parquet``: the law of all that pair-counting indices and the MED are functions of
- ``extremes/RxS-nNN.parquet``: extreme values and a matrix that attains each
- ``manifest.json``, ``README.md``: the format and its version; this text

Class: r x s matrices of non-negative integers with total n, no row or column empty.  Where n < max(r, s) there is
none: the law is listed with total 0 and has no rows.  Shapes are as asked for; a law for 2 x 3 is also that for
3 x 2.  Weight: "tables", each matrix counts once; "labelings", as often as there are pairs of labelings with this
contingency matrix, n!/prod x!.  Where an index is 0/0 the partitions coincide, and the distance is 0.

laws: n, r, s, weight; med_num, med_den, rd_num, rd_den, ard_num, ard_den, 64-bit integers in lowest terms;
count, a DECIMAL(38,0), as labelings do not fit 64 bits.  One row for every value, in increasing order of MED,
RD, ARD; the counts add up to the total of the class.

signatures: n, r, s, weight; m, a, b, p: m = n MED, and the numbers of pairs of points together in a row, in a
column, in a cell; count.  One row for every (m, a, b, p) that occurs, in increasing order.  A claim on any index of
pairs is decided by these, as ARI < 0 is p n (n - 1)/2 < a b.  Where "MED <= 3/10 implies ARI >= 0" fails:

``SELECT n, r, s, sum(count) AS failing FROM signatures
WHERE weight = 'tables' AND 10 * m <= 3 * n AND p * n * (n - 1) < 2 * a * b
GROUP BY n, r, s ORDER BY n, r, s``

extremes: n, r, s; statistic ("med", "rd", "ard"); extreme ("min", "max"); given_med_num, given_med_den, the MED at
which it is the extreme, or null: over the whole class; num, den, its value; matrix, which attains it, one of
possibly several, as text "10,3,2;3,0,0;2,0,0".  The matrix is the largest of its orbit (row-major) under
permutations of rows and columns, and transposition where r = s.  These hold for both weights.

classes: n, r, s, weight; matrices, their number; total, sum of the counts; points, number of rows in laws; signatures,
number of rows there;
law_digest, SHA-256 of the law and of its sums by margins as ``confmat.laws.Law.digest_of_sums`` has it;
content_digest, extremes_digest and signatures_digest, SHA-256 of the rows of the files, each the values as they
stand in the file, "-" for null, separated by spaces and ended by a line feed; version of confmat; method, how the law
was computed; checked, the other methods that gave the same law (or that of its MED, RD, or both), with semicolons, or
"none".

Digests do not depend on the bytes of a Parquet file, the machine, the number of threads or the order of the work.
The digest of the archive seals everything but version, method and checked: archives with equal laws have equal ones.
"""

MANIFEST = {"format": "confmat archive", "version": 3}
Key = tuple[int, int, int, str]  # r, s, n, weight: the order of the laws
_CLASS = {"n": "INTEGER", "r": "INTEGER", "s": "INTEGER"}
LAWS = {
    **_CLASS,
    "weight": "VARCHAR",
    **{f"{name}_{part}": "BIGINT" for name in ("med", "rd", "ard") for part in ("num", "den")},
    "count": COUNT,
}
SIGNATURES = {
    **_CLASS,
    "weight": "VARCHAR",
    **dict.fromkeys("mabp", "BIGINT"),
    "count": COUNT,
}
EXTREMES = {
    **_CLASS,
    "statistic": "VARCHAR",
    "extreme": "VARCHAR",
    **dict.fromkeys(("given_med_num", "given_med_den", "num", "den"), "BIGINT"),
    "matrix": "VARCHAR",
}
CLASSES = {
    **_CLASS,
    "weight": "VARCHAR",
    "matrices": COUNT,
    "total": COUNT,
    "points": "BIGINT",
    "signatures": "BIGINT",
    **dict.fromkeys(
        (
            *("law_digest", "content_digest", "extremes_digest", "signatures_digest"),
            *("version", "method", "checked"),
        ),
        "VARCHAR",
    ),
}


@dataclass(frozen=True)
class Entry:
    """One law of an archive, a row of classes.parquet (columns: see the README of an archive)."""

    n: int
    r: int
    s: int
    weight: str
    matrices: int
    total: int
    points: int
    signatures: int
    law_digest: str
    content_digest: str
    extremes_digest: str
    signatures_digest: str
    version: str
    method: str
    checked: str

    @property
    def key(self) -> Key:
        """Shape, total and weight, by which the laws are ordered."""
        return self.r, self.s, self.n, self.weight

    @property
    def tables(self) -> Tables:
        """The class of matrices."""
        return Tables(self.n, self.r, self.s)

    def __str__(self) -> str:
        return f"{self.r}x{self.s} n={self.n} {self.weight}"


def classes_file(folder: Path) -> Path:
    """The list of the laws.

    >>> classes_file(Path("tables")).as_posix()
    'tables/classes.parquet'
    """
    return folder / "classes.parquet"


def law_file(folder: Path, key: Key, of: str = "laws") -> Path:
    """Where a law is kept.

    >>> law_file(Path("tables"), (2, 3, 4, "labelings")).as_posix()
    'tables/laws/2x3-n04-labelings.parquet'
    """
    r, s, n, weight = key
    return folder / of / f"{r}x{s}-n{n:02}-{weight}.parquet"


def signatures_file(folder: Path, key: Key) -> Path:
    """Where the signatures of a law are kept.

    >>> signatures_file(Path("tables"), (2, 3, 4, "labelings")).as_posix()
    'tables/signatures/2x3-n04-labelings.parquet'
    """
    return law_file(folder, key, "signatures")


def extremes_file(folder: Path, key: Key) -> Path:
    """Where the extremes of a class are kept, the same file for both weights.

    >>> extremes_file(Path("tables"), (2, 3, 4, "labelings")).as_posix()
    'tables/extremes/2x3-n04.parquet'
    """
    r, s, n, _ = key
    return folder / "extremes" / f"{r}x{s}-n{n:02}.parquet"


def _open_archive(folder: str | os.PathLike[str]) -> Path:
    """The folder, if it is an archive of this version; ArchiveError otherwise."""
    path = as_path("folder", folder)
    manifest = path / "manifest.json"
    if not path.is_dir():
        raise ArchiveError(f"archive {path} {'is not a folder' if path.exists() else 'does not exist'}")
    try:
        found = json.loads(manifest.read_text())
    except FileNotFoundError:
        raise ArchiveError(f"{path} is not an archive: it has no manifest.json") from None
    except (OSError, ValueError) as error:
        raise ArchiveError(f"{manifest} cannot be read: {error}") from error
    if not isinstance(found, dict) or found.get("format") != MANIFEST["format"]:
        raise ArchiveError(f"{path} is not an archive: its manifest.json was not written by this program")
    if found != MANIFEST:
        raise ArchiveError(
            f"{path} has version {found.get('version')!r} of the format, not {MANIFEST['version']}"
        )
    return path


def is_new(folder: Path) -> bool:
    """Whether there is nothing at this path, or an empty folder.

    >>> is_new(Path("a folder that does not exist"))
    True
    """
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def create_archive(folder: str | os.PathLike[str]) -> Path:
    """The folder as an archive, made if there is nothing; ArchiveError where it holds something else.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     sorted(path.name for path in create_archive(folder).iterdir())
    ['README.md', 'classes.parquet', 'extremes', 'laws', 'manifest.json', 'signatures']
    """
    path = as_path("folder", folder)
    try:
        if is_new(path):
            path.mkdir(parents=True, exist_ok=True)
            with written_whole(path / "manifest.json") as aside:
                aside.write_text(json.dumps(MANIFEST) + "\n")
        _open_archive(path)
        for part in ("laws", "extremes", "signatures"):
            (path / part).mkdir(exist_ok=True)
        if not (path / "README.md").exists():
            with written_whole(path / "README.md") as aside:
                aside.write_text(README)
        if not classes_file(path).exists():
            write_entries(path, ())
    except OSError as error:
        raise ArchiveError(f"archive {path} cannot be written: {error.strerror or error}") from error
    return path


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One process at a time builds an archive; ArchiveError in a second one.

    The lock is the system's, on the manifest: it ends with the process.  Systems without such locks have none.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with alone(create_archive(folder)), alone(Path(folder)):
    ...         pass
    Traceback (most recent call last):
    ...
    confmat.errors.ArchiveError: archive ... is being built by another process: wait for it, or take another folder
    """
    with (folder / "manifest.json").open() as manifest:
        if os.name == "posix":
            import fcntl

            try:
                fcntl.flock(manifest, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ArchiveError(
                    f"archive {folder} is being built by another process: wait for it, or take another folder"
                ) from None
        yield


def read_entries(folder: str | os.PathLike[str]) -> tuple[Entry, ...]:
    """The laws of an archive by shape, total and weight, as its classes.parquet lists them.

    Raises ArchiveError when the folder is no archive.  What the files hold is not looked at: see ``verify``.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     [(str(entry), entry.total) for entry in read_entries(folder)]
    [('2x2 n=4 tables', 19)]
    """
    path = classes_file(_open_archive(folder))
    rows = read_rows(path, CLASSES)
    for n, r, s, weight, *_ in rows:
        if n < 0 or min(r, s) < 1 or weight not in WEIGHTS:
            raise ArchiveError(f"{path} is damaged: no law is {r}x{s} n={n} {weight}")
    return tuple(Entry(*row) for row in rows)


def write_entries(folder: Path, entries: Iterable[Entry]) -> None:
    """Replace the list of the laws.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     entry = Entry(4, 2, 2, "tables", 19, 19, 3, 3, *["5e1f"] * 4, "0.1.0", "engine", "none")
    ...     write_entries(Path(folder), [entry])
    ...     len(read_rows(classes_file(Path(folder)), CLASSES))
    1
    """
    listed = [asdict(entry) for entry in sorted(entries, key=lambda entry: entry.key)]
    columns = {field.name: [entry[field.name] for entry in listed] for field in fields(Entry)}
    write_columns(classes_file(folder), CLASSES, columns)


def digest(entries: Iterable[Entry]) -> str:
    """The digest of an archive: of everything in it but the version and methods that computed it.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     digest(read_entries(folder))[:8]
    'f3460042'
    """
    sealed = [name for name in CLASSES if name not in ("version", "method", "checked")]
    laws = [as_instance("entries", entry, Entry, "laws of an archive") for entry in entries]
    listed = sorted(laws, key=lambda entry: entry.key)
    return content_digest(tuple(getattr(entry, name) for name in sealed) for entry in listed)
