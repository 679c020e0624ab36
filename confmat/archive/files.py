"""Files of an archive: one Parquet file for each class and weight, and the manifest that lists them."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass
from importlib.metadata import version
from pathlib import Path

import duckdb
import pandas as pd

from confmat._arguments import as_few, as_instance, as_path, as_pattern
from confmat._engine.checkpoint import remove_abandoned, written_whole
from confmat.classes import Tables
from confmat.distributions.files import ExactColumns
from confmat.errors import ArchiveError

# The docstring of the subpackage, and the README.md of every archive.
README = """Exact distributions of (MED, RD, ARD) over many classes of tables, as Parquet files.

An archive is a directory. It holds one file ``RxS-nNN-WEIGHT.parquet`` per class and weight, this text as
``README.md``, and ``manifest.json``. DuckDB, pandas and other readers open the files without confmat.

Class: all r x s tables of non-negative integers with total n and no empty row or column. A class with n < max(r, s)
has no tables: it is listed, and its file has no rows. Weight "tables" counts each table once. Weight "labelings" counts
a table as often as there are pairs of labelings with it, n!/prod x!. If an index is 0/0 the partitions are equal, and
the distance is 0.

Columns of a file:

- ``n``, ``r``, ``s``, ``weight``: the class and the weight
- ``med``, ``rd``, ``ard``: the values as DOUBLE
- ``med_text``, ``rd_text``, ``ard_text``: the exact values as text, such as 10/7
- ``med_num``, ``med_den``, ..., ``ard_den``: the exact values as 64-bit integers in lowest terms
- ``count``: how often the three values occur together, DECIMAL(38,0)

There is one row per value of (MED, RD, ARD), in increasing order. ``manifest.json`` lists for each file its class
and weight, ``matrices`` (number of tables), ``total`` (sum of the counts), ``points`` (number of rows), ``digest``
(SHA-256 of the rows) and ``sha256`` (SHA-256 of the file). A row is digested as its integers ``med_num`` to ``ard_den``
and ``count``, separated by spaces and ended by a line feed. The digest of an archive is the SHA-256 of the list without
``sha256``, in the same form. It does not depend on the machine, the number of threads or the version of DuckDB.

``confmat archive query`` defines the views ``distributions`` (the rows of all files) and ``classes`` (the list). Do not
order by the texts: '91/89' comes after '10/7'. These macros compare exact values without rounding:

