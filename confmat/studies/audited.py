"""What the papers print, audited: which confusion matrices can have the scores of a row.

Rows that state sizes of classes or clusters, or objects and how many clusters, and scores of hard partitions.  Those of
soft partitions are of no whole numbers, and Amodio et al. (2015) and Espindola & Ebecken (2005) print no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from confmat.auditing import Report, audit
from confmat.errors import TooLarge
from confmat.plans.methods import Resources
from confmat.studies.santos2009_printed import CLASS_SIZES, MULTI_CLASS, TABLE_5, TWO_CLASS

if TYPE_CHECKING:
    import pandas as pd

CHACON = {
    "Table 1": Report.of((50, 50, 50), clusters=3, columns=(50, 49, 51), ard="0.0589877"),
    "Section 3.3, 18 + 2": Report.of((18, 2), clusters=2, columns=(18, 2), ard="1.0967"),
    "Section 3.3, 11 + 9": Report.of((11, 9), clusters=2, columns=(15, 5), ard="0.6678"),
    "the outlier": Report.of(n=20, clusters=(3, 3), med="0.20", ard="1.10758"),
}
FLYNT = {
    "Table 2": Report.of((50, 50), ri="0.715", ari="0.430"),
    "Table 2, closer": Report.of((50, 50), ari="0.404"),
    "Table 2, apart": Report.of((50, 50), ari="0.513"),
    "Tables 8, 9: VVV": Report.of((76, 36, 33), clusters=3, columns=(81, 36, 28), ari="0.664"),
    "Table 8: EEI": Report.of((76, 36, 33), clusters=9, ari="0.564"),
    "Table 8: VVV and EEI": Report.of((81, 36, 28), clusters=9, ari="0.799"),
}

_SIZES: Mapping[str, tuple[int, ...]] = {
    **CLASS_SIZES,
    "Breast Tissue": (21, 15, 18, 16, 14, 22),
    "Cleveland HD 5": (160, 54, 35, 35, 13),
    "Glass": (70, 76, 17, 13, 9, 29),
    "Iris": (50, 50, 50),
    "Wine": (59, 71, 48),
}
SANTOS = {
    f"{name}, {classifier}": Report.of(
        _SIZES[name],
        acc=f"{TABLE_5[name, classifier, 'COR']:.2f}%",
        bacc=f"{TABLE_5[name, classifier, 'BCR']:.2f}%",
        ari=f"{TABLE_5[name, classifier, 'ARI']:.2f}",
    )
    for name, classifier in (*TWO_CLASS, *MULTI_CLASS)
    if name in _SIZES
}
"""Table 5 where Table 4 has the sizes: not Olive and Thyroid, nor Arcene and Leukemia with one test set each."""


# What is estimated to take longer stays open.
LITTLE = Resources(seconds=30)

VERDICTS = ("possible", "without")
"""Columns of ``audited`` that say what its numbers do not."""


def audited(reports: Mapping[str, Report], runs: int = 1) -> pd.DataFrame:
    """A row a report: ``ours``, how many matrices have all that it prints (NaN where they are not counted).

    ``possible``, and ``without``: each of the scores without which it is known to be.  ``runs`` > 1: ``means``, whether
    accuracy and balanced accuracy can be means over so many matrices of all objects.  Their sum is one matrix that has
    these two, of classes so many times as large; means of the ARI are another question.

    >>> audited({"iris": SANTOS["Iris, MLP"]}, runs=20).loc["iris"].to_dict()
    {'ours': 0, 'possible': 'no', 'without': '', 'means': 'no'}
    """
    import pandas as pd

    rows = {}
    for name, report in reports.items():
        found = replace(audit(report), resources=LITTLE)
        rows[name] = {
            "ours": float("nan") if found.matrices is None else found.matrices,
            "possible": "yes" if found.possible else "no",
            "without": " or ".join(found.culprits),
        }
        if runs > 1:
            rows[name]["means"] = _of_runs(report, runs)
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("row")


def _of_runs(report: Report, runs: int) -> str:
    """Whether the accuracies of a report can be means over so many matrices."""
    acc, bacc = report.scores["acc"], report.scores["bacc"]
    try:
        summed = Report.of([runs * x for x in report.rows or ()], acc=acc, bacc=bacc)
        return "yes" if audit(summed, resources=LITTLE).possible else "no"
    except TooLarge:
        return "open"
