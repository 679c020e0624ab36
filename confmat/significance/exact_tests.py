"""Exact tests of any statistic of a table with given margins, labels permuted at random.

The distribution of a sum over cells is computed by the recursion over rows (`confmat.fixed_margins`). Examples are
the probability of the table (Fisher, Freeman and Halton), chi-squared and the likelihood ratio G2. Others are the
number of pairs in common cells, and the sum of the diagonal. At given margins, most other indices are functions of
one of these sums. Pair indices are functions of the number of pairs, kappa and Matthews' correlation of the
diagonal, and entropies of G2. For other statistics all tables are enumerated if they are few, and drawn otherwise.

>>> job = [[1, 3, 10, 6], [2, 3, 10, 7], [1, 6, 14, 12], [0, 1, 9, 11]]  # income by satisfaction: Agresti (1990)
>>> f"{exact_test(job).pvalue:.12f}"
'0.782684938966'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf, ulp
from typing import Any

import numpy as np

from confmat._arguments import ALTERNATIVES, as_amount, as_choice, as_flag
from confmat._display import Part, details, number_json
from confmat._limits import Limits, limited, look, share_of_time
from confmat.classes import FixedMargins
from confmat.contingency.matrix import as_matrix, dense
from confmat.contingency.texts import matrix_text
from confmat.errors import TooLargeError
from confmat.fixed_margins.cell_sums import CellSum
from confmat.fixed_margins.graph import TooManyEdges
from confmat.fixed_margins.sums import Additive, CellSums, of_cells
from confmat.fixed_margins.tails import SMALLEST, tail, tail_counts
from confmat.indices.classification.counts import as_confusion_table
from confmat.sampling import sample
from confmat.sampling.streams import Seed
from confmat.significance.few_tables import MOST_MEMBERS, TwoByTwo, compare_sums, ratio
from confmat.significance.p_values import PValue, of_sides, p_of_counts, rank_of, tail_of_values
from confmat.statistics import STATISTICS, Statistic, as_statistic
from confmat.statistics.clusterings import ARD, RD
from confmat.statistics.table import OTHER_NAMES, is_known

# Number of objects from which on sums of cells may not fit 64 bits.
TOO_MANY_OBJECTS = 2**60

# Number of objects of two rows and two columns above which all tables are added up, because the recursion is slower.
MOST_BY_ROWS = 1000

# Largest number of objects for the other methods: beyond it a draw takes seconds.
MOST_OBJECTS = 10**8

# Largest number of tables that are enumerated for a statistic that is not a sum over cells: some seconds.
MOST_ENUMERATED = 100_000

# Scales of rounded logarithms, for brackets.
COARSE = (2.0**8, 2.0**10, 2.0**13, 2.0**16)

# A bracket is narrow enough if its width is at most this fraction of its upper end.
NARROW = 0.02

# Largest number of terms of a bracket: about 10 seconds, at 3 ns each because there are fewer keys.  2 x 30 tables of
# 1,000 objects have 1.85 * 10^9 terms at the scale 2^10, and a bracket of 9.5 %.
MOST_OF_BRACKET = 3_000_000_000

# Fraction of the time limit for the recursion.  The rest is for draws.
SHARE_OF_RECURSION = 0.2

OVER_ROWS = "recursion over rows"

# Relative difference within which R's fisher.test counts probabilities as equal.
TIES_OF_R = 1e-7


@dataclass(frozen=True, repr=False, kw_only=True)
class ExactTest(PValue):
    """Result of `exact_test`: a p-value with the statistic and the observed value.

    Attributes
    ----------
    pvalue : Fraction or float
        Probability of a table at least as extreme. Values within ``ties`` of the observed one count as equal to it.
    beyond : Fraction or float
        Probability of a table that is certainly more extreme.
    method : str
        Method, as text.
    error : float or None
        Bound of the relative error of a float, None for a Fraction.
    bracket : (float, float) or None
        Lower and upper bound of the p-value. ``pvalue`` is then the upper bound.
    interval : (float, float) or None
        Clopper-Pearson interval of 99 %, for draws.
    name : str
        Name of the statistic.
    statistic : number
        Observed value.
    alternative : str
        "greater", "less" or "two-sided".
    ties : float
        Distance within which floats are equal. 0 if equality is decided exactly.
    draws : int or None
        Number of draws.
    pvalue_r : float or None
        P-value with the wider ties of R's fisher.test, for the probability of the table.
    """

    name: str
    statistic: Any
    alternative: str
    ties: float = 0.0
    draws: int | None = None
    pvalue_r: float | None = None

    @property
    def exact(self) -> bool:
        """True if the p-value is an exact Fraction.

        All tables with these margins were then counted, none drawn. Values were recognized as equal to the observed
        one without rounding.
        """
        return isinstance(self.pvalue, Fraction) and not self.ties and self.draws is None

    def _facts(self) -> dict[str, Any]:
        """Return every field by name, for JSON. Exact numbers have floats in addition.

        >>> exact_test([[3, 1], [1, 2]], exact=True).to_json()["p"]
        {'exact': '17/35', 'value': 0.4857142857142857}
        """
        facts = {"statistic": self.name, "value": number_json(self.statistic), **super()._facts()}
        return facts | {
            "alternative": self.alternative,
            "exact": self.exact,
            "ties": self.ties,
            "draws": self.draws,
            "p_r": self.pvalue_r,
        }

    def _parts(self) -> Iterable[Part]:
        """Yield the displayed table: the statistic, the p-value, and its error."""
        title = f"exact test of {self.name}, {self.alternative}, given both margins: {self.method}"
        yield details(self._lines(), title)

    def _brief(self) -> Iterable[Part]:
        """Yield the parts of the text for ``repr``, which are those of ``print``."""
        return self._parts()

    def _lines(self) -> list[tuple[str, Any]]:
        """Return the displayed lines as pairs (name, number)."""
        lines = [("statistic", self.statistic), *super()._lines()]
        if isinstance(self.statistic, float | np.floating):
            lines.append(("ties", f"floating-point values within {self.ties:.1e} are equal"))
        if self.pvalue_r is not None:
            lines.append(("p with the ties of R", self.pvalue_r))
        return lines


@limited
def exact_test(
    table: Any,
    statistic: Any = "fisher_probability",
    *,
    alternative: str = "greater",
    exact: bool = False,
    draws: int = 99_999,
    rng: Seed = None,
    limits: Limits | None = None,
) -> ExactTest:
    """Test a statistic of a table by the exact distribution given both margins, labels permuted at random.

    On the command line this is ``confmat test --statistic``.

    Parameters
    ----------
    table : array_like
        Table of counts. Empty rows and columns are ignored.
    statistic : str, Statistic, callable or Additive
        "fisher_probability" (tables that are at most as probable, as R's fisher.test), "chi2", or "g2" (likelihood
        ratio). Or any name of ``confmat.statistics``, a function of the table, or
        ``confmat.fixed_margins.additive(f)``. Default: "fisher_probability".
    alternative : {"greater", "less", "two-sided"}
        "greater" counts values >= the observed one, and "less" counts values <= the observed one. For "two-sided" the
        p-value is twice the smaller one of both, at most 1. More agreement is "less" for a distance. Default:
        "greater".
    exact : bool
        Return a Fraction, with equality decided in integers. Default: False, a float with a proved bound of its
        error (statement `row-tail-error`).
    draws : int
        Number of draws if no other method is possible. Default: 99 999.
    rng : int, Generator or SeedSequence, optional
        Seed or generator of the draws.
    limits : Limits, optional
        Time, memory and threads. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    ExactTest

    Raises
    ------
    ValueError
        For a table without objects, or a statistic that is undefined at the table.
    TooLargeError
        If ``exact`` is true and no method is possible.

    Notes
    -----
    Tables of two rows and two columns are enumerated if there are at most 2 * 10^7, whatever their counts. For other
    tables a recursion over rows is used. If it has too many terms, the result is a lower and an upper bound of the
    p-value (statement `row-tail-bracket`). If the recursion or an enumeration exceeds the limits, draws are used.

    References
    ----------
    Freeman and Halton (1951). Mehta and Patel (1983), for the network algorithm.

    Examples
    --------
    >>> lesions = [[0, 1, 0], [8, 1, 8], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [1, 0, 1], [1, 0, 1]]
    >>> exact_test(lesions, exact=True).pvalue, exact_test(lesions, "chi2", exact=True).pvalue
    (Fraction(28411, 2812095), Fraction(226969, 8436285))
    >>> exact_test([[8, 1, 1], [1, 7, 2], [0, 2, 8]], "kappa").pvalue < 1e-5
    True
    """
    # reads: a parameter for each option
    record = record_named(statistic) or statistic
    if getattr(record, "pairs_classes", False):
        table = as_confusion_table(table)
    array = _checked_table(table)
    as_choice("alternative", alternative, ALTERNATIVES)
    how = {
        "exact": as_flag("exact", exact),
        "draws": as_amount("draws", draws, 1),
        "rng": rng,
    }

    def one_sided(side: str) -> ExactTest:
        return _one_sided(extremity(array, statistic, side=side, **how))

    return of_sides(one_sided, alternative, alternative=alternative, pvalue_r=None)


def _checked_table(table: Any) -> np.ndarray:
    """Return a table as an array. Raise ValueError if it has no objects or too many."""
    array = dense(as_matrix(table))
    n = sum(int(x) for x in array.ravel())
    if n == 0:
        raise ValueError("table must have at least one object, got 0")
    if n >= TOO_MANY_OBJECTS:
        raise ValueError(f"table must have fewer than 2^60 objects, got {n:,}")
    return array


# --- question: a value, and a sum over cells that determines it ----------------------------------------


@dataclass(frozen=True)
class Extremity:
    """Arguments of a one-sided test, which adds up the tables that are at least as extreme as an observed one.

    Attributes
    ----------
    name : str
        Name of the statistic.
    table : array of int
        Observed table.
    value : number
        Observed value of the statistic.
    of : callable
        The statistic, a function of a table.
    cell_sum : CellSum or None
        Sum over cells that determines the statistic at these margins, None if there is none.
    upwards : bool
        True if larger sums over cells are more extreme. It depends on ``side`` and on whether the statistic
        increases with the sum.
    side : str
        Alternative of the test, "greater" or "less".
    """

    name: str
    table: np.ndarray
    value: Any
    of: Callable[[np.ndarray], Any]
    cell_sum: CellSum | None
    upwards: bool
    side: str
    exact: bool = False
    draws: int = 99_999
    rng: Seed = None

    @cached_property
    def margins(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Row sums and column sums."""
        return tuple(self.table.sum(axis=1).tolist()), tuple(self.table.sum(axis=0).tolist())

    def sums(self, finest: float | None = None) -> CellSums:
        """Return the `CellSums` of ``cell_sum`` at the observed margins, whose large values are extreme.

        If small sums are extreme, all are multiplied by -1. Logarithms are rounded to multiples of 1/``finest``, or
        of a larger unit if the sums would exceed 64 bits. Default of ``finest``: that of `of_cells`.
        """
        assert self.cell_sum is not None
        sums_of_cells = _sums_at_margins(self.cell_sum, *self.margins, finest)
        return sums_of_cells if self.upwards else sums_of_cells.negative()

    @property
    def is_convex(self) -> bool:
        """True if ``cell_sum`` belongs to a statistic of the package, and is thus a convex function of each cell."""
        return self.cell_sum is not None and isinstance(self.of, Statistic)

    def values_of(self, tables: Iterable[np.ndarray]) -> list[Any]:
        """Return the values of the statistic at other tables."""
        values = []
        for table in tables:
            look()
            values.append(self.of(table))
        return values

    def ranks(self, tables: Iterable[np.ndarray]) -> tuple[list[int], float]:
        """Return a list with 1, 0 or -1 for each table, and the distance within which values count as equal.

        A table has 1 if it is more extreme than the observed one, 0 if it is as extreme, and -1 if it is less
        extreme.

        Raises
        ------
        TypeError
            If a value is a float and the test must be exact.
        """
        if self.is_convex:
            assert self.cell_sum is not None
            signs = [compare_sums(self.cell_sum, table, self.table) for table in tables]
            return (signs if self.upwards else [-sign for sign in signs]), 0.0
        values = self.values_of(tables)
        ties = ties_among([*values, self.value])
        if ties and self.exact:
            raise TypeError(
                f"statistic must return exact numbers for exact=True, got floats from {self.name}"
            )
        return [rank_of(value, self.value, self.side_of_value, ties) for value in values], ties

    @property
    def side_of_value(self) -> str:
        """Direction of the extreme values of the statistic, "greater" or "less".

        It is ``side``, except for the probability of the table. Its small values are extreme for "greater".
        """
        if self.of is not STATISTICS["fisher_probability"]:
            return self.side
        return "less" if self.side == "greater" else "greater"


