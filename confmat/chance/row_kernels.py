"""Adding a row to every state of what the columns have left, by which the law of P is made (``tails``)."""

from typing import NamedTuple

import numpy as np

from confmat.compiled import copy, njit


class States(NamedTuple):
    """What columns have left, a row each; the law of P there: ``law[start[i] + k]`` for P = ``first[i] + k``."""

    columns: np.ndarray
    start: np.ndarray
    first: np.ndarray
    law: np.ndarray


@njit(cache=True)
def _next_choice(c, room, j, x, left, weight, value, place, run, share, both):
    """Move x to the next row below the state c, equal columns in decreasing order; -1 at the end, from ``j``.

    ``weight[s]``, ``value[s]``: its probability but for the norm, and its pairs (with those of the rest, ``both``).
    """
    s = len(c)
    while j >= 0:
        x[j] -= 1
        if x[j] < 0 or left[j] - x[j] > room[j + 1]:
            j -= 1
            continue
        same = j > 0 and c[j] == c[j - 1]
        place[j] = place[j - 1] + 1 if same else 1
        run[j] = run[j - 1] + 1 if same and x[j] == x[j - 1] else 1
        weight[j + 1] = weight[j] * share[c[j], x[j]] * place[j] / run[j]
        value[j + 1] = value[j] + x[j] * (x[j] - 1) // 2
        if both:
            value[j + 1] += (c[j] - x[j]) * (c[j] - x[j] - 1) // 2
        left[j + 1] = left[j] - x[j]
        if j == s - 1:
            return j  # the room beyond is 0, so nothing is left
        j += 1
        x[j] = min(c[j], left[j])
        if c[j] == c[j - 1]:
            x[j] = min(x[j], x[j - 1])
        x[j] += 1
    return j


@njit(cache=True)
def _start(c, r, room, x, left):
    """Before the first row of sum r."""
    room[len(c)] = 0
    for j in range(len(c) - 1, -1, -1):
        room[j] = room[j + 1] + c[j]
    left[0] = r
    x[0] = min(c[0], r) + 1


@njit(cache=True)
def add_row(states, r, share, norm, most_bytes):
    """States after another row of sum r, and how many terms were added (0: they do not fit)."""
    columns, start, first, law = states
    s, base, half = columns.shape[1], len(share), columns.shape[1] // 2
    index = {}
    new_columns, bounds = np.zeros((64, s), np.int64), np.zeros((64, 2), np.int64)
    new_start, new_law = np.zeros(1, np.int64), np.zeros(0)
    used = added = 0
    x, left, value, run, place, room = np.zeros((6, s + 1), np.int64)
    weight = np.ones(s + 1)
    for fill in (False, True):  # first which states there are, and the least and largest P of each
        if fill:
            new_start = np.zeros(used + 1, np.int64)
            for at in range(used):
                new_start[at + 1] = new_start[at] + bounds[at, 1] - bounds[at, 0] + 1
            if 8 * new_start[-1] > most_bytes:
                return states, 0
            new_law = np.zeros(new_start[-1])
        for at in range(len(columns)):
            c, size = columns[at], start[at + 1] - start[at]
            _start(c, r, room, x, left)
            j = _next_choice(c, room, 0, x, left, weight, value, place, run, share, False)
            while j >= 0:
                target = np.sort(c - x[:s])
                high = low = 0
                for k in range(half):
                    high = high * base + target[k]
                for k in range(half, s):
                    low = low * base + target[k]
                least = first[at] + value[s]
                if fill:
                    to = index[high, low]
                    begin = new_start[to] + least - bounds[to, 0]
                    chance = weight[s] / norm
                    for k in range(size):
                        new_law[begin + k] += chance * law[start[at] + k]
                    added += 1
                elif (high, low) in index:
                    to = index[high, low]
                    bounds[to, 0] = min(bounds[to, 0], least)
                    bounds[to, 1] = max(bounds[to, 1], least + size - 1)
                else:
                    if used == len(new_columns):
                        new_columns = np.concatenate((new_columns, np.zeros_like(new_columns)))
                        bounds = np.concatenate((bounds, np.zeros_like(bounds)))
                    index[high, low] = used
                    copy(target, new_columns[used])
                    bounds[used, 0], bounds[used, 1] = least, least + size - 1
                    used += 1
                j = _next_choice(c, room, j, x, left, weight, value, place, run, share, False)
    return States(new_columns[:used], new_start, bounds[:used, 0].copy(), new_law), added


@njit(cache=True)
def last_rows(states, r, share, norm, chances):
    """Add to ``chances`` the law of P after a row of sum r and what it leaves; returns the number of terms."""
    columns, start, first, law = states
    s = columns.shape[1]
    added = 0
    x, left, value, run, place, room = np.zeros((6, s + 1), np.int64)
    weight = np.ones(s + 1)
    for at in range(len(columns)):
        c = columns[at]
        _start(c, r, room, x, left)
        j = _next_choice(c, room, 0, x, left, weight, value, place, run, share, True)
        while j >= 0:
            chance, least = weight[s] / norm, first[at] + value[s]
            for k in range(start[at + 1] - start[at]):
                chances[least + k] += chance * law[start[at] + k]
            added += 1
            j = _next_choice(c, room, j, x, left, weight, value, place, run, share, True)
    return added
