"""Check an audit of printed scores without confmat: one file of plain Python.

    python3 -I verify.py FILE        exit code 0: right; 1: wrong; 2: unreadable, or beyond this file

``confmat verify FILE --script`` prints this file.  A certificate of kind "audit" says whether a matrix can have
produced a report.  Possible: here is one.  Impossible: a tree of boxes.  A box is a range for every cell; "/" halves
it, any other letter names a printed score whose range over the box misses what was printed.  Ranges are exact: products
lie between planes, convex functions between tangents and chords, and what is linear in the cells is largest and
smallest greedily, row by row.  Means over folds: the scores of all matrices of a fold, and their sums.
"""

import re
from collections import Counter
from fractions import Fraction
from itertools import chain

from confmat.certificates.means import Sums, every_matrix, matrices_of, steps
from confmat.certificates.ranges import OF_A_CLASS, OF_CLUSTERINGS, Box, misses, score, window
from confmat.certificates.verdict import Unreadable, Wrong, partitions

# --- reports --------------------------------------------------------------------------------------

LETTERS = "abcdefghijklmnopqrstuvwxyz"  # of the scores, in the order of the report


def divisions(n, sizes, least):
    """Tuples with the sum n of parts of these sizes, each of them decreasing, of whole numbers >= least."""
    size, *rest = sizes
    others = sum(rest)
    for total in range(least * size, n - least * others + 1) if rest else [n]:
        for part in partitions(total, size, least):
            yield from ((*part, *x) for x in divisions(n - total, rest, least)) if rest else [part]


def alike(of_folds):
    """What is the same in some folds, and in how many."""
    return [(x, f"{k} fold{'s' * (k > 1)}") for x, k in Counter(map(str, of_folds)).items()]


