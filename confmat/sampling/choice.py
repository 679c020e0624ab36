"""The best way to draw from a whole class, and the ways that can be asked for by name."""

from __future__ import annotations

from dataclasses import replace

from confmat.classes import FixedMargins, FixedRows, MatrixClass
from confmat.classes.fibers import short, states
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

    >>> choose(FixedMargins([5, 5, 5], [5, 5, 5])).name, choose(FixedRows([2, 1], 3)).name
    ('counting', 'rejection')
    """
    if method == "auto":
        return _best(matrices)
    if method == "splitting":
        raise ValueError('method "splitting" draws given a MED: it needs given={"med": value}')
    asked = "asked for"
    if method == "rejection":
        return rejection(matrices, asked)
    if method == "unranking":
        return unranking(matrices, asked)
    if not isinstance(matrices, FixedMargins):
        raise ValueError(f"method {method!r} is for FixedMargins, got {matrices!r}")
    if method == "chain":
        return markov_chain(matrices, asked)
    from confmat.sampling.fixed import countable, counted

    if has_short_lines(matrices):
        matrices.count()  # an error where it is too large
        return replace(from_short_lines(matrices), why=asked)
    if not countable(matrices):
        raise ValueError(f"margins {matrices!r} are too large to count in arrays; use unranking or chain")
    return counted(matrices, asked)


def _best(matrices: MatrixClass) -> Method:
    small = matrices.n < LARGEST_TOTAL
    if isinstance(matrices, FixedRows) and small:
        return rejection(matrices, "every proposal is a member")
    if isinstance(matrices, FixedMargins):
        from confmat.sampling.fixed import countable, counted

        try:
            count = matrices.count()
            if has_short_lines(matrices):
                return from_short_lines(matrices)
        except ValueError:
            return markov_chain(matrices, "too many tables to count")
        if countable(matrices):
            return counted(matrices, "numbers of completions fit 64 bits")
        entries = states(matrices.cols) * len(matrices.rows)
        if small and min(matrices.shape) > 2 and entries > MOST_ENTRIES:
            return markov_chain(matrices, "unranking, which is exact, would first count for minutes")
        return unranking(matrices, f"exact counting of {short(count)} tables")
    share = acceptance(matrices)
    if share >= POOR_ACCEPTANCE and small:
        return rejection(matrices, f"it accepts {float(share):.2%} of its proposals")
    if not small:
        return unranking(matrices, "the total exceeds 64-bit integers")
    return unranking(matrices, f"rejection would accept {100 * float(share):.2g}% of its proposals")
