"""The best way to draw from a whole class, and the ways that can be asked for by name."""

from __future__ import annotations

from confmat.classes import FixedMargins, FixedRows, MatrixClass
from confmat.sampling.chain import markov_chain
from confmat.sampling.methods import (
    LARGEST_TOTAL,
    POOR_ACCEPTANCE,
    Method,
    acceptance,
    rejection,
    unranking,
)


def choose(matrices: MatrixClass, method: str = "auto") -> Method:
    """The method called ``method``, or the best one for the class."""
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
        except ValueError as error:
            return markov_chain(matrices, str(error))
        if countable(matrices):
            return counted(matrices, "numbers of completions fit 64 bits")
        return unranking(matrices, f"exact counting of {count} tables")
    share = acceptance(matrices)
    if share >= POOR_ACCEPTANCE and small:
        return rejection(matrices, f"it accepts {float(share):.2%} of its proposals")
    if not small:
        return unranking(matrices, "the total exceeds 64-bit integers")
    return unranking(matrices, f"rejection would accept {100 * float(share):.2g}% of its proposals")
