"""Statements of the literature on clustering and classification indices, as conjectures that can be checked.

The registry contains their texts, sources, formulas and evidence. This module adds the predicates of statements
without a formula.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from operator import eq, ge, le
from typing import Any

import numpy as np

from confmat.classes import FixedRows
from confmat.conjectures.checking import Conjecture
from confmat.conjectures.claims.classification import (
    MEASURES_OF_WAYS,
    READINGS,
    always,
    better_than_chance,
    ovo_auc_follows_bcr,
    similar,
)
from confmat.conjectures.claims.distances import (
    HOOKS_ONLY,
    INDEPENDENT_IS_LARGEST,
    INDEPENDENT_IS_SMALLER,
    best_form_of_2x2,
    largest_2f_at_hook,
    largest_is,
    most_2f_below_turan,
    rd_by_med,
    sorted_size,
)
from confmat.conjectures.claims.hooks import largest_hook_ard, largest_hook_rd
from confmat.conjectures.distribution_shapes import LawClaim, rises
from confmat.conjectures.registry import STATEMENTS, Statement
from confmat.indices.extremes import (
    equal_cells_are_best,
    largest_is_known,
    max_adjusted_rand_distance,
    max_med,
    max_rand_distance,
)
from confmat.statistics.classifiers import CLASSIFIERS
from confmat.statistics.clusterings import CLUSTERINGS
from confmat.statistics.conditions import as_condition

Sizes = Callable[[int, int, int], bool]
"""Predicate of n, r and s, r <= s."""


def _any_size(n: int, r: int, s: int) -> bool:
    return True


def _proper(matrices: Any) -> bool:
    """Return whether a class has all r x s tables of n objects without empty rows and columns, with r, s >= 2."""
    tables = getattr(matrices, "unrestricted", False)
    return tables and not matrices.may_be_empty and min(matrices.shape) >= 2


def _proper_tables(where: str, is_meant: Sizes) -> Callable[[Any], bool]:
    """Return a function that tells whether a statement about tables is made for a class of matrices.

    The class must have all r x s tables with total n and r, s >= 2, without empty rows and columns. Its sizes must
    satisfy ``where``, a condition on n, r and s as text. ``is_meant(n, r, s)``, called with r <= s, must be true.

    >>> from confmat.classes import Tables
    >>> [_proper_tables("n > r + s", _any_size)(Tables(n, 2, 3)) for n in (5, 6)]
    [False, True]
    """
    condition = as_condition(where or "n > 0")

    def applies(matrices: Any) -> bool:
        if not _proper(matrices):
            return False
        return condition.at(matrices).holds({}) and is_meant(*sorted_size(matrices))

    return applies


def _is_proved(n: int, r: int, s: int) -> bool:
    """Return whether n > s and the largest ARD of r x s tables with total n is proved."""
    return n > s and largest_is_known(n, r, s)


def _divides(n: int, r: int, s: int) -> bool:
    """Return whether a table with total n and all cells equal exists."""
    return n % (r * s) == 0


def _with_equal_classes(matrices: Any) -> bool:
    """Return whether the true classes (rows) of a class of matrices have fixed equal sizes and predictions are free."""
    truth, prediction = matrices.possible_sums
    return truth.sums is not None and truth.exchangeable and prediction.sums is None


def _equal_cells(r: int, s: int) -> Fraction:
    """Return n(n - 1) RD / (n MED)^2 of an r x s table with all cells equal. Requires r <= s."""
    return Fraction(s * (r + s - 2), r * (s - 1) ** 2)


def equal_classes(n: int, shape: tuple[int, int]) -> Iterable[FixedRows]:
    """Return the class of confusion matrices of n objects whose true classes have the same size, in a list.

    The list is empty if the shape is not square, has one class, or n is not divisible by the number of classes.

    >>> list(equal_classes(6, (3, 3))), list(equal_classes(7, (3, 3)))
    ([FixedRows(rows=(2, 2, 2), s=3)], [])
    """
    k, s = shape
    if k != s or k < 2 or n % k:
        return []
    return [FixedRows((n // k,) * k, k)]


def within_declared_ranges(matrix: np.ndarray) -> bool:
    """Return whether every statistic of the package that is defined at a matrix lies within its declared bounds.

    >>> within_declared_ranges(np.array([[3, 1], [0, 2]]))
    True
    """
    for statistic in (*CLUSTERINGS, *CLASSIFIERS):
        value = statistic(matrix)
        lower, upper = statistic.bounds
        if lower is not None and value < lower:
            return False
        if upper is not None and value > upper:
            return False
    return True


def _stated(name: str, **test: Any) -> Conjecture:
    """Return the conjecture with the name, text and status of a statement of the registry.

    ``test`` has the other fields of `Conjecture`.
    """
    entry = STATEMENTS[name]
    return Conjecture(
        name, entry.statement, entry.source, status=entry.status, sharpened=entry.sharpened, **test
    )


def _of_tables(name: str, predicate: Any, is_meant: Sizes = _any_size, **test: Any) -> Conjecture:
    """Return the conjecture of a statement about tables, with its predicate, for the sizes in its registry entry.

    ``is_meant(n, r, s)`` restricts the sizes further. ``test`` are other fields of `Conjecture`.
    """
    return _stated(
        name, predicate=predicate, applies=_proper_tables(STATEMENTS[name].where, is_meant), **test
    )


def _of_formula(entry: Statement) -> Conjecture:
    """Return the conjecture of a statement that has a formula."""
    test = Conjecture(entry.name, entry.formula)
    return _of_tables(
        entry.name,
        test.predicate,
        on="distributions" if test.on == "distributions" else "",
        symmetry=test.symmetry,
    )


def _about_laws(name: str, claim: LawClaim, is_meant: Sizes = _any_size) -> Conjecture:
    """Return the conjecture of the statement ``name``, which is about the distribution of statistics over a class.

    ``claim`` is its predicate. Of the sizes in its registry entry only those with ``is_meant(n, r, s)`` are
    checked.
    """
    return _of_tables(name, claim, is_meant, on="distributions")


def _of_measures(name: str, predicate: Callable[[np.ndarray], bool]) -> Conjecture:
    """Return the conjecture of a statement about multi-class measures of a square matrix. Rows are the true classes."""
    return _of_tables(name, predicate, symmetry="simultaneous")


def _of_equal_classes(name: str, predicate: Callable[[np.ndarray], bool]) -> Conjecture:
    """Return the conjecture of a statement about multi-class measures that assumes true classes of equal sizes."""
    return _stated(
        name,
        predicate=predicate,
        symmetry="simultaneous",
        applies=_with_equal_classes,
        family=equal_classes,
    )


def _on_measures() -> Iterator[Conjecture]:
    """Yield the conjectures that compare multi-class extensions of two-class measures."""
    for way, ending in _WAYS.items():
        for of_tables, words, relation, measures in (
            (_of_measures, "one-vs-rest", ge, MEASURES_OF_WAYS),
            (_of_measures, "two-classes", eq, ("auc", "gss")),
            (_of_equal_classes, "equal-classes", le, ("f", "gsp")),
        ):
            for x in measures:
                comparison = always(
                    f"{x}1",
                    relation,
                    f"{x}{way}",
                )
                yield of_tables(f"{words}-{x}{ending}", comparison)
        for measure in READINGS[way]:
            other_measures = [x for x in READINGS[way] if x != measure]
            for words, relation in (("optimistic", ge), ("pessimistic", le)):
                yield _of_measures(
                    f"{words}-{measure}{ending}",
                    always(measure, relation, *other_measures),
                )
    for way in "123":
        for lower, upper in (("f", "gsp"), ("gss", "auc")):
            yield _of_measures(
                f"{lower}{way}-below-{upper}{way}",
                always(
                    f"{lower}{way}",
                    le,
                    f"{upper}{way}",
                ),
            )
    for x in ("auc", "gss"):
        comparison = better_than_chance(
            always(
                f"{x}1",
                le,
                f"{x}2",
            )
        )
        yield _of_equal_classes(f"equal-classes-{x}", comparison)
    yield _of_equal_classes("equal-classes-auc-ovo", always("auc1", eq, "auc3"))
    yield _of_equal_classes("equal-classes-gss-ovo", always("gss1", ge, "gss3"))
    yield _of_measures("ovo-auc-value", ovo_auc_follows_bcr)
    yield _of_measures("two-classes-similar", similar(Fraction(11, 200)))
    yield _stated(
        "balanced-similar",
        predicate=similar(Fraction(11, 200)),
        symmetry="simultaneous",
        applies=lambda matrices: matrices.shape == (2, 2) and _with_equal_classes(matrices),
        family=equal_classes,
    )
    yield _stated(
        "svm-ari-lower",
        predicate=as_condition("cor >= 19357/20000 -> ari >= 43/50"),
        symmetry="simultaneous",
        applies=lambda matrices: matrices == WDBC,
        family=lambda n, shape: [WDBC] if (n, shape) == (WDBC.n, WDBC.shape) else [],
    )


_WAYS = {"2": "", "3": "-ovo"}
"""Definition of a pair of classes -> ending of a statement's name."""

