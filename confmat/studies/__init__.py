"""One module a paper: its tables and figures computed again, with the printed values beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class PaperItem:
    """A table (or a figure's numbers) of a paper.

    ``compute()`` needs no argument; its frame has a column ``ours`` and, beside it, ``printed``, whose
    values are ``printed`` by row of the frame.  Simulations take ``replications`` and ``seed``, and add a
    column ``sd``.
    """

    id: str
    description: str
    compute: Callable[..., pd.DataFrame]
    printed: Mapping[Any, float]
