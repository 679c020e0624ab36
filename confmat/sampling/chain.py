"""A Markov chain over the tables with fixed margins, for margins that counting does not reach, and how good it is.

A move picks two rows and two columns and adds t to one diagonal of that 2 x 2 part, -t to the other (Diaconis and
Sturmfels 1998): margins stay, and such moves connect every fiber.  Here t is drawn uniformly from all values that
keep the part non-negative (their hit-and-run variant), so no move is wasted and the uniform law is stationary.
Every block of draws is a chain of its own: it starts at a hypergeometric table, drops ``BURN_IN`` moves a cell, and
keeps one table every ``THINNING`` moves a cell.

``chain_report`` says how good such draws are: effective sample size and R-hat (Gelman et al. 2013, Section 11.4).
"""

from typing import NamedTuple

import numpy as np

from confmat.arguments import as_count
from confmat.classes import FixedMargins
from confmat.compiled import copy, njit
from confmat.sampling.methods import LARGEST_INDEXED, DrawnTables, Sampler
from confmat.sampling.random_bits import below, generator_of, state_of

BURN_IN = 500
THINNING = 5

# Draws from one chain.
CHAIN = 1024


def markov_chain(margins: FixedMargins, reason: str) -> Sampler:
    """Draws along chains: uniform in the limit, dependent within a chain; ``chain_report`` judges them.

    >>> method = markov_chain(FixedMargins([2, 1], [1, 2]), "asked for")
    >>> method.exact, method.draw(np.random.SeedSequence(1), 5).tables.sum(axis=2)[-1].tolist()
    (False, [2, 1])
    """
    if margins.n >= LARGEST_INDEXED:
        raise ValueError(f"the chain needs a total below 2^62, got {margins.n}")
    r, s = margins.shape

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        start, moves = seeds.spawn(2)
        table = _starting_table(margins, start)
        tables = np.empty((size, r, s), np.int64)
        _walk(
            state_of(moves),
            table,
            BURN_IN * r * s,
            THINNING * r * s,
            tables,
        )
        return DrawnTables(tables, size)

    return Sampler("chain", reason, draw, exact=False, block=CHAIN)


def _starting_table(margins: FixedMargins, seeds: np.random.SeedSequence) -> np.ndarray:
    """A table drawn with weight n!/prod n_ij! (labels permuted at random); columns fill up in random order.

    Sequential hypergeometric draws, O(r s) at any total (SciPy's ``random_table`` needs room for the total).
    """
    rng = generator_of(seeds)
    table = np.empty(margins.shape, np.int64)
    rests = np.array(margins.cols, np.int64)
    for i, total in enumerate(margins.rows):
        for j in range(len(rests)):
            rests_after = int(rests[j + 1 :].sum())
            table[i, j] = _hypergeometric(rng, int(rests[j]), rests_after, total)
            total -= int(table[i, j])
        rests -= table[i]
    return table


def _hypergeometric(rng: np.random.Generator, good: int, bad: int, number_drawn: int) -> int:
    """NumPy's draw; above its limit of 10^9 the mean, rounded into range (a start needs no exact law)."""
    if max(good, bad) < 10**9:
        return int(rng.hypergeometric(good, bad, number_drawn))
    return min(
        good,
        number_drawn,
        max(
            number_drawn - bad,
            round(number_drawn * (good / (good + bad))),
        ),
    )


@njit(nogil=True, cache=True)
def _walk(state: np.ndarray, table: np.ndarray, burn_in: int, thinning: int, tables: np.ndarray) -> None:
    """Run the chain from ``table`` (changed) and copy it into ``tables`` every ``thinning`` moves."""
    r, s = table.shape
    for k in range(len(tables)):
        if r > 1 and s > 1:
            for _ in range(thinning if k else burn_in + thinning):
                _hit_and_run(state, table)
        for i in range(r):
            copy(table[i], tables[k, i])


@njit(nogil=True, cache=True)
def _hit_and_run(state: np.ndarray, table: np.ndarray) -> None:
    """One move: a uniform choice among the 2 x 2 parts with the same margins, in random rows and columns."""
    r, s = table.shape
    i = below(state, r)
    k = below(state, r - 1)
    j = below(state, s)
    l = below(state, s - 1)
    k += k >= i
    l += l >= j
    least_step = -min(table[i, j], table[k, l])
    largest_step = min(table[i, l], table[k, j])
    t = least_step + below(state, largest_step - least_step + 1)
    table[i, j] += t
    table[k, l] += t
    table[i, l] -= t
    table[k, j] -= t


class ChainReport(NamedTuple):
    """``ess``: independent draws that would estimate the mean as well; ``r_hat``: near 1 when chains agree."""

    chains: int
    draws: int
    ess: float
    r_hat: float


def chain_report(values: np.ndarray, chain: int = CHAIN) -> ChainReport:
    """Diagnose the values of a statistic along draws from chains of ``chain`` draws each, in their order.

    Chains are split in halves, so a single one can be judged too; an incomplete last chain is left out.  R-hat
    above 1.01 says that the chains have not mixed (Vehtari et al. 2021).  Constant values: r_hat 1, ess all.
    Raises ValueError for fewer than 8 values, and for chains of fewer than 2.

    >>> rng = np.random.default_rng(1)
    >>> report = chain_report(rng.normal(size=4096), 1024)
    >>> report.chains, 3000 < report.ess < 5000, abs(report.r_hat - 1) < 0.01
    (4, True, True)
    """
    values_given = values
    chain = as_count("chain", chain, 2)
    try:
        values = np.asarray(values_given, float)
    except (TypeError, ValueError, OverflowError):  # rows of several lengths, words, 10^400
        values = np.zeros(0)
    if values.ndim != 1 or len(values) < 8:
        raise ValueError(f"values must be a vector of at least 8 numbers, got {values_given!r:.60}")
    length = min(chain, len(values)) // 2
    chains = len(values) // (2 * length)
    halves = values[: chains * 2 * length].reshape(2 * chains, length)
    variance_within = halves.var(axis=1, ddof=1).mean()
    if variance_within == 0:
        agree = bool((halves == halves[0, 0]).all())
        return ChainReport(
            chains,
            halves.size,
            float(halves.size),
            1.0 if agree else np.inf,
        )
    variance_pooled = variance_within * (length - 1) / length + halves.mean(axis=1).var(ddof=1)
    correlations = 1 - (variance_within - _autocovariances(halves).mean(axis=0)) / variance_pooled
    # Geyer (1992): add up pairs of correlations while they are positive and decreasing.
    pairs = correlations[: length // 2 * 2].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs < 0)
    if len(negative):
        pairs = pairs[: negative[0]]
    decreasing = np.minimum.accumulate(pairs)
    time = max(
        2 * decreasing.sum() - 1,
        1 / np.log10(halves.size),
    )
    return ChainReport(
        chains,
        halves.size,
        float(halves.size / time),
        float(np.sqrt(variance_pooled / variance_within)),
    )


def _autocovariances(chains: np.ndarray) -> np.ndarray:
    """At every lag, by FFT, with divisor length - 1 (so lag 0 is the variance)."""
    length = chains.shape[1]
    centred_chains = chains - chains.mean(axis=1, keepdims=True)
    spectrum = np.abs(np.fft.rfft(centred_chains, 2 * length, axis=1)) ** 2
    return np.fft.irfft(spectrum, axis=1)[:, :length] / (length - 1)
