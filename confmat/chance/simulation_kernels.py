"""Populations of tables at fixed margins, drawn towards many pairs in common cells (``simulation``)."""

import numpy as np

from confmat.compiled import copy, njit
from confmat.sampling.random_bits import below, random_double


@njit(nogil=True, cache=True)
def add_rows(state, rows, cols, t, theta, size, logs):
    """One population of ``size`` tables made row by row, labels permuted under a tilt exp(theta min(P, t)).

    A cell x is drawn with its hypergeometric chance times exp(theta min(E, t)): E are the pairs so far, and those
    expected of what is left.  Weights make up for the difference; tables are resampled by them after a row that left
    less than half of the population effective.  ``logs[k]`` = log k!.
    Returns the logarithm of an unbiased estimate of P(P >= t), and the share of the tilted law at P >= t.
    """
    # reads: numbers of pairs and logarithms of hypergeometric chances, written out for the compiler
    r = len(rows)
    s = len(cols)
    m = rows.sum()
    left = np.zeros((size, s), np.int64)
    for c in left:
        copy(cols, c)
    value = np.zeros(size)
    weight = np.zeros(size)
    of_rows, of_cols = (rows * (rows - 1)).sum() / 2, (cols * (cols - 1)).sum() / 2
    per = of_rows / (m * (m - 1) / 2)  # chance that two objects left share a row
    guess = np.full(size, theta * min(per * of_cols, t))  # logarithm of the tilt so far
    total = guess[0]
    chance = np.zeros(max(cols.max(), rows.max()) + 1)
    for i in range(r):
        m -= rows[i]
        of_rows -= rows[i] * (rows[i] - 1) / 2
        per = of_rows / (m * (m - 1) / 2) if m > 1 else 0.0
        for q in range(size):
            c = left[q]
            need = rows[i]
            others = m + rows[i]
            done = 0.0
            inside = (c * (c - 1)).sum() / 2
            for j in range(s):
                here = c[j]
                others -= here
                inside -= here * (here - 1) / 2
                least = max(0, need - others)
                most = min(here, need)
                rho = inside / (others * (others - 1) / 2) if others > 1 else 0.0
                top = -np.inf
                for x in range(least, most + 1):
                    y = need - x
                    z = here - x
                    share = 1 - y / others if others else 0.0
                    pairs = value[q] + (x * (x - 1) + rho * y * (y - 1)) / 2
                    pairs += per * (done + z * (z - 1) / 2 + inside * share * share)
                    chance[x] = theta * min(pairs, t) - logs[x] - logs[z] - logs[y] - logs[others - y]
                    top = max(top, chance[x])
                for x in range(least, most + 1):
                    chance[x] = np.exp(chance[x] - top)
                norm = chance[least : most + 1].sum()
                u = random_double(state) * norm - chance[least]
                x = least
                while u >= 0 and x < most:
                    x += 1
                    u -= chance[x]
                y = need - x
                z = here - x
                weight[q] += np.log(norm / chance[x])
                weight[q] += logs[here] - logs[x] - logs[z] + logs[others] - logs[y] - logs[others - y]
                weight[q] -= logs[here + others] - logs[need] - logs[here + others - need]
                value[q] += x * (x - 1) / 2
                done += z * (z - 1) / 2
                c[j], need = z, y
            tilt = theta * min(value[q] + per * done, t)
            weight[q] += tilt - guess[q]
            guess[q] = tilt
        top = weight.max()
        w = np.exp(weight - top)
        if i < r - 2 and w.sum() ** 2 < size / 2 * (w * w).sum():  # the last row is forced
            total += top + np.log(w.mean())
            chosen = resampled(state, w)
            left = left[chosen]
            value = value[chosen]
            guess = guess[chosen]
            weight[:] = 0.0
    top = weight.max()
    w = np.exp(weight - top)
    reached = (w * (value >= t)).sum()
    if reached == 0:
        return -np.inf, 0.0
    return total + top + np.log(reached / size) - theta * t, reached / w.sum()


@njit(nogil=True, cache=True)
def resampled(state, weights):
    """As many indices as weights, each expected in proportion to its weight: systematic resampling."""
    size = len(weights)
    step = weights.sum() / size
    start = random_double(state)
    chosen = np.zeros(size, np.int64)
    running = weights[0]
    at = 0
    for q in range(size):
        while running < (q + start) * step and at < size - 1:
            at += 1
            running += weights[at]
        chosen[q] = at
    return chosen


@njit(nogil=True, cache=True)
def move_within(state, tables, pairs, level, moves, scales, logs):
    """``moves`` Metropolis moves of every table within P >= level, labels permuted; ``pairs``: P of each.

    A move adds d to two cells of a rectangle and takes it from the other two, d <= 2^k for a random k < ``scales``.
    """
    # reads: the four corners of a rectangle side by side
    _, r, s = tables.shape
    for q in range(len(tables)):
        x = tables[q]
        for _ in range(moves):
            i = below(state, r)
            j = below(state, s)
            k = (i + 1 + below(state, r - 1)) % r
            l = (j + 1 + below(state, s - 1)) % s
            a = x[i, j]
            b = x[i, l]
            c = x[k, j]
            e = x[k, l]
            d = 1 + below(state, 1 << below(state, scales))
            if d > min(b, c):
                continue
            more = d * (a + e - b - c + 2 * d)
            if pairs[q] + more < level:
                continue
            ratio = logs[a] + logs[b] + logs[c] + logs[e]
            ratio -= logs[a + d] + logs[b - d] + logs[c - d] + logs[e + d]
            if random_double(state) < np.exp(ratio):
                pairs[q] += more
                x[i, j], x[i, l], x[k, j], x[k, l] = a + d, b - d, c - d, e + d
