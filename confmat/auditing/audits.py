"""The answer to a report: possible, by how many matrices, with which other scores; or impossible, proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import prod
from typing import Any

import numpy as np

from confmat.answers import Answer, Part, details, number_json, text_of
from confmat.answers.sheets import whole
from confmat.auditing.boxes import fitting, missed_score, proof
from confmat.auditing.choices import Choices
from confmat.auditing.costs import (
    BOXES,
    PATIENCE,
    Auditing,
    cost_of_means,
    seconds_of_deciding,
    seconds_of_listing,
    too_many_margins,
)
from confmat.auditing.folds import means, too_many
from confmat.auditing.report import Report
from confmat.auditing.scores import SCORES, Score
from confmat.certificates.means import matrices_of
from confmat.certificates.ranges import OF_CLUSTERINGS
from confmat.certificates.reports import MOST_MATRICES, alike_texts
from confmat.certificates.seals import digest, sealed
from confmat.classes import FixedMargins, FixedRows
from confmat.errors import ConsistencyError, TooLarge
from confmat.integers.compositions import distinct_orderings
from confmat.matrices.texts import matrix_text
from confmat.plans import (
    Resources,
    Run,
    as_resources,
    choose,
    duration,
    excess,
    method,
    out_of_reach,
    plannable,
    register,
)
from confmat.search import minimize
from confmat.statistics.record import Number, Statistic

# Matrices that are kept: ranges are of no more.
MOST_MATRICES_KEPT = 10**5

# Boxes in a certificate, matrices in JSON.
_MOST_BOXES, _MOST_SHOWN = 200_000, 1000


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Answer):
    """Whether a matrix can have the scores of a report.

    ``matrices``: how many have them, None where they are not counted.  ``some``: matrices that have them, all of them
    where ``complete``; clusters, and classes of unknown sizes, in one order.  ``ranges``: the least and largest value
    of every score among these.  ``resources``: what looking for culprits may take.  Of means over folds choices of a
    matrix for each fold are counted, folds told apart, and one is shown (1 x folds x r x r); ranges are of means, and
    of all ``choices``.  ``grid``: the steps of each score in which a certificate adds them up, () where none tell.
    """

    report: Report
    possible: bool
    matrices: int | None
    some: np.ndarray = field(repr=False)
    resources: Resources = field(default_factory=Resources)
    grid: tuple[int, ...] = ()
    choices: Choices | None = field(default=None, repr=False)

    @property
    def complete(self) -> bool:
        """Whether all matrices are listed: ``ranges``, but for those of means, are of matrices listed."""
        is_listed = not self.report.folds and len(self.some) < MOST_MATRICES_KEPT
        return self.matrices is not None and (not self.possible or is_listed)

    @cached_property
    def ranges(self) -> Mapping[str, tuple[Number, Number]]:
        """The least and largest value of every score among the matrices listed, or mean among the choices counted.

        Means of irrational scores are doubles, the least one rounded down and the largest up.  None where the ranges of
        means take longer than ``resources``, or ``confmat.budget``, allow.

        >>> least, largest = audit(classes=(50, 50, 50), acc="0.96", ari="0.886").ranges["f1"]
        >>> round(float(least), 4), round(float(largest), 4)
        (0.9599, 0.96)
        """
        if not self.possible or self._no_ranges:
            return {}
        if self.choices is None:
            range_ = self._listed_range
        else:
            range_ = self.choices.range
        names = dict.fromkeys(
            [
                *(SCORES if self.report.paired else OF_CLUSTERINGS),
                *self.report.scores,
            ]
        )
        return {name: range_(Score.of(name, self.report.shape[0], self.report.undefined)) for name in names}

    @property
    def _no_ranges(self) -> str:
        """Why ranges of means are not given."""
        if self.choices is None:
            return "as choices are not counted" if self.report.folds else ""
        time_needed = excess(self.choices.seconds, resources=self.resources)
        return f"as they take {time_needed}" if time_needed else ""

    def _listed_range(self, score: Score) -> tuple[Number, Number]:
        values = [x for tables in _of_like_rows(self.some) for x in score.keys(tables)[0]]
        return score.value(min(values)), score.value(max(values))

    @cached_property
    def culprits(self) -> tuple[str, ...]:
        """The scores without any one of which an impossible report is known to be possible: none that stays open.

        >>> audit(classes=(50, 50, 50), acc="0.893", ari="0.7301", f1="0.893").culprits
        ('ari',)
        """
        if self.possible or len(self.report.scores) == 1:
            names = []
        else:
            names = [*self.report.scores]
        return tuple(name for name in names if self._possible_without(name))

    def _possible_without(self, name: str) -> bool:
        try:
            return audit(self.report.without(name), resources=self.resources).possible
        except TooLarge:
            return False

    @cached_property
    def _shown(self) -> dict[str, Any]:
        """What shows the answer: a matrix, or a proof for all row sums; of folds the grid, and matrices."""
        if self.report.folds:
            if not self.grid:
                raise TooLarge(
                    f"no steps of the scores tell whether {self.report} is possible, so no certificate"
                )
            if (
                not self.possible
                and (number_of_matrices := sum(map(matrices_of, {*self.report.folds}))) > MOST_MATRICES
            ):
                raise TooLarge(
                    f"a proof that {self.report} is impossible tries {whole(number_of_matrices)} matrices of folds"
                )
            if self.possible:
                matrices = {"matrices": self.some[0].tolist()}
            else:
                matrices = {}
            return {"possible": self.possible, "grid": [*self.grid], **matrices}
        if self.possible:
            return {"possible": True, "matrix": self.some[0].tolist()}
        proofs: list[str] = []
        for rows in self.report.question.margins():
            answer_of_rows = proof(
                self.report.ordered,
                rows,
                _MOST_BOXES - sum(map(len, proofs)),
            )
            if answer_of_rows is None:
                raise TooLarge(
                    f"a proof that {self.report} is impossible has more than {whole(_MOST_BOXES)} boxes"
                )
            if not isinstance(answer_of_rows, str):
                raise ConsistencyError(
                    f"no matrix was found for {self.report}, but there is {matrix_text(answer_of_rows)}"
                )
            proofs.append(answer_of_rows)
        return {"possible": False, "proof": proofs}

    def certificate(self) -> str:
        """The answer as sealed JSON, which ``confmat verify`` and its script, without this package, check.

        Possible: a matrix, or one for each fold.  Impossible: a proof, box by box, or of folds the grid on which the
        checker adds up what all their matrices have; TooLarge for more than 200 000 boxes, or matrices of folds.

        >>> from confmat.certificates import check
        >>> check(audit(classes=(50, 50, 50), acc="0.893", ari="0.7301").certificate())
        'no 3 x 3 confusion matrix of 150 objects in rows of 50, 50, 50 (rounding any, 0/0 counts 0) \
has acc 0.893, ari 0.7301 (367 boxes)'
        """
        return sealed("audit", {**self.report.to_json(), **self._shown})

    def sentence(self) -> str:
        """The answer in a sentence that can be cited, with the digest of its certificate where that is within reach.

        >>> print(audit(classes=(50, 50, 50), acc="0.893", ari="0.9302").sentence())
        None of the confusion matrices of classes of 50, 50, 50 has accuracy 0.893, adjusted Rand index 0.9302 \
