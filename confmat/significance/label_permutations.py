"""Permutation test of the agreement of two clusterings, given the cluster sizes of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat._arguments import ALTERNATIVES, as_amount, as_choice, as_few, as_flag
from confmat._display import Answer, Part, counted, probability_text
from confmat._display.sheets import Sheet, whole
from confmat._limits import Limits, Question, choose, limited, look, plannable, share_of_time
from confmat.classes import FixedMargins
from confmat.contingency.matrix import observed_table, one_matrix
from confmat.errors import TooLargeError
from confmat.indices.classification.counts import as_confusion_table
from confmat.indices.null_moments import adjusted_rand_index_null_moments
from confmat.indices.pairs import PairSums, pairs_within
from confmat.sampling.streams import Seed, check_seed
from confmat.significance.exact_tests import (
    SHARE_OF_RECURSION,
    by_few_tables,
    by_recursion,
    exact_test,
    extremity,
    record_named,
)
from confmat.significance.null_distributions import LARGEST_EXACT, NullQuestion
from confmat.significance.p_values import PValue, of_sides, tail_of_values
from confmat.significance.soft_tests import of_memberships, soft_test
from confmat.significance.tails import pair_distribution
from confmat.statistics import STATISTICS, Statistic, as_statistic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Critical", "Significance", "permutation_test"]

# Largest number of objects for all methods.
MOST_PERMUTED = 10**8

# Default number of draws.
USUAL_PERMUTATIONS = 99_999

# Increasing values with weights: integers, or floats from a recursion.
Points = list[tuple[Fraction, Any]]

LEVELS = (Fraction(1, 10), Fraction(1, 20), Fraction(1, 100), Fraction(1, 1000))


@dataclass(frozen=True)
class Critical:
    """Critical values at ``level``. The test rejects if ARI >= ``ari``, or if MED <= ``med``.

    ``ari`` or ``med`` is None if even its most extreme value has a probability above ``level``.
    """

    level: Fraction
    ari: Fraction | None
    med: Fraction | None


@dataclass(frozen=True, repr=False)
class Significance(Answer):
    """Result of `permutation_test`.

    Attributes
    ----------
    rows, cols : tuple of int
        Cluster sizes of the two clusterings.
    ari, med : Fraction
        Observed values.
    p_ari, p_med : PValue
        Their p-values.
    mean, variance : Fraction
        Exact moments of the ARI under the null model.
    z : float or None
        Standardized ARI, None if the ARI is constant.
    critical : tuple of Critical
        Critical values at the requested levels.
    draws : int or None
        Number of draws, None if the distribution is exact.
    alternative : str
        "greater", "less" or "two-sided".
    lines : dict of str to list of (Fraction, number)
        Null distributions of the ARI and the MED: increasing values with weights.
    """

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    ari: Fraction
    med: Fraction
    p_ari: PValue
    p_med: PValue
    mean: Fraction
    variance: Fraction
    z: float | None
    critical: tuple[Critical, ...]
    draws: int | None
    alternative: str = "greater"
    lines: Mapping[str, Points] = field(default_factory=dict, repr=False, compare=False)

    def plot(self) -> Figure:
        """Draw the null distributions of ARI and MED as tails on a logarithmic scale.

        The observed values are marked, and values as extreme are filled. For "two-sided" the doubled tail is drawn.

        Returns
        -------
        matplotlib.figure.Figure

        Examples
        --------
        >>> figure = permutation_test([[4, 0], [1, 5]]).plot()
        >>> [ax.get_title() for ax in figure.axes]
        ['ARI under chance: p = 0.0476', 'MED under chance: p = 0.0476']
        """
        from confmat._figures import finish, panels, survival

        figure, axes = panels(11, 4.4, columns=2)
        values_observed = {"ari": self.ari, "med": self.med}
        p_values = {"ari": self.p_ari, "med": self.p_med}
        for ax, (name, points) in zip(axes, self.lines.items()):
            exact_values, weights = zip(*points)
            values = np.array(exact_values, float)
            total = sum(weights)
            shares = np.array([weight / total for weight in weights])
            observed = float(values_observed[name])
            side = _side_of(name, self.alternative)
            less = side == "less"
            if side == "two-sided":
                less = shares[values < observed].sum() < shares[values > observed].sum()
            survival(ax, values, shares, observed, less)
            title = f"{name.upper()} under chance: p = {float(p_values[name]):.3g}"
            finish(
                ax,
                as_statistic(name).label,
                f"probability of this or {'less' if less else 'more'}",
                title,
            )
        figure.suptitle(f"labels permuted at random: {self._way()}", fontsize=11, wrap=True)
        return figure

    @property
    def statistic(self) -> Fraction:
        """Observed ARI."""
        return self.ari

    @property
    def pvalue(self) -> Fraction | float:
        """P-value of the ARI. ``p_med.pvalue`` is the p-value of the MED."""
        return self.p_ari.pvalue

    @property
    def method(self) -> str:
        """Method by which the p-value of the ARI was computed: "exact", "recursion" or "Monte Carlo"."""
        return self.p_ari.method

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text.

        They are the p-values, the ARI under the null model, and the critical values.
        """
        n = sum(self.rows)
        r = len(self.rows)
        s = len(self.cols)
        yield (
            f"{counted(n, 'object')}, {counted(r, 'cluster')} against {whole(s)}; labels permuted at random."
        )
        yield f"Distribution under chance: {self._way()}."
        yield self._p_values()
        if self.z is not None:
            sd = float(self.variance) ** 0.5
            yield f"ARI under chance: mean {self.mean}, sd {sd:.5g}; z = {self.z:.4f}."
        yield self._critical_values()

    def _way(self) -> str:
        """Return a string that names the method of the null distribution."""
        if self.draws is None:
            return "exact, from all tables with these margins"
        drawn = f"{whole(self.draws)} draws; 99 % intervals (Clopper-Pearson)"
        if self.method == "Monte Carlo":
            return f"Monte Carlo, {drawn}"
        return f"ARI: a recursion over rows; MED: {drawn}"

    def _p_values(self) -> Sheet:
        """Return a sheet with the observed values and their p-values."""
        ends = {"greater": ("or more", "or less"), "less": ("or less", "or more")}
        of_ari, of_med = ends.get(self.alternative, ("or as far off", "or as far off"))
        sheet = Sheet(
            ("", "observed", "p", "within"),
            ("", "within"),
            "p-values",
        )
        for name, observed, p in (
            (f"ARI {of_ari}", self.ari, self.p_ari),
            (f"MED {of_med}", self.med, self.p_med),
        ):
            sheet.add_row(
                name,
                f"{float(observed):.6f}",
                probability_text(p.pvalue),
                p.within or "exact",
            )
        return sheet

    def _critical_values(self) -> Sheet:
        """Return a sheet with the critical values."""
        sheet = Sheet(("level", "ARI at least", "MED at most"), (), "Critical values")
        for row in self.critical:
            ends = ("-" if x is None else f"{float(x):.5f}" for x in (row.ari, row.med))
            sheet.add_row(str(float(row.level)), *ends)
        return sheet

    def _facts(self) -> dict[str, Any]:
        """Return every field by name, with the p-values of "ari" and "med", for JSON."""
        return {
            "model": "sizes",
            "method": self.method,
            "alternative": self.alternative,
            "draws": self.draws,
            "rows": self.rows,
            "cols": self.cols,
            "ari": {"observed": self.ari, **self.p_ari._facts()},
            "med": {"observed": self.med, **self.p_med._facts()},
            "mean": self.mean,
            "variance": self.variance,
            "z": self.z,
            "critical": self.critical,
        }


