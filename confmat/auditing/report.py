"""A report: the scores that are printed, and what is known of the matrix behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from confmat.answers import Answer, Part, Verbatim
from confmat.arguments import as_choice, as_count, as_counts, as_few, as_flag, as_fraction
from confmat.auditing.scores import Score, as_score, title
from confmat.certificates.ranges import OF_A_CLASS, ROUNDINGS, misses, window
from confmat.certificates.reports import LETTERS, ReportQuestion, alike_texts
from confmat.certificates.verdict import Unreadable

_MOST_FOLDS = 10**4


@dataclass(frozen=True)
class Report(Answer):
    """Printed scores, and the r x s matrices that they may be of; most easily made by ``Report.of``.

    ``scores``: digits by name (``confmat.auditing.SCORES``; also recall_1, precision_1, f1_1, .. of one class), texts
    such as "0.90", ".9" or "90.0%".  ``n`` objects, in ``rows`` and ``columns`` of these sizes where they are known.
    ``paired``: rows are true classes and columns the predicted ones; otherwise columns are clusters, and rows too where
    their sizes are not known.  ``empty``: clusters may be empty; without it there are exactly so many.
    ``rounding``: "half-up", "half-even", "truncation", or "any" of the three.  ``undefined``: what counts
    for 0/0, 0 to 1: precision, recall or F1 of a class within a mean, kappa, MCC, Jaccard and FM (scikit-learn: 0).
    ``folds``: the sizes of the classes in each; scores are means of those of one matrix for each.

    Raises TypeError or ValueError naming the argument.

    >>> Report.of(classes=(50, 50, 50), acc=0.893)
    Traceback (most recent call last):
    ...
    TypeError: acc must be the digits as they are printed, '0.90' and not 0.9, got 0.893
    """

    scores: Mapping[str, str]
    n: int
    shape: tuple[int, int]
    rows: tuple[int, ...] | None = None
    columns: tuple[int, ...] | None = None
    paired: bool = True
    empty: bool = False
    rounding: str = "any"
    undefined: Fraction = Fraction(0)
    folds: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        as_choice("rounding", self.rounding, ROUNDINGS)
        object.__setattr__(self, "empty", as_flag("empty", self.empty))
        object.__setattr__(self, "undefined", as_fraction("undefined", self.undefined))
        if not 0 <= self.undefined <= 1:
            raise ValueError(f"undefined must be from 0 to 1, got {self.undefined}")
        as_count("n", self.n, minimum=1)
        if not 0 < len(self.scores) <= len(LETTERS):
            raise ValueError(
                f"scores must be 1 to {len(LETTERS)} printed numbers, such as acc='0.893', got {len(self.scores)}"
            )
        scores = {as_score(name): digits for name, digits in self.scores.items()}
        if len(scores) < len(self.scores):
            raise ValueError(f"scores must be named once each, got {', '.join(self.scores)}")
        object.__setattr__(self, "scores", scores)
        for name, digits in scores.items():
            self._check_score(name, digits)
        if self.folds is not None:
            if self.rows is None or self.columns is not None or not self.paired:
                raise ValueError("folds need classes of known sizes alone, without columns and clusters")
            object.__setattr__(self, "folds", _sizes_of_folds(self.rows, self.folds))
        # Known classes may be empty.
        if self.rows is None:
            least_row = self.question.least_row
        else:
            least_row = 0
        for lines, least_size in zip(self.shape, (least_row, self.question.least)):
            if self.n < lines * least_size:
                raise ValueError(
                    f"n must be at least {lines}, the number of lines that are not empty, got {self.n}"
                )

    def _check_score(self, name: str, digits: Any) -> None:
        if not isinstance(digits, str):
            raise TypeError(
                f"{name} must be the digits as they are printed, '0.90' and not 0.9, got {digits!r}"
            )
        try:
            score_window = window(digits, self.rounding)
        except Unreadable:
            raise ValueError(
                f"{name} must be a printed number such as 0.893 or 89.3%, got {digits!r}"
            ) from None
        class_score = OF_A_CLASS.fullmatch(name)
        if class_score and int(class_score[2]) > self.shape[0]:
            raise ValueError(f"{name} must be of one of {self.shape[0]} classes")
        least_value, largest_value = Score.of(name, self.shape[0], self.undefined).bounds
        if misses((least_value, largest_value), score_window):
            hint = "" if digits.endswith("%") else ", or with its sign as 89.3%"
            raise ValueError(f"{name} must be from {least_value} to {largest_value}{hint}, got {digits!r}")

    @classmethod
    def of(
        cls,
        classes: Iterable[int] | int | None = None,
        n: int | None = None,
        clusters: Iterable[int] | int | None = None,
        columns: Iterable[int] | None = None,
        **rest: Any,
    ) -> Report:
        """The report of a classifier, or of clusterings.

        ``classes``: their sizes; or how many, of ``n`` objects in all.  ``clusters``: how many columns, which are no
        classes; two numbers, in place of classes, for two clusterings of ``n`` objects.  ``columns``: their sizes, so
        how many objects each class was predicted for, or each cluster holds.  ``folds``: how many, each
        with the same share of every class, or the sizes of the classes in each (needed where folds are not stratified,
        or classes are not divided evenly); a mean of ARIs is not the ARI of all folds together, which is a report of
        one fold.  ``empty``, ``rounding`` and ``undefined`` as above; everything
        else is a score.

        >>> Report.of(n=150, clusters=(3, 4), ari="0.73", rounding="half-up").shape
        (3, 4)
        >>> Report.of(classes=(50, 50), columns=(40, 60), acc="0.9").matrices()
        'confusion matrices of classes of 50, 50 and columns of 40, 60'
        """
        folds = rest.pop("folds", None)
        options: dict[str, Any] = {
            name: rest.pop(name) for name in ("empty", "rounding", "undefined") if name in rest
        }
        of_clusterings = isinstance(clusters, Iterable)
        if of_clusterings == (classes is not None):
            raise ValueError("give classes, or clusters as two numbers such as 3,3, and one of the two only")
        if isinstance(classes, Iterable):
            rows = as_counts("classes", classes)
        else:
            rows = None
        if rows is not None and n not in (None, sum(rows)):
            raise ValueError(f"n must be the sum of classes, {sum(rows)}, got {n}")
        if rows is None and n is None:
            raise ValueError("n must be given where the sizes of the classes are not")
        lines = clusters if of_clusterings else (classes if rows is None else len(rows), clusters)
        shape = as_counts("clusters", (lines[0] if x is None else x for x in lines), minimum=1)  # type: ignore[index,union-attr]
        if len(shape) != 2:
            raise ValueError(f"clusters must be one number or two, got {len(shape)}")
        if rows:
            total = sum(rows)
        else:
            total = as_count("n", n)
        if columns is None:
            sizes = None
        else:
            sizes = as_counts("columns", columns)
        if clusters is None and as_flag("empty", options.get("empty", False)):
            raise ValueError("empty is about clusters, of which there are none")
        if folds is not None:
            options["folds"] = folds
        return cls(rest, total, shape, rows, sizes, clusters is None, **options)

    @cached_property
    def question(self) -> ReportQuestion:
        """The report as the checker of certificates reads it."""
        try:
            return ReportQuestion(self.to_json())
        except Unreadable as error:
            raise ValueError(str(error)) from None

    @cached_property
    def ordered(self) -> ReportQuestion:
        """The question as it is proved: with clusters that match their row where a printed MED says how well."""
        return ReportQuestion(self.to_json(), ordered=True)

    @cached_property
    def judged(self) -> tuple[Score, ...]:
        """Its scores as they are computed."""
        return tuple(Score.of(name, self.shape[0], self.undefined) for name in self.scores)

    def without(self, name: str) -> Report:
        """The report without one of its scores.

        >>> dict(Report.of(classes=(5, 5), acc="0.9", ari="0.6").without("acc").scores)
        {'ari': '0.6'}
        """
        return replace(self, scores={key: x for key, x in self.scores.items() if key != name})

    def as_dict(self) -> dict[str, Any]:
        """What is known and printed; digits are texts, and so is the value of 0/0.

        >>> Report.of(classes=(5, 5), acc="0.90").to_json()["scores"]
        {'acc': '0.90'}
        """
        fields = super().as_dict() | {"undefined": str(self.undefined)}
        if self.folds is None:
            del fields["folds"]
        return fields

    def matrices(self) -> str:
        """Which matrices it may be of, in words.

        >>> Report.of(classes=(50, 50), acc="0.9").matrices()
        'confusion matrices of classes of 50, 50'
        >>> Report.of(n=9, clusters=(2, 3), ari="0.9").matrices()
        'tables of 9 objects in 2 x 3 clusters'
        """
        if self.folds is not None:
            sizes = "; ".join(
                f"{x} ({k})" for x, k in alike_texts(", ".join(map(str, x)) for x in self.folds)
            )
            return f"choices of {len(self.folds)} confusion matrices of classes of {sizes}, one a fold"
        r, s = self.shape
        at_most = "at most " if self.empty else ""
        rows = ", ".join(map(str, self.rows or ()))
        if self.columns is None:
            columns = ""
        else:
            columns = f" and columns of {', '.join(map(str, self.columns))}"
        if self.paired:
            if rows:
                subject = f"classes of {rows}"
            else:
                subject = f"{self.n} objects in {r} classes"
            return f"confusion matrices of {subject}{columns}"
        if rows:
            subject = f"classes of {rows} and {at_most}{s}"
        else:
            subject = f"{self.n} objects in {at_most}{r} x {s}"
        return f"tables of {subject} clusters{columns}"

    def parts(self) -> Iterator[Part]:
        """The scores as they are printed."""
        prefix = "mean " if self.folds else ""
        yield Verbatim(", ".join(f"{prefix}{title(name)} {digits}" for name, digits in self.scores.items()))


def _equal_folds(classes: tuple[int, ...], count: int) -> list[tuple[int, ...]]:
    """The sizes of the classes in each of so many equal folds.

    >>> _equal_folds((4, 6), 2)
    [(2, 3), (2, 3)]
    """
    if any(size % count for size in classes):
        nearly_equal = []
        for extra in reversed(range(count)):
            nearly_equal.append(tuple((size + extra) // count for size in classes))
        raise ValueError(
            f"folds must divide every class of {classes}, or be the sizes of the classes in each, "
            f"such as {nearly_equal!r:.60}, got {count}"
        )
    return [tuple(size // count for size in classes)] * count


def _sizes_of_folds(classes: tuple[int, ...], folds: Any) -> tuple[tuple[int, ...], ...] | None:
    """The sizes of the classes in each fold; None where one fold holds all."""
    if isinstance(folds, str) or not isinstance(folds, Iterable):
        sizes = _equal_folds(classes, as_count("folds", folds, 1, _MOST_FOLDS))
    else:
        sizes = [as_counts(f"folds[{i}]", rows) for i, rows in enumerate(as_few("folds", folds))]
        class_totals = tuple(map(sum, zip(*sizes)))
        if {*map(len, sizes)} != {len(classes)} or class_totals != classes:
            raise ValueError(f"folds must add up to the classes {classes}, got {folds}")
    if not all(map(any, sizes)):
        raise ValueError(f"folds must hold an object each, got {sizes}")
    if len(sizes) > 1:
        return tuple(sizes)
    return None
