"""What becomes of the counts of a margin class: compiled loops over the classes of one row margin.

``summarize`` adds every class to the sums that conditional laws need; ``collect`` writes out every distinct
(class, P, k) with its count.  At fixed margins A and B are constants: with F = A + B - 2P disagreeing pairs out
of M = C(n, 2), and D = A (M - B) + B (M - A),

    n MED = n - k,    RD = F / M,    ARD = F M / D    (0 when D = 0: both partitions are then the same).
"""

from __future__ import annotations

import numpy as np

from confmat.compiled import njit
from confmat.engine.kernels import HISTOGRAM_CAPACITY, enumerate_class

# ARD quantiles are first located in so many bins at least, of [0, 2] (ARD above shares the last one).
BINS = 4096


@njit(nogil=True, cache=True)
def _pairs(margin):
    total = 0
    for x in margin:
        total += x * (x - 1) // 2
    return total


# By einsum: NumPy's own sum over a short last axis takes longer, and every plan asks for these.
def pairs_of_margin(margin: np.ndarray) -> np.ndarray:
    """Pairs of points within a line: A of row margins, B of column margins, the last axis of an array.

    int64, of three billion points at most (enumerations take no more than 32767).
    """
    return np.einsum("...i,...i", margin, margin - 1) // 2


def class_windows(rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    """Bounds of each margin class ``rows`` x ``cols[c]``: smallest and largest P, largest k (3 x classes).

    NumPy's, not compiled: every first run would wait for it.

    >>> class_windows(np.array([2, 1]), np.array([[2, 1, 0], [1, 1, 1]])).tolist()
    [[0, 0], [1, 0], [3, 2]]
    """
    least, most = pair_windows(rows, cols)
    return np.stack([least, most, np.einsum("ci->c", np.minimum(rows, cols[:, : len(rows)]))])


def pair_windows(rows: np.ndarray, cols: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of P, the pairs within cells, for each margin class ``rows`` x ``cols[c]``, lines in any order.

    >>> [bounds.tolist() for bounds in pair_windows(np.array([2, 1]), np.array([[2, 1, 0], [1, 1, 1]]))]
    [[0, 0], [1, 0]]
    """

    def balanced(margin: np.ndarray, parts: int) -> np.ndarray:
        """Fewest pairs within cells when each line x spreads evenly: q or q + 1 = x // parts + 1 points in each."""
        q = margin // parts
        return np.einsum("...i,...i", q, 2 * margin - parts * (q + 1)) // 2

    least = np.maximum(balanced(rows, cols.shape[1]), balanced(cols, len(rows)))
    return least, np.minimum(pairs_of_margin(rows), pairs_of_margin(cols))


def ard_denominator(a, b, pairs):
    """D with ARD = F M / D: M^2 times the expected Rand distance."""
    return a * (pairs - b) + b * (pairs - a)


def ard_bin(f, d, pairs, bins):
    """Bin of the ARD F M / D in exact integer arithmetic, so that bins respect the order of the values."""
    return min(f * pairs * (bins // 2) // d, bins - 1) if d > 0 else 0


# Kernels compile these; elsewhere they work on Python integers, which never overflow.
_denominator = njit(nogil=True, cache=True)(ard_denominator)
_bin = njit(nogil=True, cache=True)(ard_bin)


@njit(nogil=True, cache=True)
def summarize(
    rows, cols, windows, weights, halves, scratch, weighing, stop, law, bins, moments, extremes, tables
):
    """Add the margin classes ``rows`` x ``cols[c]``, c = 0, 1, ..., to the sums of a class of matrices.

    ``windows``: of ``class_windows``.

    With x tables at (k, P) in class c, weight w, i = k - ceil(n/s):  ``law[q, F, i]`` and ``bins[q, bin of ARD, i]``
    gain w x;  ``moments[c, q, j - 1, i]`` gains x F^j for j = 1, 2;  ``extremes[c, 0 or 1, i]`` is the smallest and
    the largest F (-1: none);  ``tables[c]`` is the number of tables.  With ``weighing`` = (primes, sums) the sums
    are residues, q runs over the primes and x is the sum of the weights of the tables; without, q = 0 only and
    everything must fit 63 bits.
    """
    histogram, counts = scratch[0], scratch[2]
    stride = halves[3][0]
    n = rows.sum()
    fewest_matched = n - stride + 1
    pairs = n * (n - 1) // 2
    a = _pairs(rows)
    for c in range(len(cols)):
        least, most, matched = windows[:, c]
        tables[c] = enumerate_class(cols[c], windows[:, c], halves, scratch, weighing, stop)
        b = _pairs(cols[c])
        d = _denominator(a, b, pairs)
        spilled = tables[c] > HISTOGRAM_CAPACITY
        for p in range(least, most + 1):
            f = a + b - 2 * p
            bin = _bin(f, d, pairs, bins.shape[1])
            cell = np.uint64(stride * p + fewest_matched)
            after = np.uint64(stride * p + matched + 1)
            while True:
                # Written out here, in ``gather`` and ``collect``: a function called per cell costs several times more.
                # A loop of its own, which LLVM does not vectorise: with the sums in it, it does so from 40 cells
                # on, with masked scatters of every sum for every cell, a hundred times slower where cells are empty.
                while cell < after and histogram[cell] == 0 and not (spilled and counts[cell]):
                    cell += np.uint64(1)
                if cell >= after:
                    break
                i = np.int64(cell) - stride * p - fewest_matched
                x = np.int64(histogram[cell])
                if spilled:
                    x += counts[cell]
                    counts[cell] = 0
                histogram[cell] = 0
                # P grows, so F falls: the first F seen is the largest, the last one the smallest.
                extremes[c, 0, i] = f
                extremes[c, 1, i] = max(f, extremes[c, 1, i])
                if weighing is None:
                    law[0, f, i] += weights[c] * x
                    bins[0, bin, i] += weights[c] * x
                    moments[c, 0, 0, i] += x * f
                    moments[c, 0, 1, i] += x * f * f
                else:
                    primes, sums, _ = weighing
                    for q in range(len(primes)):
                        prime = np.int64(primes[q])
                        value = np.int64(sums[cell, q] % primes[q])
                        sums[cell, q] = np.uint64(0)
                        weighted = value * (weights[c] % prime) % prime
                        law[q, f, i] = (law[q, f, i] + weighted) % prime
                        bins[q, bin, i] = (bins[q, bin, i] + weighted) % prime
                        value = value * (f % prime) % prime
                        moments[c, q, 0, i] = (moments[c, q, 0, i] + value) % prime
                        value = value * (f % prime) % prime
                        moments[c, q, 1, i] = (moments[c, q, 1, i] + value) % prime


@njit(nogil=True, cache=True)
def add_quotients(moments, weights, denominators, bits, sums):
    """Add quotients of the moments of margin classes, rounded down, to sums over all of them.

    ``sums[j - 1, l, i]`` gains the weight of class c times digit l of moments[c, j - 1, i] / denominators[c]^j, whose
    unit is 2^(-bits l): what is left out is below one unit of the last digit for each class.
    """
    _, digits, distances = sums.shape
    quotient = np.zeros(digits, np.int64)
    for c in range(len(moments)):
        d = denominators[c]
        for i in range(distances):
            for j in range(2):
                quotient[:] = 0
                quotient[0] = moments[c, j, i]
                if quotient[0] == 0:
                    break
                for _ in range(j + 1):
                    rest = 0
                    for place in range(digits):
                        rest = (rest << bits) + quotient[place]
                        quotient[place] = rest // d
                        rest -= quotient[place] * d
                for place in range(digits):
                    sums[j, place, i] += weights[c] * quotient[place]


@njit(nogil=True, cache=True)
def gather(rows, cols, windows, weights, first_lines, halves, scratch, weighing, stop, dense):
    """Add the margin classes ``rows`` x ``cols[c]`` to the law of (m, B, P) of all row margins with one A.

    ``dense[m, first_lines[c] + P, q]`` gains the weight of the tables of class c with these m and P: plainly, or with
    ``weighing`` modulo its primes, q over them.
    """
    histogram, counts = scratch[0], scratch[2]
    stride = halves[3][0]
    fewest_matched = rows.sum() - stride + 1
    for c in range(len(cols)):
        least, most, matched = windows[:, c]
        tables = enumerate_class(cols[c], windows[:, c], halves, scratch, weighing, stop)
        spilled = tables > HISTOGRAM_CAPACITY
        for p in range(least, most + 1):
            line = first_lines[c] + p
            cell = np.uint64(stride * p + fewest_matched)
            after = np.uint64(stride * p + matched + 1)
            while True:
                while cell < after and histogram[cell] == 0 and not (spilled and counts[cell]):
                    cell += np.uint64(1)
                if cell >= after:
                    break
                i = np.int64(cell) - stride * p - fewest_matched
                x = np.int64(histogram[cell])
                if spilled:
                    x += counts[cell]
                    counts[cell] = 0
                histogram[cell] = 0
                if weighing is None:
                    dense[stride - 1 - i, line, 0] += weights[c] * x
                else:
                    primes, sums, _ = weighing
                    for q in range(len(primes)):
                        prime = np.int64(primes[q])
                        value = np.int64(sums[cell, q] % primes[q]) * (weights[c] % prime) % prime
                        sums[cell, q] = np.uint64(0)
                        dense[stride - 1 - i, line, q] = (dense[stride - 1 - i, line, q] + value) % prime


@njit(nogil=True, cache=True)
def collect(rows, cols, windows, weights, halves, scratch, weighing, stop, wanted, cells, values, room):
    """Write the cells (c, m, P) of the margin classes ``rows`` x ``cols[c]`` and their weighted counts.

    ``wanted`` (n + 1 x bins, or empty for all) says which bins of ARD to keep at each m.  ``cells`` (room x 3)
    and ``values`` (room x primes, or x 1) receive them; returns the number of classes done and of cells written,
    stopping before a class that might not fit.
    """
    histogram, counts = scratch[0], scratch[2]
    stride = halves[3][0]
    n = rows.sum()
    pairs = n * (n - 1) // 2
    a = _pairs(rows)
    written = 0
    for c in range(len(cols)):
        b = _pairs(cols[c])
        d = _denominator(a, b, pairs)
        least, most, matched = windows[:, c]
        if written + (most - least + 1) * (matched - n + stride) > room:
            return c, written
        tables = enumerate_class(cols[c], windows[:, c], halves, scratch, weighing, stop)
        spilled = tables > HISTOGRAM_CAPACITY
        for p in range(least, most + 1):
            bin = _bin(a + b - 2 * p, d, pairs, wanted.shape[1])
            cell = np.uint64(stride * p + n - stride + 1)
            after = np.uint64(stride * p + matched + 1)
            while True:
                while cell < after and histogram[cell] == 0 and not (spilled and counts[cell]):
                    cell += np.uint64(1)
                if cell >= after:
                    break
                k = np.int64(cell) - stride * p
                x = np.int64(histogram[cell])
                if spilled:
                    x += counts[cell]
                    counts[cell] = 0
                histogram[cell] = 0
                keep = len(wanted) == 0 or wanted[n - k, bin]
                if keep:
                    cells[written, 0] = c
                    cells[written, 1] = n - k
                    cells[written, 2] = p
                if weighing is None:
                    if keep:
                        values[written, 0] = weights[c] * x
                else:
                    primes, sums, _ = weighing
                    for q in range(len(primes)):
                        prime = np.int64(primes[q])
                        if keep:
                            values[written, q] = (
                                np.int64(sums[cell, q] % primes[q]) * (weights[c] % prime) % prime
                            )
                        sums[cell, q] = np.uint64(0)
                written += keep
    return len(cols), written
