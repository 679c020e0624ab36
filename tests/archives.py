"""Files of an archive, read and written by DuckDB alone, as by anyone who damages one: rows, digests and seals."""

import hashlib
from dataclasses import astuple

import duckdb


def law_file(folder, key, of="laws"):
    r, s, n, weight = key
    return folder / of / f"{r}x{s}-n{n:02}-{weight}.parquet"


def signatures_file(folder, key):
    return law_file(folder, key, "signatures")


def extremes_file(folder, key):
    r, s, n, _ = key
    return folder / "extremes" / f"{r}x{s}-n{n:02}.parquet"


def columns_of(path):
    """Column -> its type."""
    relation = duckdb.from_parquet(str(path))
    return dict(zip(relation.columns, map(str, relation.types)))


def rows_of(path):
    """Rows as tuples, counts as Python's integers."""
    relation = duckdb.from_parquet(str(path))
    places = [place for place, kind in enumerate(relation.types) if str(kind).startswith("DECIMAL")]
    rows = [list(row) for row in relation.fetchall()]
    for row in rows:
        for place in places:
            row[place] = int(row[place])
    return [tuple(row) for row in rows]


def write_rows(path, rows, *, sealed=False):
    """Other rows in a file, of the same columns and types; ``sealed`` with their digest beside them."""
    kinds = columns_of(path)
    values = [[None if x is None else str(x) for x in row] for row in rows]
    seal = f", KV_METADATA {{digest_of_rows: '{digest_of_rows(rows)}'}}" if sealed else ""
    with duckdb.connect() as connection:
        texts = ", ".join(f'"{name}" VARCHAR' for name in kinds)
        connection.execute(f"CREATE TABLE rows ({texts})")
        if values:
            connection.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(kinds))})", values)
        typed = ", ".join(f'CAST("{name}" AS {kind}) AS "{name}"' for name, kind in kinds.items())
        file = str(path).replace("'", "''")
        connection.execute(f"COPY (SELECT {typed} FROM rows) TO '{file}' (FORMAT parquet{seal})")


def rewrite(path, change):
    """A file with its rows, each a list, changed."""
    write_rows(path, change([list(row) for row in rows_of(path)]))


def write_entries(folder, entries):
    """Another list of laws, sealed."""
    write_rows(folder / "classes.parquet", list(map(astuple, entries)), sealed=True)


def digest_of_rows(rows):
    """SHA-256 of a line a row: values separated by spaces, "-" for None."""
    lines = (" ".join("-" if x is None else str(x) for x in row) + "\n" for row in rows)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def digest_of_bytes(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
