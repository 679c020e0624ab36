"""The best way to draw from a whole class, and the ways that can be asked for by name."""

from contextlib import suppress
from dataclasses import replace

from confmat.classes import FixedMargins, MatrixClass
from confmat.classes.fibers import short, states
from confmat.errors import TooLarge
from confmat.sampling.chain import markov_chain
from confmat.sampling.methods import (
    LARGEST_TOTAL,
    POOR_ACCEPTANCE,
    Method,
    acceptance,
    rejection,
    unranking,
)
from confmat.sampling.short_lines import from_short_lines, has_short_lines

# Numbers beyond 64 bits that unranking may lay out for fixed margins: a minute, 3 GB.
MOST_ENTRIES = 5 * 10**7


def choose(matrices: MatrixClass, method: str = "auto") -> Method:
    """The method called ``method``, or the best one for the class.

    >>> from confmat.classes import FixedRows
    >>> choose(FixedMargins([5, 5, 5], [5, 5, 5])).name, choose(FixedRows([2, 1], 3)).name
    ('counting', 'rejection')
    """
    if method == "auto":
        return _best(matrices)
    if method == "splitting":
        raise ValueError('method "splitting" draws given a MED: it needs given="med=value"')
    asked = "asked for"
    if method == "rejection":
        return rejection(matrices, asked)
    if method == "unranking":
        return unranking(matrices, asked)
    margins = fixed_margins(matrices)
    if margins is None:
        raise ValueError(f"method {method!r} is for FixedMargins, got {matrices!r}")
    if method == "chain":
        return markov_chain(margins, asked)
    from confmat.sampling.fixed import countable, counted

    if has_short_lines(margins):
        return replace(from_short_lines(margins), why=asked)
    if not countable(margins):
        raise ValueError(f"margins {matrices!r} are too large to count in arrays; use unranking or chain")
    return counted(margins, asked)


def fixed_margins(matrices: MatrixClass) -> FixedMargins | None:
    """The row and column sums of a class that is all matrices with them; None for any other class.

    >>> from confmat.classes import FixedRows
    >>> fixed_margins(FixedMargins([2, 1], [1, 2])), fixed_margins(FixedRows([2, 1], 2))
    (FixedMargins(rows=(2, 1), cols=(1, 2)), None)
    """
    if matrices.sides is None:
        return None
    rows, cols = (side.sums for side in matrices.sides)
    return None if rows is None or cols is None else FixedMargins(rows, cols)


def _best(matrices: MatrixClass) -> Method:
    small = matrices.n < LARGEST_TOTAL
    if matrices.proposes:
        return rejection(matrices, "the class makes its own proposals")
    if matrices.sides is None:
        return unranking(matrices, f"one of {short(matrices.count())} members by its position")
    if (margins := fixed_margins(matrices)) is not None:
        return _best_of_margins(margins)
    share = acceptance(matrices)
    if share == 1 and small:
        return rejection(matrices, "every proposal is a member")
    if share >= POOR_ACCEPTANCE and small:
        return rejection(matrices, f"it accepts {float(share):.2%} of its proposals")
    if not small:
        return unranking(matrices, "the total exceeds 64-bit integers")
    return unranking(matrices, f"rejection would accept {100 * float(share):.2g}% of its proposals")


def _best_of_margins(margins: FixedMargins) -> Method:
    from confmat.sampling.fixed import countable, counted

    if has_short_lines(margins):
        with suppress(TooLarge):
            return from_short_lines(margins)
        return markov_chain(margins, "too many tables to count")
    if countable(margins):
        return counted(margins, "numbers of completions fit 64 bits")
    entries = states(margins.cols) * len(margins.rows)
    if margins.n < LARGEST_TOTAL and min(margins.shape) > 2 and entries > MOST_ENTRIES:
        return markov_chain(margins, "unranking, which is exact, would count for minutes")
    return unranking(margins, f"exact counting of {short(margins.count())} tables")
