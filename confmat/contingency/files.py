"""Reading of files of labels or memberships with pandas: one named column for each labeling or cluster."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from confmat._arguments import as_pattern

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".csv", ".tsv", ".parquet", ".xlsx")

# Largest size of a decompressed file. A cell of a Parquet file counts as 8 bytes.
_MOST_BYTES = 2**30


def read_frame(path: str | Path) -> pd.DataFrame:
    """Return the table in a file as a DataFrame of pandas.

    Cells of text files are strings. Empty cells and "NA" are missing values.

    Parameters
    ----------
    path : str or Path
        A file with a header: .csv, .tsv (also .csv.gz and .tsv.gz), .parquet, or .xlsx (its first sheet).

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    ValueError
        If the suffix is another one, the file is damaged or larger than 1 GiB, or it has no rows. Also if a column
        has no name, or two columns have the same name.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     print("truth,found", "a,x", "b,", sep=chr(10), file=file, flush=True)
    ...     read_frame(file.name)["truth"].tolist()
    ['a', 'b']
    """
    import pandas as pd

    name = str(path)
    name_unpacked = name.lower().removesuffix(".gz")
    suffix = Path(name_unpacked).suffix
    if suffix not in SUFFIXES:
        raise ValueError(f"file must end in one of {', '.join(SUFFIXES)}, got {name!r}")
    with Path(name).open("rb") as file:
        try:
            is_packed = name_unpacked != name.lower()
            source: Any = gzip.GzipFile(fileobj=file) if is_packed else file
            content = BytesIO(source.read(_MOST_BYTES + 1))
            _check_size(len(content.getbuffer()))
            if suffix == ".parquet":
                frame = _parquet(name)
            elif suffix == ".xlsx":
                _check_size(sum(part.file_size for part in ZipFile(content).infolist()))
                frame = _headed(pd.read_excel, content, dtype=object)
            else:
                separator = "\t" if suffix == ".tsv" else ","
                frame = _headed(pd.read_csv, content, sep=separator, dtype=str, skipinitialspace=True)
        except ImportError as error:
            raise ValueError(f"{name} needs another package: {error}") from error
        except Exception as error:
            raise ValueError(
                f"{name} cannot be read as a {suffix} file: {' '.join(str(error).split())}"
            ) from error
    _check_header(name, frame)
    return frame.map(lambda cell: cell.strip() if isinstance(cell, str) else cell)


def _check_size(size: int) -> None:
    """Raise ValueError if the number of bytes in a file, ``size``, exceeds the limit."""
    if size > _MOST_BYTES:
        raise ValueError(f"its content must have at most {_MOST_BYTES:,} bytes, got more")


def _headed(read: Any, file: Any, **options: Any) -> pd.DataFrame:
    """Return a table whose column names are the cells of its first row in the file, also if two are equal.

    pandas itself would rename columns with equal names. ``read`` is ``read_csv`` or ``read_excel``.
    """
    names = read(file, header=None, nrows=1, keep_default_na=False, **options)
    if names.empty:
        raise ValueError("it is empty")
    file.seek(0)
    frame: pd.DataFrame = read(file, header=None, **options).iloc[1:].reset_index(drop=True)
    frame.columns = [str(name).strip() for name in names.iloc[0].reindex(frame.columns, fill_value="")]
    return frame


def _parquet(name: str) -> pd.DataFrame:
    """Return the rows of a Parquet file with the path ``name``."""
    import duckdb
    import pandas as pd

    relation = duckdb.connect().execute("select * from read_parquet(?)", [as_pattern(name)])
    names = [column[0] for column in relation.description or ()]
    rows = relation.fetchmany(_MOST_BYTES // (8 * max(1, len(names))) + 1)
    _check_size(8 * len(rows) * len(names))
    return pd.DataFrame(rows, columns=names)


def _check_header(name: str, frame: pd.DataFrame) -> None:
    """Raise ValueError unless the columns of ``frame`` have different, non-empty names, and it has at least one row.

    ``name`` is the file from which it was read, for the message.
    """
    columns = list(frame.columns)
    unnamed = [i for i, column in enumerate(columns, 1) if not column]
    if unnamed:
        raise ValueError(
            f"{name} must have a header that names every column, got none for column {unnamed[0]}"
        )
    repeated = sorted({column for column in columns if columns.count(column) > 1})
    if repeated:
        raise ValueError(f"{name} must have different names of columns, got {repeated[0]!r} twice")
    if frame.empty:
        raise ValueError(f"{name} must have a row under its header {', '.join(columns)}")


def read_labels(path: str | Path, columns: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """Return the columns of a file as labelings, with None for a missing label.

    Parameters
    ----------
    path : str or Path
        A file that `read_frame` can read.
    columns : sequence of str, optional
        The names of the columns to return. Default: all.

    Returns
    -------
    dict of str to list
        The labels by the name of the column.

    Raises
    ------
    ValueError
        If the file does not have one of the columns, or a column is named twice. Also as in `read_frame`.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     print("truth,found", "a,x", "b,", sep=chr(10), file=file, flush=True)
    ...     read_labels(file.name)
    {'truth': ['a', 'b'], 'found': ['x', None]}
    """
    frame = read_frame(path)
    chosen = list(frame.columns) if columns is None else list(columns)
    if len({*chosen}) < len(chosen):
        raise ValueError(f"columns must be different, got {', '.join(chosen)}")
    for column in chosen:
        if column not in frame.columns:
            known = ", ".join(map(str, frame.columns[:10]))
            raise ValueError(f"{path} has no column {column!r}. Its columns are {known}")
    present = frame.notna()
    labelings = {}
    for column in chosen:
        cells = frame[column].tolist()
        labelings[column] = [x if there else None for x, there in zip(cells, present[column])]
    return labelings
