"""One module a paper: its tables and figures computed again, with the printed values beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class PaperItem:
    """A table (or a figure's numbers) of a paper.

    ``compute()`` needs no argument; its frame has a column ``ours`` and, beside it, ``printed``, whose
    values are ``printed`` by row of the frame.  Simulations take ``replications`` and ``seed``, and add a
    column ``sd``.  ``draw()`` draws the figure; it takes the same options, from the same numbers.
    """

    id: str
    description: str
    compute: Callable[..., pd.DataFrame]
    printed: Mapping[Any, float]
    draw: Callable[..., Figure] | None = None
