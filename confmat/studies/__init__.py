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
    column ``sd``; those that are smaller than the paper's take ``full``.  ``draw()`` draws the figure; it
    takes the same options, from the same numbers.

    ``also``: other names of what the item covers ("figure-3" of a table).  ``beside``: columns to be shown
    where "printed less ours" says nothing.

    >>> from confmat.studies.papers import find_item
    >>> item = find_item("chacon2019", "table-1")
    >>> list(item.compute().columns), item.draw is None
    (['ours', 'exact', 'printed'], False)
    """

    id: str
    description: str
    compute: Callable[..., pd.DataFrame]
    printed: Mapping[Any, float]
    draw: Callable[..., Figure] | None = None
    also: tuple[str, ...] = ()
    beside: tuple[str, ...] = ("difference",)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that the item answers to.

        >>> PaperItem("table-2", "", lambda: None, {}, also=("table-5",)).names
        ('table-2', 'table-5')
        """
        return (self.id, *self.also)

    def table(self, **options: Any) -> pd.DataFrame:
        """The frame with the difference of ours and the printed values.  Raises ValueError naming what it lacks.

        >>> import pandas as pd
        >>> PaperItem("table-2", "", lambda: pd.DataFrame({"ours": [1.0]}), {}).table()
        Traceback (most recent call last):
        ...
        ValueError: item 'table-2' must have columns ours and printed, printed is missing (NaN where nothing is printed)
        """
        frame = self.compute(**options)
        missing = [name for name in ("ours", "printed") if name not in frame]
        if missing:
            raise ValueError(
                f"item {self.id!r} must have columns ours and printed, {' and '.join(missing)} is missing "
                "(NaN where nothing is printed)"
            )
        return frame.assign(difference=frame["ours"] - frame["printed"])


def without_numbers(id: str, description: str) -> PaperItem:
    """A table of notation or names: its frame is empty.

    >>> without_numbers("table-1", "notation of a contingency table").compute().empty
    True
    """
    return PaperItem(id, description, _no_numbers, {})


def _no_numbers() -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame({"ours": [], "printed": []})
