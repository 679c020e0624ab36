"""What sums over a class know of laws that are too large to be kept; the digest of the sums of a class."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import partial
from math import comb
from typing import Any

import numpy as np

from confmat.engine.fold import LEAST_ARD, LEAST_RD, MOST_ARD, MOST_RD, PLACES, Sums
from confmat.engine.pieces import work_of
from confmat.engine.run import run
from confmat.errors import ConsistencyError, TooLarge
from confmat.integers.arrays import groups
from confmat.laws.lines import (
    QUARTILES,
    Fraction,
    Known,
    Line,
    Listed,
    Moments,
    Number,
    five_positions,
    rank,
    rounded_moments,
)
from confmat.laws.signed import Signed
from confmat.laws.sources import Pass
from confmat.plans import size
from confmat.statistics.clusterings import ARD

# A law, and the signatures at its ends.
Ends = tuple[Line, np.ndarray, np.ndarray]

_REFUSAL = (
    "law must be held for more than mean, sd, quartiles and extremes: these are known of a law that is too large; "
    'law.ask("ard>1", ...) of the whole law answers others by a pass'
)

# Bytes that sums of F by margins and MED may take, in arrays and put together.
_MOST_BYTES_OF_F = 2**32
_BYTES_OF_SUM = 96


def given_med(source: Pass, names: list[str]) -> Iterator[tuple[int, int, dict[str, Ends]]]:
    """The laws of RD and ARD at every distance m that occurs: (m, weight, laws by name).

    >>> from confmat.classes import Tables
    >>> from confmat.engine.signatures import summed_up
    >>> from confmat.plans import Resources
    >>> source = Pass(Tables(4, 2, 2), "tables", Resources())
    >>> source.__dict__["found"] = summed_up(Tables(4, 2, 2), "tables", Resources())
    >>> [(m, total, str(laws["rd"][0].moments(True)[0])) for m, total, laws in given_med(source, ["rd"])]
    [(0, 6, '0'), (1, 8, '1/2'), (2, 5, '2/3')]
    """
    sums = source.sums
    present = [m for m, total in enumerate(sums.totals) if total]
    if "ard" in names:
        quartiles = _ard_quartiles(sums, present, source)
    else:
        quartiles = {}
    for m in present:
        laws: dict[str, Ends] = {}
        for name in names:
            if name == "ard":
                line = _ard(sums, m, quartiles[m])
                least = LEAST_ARD
                most = MOST_ARD
            elif name == "rd":
                line = _rd(sums, m)
                least = LEAST_RD
                most = MOST_RD
            else:
                med = Fraction(m, max(1, sums.matrices.n))
                line = Listed({med: sums.totals[m]})
                least = LEAST_RD
                most = LEAST_RD
            laws[name] = line, sums.ends(m, least), sums.ends(m, most)
        yield m, sums.totals[m], laws


def _rd(sums: Sums, m: int) -> Line:
    pairs = max(1, sums.pairs)
    weights: dict[Number, int] = {}
    for f, weight in enumerate(sums.law[m].tolist()):
        if weight:
            weights[Fraction(f, pairs)] = weight
    return Listed(weights)


def _ard(sums: Sums, m: int, quartiles: list[Number]) -> Line:
    """Of the least value, the quartiles and the largest value."""
    total = sums.totals[m]
    least = sums.value(LEAST_ARD, *sums.ends(m, LEAST_ARD)[0].tolist())
    largest = sums.value(MOST_ARD, *sums.ends(m, MOST_ARD)[0].tolist())
    moments: Moments = (float(least), 0.0, 0.0)
    if least < largest:
        moments = _ard_moments(sums, m)
    values = dict(zip(five_positions(total), [least, *quartiles, largest]))
    return Known(total, moments, values, _REFUSAL)


def _ard_moments(sums: Sums, m: int) -> Moments:
    """Correctly rounded, from sums of quotients that were rounded down."""

    def bounds(power: int, _: int) -> tuple[Fraction, Fraction]:
        floor, error = sums.quotient(m, power)
        unit = Fraction(
            sums.pairs**power,
            sums.totals[m] << PLACES,
        )
        return floor * unit, (floor + error) * unit

    return rounded_moments(bounds)


def _ard_quartiles(sums: Sums, present: list[int], source: Pass) -> dict[int, list[Number]]:
    """Exact quartiles of the ARD at each m: the bins that hold them are known, a second run looks inside."""
    bins_wanted = np.zeros(sums.bins.shape, bool)
    positions: dict[int, list[int]] = {}
    for m in present:
        targets = np.array([rank(sums.totals[m], p) for p in QUARTILES], object)
        places = np.searchsorted(np.cumsum(sums.bins[m]), targets)
        bins_wanted[m, places] = True
        left_out = np.cumsum(np.where(bins_wanted[m], 0, sums.bins[m]))
        positions[m] = (targets - left_out[places]).tolist()
    blocks_inside: dict[int, list[Any]] = {m: [] for m in present}
    for cells, weights in sums.wanted(bins_wanted, run(source.matrices, source.weight, source.resources)):
        blocks_inside[int(cells[0, 0])].append((cells, weights))
    quartiles: dict[int, list[Number]] = {}
    for m in present:
        weight_met = sum(int(w.sum()) for _, w in blocks_inside[m])
        weight_expected = int(sums.bins[m][bins_wanted[m]].sum())
        if weight_met != weight_expected:
            raise ConsistencyError(
                f"a second pass over {sums.matrices!r} finds weight {weight_met}, the first one found {weight_expected}"
            )
        blocks = partial(iter, blocks_inside[m])
        number = sum(len(weights) for _, weights in blocks_inside[m])
        quartiles[m] = Signed(sums.matrices, ARD, blocks, number).at(positions[m])
    return quartiles


def digest_of_sums(found: Pass) -> str:
    """SHA-256 over the canonical text of the law of (MED, RD) and of the sums of F by (A, B) and MED."""
    sha = hashlib.sha256(f"{found.matrices!r} {found.weight}\n".encode())
    for line in _sums_by_margins(found):
        sha.update(f"{' '.join(map(str, line))}\n".encode())
    return sha.hexdigest()


def _sums_by_margins(found: Pass) -> Iterator[tuple[int, ...]]:
    """(m, F, weight), then (A, B, m, sum of weight times F, times F^2) with A <= B, in order."""
    if found.stored is None:
        found.plan.admitted()
    work = work_of(found.matrices)
    octets = _BYTES_OF_SUM * work.distances * len(work.lines.b)
    if octets > _MOST_BYTES_OF_F:
        raise TooLarge(
            f"digest must be of fewer sums by margins: those of {found.matrices!r} would take {size(octets)}"
        )
    width = comb(found.matrices.n, 2) + 1
    counts: Counter[tuple[int, int]] = Counter()
    parts = [
        (
            np.zeros((0, 2), np.int64),
            np.zeros((0, 2), object),
        )
    ]
    for cells, weights in found.blocks():
        m, a, b, p = cells.T
        f = a + b - 2 * p
        for key, count in zip(*_summed(np.stack([m, f], axis=1), weights[:, None])):
            counts[tuple(key.tolist())] += int(count[0])
        codes = np.minimum(a, b) * width + np.maximum(a, b)
        exact = weights.astype(object)
        parts.append(
            _summed(
                np.stack([codes, m], axis=1),
                np.stack(
                    [
                        exact * f,
                        exact * f * f,
                    ],
                    axis=1,
                ),
            )
        )
    for (m, f), count in sorted(counts.items()):
        yield m, f, count
    keys, moments = _summed(*map(np.concatenate, zip(*parts)))
    for (code, m), (sum_of_f, sum_of_squares) in zip(keys.tolist(), moments.tolist()):
        if sum_of_f:
            yield *divmod(code, width), m, sum_of_f, sum_of_squares


def _summed(keys: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct keys in order, and the sums of the values of each."""
    rows, order, starts = groups(keys)
    return rows, np.add.reduceat(values[order], starts) if len(rows) else values