_sums_at_margins = lru_cache(maxsize=8)(of_cells)


def record_named(statistic: Any) -> Statistic | None:
    """Return the statistic of the package with a name, None for an unknown name or a function.

    >>> record_named("acc").name, record_named("chi2").name
    ('accuracy', 'chi2')
    """
    if not isinstance(statistic, str):
        return None
    return STATISTICS.get(OTHER_NAMES.get(statistic, statistic))


def extremity(table: np.ndarray, statistic: Any, **how: Any) -> Extremity:
    """Return the arguments of a one-sided test of ``statistic`` at the observed ``table``, as an `Extremity`.

    ``how`` are its fields ``side``, ``exact``, ``draws`` and ``rng``. Raise TypeError or ValueError for an invalid
    ``statistic``.

    >>> extremity(np.array([[2, 1], [0, 3]]), "kappa", side="greater").value
    Fraction(2, 3)
    """
    if isinstance(statistic, Additive):
        return _sum_of_cells(table, statistic, **how)
    if not (isinstance(statistic, str) or callable(statistic)):
        raise TypeError(
            f"statistic must be a name, a Statistic, a function of a table or additive(f), got {statistic!r}"
        )
    record = as_statistic(statistic) if isinstance(statistic, str) else statistic
    name = getattr(record, "name", getattr(record, "__name__", "a function"))
    value = record(table)
    if value != value:
        raise ValueError(
            f"statistic {name!r} must be defined at the table, got 0/0 at {matrix_text(table):.80}"
        )
    cell_sum = None
    if isinstance(record, Statistic) and is_known(record):
        cell_sum = record.cell_sum
    rises = cell_sum is None or _rises(record)
    upwards = (how["side"] == "greater") == rises
    return Extremity(name, table, value, record, cell_sum, upwards, **how)


