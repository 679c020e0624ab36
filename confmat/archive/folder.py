"""The folder of an archive: its files, their columns, its list of laws."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path
from typing import TypeVar

from confmat.archive.exact import statements
from confmat.archive.parquet import (
    COUNT,
    bytes_digest,
    content_digest,
    read_rows,
    rows_of,
    seal_of,
    write_columns,
)
from confmat.arguments import as_instance, as_path
from confmat.classes import Tables
from confmat.engine.blocks import WEIGHTS
from confmat.engine.checkpoint import ARCHIVE, written_whole
from confmat.errors import ArchiveError

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

laws: n, r, s, weight; med_num, med_den, rd_num, rd_den, ard_num, ard_den, 64-bit integers in lowest terms (a class
with larger ones has too many values for an archive); count, a DECIMAL(38,0), as labelings do not fit 64 bits.  One row
for every value, in increasing order of MED, RD, ARD; the counts add up to the total of the class.

signatures: n, r, s, weight; m, a, b, p: m = n MED, and the numbers of pairs of points together in a row, in a
column, in a cell; count.  One row for every (m, a, b, p) that occurs, in increasing order.  A claim on any index of
pairs is decided by these, as ARI < 0 is p n (n - 1)/2 < a b.  Where "MED <= 3/10 implies ARI >= 0" fails:

``SELECT n, r, s, sum(count) AS failing FROM signatures
WHERE weight = 'tables' AND 10 * m <= 3 * n AND p * n * (n - 1) < 2 * a * b
GROUP BY n, r, s ORDER BY n, r, s``

extremes: n, r, s; statistic ("med", "rd", "ard"); extreme ("min", "max"); given_med_num, given_med_den, the MED at
which it is the extreme, or null: over the whole class; value_num, value_den, its value; matrix, which attains it, one
of possibly several, as text "10,3,2;3,0,0;2,0,0".  The matrix is the largest of its orbit (row-major) under
permutations of rows and columns, and transposition where r = s.  These hold for both weights.

classes: n, r, s, weight; matrices, their number; total, sum of the counts; points, number of rows in laws; signatures,
number of rows there;
law_digest, SHA-256 of the law and of its sums by margins as ``confmat.laws.Law.digest_of_sums`` has it;
content_digest, extremes_digest and signatures_digest, SHA-256 of the rows of the files, each the values as they stand
in the file, "-" for null, separated by spaces and ended by a line feed; law_bytes, extremes_bytes and
signatures_bytes, SHA-256 of the files themselves; version of confmat; method, how the law was computed; checked, the
other methods that gave the same law (or that of its MED, RD, or both), with semicolons, or "none".  The digest of
the rows of this list stands in its file, under the key digest_of_rows.

No digest of rows depends on the bytes of a Parquet file, the machine, the number of threads or the order of the work.
The digest of the archive seals everything but the digests of files, version, method and checked: archives with equal
laws have equal ones.  ``confmat archive query`` answers from files that are, byte for byte, as they were built, and
says so where they are not; ``confmat archive verify`` computes all digests from the rows.

Comparing exact values: ``confmat archive query`` shows med, rd and ard of laws, given_med and value of extremes as
doubles, which compare and order them up to rounding, and beside each its text, as ard_text: '10/7'.  Order no texts:
'91/89' comes after '10/7'.  These macros compare and order without rounding:

- ``exact_max(num, den)``, ``exact_min(num, den)``: the largest and the smallest value of a group, as text
- ``exact_compare(num, den, '10/7')``: -1, 0 or 1, as the value is below, at or above another one
- ``exact_order(num, den)``: by which to order
- ``exact_text(num, den)``: the text

``SELECT r, s, exact_max(ard_num, ard_den) AS largest,
sum(count) FILTER (exact_compare(ard_num, ard_den, '1') > 0) AS above_one
FROM laws WHERE weight = 'tables' GROUP BY r, s ORDER BY r, s``

They are short enough for a reader without this program, in the SQL of DuckDB:

MACROS
""".replace("MACROS", "\n".join(f"- ``{macro};``" for macro in statements()))

# The README belongs to the format: another text, another version.
MANIFEST = {"format": ARCHIVE, "version": 4}
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
    **dict.fromkeys(("given_med_num", "given_med_den", "value_num", "value_den"), "BIGINT"),
    "matrix": "VARCHAR",
}
# Of how an archive came to be, and its files: not in its digest.
UNSEALED = ("law_bytes", "extremes_bytes", "signatures_bytes", "version", "method", "checked")
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
            *UNSEALED,
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
    law_bytes: str
    extremes_bytes: str
    signatures_bytes: str
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


