"""What the sums of a pass know of laws that are too large to be held; the digest of these sums."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial
from math import comb
from typing import Any

import numpy as np

from confmat.engine import reduce
from confmat.engine.numbers import is_rounded, memory_of_moments
from confmat.engine.summary import LEAST_ARD, LEAST_RD, MOST_ARD, MOST_RD, Summary, collect
from confmat.errors import ConsistencyError, TooLarge
from confmat.laws.lines import (
    QUARTILES,
    Fraction,
    Known,
    Listed,
    Moments,
    Number,
    RatioSums,
    Witness,
    five_positions,
    rank,
    rounded_moments,
    weighted_sums,
)
from confmat.laws.signed import Signed
from confmat.laws.sources import Pass
from confmat.plans.methods import Resources, size
from confmat.statistics.clusterings import ARD

Ends = tuple[Known, Witness, Witness]

_REFUSAL = (
    "law must be held for more than mean, sd, quartiles and extremes: these are known of a law that is too large; "
    'law.ask("ard>1", ...) of the whole law answers others by a pass'
)


def given_med(
    summary: Summary, names: list[str], resources: Resources
) -> Iterator[tuple[int, int, dict[str, Ends]]]:
    """The laws of RD and ARD at every distance m that occurs: (m, weight, laws by name).

    >>> from confmat.classes import Tables
    >>> from confmat.engine.summary import summarize
    >>> summary = summarize(Tables(4, 2, 2), "tables", Resources())
    >>> [(m, total, str(laws["rd"][0].moments(True)[0])) for m, total, laws in given_med(summary, ["rd"], Resources())]
    [(0, 6, '0'), (1, 8, '1/2'), (2, 5, '2/3')]
    """
    present = [m for m, total in enumerate(summary.totals) if total]
    quartiles = _ard_quartiles(summary, present, resources) if "ard" in names else {}
    for m in present:
        laws: dict[str, Ends] = {}
        for name in names:
            if name == "med":
                laws[name] = _med(summary, m)
            else:
                laws[name] = _rd(summary, m) if name == "rd" else _ard(summary, m, quartiles[m])
        yield m, summary.totals[m], laws


def _witness(summary: Summary, kind: int, m: int) -> Witness:
    r = min(summary.matrices.shape)
    f, _, *margins = summary.extremes[kind, m].tolist()
    rows, cols = tuple(margins[:r]), tuple(margins[r:])
    together = sum(comb(x, 2) for x in margins)
    return Witness(summary.matrices, rows, cols, summary.matrices.n - m, (together - f) // 2)


def _known(
    summary: Summary, m: int, moments: Any, least: Number, middle: list[Number], most: Number
) -> Known:
    """``middle``: the quartiles."""
    total = summary.totals[m]
    return Known(total, moments, dict(zip(five_positions(total), [least, *middle, most])), _REFUSAL)


def _med(summary: Summary, m: int) -> Ends:
    value = Fraction(m, max(1, summary.matrices.n))
    at = _witness(summary, LEAST_RD, m)
    return _known(summary, m, (value, Fraction(0), 0.0), value, [value] * 3, value), at, at


def _rd(summary: Summary, m: int) -> Ends:
    pairs = max(1, comb(summary.matrices.n, 2))
    law = Listed({Fraction(f, pairs): w for f, w in enumerate(summary.law[m].tolist()) if w})
    least, *middle, most = law.at(five_positions(law.total))
    known = _known(summary, m, law.moments(True), least, middle, most)
    return known, _witness(summary, LEAST_RD, m), _witness(summary, MOST_RD, m)


def _ard_value(f: int, d: int, pairs: int) -> Fraction:
    return Fraction(f * pairs, d) if d else Fraction(0)


def _ard(summary: Summary, m: int, quartiles: list[Number]) -> Ends:
    pairs = comb(summary.matrices.n, 2)
    least, most = (
        _ard_value(int(summary.extremes[kind, m, 0]), int(summary.extremes[kind, m, 1]), pairs)
        for kind in (LEAST_ARD, MOST_ARD)
    )
    moments = (float(least), 0.0, 0.0) if least == most else _ard_moments(summary, m, pairs)
    known = _known(summary, m, moments, least, quartiles, most)
    return known, _witness(summary, LEAST_ARD, m), _witness(summary, MOST_ARD, m)


def _ard_moments(summary: Summary, m: int, pairs: int) -> Moments:
    """Correctly rounded: from exact sums by (A, B), or from sums of quotients that were rounded down."""
    total = summary.totals[m]
    if is_rounded(summary.matrices, summary.weight):

        def bounds(power: int, _: int) -> tuple[Fraction, Fraction]:
            floor, error, bits = summary.quotient(power, m)
            unit = Fraction(pairs**power, total << bits)
            return floor * unit, (floor + error) * unit

        return rounded_moments(bounds)
    a, b = summary.keys.astype(object).T
    sums = summary.moments(m)
    used = sums[:, 0].astype(bool)
    d = reduce.ard_denominator(a, b, pairs)[used]
    return RatioSums(d, sums[used, 0] * pairs, sums[used, 1] * pairs**2, total).moments(False)


def _ard_quartiles(summary: Summary, present: list[int], resources: Resources) -> dict[int, list[Number]]:
    """Exact quartiles of the ARD at each m: the bins that hold them are known, a second pass looks inside."""
    wanted = np.zeros((summary.matrices.n + 1, summary.bins.shape[1]), bool)
    positions: dict[int, list[int]] = {}
    for m in present:
        targets = np.array([rank(summary.totals[m], p) for p in QUARTILES], object)
        places = np.searchsorted(np.cumsum(summary.bins[m]), targets)
        wanted[m, places] = True
        left_out = np.cumsum(np.where(wanted[m], 0, summary.bins[m]))
        positions[m] = (targets - left_out[places]).tolist()
    cells, counts = collect(summary.matrices, summary.weight, resources, wanted)
    quartiles: dict[int, list[Number]] = {}
    for m in present:
        part = slice(*np.searchsorted(cells[:, 0], (m, m + 1)))
        found, expected = int(counts[part].sum()), int(summary.bins[m][wanted[m]].sum())
        if found != expected:
            raise ConsistencyError(
                f"a second pass over {summary.matrices!r} finds weight {found}, the first one found {expected}"
            )
        weights = counts[part].astype(np.int64) if found < 2**63 else counts[part]
        blocks = partial(iter, [(cells[part], weights)])
        quartiles[m] = Signed(summary.matrices, ARD, blocks, len(weights)).at(positions[m])
    return quartiles


def digest_of_sums(found: Pass) -> str:
    """SHA-256 over the canonical text of the law of (MED, RD) and of the sums of F by (A, B) and MED."""
    sha = hashlib.sha256(f"{found.matrices!r} {found.weight}\n".encode())
    lines = _held_sums(found) if found.held else _summed(found.summary)
    for line in lines:
        sha.update(f"{' '.join(map(str, line))}\n".encode())
    return sha.hexdigest()


def _summed(summary: Summary | None) -> Iterator[tuple[int, ...]]:
    if summary is None:
        return
    if is_rounded(summary.matrices, summary.weight):
        raise TooLarge(
            f"digest must be of fewer sums by margins: those of {summary.matrices!r} would take "
            f"{size(memory_of_moments(summary.matrices, summary.weight))}"
        )
    for (m, f), count in np.ndenumerate(summary.law):
        if count:
            yield m, f, count
    rows = [summary.moments(m) for m in range(len(summary.law))]
    for k, (a, b) in enumerate(summary.keys.tolist()):
        for m, moments in enumerate(rows):
            first, second = moments[k]
            if first:
                yield a, b, m, first, second


def _held_sums(found: Pass) -> Iterator[tuple[int, ...]]:
    """The same from signatures."""
    counts: dict[tuple[int, int], int] = {}
    moments: dict[tuple[int, int, int], list[int]] = {}
    width = comb(found.matrices.n, 2) + 1
    held = found.signatures
    for level, (cells, weights) in ((m, block) for m in held.levels for block in held.blocks(m)):
        _, a, b, p = cells.T
        f = a + b - 2 * p
        keys, groups = np.unique(f, return_inverse=True)
        for key, weight in zip(keys.tolist(), weighted_sums(weights, f**0, groups, len(keys)).tolist()):
            counts[level, key] = counts.get((level, key), 0) + weight
        keys, groups = np.unique(np.minimum(a, b) * width + np.maximum(a, b), return_inverse=True)
        sums = [weighted_sums(weights, f**k, groups, len(keys)).tolist() for k in (1, 2)]
        for key, first, second in zip(keys.tolist(), *sums):
            both = moments.setdefault((*divmod(key, width), level), [0, 0])
            both[0] += first
            both[1] += second
    for (m, f), count in sorted(counts.items()):
        yield m, f, count
    for (a, b, m), (first, second) in sorted(moments.items()):
        if first:
            yield a, b, m, first, second