def _rises(record: Statistic) -> bool:
    """Return whether a statistic increases with its sum over cells if the margins are fixed.

    Of the indices of pairs, only RD and ARD and their multiples decrease with the number of pairs in common cells.
    The probability of the table decreases with its sum. The result is nevertheless True, because small
    probabilities are extreme.
    """
    if record.counted:
        return (record.base in (RD, ARD)) == (record.direction < 0)
    return record.rises_with is not None or record.name == "fisher_probability"


def _sum_of_cells(table: np.ndarray, sum_of: Additive, **how: Any) -> Extremity:
    """Return the arguments of a one-sided test of a user-defined sum over cells, as an `Extremity`.

    ``table`` is the observed table. ``how`` are the fields ``side``, ``exact``, ``draws`` and ``rng``.
    """

    def at_margins(x: int, i: int, j: int, rows: object, cols: object) -> Any:
        return sum_of.cell(x, i, j)

    cell_sum = CellSum("a sum over cells", at_margins)
    upwards = how["side"] == "greater"
    return Extremity(cell_sum.name, table, sum_of.of(table), sum_of.of, cell_sum, upwards, **how)


# --- answer: the first method that is possible --------------------------------------------------------


def _one_sided(question: Extremity) -> ExactTest:
    """Return the one-sided test by the first method that is possible.

    The methods are: all tables if two row sums and two column sums are positive, the recursion over rows, an
    enumeration of few tables, and draws.
    """
    found = by_few_tables(question)
    if found is not None:
        return found
    n = int(question.table.sum())
    if n > MOST_OBJECTS and not FixedMargins(*question.margins).has_at_most(MOST_ENUMERATED):
        raise ValueError(f"table must have at most {MOST_OBJECTS:,} objects, got {n:,}")
    if n > MOST_OBJECTS or question.cell_sum is None:
        return _by_enumeration(question)
    try:
        with share_of_time(1.0 if question.exact else SHARE_OF_RECURSION):
            return by_recursion(question)
    except TooLargeError:
        look()
        if FixedMargins(*question.margins).has_at_most(MOST_ENUMERATED):
            return _by_enumeration(question)
        if question.exact:
            raise
        return _by_draws(question)


