"""An archive for the tests of ``confmat.archive``, and ways to damage it."""

import shutil

import pytest

from confmat import archive
from confmat.archive.folder import read_rows, write_columns
from confmat.engine.run import Resources

SHAPES = [(1, 2), (2, 2), (2, 3), (3, 2), (3, 3)]
SIZES = range(1, 7)


@pytest.fixture(scope="session")
def requested():
    """What ``built`` was asked for: shapes and sizes."""
    return SHAPES, SIZES


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """An archive that no test changes, in a folder whose name is not easy."""
    folder = tmp_path_factory.mktemp("it's [an] *archive*") / "a b"
    archive.build(folder, SHAPES, SIZES, resources=Resources(threads=1))
    return folder


@pytest.fixture
def copied(built, tmp_path):
    """The same archive, to be damaged."""
    return shutil.copytree(built, tmp_path / "copy")


@pytest.fixture
def rewrite():
    """Write a Parquet file again with its rows changed: rewrite(path, schema, change of a list of rows)."""

    def rewritten(path, schema, change):
        rows = change([list(row) for row in read_rows(path, schema)])
        write_columns(path, schema, dict(zip(schema, map(list, zip(*rows)))))

    return rewritten
