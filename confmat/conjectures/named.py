"""Names such as "ard_mean" in formulas: a statistic and a moment or quantile of its distribution."""

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
    """Name such as "ari_mean" in a formula, as a `Statistic`.

    The name means a moment or quantile of the distribution of a statistic. ``taken`` is this statistic ("ari"), and
    ``where`` is the ending ("mean").

    >>> mean = Taken.of_record(STATISTICS["ari"], "mean")
    >>> mean.name, mean.taken is STATISTICS["ari"], mean.where
    ('ari_mean', True, 'mean')
    """

    _: KW_ONLY
    taken: Statistic
    where: str

    @classmethod
    def of_record(cls, statistic: Statistic, where: str) -> Taken:
        """Return the `Taken` of a statistic and an ending such as "mean"."""
        record: dict[str, Any] = {x.name: getattr(statistic, x.name) for x in fields(statistic)}
        return cls(**record | {"name": f"{statistic.name}_{where}"}, taken=statistic, where=where)


def named(text: str, endings: Iterable[str]) -> list[Taken]:
    """Return a `Taken` for each name in a string that consists of a statistic and one of ``endings``.

    A name that is itself a statistic is left out.

    >>> [statistic.name for statistic in named("ard_mean <= med_max, wallace_ab > 0", ("mean", "max"))]
    ['ard_mean', 'med_max']
    """
    names_with_endings = dict.fromkeys(re.findall(rf"(\w+)_({'|'.join(endings)})\b", text))
    statistics = []
    for name, ending in names_with_endings:
        if name in STATISTICS and f"{name}_{ending}" not in STATISTICS:
            statistics.append(Taken.of_record(STATISTICS[name], ending))
    return statistics


def condition_on(text: str, endings: tuple[str, ...], argument: str = "statement") -> Condition:
    """Return the condition in a string. Raise ValueError unless every statistic in it has one of ``endings``.

    ``argument`` is the name of the argument in the error message.

    >>> condition_on("ari_max > ari_mean", ("mean", "max")).names
    ('ari_max', 'ari_mean')
    """
    result = as_condition(text, argument, known=named(text, endings))
    for statistic in result.statistics:
        if not isinstance(statistic, Taken):
            raise ValueError(
                f"{argument} must compare moments or quantiles of distributions, such as ard_{endings[0]}, "
                f"got {statistic.name} in {text!r}"
            )
    return result


def statistic_of(statistic: Statistic) -> tuple[Statistic, str]:
    """Return the statistic and the ending of a `Taken`, such as ARI and "mean" for "ari_mean".

    >>> statistic_of(named("ari_mean > 0", ("mean",))[0])[1]
    'mean'
    """
    assert isinstance(statistic, Taken)
    return statistic.taken, statistic.where


def behind(statistic: Statistic) -> Statistic:
    """Return the statistic whose moment or quantile a `Taken` names, or another statistic unchanged.

    >>> behind(named("ari_mean > 0", ("mean",))[0]) is behind(STATISTICS["ari"])
    True
    """
    return statistic.taken if isinstance(statistic, Taken) else statistic