def by_few_tables(question: Extremity) -> ExactTest | None:
    """Return the test over all tables with the observed margins if these have a simple form, otherwise None.

    Either there is only one table, or exactly two row sums and two column sums are positive. In the second case the
    statistic must be one of the package, and the objects must be many.

    >>> found = by_few_tables(extremity(np.array([[600, 500], [400, 700]]), "ri", side="greater"))
    >>> found.method, found.pvalue < 1e-10
    ('all 1,001 tables', True)
    """
    n = int(question.table.sum())
    sides = [sum(x > 0 for x in margins) for margins in question.margins]
    if min(sides) == 1:
        return _exact_test_of(question, Fraction(1), Fraction(0), "the only table with these margins")
    if sides != [2, 2] or n <= MOST_BY_ROWS:
        return None
    tables = TwoByTwo(*question.margins)
    if not question.is_convex or len(tables.first_cells) > MOST_MEMBERS:
        return None
    return _of_two_rows(question, tables)


def _of_two_rows(question: Extremity, tables: TwoByTwo) -> ExactTest:
    """Return the test over all ``tables``, whose margins have two positive row sums and two positive column sums.

    The statistic is one of the package that a sum over cells determines.
    """
    assert question.cell_sum is not None
    row = np.flatnonzero(tables.rows)[0]
    col = np.flatnonzero(tables.cols)[0]
    ranks = tables.ranks(question.cell_sum, int(question.table[row, col]))
    if not question.upwards:
        ranks = -ranks
    at_least, beyond, error = tables.chances(ranks)
    if question.exact or (at_least < SMALLEST and tables.has_small_numbers()):
        at_least, beyond, error = tables.exact_chances(ranks)
    if question.of is STATISTICS["fisher_probability"] and not question.value:
        question = replace(question, value=(at_least - beyond) / int((ranks == 0).sum()))
    method = f"all {len(ranks):,} tables"
    if error is not None and min(at_least, beyond or 1) > SMALLEST:
        return _exact_test_of(question, float(at_least), float(beyond), method, error=error)
    return _exact_test_of(question, at_least, beyond, method, error=error)


