"""Means over folds: a part of the checker of audits, plain Python.

A score counts as the whole steps of a grid in it, so a sum of k scores may be up to k steps more.  The sums of one
score are one long integer, a bit each, to which adding a value is a shift: one such integer for all sums of the others.
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


class Sums:
    """Sums over folds, of each of which the scores are one of some tuples of steps.

    ``windows``: what is printed of the means; ``grid``: steps to a unit; ``more``: scores that may be part of one more.
    """

    def __init__(self, folds, windows, grid, more):
        values = [len({x[k] for fold in folds for x in fold}) for k in range(len(grid))]
        self.order = sorted(range(len(grid)), key=values.__getitem__)  # long integers are of the last
        self.folds = [{tuple(x[k] for k in self.order) for x in fold} for fold in folds]
        self.slack = [len(folds) * more[k] for k in self.order]
        self.ends = []
        for k in self.order:
            *printed, has_low, has_high = windows[k]
            low, high = ((x + 1) * grid[k] * len(folds) for x in printed)
            least = -(-low // 1) + (low % 1 == 0 and not has_low)
            self.ends.append((max(0, least), high // 1 - (high % 1 == 0 and not has_high)))
        tops = [[*map(max, zip(*fold))] for fold in self.folds]
        self.stages, self.kept, self.work = [{(0,) * (len(grid) - 1): 1}], 0, 0
        self.bits = [*accumulate((top[-1] for top in tops), initial=BITS_OF_A_SUM)]
        if sum(self.bits) > MOST_BITS:
            self.refuse(sum(self.bits))
        for i, fold in enumerate(self.folds, 1):
            self.stages.append(self.added(fold, [sum(top[k] for top in tops[i:]) for k in range(len(grid))]))

    def added(self, fold, rest):
        """The sums with one more fold; ``rest``: what the folds after it add at most."""
        before, sums, long = self.stages[-1], {}, self.bits[len(self.stages)]
        self.work += len(before) * len(fold) * long
        if self.work > MOST_ADDED:
            self.refuse(self.work)
        for (key, bits), (*others, last) in product(before.items(), fold):
            total = tuple(map(int.__add__, key, others))
            within = zip(total, self.ends, rest, self.slack)
            if all(x <= high and x + y + slack >= low for x, (low, high), y, slack in within):
                sums[total] = sums.get(total, 0) | bits << last
                if self.kept + len(sums) * long > MOST_BITS:
                    self.refuse(self.kept + len(sums) * long)
        self.kept += len(sums) * long
        return sums

    def refuse(self, bits):
        """They are too many, or too long."""
        raise Unreadable(
            f"{len(self.stages[-1])} sums of {len(self.stages) - 1} of {len(self.folds)} folds, and those of one "
            f"more, are too many: {bits} bits"
        )

    def met(self, surely):
        """Sums that are as printed, surely or perhaps, as steps; None if there are none."""
        ends = [(a, b - x) if surely else (a - x, b) for (a, b), x in zip(self.ends, self.slack)]
        *others, (low, high) = ((max(0, a), b) for a, b in ends)
        for key, bits in self.stages[-1].items():
            inside = (bits >> low) % (1 << max(high - low + 1, 0))
            if inside and all(a <= x <= b for x, (a, b) in zip(key, others)):
                return (*key, low + inside.bit_length() - 1)
        return None
