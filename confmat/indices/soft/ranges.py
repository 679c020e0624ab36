"""What values a soft index can take: proved ends, and what lies outside of [0, 1]."""

from __future__ import annotations

from confmat.arguments import as_choice
from confmat.indices.soft.relabelings import INDICES

RangeEnds = tuple[int | None, int | None]

# Their pair counts are not negative: quotients of parts of them.
_OF_DEGREES = ("campello", "huellermeier", "frigui", "brouwer")


def value_range(index: str) -> RangeEnds:
    """The least and the largest value of a soft index, None where there is no end.

    Of no more clusters than objects on both sides.  An end is proved; it need not be attained.  The pair counts of
    Anderson, b and c, are not negative, but a can be (statement `sari-range`); those of the other families are degrees
    in [0, 1], added up, and an adjusted Rand index of four counts >= 0 is the kappa of a table, at least -1.

    >>> value_range("sari"), value_range("ndc"), value_range("frigui_adjusted_rand")
    ((None, 1), (0, 1), (-1, 1))
    """
    as_choice("index", index, INDICES)
    family, _, function = index.partition("_")
    if index == "ndc":
        return 0, 1
    if family not in _OF_DEGREES:
        return None, 1
    return (-1 if function == "adjusted_rand" else 0), 1


def range_in_words(index: str) -> str:
    """The same for a page.

    >>> range_in_words("sari"), range_in_words("ndc")
    ('at most 1', '0 to 1')
    """
    least_value, largest_value = value_range(index)
    if least_value is None:
        return f"at most {largest_value}"
    return f"{least_value} to {largest_value}"


def outside(value: float) -> str:
    """What is to be said of a value: that it is 0/0, or outside of [0, 1]; nothing else.

    >>> outside(-0.25), outside(float("nan")), outside(0.5)
    ('below 0', '0/0', '')
    """
    if value != value:
        return "0/0"
    if value < 0:
        return "below 0"
    if value > 1 + 1e-12:
        return "above 1"
    return ""