def by_recursion(question: Extremity) -> ExactTest:
    """Return the test by the recursion over rows.

    If the test must be exact, the recursion is in integers. Otherwise it is in floats or, if this exceeds a limit,
    with rounded values and bounds of the p-value. Raise TooLargeError if none is possible.

    >>> by_recursion(extremity(np.array([[3, 1], [1, 2]]), "ri", side="greater")).method
    'recursion over rows'
    """
    if question.exact:
        return _as_fraction(question)
    try:
        return _in_doubles(question)
    except TooManyEdges:
        raise
    except TooLargeError:
        bracket = _narrowest_bracket(question)
        if bracket is None:
            raise
        return bracket


def _exact_test_of(question: Extremity, pvalue: Any, beyond: Any, method: str, **more: Any) -> ExactTest:
    """Return the `ExactTest` with given probabilities, and with the name and the observed value of ``question``.

    ``pvalue`` is the probability of a table at least as extreme as the observed one, ``beyond`` that of a more
    extreme table. ``more`` are further fields of the result.
    """
    about = {"name": question.name, "statistic": question.value, "alternative": question.side}
    return ExactTest(pvalue, beyond, method, **about, **more)


def _thresholds(question: Extremity, sums: CellSums) -> list[int]:
    """Return the least sum over cells that may be as extreme as the observed one, and the least that is more extreme.

    Sums are rounded. Those from the first threshold to below the second may be equal to the observed one.
    """
    observed = sums.of(question.table)
    return [
        observed - sums.slack,
        observed + sums.slack + 1,
    ]


