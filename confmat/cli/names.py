"""Names that the shell completes."""

import confmat as cm


def statistic_names(incomplete: str) -> list[str]:
    """Short names of statistics that begin so.

    >>> statistic_names("nme")
    ['nmed']
    """
    return [name for name in cm.statistics.STATISTICS if name.startswith(incomplete)]


def conjecture_names(incomplete: str) -> list[str]:
    """Names of statements of the literature that begin so.

    >>> "rd-max" in conjecture_names("rd-")
    True
    """
    return [name for name in cm.conjectures.LITERATURE if name.startswith(incomplete)]