def _law_question(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    exact: bool | None = None,
    draws: int | None = None,
    statistic: Any = None,
    **_: Any,
) -> Question:
    """Return the `Question` that takes most of the time of ``permutation_test``: the null distribution.

    The arguments are those of ``permutation_test``.
    """
    if statistic is not None:
        raise ValueError(
            f"statistic must be None for a plan, got {statistic!r}. A test of a statistic takes at most about a minute"
        )
    table = observed_table(matrix_or_labels_a, labels_b)
    margins = FixedMargins(table.sum(axis=1).tolist(), table.sum(axis=0).tolist())
    return _question_of(margins, exact, draws or USUAL_PERMUTATIONS)


def _question_of(margins: FixedMargins, exact: bool | None, draws: int, rng: Seed = None) -> NullQuestion:
    """Return the `NullQuestion` for the distribution of ARI and MED with labels permuted at random."""
    asked = {None: None, True: "enumeration", False: "draws"}
    return NullQuestion(margins, ("ari", "med"), draws, rng, asked=asked[exact])


@plannable(_law_question)
@limited
def permutation_test(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    exact: bool | None = None,
    draws: int | None = None,
    rng: Seed = None,
    levels: Iterable[Any] = LEVELS,
    alternative: str = "greater",
    statistic: Any = None,
    limits: Limits | None = None,
) -> Any:
    """Test if two clusterings agree more than by chance, by permuting the labels of one of them.

    The cluster sizes of both are fixed (Hubert and Arabie 1985). The p-values are P(ARI >= observed) and P(MED <=
    observed). On the command line this is ``confmat test``.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix, labels of the first clustering, or its memberships.
    labels_b : array_like, optional
        Labels or memberships of the second clustering.
    exact : bool, optional
        Enumerate all tables (True) or draw (False). Default: the distribution is exact if it takes some seconds.
        Otherwise the p-value of the ARI is computed as by `exact_test`. The same recursion computes the distribution
        of the ARI if this takes less than about a minute. All other results are from draws.
    draws : int, optional
        Number of draws. Default: 99 999.
    rng : int, Generator or SeedSequence, optional
        Seed or generator of the draws.
    levels : iterable
        Levels of the critical values. Default: 0.1, 0.05, 0.01 and 0.001.
    alternative : {"greater", "less", "two-sided"}
        "greater" agreement, "less" agreement (P(ARI <= observed) and P(MED >= observed)), or "two-sided" (the
        smaller probability doubled, at most 1). Default: "greater".
    statistic : str or callable, optional
        Another statistic, as for `exact_test`, or the name of a soft index in ``indices.soft.INDICES``. For the
        statistics of a classifier the labels are the true and the predicted ones. Default: ARI and MED.
    limits : Limits, optional
        Time, memory and threads. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    Significance
        An `ExactTest` for another statistic, and a `SoftTest` for memberships. Probabilities from draws have
        Clopper-Pearson intervals of 99 %.

    Raises
    ------
    ValueError
        For an empty matrix, a level outside (0, 1), and more than 10^8 objects (2000 with ``exact=True``).

    Examples
    --------
    >>> result = permutation_test([[4, 0], [1, 5]])
    >>> result.method, result.p_ari.pvalue, result.p_med.pvalue
    ('exact', Fraction(1, 21), Fraction(1, 21))
    >>> permutation_test("a a a a b b b b b b".split(), [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]).p_ari.pvalue
    Fraction(1, 21)
    >>> permutation_test([[1, 0], [1, 0], [0.5, 0.5], [0, 1]], [0, 0, 1, 1], statistic="sari").pvalue
    Fraction(1, 3)
    >>> deep = permutation_test([[95, 3, 2], [1, 97, 2], [2, 2, 96]], draws=99).p_ari
    >>> deep.method, f"{deep.pvalue:.6g}"
    ('recursion', '1.01739e-117')
    """
    check_seed(rng)
    if of_memberships(statistic, labels_b):
        return soft_test(
            matrix_or_labels_a,
            labels_b,
            str(statistic),
            alternative=alternative,
            exact=bool(exact),
            draws=draws,
            rng=rng,
        )
    draws = as_amount("draws", USUAL_PERMUTATIONS if draws is None else draws, 1)
    if statistic is not None:
        table = _table_of(statistic, matrix_or_labels_a, labels_b)
        return exact_test(table, statistic, alternative=alternative, exact=bool(exact), draws=draws, rng=rng)
    if exact is not None:
        exact = as_flag("exact", exact)
    as_choice("alternative", alternative, ALTERNATIVES)
    level_list = [_level(level) for level in as_few("levels", levels)]
    table = observed_table(matrix_or_labels_a, labels_b)
    margins = FixedMargins(
        table.sum(axis=1).tolist(),
        table.sum(axis=0).tolist(),
    )
    if margins.n == 0:
        raise ValueError("matrix must have at least one object, got 0")
    if margins.n > (LARGEST_EXACT if exact else MOST_PERMUTED):
        raise ValueError(
            f"matrix must have at most {LARGEST_EXACT} objects for exact=True and {MOST_PERMUTED} otherwise, "
            f"got {margins.n}"
        )
    plan = choose(_question_of(margins, exact, draws, rng))
    if plan.method == "draws":  # an exact distribution logs its plan itself
        plan._report()
    law = plan.admitted().answer()
    drawn = law.sample_size is not None
    lines: dict[str, Points] = {name: list(law[name]) for name in law.names}
    moments = adjusted_rand_index_null_moments(margins=(margins.rows, margins.cols))
    ari, med = (Fraction(STATISTICS[name](table)) for name in law.names)
    p_ari = _p_value(lines["ari"], ari, alternative, drawn)
    p_med = _p_value(lines["med"], med, _side_of("med", alternative), drawn)
    if drawn and exact is None:
        try:
            with share_of_time(SHARE_OF_RECURSION):
                p_ari = _tail_by_rows(table, alternative)
                lines["ari"] = _law_of_ari(margins)
        except TooLargeError:
            look()  # the p-value, or the distribution, remains the one of the draws
    return Significance(
        rows=margins.rows,
        cols=margins.cols,
        ari=ari,
        med=med,
        p_ari=p_ari,
        p_med=p_med,
        mean=moments.mean,
        variance=moments.variance,
        z=float(ari - moments.mean) / sqrt(moments.variance) if moments.variance else None,
        critical=tuple(
            Critical(level, _critical(lines["ari"][::-1], level), _critical(lines["med"], level))
            for level in level_list
        ),
        draws=None if law.sample_size is None else draws,
        alternative=alternative,
        lines=lines,
    )


