"""Statistics named with what they are taken of: "ard_ab" of a pair of clusterings, "ari_after" of a change."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any

from confmat.statistics.conditions import Condition, as_condition
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS


@dataclass(frozen=True, repr=False)
class Taken(Statistic):
    """A statistic as a formula names it with what it is taken of: ``taken`` of ``where``, "ari" of "after".

    >>> after = Taken.of_record(STATISTICS["ari"], "after")
    >>> after.name, after.taken is STATISTICS["ari"], after.where
    ('ari_after', True, 'after')
    """

    _: KW_ONLY
    taken: Statistic
    where: str

    @classmethod
    def of_record(cls, statistic: Statistic, where: str) -> Taken:
        """A statistic with an ending."""
        record: dict[str, Any] = {x.name: getattr(statistic, x.name) for x in fields(statistic)}
        return cls(**record | {"name": f"{statistic.name}_{where}"}, taken=statistic, where=where)


def named(text: str, endings: Iterable[str]) -> list[Taken]:
    """The statistics that a text names with one of some endings, each under its name there; no name of the table.

    >>> [statistic.name for statistic in named("ard_ac <= ard_ab + ard_bc, wallace_ab > 0", ("ab", "bc", "ac"))]
    ['ard_ac', 'ard_ab', 'ard_bc']
    """
    names_with_endings = dict.fromkeys(re.findall(rf"(\w+)_({'|'.join(endings)})\b", text))
    statistics = []
    for name, ending in names_with_endings:
        if name in STATISTICS and f"{name}_{ending}" not in STATISTICS:
            statistics.append(Taken.of_record(STATISTICS[name], ending))
    return statistics


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
    named_statistics = named(condition, endings) if isinstance(condition, str) else ()
    result = as_condition(condition, argument, known=named_statistics)
    for statistic in result.statistics:
        is_known = isinstance(statistic, Taken) and statistic.where in endings
        if not is_known or (of_clusterings and not statistic.of_clusterings):
            raise ValueError(
                f"{argument} must be on {what}, such as ard_{endings[0]}, got {statistic.name} in {str(condition)!r}"
            )
    return result


def statistic_of(statistic: Statistic) -> tuple[Statistic, str]:
    """The statistic and the ending behind one of ``named``.

    >>> statistic_of(named("ari_after > 0", ("after",))[0])[1]
    'after'
    """
    assert isinstance(statistic, Taken)
    return statistic.taken, statistic.where


def behind(statistic: Statistic) -> Statistic:
    """The record that a formula is about: that which was taken of something, else itself.

    >>> behind(named("ari_after > 0", ("after",))[0]) is behind(STATISTICS["ari"])
    True
    """
    return statistic.taken if isinstance(statistic, Taken) else statistic
