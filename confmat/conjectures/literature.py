"""Statements of the literature on clustering and classification indices, as conjectures that can be checked.

Texts, sources and what is known stand in the registry, by the same names; here is how each is tested.
"""

import copyreg
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from operator import eq, ge, le
from typing import Any

import numpy as np

from confmat.classes import FixedRows, MembershipGrids, RandomModel
from confmat.conjectures.changes import TIMES
from confmat.conjectures.checking import Conjecture
from confmat.conjectures.claims.chance import constant_baseline, given_clustering
from confmat.conjectures.claims.classification import (
    MEASURES,
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
    least_2f_above,
    most_2f_below_turan,
    rd_by_med,
    sorted_size,
)
from confmat.conjectures.claims.hooks import largest_hook_ard, largest_hook_rd
from confmat.conjectures.claims.soft import (
    frigui_is_not_campello,
    ndc_triangle_fails,
    not_reflexive,
    of_hard_classes,
    sari_exceeds_ari,
    sari_mean_is_not_zero,
)
from confmat.conjectures.law_shapes import LawClaim, condition_on_numbers, falls, of_numbers, rises
from confmat.conjectures.named import condition_on
from confmat.conjectures.of_memberships import condition_of_memberships
from confmat.conjectures.of_three import condition_of_three
from confmat.conjectures.registry import STATEMENTS
from confmat.conjectures.triples import PAIRS
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


def _proper(matrices: Any) -> bool:
    """Tables without empty lines, at least two clusters on both sides."""
    tables = getattr(matrices, "unrestricted", False)  # what random models lack
    return tables and not matrices.may_be_empty and min(matrices.shape) >= 2


def _square(matrices: Any) -> bool:
    return _proper(matrices) and matrices.r == matrices.s


def _multi_class(matrices: Any) -> bool:
    return _square(matrices) and matrices.r >= 3


def _proper_from(excess: int) -> Callable[[Any], bool]:
    """Proper tables with n >= r + s + excess."""
    return lambda matrices: _proper(matrices) and matrices.n >= sum(matrices.shape) + excess


def _two_by_two(matrices: Any) -> bool:
    return _proper(matrices) and matrices.shape == (2, 2)


def _of_shape(shape: tuple[int, int], n: int) -> Callable[[Any], bool]:
    """Proper tables of this shape with at least n points."""
    return lambda matrices: _proper(matrices) and matrices.shape == shape and matrices.n >= n


def _late_hook(matrices: Any) -> bool:
    """Three rows or more, n >= r + s - 2, but where equal cells are best."""
    n, r, s = sorted_size(matrices)
    return _proper_from(-2)(matrices) and r > 2 and not equal_cells_are_best(n, r, s)


def _with_proved_ard(matrices: Any) -> bool:
    n, r, s = sorted_size(matrices)
    return _proper(matrices) and n > s and largest_is_known(n, r, s)


def _divisible(matrices: Any) -> bool:
    return _proper(matrices) and matrices.n % (matrices.r * matrices.s) == 0


def _with_equal_classes(matrices: Any) -> bool:
    """All matrices with true classes (rows) of one size."""
    if matrices.sides is None:
        return False
    truth, predicted = matrices.sides
    return truth.sums is not None and truth.exchangeable and predicted.sums is None


def _equal_cells(r: int, s: int) -> Fraction:
    """n(n - 1) RD divided by the square of n MED, at an r x s table with all cells equal (r <= s)."""
    return Fraction(s * (r + s - 2), r * (s - 1) ** 2)