def _narrowest_bracket(question: Extremity) -> ExactTest | None:
    """Return the test by the recursion over rows with close bounds of the p-value, or None if it is not possible.

    Values are rounded to multiples of 1/scale, for increasing scales. The result is that of the first scale with
    close bounds, otherwise of the largest possible scale.
    """
    bracket = None
    for scale in COARSE:
        try:
            candidate = _at_scale(question, scale)
        except TooLargeError:
            break
        if candidate.pvalue < SMALLEST:
            break
        bracket = candidate
        low, high = candidate.bracket or (candidate.pvalue, candidate.pvalue)
        if high - low <= NARROW * high:
            break
    return bracket


def _in_doubles(question: Extremity) -> ExactTest:
    """Return the test by the recursion over rows in floats, or in integers if the p-value is too small for floats."""
    sums = question.sums()
    thresholds = _thresholds(question, sums)
    like_r = question.name == "fisher_probability"
    if like_r:
        ties = max(sums.slack, round(TIES_OF_R * float(sums.scale)))
        thresholds.append(thresholds[0] + sums.slack - ties)
    tails = tail(sums.margins, thresholds)
    if tails.chances[0] < SMALLEST:
        return _as_fraction(question, decide=False)
    at_least, more_extreme = tails.chances[:2]
    return _exact_test_of(
        question,
        at_least,
        more_extreme,
        OVER_ROWS,
        error=tails.error,
        ties=sums.slack / float(sums.scale),
        pvalue_r=tails.chances[2] if like_r else None,
    )


def _at_scale(question: Extremity, scale: float) -> ExactTest:
    """Return the test by the recursion over rows, with values rounded to multiples of 1/``scale``.

    Its ``bracket`` has the bounds of the p-value. It is None if rounding changes no value.
    """
    sums = question.sums(scale)
    tails = tail(sums.margins, _thresholds(question, sums), MOST_OF_BRACKET)
    high, low = tails.chances
    if not sums.slack:
        return _exact_test_of(question, high, low, OVER_ROWS, error=tails.error)
    method = f"{OVER_ROWS}, values rounded to multiples of 1/{sums.scale:g}"
    return _exact_test_of(question, high, low, method, error=tails.error, bracket=(low, high))


def _as_fraction(question: Extremity, decide: bool = True) -> ExactTest:
    """Return the test with a Fraction as p-value, by the recursion over rows modulo primes.

    Sums over cells may be rounded. A table counts as equal to the observed one if their sums differ by at most the
    attribute ``slack`` of the sums. With ``decide`` an exact calculation then raises an error if their values
    differ.
    """
    sums = question.sums()
    (at_least, more_extreme), total = tail_counts(sums.margins, _thresholds(question, sums))
    if sums.slack and decide:
        _check_ties(question, sums, at_least - more_extreme)
    if decide:
        ties = 0.0
    else:
        ties = sums.slack / float(sums.scale)
    method = f"{OVER_ROWS}, in integers"
    return _exact_test_of(
        question,
        Fraction(at_least, total),
        Fraction(more_extreme, total),
        method,
        ties=ties,
    )