def law_file(folder: Path, key: Key, kind: str = "laws") -> Path:
    """Where a law is kept.

    >>> law_file(Path("tables"), (2, 3, 4, "labelings")).as_posix()
    'tables/laws/2x3-n04-labelings.parquet'
    """
    r, s, n, weight = key
    return folder / kind / f"{r}x{s}-n{n:02}-{weight}.parquet"


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


def _open_archive(folder: Path) -> None:
    """Whether the folder is an archive of this version; ArchiveError otherwise."""
    manifest = folder / "manifest.json"
    if not folder.is_dir():
        raise ArchiveError(f"archive {folder} {'is not a folder' if folder.exists() else 'does not exist'}")
    try:
        content = json.loads(manifest.read_text())
    except FileNotFoundError:
        raise ArchiveError(f"{folder} is not an archive: it has no manifest.json") from None
    except (OSError, ValueError) as error:
        raise ArchiveError(f"{manifest} cannot be read: {error}") from error
    if not isinstance(content, dict) or content.get("format") != MANIFEST["format"]:
        raise ArchiveError(f"{folder} is not an archive: its manifest.json was not written by this program")
    if content != MANIFEST:
        raise ArchiveError(
            f"archive {folder} has version {content.get('version')!r} of the format, this confmat reads "
            f"{MANIFEST['version']}: build it again in another folder"
        )


def is_new(folder: Path) -> bool:
    """Whether there is nothing at this path, or a folder without anything but what a killed build began to write.

    >>> is_new(Path("a folder that does not exist"))
    True
    """
    if not folder.is_dir():
        return not folder.exists()
    return all(path.name.startswith(".") and path.name.endswith(".tmp") for path in folder.iterdir())


