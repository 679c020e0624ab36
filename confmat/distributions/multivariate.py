"""Joint distributions of statistics over a class of tables."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import nan, sqrt
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat._arguments import as_path
from confmat._display import Part, counted, exact_text, number_json, text_of
from confmat._display.sheets import FORMATS, Sheet
from confmat._engine.witnesses import first_member, member_at
from confmat.classes.matrix_class import order_in_words
from confmat.distributions.conditional import GivenValue, given_each
from confmat.distributions.explorer import MOST_SIGNATURES, explore
from confmat.distributions.held import Held
from confmat.distributions.lines import Known, Line, Listed, Number
from confmat.distributions.signed import Signed
from confmat.distributions.sources import Source, load
from confmat.distributions.supports import gathered
from confmat.distributions.univariate import Distribution, numbers_of_laws
from confmat.errors import TooLargeError
from confmat.statistics.conditions import Condition, as_condition
from confmat.statistics.grammar import found_among
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS, statistics_over

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class JointDistribution(Held):
    """Joint distribution of statistics over a class of tables: exact, or empirical if ``sample_size`` is not None.

    It is made by `joint_distribution`, ``JointDistribution.load`` and ``sample(...).distribution(...)``.  ``d["ard"]``
    is the distribution of one statistic and ``d[["med", "ard"]]`` the one of some of them.  Iteration yields the tuples
    of values that occur, in increasing order, with their counts, and ``len(d)`` is the number of these tuples.

    The sufficient statistic of a table is (m, A, B, P): m = n MED, and the numbers of pairs of objects in the same row
    (A), column (B) and cell (P).  If every statistic has a formula in it, its distinct values are stored with their
    counts, and conditions may name any statistic with a formula.

    >>> from confmat.classes import Tables
    >>> from confmat.distributions import joint_distribution
    >>> d = joint_distribution(Tables(20, 3, 3), "med", "ard")
    >>> d["ard"].max(), d.given("med <= 1/5")["ard"].max(), d.probability("med <= 1/5, ard > 1")
    (Fraction(10640, 8829), Fraction(2090, 1887), Fraction(1, 311809))
    """

    _kept: dict[str, Distribution] = field(default_factory=dict, init=False, compare=False)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *statistics: Any) -> JointDistribution:
        """Return the distribution that ``save`` wrote to a file.

        Parameters
        ----------
        path : str or path-like
        *statistics : str or Statistic
            Statistics with formulas. Default: "med", "rd" and "ard".

        Returns
        -------
        JointDistribution

        Raises
        ------
        CheckpointError
            If the file is damaged, has another format or digest, or its weights do not add up to the count of the
            class.
        ValueError
            For other statistics.

        Examples
        --------
        >>> import confmat as cm
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     whole = cm.joint_distribution(cm.Tables(20, 3, 3), "ard")
        ...     whole.save(f"{folder}/20-3-3")
        ...     read = cm.JointDistribution.load(f"{folder}/20-3-3", "ard", "jaccard")
        ...     read["ard"].mean() == whole["ard"].mean(), read["jaccard"].max()
        (True, Fraction(1, 1))
        """
        location = as_path("path", path)
        if not location.is_file():
            raise ValueError(f"path must be a file of JointDistribution.save, got {str(path)!r}")
        source = load(location)
        records = statistics_over(source.matrices, statistics or ("med", "rd", "ard"))
        names_without_formulas = [statistic.name for statistic in records if not statistic.counted]
        if names_without_formulas:
            raise ValueError(
                f"statistics of a stored distribution must have formulas in m, A, B and P, got {names_without_formulas}"
            )
        return cls(source.matrices, records, source.weight, Source(source))

    # --- one statistic --------------------------------------------------------------------------------

    def marginal(self, name: Any) -> Distribution:
        """Return the distribution of one statistic, which ``d[name]`` returns, too.

        Parameters
        ----------
        name : str or callable
            Any name of one of the statistics, or the function that it was passed as.

        Returns
        -------
        Distribution

        Raises
        ------
        KeyError
            If the statistic is not part of the joint distribution.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(5, 2, 2), "med", "rd").marginal("rd").mean(exact=True)
        Fraction(2, 5)
        """
        try:
            statistic = self._named(name)
        except ValueError as error:
            raise KeyError(str(error)) from None
        if statistic.name not in self._kept:
            law = self
            if self._whole and len(self._statistics) > 1 and not self._lists and not self._source.is_held():
                # Values and matrices come from the distribution of the statistic alone if it is listed.
                law_alone = replace(self, _statistics=(statistic,))
                law = law_alone if law_alone._lists else self
            line = law._line(statistic)
            self._kept[statistic.name] = Distribution(
                statistic, self._over, line, law._end, self.sample_size is not None
            )
        return self._kept[statistic.name]

    def __getitem__(self, name: Any) -> Any:
        """Return the distribution of one statistic, or with a list of names the joint distribution of these.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> d = joint_distribution(Tables(5, 2, 2), "med", "rd", "ari")
        >>> d["rd"].max(), d[["ari", "med"]].names
        (Fraction(3, 5), ('ari', 'med'))
        """
        if not isinstance(name, list | tuple):
            return self.marginal(name)
        statistics = tuple(self.marginal(one)._statistic for one in name)
        part = replace(self, _statistics=statistics_over(self.matrices, statistics))
        if not self._lists or (self._whole and all(x.counted for x in statistics)):
            return part
        positions = [self._statistics.index(statistic) for statistic in statistics]
        points = gathered((tuple(values[i] for i in positions), count) for values, count in self._listed)
        return replace(part, _given_points=points)

    def _named(self, name: Any) -> Statistic:
        """Return the statistic with a name (in any case) or with a function. Raise ValueError if there is none."""
        for statistic in self._statistics:
            if name in (statistic, statistic.function):
                return statistic
        statistics = {x.name: x for x in self._statistics}
        sought = found_among(name, statistics) or found_among(name, STATISTICS)
        if sought not in self._statistics:
            raise ValueError(f"name must be one of {', '.join(statistics)}, got {name!r}")
        return sought

    def _line(self, statistic: Statistic) -> Line:
        """Return the distribution of one statistic.

        Its values are listed, or follow from sufficient statistics.
        """
        if self._known is not None:
            return self._known[statistic.name]
        if self._lists:
            position = self.names.index(statistic.name)
            law: Counter[Number] = Counter()
            for values, weight in self._listed:
                law[values[position]] += weight
            return Listed(law, rounded="P" in statistic.base.depends and statistic.counted)
        source = self._turned((statistic,))
        return Signed(self.matrices, statistic, source.blocks, source.size)

    def _end(self, law: Distribution, largest: bool) -> np.ndarray | None:
        """Return a matrix that satisfies the conditions and has the largest (or smallest) value of a statistic.

        ``law`` is the distribution of the statistic. ``largest`` is True for the largest value. Return None for
        draws.
        """
        if self.sample_size is not None:
            return None
        line = law._line
        if isinstance(line, Known) or (
            isinstance(line, Signed) and not self._turned((law._statistic,)).oriented
        ):
            return member_at(self.matrices, line.cells_at_end(largest))
        values = (law._statistic, law.max() if largest else law.min()), *self._fixed
        return first_member(self.matrices, self.conditions, values)

    # --- conditions -----------------------------------------------------------------------------------

    def given(self, condition: Any = None, **values: Any) -> JointDistribution:
        """Return the distribution given a condition, or given values of some statistics.

        Parameters
        ----------
        condition : str, mapping or callable, optional
            Text with comparisons of statistics, ``n``, ``r`` and ``s`` such as ``"med <= 1/5, ard > 1"``, or a function
            of a table.
        **values : number or str
            Names of statistics and their values. A float represents all numbers that round to it.

        Returns
        -------
        JointDistribution
            Its ``total`` is 0 if no table satisfies the condition.

        Raises
        ------
        ValueError
            If the text is not a condition, or if the distribution has no values of one of its statistics.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> d = joint_distribution(Tables(20, 3, 3), "ard")
        >>> d.given(med="1/5").total, d.given("med <= 1/5").total, d.given("med <= 1/5", rd=0).total
        (91998, 161955, 1026)
        """
        if condition is None and values:
            return self.given(values)
        if values:
            return self.given(condition).given(values)
        chosen = self._condition(condition)
        conditional = replace(self, conditions=(*self.conditions, chosen))
        if self._source is None:
            return conditional
        # When a run finishes, values may no longer be listed.  Therefore the source has all conditions, too.
        source = conditional._turned(chosen.statistics)
        return replace(conditional, _source=replace(source, conditions=conditional.conditions))

    def _condition(self, condition: Any) -> Condition:
        """Return ``condition`` as a `Condition`, after checking that it can be evaluated for this distribution.

        Raise ValueError if it needs other statistics than those of the distribution and they do not follow from
        sufficient statistics.
        """
        chosen = as_condition(condition, known=self._statistics)
        chosen = chosen.at(self.matrices)
        if self._known is not None:
            raise TooLargeError(self._refusal("condition"))
        all_counted = all(s.counted for s in (*self._statistics, *chosen.statistics))
        foreign = self._beyond(chosen)
        if foreign and not (all_counted and self._given_points is None):
            same_names = [f"a different statistic named {s.name!r}" for s in foreign if s.name in self.names]
            raise ValueError(
                f"condition must be on statistics of the distribution ({', '.join(self.names)}), got {str(chosen)!r}"
                f"{', with ' if same_names else ''}{', '.join(same_names)}"
            )
        return chosen

    def _map(self) -> Figure:
        """Draw the heat map of the first two statistics, and three tables with extreme values."""
        from confmat._figures import Picture, finish, heat, matrix_map

        across, upwards = self._statistics[:2]
        signatures = self.sufficient_statistics()
        sums = np.stack([signatures[name] for name in "mABP"], axis=1)
        matrices: Any = self.matrices
        x, y = (statistic._approximate_values(matrices, sums) for statistic in (across, upwards))
        is_defined = ~(np.isnan(x) | np.isnan(y))
        figure = Picture(10, 5.6)
        grid = figure.add_gridspec(3, 2, width_ratios=[5, 1.4])
        ax = figure.add_subplot(grid[:, 0])
        heat_map = heat(
            ax,
            x[is_defined],
            y[is_defined],
            signatures["weight"][is_defined].astype(float),
        )
        finish(ax, across.label, upwards.label)
        ends = [(across, "max", "largest"), (upwards, "max", "largest"), (upwards, "min", "smallest")]
        for k, (statistic, end, size) in enumerate(ends):
            line = self[statistic.name]
            table = getattr(line, f"arg{end}")()
            value = getattr(line, end)()
            small_ax = figure.add_subplot(grid[k, 1])
            value_text = value if isinstance(value, Fraction) else f"{float(value):.4g}"
            matrix_map(table, f"{size} {statistic.name.upper()}\n{value_text}", ax=small_ax)
        figure.colorbar(heat_map, ax=ax, label=f"{self.weight}, log scale", pad=0.01)
        figure.suptitle(f"{self.matrices.words()}{self._given_in_words}", fontsize=11)
        return figure

    def explore(self, path: Any, x: str = "med", y: str = "ard", *, most: int = MOST_SIGNATURES) -> Path:
        """Write the distribution as a page for a browser, which needs no network.

        The page has a heat map of two statistics. A cell shows its exact values, count, fraction and an example
        table. A typed condition, such as "ard > 1 given med <= 1/5", is evaluated exactly, and a table of the user
        is located. When the page is opened, it checks that its weights add up to the total, and that every table
        has the displayed values.

        Parameters
        ----------
        path : str or path-like
        x, y : str
            Statistics of two clusterings with formulas. Default: "med" and "ard".
        most : int
            Largest number of sufficient statistics.

        Returns
        -------
        pathlib.Path

        Raises
        ------
        TooLargeError
            For more than ``most`` sufficient statistics.
        ValueError
            For a distribution without sufficient statistics.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = joint_distribution(Tables(6, 2, 2), "med", "ard").explore(Path(folder, "law.html"))
        ...     "<!doctype html>" in page.read_text()
        True
        """
        return explore(self, path, x, y, most)

    def plot(self) -> Figure:
        """Draw a heat map of the first two statistics, with extreme tables.

        A distribution from draws, or of values without tables, is drawn as bars of each statistic.

        Returns
        -------
        matplotlib.figure.Figure

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> [ax.get_title() for ax in joint_distribution(Tables(4, 2, 2), "med", "rd").plot().axes][1:4]
        ['largest MED\\n1/2', 'largest RD\\n2/3', 'smallest RD\\n0']
        """
        from confmat._figures import panels

        have_formulas = all(statistic.counted for statistic in self._statistics)
        if (
            self.sample_size is None
            and len(self.names) > 1
            and have_formulas
            and self._source is not None
            and self.total
        ):
            return self._map()

        figure, axes = panels(4.6 * len(self.names), 4, columns=len(self.names))
        for name, ax in zip(self.names, axes):
            self[name].plot("pmf", ax=ax)
        if self.sample_size is None:
            draws = ""
        else:
            draws = f", {self.sample_size:,} draws"
        words = f"{self.matrices.words()}{self._given_in_words}{draws}"
        figure.suptitle(fill(words, 48 * len(self.names)), fontsize=12)
        return figure

    def groupby(self, name: str) -> Iterator[GivenValue]:
        """Yield each value of a statistic, in increasing order, and the joint distribution given this value.

        The weight of a value is the ``total`` of the distribution given it. By "med", the distributions of "med", "rd"
        and "ard" are available even if the joint distribution does not fit in memory.

        Parameters
        ----------
        name : str

        Returns
        -------
        iterator of (value, JointDistribution)

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint = joint_distribution(Tables(5, 2, 2), "med", "rd")
        >>> [(str(value), given["rd"].mean(exact=True)) for value, given in joint.groupby("med")]
        [('0', Fraction(0, 1)), ('1/5', Fraction(2, 5)), ('2/5', Fraction(3, 5))]
        """
        return given_each(self, self._named(name))

    def probability(self, *conditions: Any) -> Any:
        """Return the probabilities of conditions, computed in one pass.

        Parameters
        ----------
        *conditions : str, dict or callable

        Returns
        -------
        Fraction or tuple of Fraction
            A tuple for several conditions.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(20, 3, 3), "med", "ard").probability("med<=1/4, ard>1")
        Fraction(5, 311809)
        >>> joint_distribution(Tables(5, 2, 2), "med", "ard").probability("ard>1", "med=0")
        (Fraction(4, 9), Fraction(2, 9))
        """
        conditions_read = tuple(map(self._condition, conditions))
        if not self.total:
            raise ValueError(f"probability is undefined, because there is no table in {self._over()}")
        if self._lists and not any(map(self._beyond, conditions_read)):  # the listed values suffice
            laws = [replace(self, conditions=(*self.conditions, one)) for one in conditions_read]
            weights = [sum(weight for _, weight in law._listed) for law in laws]
        else:  # all conditions are evaluated at the sufficient statistics, in one pass
            statistics: list[Statistic] = []
            for one in conditions_read:
                statistics += one.statistics
            source = replace(self._turned(statistics), conditions=self.conditions)
            weights = source.weights_where(conditions_read)
        shares = tuple(Fraction(weight, self.total) for weight in weights)
        return shares[0] if len(shares) == 1 else shares

    def describe(self, by: str | None = None, *, exact: bool = False) -> pd.DataFrame:
        """Return mean, standard deviation, extremes and quartiles as a DataFrame.

        Parameters
        ----------
        by : str, optional
            Statistic. The other statistics are described given each of its values. Default: none.
        exact : bool, default: False
            Return Fractions if True, floats if False.

        Returns
        -------
        pandas.DataFrame
            The columns are those of ``pandas.DataFrame.describe``, and ``std`` is always a float. With ``by`` there is
            one row for each value, and the columns are pairs of a statistic and a number.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> d = joint_distribution(Tables(5, 2, 2), "med", "rd")
        >>> d.describe().round(3)
             count   mean    std  min  25%  50%  75%  max
        med   36.0  0.244  0.157  0.0  0.2  0.2  0.4  0.4
        rd    36.0  0.400  0.231  0.0  0.4  0.4  0.6  0.6
        >>> d.describe(by="med")["rd"]["mean"].to_dict()
        {0.0: 0.0, 0.2: 0.4, 0.4: 0.6}
        """
        import pandas as pd

        if by is None:
            return pd.DataFrame({name: self[name].describe(exact=exact) for name in self.names}).T
        key = self._named(by).name
        columns = {}
        for value, given in self.groupby(key):
            numbers = {}
            for name in self.names:
                if name != key:
                    described = given[name].describe(exact=exact)
                    numbers.update({(name, number): x for number, x in described.items()})
            columns[value if exact else float(value)] = numbers
        frame = pd.DataFrame(columns).T
        return frame.rename_axis(key)

    def mean(self) -> pd.Series:
        """Return the mean of each statistic, as floats. ``d[name].mean(exact=True)`` is exact.

        Returns
        -------
        pandas.Series

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(5, 2, 2), "med", "rd").mean().round(3).to_dict()
        {'med': 0.244, 'rd': 0.4}
        """
        import pandas as pd

        return pd.Series({name: self[name].mean() for name in self.names})

    def cov(self) -> pd.DataFrame:
        """Return the covariance matrix, each entry over the tables where both statistics are defined.

        Returns
        -------
        pandas.DataFrame
            Floats, with the divisor n and not n - 1. Rows and columns are labelled by ``names``.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(5, 2, 2), "med", "rd").cov().round(4)
                med      rd
        med  0.0247  0.0356
        rd   0.0356  0.0533
        """
        return self._moments_of_pairs(is_scaled=False)

    def corr(self) -> pd.DataFrame:
        """Return the matrix of Pearson correlations, each over the tables where both statistics are defined.

        Returns
        -------
        pandas.DataFrame
            NaN for a statistic that is constant there.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(5, 2, 2), "med", "rd").corr().round(3)
              med    rd
        med  1.00  0.98
        rd   0.98  1.00
        """
        return self._moments_of_pairs(is_scaled=True)

    def _moments_of_pairs(self, is_scaled: bool) -> pd.DataFrame:
        """Return the covariances, or the correlations if ``is_scaled``, as a DataFrame."""
        import pandas as pd

        names = [*self.names]
        points = list(self)
        columns = np.array([[float(value) for value in values] for values, _ in points]).reshape(
            -1, len(names)
        )
        shares = np.array([count / self.total for _, count in points])
        frame = pd.DataFrame(index=names, columns=names, dtype=float)
        for i, name in enumerate(names):
            for j, other in enumerate(names):
                frame.loc[name, other] = _product_moment(columns[:, [i, j]], shares, is_scaled)
        return frame

    def __len__(self) -> int:
        """Return the number of distinct tuples of values."""
        return len(self._support)

    def __bool__(self) -> bool:
        """Return whether at least one table of the class satisfies the conditions."""
        return self.total > 0

    def to_latex(self) -> str:
        """Return the displayed table in LaTeX. For a distribution of one statistic, the table lists all its values.

        Returns
        -------
        str

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> "tabular" in joint_distribution(Tables(4, 2, 2), "rd").to_latex()
        True
        """
        return self._published("tex")

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text.

        They are the class, the values if they are few, and the numbers of every distribution.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> print(joint_distribution(Tables(4, 2, 2), "med"))
        All 2 x 2 tables with total 4, no empty row or column.
        19 matrices.
        <BLANKLINE>
        Distribution of med
        med  count  probability
        ───────────────────────
          0      6       0.3158
        1/4      8       0.4211
        1/2      5       0.2632
        <BLANKLINE>
        med, 3 values
                      value  exact
        ──────────────────────────
        mean    0.236842105  9/38
        sd      0.189765857
        min               0  0
        q1                0  0
        median         0.25  1/4
        q3              0.5  1/2
        max             0.5  1/2
        """
        if self._fixed or self.conditions or self.sample_size is not None:
            yield next(iter(self._brief()))
        else:
            yield f"All {self.matrices.words()}."
        if not self.total:
            yield f"There is no such table.{order_in_words(self.matrices)}"
            return
        yield f"{counted(self.total, 'draw') if self.sample_size is not None else amount(self.total, self.weight)}."
        if len(self.names) > 1:
            yield from self._numbers_of_all()
            return
        name = self.names[0]
        points = self._points()
        are_few = points is not None and len(points) <= _MOST_LISTED
        if points is not None and are_few:
            yield self._listing(points)
        yield from self[name]._in_writing("" if points is None else f", {counted(len(points), 'value')}")
        if not are_few:
            yield "Files and JSON have every value with its count."

    def _published(self, form: str) -> str:
        """Return the printed tables in a format for publication, such as "tex".

        For one statistic this is the list of all its values, for several statistics a row of numbers for each.
        """
        if len(self.names) == 1 and self.total:
            points = self._points()
        else:
            points = None
        if points is None:
            return super()._published(form)
        return FORMATS[form](self._listing(points))

    def _listing(self, points: list[Any]) -> Sheet:
        """Return a sheet with the values of one statistic, their counts and probabilities."""
        name = self.names[0]
        total = self.total
        sheet = Sheet(
            (name, "count", "probability"),
            (),
            f"Distribution of {name}",
        )
        for (value,), weight in points:
            exact = exact_text(value, _LONGEST_EXACT_IN_LAW)
            sheet.add_row(
                exact or f"{float(value):.6g}",
                weight,
                f"{weight / total:.4g}",
            )
        return sheet

    def _numbers_of_all(self) -> Iterator[Part]:
        """Yield a sheet with the numbers (mean, quartiles, ...) of every distribution, if it is in memory."""
        if not self._held:
            yield "It is not held: each of its numbers is another pass over the class."
            return
        yield numbers_of_laws(Sheet(("",), ("",)), [(name, self[name]) for name in self.names], text_of)

    def _points(self) -> list[Any] | None:
        """Return values with their weights, None if there are too many to list."""
        try:
            return self._support if self._held else None
        except TooLargeError:
            return None

    def _facts(self) -> dict[str, Any]:
        """Return the class, the weight, the total, and the numbers of each statistic by name, for JSON.

        The numbers are mean, standard deviation, quartiles and extremes. A distribution of one statistic has all
        its values with their counts instead.
        """
        facts = {"class": self.matrices.to_json(), "weight": self.weight, "total": self.total}
        if len(self.names) > 1:
            return facts | {"statistics": {name: self[name]._facts() for name in self.names}}
        facts["statistic"] = self.names[0]
        points = self._points()
        if points is None:
            return facts | {"numbers": self[self.names[0]]._facts()}
        rows = [
            {"value": None if value != value else number_json(value), "total": weight}
            for (value,), weight in points
        ]
        return facts | {"distribution": rows}