(rounding: any; confmat 0.1.0, certificate 5e34e1bb3fdd).
        """
        from confmat import __version__

        try:
            seal = f", certificate {digest('audit', {**self.report.to_json(), **self._shown})[:12]}"
        except TooLarge:
            seal = ""
        if self.matrices is None:
            number = "At least one"
        elif self.matrices:
            number = whole(self.matrices)
        else:
            number = "None"
        report = self.report
        if (self.matrices or 0) > 1:
            verb = "have"
        else:
            verb = "has"
        return (
            f"{number} of the {report.matrices()}{',' * bool(report.folds)} {verb} {report} "
            f"(rounding: {report.rounding}; confmat {__version__}{seal})."
        )

    def as_dict(self) -> dict[str, Any]:
        """The answer by name; digits are texts, other numbers as ``number_json`` writes them.

        >>> audit(classes=(50, 50, 50), acc="0.893", ari="0.9302").to_json()["culprits"]
        ['ari']
        """
        ranges = {
            name: {"least": number_json(a), "largest": number_json(b)} for name, (a, b) in self.ranges.items()
        }
        return {
            "possible": self.possible,
            "matrices": self.matrices,
            "complete": self.complete,
            "ranges": ranges,
            "culprits": list(self.culprits),
            "some": self.some[:_MOST_SHOWN].tolist(),
            "report": self.report.to_json(),
            "sentence": self.sentence(),
        }

    def lines(self) -> list[tuple[str, Any]]:
        """The answer as (name, what it is).

        >>> audit(classes=(50, 50, 50), acc="0.893", ari="0.9302").lines()
        [('possible', 'no'), ('without ari', 'possible')]
        """
        if not self.possible:
            culprits = [(f"without {name}", "possible") for name in self.culprits]
            return [("possible", "no"), *culprits]
        if self.matrices is None:
            number = "not counted"
        else:
            number = whole(self.matrices)
        if self.complete or self.report.folds:
            note = ""
        else:
            note = f" (of the {whole(len(self.some))} listed)"
        ranges = []
        for name, (a, b) in self.ranges.items():
            lower = text_of(float(a))
            upper = text_of(float(b))
            ranges.append((name, f"{lower} .. {upper}{note}"))
        first = self.some[0]
        if self.report.folds:
            first_in_words = ", ".join(f"{x} in {k}" for x, k in alike_texts(map(matrix_text, first)))
            head = [("choices of matrices", number), ("one of them", first_in_words)]
            ranges = ranges or [("ranges", f"not given, {self._no_ranges}")]
            return [("possible", "yes"), *head, *ranges]
        return [
            ("possible", "yes"),
            ("matrices", number),
            ("one of them", matrix_text(first)),
            *ranges,
        ]

    def parts(self) -> Iterator[Part]:
        """The answer in a sentence, and what there is beside it."""
        yield self.sentence()
        yield details(self.lines())

    def brief(self) -> Iterator[Part]:
        """The report and the answer, without the digest of its certificate."""
        yield f"{self.report}: {self.report.matrices()}"
        yield details(self.lines())


def _of_like_rows(tables: np.ndarray) -> list[np.ndarray]:
    """Tables in groups that have the same row sums."""
    sums, group_of_table = np.unique(tables.sum(axis=2), axis=0, return_inverse=True)
    return [tables[group_of_table.reshape(-1) == k] for k in range(len(sums))]


def _audit_question(
    report: Report | None = None, /, *, resources: Resources | None = None, **fields: Any
) -> Auditing:
    if (report is None) == (not fields):
        raise TypeError(
            "give a report, or its fields: classes, n, clusters, .. and scores such as acc='0.893'"
        )
    if not isinstance(report, Report | None):
        raise TypeError(
            f"report must be a Report, such as Report.of(classes=(5, 5), acc='0.9'), got {report!r}"
        )
    return Auditing(
        Report.of(**fields) if report is None else report,
        as_resources(resources),
    )


@plannable(_audit_question)
def audit(report: Report | None = None, /, *, resources: Resources | None = None, **fields: Any) -> Audit:
    """Whether a confusion matrix, or a table of two clusterings, can have the scores that a paper prints.

    The fields of ``Report.of``: ``classes`` (their sizes, or how many of ``n`` objects) or ``clusters`` (how many),
    ``rounding``, ``folds``, and scores as they are printed.  All comparisons are exact.  Matrices are listed where the
    forecast is a minute, or what ``confmat.budget`` allows; else the answer is only whether there is one, or TooLarge.
    Choices of a matrix for each fold are counted, with the ranges of all means, where that takes 5 s, or as budgeted.

    Raises TypeError or ValueError for a report that makes no sense.

    >>> import confmat as cm
    >>> found = cm.audit(classes=(50, 50, 50), acc="0.893", ari="0.7302")
    >>> found.possible, found.matrices
    (True, 6)
    >>> cm.audit(classes=(50, 50, 50), acc="0.893", ari="0.7301").possible
    False
    >>> cm.audit(classes=(8, 8), acc="0.9375", ari="0.7429", folds=4).possible
    False
    """
    return choose(_audit_question(report, resources=resources, **fields)).run()


def _listed_matrices(question: Auditing) -> Audit:
    """Every matrix that has the scores."""
    report = question.report
    count = 0
    tables_kept = [np.zeros((0, *report.shape), np.int64)]
    for rows in report.question.margins():
        groups = [] if report.rows else report.question.groups()
        copies = prod(distinct_orderings(tuple(rows[i] for i in group)) for group in groups)
        for tables in fitting(report.question, rows, report.judged):
            count += copies * len(tables)
            tables_kept.append(tables[: max(0, MOST_MATRICES_KEPT - sum(map(len, tables_kept)))])
    return Audit(
        report,
        count > 0,
        count,
        np.concatenate(tables_kept),
        question.resources,
    )


def _decided(question: Auditing) -> Audit:
    """A matrix that has the scores, or the proof that there is none; TooLarge if neither is found."""
    report = question.report
    for attempt in (
        partial(_proof, boxes_left=BOXES // 20),
        _matrix_by_search,
        partial(_proof, boxes_left=BOXES),
    ):
        if (tables := attempt(report)) is not None:
            return Audit(
                report,
                bool(len(tables)),
                None if len(tables) else 0,
                tables,
                question.resources,
            )
    raise TooLarge(f"{question} is neither possible nor impossible by {whole(BOXES)} boxes and a search")


def _proof(report: Report, boxes_left: int) -> np.ndarray | None:
    """One matrix, no matrix, or None if so many boxes, of all row sums together, do not tell."""
    for rows in report.question.margins():
        answer_of_rows = proof(report.ordered, rows, boxes_left)
        if not isinstance(answer_of_rows, str):
            return None if answer_of_rows is None else answer_of_rows[None]
        boxes_left -= len(answer_of_rows)
    return np.zeros((0, *report.shape), np.int64)


def _audit_of_means(question: Auditing) -> Audit:
    """Matrices of the folds that have the means, or none."""
    report = question.report
    resources = question.resources
    grid, matrices, choices_counted = means(report, resources)
    if matrices is None:
        no_matrices = np.zeros((0, len(report.folds or ()), *report.shape), np.int64)
        return Audit(report, False, 0, no_matrices, resources, grid, choices_counted)
    count = None if choices_counted is None else choices_counted.count
    return Audit(report, True, count, matrices[None], resources, grid, choices_counted)


def _matrix_by_search(report: Report) -> np.ndarray | None:
    """A matrix met by a local search down what is missing to the scores."""
    for rows in report.question.margins():
        misfit = Statistic(
            "misfit",
            lambda table: float(_missing(report, table[None])[0]),
            batch=partial(_missing, report),
            exact=False,
        )
        cls = (
            FixedRows(
                rows,
                report.shape[1],
                empty=not report.question.least,
            )
            if report.columns is None
            else FixedMargins(rows, report.columns)
        )
        for table in minimize(cls, misfit, method="local", restarts=3).minimizers:
            box = report.question.box(rows, table.tolist(), table.tolist())
            if box is not None and missed_score(report.question, box) is None:
                return table[None]
    return None


def _missing(report: Report, tables: np.ndarray) -> np.ndarray:
    """How far tables are from the windows of the scores, in all, in doubles."""
    total = np.zeros(len(tables))
    for score, (lower, upper, _, _) in zip(report.judged, report.question.windows):
        from_middle = abs(score.rough(tables) - float(lower + upper) / 2)
        # What is almost at an end of its window is not yet there.
        total += np.maximum(0, from_middle - 0.45 * float(upper - lower))
    return total


def _why_not_one(question: Auditing) -> Run | str | None:
    """Why ways that look for one matrix do not apply, or are out of reach."""
    if question.report.folds:
        return "is of one matrix"
    limit = too_many_margins(question)
    return None if limit is None else out_of_reach(limit)


@method(
    "listing",
    "boxes that a score leaves out are skipped, the matrices of the others listed",
    "how many matrices, and the ranges of all scores",
)
def _listing(question: Auditing) -> Run | str:
    reason = _why_not_one(question)
    if reason is not None:
        return reason
    seconds = seconds_of_listing(question)
    if question.asked is None and question.resources.said is None and seconds > PATIENCE:
        return f"would take about {duration(seconds)} (limit {duration(PATIENCE)})"
    return Run(lambda: _listed_matrices(question), seconds)


@method("deciding", "a proof by few boxes, or a matrix by a local search", "whether there is a matrix")
def _deciding(question: Auditing) -> Run | str:
    return _why_not_one(question) or Run(lambda: _decided(question), seconds_of_deciding(question))


@method(
    "means of folds",
    "the scores of all matrices of each fold are added up",
    "whether there are matrices of the folds, and where sums are few how many choices, with ranges of means",
)
def _means_of_folds(question: Auditing) -> Run | str:
    if not question.report.folds:
        return "is of folds"
    if (limit := too_many(question.report)) is not None:
        return out_of_reach(limit)
    seconds, octets = cost_of_means(question)
    return Run(lambda: _audit_of_means(question), seconds, octets)


register(Auditing, _listing, _deciding, _means_of_folds)
