"""Means over folds: a part of the checker of audits, plain Python.

A score counts as the whole steps of a grid in it, so a sum may be up to a step more for each fold of which something is
rounded down; these folds are counted.  The sums of one score are one long integer, a bit each, to which adding a value
is a shift: one such integer for all sums of the others.
"""

import operator
from itertools import accumulate, combinations, pairwise, product
from math import comb, prod

from confmat.certificates.ranges import MatrixBox, score
from confmat.certificates.verdict import Unreadable

# --- means over folds -----------------------------------------------------------------------------

MOST_BITS = 2**34  # of all sums that are kept: 2 GiB
MOST_ADDED = 2**41  # bits that are shifted and added: minutes
BITS_OF_A_SUM = 2**14  # what a sum takes beside its long integer


def matrices_of(rows):
    """How many matrices have these row sums, and as many columns.

    >>> matrices_of([2, 1])
    6
    """
    k = len(rows)
    return prod(comb(row_sum + k - 1, row_sum) for row_sum in rows)


def every_matrix(rows):
    """These matrices.

    >>> [*every_matrix([1, 0])]
    [((0, 1), (0, 0)), ((1, 0), (0, 0))]
    """
    return product(*(every_row(row_sum, len(rows)) for row_sum in rows))


def every_row(row_sum, cells):
    """The tuples of so many whole numbers with this sum: what stands between bars that are set among places.

    >>> every_row(1, 2)
    [(0, 1), (1, 0)]
    """
    places = row_sum + cells - 1
    rows = []
    for bars in combinations(range(places), cells - 1):
        ends = (-1, *bars, places)
        gaps = [next_bar - bar - 1 for bar, next_bar in pairwise(ends)]
        rows.append(tuple(gaps))
    return rows


def steps(names, table, undefined, grid):
    """The scores of a matrix in steps from -1, below which none is, rounded down; and whether there is more of it.

    >>> steps(["acc"], [[4, 1], [1, 4]], 0, [4])  # 4/5 is 7 quarters above -1, and a rest
    ((7,), [True])
    """
    box = MatrixBox([*map(sum, table)], table, table, undefined)
    whole_steps = []
    rests = []
    for name, steps_to_a_unit in zip(names, grid):
        lower, upper = score(name, box)
        while (
            lower * steps_to_a_unit // 1 != upper * steps_to_a_unit // 1
        ):  # irrational, so between two steps
            box.places *= 2
            lower, upper = score(name, box)
        whole_steps.append(int((lower + 1) * steps_to_a_unit))
        rests.append(lower < upper or lower * steps_to_a_unit % 1 > 0)
    return tuple(whole_steps), rests


def ends(window, steps_to_a_unit):
    """The least and largest whole number of steps from -1 in what is printed.

    >>> ends((0, 1, True, False), 10)
    (10, 19)
    """
    lower, upper, has_low, has_high = window
    low_in_steps = (lower + 1) * steps_to_a_unit
    high_in_steps = (upper + 1) * steps_to_a_unit
    least_steps = -(-low_in_steps // 1)
    most_steps = high_in_steps // 1
    if low_in_steps == least_steps and not has_low:
        least_steps += 1
    if high_in_steps == most_steps and not has_high:
        most_steps -= 1
    return max(0, least_steps), most_steps


class SumsOfFolds:
    """Sums over folds, of each of which the scores are one of some tuples of steps, and 1 if one is rounded down.

    ``windows``: what is printed of the means; ``grid``: steps to a unit; ``more``: scores rounded down in some of them.
    Three folds of accuracy 3/4 or 1, printed as 0.83, in quarters: the sums 3/4 + 3/4 + 1, in steps from -1 each:

    >>> from fractions import Fraction
    >>> folds = [{(7, 0), (8, 0)}] * 3
    >>> SumsOfFolds(folds, [(Fraction(33, 40), Fraction(67, 80), True, False)], [4], [False]).met(surely=True)
    (0, 22)
    """

    def __init__(self, folds, windows, grid, more):
        # Long integers are of the last score: of that with the most values.
        scores = range(len(grid))
        tuples = [steps_of_scores for fold in folds for steps_of_scores in fold]
        numbers_of_values = [len(set(values)) for values in zip(*tuples)]
        order = sorted(scores, key=numbers_of_values.__getitem__)
        rounded_down = len(grid)  # the last entry of a tuple: in how many folds a score is rounded down
        self.order = [rounded_down, *order]
        reordered = operator.itemgetter(*self.order)
        self.more = [0, *(more[k] for k in order)]
        self.folds = [set(map(reordered, fold)) for fold in folds]
        self.ends = [(0, len(folds))]
        for k in order:
            self.ends.append(
                ends(
                    windows[k],
                    grid[k] * len(folds),
                )
            )
        largest_scores = [[*map(max, zip(*fold))] for fold in self.folds]
        largest_last_scores = [of_fold[-1] for of_fold in largest_scores]
        self.bits = [*accumulate(largest_last_scores, initial=BITS_OF_A_SUM)]
        self.kept = 0
        self.work = 0
        self.stages = [{(0,) * len(grid): 1}]
        for i, fold in enumerate(self.folds, 1):
            still_to_come = [sum(column) for column in zip(*largest_scores[i:])]
            self.stages.append(self.added(fold, still_to_come or [0] * len(self.order)))

    def added(self, fold, still_to_come):
        """The sums with one more fold; ``still_to_come``: what the folds after it add at most."""
        before = self.stages[-1]
        done = len(self.stages)
        bits_of_sum = self.bits[done]
        bits_to_come = sum(self.bits[done:])  # each fold from here on keeps a sum at least
        self.work += len(before) * len(fold) * bits_of_sum
        slack = [len(self.folds) * x for x in self.more]
        sums = {}
        for (key, bits), (*others, last) in product(before.items(), fold):
            kept = self.kept + len(sums) * bits_of_sum
            if kept + bits_to_come > MOST_BITS or self.work > MOST_ADDED:
                raise Unreadable(
                    f"{len(before)} sums of {done - 1} of {len(self.folds)} folds, and those of one more, are too "
                    f"many: {kept + bits_to_come} bits kept, {self.work} added"
                )
            total = tuple(map(int.__add__, key, others))
            if self._may_be_printed(total, still_to_come, slack):
                sums[total] = sums.get(total, 0) | bits << last
        self.kept += len(sums) * bits_of_sum
        return sums

    def _may_be_printed(self, total, still_to_come, slack):
        for x, (lower, upper), rest, rounding in zip(total, self.ends, still_to_come, slack):
            if x > upper or x + rest + rounding < lower:
                return False
        return True

    def printed(self, rounded, surely):
        """The least and largest sums that are as printed, surely or perhaps, if so many folds are rounded down."""
        ranges = []
        for (lower, upper), may_be_rounded in zip(self.ends, self.more):
            slack = rounded * may_be_rounded
            if surely:
                ranges.append((lower, upper - slack))
            else:
                ranges.append((max(0, lower - slack), upper))
        return ranges

    def met(self, surely):
        """Sums that are as printed, surely or perhaps, as steps; None if there are none."""
        for key, bits in self.stages[-1].items():
            *other_ranges, (lower, upper) = self.printed(key[0], surely)
            width = max(upper - lower + 1, 0)
            sums_inside = (bits >> lower) % (1 << width)
            if sums_inside and all(
                lower_end <= x <= upper_end for x, (lower_end, upper_end) in zip(key, other_ranges)
            ):
                return (*key, lower + sums_inside.bit_length() - 1)
        return None
