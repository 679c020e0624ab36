"""What is asked of an audit, and what each way to answer it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import factorial, inf, lcm, prod
from typing import Any

from confmat.answers.sheets import whole
from confmat.auditing.boxes import forecast
from confmat.auditing.choices import RATE, TRIED, seconds_of_ranges
from confmat.auditing.folds import EXACT, PATIENCE_OF_CHOICES, PLACES_TRIED
from confmat.auditing.report import Report
from confmat.certificates.means import BITS_OF_A_SUM, MOST_ADDED, MOST_BITS, matrices_of
from confmat.certificates.ranges import OF_CLUSTERINGS
from confmat.certificates.reports import divisions
from confmat.plans import Question, Resources

# Matrices listed in a second of one core; boxes of a proof, and how long one takes of so many cells.
_RATE = 10**6
BOXES, _SECONDS_OF_BOX, _CELLS = 20_000, 3e-4, 9
_MOST_MARGINS = 20_000

# Seconds that a listing may take where nobody said any; cells of the boxes of its forecast.
PATIENCE, _FORECAST = 60.0, 80_000

# Seconds of a local search.
_SECONDS_OF_SEARCH = 0.1

# Seconds of a score of a matrix of a fold, and of a value of it, of which irrational ones are compared with steps; of
# a fold; bits added up in a second; how many times faster choices are tried than they are allowed to be.
_OF_A_MATRIX, _OF_OTHER_VALUES = 2e-6, 1e-5
_OF_A_VALUE = {"mcc": 1.5e-4, "fm": 1.5e-4, "gmean": 1.5e-4, "nmi": 5e-4}
_SECONDS_OF_FOLD, _BITS_OF_SUMS, _FASTER = 0.02, 2**35, 3


@dataclass(frozen=True)
class Auditing(Question):
    """What is asked: whether a report is possible."""

    report: Report
    resources: Resources = field(default_factory=Resources)
    asked: str | None = None

    def __str__(self) -> str:
        return f"audit {self.report} of {self.report.matrices()}"


def seconds_of_listing(audit_question: Auditing) -> float:
    """About how long a listing takes; beyond the limit, which ends the forecast, by the margins seen.

    >>> report = Report.of(classes=(50, 50, 50), acc="0.893", ari="0.7302")
    >>> seconds_of_listing(Auditing(report)) < 1
    True
    """
    question = audit_question.report.question
    count = 0.0
    margins = [*question.margins()]
    if margins:
        boxes = _FORECAST // (question.r * question.s * len(margins))
    else:
        boxes = 0
    seconds_limit = min(audit_question.resources.limits()[0], PATIENCE)
    for margins_seen, rows in enumerate(margins, 1):
        count += forecast(question, rows, boxes)
        if count > seconds_limit * _RATE:
            return count / margins_seen * len(margins) / _RATE
    return count / _RATE


def seconds_of_deciding(question: Auditing) -> float:
    """A proof by as many boxes as there may be, and a search for each of the row sums.

    >>> round(seconds_of_deciding(Auditing(Report.of(classes=(50, 50, 50), acc="0.893"))), 3)
    6.1
    """
    report = question.report
    cells = max(1, report.shape[0] * report.shape[1] / _CELLS)
    searches = sum(1 for _ in report.question.margins()) * _SECONDS_OF_SEARCH
    return BOXES * _SECONDS_OF_BOX * cells + searches


def too_many_margins(question: Auditing) -> str | None:
    """Why the row sums are too many to go through, where they are not known."""
    report = question.report
    objects_left = report.n - report.question.least_row * report.shape[0]
    if report.rows or objects_left < 0:
        return None
    # More parts than 40 only make more of what is too much already: 40 objects have 37 338 partitions.
    sizes = [min(len(group), 40) for group in report.question.groups()]
    ways = sum(1 for _ in islice(divisions(objects_left, sizes, 0), _MOST_MARGINS + 1))
    if ways > _MOST_MARGINS:
        return f"more than {whole(_MOST_MARGINS)} ways to divide the rows"
    return None


def cost_of_means(question: Auditing) -> tuple[float, float]:
    """Seconds and bytes of the folds' scores and their sums; of counting and of ranges no more than is allowed.

    >>> seconds, octets = cost_of_means(Auditing(Report.of(classes=(8, 8), acc="0.9375", folds=4)))
    >>> 0 < seconds < 10, octets > 0
    (True, True)
    """
    report = question.report
    folds = report.folds or ()
    names = report.question.names
    matrices = sum(map(matrices_of, {*folds}))
    groups = sum(_number_of_values(names, rows) for rows in {*folds})
    seconds_of_values = sum(_OF_A_VALUE.get(name, _OF_OTHER_VALUES) for name in names)
    bits_added, bytes_of_sums = _costs_of_sums(report)
    seconds = matrices * len(names) * _OF_A_MATRIX + groups * seconds_of_values
    seconds += len(folds) * _SECONDS_OF_FOLD + bits_added / _BITS_OF_SUMS
    # What is tried for the choices: each sum of the folds before, with each matrix.
    ways = sum(
        sums * _number_of_values(names, rows) for sums, rows in zip(_sums_of_first_folds(names, folds), folds)
    )
    allowed_seconds = question.resources.said or PATIENCE_OF_CHOICES
    longest, memory = question.resources.limits()
    seconds_left = max(0.0, longest - seconds)
    seconds_of_trying = min(allowed_seconds, _FASTER * seconds_left)
    trials = min(
        ways * len(names) * TRIED,
        seconds_of_trying * RATE,
        memory - bytes_of_sums,
    )
    trials = max(0.0, trials)
    counting = trials / RATE / _FASTER
    ranging = min(seconds_left - counting, seconds_of_ranges(matrices, groups))
    return seconds + counting + ranging, bytes_of_sums + trials


def _costs_of_sums(report: Report) -> tuple[float, float]:
    """Bits that are added for the sums of all folds, and bytes that are kept."""
    folds = report.folds or ()
    names = report.question.names
    windows = report.question.windows
    # A score is told from its window by a decimal more than it is printed with.
    finest = max(1 / (upper - lower) for lower, upper, *_ in windows) * 10
    places = next(
        (places for places in PLACES_TRIED if finest <= 10**places),
        PLACES_TRIED[-1],
    )
    grid = [_whole_steps(name, folds) or 10**places for name in names]
    sums_of_scores = [_sums_of_first_folds([name], folds) for name in names]
    sums_together = _sums_of_first_folds(names, folds)

    def values_in_grid(k: int) -> tuple[float, int]:
        return min(
            2 * grid[k],
            sums_of_scores[k][1],
        ), grid[k]

    # Long integers are of the score with the most values.
    *other_scores, longest_score = sorted(range(len(grid)), key=values_in_grid)
    sums_before = 1.0
    bits_kept = 0.0
    bits_added = 0.0
    for i, rows in enumerate(folds, 1):
        combinations = 1.0
        for k in other_scores:
            in_reach = _steps_in_reach(
                windows[k],
                grid[k],
                i,
                len(folds),
            )
            combinations *= max(1, min(in_reach, sums_of_scores[k][i]))
        bits = 2 * grid[longest_score] * i + BITS_OF_A_SUM
        bits_added += sums_before * _number_of_values(names, rows) * bits
        sums_before = min(combinations, sums_together[i])
        bits_kept += sums_before * bits
    # The checker stops when too much is kept.
    share_added = min(1.0, float(MOST_BITS / bits_kept))
    return min(bits_added * share_added, MOST_ADDED), min(bits_kept, MOST_BITS) / 8


def _steps_in_reach(window: Sequence[Any], steps: int, folds_added: int, folds: int) -> Any:
    """How many sums of the first folds, in steps from -1 each, the others may bring into a window of the mean."""
    lower = (window[0] + 1) * steps * folds
    upper = (window[1] + 1) * steps * folds
    most_of_others = 2 * steps * (folds - folds_added)
    least_sum = max(0, lower - most_of_others)
    most_sum = min(upper, 2 * steps * folds_added)
    return most_sum - least_sum + folds


def _number_of_values(names: Sequence[str], rows: tuple[int, ...]) -> float:
    """About how many values these scores have together; classes of one size, and clusters, may change places."""
    exchanges = prod(map(factorial, Counter(rows).values()))
    distinct_matrices = matrices_of(rows) / exchanges
    values = 1.0
    for name in names:
        if name in OF_CLUSTERINGS:
            orders_of_clusters = factorial(len(rows))
        else:
            orders_of_clusters = 1
        values *= (_whole_steps(name, (rows,)) or distinct_matrices / orders_of_clusters) + 1
    return min(values, distinct_matrices + 1)


def _sums_of_first_folds(names: Sequence[str], folds: tuple[tuple[int, ...], ...]) -> list[float]:
    """About how many sums of scores the first folds have: none of them, one, and so on."""
    sums = [1.0]
    folds_seen = Counter[tuple[int, ...]]()
    for i, rows in enumerate(folds, 1):
        sums_in_steps = prod((_whole_steps(name, folds) or inf) * i + 1 for name in names)
        # Equal folds are multisets of values: binomials, one factor a fold.
        equal_folds = folds_seen[rows]
        multisets = sums[-1] * (_number_of_values(names, rows) + equal_folds) / (equal_folds + 1)
        sums.append(min(sums_in_steps, multisets))
        folds_seen[rows] += 1
    return sums


def _whole_steps(name: str, folds: tuple[tuple[int, ...], ...]) -> int | None:
    """The steps in which a share of objects is whole in every fold; None for other scores, and for too many steps."""
    if name == "acc":
        steps = lcm(*map(sum, folds))
    elif name == "recall" or name == "bacc":
        sizes = [size for rows in folds for size in rows if size]
        steps = lcm(*sizes) * len(folds[0])
    else:
        return None
    return steps if steps <= EXACT else None
