# mypy: allow-untyped-defs
"""Compiled enumeration of all rows of a matrix but the last one."""

from __future__ import annotations

import numpy as np

from confmat._numba import njit


@njit
def two_rows(s, first_bound, second_bound, largest):
    """Return a histogram of the 2 x s matrices with bounded entries and best matching up to ``largest``.

    ``first_bound`` and ``second_bound`` bound the entries of the rows. For each column, consider the weight of the
    best matching that does not use it. All but at most two of these weights are equal, because a best matching uses
    two columns. ``histogram[u, v, w, t]`` is the number of matrices with total t whose two least weights are u <= v
    and whose largest is w. (u = v = w if s = 1, v = w if s = 2.)

    Columns are enumerated as non-decreasing sequences of codes and weighted by the number of orders.

    >>> int(two_rows(2, 1, 1, 1).sum())  # 16 matrices of 0 and 1, 7 of them with a matching of 2
    9
    """
    width = largest + 1
    histogram = np.zeros((width, width, width, s * largest + 1), np.int64)
    columns = (first_bound + 1) * (second_bound + 1)
    code = np.zeros(s, np.int64)
    a = np.zeros(s, np.int64)
    b = np.zeros(s, np.int64)
    orders = 1
    for j in range(2, s + 1):
        orders *= j
    avoiding = np.zeros(s, np.int64)
    j = 0
    while j >= 0:
        if code[j] == columns:
            j -= 1
            if j >= 0:
                code[j] += 1
            continue
        a[j], b[j] = divmod(code[j], second_bound + 1)
        fits = True
        for i in range(j):
            if a[i] + b[j] > largest or a[j] + b[i] > largest:
                fits = False
        if fits and j < s - 1:
            code[j + 1] = code[j]
            j += 1
            continue
        if fits:
            total, weight, run = 0, orders, 1
            for i in range(s):
                total += a[i] + b[i]
                run = run + 1 if i > 0 and code[i] == code[i - 1] else 1
                weight //= run
                best = 0
                for l in range(s):
                    if l != i:
                        best = max(best, a[l], b[l])
                        for m in range(s):
                            if m not in (i, l):
                                best = max(best, a[l] + b[m])
                avoiding[i] = best
            avoiding.sort()
            histogram[avoiding[0], avoiding[min(1, s - 1)], avoiding[s - 1], total] += weight
        code[j] += 1
    return histogram
