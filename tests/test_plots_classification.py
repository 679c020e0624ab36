"""What the pictures of classifiers draw, and what they refuse."""

import pytest

from confmat.classes import Tables
from confmat.laws import joint
from confmat.plots import given_ari, measure_given_ari
from confmat.studies.ari_and_accuracy import accuracy_given_ari


def test_marks_stand_at_exact_values():
    exact, bins = (accuracy_given_ari(Tables(8, 2, 2), width) for width in (None, "1/10"))
    (ax,) = given_ari([(exact, bins)], ["bcr"]).axes
    ranges, means = (next(x for x in ax.lines if x.get_marker() == marker) for marker in (".", "o"))
    laws = [(float(row.value), row.law["bcr"]) for row in exact.rows]
    ends = [(x, float(law.min)) for x, law in laws] + [(x, float(law.max)) for x, law in laws]
    assert ranges.get_xydata().tolist() == [list(end) for end in ends]
    rounded = [[float(row.value), float(row.law["bcr"].mean)] for row in bins.rows]
    assert means.get_xydata().tolist() == rounded
    assert ax.get_title() == f"2 classes, n = 8: {Tables(8, 2, 2).count()} matrices, equally likely; exact"


def test_boxes_are_quartiles_and_medians():
    exact, bins = (accuracy_given_ari(Tables(9, 2, 2), width) for width in (None, "1/10"))
    (ax,) = given_ari([(exact, bins)], ["cor"]).axes
    laws = [row.law["cor"] for row in bins.rows]
    boxes = [box.get_path().get_extents() for box in ax.patches]
    assert [(box.y0, box.y1) for box in boxes] == [(float(law.q1), float(law.q3)) for law in laws]
    # Lines of two points: the medians, and whiskers of no length.
    lines = sorted(tuple(line.get_ydata()) for line in ax.lines if len(line.get_ydata()) == 2)
    ends = sorted((float(y), float(y)) for law in laws for y in (law.q1, law.median, law.q3))
    assert lines == ends
    assert any(law.median != law.mean for law in laws)


def test_laws_given_something_else_are_refused():
    wrong = joint(Tables(6, 2, 2), "ari", "cor").given_each("cor")
    with pytest.raises(ValueError, match="laws must be those of 'cor' given \"ari\""):
        measure_given_ari(wrong, wrong, "cor")
    right = joint(Tables(6, 2, 2), "ari", "cor").given_each("ari")
    with pytest.raises(ValueError, match="laws must be those of 'bcr'"):
        measure_given_ari(right, right, "bcr")
