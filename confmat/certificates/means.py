"""Means over folds: a part of the checker of audits, plain Python.

A score counts as the whole steps of a grid in it, so a sum may be up to a step more for each fold of which something is
rounded down; these folds are counted.  The sums of one score are one long integer, a bit each, to which adding a value
is a shift: one such integer for all sums of the others.
"""

from itertools import accumulate, combinations, pairwise, product
from math import comb, prod

from confmat.certificates.ranges import Box, score
from confmat.certificates.verdict import Unreadable

# --- means over folds -----------------------------------------------------------------------------

# Bits of all sums that are kept, 2 GiB, and of those added; what a sum takes beside them, in bits.
MOST_BITS, MOST_ADDED, BITS_OF_A_SUM = 2**34, 2**41, 2**14


def matrices_of(rows):
    """How many matrices have these row sums, and as many columns."""
    return prod(comb(x + len(rows) - 1, x) for x in rows)


def every_matrix(rows):
    """These matrices."""
    bars = (
        [(-1, *c, x + len(rows) - 1) for c in combinations(range(x + len(rows) - 1), len(rows) - 1)]
        for x in rows
    )
    return product(*([tuple(b - a - 1 for a, b in pairwise(c)) for c in x] for x in bars))


def steps(names, table, undefined, grid):
    """The scores of a matrix in steps from -1, below which none is, rounded down; and whether there is more of it."""
    box = Box([*map(sum, table)], table, table, undefined)
    found, more = [], []
    for name, q in zip(names, grid):
        a, b = score(name, box)
        while a * q // 1 != b * q // 1:  # irrational, so between two steps
            box.places *= 2
            a, b = score(name, box)
        found.append(int((a + 1) * q))
        more.append(a < b or a * q % 1 > 0)
    return tuple(found), more


def ends(window, steps):
    """The least and largest whole number of steps from -1 in what is printed, with so many steps to a unit."""
    *printed, has_low, has_high = window
    low, high = ((x + 1) * steps for x in printed)
    least = -(-low // 1) + (low % 1 == 0 and not has_low)
    return max(0, least), high // 1 - (high % 1 == 0 and not has_high)


class Sums:
    """Sums over folds, of each of which the scores are one of some tuples of steps, and 1 if one is rounded down.

    ``windows``: what is printed of the means; ``grid``: steps to a unit; ``more``: scores rounded down in some of them.
    """

    def __init__(self, folds, windows, grid, more):
        values = [len({x[k] for fold in folds for x in fold}) for k in range(len(grid))]
        order = sorted(range(len(grid)), key=values.__getitem__)  # long integers are of the last
        self.order, self.more = [len(grid), *order], [0, *(more[k] for k in order)]
        self.folds = [{tuple(x[k] for k in self.order) for x in fold} for fold in folds]
        self.ends = [(0, len(folds)), *(ends(windows[k], grid[k] * len(folds)) for k in order)]
        tops = [[*map(max, zip(*fold))] for fold in self.folds]
        self.stages, self.kept, self.work = [{(0,) * len(grid): 1}], 0, 0
        self.bits = [*accumulate((top[-1] for top in tops), initial=BITS_OF_A_SUM)]
        for i, fold in enumerate(self.folds, 1):
            self.stages.append(
                self.added(fold, [sum(column) for column in zip(*tops[i:])] or [0] * len(tops[0]))
            )

    def added(self, fold, rest):
        """The sums with one more fold; ``rest``: what the folds after it add at most."""
        before, sums, done = self.stages[-1], {}, len(self.stages)
        long, later = self.bits[done], sum(self.bits[done:])  # each fold from here on keeps a sum at least
        self.work += len(before) * len(fold) * long
        slack = [len(self.folds) * x for x in self.more]
        for (key, bits), (*others, last) in product(before.items(), fold):
            kept = self.kept + len(sums) * long
            if kept + later > MOST_BITS or self.work > MOST_ADDED:
                raise Unreadable(
                    f"{len(before)} sums of {done - 1} of {len(self.folds)} folds, and those of one more, are too "
                    f"many: {kept + later} bits kept, {self.work} added"
                )
            total = tuple(map(int.__add__, key, others))
            within = zip(total, self.ends, rest, slack)
            if all(x <= high and x + y + z >= low for x, (low, high), y, z in within):
                sums[total] = sums.get(total, 0) | bits << last
        self.kept += len(sums) * long
        return sums

    def printed(self, rounded, surely):
        """The least and largest sums that are as printed, surely or perhaps, if so many folds are rounded down."""
        slack = [rounded * x for x in self.more]
        return [(a, b - x) if surely else (max(0, a - x), b) for (a, b), x in zip(self.ends, slack)]

    def met(self, surely):
        """Sums that are as printed, surely or perhaps, as steps; None if there are none."""
        for key, bits in self.stages[-1].items():
            *others, (low, high) = self.printed(key[0], surely)
            inside = (bits >> low) % (1 << max(high - low + 1, 0))
            if inside and all(a <= x <= b for x, (a, b) in zip(key, others)):
                return (*key, low + inside.bit_length() - 1)
        return None
