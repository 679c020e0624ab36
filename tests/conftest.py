"""Settings of the whole suite."""

import json
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: the first example of a test may compile kernels.  Derandomized: the same examples on every run.
settings.register_profile("confmat", deadline=None, derandomize=True)
settings.load_profile("confmat")


@pytest.fixture
def confmat(capsys):
    """Run a command line in this process: (exit code, standard output, standard error)."""
    from confmat.cli import app

    def call(*arguments):
        code = app.run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


@pytest.fixture(scope="session")
def oracles():
    """Recorded values with their sources: ``oracles("packages")`` is the content of oracles/packages.json."""

    def load(name):
        return json.loads((Path(__file__).parent / "oracles" / f"{name}.json").read_text())

    return load