@contextmanager
def created(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """The folder as an archive, made if there is nothing, while no other process builds it.

    ArchiveError where it holds something else, or is being built.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, created(folder) as path:
    ...     sorted(path.name for path in path.iterdir())
    ['README.md', 'classes.parquet', 'extremes', 'laws', 'manifest.json', 'signatures']
    """
    path = as_path("folder", folder)
    with _writing(path):
        if not path.exists():
            path.mkdir(parents=True, exist_ok=True)
    if not path.is_dir():
        raise ArchiveError(f"archive {path} is not a folder")
    with alone(path):
        with _writing(path):
            if is_new(path):
                _write_text(
                    path / "manifest.json",
                    json.dumps(MANIFEST) + "\n",
                )
            _open_archive(path)
            for part in ("laws", "extremes", "signatures"):
                (path / part).mkdir(exist_ok=True)
            if not has_readme(path):
                _write_text(path / "README.md", README)
            if not classes_file(path).exists():
                write_entries(path, ())
        yield path


def has_readme(folder: Path) -> bool:
    """Whether the README of an archive is there, as it was written.

    >>> has_readme(Path("a folder that does not exist"))
    False
    """
    try:
        return (folder / "README.md").read_text() == README
    except (OSError, ValueError):
        return False


def _write_text(path: Path, text: str) -> None:
    with written_whole(path, into_archive=True) as draft:
        draft.write_text(text)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Why an archive cannot be written, as an ArchiveError."""
    try:
        yield
    except OSError as error:
        raise ArchiveError(f"archive {folder} cannot be written: {error.strerror or error}") from error


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One process at a time builds an archive; ArchiveError in a second one.

    The lock is the system's, on the folder: it ends with the process.  Systems without such locks have none.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with alone(Path(folder)), alone(Path(folder)):
    ...         pass
    Traceback (most recent call last):
    ...
    confmat.errors.ArchiveError: archive ... is being built by another process: wait for it, or take another folder
    """
    if os.name != "posix":
        yield
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ArchiveError(
                f"archive {folder} is being built by another process: wait for it, or take another folder"
            ) from None
        yield
    finally:
        os.close(descriptor)


_Read = TypeVar("_Read")


def settled(folder: Path, read: Callable[[Path], _Read]) -> _Read:
    """What is read from an archive; where that fails, read again while no process builds it.

    Of two files that belong together a build replaces one after the other: it must not make a reader say that an
    archive is damaged, or none.  ArchiveError as that of ``read``, or that the archive is being built.

    >>> settled(Path("a folder that does not exist"), read_entries)
    Traceback (most recent call last):
    ...
    confmat.errors.ArchiveError: archive a folder that does not exist does not exist
    """
    try:
        return read(folder)
    except ArchiveError:
        if not folder.is_dir():
            raise
        with alone(folder):
            return read(folder)


def read_entries(folder: str | os.PathLike[str], *, altered: bool = False) -> tuple[Entry, ...]:
    """The laws of an archive by shape, total and weight, as its classes.parquet lists them.

    Raises ArchiveError when the folder is no archive, and for a list that is not as it was built, unless ``altered``.
    The other files are not looked at: see ``verify``.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     [(str(entry), entry.total) for entry in read_entries(folder)]
    [('2x2 n=4 tables', 19)]
    """
    return settled(as_path("folder", folder), _listed_entries if altered else sealed_entries)


def sealed_entries(folder: Path) -> tuple[Entry, ...]:
    """The laws of an archive, for the process that builds it; errors as those of ``read_entries``."""
    entries = _listed_entries(folder)
    if not is_sealed(folder, entries):
        raise ArchiveError(f"{classes_file(folder)} is not as it was built: {_ADVICE}")
    return entries


_ADVICE = (
    "confmat archive verify says what is wrong; where the file is removed, the archive can be built again"
)


def _listed_entries(folder: Path) -> tuple[Entry, ...]:
    _open_archive(folder)
    path = classes_file(folder)
    rows = read_rows(path, CLASSES)
    for n, r, s, weight, *_ in rows:
        if n < 0 or min(r, s) < 1 or weight not in WEIGHTS:
            raise ArchiveError(f"{path} is damaged: no law is {r}x{s} n={n} {weight}")
    return tuple(Entry(*row) for row in rows)


def is_sealed(folder: Path, entries: Iterable[Entry]) -> bool:
    """Whether these are the laws that ``write_entries`` wrote: their digest stands in the file beside them.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_entries(Path(folder), ())
    ...     is_sealed(Path(folder), ())
    True
    """
    return seal_of(classes_file(folder)) == content_digest(map(astuple, entries))


def altered_files(folder: Path, entries: Iterable[Entry]) -> list[Path]:
    """The files of laws that do not have the bytes that were written, or are not there.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     entries = build(folder, [(2, 2)], [4], ["tables"])
    ...     law_file(Path(folder), (2, 2, 4, "tables")).unlink()
    ...     [path.name for path in altered_files(Path(folder), entries)]
    ['2x2-n04-tables.parquet']
    """
    digest_of_file = {}
    for entry in entries:
        digest_of_file[law_file(folder, entry.key)] = entry.law_bytes
        digest_of_file[signatures_file(folder, entry.key)] = entry.signatures_bytes
        digest_of_file[extremes_file(folder, entry.key)] = entry.extremes_bytes
    return [path for path, digest in digest_of_file.items() if bytes_digest(path) != digest]


def intact_entries(folder: str | os.PathLike[str]) -> tuple[Entry, ...]:
    """The laws of an archive all whose files are as they were built; ArchiveError naming one that is not.

    Every byte is read, at the speed of a digest: the 573 files, 12 MB, of all tables up to 4 x 4 and n = 20 in 0.03 s.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     _ = law_file(Path(folder), (2, 2, 4, "tables")).write_bytes(b"other")
    ...     intact_entries(folder)
    Traceback (most recent call last):
    ...
    confmat.errors.ArchiveError: ...2x2-n04-tables.parquet is not as it was built: confmat archive verify says what ...
    """
    return settled(as_path("folder", folder), _intact)


def _intact(folder: Path) -> tuple[Entry, ...]:
    entries = sealed_entries(folder)
    for path in altered_files(folder, entries):
        raise ArchiveError(f"{path} is {'not as it was built' if path.exists() else 'missing'}: {_ADVICE}")
    return entries


def write_entries(folder: Path, entries: Iterable[Entry]) -> None:
    """Replace the list of the laws.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     entry = Entry(4, 2, 2, "tables", 19, 19, 3, 3, *["5e1f"] * 7, "0.1.0", "engine", "none")
    ...     write_entries(Path(folder), [entry])
    ...     len(read_rows(classes_file(Path(folder)), CLASSES))
    1
    """
    entries_in_order = sorted(entries, key=lambda entry: entry.key)
    rows = [asdict(entry) for entry in entries_in_order]
    columns = {}
    for field in fields(Entry):
        columns[field.name] = [row[field.name] for row in rows]
    seal = content_digest(rows_of(columns))
    write_columns(classes_file(folder), CLASSES, columns, seal=seal)


def digest(entries: Iterable[Entry]) -> str:
    """The digest of an archive: of every number in it, not of the bytes of its files, or of what computed it.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     digest(read_entries(folder))[:8]
    'f3460042'
    """
    names = [name for name in CLASSES if name not in UNSEALED]
    laws = [as_instance("entries", entry, Entry, "laws of an archive") for entry in entries]
    laws_in_order = sorted(laws, key=lambda entry: entry.key)
    rows = [tuple(getattr(entry, name) for name in names) for entry in laws_in_order]
    return content_digest(rows)
