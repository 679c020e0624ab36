"""The front door to laws: over a class of matrices."""

from __future__ import annotations

import os
from collections.abc import Iterable
from operator import attrgetter
from typing import Any

from confmat._arguments import as_path
from confmat._engine.blocks import WEIGHTS
from confmat._limits import (
    Limits,
    as_limits,
    plannable,
)
from confmat.classes import MatrixClass
from confmat.distributions.joint_distribution import Law
from confmat.distributions.sources import Pass, Source, load
from confmat.distributions.ways import LawQuestion
from confmat.statistics.record import Statistic
from confmat.statistics.table import as_statistic, check_square


def _question(
    matrices: MatrixClass,
    *statistics: str | Statistic | Any,
    weight: str = "tables",
    limits: Limits | None = None,
) -> LawQuestion:
    """What a call of ``joint`` asks, its arguments checked."""
    records = statistics_over(matrices, statistics)
    resources_read = as_limits(limits)
    if weight not in WEIGHTS:
        raise ValueError(f'weight must be "tables" or "labelings", got {weight!r}')
    return LawQuestion(matrices, records, weight, resources_read)


@plannable(_question)
def joint(
    matrices: MatrixClass,
    *statistics: str | Statistic | Any,
    weight: str = "tables",
    limits: Limits | None = None,
) -> Law:
    """Exact joint law of some statistics over a class of matrices.

    ``confmat table`` is this on the command line.

    ``statistics``: short names of the table ``confmat.statistics.STATISTICS`` (``confmat statistics`` prints it; some
    are of square matrices alone, rows = truth), the index functions that they name, or functions of a matrix of one's
    own (wrapped in ``Statistic`` to declare what leaves them unchanged).
    ``weight``: "tables", each matrix once (the default), or "labelings", each pair of labelings once, n!/prod x! for a
    matrix with cells x.
    ``limits``: threads or executor, checkpoint, progress.  A law with a statistic that has no formula is computed
    table by table, in one thread: it takes progress, but no executor and no checkpoint.  A function compiled by
    ``numba.njit`` runs in a compiled loop: (20,3,3), 2.8 million matrices without a symmetry, in two seconds.

    Nothing is enumerated before something is asked of the result (``confmat.plan(joint, ...)`` tells what that takes;
    beyond the limits, an hour by default, it is refused: TooLarge); then one pass answers everything, as long as the
    distinct values of what the statistics depend on can be held: (50,4,4), 2*10^14 matrices, takes minutes and 0.4 GB.

    ``law.basis`` says whether the answer assumes the declared symmetry of a statistic of one's own.

    Raises TypeError or ValueError for an unknown statistic or weight, or a metric of a class that is not square.

    >>> from confmat.classes import Tables
    >>> law = joint(Tables(5, 2, 2), "med", "rd", "ard")
    >>> law.total, law["rd"].mean, law.given("med<=1/5")["ard"].max, law.probability("ard>1")
    (36, Fraction(2, 5), Fraction(5, 6), Fraction(4, 9))
    >>> from confmat.classes import FixedRows
    >>> joint(FixedRows([3, 2, 1], 2, empty=False), "ri", weight="labelings")["ri"].mean  # Gates and Ahn (2017)
    Fraction(236, 465)
    >>> [(str(value), weight, each["rd"].mean) for value, weight, each in law.given_each("med")]
    [('0', 8, Fraction(0, 1)), ('1/5', 12, Fraction(2, 5)), ('2/5', 16, Fraction(3, 5))]
    """
    question = _question(matrices, *statistics, weight=weight, limits=limits)
    every_signature = Pass(question.matrices, question.weight, question.limits)
    return Law(question.matrices, question.statistics, question.weight, Source(every_signature))


def open_law(path: str | os.PathLike[str], *statistics: Any) -> Law:
    """Return the distribution that was written to a file by ``law.save``.

    ``statistics``: names or records, as ``joint`` takes them, of those with formulas. Default: "med", "rd" and "ard".
    The file must have the digest that was written with it, and its weights must add up to the count of the class.

    Raises CheckpointError if the file is damaged or of another form, and ValueError for other statistics.

    >>> import confmat as cm
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     whole = cm.joint(cm.Tables(20, 3, 3), "ard")
    ...     whole.save(f"{folder}/20-3-3")
    ...     law = cm.open_law(f"{folder}/20-3-3", "ard", "jaccard")
    ...     law["ard"].mean == whole["ard"].mean, law["jaccard"].max
    (True, Fraction(1, 1))
    """
    location = as_path("path", path)
    if not location.is_file():
        raise ValueError(f"path must be a file of law.save, got {str(path)!r}")
    source = load(location)
    _ = source.found  # compared with the count
    records = statistics_over(source.matrices, statistics or ("med", "rd", "ard"))
    names_without_formulas = [statistic.name for statistic in records if not statistic.counted]
    if names_without_formulas:
        raise ValueError(
            f"statistics of a stored law must have formulas in m, A, B and P, got {names_without_formulas}"
        )
    return Law(source.matrices, records, source.weight, Source(source))


def statistics_over(matrices: MatrixClass, statistics: Iterable[Any]) -> tuple[Statistic, ...]:
    """Statistics by name, function or record, all of which a class can have; TypeError, ValueError.

    >>> from confmat.classes import Tables
    >>> [statistic.name for statistic in statistics_over(Tables(4, 2, 2), ["med", "ari"])]
    ['med', 'ari']
    """
    if not isinstance(matrices, MatrixClass):
        raise TypeError(f"matrices must be a class of matrices such as Tables(20, 3, 3), got {matrices!r}")
    records = tuple(map(as_statistic, statistics))
    if not records:
        raise ValueError('statistics must name at least one statistic, such as "med"')
    names = [*map(attrgetter("name"), records)]
    if len(set(names)) < len(names):
        raise ValueError(f"statistics must have different names, got {names}")
    check_square(matrices, records)
    return records
