"""Writes the screens anew; look at the difference before it is committed."""

import os
from tempfile import TemporaryDirectory

from tests.screens import WIDTHS, file_of, screens

for width in WIDTHS:
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        file_of(width).write_text(screens(width), encoding="utf-8")
        os.chdir("/")
