"""Statistics named with what they are taken of: "ard_ab" of a pair of clusterings, "ari_after" of a change."""

import re
from collections.abc import Iterable
from dataclasses import replace

from confmat.statistics.conditions import Condition, as_condition
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS


def named(text: str, endings: Iterable[str]) -> list[Statistic]:
    """The statistics that a text names with one of some endings, each under its name there; no name of the table.

    >>> [statistic.name for statistic in named("ard_ac <= ard_ab + ard_bc, wallace_ab > 0", ("ab", "bc", "ac"))]
    ['ard_ac', 'ard_ab', 'ard_bc']
    """
    found = dict.fromkeys(re.findall(rf"(\w+)_({'|'.join(endings)})\b", text))
    return [
        replace(STATISTICS[name], name=f"{name}_{ending}")
        for name, ending in found
        if name in STATISTICS and f"{name}_{ending}" not in STATISTICS
    ]


def condition_on(
    condition: str | Condition,
    endings: tuple[str, ...],
    argument: str = "statement",
    what: str = "changed tables",
    of_clusterings: bool = True,
) -> Condition:
    """The condition of a text all of whose statistics have one of some endings; and are of two clusterings.

    >>> condition_on("ari_after > ari_before", ("before", "after")).names
    ('ari_after', 'ari_before')
    """
    if isinstance(condition, Condition):
        return condition
    found = as_condition(condition, argument, known=named(condition, endings))
    for statistic in found.statistics:
        if statistic.name in STATISTICS or (of_clusterings and not statistic.of_clusterings):
            raise ValueError(
                f"{argument} must be on {what}, such as ard_{endings[0]}, got {statistic.name} in {condition!r}"
            )
    return found


def statistic_of(statistic: Statistic) -> tuple[Statistic, str]:
    """The statistic of the table and the ending behind one of ``named``.

    >>> statistic_of(named("ari_after > 0", ("after",))[0])[1]
    'after'
    """
    name, ending = statistic.name.rsplit("_", 1)
    return STATISTICS[name], ending