def _check_ties(question: Extremity, sums: CellSums, number_near: int) -> None:
    """Raise TooLargeError unless all tables with a sum near the observed one have exactly the observed value.

    ``number_near`` is the number of labelings whose rounded sum differs from the observed one by at most ``slack``.
    """
    exponents = sums.exact
    if exponents is None:
        raise TooLargeError(
            f"table is too large to decide exactly which tables have the same {question.name}, got "
            f"{int(question.table.sum())} objects. Leave out exact=True"
        )
    exponent_sum = exponents.of(question.table)
    (at_least, more_extreme), _ = tail_counts(exponents.margins, [exponent_sum, exponent_sum + 1])
    if at_least - more_extreme != number_near:
        distance = sums.slack / float(sums.scale)
        raise TooLargeError(
            f"cannot decide which tables have a {question.name} equal to the observed value: "
            f"different values are closer than {distance:.0e}"
        )


def _by_enumeration(question: Extremity) -> ExactTest:
    """Return the test over all tables with the observed margins if they are few, otherwise from draws."""
    tables = FixedMargins(*question.margins)
    if not tables.has_at_most(MOST_ENUMERATED):
        if question.exact:
            raise TooLargeError(
                f"exact=True would enumerate more than {MOST_ENUMERATED:,} tables, "
                f"because {question.name} is not a sum over cells"
            )
        return _by_draws(question)
    chances = {rank: Fraction(0) for rank in (-1, 0, 1)}
    last_table, chance = question.table, Fraction(1)
    members = list(tables)
    ranks, ties = question.ranks(members)
    for table, rank in zip(members, ranks):
        look()
        chance *= ratio(table, last_table)
        chances[rank] += chance
        last_table = table
    total = sum(chances.values())
    at_least, beyond = (chances[0] + chances[1]) / total, chances[1] / total
    method = f"enumeration of {len(members):,} tables"
    if ties:  # the values of the statistic are floats, so that the p-value is not exact
        return _exact_test_of(question, float(at_least), float(beyond), method, ties=ties)
    return _exact_test_of(question, at_least, beyond, method)


def ties_among(values: Iterable[Any]) -> float:
    """Return the distance within which two of the given values count as equal, 0 if none of them is a float.

    It is 10^-11 of the range of the finite values, and at least eight units in the last digit of the largest one.

    >>> ties_among([1, Fraction(1, 2)]), ties_among([1e-13, 3e-13]) < 1e-22
    (0.0, True)
    """
    numbers = [x for x in values if x == x]
    if not any(isinstance(x, float | np.floating) for x in numbers):
        return 0.0
    finite = [x for x in map(float, numbers) if abs(x) < inf]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    return max(1e-11 * (high - low), 8 * ulp(max(-low, high)))


def _by_draws(question: Extremity) -> ExactTest:
    """Return the test from random tables, with an interval of the p-value (Davison and Hinkley 1997)."""
    rows, cols = question.margins
    tables = sample(FixedMargins(rows, cols), question.draws, rng=question.rng, weight="labelings")
    sums = None
    if question.cell_sum is not None:
        with suppress(TooLargeError):
            sums = question.sums()
    ties = 0.0
    if sums is None:
        weighted_values = [(value, 1) for value in question.values_of(tables)]
        ties = ties_among([question.value, *(value for value, _ in weighted_values)])
        p = tail_of_values(weighted_values, question.value, question.side_of_value, ties, drawn=True)
    else:
        differences = sums.of_many(np.asarray(tables)) - sums.of(question.table)
        more_extreme = int((differences > sums.slack).sum())
        equal = int((abs(differences) <= sums.slack).sum())
        p = p_of_counts(more_extreme, equal, question.draws, drawn=True)
    return _exact_test_of(question, **vars(p), ties=ties, draws=question.draws)