class Question:
    """What a report asks: r x s matrices of ``n`` objects, ``rows`` and ``columns`` where known, and printed scores.

    ``paired``: rows and columns are the same classes; else columns are clusters, rows too where their sizes are not
    known; those of unknown sizes may be ``empty`` or not.  With ``folds``, row sums of a matrix each, scores are means.
    ``ordered``: clusters that may change places are looked for where row i is matched with column i.
    """

    def __init__(self, report, ordered=False):
        self.folds = report.get("folds")
        self.report = {
            key: report[key] for key in (*FIELDS, "folds") if key in FIELDS or self.folds is not None
        }
        self.rows, self.columns, undefined = report["rows"], report["columns"], report["undefined"]
        self.n, self.paired, (self.r, self.s) = report["n"], report["paired"], report["shape"]
        least = int(not self.paired and not report["empty"])
        self.least_row = max(least, int(self.paired))
        self.least = least if self.columns is None else 0
        sizes = [
            self.n,
            self.r,
            self.s,
            *(self.rows or ()),
            *(self.columns or ()),
            *chain(*(self.folds or ())),
        ]
        if not {*map(type, sizes)} <= {int}:
            raise Unreadable("objects, rows, columns and folds must be whole numbers")
        for name in ("paired", "empty"):
            if type(report[name]) is not bool:
                raise Unreadable(f"{name} must be true or false, not {report[name]!r:.80}")
        if self.paired and report["empty"]:
            raise Unreadable("empty says something of clusters, not of classes")
        for name, sizes, count in (("rows", self.rows, self.r), ("columns", self.columns, self.s)):
            if sizes is not None and (len(sizes) != count or sum(sizes) != self.n or min(sizes) < 0):
                raise Unreadable(f"{name} must be {count} numbers with the sum {self.n}, not {sizes!r:.80}")
        if not re.fullmatch(r"\d+(/0*[1-9]\d*)?", undefined, re.ASCII) or Fraction(undefined) > 1:
            raise Unreadable(f"undefined must be from 0 to 1, not {undefined!r:.80}")
        self.undefined = Fraction(undefined)
        if str(self.undefined) != undefined:
            raise Unreadable(f"undefined must be in lowest terms, {self.undefined}, not {undefined}")
        self.ordered = ordered and not self.paired and self.columns is None and self.r <= self.s
        self.names = [*report["scores"]]
        self.windows = [window(x, report["rounding"]) for x in report["scores"].values()]
        of_classes = [x for x in self.names if x not in OF_CLUSTERINGS]
        if of_classes and not self.paired:
            raise Unreadable(f"{of_classes[0]} needs classes in rows and columns, not clusters")
        if not 0 < len(self.names) <= len(LETTERS) or min(self.n, self.r, self.s) < 1:
            raise Unreadable("there must be scores, objects, rows and columns")
        if self.paired and self.r != self.s:
            raise Unreadable("classes must be in rows and columns")
        if self.folds is not None and (
            not self.paired
            or self.columns is not None
            or [*map(sum, zip(*self.folds, strict=True))] != self.rows
            or min(map(min, self.folds)) < 0
            or not all(map(any, self.folds))
            or len(self.folds) < 2
        ):
            raise Unreadable(
                f"folds must be two or more, none empty, of classes, with sums {self.rows}, not {self.folds!r:.80}"
            )

    def groups(self):
        """The rows, in groups that may change places: none of one class that a score is of, or of other columns."""
        named = {int(one[2]) - 1 for one in map(OF_A_CLASS.fullmatch, self.names) if one}
        alike = {}
        for i in range(self.r):
            column = self.columns[i] if self.paired and self.columns is not None else None
            alike.setdefault((i if i in named else None, column), []).append(i)
        return [*alike.values()]

    def margins(self):
        """The row sums that may be, one by one; in a group of rows decreasing ones stand for all."""
        if self.rows is not None:
            yield tuple(self.rows)
            return
        groups = self.groups()
        places = [i for group in groups for i in group]
        for sizes in divisions(self.n, [*map(len, groups)], self.least_row):
            yield tuple(x for _, x in sorted(zip(places, sizes)))

    def correct(self):
        """At least and at most so many objects on the diagonal, as the accuracy says, or the MED if ordered."""
        printed = dict(zip(self.names, self.windows))
        low, high = printed.get("acc", (0, 1))[:2]
        if self.ordered and "med" in printed:
            low, high = (1 - x for x in printed["med"][1::-1])
        return max(0, int(-(-self.n * low // 1))), min(self.n, int(self.n * high // 1))

    def box(self, rows, low=None, high=None):
        """The box with these ends as far as row sums, accuracy and columns reach; None if it is empty."""
        low = [*map(list, low or [[0] * self.s] * self.r)]
        high = [*map(list, high or [[x] * self.s for x in rows])]
        diagonal = [(i, i) for i in range(self.r)]
        lines = [([(i, j) for j in range(self.s)], x, x) for i, x in enumerate(rows)]
        lines += [([(i, j) for i in range(self.r)], x, x) for j, x in enumerate(self.columns or ())]
        if self.correct() != (0, self.n):
            lines += [(diagonal, *self.correct()), *lines]
        for cells, least, most in lines:
            below, above = sum(low[i][j] for i, j in cells), sum(high[i][j] for i, j in cells)
            for i, j in cells:
                a, b = low[i][j], high[i][j]
                low[i][j], high[i][j] = max(a, least - above + b), min(b, most - below + a)
                if low[i][j] > high[i][j]:
                    return None
        if any(sum(column) < self.least for column in zip(*high)):
            return None
        box = Box(rows, low, high, self.undefined, self.correct())
        if self.columns is not None:
            box.least = box.most = [*self.columns]
        return box

    def halves(self, box):
        """The boxes that are left of the two halves of the widest range."""
        _, i, j = max(
            (b - a, -i, -j)
            for i, (p, q) in enumerate(zip(box.low, box.high))
            for j, (a, b) in enumerate(zip(p, q))
        )
        middle = (box.low[-i][-j] + box.high[-i][-j]) // 2
        for low, high in ((box.low[-i][-j], middle), (middle + 1, box.high[-i][-j])):
            ends = [*map(list, box.low)], [*map(list, box.high)]
            ends[0][-i][-j], ends[1][-i][-j] = low, high
            half = self.box(box.rows, *ends)
            yield from [half] * (half is not None)

    def missed(self, box, k):
        """Whether no matrix of the box has the k-th score as it was printed; of one matrix, whether it has not."""
        (a, b), printed = score(self.names[k], box), self.windows[k]
        while box.low == box.high and a < b and any(a <= end <= b for end in printed[:2]):
            box.places *= 2  # irrational, so not at an end of its window: on one side of it
            a, b = score(self.names[k], box)
        return misses((a, b), printed)

    def __str__(self):
        """Which matrices, printed how."""
        size = f"{self.r} x {self.s}" if self.least or self.paired else f"at most {self.r} x {self.s}"
        of = f"{self.n} objects" + "".join(
            f" in {name} of {', '.join(map(str, x))}"
            for name, x in (("rows", self.rows), ("columns", self.columns))
            if x is not None
        )
        means = f"rounding {self.report['rounding']}, 0/0 counts {self.undefined}"
        if self.folds:
            sizes = "; ".join(f"{x} ({k})" for x, k in alike(", ".join(map(str, x)) for x in self.folds))
            return f"choice of {size} confusion matrices of {of}, in folds of {sizes} ({means})"
        return f"{size} {'confusion matrix' if self.paired else 'table'} of {of} ({means})"


FIELDS = ("n", "shape", "rows", "columns", "paired", "empty", "rounding", "undefined", "scores")


def check_audit(content):
    """A matrix has all scores that a report prints; or none has, box by box.

    Every field has one form; which matrix, boxes or grid (of means) show the answer is free, as of any proof.
    """
    if type(content["possible"]) is not bool:
        raise Unreadable(f"possible must be true or false, not {content['possible']!r:.80}")
    asked = Question(content, ordered=not content["possible"])
    said = ", ".join(f"{name} {digits}" for name, digits in content["scores"].items())
    if asked.folds is not None:
        return check_means(asked, content, said)
    if content["possible"]:
        table = [[*map(int, row)] for row in content["matrix"]]
        rows = [*map(sum, table)]
        free = len(table) == asked.r and sum(rows) == asked.n and min(rows) >= asked.least_row
        known = free if asked.rows is None else rows == asked.rows
        known = known and {*map(len, table)} == {asked.s} and min(map(min, table)) >= 0
        box = asked.box(rows, table, table) if known else None
        if box is None:
            raise Wrong(f"{table} is no matrix of this report")
        if missed := [x for k, x in enumerate(asked.names) if asked.missed(box, k)]:
            raise Wrong(f"{table} does not have the {missed[0]} that was printed")
        return f"{said} is possible in a {asked}: {table}", {
            **asked.report,
            "possible": True,
            "matrix": table,
        }
    boxes = 0
    for rows, proof in zip(asked.margins(), content["proof"], strict=True):
        open_boxes = [x for x in [asked.box(rows)] if x is not None]
        for letter in proof:
            if not open_boxes:
                raise Wrong(f"{letter!r} is about no box")
            box = open_boxes.pop()
            boxes += 1
            if letter == "/":
                open_boxes += asked.halves(box)
            elif not asked.missed(box, LETTERS.index(letter)):
                raise Wrong(
                    f"{asked.names[LETTERS.index(letter)]} may be as printed in {box.low} to {box.high}"
                )
        if open_boxes:
            raise Wrong(f"{len(open_boxes)} boxes are left open")
    right = {**asked.report, "possible": False, "proof": content["proof"]}
    return f"no {asked} has {said} ({boxes} box{'es' * (boxes != 1)})", right


MOST_MATRICES = 200_000


def check_means(asked, content, said):
    """Matrices, one for each fold, have all scores as means; or none have, by the sums of what all matrices have."""
    possible, grid = content["possible"], content["grid"]
    if (
        {*map(type, grid)} != {int}
        or len(grid) != len(asked.names)
        or not 0 < min(grid) <= max(grid) <= 10**7
    ):
        raise Unreadable(f"the grid must be a whole number up to 10^7 for each score, not {grid!r:.80}")
    right = {**asked.report, "possible": possible, "grid": grid}
    if possible:
        right["matrices"] = tables = [[[*map(int, row)] for row in table] for table in content["matrices"]]
        rows = [row for table in tables for row in table]
        if (
            [[*map(sum, x)] for x in tables] != asked.folds
            or {*map(len, rows)} != {asked.s}
            or min(map(min, rows)) < 0
        ):
            raise Wrong("the matrices are not of these folds")
        choices, found = [[table] for table in tables], "; ".join(f"{x} in {k}" for x, k in alike(tables))
        shown = f"means {said} are possible in a {asked}: {found}"
    else:
        many = sum(matrices_of(rows) for rows in {*map(tuple, asked.folds)})
        if many > MOST_MATRICES:
            raise Unreadable(
                f"{many} matrices of folds are too many for this file, which takes {MOST_MATRICES}"
            )
        choices, shown = asked.folds, f"no {asked} has means {said} ({many} matrices tried)"
    counted = {}
    for x in choices:
        if str(x) not in counted:
            counted[str(x)] = [
                steps(asked.names, y, asked.undefined, grid) for y in (x if possible else every_matrix(x))
            ]
    more = [any(x) for x in zip(*(x for found in counted.values() for _, x in found))]
    for told in (
        False,
        True,
    ):  # which folds are rounded down: more sums, so told apart only where it is needed
        folds = [{(*x, not told or any(rest)) for x, rest in counted[str(fold)]} for fold in choices]
        if (Sums(folds, asked.windows, grid, more).met(surely=possible) is not None) is possible:
            return shown, right
    raise Wrong(f"that {said} is {'possible' if possible else 'impossible'} as means does not follow")


CHECKS = {"audit": check_audit}
