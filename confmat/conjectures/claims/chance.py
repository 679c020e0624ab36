"""Claims about means under random models: constant baseline, and the bias of a given clustering."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from confmat.classes import RandomModel, random_model
from confmat.conjectures.law_shapes import LawClaim, Points, mean_value
from confmat.integers.compositions import partitions
from confmat.laws.over_class import joint


def constant_baseline(name: str) -> LawClaim:
    """The mean at given sizes of both clusterings is that at the same first ones and the most unequal second ones.

    >>> constant_baseline("ri")(random_model("sizes", rows=(2, 2), cols=(2, 2))).violation.detail
    'the mean of ri is 5/9, and 1/2 for cols = (3, 1)'
    """
    return LawClaim((name,), partial(_another_mean, name))


def _another_mean(name: str, points: Points, model: RandomModel) -> str | None:
    s = model.shape[1]
    cols = (model.n - s + 1, *[1] * (s - 1))
    assert isinstance(model.rows, tuple)
    unequal = joint(random_model("sizes", rows=model.rows, cols=cols), name)
    mean = mean_value(points)
    mean_of_unequal = mean_value(unequal.support)
    if mean == mean_of_unequal:
        return None
    return f"the mean of {name} is {mean}, and {mean_of_unequal} for cols = {cols}"


def given_clustering(n: int, shape: tuple[int, int]) -> Iterable[Any]:
    """Random clusterings into s clusters beside a given one with r, of all sizes: one-sided models.

    >>> [model.rows for model in given_clustering(5, (2, 3))]
    [(4, 1), (3, 2)]
    """
    r, s = shape
    if s > n:
        return []
    return [random_model("clusters", rows=rows, s=s) for rows in partitions(n, r)]