WDBC = FixedRows((357, 212), 2)
"""Class of matrices of a data set whose printed mean accuracy and mean ARI contradict each other."""

_CONJECTURES = [
    _about_laws("med-bound", largest_is("med", partial(max_med, allow_empty=True))),
    _about_laws("med-bound-late", largest_is("med", partial(max_med, allow_empty=True))),
    _about_laws("med-max", largest_is("med", max_med)),
    _about_laws("rd-max-form", largest_is("rd", largest_hook_rd)),
    _about_laws("rd-max-form-late", largest_is("rd", largest_hook_rd)),
    _about_laws("rd-max-value", largest_is("rd", partial(max_rand_distance, as_printed=True))),
    _about_laws("rd-max", largest_is("rd", max_rand_distance)),
    _about_laws("rd-max-hooks-only", HOOKS_ONLY),
    _about_laws("ard-2x2", best_form_of_2x2(frozenset())),
    _about_laws("ard-2x2-exceptions", best_form_of_2x2(frozenset({(4, 2), (6, 3)}))),
    _about_laws("ard-max", largest_is("ard", max_adjusted_rand_distance), _is_proved),
    _about_laws("ard-form", largest_is("ard", largest_hook_ard)),
    _about_laws(
        "ard-form-late",
        largest_is("ard", largest_hook_ard),
        lambda n, r, s: not equal_cells_are_best(n, r, s),
    ),
    _about_laws("ard-independent", INDEPENDENT_IS_SMALLER, _divides),
    _about_laws(
        "ard-independent-exceptions",
        INDEPENDENT_IS_SMALLER,
        lambda n, r, s: _divides(n, r, s) and (n, r, s) not in INDEPENDENT_IS_LARGEST,
    ),
    _about_laws("mean-ard-given-med", rises("ard", given="med")),
    _about_laws(
        "mean-ard-given-med-2x2",
        rises("ard", given="med"),
        lambda n, r, s: r == s == 2,
    ),
    _about_laws("mean-rd-given-med", rises("rd", given="med")),
    _about_laws("rd-given-med-upper", rd_by_med("<=", most_2f_below_turan)),
    _about_laws("rd-given-med-upper-attained", rd_by_med("=", largest_2f_at_hook)),
    _about_laws(
        "rd-given-med-lower",
        rd_by_med(">=", lambda n, r, s, m: Fraction(s, r * (s - 1)) * m * m),
    ),
    _about_laws("rd-given-med-lower-sharp", rd_by_med(">=", lambda n, r, s, m: _equal_cells(r, s) * m * m)),
    _about_laws(
        "rd-given-med-lower-wide",
        rd_by_med(">=", lambda n, r, s, m: _equal_cells(r, max(s, r + 2)) * m * m),
    ),
    *_on_measures(),
    _of_measures("statistic-ranges", within_declared_ranges),
    *(_of_formula(entry) for entry in STATEMENTS.values() if entry.formula),
]

LITERATURE = {conjecture.name: conjecture for conjecture in _CONJECTURES}

for _conjecture in _CONJECTURES:
    object.__setattr__(_conjecture, "registered", True)  # a copy with other fields is not
