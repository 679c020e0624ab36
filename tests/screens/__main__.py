"""Writes the screens anew; look at the difference before it is committed."""

import os
from tempfile import TemporaryDirectory

from tests.screens import file_of, screens

with TemporaryDirectory() as folder:
    os.chdir(folder)
    for width, text in screens().items():
        file_of(width).write_text(text, encoding="utf-8")
    os.chdir("/")
