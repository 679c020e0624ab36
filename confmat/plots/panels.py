"""An empty figure and its axes, the one way in which all figures start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def panels(
    width: float, height: float, rows: int = 1, columns: int = 1, **shared: Any
) -> tuple[Figure, list[Any]]:
    """A figure of so many inches, and its axes row by row; ``shared``: as in Matplotlib's ``subplots``.

    >>> figure, axes = panels(8, 4, columns=3, sharey=True)
    >>> len(axes)
    3
    """
    from confmat.pictures import Picture

    figure = Picture(width, height)
    return figure, list(figure.subplots(rows, columns, squeeze=False, **shared).flat)