- ``exact_max(num, den)``, ``exact_min(num, den)``: the largest and the smallest value of a group, as text
- ``exact_compare(num, den, '10/7')``: -1, 0 or 1, if the value is below, at or above another one
- ``exact_order(num, den)``: a key to order by
"""

MANIFEST = {"format": "confmat archive", "version": 5}
Key = tuple[int, int, int, str]  # r, s, n, weight
STORED_STATISTICS = ("med", "rd", "ard")
EXACT_COLUMNS = [f"{name}_{part}" for name in STORED_STATISTICS for part in ("num", "den")]
EXACT_TEXT = "CASE WHEN {0}_den = 1 THEN {0}_num::VARCHAR ELSE {0}_num || '/' || {0}_den END"

ExactRow = tuple[int, ...]  # a row of EXACT_COLUMNS and the count


@dataclass(frozen=True)
class Entry:
    """File of an archive as its manifest lists it.

    Attributes
    ----------
    n, r, s : int
        Total, number of rows and number of columns of the tables.
    weight : str
        "tables" or "labelings".
    matrices : int
        Number of tables of the class.
    total : int
        Sum of the counts in the file: the number of tables, or of pairs of labelings.
    points : int
        Number of rows of the file.
    digest, sha256 : str
        SHA-256 of the rows, and of the bytes of the file.
    """

    n: int
    r: int
    s: int
    weight: str
    matrices: int
    total: int
    points: int
    digest: str
    sha256: str

    @property
    def key(self) -> Key:
        """Numbers of rows and columns, total and weight (r, s, n, weight), by which entries are sorted."""
        return self.r, self.s, self.n, self.weight

    @property
    def tables(self) -> Tables:
        """Class of the tables."""
        return Tables(self.n, self.r, self.s)

    def __str__(self) -> str:
        """Return shape, total and weight as text."""
        return f"{self.r}x{self.s} n={self.n} {self.weight}"


def law_file(folder: Path, key: Key) -> Path:
    """Return the path of the Parquet file of a class and weight, ``key`` = (r, s, n, weight), in ``folder``.

    >>> law_file(Path("small"), (2, 3, 4, "labelings")).as_posix()
    'small/2x3-n04-labelings.parquet'
    """
    r, s, n, weight = key
    return folder / f"{r}x{s}-n{n:02}-{weight}.parquet"


def write_law(path: Path, key: Key, arrays: ExactColumns) -> None:
    """Write a distribution to the Parquet file ``path``, completely or not at all.

    ``key`` = (r, s, n, weight) fills the columns that are equal in all rows. ``arrays`` has the values and their
    counts.
    """
    parts = [part for name in STORED_STATISTICS for part in arrays.columns[name]]
    columns = dict(zip(EXACT_COLUMNS, parts), count=list(map(str, arrays.weights)))
    r, s, n, weight = key
    selected = [f"{n}::INTEGER AS n, {r}::INTEGER AS r, {s}::INTEGER AS s, '{weight}' AS weight"]
    for name in STORED_STATISTICS:
        selected.append(f"{name}_num / {name}_den AS {name}, {EXACT_TEXT.format(name)} AS {name}_text")
        selected.append(f"{name}_num, {name}_den")
    selected.append("count::DECIMAL(38,0) AS count")
    with _as_archive_error(path), written_whole(path) as draft, duckdb.connect() as connection:
        connection.register("law", pd.DataFrame(columns))
        relation = connection.sql(f"SELECT {', '.join(selected)} FROM law")
        relation.to_parquet(str(draft), compression="zstd")


def read_law(path: Path) -> list[ExactRow]:
    """Return the rows of a file: the numerators and denominators of each value, and its count, as integers."""
    try:
        with duckdb.connect() as connection:
            columns = ", ".join([*EXACT_COLUMNS, "count"])
            rows = connection.read_parquet(as_pattern(path)).project(columns).fetchall()
    except duckdb.Error as error:
        raise ArchiveError(f"{path} cannot be read: {first_line(error)}") from error
    return [tuple(map(int, row)) for row in rows]


def entry_of(path: Path, key: Key) -> Entry:
    """Return the entry for the manifest of the file ``path``, with numbers and digests computed from its contents.

    ``key`` = (r, s, n, weight) says which distribution the file contains.
    """
    r, s, n, weight = key
    rows = read_law(path)
    matrices = Tables(n, r, s).count()
    total = sum(row[-1] for row in rows)
    digest_of_rows = rows_digest(rows)
    sha256 = file_digest(path)
    return Entry(n, r, s, weight, matrices, total, len(rows), digest_of_rows, sha256)


def rows_digest(rows: Iterable[Iterable[object]]) -> str:
    """Return the SHA-256 of rows as text: values separated by spaces, a line feed after each row.

    >>> rows_digest([(1, "a")]) == hashlib.sha256(b"1 a\\n").hexdigest()
    True
    """
    sha = hashlib.sha256()
    for row in rows:
        line = " ".join(map(str, row)) + "\n"
        sha.update(line.encode())
    return sha.hexdigest()


def file_digest(path: Path) -> str:
    """Return the SHA-256 of the bytes of a file, or an empty text if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def digest(entries: Iterable[Entry]) -> str:
    """Return the digest of an archive, by which it can be cited.

    Parameters
    ----------
    entries : iterable of Entry
        Results of ``build`` or ``read_entries``.

    Returns
    -------
    str
        SHA-256 in hexadecimal digits. It depends on the numbers in the archive only.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     digest(build(folder, [(2, 2)], [4], ["tables"]))[:8]
    'faa46827'
    """
    listed = as_few("entries", entries, most=10**6)
    for entry in listed:
        as_instance("entries", entry, Entry, "entries of an archive")
    ordered = sorted(listed, key=lambda entry: entry.key)
    return rows_digest(astuple(entry)[:-1] for entry in ordered)