def _product_moment(columns: np.ndarray, weights: np.ndarray, is_scaled: bool) -> float:
    """Return the covariance, or the correlation if ``is_scaled``, of two columns where both are not NaN.

    >>> _product_moment(np.array([[0, 0], [1, 1], [2, np.nan]]), np.array([1, 1, 2]), is_scaled=True)
    1.0
    """
    are_defined = ~np.isnan(columns).any(axis=1)
    weights = weights[are_defined]
    if not weights.any():
        return nan
    moments = np.cov(columns[are_defined], rowvar=False, ddof=0, aweights=weights)
    covariance = float(moments[0, 1])
    if not is_scaled:
        return covariance
    scale = sqrt(moments[0, 0]) * sqrt(moments[1, 1])
    return covariance / scale if scale else nan


def amount(total: int, weight: str) -> str:
    """Return a number of equally likely matrices, or pairs of labelings, in words.

    >>> amount(1, "tables"), amount(36, "labelings")
    ('1 matrix', '36 pairs of labelings')
    """
    units = {"tables": ("matrix", "matrices"), "labelings": ("pair of labelings", "pairs of labelings")}
    return counted(total, *units[weight])


# Distributions with more values are described, not listed.  Exact values with more characters are rounded.
_MOST_LISTED = 100
_LONGEST_EXACT_IN_LAW = 40
