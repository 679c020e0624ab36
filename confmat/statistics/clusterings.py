"""Records (`Statistic`) of the indices of two clusterings, declared at the functions of `confmat.indices`."""

from __future__ import annotations

from types import ModuleType

from confmat.indices import association, information, overlaps, partition
from confmat.indices.records import RECORDS
from confmat.statistics.record import Statistic


def statistics_of(*modules: ModuleType) -> dict[str, Statistic]:
    """Return a dict from names to the statistics that some modules declare, in the order of declaration.

    >>> list(statistics_of(overlaps))
    ['purity', 'van_dongen', 'pair_kappa']
    """
    statistics: dict[str, Statistic] = {}
    for module in modules:
        for record in RECORDS.values():
            if record.function.__module__ == module.__name__:
                fields = dict(record.fields)
                if "of" in fields:
                    fields["of"] = statistics[fields["of"]]
                statistics[record.name] = Statistic(record.name, index=record.function, tested=True, **fields)
    return statistics


_BY_NAME = statistics_of(partition, information, overlaps)

CLUSTERINGS = tuple(_BY_NAME.values())
MED, RD, ARD = _BY_NAME["med"], _BY_NAME["rd"], _BY_NAME["ard"]

# Statistics of tests of independence.
ASSOCIATION = tuple(statistics_of(association).values())