def read_entries(folder: str | os.PathLike[str]) -> tuple[Entry, ...]:
    """Return the entries in the manifest of an archive.

    Parameters
    ----------
    folder : path
        Directory of the archive.

    Returns
    -------
    tuple of Entry
        In the order of shape, total and weight.

    Raises
    ------
    ArchiveError
        If the directory is not an archive, or its manifest cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     [(str(entry), entry.total) for entry in read_entries(folder)]
    [('2x2 n=4 tables', 19)]
    """
    path = as_path("folder", folder)
    manifest = path / "manifest.json"
    try:
        content = json.loads(manifest.read_text())
        found = {name: content.get(name) for name in MANIFEST}
        laws = [Entry(**law) for law in content.get("distributions", ())]
    except FileNotFoundError:
        raise ArchiveError(f"{path} is not an archive: it has no manifest.json") from None
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ArchiveError(f"{manifest} cannot be read: {error}") from error
    if found != MANIFEST:
        raise ArchiveError(
            f"{manifest} is of another format or version: expected {MANIFEST}, got {found}. Build the archive in "
            "another "
            "directory."
        )
    return tuple(laws)


def write_entries(folder: Path, entries: Iterable[Entry]) -> None:
    """Write ``manifest.json`` of the archive ``folder``, with these entries, completely or not at all."""
    ordered = sorted(entries, key=lambda entry: entry.key)
    content = {
        **MANIFEST,
        "confmat": version("confmat"),
        "distributions": [asdict(entry) for entry in ordered],
    }
    path = folder / "manifest.json"
    with _as_archive_error(path), written_whole(path) as draft:
        draft.write_text(json.dumps(content, indent=1) + "\n")


def intact_entries(folder: str | os.PathLike[str]) -> tuple[Entry, ...]:
    """Return the entries of the archive ``folder``, after checking its files.

    Raise ArchiveError if a file is missing or its SHA-256 differs from the manifest.
    """
    entries = read_entries(folder)
    for path in altered_files(Path(folder), entries):
        raise ArchiveError(
            f"{path} {'differs from its manifest' if path.exists() else 'is missing'}. Build the archive again."
        )
    return entries


def altered_files(folder: Path, entries: Iterable[Entry]) -> list[Path]:
    """Return the paths of the files of ``entries`` that are missing or whose SHA-256 differs from that in the entry.

    ``folder`` is the directory of the archive.
    """
    sha256_of_file = {law_file(folder, entry.key): entry.sha256 for entry in entries}
    return [path for path, sha256 in sha256_of_file.items() if file_digest(path) != sha256]


def found_archive(folder: Path) -> None:
    """Create an archive without entries in ``folder``, which is new or empty. An existing archive is not changed."""
    with _as_archive_error(folder):
        folder.mkdir(parents=True, exist_ok=True)
        remove_abandoned(folder)
        if not has_content(folder):
            write_entries(folder, ())
        if not (folder / "README.md").exists():
            (folder / "README.md").write_text(README)


def has_content(folder: Path) -> bool:
    """Return whether ``folder`` has files other than hidden ones, such as the temporary files of a killed build.

    >>> has_content(Path("a directory that does not exist"))
    False
    """
    return any(folder.glob("[!.]*"))


@contextmanager
def _as_archive_error(path: Path) -> Iterator[None]:
    """Raise ArchiveError in place of an error that occurs while ``path`` is written."""
    try:
        yield
    except (OSError, duckdb.IOException) as error:
        raise ArchiveError(f"{path} cannot be written: {error}") from error


def first_line(error: Exception) -> str:
    """Return the message of an error of DuckDB without the excerpt of the query that follows it.

    >>> first_line(RuntimeError("no such column" + 2 * chr(10) + "LINE 1: SELECT x"))
    'no such column'
    """
    return " ".join(str(error).split("\n\nLINE ")[0].split())
