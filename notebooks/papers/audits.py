"""What the papers print, audited: which confusion matrices can have the scores of a row.

Rows that state sizes of classes or clusters, or objects and how many clusters, and scores of hard partitions.  Those of
soft partitions are of no whole numbers, and Amodio et al. (2015) and Espindola & Ebecken (2005) print no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from confmat import Resources
from confmat.auditing import Report
from confmat.auditing import audit as audit_report
from confmat.errors import TooLarge
from digits import Key, Value

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

# What is estimated to take longer stays open.
LITTLE = Resources(seconds=30)


def audited(reports: Mapping[str, Report], runs: int = 1) -> dict[Key, Value]:
    """Of each report: how many matrices have all that it prints, whether any has, and without which score one has.

    ``runs`` > 1: ``means``, whether accuracy and balanced accuracy can be means over so many matrices of all objects.
    Their sum is one matrix that has these two, of classes so many times as large; means of the ARI are not asked.

    >>> report = Report.of((50, 50, 50), acc="96.47%", bacc="96.17%", ari="0.90")
    >>> audited({"iris": report}, runs=20)["iris", "means"]
    'no'
    """
    ours: dict[Key, Value] = {}
    for name, report in reports.items():
        found = replace(audit_report(report), resources=LITTLE)
        ours[name, "matrices"] = found.matrices
        ours[name, "possible"] = "yes" if found.possible else "no"
        if not found.possible:
            ours[name, "possible without"] = " or ".join(found.culprits)
        if runs > 1:
            ours[name, "means"] = _of_runs(report, runs)
    return ours


def _of_runs(report: Report, runs: int) -> str:
    """Whether the accuracies of a report can be means over so many matrices."""
    acc, bacc = report.scores["acc"], report.scores["bacc"]
    try:
        summed = Report.of([runs * x for x in report.rows or ()], acc=acc, bacc=bacc)
        return "yes" if audit_report(summed, resources=LITTLE).possible else "no"
    except TooLarge:
        return "open"