def equal_classes(n: int, shape: tuple[int, int]) -> Iterable[FixedRows]:
    """Confusion matrices of n objects whose true classes have the same size, two or more of them.

    >>> list(equal_classes(6, (3, 3))), list(equal_classes(7, (3, 3)))
    ([FixedRows(rows=(2, 2, 2), s=3)], [])
    """
    k, s = shape
    return [FixedRows((n // k,) * k, k)] if k == s >= 2 and n % k == 0 else []


def _crisp_pairs(n: int, shape: tuple[int, int]) -> list[MembershipGrids]:
    return [MembershipGrids(n, *shape, 1)]


def within_declared_ranges(matrix: np.ndarray) -> bool:
    """Whether every statistic of the package's own table lies between its bounds, where it is defined.

    >>> within_declared_ranges(np.array([[3, 1], [0, 2]]))
    True
    """
    for statistic in (*CLUSTERINGS, *CLASSIFIERS):
        value = statistic(matrix)
        low, high = statistic.bounds
        if low is not None and value < low:
            return False
        if high is not None and value > high:
            return False
    return True


def _stated(name: str, **test: Any) -> Conjecture:
    """The conjecture whose text and status the registry gives, with its test."""
    entry = STATEMENTS[name]
    return Conjecture(
        name, entry.statement, entry.source, status=entry.status, sharpened=entry.sharpened, **test
    )


def _of_laws(name: str, claim: LawClaim, applies: Callable[[Any], bool] = _proper) -> Conjecture:
    """A statement about the law of statistics over all tables of a size."""
    return _stated(name, on="laws", predicate=claim, applies=applies)


def _of_measures(name: str, predicate: Callable[[np.ndarray], bool], **test: Any) -> Conjecture:
    """A statement about multi-class measures of a square matrix, rows = truth."""
    return _stated(name, predicate=predicate, symmetry="simultaneous", **({"applies": _square} | test))


def _at_the_end(name: str, relation: Callable[[Any, Any], Any]) -> Iterable[Conjecture]:
    """That a measure is the largest, or the smallest, of the eight on every matrix, by either reading of pairs."""
    for way, ending in _WAYS.items():
        for measure in READINGS[way]:
            others = (other for other in READINGS[way] if other != measure)
            yield _of_measures(
                f"{name}-{measure}{ending}", always(measure, relation, *others), applies=_multi_class
            )


def _of_grids(name: str, predicate: Callable[..., str | None]) -> Conjecture:
    """A statement about all pairs (U, V) of memberships on a grid; ``predicate`` says why one fails."""

    def holds(U: Any, V: Any) -> tuple[bool, str]:
        reason = predicate(U, V)
        return reason is None, reason or ""

    return _stated(name, on="memberships", predicate=holds)


def _changed(name: str, text: str, change: str = "improvements") -> Conjecture:
    """A statement about tables before and after a change."""
    return _stated(name, predicate=condition_on(text, TIMES), related_by=change, applies=_proper)


def _defined(index: str, *endings: str) -> str:
    """That a similarity has a value everywhere, as a formula."""
    return " and ".join(f"{index}_{ending} >= -1" for ending in endings)


def _more_points(name: str) -> Callable[[Any], bool]:
    """Random models of a name with more points than clusters on either side, not one on both; with three, of any."""
    return lambda model: (
        isinstance(model, RandomModel)
        and model.name == name
        and model.n > (2 if name == "partitions" else max(model.shape)) > 1
    )


_WAYS = {"2": "", "3": "-ovo"}
"""How pairs of classes are read -> the end of a statement's name."""

WDBC = FixedRows((357, 212), 2)
"""The classes of a data set for which a mean accuracy and a mean ARI are printed that do not go together."""

_EQUAL_CLASSES: dict[str, Any] = {"applies": _with_equal_classes, "family": equal_classes}

_CONJECTURES = [
    _of_laws("med-bound", largest_is("med", partial(max_med, empty=True))),
    _of_laws("med-bound-late", largest_is("med", partial(max_med, empty=True)), _proper_from(-1)),
    _of_laws("med-max", largest_is("med", max_med)),
    _of_laws("rd-max-form", largest_is("rd", largest_hook_rd)),
    _of_laws("rd-max-form-late", largest_is("rd", largest_hook_rd), _proper_from(-2)),
    _of_laws("rd-max-value", largest_is("rd", partial(max_rand_distance, as_printed=True))),
    _of_laws("rd-max", largest_is("rd", max_rand_distance)),
    _of_laws(
        "rd-max-hooks-only",
        HOOKS_ONLY,
        lambda matrices: _proper_from(-1)(matrices) and matrices.shape != (2, 2),
    ),
    _of_laws("ard-2x2", best_form_of_2x2(frozenset()), _two_by_two),
    _of_laws("ard-2x2-exceptions", best_form_of_2x2(frozenset({(4, 2), (6, 3)})), _two_by_two),
    _of_laws("ard-max", largest_is("ard", max_adjusted_rand_distance), _with_proved_ard),
    _of_laws("ard-form", largest_is("ard", largest_hook_ard)),
    _of_laws("ard-form-late", largest_is("ard", largest_hook_ard), _late_hook),
    _of_laws("ard-independent", INDEPENDENT_IS_SMALLER, _divisible),
    _of_laws(
        "ard-independent-exceptions",
        INDEPENDENT_IS_SMALLER,
        lambda matrices: _divisible(matrices) and sorted_size(matrices) not in INDEPENDENT_IS_LARGEST,
    ),
    _of_laws("mean-ard-given-med", rises("ard", given="med")),
    _of_laws("mean-rd-given-med", rises("rd", given="med")),
    _of_laws("rd-given-med-upper", rd_by_med(most_2f_below_turan)),
    _of_laws("rd-given-med-upper-attained", rd_by_med(largest_2f_at_hook, of_each=False)),
    _of_laws("rd-given-med-lower", rd_by_med(least_2f_above(lambda r, s: Fraction(s, r * (s - 1))))),
    _of_laws("rd-given-med-lower-sharp", rd_by_med(least_2f_above(_equal_cells))),
    _of_laws(
        "rd-given-med-lower-wide",
        rd_by_med(least_2f_above(lambda r, s: _equal_cells(r, max(s, r + 2)))),
    ),
    *(
        _of_measures(f"one-vs-rest-{x}{ending}", always(f"{x}1", ge, f"{x}{way}"))
        for way, ending in _WAYS.items()
        for x in MEASURES
    ),
    *_at_the_end("optimistic", ge),
    *_at_the_end("pessimistic", le),
    *(
        _of_measures(f"{low}{way}-below-{high}{way}", always(f"{low}{way}", le, f"{high}{way}"))
        for low, high in (("f", "gsp"), ("gss", "auc"))
        for way in "123"
    ),
    *(
        _of_measures(f"two-classes-{x}{ending}", always(f"{x}1", eq, f"{x}{way}"), applies=_two_by_two)
        for way, ending in _WAYS.items()
        for x in ("auc", "gss")
    ),
    *(
        _of_measures(f"equal-classes-{x}{ending}", always(f"{x}1", le, f"{x}{way}"), **_EQUAL_CLASSES)
        for way, ending in _WAYS.items()
        for x in ("f", "gsp")
    ),
    _of_measures("equal-classes-auc-ovo", always("auc1", eq, "auc3"), **_EQUAL_CLASSES),
    _of_measures("equal-classes-gss-ovo", always("gss1", ge, "gss3"), **_EQUAL_CLASSES),
    _of_measures("ovo-auc-value", ovo_auc_follows_bcr),
    _of_measures(
        "balanced-similar",
        similar(Fraction(11, 200)),
        applies=lambda matrices: matrices.shape == (2, 2) and _with_equal_classes(matrices),
        family=equal_classes,
    ),
    _of_measures("two-classes-similar", similar(Fraction(11, 200)), applies=_two_by_two),
    _stated(
        "svm-ari-lower",
        predicate=as_condition("cor >= 19357/20000 -> ari >= 43/50"),
        symmetry="simultaneous",
        applies=lambda matrices: matrices == WDBC,
        family=lambda n, shape: [WDBC] if (n, shape) == (WDBC.n, WDBC.shape) else [],
    ),
    *(
        _of_measures(f"equal-classes-{x}", better_than_chance(always(f"{x}1", le, f"{x}2")), **_EQUAL_CLASSES)
        for x in ("auc", "gss")
    ),
    _of_grids("sari-below-ari", of_hard_classes(sari_exceeds_ari)),
    _of_grids("sari-baseline", sari_mean_is_not_zero),
    *(
        _of_grids(f"reflexive-{x}", of_hard_classes(not_reflexive(f"{x}_rand")))
        for x in ("campello", "frigui", "anderson")
    ),
    _of_grids("reflexive-ndc", not_reflexive("ndc")),
    _of_grids("ndc-triangle", ndc_triangle_fails),
    _of_grids("frigui-of-campello", frigui_is_not_campello),
    *(
        _changed(f"monotone-{x}", f"{_defined(x, 'before', 'after')} -> {x}_after >= {x}_before")
        for x in ("ari", "ri", "jaccard", "fm", "nmi")
    ),
    *(_changed(f"monotone-distance-{x}", f"{x}_after <= {x}_before") for x in ("med", "vi")),
    _changed("monotone-nmed", "nmed_after <= nmed_before"),
    _changed("ari-follows-med", "med_after < med_before -> ari_after >= ari_before", "transfers"),
    _changed("ari-replicated", "ari_after >= ari_before", "replications"),
    _stated(
        "largest-med-rarer",
        on="laws",
        predicate=falls("med", "share-of-max", along="rs"),
        family="labels",
    ),
    *(
        _stated(
            f"baseline-{x}",
            on="laws",
            predicate=constant_baseline(x),
            family="sizes",
            applies=_more_points("sizes"),
        )
        for x in ("ari", "ri", "jaccard")
    ),
    *(
        _stated(
            f"baseline-{model}",
            on="laws",
            predicate=of_numbers(condition_on_numbers("ari_mean = 0")),
            family=model,
            applies=_more_points(model),
        )
        for model in ("labels", "clusters", "partitions")
    ),
    *(
        _stated(name, on="laws", predicate=moves(index, along="s"), family=given_clustering)
        for name, moves, index in (
            ("ri-rises-with-clusters", rises, "ri"),
            ("jaccard-falls-with-clusters", falls, "jaccard"),
        )
    ),
    *(
        _stated(name, predicate=as_condition(text), symmetry="transposition", applies=_proper)
        for name, text in (
            ("ari-below-jaccard", "jaccard >= 0 -> ari <= jaccard"),
            ("ari-below-nmi", "ari <= nmi"),
            ("ari-above-med", "ari >= 1 - 4*med"),
            ("kappa-of-pairs", "pair_kappa = ari"),
            ("ari-below-ri", "ari <= ri"),
            ("ari-below-fm", "fm >= 0 -> ari <= fm"),
            ("jaccard-below-fm", "fm >= 0 -> jaccard <= fm"),
            ("ari-least", "ari >= -1/2"),
            ("fm-of-wallace", "wallace_ab >= 0 and wallace_ba >= 0 -> fm * fm = wallace_ab * wallace_ba"),
            ("nmi-order", "nmi_joint <= nmi_max <= nmi <= nmi_geometric <= nmi_min"),
            ("ami-below-nmi", "ami <= nmi"),
            ("vi-below-entropies", "vi <= entropy_a + entropy_b"),
            ("van-dongen-and-med", "van_dongen <= med <= 2 * van_dongen"),
        )
    ),
    *(
        _stated(name, predicate=as_condition(text), symmetry="transposition", applies=_of_shape(shape, n))
        for name, shape, n, text in (
            ("rd-over-med-3x3", (3, 3), 3, "rd <= 2*(n - 2)/(n - 1) * med"),
            ("rd-over-jaccard-3x3", (3, 3), 5, "rd <= (n*n - n - 8)/(n*(n - 1)) * (1 - jaccard)"),
            ("ard-over-med-2x2", (2, 2), 7, "ard <= n*n/(2*(n - 1)) * med"),
            ("ard-over-jaccard-2x2", (2, 2), 3, "ard <= n*(n + 1)/(4*(n - 1)) * (1 - jaccard)"),
            (
                "ard-over-jaccard-3x3",
                (3, 3),
                4,
                "ard <= n*(n - 1)*(n*n - n - 8)/(4*(n - 3)*(n - 2)*(2*n - 3)) * (1 - jaccard)",
            ),
            ("ard-over-med-2x3", (2, 3), 3, "ard <= n*n/(3*(n - 2)) * med"),
            ("med-over-jaccard-3x3", (3, 3), 9, "med <= (n*n - 7*n + 16)/(4*n) * (1 - jaccard)"),
            ("med-over-rd-3x3", (3, 3), 7, "med <= (n - 1)/4 * rd"),
            (
                "ard-less-med-3x3",
                (3, 3),
                8,
                "ard - med <= (2*n*n*n*n - 17*n*n*n + 59*n*n - 108*n + 72)/(n*(n - 3)*(n - 2)*(2*n - 3))",
            ),
        )
    ),
    _stated(
        "rd-over-jaccard",
        predicate=as_condition("rd <= (1 - 2*(r - 1)*(s - 1)/(n*(n - 1))) * (1 - jaccard)"),
        symmetry="transposition",
        applies=lambda matrices: _proper_from(-2)(matrices) and matrices.n > 2,
    ),
    *(
        _stated(name, predicate=condition_of_three(text), on=on)
        for name, on, text in (
            *(
                (f"{x}-metric", "triples", f"{x}_ac <= {x}_ab + {x}_bc")
                for x in ("ard", "vi", "rd", "med", "van_dongen")
            ),
            *(
                (
                    f"{x}-complement-metric",
                    "triples",
                    f"{_defined(x, *PAIRS)} -> 1 - {x}_ac <= 1 - {x}_ab + (1 - {x}_bc)",
                )
                for x in ("nmi", "nmi_joint", "nmi_max", "jaccard")
            ),
            ("vi-along-refinements", "chains", "vi_ac = vi_ab + vi_bc"),
        )
    ),
    _stated("statistic-ranges", predicate=within_declared_ranges, symmetry="simultaneous", applies=_square),
    *(
        _stated(
            f"{soft}-crisp",
            on="memberships",
            predicate=condition_of_memberships(f"{soft} = {hard}"),
            family=_crisp_pairs,
        )
        for soft, hard in (("ndc", "ri"), ("sari", "ari"), ("aci", "ari"))
    ),
]

LITERATURE = {conjecture.name: conjecture for conjecture in _CONJECTURES}

for _conjecture in _CONJECTURES:
    object.__setattr__(_conjecture, "registered", True)  # a copy with other fields is not


def _pickled(conjecture: Conjecture) -> Any:
    """One of these by its name: how it is tested may be a lambda."""
    if conjecture.registered:
        return _of_name, (conjecture.name,)
    return object.__reduce_ex__(conjecture, 2)


def _of_name(name: str) -> Conjecture:
    return LITERATURE[name]


copyreg.pickle(Conjecture, _pickled)
