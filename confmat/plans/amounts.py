"""Times, bytes and counts in words."""

from __future__ import annotations

from decimal import Decimal

_UNITS = (("years", 31_557_600), ("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))


def duration(seconds: float | Decimal) -> str:
    """A time in the largest unit that it fills.

    >>> duration(0.2), duration(195), duration(4e9), duration(1e30)
    ('less than a second', '3.2 minutes', '127 years', '3e+22 years')
    """
    if seconds < 1:
        return "less than a second"
    unit, length = next((unit, length) for unit, length in _UNITS if seconds >= length)
    amount = Decimal(seconds) / length
    if amount < 10:
        return f"{amount:.1f} {unit}"
    return f"{amount:,.0f} {unit}" if amount < 1e6 else f"{amount:.0e} {unit}"


def size(octets: float | Decimal) -> str:
    """A number of bytes.

    >>> size(162788820), size(2527747340), size(10**18)
    ('155 MiB', '2.4 GiB', '931,322,575 GiB')
    """
    gib = Decimal(octets) / 2**30
    if gib >= 10:
        return f"{gib:,.0f} GiB" if gib < 1e9 else f"{gib:.0e} GiB"
    return f"{gib:.1f} GiB" if gib >= 1 else f"{Decimal(octets) / 2**20:.0f} MiB"


def whole(count: int) -> str:
    """A count with its digits grouped, or rounded beyond 20 digits.

    >>> whole(204063621701016), whole(10**40)
    ('204,063,621,701,016', '1.000e+40')
    """
    return f"{count:,}" if count < 10**20 else f"{Decimal(count):.3e}"
