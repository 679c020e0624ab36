"""What is asked of an audit, and what each way to answer it takes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from math import factorial, inf, lcm, prod

from confmat.auditing.boxes import forecast
from confmat.auditing.folds import EXACT, PLACES, too_many
from confmat.auditing.report import Report
from confmat.certificates.means import BITS_OF_A_SUM, MOST_ADDED, MOST_BITS, matrices_of
from confmat.certificates.reports import divisions
from confmat.plans.methods import Cost, Question, Resources, whole

# Matrices listed in a second of one core; boxes of a proof, and how long one takes.
_RATE = 10**6
BOXES, _SECONDS_OF_BOX = 20_000, 3e-4
_MOST_MARGINS = 20_000
_RATE_OF_FOLDS, _SECONDS_OF_FOLD, _BITS_OF_SUMS = 10**5, 0.05, 2**34

# Seconds of a listing; cells of the boxes of its forecast; how long a local search takes, and a box, of so many cells.
PATIENCE, _FORECAST = 60, 80_000
_SECONDS_OF_SEARCH, _CELLS = 0.1, 9


@dataclass(frozen=True)
class Auditing(Question):
    """What is asked: whether a report is possible."""

    report: Report
    resources: Resources = field(default_factory=Resources)
    asked: str | None = None

    def __str__(self) -> str:
        return f"audit {self.report} of {self.report.matrices()}"


def cost_of_listing(asked: Auditing) -> Cost:
    """Seconds of a listing; beyond the limit, which ends the forecast, by the margins seen."""
    if too_many_margins(asked) is not None:
        return Cost(inf)
    question, count = asked.report.question, 0.0
    margins = [*question.margins()]
    boxes = _FORECAST // (question.r * question.s * len(margins)) if margins else 0
    most = min(asked.resources.limits()[0], PATIENCE)
    for seen, rows in enumerate(margins, 1):
        count += forecast(question, rows, boxes)
        if count > most * _RATE:
            return Cost(count / seen * len(margins) / _RATE)
    return Cost(count / _RATE)


def cost_of_deciding(asked: Auditing) -> Cost:
    """Seconds of a proof by as many boxes as there may be, and of a search for each of the row sums."""
    if too_many_margins(asked) is not None:
        return Cost(inf)
    report = asked.report
    cells = max(1, report.shape[0] * report.shape[1] / _CELLS)
    searches = sum(1 for _ in report.question.margins()) * _SECONDS_OF_SEARCH
    return Cost(BOXES * _SECONDS_OF_BOX * cells + searches)


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


def cost_of_means(asked: Auditing) -> Cost:
    """Seconds of a listing of the folds, and those and the bytes of the most sums that they may have."""
    folds, question = asked.report.folds or (), asked.report.question
    if not folds or too_many(asked.report) is not None:
        return Cost(inf)
    listing = len(question.names) * sum(map(matrices_of, {*folds})) / _RATE_OF_FOLDS
    # A score is told from its window by a decimal more than it is printed with.
    windows = question.windows
    finest = max(1 / (high - low) for low, high, *_ in windows) * 10
    places = next((x for x in PLACES if finest <= 10**x), PLACES[-1])
    grid = [_whole_steps(name, folds) or 10**places for name in question.names]
    *others, last = sorted(range(len(grid)), key=grid.__getitem__)
    choices, seen, before, kept, work = 1.0, Counter[tuple[int, ...]](), 1.0, 0.0, 0.0
    for i, rows in enumerate(folds, 1):
        # Classes of one size may change places.
        many = matrices_of(rows) / prod(map(factorial, Counter(rows).values())) + 1
        choices *= (many + seen[rows]) / (seen[rows] + 1)
        seen[rows] += 1
        room = 1.0
        for k in others:
            low, high = ((x + 1) * grid[k] * len(folds) for x in windows[k][:2])
            room *= max(
                1, min(high, 2 * grid[k] * i) - max(0, low - 2 * grid[k] * (len(folds) - i)) + len(folds)
            )
        bits = 2 * grid[last] * i + BITS_OF_A_SUM
        work += before * many * bits
        before = min(choices, float(room))
        kept += before * bits
    seconds = min(work * min(1, MOST_BITS / kept), MOST_ADDED) / _BITS_OF_SUMS
    return Cost(listing + len(folds) * _SECONDS_OF_FOLD + seconds, min(kept, MOST_BITS) / 8)


def _whole_steps(name: str, folds: tuple[tuple[int, ...], ...]) -> int | None:
    """The steps in which a share of objects is whole in every fold; None for other scores, and for too many steps."""
    if name == "acc":
        steps = lcm(*map(sum, folds))
    elif name == "recall" or name == "bacc":
        steps = lcm(*(x for rows in folds for x in rows if x)) * len(folds[0])
    else:
        return None
    return steps if steps <= EXACT else None
