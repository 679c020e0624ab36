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

from confmat.certificates.means import SumsOfFolds, every_matrix, matrices_of, steps
from confmat.certificates.ranges import OF_A_CLASS, OF_CLUSTERINGS, MatrixBox, misses, score, window
from confmat.certificates.verdict import Unreadable, Wrong, partitions

# --- reports --------------------------------------------------------------------------------------

LETTERS = "abcdefghijklmnopqrstuvwxyz"  # of the scores, in the order of the report


def divisions(n, sizes, least):
    """Tuples with the sum n of parts of these sizes, each of them decreasing, of whole numbers >= least.

    >>> [*divisions(3, [2, 1], 1)]
    [(1, 1, 1)]
    >>> [*divisions(2, [1, 1], 0)]
    [(0, 2), (1, 1), (2, 0)]
    """
    size, *other_sizes = sizes
    if not other_sizes:
        yield from partitions(n, size, least)
        return
    largest_total = n - least * sum(other_sizes)
    for total in range(least * size, largest_total + 1):
        for part in partitions(total, size, least):
            for other_parts in divisions(n - total, other_sizes, least):
                yield (*part, *other_parts)


def alike_texts(of_folds):
    """What is the same in some folds, and in how many.

    >>> alike_texts([[5, 5], [5, 4], [5, 5]])
    [('[5, 5]', '2 folds'), ('[5, 4]', '1 fold')]
    """
    words = []
    for text, folds in Counter(map(str, of_folds)).items():
        words.append((text, "1 fold" if folds == 1 else f"{folds} folds"))
    return words


