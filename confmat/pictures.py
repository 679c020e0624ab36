"""Figures that a notebook shows where they are the last line of a cell, whether or not pyplot is set up."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from matplotlib.figure import Figure


class Picture(Figure):
    """A Matplotlib figure with a PNG for notebooks; pyplot does not know it, so it is shown once.

    >>> Picture(2, 1)._repr_png_()[:4]
    b'\\x89PNG'
    """

    def __init__(self, width: float, height: float, **options: Any) -> None:
        super().__init__(figsize=(width, height), layout="constrained", **options)

    def _repr_png_(self) -> bytes:
        image = BytesIO()
        self.savefig(image, format="png", dpi=110)
        return image.getvalue()