def _table_of(statistic: Any, matrix_or_labels_a: Any, labels_b: Any) -> Any:
    """Return the matrix, or the contingency matrix of two labelings.

    If the statistic compares a classifier with the truth, rows and columns have the same classes.
    """
    record = statistic if isinstance(statistic, Statistic) else record_named(statistic)
    if record is not None and not record.of_clusterings:
        return as_confusion_table(matrix_or_labels_a, labels_b)
    return one_matrix(matrix_or_labels_a, labels_b)


def _level(level: Any) -> Fraction:
    """Return a level as a Fraction. Raise ValueError if it is not a number in (0, 1)."""
    try:
        value = Fraction(str(level))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"levels must be numbers such as 0.05 or '1/20', got {level!r}") from None
    if not 0 < value < 1:
        raise ValueError(f"levels must be between 0 and 1, got {level}")
    return value


def _side_of(name: str, alternative: str) -> str:
    """Return the direction of the extreme values of "ari" or "med" for an alternative.

    More agreement is a larger ARI but a smaller MED. "greater" and "less" are therefore exchanged for "med".

    >>> _side_of("med", "greater"), _side_of("ari", "greater"), _side_of("med", "two-sided")
    ('less', 'greater', 'two-sided')
    """
    if name == "ari":
        return alternative
    return {"greater": "less", "less": "greater"}.get(alternative, alternative)


