"""How good the draws of Markov chains are: effective sample size and R-hat (Gelman et al. 2013, Section 11.4)."""

from typing import NamedTuple

import numpy as np

from confmat.sampling.chain import CHAIN


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
    Raises ValueError for fewer than 8 values.

    >>> rng = np.random.default_rng(1)
    >>> report = chain_report(rng.normal(size=4096), 1024)
    >>> report.chains, 3000 < report.ess < 5000, abs(report.r_hat - 1) < 0.01
    (4, True, True)
    """
    if np.ndim(values) != 1 or len(values) < 8:
        raise ValueError(f"values must be a vector of at least 8 numbers, got shape {np.shape(values)}")
    values = np.asarray(values, float)
    length = min(chain, len(values)) // 2
    chains = len(values) // (2 * length)
    halves = values[: chains * 2 * length].reshape(2 * chains, length)
    within = halves.var(axis=1, ddof=1).mean()
    if within == 0:
        agree = bool((halves == halves[0, 0]).all())
        return ChainReport(chains, halves.size, float(halves.size), 1.0 if agree else np.inf)
    pooled = within * (length - 1) / length + halves.mean(axis=1).var(ddof=1)
    correlations = 1 - (within - _autocovariances(halves).mean(axis=0)) / pooled
    # Geyer (1992): add up pairs of correlations while they are positive and decreasing.
    pairs = correlations[: length // 2 * 2].reshape(-1, 2).sum(axis=1)
    pairs = np.minimum.accumulate(pairs[: np.argmax(pairs < 0) if (pairs < 0).any() else None])
    time = max(2 * pairs.sum() - 1, 1 / np.log10(halves.size))
    return ChainReport(chains, halves.size, float(halves.size / time), float(np.sqrt(pooled / within)))


def _autocovariances(chains: np.ndarray) -> np.ndarray:
    """At every lag, by FFT, with divisor length - 1 (so lag 0 is the variance)."""
    length = chains.shape[1]
    centred = chains - chains.mean(axis=1, keepdims=True)
    spectrum = np.abs(np.fft.rfft(centred, 2 * length, axis=1)) ** 2
    return np.fft.irfft(spectrum, axis=1)[:, :length] / (length - 1)
