"""What is asked of an audit, and what each way to answer it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import factorial, inf, lcm, prod

from confmat.auditing.boxes import forecast
from confmat.auditing.choices import RATE, seconds_of_ranges
from confmat.auditing.folds import EXACT, PATIENCE_OF_CHOICES, PLACES
from confmat.auditing.report import Report
from confmat.certificates.means import BITS_OF_A_SUM, MOST_ADDED, MOST_BITS, matrices_of
from confmat.certificates.ranges import OF_CLUSTERINGS
from confmat.certificates.reports import divisions
from confmat.plans import Question, Resources
from confmat.sheets import whole

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
_OF_A_MATRIX, _OF_A_VALUE = 2e-6, {"mcc": 1.5e-4, "fm": 1.5e-4, "gmean": 1.5e-4, "nmi": 5e-4}
_SECONDS_OF_FOLD, _BITS_OF_SUMS, _FASTER = 0.02, 2**35, 3


@dataclass(frozen=True)
class Auditing(Question):
    """What is asked: whether a report is possible."""

    report: Report
    resources: Resources = field(default_factory=Resources)
    asked: str | None = None

    def __str__(self) -> str:
        return f"audit {self.report} of {self.report.matrices()}"


def seconds_of_listing(asked: Auditing) -> float:
    """About how long a listing takes; beyond the limit, which ends the forecast, by the margins seen.

    >>> report = Report.of(classes=(50, 50, 50), acc="0.893", ari="0.7302")
    >>> seconds_of_listing(Auditing(report)) < 1
    True
    """
    question, count = asked.report.question, 0.0
    margins = [*question.margins()]
    boxes = _FORECAST // (question.r * question.s * len(margins)) if margins else 0
    most = min(asked.resources.limits()[0], PATIENCE)
    for seen, rows in enumerate(margins, 1):
        count += forecast(question, rows, boxes)
        if count > most * _RATE:
            return count / seen * len(margins) / _RATE
    return count / _RATE


def seconds_of_deciding(asked: Auditing) -> float:
    """A proof by as many boxes as there may be, and a search for each of the row sums.

    >>> round(seconds_of_deciding(Auditing(Report.of(classes=(50, 50, 50), acc="0.893"))), 3)
    6.1
    """
    report = asked.report
    cells = max(1, report.shape[0] * report.shape[1] / _CELLS)
    searches = sum(1 for _ in report.question.margins()) * _SECONDS_OF_SEARCH
    return BOXES * _SECONDS_OF_BOX * cells + searches


def too_many_margins(asked: Auditing) -> str | None:
    """Why the row sums are too many to go through, where they are not known."""
    report = asked.report
    left = report.n - report.question.least_row * report.shape[0]
    if report.rows or left < 0:
        return None
    # More parts than 40 only make more of what is too much already: 40 objects have 37 338 partitions.
    sizes = [min(len(group), 40) for group in report.question.groups()]
    many = sum(1 for _ in islice(divisions(left, sizes, 0), _MOST_MARGINS + 1))
    return f"more than {whole(_MOST_MARGINS)} ways to divide the rows" if many > _MOST_MARGINS else None


def cost_of_means(asked: Auditing) -> tuple[float, float]:
    """Seconds and bytes of the folds' scores and their sums; of counting and of ranges no more than is allowed.

    >>> seconds, octets = cost_of_means(Auditing(Report.of(classes=(8, 8), acc="0.9375", folds=4)))
    >>> 0 < seconds < 10, octets > 0
    (True, True)
    """
    report = asked.report
    folds, names = report.folds or (), report.question.names
    listed = sum(map(matrices_of, {*folds}))
    groups = sum(_values(names, rows) for rows in {*folds})
    seconds = listed * len(names) * _OF_A_MATRIX + groups * sum(_OF_A_VALUE.get(x, 1e-5) for x in names)
    work, kept = _sums(report)
    seconds += len(folds) * _SECONDS_OF_FOLD + work / _BITS_OF_SUMS
    # What is tried for the choices: each sum of the folds before, with each matrix.
    ways = sum(x * _values(names, rows) for x, rows in zip(_several(names, folds), folds))
    allowed, memory = (asked.resources.said or PATIENCE_OF_CHOICES, asked.resources.limits()[1])
    left = max(0.0, asked.resources.limits()[0] - seconds)
    tried = max(0.0, min(ways * len(names) * 8, min(allowed, _FASTER * left) * RATE, memory - kept))
    counting = tried / RATE / _FASTER
    ranges = min(left - counting, seconds_of_ranges(listed, groups))
    return seconds + counting + ranges, kept + tried


def _sums(report: Report) -> tuple[float, float]:
    """Bits that are added for the sums of all folds, and bytes that are kept."""
    folds, question = report.folds or (), report.question
    # A score is told from its window by a decimal more than it is printed with.
    windows = question.windows
    finest = max(1 / (high - low) for low, high, *_ in windows) * 10
    places = next((x for x in PLACES if finest <= 10**x), PLACES[-1])
    grid = [_whole_steps(name, folds) or 10**places for name in question.names]
    several = [_several([name], folds) for name in question.names]
    together = _several(question.names, folds)
    # Long integers are of the score with the most values.
    *others, last = sorted(range(len(grid)), key=lambda k: (min(2 * grid[k], several[k][1]), grid[k]))
    before, kept, work = 1.0, 0.0, 0.0
    for i, rows in enumerate(folds, 1):
        room = 1.0
        for k in others:
            low, high = ((x + 1) * grid[k] * len(folds) for x in windows[k][:2])
            within = min(high, 2 * grid[k] * i) - max(0, low - 2 * grid[k] * (len(folds) - i)) + len(folds)
            room *= max(1, min(within, several[k][i]))
        bits = 2 * grid[last] * i + BITS_OF_A_SUM
        work += before * _values(question.names, rows) * bits
        before = min(room, together[i])
        kept += before * bits
    return min(work * min(1, MOST_BITS / kept), MOST_ADDED), min(kept, MOST_BITS) / 8


def _values(names: Sequence[str], rows: tuple[int, ...]) -> float:
    """About how many values these scores have together; classes of one size, and clusters, may change places."""
    alike, values = prod(map(factorial, Counter(rows).values())), 1.0
    for name in names:
        clusters = factorial(len(rows)) if name in OF_CLUSTERINGS else 1
        values *= (_whole_steps(name, (rows,)) or matrices_of(rows) / alike / clusters) + 1
    return min(values, matrices_of(rows) / alike + 1)


def _several(names: Sequence[str], folds: tuple[tuple[int, ...], ...]) -> list[float]:
    """About how many sums of scores the first folds have: none of them, one, and so on."""
    choices, seen = [1.0], Counter[tuple[int, ...]]()
    for i, rows in enumerate(folds, 1):
        room = prod((_whole_steps(name, folds) or inf) * i + 1 for name in names)
        choices.append(min(room, choices[-1] * (_values(names, rows) + seen[rows]) / (seen[rows] + 1)))
        seen[rows] += 1
    return choices


def _whole_steps(name: str, folds: tuple[tuple[int, ...], ...]) -> int | None:
    """The steps in which a share of objects is whole in every fold; None for other scores, and for too many steps."""
    if name == "acc":
        steps = lcm(*map(sum, folds))
    elif name == "recall" or name == "bacc":
        steps = lcm(*(x for rows in folds for x in rows if x)) * len(folds[0])
    else:
        return None
    return steps if steps <= EXACT else None