def _p_value(points: Points, observed: Fraction, side: str, drawn: bool) -> PValue:
    """Return the p-value of an observed value, given the null distribution ``points`` as pairs (value, weight).

    ``side`` is "greater", "less" or "two-sided". ``drawn`` is True if the weights are numbers of draws.
    """
    return of_sides(lambda one: tail_of_values(points, observed, one, drawn=drawn), side)


def _critical(points: Points, level: Fraction) -> Fraction | None:
    """Return the least extreme value whose tail probability is at most ``level``, None if there is no such value.

    ``points`` are pairs (value, weight), the most extreme value first. A tail has a value and all more extreme
    ones.

    >>> _critical([(Fraction(1), 2), (Fraction(1, 2), 3), (Fraction(0), 5)], Fraction(1, 2))
    Fraction(1, 2)
    """
    values, weights = zip(*points)
    most = level * sum(weights)
    critical_value = None
    for value, running in zip(values, accumulate(weights)):
        if running > most:
            break
        critical_value = value
    return critical_value


def _tail_by_rows(table: np.ndarray, alternative: str) -> PValue:
    """Return the p-value of the ARI of a table, from few tables or by the recursion over rows.

    At fixed margins the ARI is an affine function of the number of pairs in common cells. Raise TooLargeError if
    the tables are not few and the recursion has too many terms.
    """

    def of_side(side: str) -> PValue:
        question = extremity(table, "ri", side=side)
        test = by_few_tables(question) or by_recursion(question)
        method = "exact" if test.error is None else "recursion"
        return PValue(test.pvalue, test.beyond, method, test.error, test.bracket)

    return of_sides(of_side, alternative)


def _law_of_ari(margins: FixedMargins) -> Points:
    """Return the values of the ARI with their probabilities, by the recursion over rows in floats.

    Raise TooLargeError if the recursion exceeds the limits.
    """
    chances = pair_distribution(margins.rows, margins.cols).chances
    pairs = np.flatnonzero(chances)
    a, b = (pairs_within(side) for side in (margins.rows, margins.cols))
    ari = [1 - PairSums(margins.n, a, b, p).adjusted_rand_distance for p in pairs.tolist()]
    return list(zip(ari, chances[pairs].tolist()))
