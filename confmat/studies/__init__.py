"""One module a paper: its tables and figures computed again, with the printed values beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from confmat.matrices.arguments import as_choice

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from confmat.studies.records import Simulation

KINDS = {
    "exact": "from what the paper states or prints, without chance",
    "recorded": "a long run, its size in the note, kept with the package",
    "same design": "data, or random starts, drawn anew as the paper draws them",
    "other data": "the paper's method on data that it does not use",
    "selected": "something of ours was chosen to match the paper",
    "formula": "beside values of the paper's formulas, which it does not print",
    "notation": "no numbers",
}
"""Kind of an item -> what its numbers are."""


@dataclass(frozen=True)
class PaperItem:
    """A table (or a figure's numbers) of a paper.

    ``kind``: one of `KINDS`.  ``note``: a line on what of it is ours, chosen or missing.

    ``compute()`` needs no argument; its frame has a column ``ours``.  ``printed`` holds what the paper prints,
    ``formula`` what its formulas give where it prints nothing, both by row of the frame; what is printed but not
    computed is missing.  Simulations take ``replications`` and ``seed``, and add a column ``sd``; the numbers of
    those with a ``simulation`` are recorded (`confmat.studies.records`) unless an option says otherwise.
    ``draw()`` draws the figure; it takes the same options, from the same numbers.

    ``also``: other names of what the item covers ("figure-3" of a table).  ``beside``: columns to be shown
    where "printed less ours" says nothing.

    >>> from confmat.studies.papers import find_item
    >>> item = find_item("chacon2019", "table-1")
    >>> list(item.table().columns), item.kind, item.draw is None
    (['ours', 'exact', 'printed', 'difference'], 'exact', False)
    """

    id: str
    description: str
    kind: str
    note: str
    compute: Callable[..., pd.DataFrame]
    printed: Mapping[Any, float] = field(default_factory=dict)
    formula: Mapping[Any, float] = field(default_factory=dict)
    draw: Callable[..., Figure] | None = None
    also: tuple[str, ...] = ()
    beside: tuple[str, ...] = ("difference",)
    simulation: Simulation | None = None

    def __post_init__(self) -> None:
        as_choice("kind", self.kind, KINDS)
        if not self.note or "\n" in self.note:
            raise ValueError(f"note must be one line, got {self.note!r}")

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that the item answers to.

        >>> without_numbers("table-2", "", also=("table-5",)).names
        ('table-2', 'table-5')
        """
        return (self.id, *self.also)

    def table(self, **options: Any) -> pd.DataFrame:
        """The frame with the printed values, those of formulas, and the difference of ours and them.

        Printed rows that are not computed come last.  Raises ValueError where there is no column of ours.

        >>> import pandas as pd
        >>> ours = pd.DataFrame({"ours": [1.5]}, index=["a"])
        >>> PaperItem("x", "", "exact", "-", lambda: ours, {"a": 1.0, "b": 2.0}).table().to_dict("index")
        {'a': {'ours': 1.5, 'printed': 1.0, 'difference': 0.5}, 'b': {'ours': nan, 'printed': 2.0, 'difference': nan}}
        """
        import pandas as pd

        frame = self.compute(**options)
        if "ours" not in frame:
            raise ValueError(f"item {self.id!r} must have a column ours, got {list(frame)}")
        if missing := [key for key in self.printed if key not in frame.index]:
            frame = frame.reindex(frame.index.append(pd.Index(missing)).set_names(frame.index.names))
        printed, formula = (
            pd.Series([values.get(key, float("nan")) for key in frame.index], frame.index, float)
            for values in (self.printed, self.formula)
        )
        beside = {"printed": printed} | ({"formula": formula} if self.formula else {})
        return frame.assign(**beside, difference=frame["ours"] - printed.fillna(formula))


def without_numbers(id: str, description: str, also: tuple[str, ...] = ()) -> PaperItem:
    """A table of notation or names: its frame is empty.

    >>> without_numbers("table-1", "notation of a contingency table").compute().empty
    True
    """
    return PaperItem(id, description, "notation", "There is nothing to compute.", _no_numbers, also=also)


def _no_numbers() -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame({"ours": []})
