"""Numbers as they are printed, random tables, and the obvious way to audit them: every matrix is tried."""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from forgeries import REJECTED, alone, resealed

import confmat as cm
from confmat.auditing import Report
from confmat.certificates import misses

MODES = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN, "truncation": ROUND_DOWN}

# Three folds of two objects in each of two classes.
HALF_UP = {"classes": (6, 6), "folds": 3, "rounding": "half-up"}


def shown(x, places, rounding="half-up"):
    """A number as it is printed; of the doubles that stand for roots and logarithms none is near an end."""
    with localcontext(prec=60):
        exact = Fraction(x) if isinstance(x, Fraction) else Fraction(float(x))
        value = Decimal(exact.numerator) / exact.denominator
        return str(value.quantize(Decimal(1).scaleb(-places), rounding=MODES[rounding]))


def table(rng, r, s, n, diagonal=0.0):
    """A random table without empty rows, with more on the diagonal."""
    weights = (rng.random((r, s)) + diagonal * np.eye(r, s)).ravel()
    found = rng.multinomial(n, weights / weights.sum()).reshape(r, s)
    return found if found.sum(axis=1).all() else table(rng, r, s, n, diagonal)


def every_matrix(report):
    """All matrices that a report may be of."""
    r, s = report.shape
    for m in cm.Tables(report.n, r, s, empty=True):
        rows, cols = m.sum(axis=1), m.sum(axis=0)
        if report.rows is None:
            if (report.paired or not report.empty) and not rows.all():
                continue
        elif tuple(rows) != report.rows:
            continue
        if report.columns is not None:
            if tuple(cols) == report.columns:
                yield m
        elif report.paired or report.empty or cols.all():
            yield m


def scored(name, classes, undefined=0):
    """How an audit of so many classes computes the score of a name."""
    report = Report.of(n=classes, classes=classes, undefined=undefined, **{name: "0.5"})
    return report.judged[0]


def score_of(score, m):
    """The score of one matrix."""
    keys, which = score.keys(np.array([m], np.int64))
    return score.value(keys[which[0]])


def fits(report, m):
    """Whether a matrix has all scores as they were printed."""
    values = (score_of(one, m) for one in report.judged)
    return not any(misses((x, x), w) for x, w in zip(values, report.question.windows))


def rejected(content):
    with pytest.raises(REJECTED):
        alone(resealed(content))
