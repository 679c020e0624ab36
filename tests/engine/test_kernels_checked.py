"""The compiled kernels over small classes, with checked indices and without compilation: python -m pytest -m slow."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

READS_BEYOND = """
import numpy as np
from confmat._numba import njit

@njit
def read(cells, i):
    return cells[i]

try:
    read(np.arange(4), 5)
except IndexError:
    print("refused")
"""


def with_setting(setting, folder, *arguments):
    environment = {**os.environ, setting: "1", "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"])
def test_kernels_agree_with_one_matrix_after_another(setting, tmp_path):
    arguments = ("-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider", "tests/engine/test_kernels.py")
    found = with_setting(setting, tmp_path, *arguments)
    assert found.returncode == 0, found.stdout[-4000:]


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"])
def test_a_kernel_that_reads_beyond_an_array_is_refused(setting, tmp_path):
    assert with_setting(setting, tmp_path, "-c", READS_BEYOND).stdout == "refused\n"