class ReportQuestion:
    """What a report asks: r x s matrices of ``n`` objects, ``rows`` and ``columns`` where known, and printed scores.

    ``paired``: rows and columns are the same classes; else columns are clusters, rows too where their sizes are not
    known; those of unknown sizes may be ``empty`` or not.  With ``folds``, row sums of a matrix each, scores are means.
    ``ordered``: clusters that may change places are looked for where row i is matched with column i.
    """

    def __init__(self, report, ordered=False):
        self.folds = report.get("folds")
        if self.folds is None:
            fields = FIELDS
        else:
            fields = *FIELDS, "folds"
        self.report = {key: report[key] for key in fields}
        self.n = report["n"]
        self.r, self.s = report["shape"]
        self.rows = report["rows"]
        self.columns = report["columns"]
        self.paired = report["paired"]
        self.names = [*report["scores"]]
        self._check_sizes()
        self._check_kind(report)
        self.undefined = share(report["undefined"])
        self.windows = [window(digits, report["rounding"]) for digits in report["scores"].values()]
        self._check_scores()
        if self.folds is not None:
            self._check_folds()
        # A class holds an object; a cluster of unknown size may be empty where the report says so.
        if self.paired or report["empty"]:
            fewest_in_cluster = 0
        else:
            fewest_in_cluster = 1
        self.least_row = 1 if self.paired else fewest_in_cluster
        if self.columns is None:
            self.least = fewest_in_cluster
        else:
            self.least = 0
        self.ordered = ordered and not self.paired and self.columns is None and self.r <= self.s

    def _check_sizes(self):
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

    def _check_kind(self, report):
        for name in ("paired", "empty"):
            if type(report[name]) is not bool:
                raise Unreadable(f"{name} must be true or false, not {report[name]!r:.80}")
        if self.paired and report["empty"]:
            raise Unreadable("empty says something of clusters, not of classes")
        for name, sizes, count in (("rows", self.rows, self.r), ("columns", self.columns, self.s)):
            if sizes is None:
                continue
            if len(sizes) != count or sum(sizes) != self.n or min(sizes) < 0:
                raise Unreadable(f"{name} must be {count} numbers with the sum {self.n}, not {sizes!r:.80}")

    def _check_scores(self):
        of_classes = [name for name in self.names if name not in OF_CLUSTERINGS]
        if of_classes and not self.paired:
            raise Unreadable(f"{of_classes[0]} needs classes in rows and columns, not clusters")
        has_scores = 0 < len(self.names) <= len(LETTERS)
        if not has_scores or min(self.n, self.r, self.s) < 1:
            raise Unreadable("there must be scores, objects, rows and columns")
        if self.paired and self.r != self.s:
            raise Unreadable("classes must be in rows and columns")

    def _check_folds(self):
        if not self._has_folds_of_classes() or len(self.folds) < 2:
            raise Unreadable(
                f"folds must be two or more, none empty, of classes, with sums {self.rows}, not {self.folds!r:.80}"
            )

    def _has_folds_of_classes(self):
        if not self.paired or self.columns is not None:
            return False
        sums = [*map(sum, zip(*self.folds, strict=True))]
        if sums != self.rows or min(map(min, self.folds)) < 0:
            return False
        return all(map(any, self.folds))

    def groups(self):
        """The rows, in groups that may change places: none of one class that a score is of, or of other columns."""
        matches = map(OF_A_CLASS.fullmatch, self.names)
        classes_of_scores = {int(match[2]) - 1 for match in matches if match}
        groups = {}
        for i in range(self.r):
            if self.paired and self.columns is not None:
                column = self.columns[i]
            else:
                column = None
            own_class = i if i in classes_of_scores else None
            groups.setdefault((own_class, column), []).append(i)
        return [*groups.values()]

    def margins(self):
        """The row sums that may be, one by one; in a group of rows decreasing ones stand for all."""
        if self.rows is not None:
            yield tuple(self.rows)
            return
        groups = self.groups()
        places = [i for group in groups for i in group]
        for sizes in divisions(self.n, [*map(len, groups)], self.least_row):
            size_at = dict(zip(places, sizes))
            yield tuple(size_at[i] for i in range(self.r))

    def correct(self):
        """At least and at most so many objects on the diagonal, as the accuracy says, or the MED if ordered."""
        window_of_score = dict(zip(self.names, self.windows))
        lower, upper = window_of_score.get("acc", (0, 1))[:2]
        if self.ordered and "med" in window_of_score:
            least_med, largest_med = window_of_score["med"][:2]
            lower = 1 - largest_med
            upper = 1 - least_med
        fewest_correct = -(-self.n * lower // 1)  # rounded up
        return max(0, int(fewest_correct)), min(self.n, int(self.n * upper // 1))

    def box(self, rows, low=None, high=None):
        """The box with these ends as far as row sums, accuracy and columns reach; None if it is empty."""
        if low is None:
            low = [[0] * self.s for _ in rows]
            high = [[row_sum] * self.s for row_sum in rows]
        low = [*map(list, low)]
        high = [*map(list, high)]
        for cells, least_sum, most_sum in self._known_sums(rows):
            sum_of_lows = sum(low[i][j] for i, j in cells)
            sum_of_highs = sum(high[i][j] for i, j in cells)
            for i, j in cells:
                a = low[i][j]
                b = high[i][j]
                # The others hold at most_sum sum_of_highs - b, and at least_sum sum_of_lows - a.
                low[i][j] = max(a, least_sum - (sum_of_highs - b))
                high[i][j] = min(b, most_sum - (sum_of_lows - a))
                if low[i][j] > high[i][j]:
                    return None
        if any(sum(column) < self.least for column in zip(*high)):
            return None
        box = MatrixBox(rows, low, high, self.undefined, self.correct())
        if self.columns is not None:
            box.least = box.most = [*self.columns]
        return box

    def _known_sums(self, rows):
        """Cells, and what they hold at least and at most: of the rows, the columns if known, the diagonal."""
        lines = []
        for i, row_sum in enumerate(rows):
            lines.append(([(i, j) for j in range(self.s)], row_sum, row_sum))
        for j, column_sum in enumerate(self.columns or ()):
            lines.append(([(i, j) for i in range(self.r)], column_sum, column_sum))
        least_correct, most_correct = self.correct()
        if (least_correct, most_correct) != (0, self.n):
            diagonal = [(i, i) for i in range(self.r)]
            lines += [(diagonal, least_correct, most_correct), *lines]
        return lines

    def halves(self, box):
        """The boxes that are left of the two halves of the widest range, the first of them row by row."""
        rooms = {}
        for i, (low_cells, high_cells) in enumerate(zip(box.low, box.high)):
            for j, (lower, upper) in enumerate(zip(low_cells, high_cells)):
                rooms[i, j] = upper - lower
        i, j = max(rooms, key=rooms.get)
        lower = box.low[i][j]
        upper = box.high[i][j]
        middle = (lower + upper) // 2
        for lower_end, upper_end in ((lower, middle), (middle + 1, upper)):
            low_cells = [*map(list, box.low)]
            high_cells = [*map(list, box.high)]
            low_cells[i][j] = lower_end
            high_cells[i][j] = upper_end
            half_box = self.box(box.rows, low_cells, high_cells)
            if half_box is not None:
                yield half_box

    def missed(self, box, k):
        """Whether no matrix of the box has the k-th score as it was printed; of one matrix, whether it has not."""
        window_of_score = self.windows[k]
        lower, upper = score(self.names[k], box)
        # One matrix with an irrational score is not at an end of its window: on one side of it.
        ends = window_of_score[:2]
        while box.low == box.high and lower < upper and any(lower <= end <= upper for end in ends):
            box.places *= 2
            lower, upper = score(self.names[k], box)
        return misses((lower, upper), window_of_score)

    def __str__(self):
        """Which matrices, printed how."""
        size = f"{self.r} x {self.s}"
        if not self.least and not self.paired:
            size = f"at most {size}"
        objects = f"{self.n} objects"
        for name, sizes in (("rows", self.rows), ("columns", self.columns)):
            if sizes is not None:
                objects += f" in {name} of {', '.join(map(str, sizes))}"
        means = f"rounding {self.report['rounding']}, 0/0 counts {self.undefined}"
        if self.folds:
            folds = alike_texts(", ".join(map(str, sizes)) for sizes in self.folds)
            words = "; ".join(f"{sizes} ({count})" for sizes, count in folds)
            return f"choice of {size} confusion matrices of {objects}, in folds of {words} ({means})"
        kind = "confusion matrix" if self.paired else "table"
        return f"{size} {kind} of {objects} ({means})"


def share(text):
    """A fraction from 0 to 1 in lowest terms, from its text; Unreadable for another text."""
    if not re.fullmatch(r"\d+(/0*[1-9]\d*)?", text, re.ASCII) or Fraction(text) > 1:
        raise Unreadable(f"undefined must be from 0 to 1, not {text!r:.80}")
    number = Fraction(text)
    if str(number) != text:
        raise Unreadable(f"undefined must be in lowest terms, {number}, not {text}")
    return number


FIELDS = ("n", "shape", "rows", "columns", "paired", "empty", "rounding", "undefined", "scores")


def check_audit(content):
    """A matrix has all scores that a report prints; or none has, box by box.

    Every field has one form; which matrix, boxes or grid (of means) show the answer is free, as of any proof.
    """
    if type(content["possible"]) is not bool:
        raise Unreadable(f"possible must be true or false, not {content['possible']!r:.80}")
    question = ReportQuestion(content, ordered=not content["possible"])
    words = ", ".join(f"{name} {digits}" for name, digits in content["scores"].items())
    if question.folds is not None:
        return check_means(question, content, words)
    if content["possible"]:
        table = [[*map(int, row)] for row in content["matrix"]]
        check_matrix(question, table)
        fields = {**question.report, "possible": True, "matrix": table}
        return f"{words} is possible in a {question}: {table}", fields
    boxes = 0
    for rows, proof in zip(question.margins(), content["proof"], strict=True):
        boxes += check_boxes(question, rows, proof)
    fields = {**question.report, "possible": False, "proof": content["proof"]}
    if boxes == 1:
        number_of_boxes = "1 box"
    else:
        number_of_boxes = f"{boxes} boxes"
    return f"no {question} has {words} ({number_of_boxes})", fields


def check_matrix(question, table):
    """Wrong unless a table is one of those that are asked for, and has all scores as printed."""
    rows = [*map(sum, table)]
    if question.rows is None:
        has_size = len(table) == question.r and sum(rows) == question.n
        is_known = has_size and min(rows) >= question.least_row
    else:
        is_known = rows == question.rows
    is_known = is_known and {*map(len, table)} == {question.s} and min(map(min, table)) >= 0
    if is_known:
        box = question.box(rows, table, table)
    else:
        box = None
    if box is None:
        raise Wrong(f"{table} is no matrix of this report")
    for k, name in enumerate(question.names):
        if question.missed(box, k):
            raise Wrong(f"{table} does not have the {name} that was printed")


def check_boxes(question, rows, proof):
    """Wrong unless a proof excludes all matrices with these row sums, box by box; how many boxes it has.

    A letter is about the last box that is open: "/" opens its halves, another says which score it cannot have.
    """
    whole_box = question.box(rows)
    open_boxes = [] if whole_box is None else [whole_box]
    for letter in proof:
        if not open_boxes:
            raise Wrong(f"{letter!r} is about no box")
        box = open_boxes.pop()
        if letter == "/":
            open_boxes += question.halves(box)
            continue
        k = LETTERS.index(letter)
        if not question.missed(box, k):
            raise Wrong(f"{question.names[k]} may be as printed in {box.low} to {box.high}")
    if open_boxes:
        raise Wrong(f"{len(open_boxes)} boxes are left open")
    return len(proof)


MOST_MATRICES = 200_000  # of folds, whose scores are computed one by one: some minutes
FINEST_GRID = 10**7


def check_means(question, content, words):
    """Matrices, one for each fold, have all scores as means; or none have, by the sums of what all matrices have."""
    possible = content["possible"]
    grid = content["grid"]
    is_known = {*map(type, grid)} == {int} and len(grid) == len(question.names)
    if not is_known or min(grid) <= 0 or max(grid) > FINEST_GRID:
        raise Unreadable(f"the grid must be a whole number up to 10^7 for each score, not {grid!r:.80}")
    fields = {**question.report, "possible": possible, "grid": grid}
    if possible:
        tables = [[[*map(int, row)] for row in table] for table in content["matrices"]]
        check_matrices_of_folds(question, tables)
        fields["matrices"] = tables
        choices = [(str(table), [table]) for table in tables]
        words_of_folds = "; ".join(f"{table} in {folds}" for table, folds in alike_texts(tables))
        conclusion = f"means {words} are possible in a {question}: {words_of_folds}"
    else:
        matrices = sum(matrices_of(rows) for rows in {*map(tuple, question.folds)})
        if matrices > MOST_MATRICES:
            raise Unreadable(
                f"{matrices} matrices of folds are too many for this file, which takes {MOST_MATRICES}"
            )
        choices = [(str(rows), every_matrix(rows)) for rows in question.folds]
        conclusion = f"no {question} has means {words} ({matrices} matrices tried)"
    if not follows(question, choices, grid, possible):
        raise Wrong(f"that {words} is {'possible' if possible else 'impossible'} as means does not follow")
    return conclusion, fields


def check_matrices_of_folds(question, tables):
    """Wrong unless the tables have the row sums of the folds, one by one, and are of whole numbers >= 0."""
    rows = [row for table in tables for row in table]
    sums_of_rows = [[*map(sum, table)] for table in tables]
    lengths = {*map(len, rows)}
    if sums_of_rows != question.folds or lengths != {question.s} or min(map(min, rows)) < 0:
        raise Wrong("the matrices are not of these folds")


def follows(question, choices, grid, possible):
    """Whether the sums of steps show that means are possible, or that they are not.

    ``choices``: of each fold a name and the matrices that it may have; folds of one name have the same.  Which folds
    are rounded down makes more sums, so it is told only where it is needed.
    """
    steps_of_name = {}
    for name, matrices in choices:
        if name not in steps_of_name:
            steps_of_name[name] = [
                steps(question.names, matrix, question.undefined, grid) for matrix in matrices
            ]
    rounded_down = [rest for scores in steps_of_name.values() for _, rest in scores]
    some_rounded_down = [any(of_score) for of_score in zip(*rounded_down)]
    for are_rests_told in (False, True):
        folds = []
        for name, _ in choices:
            folds.append(
                {(*whole_steps, not are_rests_told or any(rest)) for whole_steps, rest in steps_of_name[name]}
            )
        sums = SumsOfFolds(folds, question.windows, grid, some_rounded_down)
        are_met = sums.met(surely=possible) is not None
        if are_met is possible:
            return True
    return False


CHECKS_OF_REPORTS = {"audit": check_audit}
