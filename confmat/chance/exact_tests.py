"""Exact tests of any statistic of a table with given margins, labels permuted at random.

What is added up over the cells is found by the recursion over rows (`confmat.rows`): probabilities (Fisher, Freeman and
Halton), chi-squared, the likelihood ratio G2, pairs in common cells, the diagonal, one's own.  Most other indices of a
table depend, at given margins, on one of these alone: the pair indices on the pairs, kappa and Matthews' correlation on
the diagonal, entropies on G2.  The rest is enumerated where the tables are few, and drawn else.

>>> job = [[1, 3, 10, 6], [2, 3, 10, 7], [1, 6, 14, 12], [0, 1, 9, 11]]  # income by satisfaction: Agresti (1990)
>>> f"{exact_test(job).pvalue:.12f}"
'0.782684938966'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice
from math import factorial, prod
from typing import Any

import numpy as np

from confmat.answers import Answer, Part, details, number_json
from confmat.chance.p_values import p_of_draws
from confmat.classes import FixedMargins, random_model
from confmat.errors import TooLarge
from confmat.indices.pairs import pairs_within
from confmat.matrices.arguments import as_amount, as_choice, as_flag
from confmat.matrices.matrix import as_matrix, dense
from confmat.rows.graph import LARGEST_LINE, TooManyEdges
from confmat.rows.sums import Additive, CellSums, of_fractions, of_logarithms, of_numbers
from confmat.rows.tails import MOST_TERMS, SMALLEST, tail, tail_counts
from confmat.sampling import sample
from confmat.sampling.streams import Seed
from confmat.statistics import STATISTICS, Statistic, as_statistic
from confmat.statistics.grammar import meant_among

ALTERNATIVES = ("greater", "less", "two-sided")

# Beyond it nothing helps: draws take seconds each.
LARGEST = 10**8

# Tables that are enumerated for a statistic that is no sum over cells: some seconds.
MOST_TABLES = 100_000

# Scales of logarithms for brackets: each takes some four times as many terms as the one before.
COARSE, GROWTH = (2.0**8, 2.0**10, 2.0**13, 2.0**16), 4

# How far R's fisher.test lets probabilities differ that it counts as equal.
TIES_OF_R = 1e-7


@dataclass(frozen=True, repr=False)
class ExactTest(Answer):
    """Result of ``exact_test``: ``statistic`` is the observed value, ``pvalue`` the chance of a table as extreme.

    ``pvalue`` counts what is within ``ties`` of the observed value as equal to it (0: equality is decided exactly);
    ``beyond`` is the chance of what is more extreme for certain, ``mid`` counts equal tables one half.  A double has a
    relative error of at most ``error``; a Fraction is exact, and ``error`` None.  A bracket (``low``, ``high``) holds
    the p-value for certain, and ``pvalue`` is its upper end.  ``draws``: how many were drawn, None where none was, and
    ``interval`` the Clopper-Pearson interval of 99 % then.  ``pvalue_r``: with R's wider ties, for probabilities.
    """

    name: str
    statistic: Any
    pvalue: Fraction | float
    beyond: Fraction | float
    method: str
    alternative: str
    error: float | None = None
    ties: float = 0.0
    bracket: tuple[float, float] | None = None
    interval: tuple[float, float] | None = None
    draws: int | None = None
    pvalue_r: float | None = None

    @property
    def mid(self) -> Fraction | float:
        """The mid-p value."""
        return (self.pvalue + self.beyond) / 2

    @property
    def low(self) -> Fraction | float:
        """The p-value is at least this, apart from ``error``."""
        return self.bracket[0] if self.bracket else self.pvalue

    @property
    def high(self) -> Fraction | float:
        """The p-value is at most this, apart from ``error``."""
        return self.bracket[1] if self.bracket else self.pvalue

    def as_dict(self) -> dict[str, Any]:
        """Every field; exact numbers with their doubles.

        >>> exact_test([[3, 1], [1, 2]], exact=True).to_json()["p"]
        {'exact': '17/35', 'value': 0.4857142857142857}
        """
        return {
            "statistic": self.name,
            "value": number_json(self.statistic),
            "p": number_json(self.pvalue),
            "beyond": number_json(self.beyond),
            "mid": number_json(self.mid),
            "method": self.method,
            "alternative": self.alternative,
            "relative_error": self.error,
            "ties": self.ties,
            "bracket": self.bracket,
            "interval": self.interval,
            "draws": self.draws,
            "p_r": self.pvalue_r,
        }

    def parts(self) -> Iterable[Part]:
        """The statistic, the p-value, and what is known of its error."""
        title = f"exact test of {self.name}, {self.alternative}, given both margins: {self.method}"
        yield details(self._lines(), title)

    def _lines(self) -> list[tuple[str, Any]]:
        lines: list[tuple[str, Any]] = [
            ("statistic", self.statistic),
            ("p", self.pvalue),
            ("mid-p", self.mid),
        ]
        if self.bracket is not None:
            lines.append(("proved", "between {:.6g} and {:.6g}".format(*self.bracket)))
        if self.error is not None:
            lines.append(("relative error", f"at most {self.error:.1e}"))
        if self.interval is not None:
            lines.append(("99 % interval", "{:.4g} to {:.4g}".format(*self.interval)))
        if self.pvalue_r is not None:
            lines.append(("p with the ties of R", self.pvalue_r))
        return lines


def exact_test(
    table: Any,
    statistic: Any = "ffh",
    *,
    alternative: str = "greater",
    exact: bool = False,
    draws: int = 99_999,
    rng: Seed = None,
) -> ExactTest:
    """The chance that a table with these margins is as extreme as the observed one, labels permuted at random.

    ``confmat test --statistic`` is this on the command line.

    ``statistic``: "ffh" (Fisher, Freeman and Halton: tables at most as probable; R's fisher.test), "chi2" (Pearson's),
    "g2" (the likelihood ratio), any name of ``confmat.statistics`` ("ard", "kappa", "mcc", "ami", ...), a function of
    the table, or ``confmat.rows.additive(f)``.  ``alternative``: "greater" counts what is at least the observed value
    (of distances that is less agreement, so say "less"), "less" at most, "two-sided" twice the smaller of both, at most
    1.  ``exact``: a Fraction, equality decided by whole numbers; else doubles with a bound of their error, which is
    proved (statement `row-tail-error`).  Where the recursion has too many terms the answer is a proved bracket; where
    the graph of states or the tables are too many it is of ``draws`` draws by ``rng``.

    Empty rows and columns change nothing.  Raises ValueError for a table without objects and for a statistic that is
    undefined at it; TooLarge where ``exact`` cannot be had.

    Source: Freeman & Halton (1951); the network algorithm of Mehta & Patel (1983).

    >>> lesions = [[0, 1, 0], [8, 1, 8], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [1, 0, 1], [1, 0, 1]]
    >>> exact_test(lesions, exact=True).pvalue, exact_test(lesions, "chi2", exact=True).pvalue
    (Fraction(28411, 2812095), Fraction(226969, 8436285))
    >>> exact_test([[8, 1, 1], [1, 7, 2], [0, 2, 8]], "kappa").pvalue < 1e-5
    True
    """
    array = _as_table(table)
    as_choice("alternative", alternative, ALTERNATIVES)
    exact = as_flag("exact", exact)
    draws = as_amount("draws", draws, 1)
    question = _question(array, statistic)
    sides = ("greater", "less") if alternative == "two-sided" else (alternative,)
    answers = [_one_sided(question, side, exact, draws, rng) for side in sides]
    answer = min(answers, key=lambda one: one.pvalue)
    return doubled(answer) if alternative == "two-sided" else answer


def _as_table(table: Any) -> np.ndarray:
    array = dense(as_matrix(table))
    n = sum(int(x) for x in array.ravel())
    if n == 0:
        raise ValueError("table must hold at least one object")
    if n > LARGEST:
        raise ValueError(f"table must hold at most {LARGEST:,} objects, got {n:,}")
    return array


def doubled(answer: Any) -> Any:
    """Twice a one-sided answer, at most 1.

    >>> doubled(exact_test([[3, 1], [1, 2]], exact=True)).pvalue
    Fraction(34, 35)
    """
    from dataclasses import replace

    def twice(x: Any) -> Any:
        return min(2 * x, type(x)(1))

    return replace(
        answer,
        alternative="two-sided",
        pvalue=twice(answer.pvalue),
        beyond=twice(answer.beyond),
        bracket=answer.bracket and (twice(answer.bracket[0]), twice(answer.bracket[1])),
        interval=answer.interval and (twice(answer.interval[0]), twice(answer.interval[1])),
        pvalue_r=None,
    )


# --- what is asked: a value, and a sum over cells that it rises or falls with ------------------------


@dataclass(frozen=True)
class Question:
    """A statistic at a table: its ``value`` there; ``sums``, at a scale, which it rises with (``sign`` 1) or falls
    with (-1), None where it is no function of a sum over cells; and its values at other tables."""

    name: str
    table: np.ndarray
    value: Any
    sums: Callable[[float | None], CellSums] | None
    sign: int
    of: Callable[[np.ndarray], Any]


# At given margins these rise or fall with the diagonal, with G2.
WITH_THE_DIAGONAL = {"accuracy": 1, "kappa": 1, "mcc": 1}
WITH_G2 = dict.fromkeys(
    (
        "mi",
        "nmi",
        "nmi_geometric",
        "nmi_max",
        "nmi_min",
        "nmi_joint",
        "v_measure",
        "homogeneity",
        "completeness",
        "ami",
    ),
    1,
) | {"vi": -1}
NAMED = ("ffh", "chi2", "g2")
OTHER_NAMES = {"trace": "accuracy", "pairs": "ri", "fisher": "ffh"}


def named(statistic: Any) -> Statistic | None:
    """The record of the package that a name stands for, None for a sum over cells and for functions.

    >>> named("acc").name, named("chi2")
    ('accuracy', None)
    """
    if not isinstance(statistic, str):
        return None
    return STATISTICS.get(OTHER_NAMES.get(statistic, statistic))


def _question(table: np.ndarray, statistic: Any) -> Question:
    """What is asked of a table; TypeError or ValueError that names ``statistic``."""
    if isinstance(statistic, Additive):
        return _of_cells(table, "a sum over cells", statistic.cell)
    if isinstance(statistic, str):
        statistic = OTHER_NAMES.get(statistic, statistic)
        if statistic == "ffh":
            return _of_logarithms(table, "ffh", "factorials", _rarity, _probability(table), 1)
        if statistic == "g2":
            return _of_logarithms(table, "g2", "powers", likelihood_ratio, likelihood_ratio(table), 1)
        if statistic == "chi2":
            rows, cols = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
            squares = _of_cells(table, "chi2", lambda x, i, j: Fraction(x * x, rows[i] * cols[j]) if x else 0)
            return Question("chi2", table, chi_squared(table), squares.sums, 1, chi_squared)
        if statistic not in STATISTICS:
            hint = (
                meant_among(statistic, STATISTICS, NAMED)
                or f"; it may be {', '.join(NAMED)} or a name of `confmat statistics`"
            )
            raise ValueError(f"statistic must be known, got {statistic!r}{hint}")
    elif not callable(statistic):
        raise TypeError(
            f"statistic must be a name, a Statistic, a function of a table or additive(f), got {statistic!r}"
        )
    record = as_statistic(statistic) if isinstance(statistic, str) else statistic
    return _of_record(table, record)


def _of_record(table: np.ndarray, record: Any) -> Question:
    """A statistic of the package or one's own, or a function of a table."""
    name = getattr(record, "name", getattr(record, "__name__", "a function"))
    value = record(table)
    if value != value:
        raise ValueError(f"statistic {name!r} is undefined at the table {table.tolist()!r:.80}")
    if not isinstance(record, Statistic) or STATISTICS.get(record.name) is not record:
        return Question(name, table, value, None, 1, record)
    rows, cols = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    if record.name in WITH_THE_DIAGONAL:
        sums = _of_cells(table, name, lambda x, i, j: x if i == j else 0).sums
        return Question(name, table, value, sums, WITH_THE_DIAGONAL[record.name], record)
    if record.name == "balanced_accuracy":
        sums = _of_cells(table, name, lambda x, i, j: Fraction(x, rows[i]) if x and i == j else 0).sums
        return Question(name, table, value, sums, 1, record)
    if record.name in WITH_G2:
        return _of_logarithms(table, name, "powers", record, value, WITH_G2[record.name])
    if record.counted and "m" not in record.base.depends:
        sums = _of_cells(table, name, lambda x, i, j: x * (x - 1) // 2).sums
        return Question(name, table, value, sums, _with_the_pairs(record, table, rows, cols), record)
    return Question(name, table, value, None, 1, record)


def _with_the_pairs(record: Statistic, table: np.ndarray, rows: list[int], cols: list[int]) -> int:
    """1 where a statistic rises with P at these margins, -1 where it falls."""
    a, b, p = pairs_within(rows), pairs_within(cols), pairs_within(table.ravel().tolist())
    n, other = int(table.sum()), p + 1 if p < min(a, b) else p - 1
    here, there = (record.key(n, 0, a, b, x) for x in (p, other))
    rises = (there >= here) == (other > p)
    return record.direction if rises else -record.direction


def _of_cells(table: np.ndarray, name: str, cell: Callable[[int, int, int], Any]) -> Question:
    """The sum of cell(x, i, j): exact where all its values are, else scaled doubles."""

    def value(other: np.ndarray) -> Any:
        return sum(cell(int(x), i, j) for (i, j), x in np.ndenumerate(other))

    @cache
    def sums(finest: float | None) -> CellSums:
        if finest is None and all(
            isinstance(x, int | np.integer | Fraction) for x in _some_values(table, cell)
        ):
            try:
                return of_fractions(table, cell)
            except TooLarge:
                pass
        return of_numbers(table, cell) if finest is None else of_numbers(table, cell, finest)

    return Question(name, table, value(table), sums, 1, value)


def _some_values(table: np.ndarray, cell: Callable[[int, int, int], Any]) -> Iterator[Any]:
    """The values of every cell at what it holds, at 0 and at 1."""
    for (i, j), x in np.ndenumerate(table):
        for y in {0, 1, int(x)}:
            yield cell(y, i, j)


def _of_logarithms(
    table: np.ndarray, name: str, of: str, function: Callable[[np.ndarray], Any], value: Any, sign: int
) -> Question:
    @cache
    def sums(finest: float | None) -> CellSums:
        return of_logarithms(table, of) if finest is None else of_logarithms(table, of, finest)

    return Question(name, table, value, sums, sign, function)


def chi_squared(table: np.ndarray) -> Fraction:
    """Pearson's chi-squared, n (sum x^2/(r c) - 1).

    >>> chi_squared(np.array([[3, 1], [1, 3]]))
    Fraction(2, 1)
    """
    rows, cols = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    shares = (Fraction(int(x) ** 2, rows[i] * cols[j]) for (i, j), x in np.ndenumerate(table) if x)
    return sum(rows) * (sum(shares, Fraction(0)) - 1)


def likelihood_ratio(table: np.ndarray) -> float:
    """G2 = 2 sum x log(x n/(r c)), a double.

    >>> round(likelihood_ratio(np.array([[3, 1], [1, 3]])), 6)
    2.092993
    """
    from math import fsum, log

    rows, cols = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    n = sum(rows)
    return 2 * fsum(x * log(x * n / (rows[i] * cols[j])) for (i, j), x in np.ndenumerate(table) if x)


def _rarity(table: np.ndarray) -> Fraction:
    """What is larger the less probable a table is."""
    return -_probability(table)


def _probability(table: np.ndarray) -> Fraction:
    """The chance of a table with its margins, labels permuted at random."""
    lines = (*table.sum(axis=1).tolist(), *table.sum(axis=0).tolist())
    cells = prod(factorial(x) for x in table.ravel().tolist())
    return Fraction(prod(map(factorial, lines)), factorial(int(table.sum())) * cells)


# --- how it is answered: the first way that applies ---------------------------------------------------


def _one_sided(question: Question, side: str, exact: bool, draws: int, rng: Seed) -> ExactTest:
    """By the recursion, at coarser scales, by enumeration, by draws."""
    if question.sums is None:
        return _without_sums(question, side, exact, draws, rng)
    turned = (side == "less") != (question.sign < 0)

    def sums(finest: float | None) -> CellSums:
        assert question.sums is not None
        found = question.sums(finest)
        return found.negative() if turned else found

    sides = question.table.sum(axis=0).tolist(), question.table.sum(axis=1).tolist()
    shorter = sides[0] if len(sides[0]) <= len(sides[1]) else sides[1]
    lines = max(shorter)
    if lines > LARGEST_LINE:
        if exact:
            raise TooLarge(
                f"exact=True takes lines of at most {LARGEST_LINE:,} objects on the shorter side, got {lines:,}"
            )
        return _by_draws(question, side, draws, rng)
    if exact:
        return _as_fraction(question, sums(None), side)
    try:
        return _in_doubles(question, sums(None), side)
    except TooManyEdges:
        bracket = None
    except TooLarge:
        bracket = _narrowest(question, sums, side)
    return bracket or _by_draws(question, side, draws, rng, sums(None))


def _narrowest(question: Question, sums: Callable[[float | None], CellSums], side: str) -> ExactTest | None:
    """The bracket of the finest scale that the recursion reaches, None where it reaches none."""
    bracket = None
    for scale in COARSE:
        try:
            found, terms = _bracket(question, sums(scale), side)
        except TooLarge:
            break
        if found.pvalue < SMALLEST:
            break
        bracket = found
        if GROWTH * terms > MOST_TERMS:
            break
    return bracket


def _in_doubles(question: Question, sums: CellSums, side: str) -> ExactTest:
    """By the recursion in doubles; in whole numbers where the tail is too deep for them."""
    observed, slack = sums.of(question.table), sums.slack
    thresholds = [observed - slack, observed + slack + 1]
    if question.name == "ffh":
        thresholds.append(observed - max(slack, round(TIES_OF_R * float(sums.scale))))
    found = tail(sums.margins(sums.values), thresholds)
    if found.chances[0] < SMALLEST:
        return _as_fraction(question, sums, side, decide=False)
    return ExactTest(
        question.name,
        question.value,
        found.chances[0],
        found.chances[1],
        "rows met in the middle",
        side,
        error=found.error,
        ties=slack / float(sums.scale),
        pvalue_r=found.chances[2] if question.name == "ffh" else None,
    )


def _bracket(question: Question, sums: CellSums, side: str) -> tuple[ExactTest, int]:
    """At a coarse scale: what is larger for certain, and what may be at least as large; and how many terms it took."""
    observed, slack = sums.of(question.table), sums.slack
    thresholds = [observed - slack, observed + slack + 1]
    found = tail(sums.margins(sums.values), thresholds)
    high, low = found.chances
    proved = f"rows met in the middle, values rounded to multiples of 1/{sums.scale:g}"
    answer = ExactTest(
        question.name, question.value, high, low, proved, side, found.error, bracket=(low, high)
    )
    return answer, found.terms


def _as_fraction(question: Question, sums: CellSums, side: str, decide: bool = True) -> ExactTest:
    """By the recursion modulo primes.  Tables within ``slack`` of the observed one are equal to it if their prime
    exponents are: if these are all of them, the fraction is right.  Without ``decide`` all within ``slack`` count."""
    observed, slack = sums.of(question.table), sums.slack
    margins = sums.margins(sums.values)
    (at_least, beyond), total = tail_counts(margins, [observed - slack, observed + slack + 1])
    if slack and decide:
        _check_ties(question, sums, at_least - beyond)
    ties = 0.0 if decide else slack / float(sums.scale)
    method = "rows met in the middle, whole numbers"
    pvalue, larger = Fraction(at_least, total), Fraction(beyond, total)
    return ExactTest(question.name, question.value, pvalue, larger, method, side, ties=ties)


def _check_ties(question: Question, sums: CellSums, near: int) -> None:
    """TooLarge where other tables than equal ones are too near to be told apart at this scale."""
    if sums.primes is None:
        raise TooLarge(
            f"ties of {question.name} among {int(question.table.sum())} objects cannot be decided by 64-bit exponents"
        )
    packed = sums.primes_of(question.table)
    (at_least, beyond), _ = tail_counts(sums.margins(sums.primes), [packed, packed + 1])
    if at_least - beyond != near:
        apart = sums.slack / float(sums.scale)
        raise TooLarge(
            f"tables with {question.name} within {apart:.0e} of the observed one are not all equal to it"
        )


def _without_sums(question: Question, side: str, exact: bool, draws: int, rng: Seed) -> ExactTest:
    """A function of the whole table: by enumeration where there are few tables, else by draws."""
    rows, cols = (tuple(x.tolist()) for x in (question.table.sum(axis=1), question.table.sum(axis=0)))
    tables = list(islice(FixedMargins(rows, cols), MOST_TABLES + 1))
    if len(tables) > MOST_TABLES:
        if exact:
            raise TooLarge(
                f"exact=True would look at more than {MOST_TABLES:,} tables, as {question.name} is no sum over cells"
            )
        return _by_draws(question, side, draws, rng)
    at_least, beyond = Fraction(0), Fraction(0)
    for table in tables:
        rank = rank_of(question.of(table), question.value, side)
        if rank >= 0:
            chance = _probability(table)
            at_least += chance
            beyond += chance if rank > 0 else 0
    answer = at_least, beyond
    return ExactTest(question.name, question.value, *answer, f"enumeration of {len(tables):,} tables", side)


def rank_of(value: Any, observed: Any, side: str) -> int:
    """1 where a value is more extreme, 0 where it is equal (doubles: to 10^-11), -1 where it is less extreme or nan.

    >>> rank_of(0.5, 0.2, "greater"), rank_of(0.5, 0.2, "less"), rank_of(0.1 + 0.2, 0.3, "less")
    (1, -1, 0)
    """
    if value != value:
        return -1
    if isinstance(value, float) and abs(value - observed) <= 1e-11 * max(1.0, abs(observed)):
        return 0
    if value == observed:
        return 0
    return 1 if (value > observed) == (side == "greater") else -1


def _by_draws(
    question: Question, side: str, draws: int, rng: Seed, sums: CellSums | None = None
) -> ExactTest:
    """Davison and Hinkley's p-value of draws, with its interval."""
    rows, cols = question.table.sum(axis=1).tolist(), question.table.sum(axis=0).tolist()
    drawn = sample(random_model("sizes", rows=rows, cols=cols), draws, rng=rng)
    if sums is None:
        observed = question.of(question.table)
        orders = [rank_of(question.of(table), observed, side) for table in drawn]
        beyond, equal = orders.count(1), orders.count(0)
    else:
        apart = sums.of_many(np.asarray(drawn)) - sums.of(question.table)
        beyond = int((apart > sums.slack).sum())
        equal = int((abs(apart) <= sums.slack).sum())
    p = p_of_draws(beyond, equal, draws)
    return ExactTest(
        question.name,
        question.value,
        p.value,
        2 * p.mid - p.value,
        "Monte Carlo",
        side,
        interval=p.interval,
        draws=draws,
    )
