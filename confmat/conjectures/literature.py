"""Statements of the literature on clustering and classification indices, as conjectures that can be checked.

Those that turned out false name the statement that is true instead (``sharpened``).  ``F`` is the number of
pairs of points on which two clusterings disagree, RD = F/C(n, 2) and 2F = n(n - 1) RD.  r <= s throughout.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import comb
from operator import eq, ge, le
from typing import Any

from confmat.classes import FixedRows
from confmat.conjectures.checking import Conjecture
from confmat.conjectures.claims.classification import ALL_MEASURES, MEASURES, always, better_than_chance
from confmat.conjectures.claims.distances import (
    INDEPENDENT_IS_LARGEST,
    LAST_WITHOUT_HOOK,
    about_law,
    ard_2x2,
    ard_not_independent,
    ard_of_hook,
    by_med,
    hooks_only,
    largest_2f_at_hook,
    largest_hook,
    largest_med,
    largest_rd,
    least_2f_above,
    most_2f_below_turan,
    sorted_size,
)
from confmat.conjectures.claims.means import mean_ard_rises
from confmat.conjectures.claims.soft import (
    MembershipPairs,
    aci_is_adjusted_rand,
    grids,
    ndc_is_rand,
    sari_at_most_ari,
)
from confmat.indices.extremes import max_med, max_rand_distance

CHARON = "Charon, Denoeud, Guenoche & Hudry (2006), lemma 1"
CHACON = "Chacon (2019)"
ESPINDOLA = "Espindola & Ebecken (2005)"
FLYNT = "Flynt, Dean & Nugent (2019)"
AMODIO = "Amodio, D'Ambrosio, Iorio & Siciliano (2015)"


def _proper(matrices: Any) -> bool:
    """Tables without empty lines, at least two clusters on both sides."""
    return matrices.unrestricted and not matrices.may_be_empty and min(matrices.shape) >= 2


def _square(matrices: Any) -> bool:
    return _proper(matrices) and matrices.r == matrices.s


def _multi_class(matrices: Any) -> bool:
    return _square(matrices) and matrices.r >= 3


def _proper_from(excess: int) -> Callable[[Any], bool]:
    """Proper tables with n >= r + s + excess."""
    return lambda matrices: _proper(matrices) and matrices.n >= sum(matrices.shape) + excess


def _two_by_two(matrices: Any) -> bool:
    return _proper(matrices) and matrices.shape == (2, 2)


def _late_hook(matrices: Any) -> bool:
    shape = tuple(sorted(matrices.shape))
    return _proper(matrices) and matrices.n > LAST_WITHOUT_HOOK.get(shape, matrices.n)


def _divisible(matrices: Any) -> bool:
    return _proper(matrices) and matrices.n % (matrices.r * matrices.s) == 0


def _med_bound(n: int, r: int, s: int) -> int:
    return n - -(-n // s)


def _printed_value(n: int, r: int, s: int) -> int:
    return int(max_rand_distance(n, r, s, as_printed=True) * comb(n, 2))


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


_ENDS = {"largest": ("optimistic", ge), "smallest": ("pessimistic", le)}


def at_the_end(measure: str, end: str) -> Conjecture:
    """The statement that a measure is the "largest" or the "smallest" of the eight on every matrix.

    >>> at_the_end("auc1", "largest").statement
    'auc1 is the largest of the eight multi-class measures'
    """
    word, relation = _ENDS[end]
    return Conjecture(
        f"{word}-{measure}",
        f"{measure} is the {end} of the eight multi-class measures",
        ESPINDOLA,
        predicate=always(measure, relation, *(name for name in ALL_MEASURES if name != measure)),
        symmetry="simultaneous",
        applies=_multi_class,
        status="refuted",
    )


_STATEMENTS = [
    Conjecture(
        "med-bound",
        "the bound n MED <= n - ceil(n/s), r <= s, is attained",
        CHARON + "; the normaliser of the MED in " + CHACON,
        claim=about_law(largest_med(_med_bound)),
        applies=_proper,
        status="refuted",
        sharpened="med-max",
    ),
    Conjecture(
        "med-bound-late",
        "the bound n MED <= n - ceil(n/s), r <= s, is attained for n >= r + s - 1",
        CHARON,
        claim=about_law(largest_med(_med_bound)),
        applies=_proper_from(-1),
        status="refuted",
        sharpened="med-max",
    ),
    Conjecture(
        "med-max",
        "the largest n MED is 2n - r - s for n <= r + s - 2, n - ceil((n + s - r)/s) up to (r - 1)s, then "
        "n - ceil(n/s), r <= s",
        "sharpens " + CHARON,
        claim=about_law(largest_med(lambda n, r, s: int(max_med(n, r, s) * n))),
        applies=_proper,
        status="proved",
    ),
    Conjecture(
        "rd-max-form",
        "the largest RD is attained by a table of the form (7), a hook whose leg consists of ones",
        CHACON + ", Section 3.4, conjecture",
        claim=about_law(largest_rd(largest_hook)),
        applies=_proper,
        status="refuted",
        sharpened="rd-max",
    ),
    Conjecture(
        "rd-max-form-late",
        "the largest RD is attained by a table of the form (7) for n >= r + s - 2",
        CHACON + ", Section 3.4, with the range in which it holds",
        claim=about_law(largest_rd(largest_hook)),
        applies=_proper_from(-2),
        status="proved",
    ),
    Conjecture(
        "rd-max-value",
        "the largest RD has the value (8)",
        CHACON + ", Section 3.4 and Appendix B",
        claim=about_law(largest_rd(_printed_value)),
        applies=_proper,
        status="refuted",
        sharpened="rd-max",
    ),
    Conjecture(
        "rd-max",
        "the largest RD has the value (8) for n >= s + 2(r - 1), r <= s, and two other closed forms below "
        "(confmat.indices.extremes.max_rand_distance)",
        "sharpens " + CHACON + ", Section 3.4",
        claim=about_law(largest_rd(lambda n, r, s: int(max_rand_distance(n, r, s) * comb(n, 2)))),
        applies=_proper,
        status="proved",
    ),
    Conjecture(
        "rd-max-hooks-only",
        "for n >= r + s - 1 all tables with the largest RD are hooks, except when r = s = 2",
        "this project, after " + CHACON,
        claim=about_law(hooks_only),
        applies=lambda matrices: _proper_from(-1)(matrices) and matrices.shape != (2, 2),
        status="proved",
    ),
    Conjecture(
        "ard-2x2",
        "at given d1 >= d2 >= 2 the largest ARD of 2 x 2 tables is that of [[d1, ceil(d2/2)], [floor(d2/2), 0]]",
        CHACON + ", Section 3.3.1, conjecture",
        claim=ard_2x2(frozenset()),
        applies=_two_by_two,
        status="refuted",
        sharpened="ard-2x2-exceptions",
    ),
    Conjecture(
        "ard-2x2-exceptions",
        "at given d1 >= d2 >= 2 the largest ARD of 2 x 2 tables is that of [[d1, ceil(d2/2)], [floor(d2/2), 0]], "
        "except for (n, d1, d2) = (4, 2, 2) and (6, 3, 3)",
        "sharpens " + CHACON + ", Section 3.3.1",
        claim=ard_2x2(frozenset({(4, 2), (6, 3)})),
        applies=_two_by_two,
        status="proved",
    ),
    Conjecture(
        "ard-form",
        "the largest ARD is attained by a hook",
        CHACON + ", Section 3.4 (there for n sufficiently large)",
        claim=about_law(ard_of_hook),
        applies=_proper,
        status="refuted",
        sharpened="ard-form-late",
    ),
    Conjecture(
        "ard-form-late",
        "the largest ARD is attained by a hook for n > 6, 6, 8, 9, 9 at 2x2, 2x3, 2x4, 2x5, 2x6, for n > 10, 12 at "
        "3x3, 3x4, and from n = r + s - 2 on at 3x5, 3x6, 4x4, 4x5, 4x6, 5x5, 5x6, 6x6",
        CHACON + ", Section 3.4, with a range",
        claim=about_law(ard_of_hook),
        applies=_late_hook,
        status="open (proved for 2 x s, 3 x 3 and 3 x 4; for every shape from some n on)",
    ),
    Conjecture(
        "ard-independent",
        "the table of independent clusterings, all cells n/(rs), does not have the largest ARD",
        CHACON + ", Section 3.4 (there: in general)",
        claim=about_law(ard_not_independent),
        applies=_divisible,
        status="refuted",
        sharpened="ard-independent-exceptions",
    ),
    Conjecture(
        "ard-independent-exceptions",
        "the table of independent clusterings, all cells n/(rs), does not have the largest ARD, except at (n,r,s) = "
        "(4,2,2), (8,2,2), (6,2,3), (8,2,4), (10,2,5), (9,3,3), (12,3,4)",
        "sharpens " + CHACON + ", Section 3.4",
        claim=about_law(ard_not_independent),
        applies=lambda matrices: _divisible(matrices) and sorted_size(matrices) not in INDEPENDENT_IS_LARGEST,
        status="open (proved for 2 x s, 3 x 3 and 3 x 4)",
    ),
    Conjecture(
        "mean-ard-given-med",
        "the mean ARD of the tables with a given MED does not decrease as the MED grows",
        "observed here, after the figures of " + CHACON,
        claim=mean_ard_rises,
        applies=_proper,
    ),
    Conjecture(
        "rd-given-med-upper",
        "2F <= 2km + m^2 - (least sum of s - 1 squares with sum m), m = n MED, k = n - m",
        "this project",
        claim=about_law(by_med(most_2f_below_turan)),
        applies=_proper,
        status="proved",
    ),
    Conjecture(
        "rd-given-med-upper-attained",
        "for m >= r + s - 2, a = m - r + 1 and k >= ceil(a/(s-1)) + 1 the largest 2F is 2km + a^2 - (least sum of "
        "s - 1 squares with sum a) + (r-1)(r-2)",
        "this project",
        claim=about_law(by_med(largest_2f_at_hook)),
        applies=_proper,
    ),
    Conjecture(
        "rd-given-med-lower",
        "2F >= s/(r(s-1)) m^2, m = n MED",
        "this project",
        claim=about_law(by_med(least_2f_above(lambda r, s: Fraction(s, r * (s - 1))))),
        applies=_proper,
        status="proved",
    ),
    Conjecture(
        "rd-given-med-lower-sharp",
        "2F >= s(r+s-2)/(r(s-1)^2) m^2, m = n MED",
        "this project",
        claim=about_law(by_med(least_2f_above(_equal_cells))),
        applies=_proper,
        status="open for s = r and s = r + 1 (proved for s >= r + 2)",
    ),
    Conjecture(
        "rd-given-med-lower-wide",
        "2F >= t(r+t-2)/(r(t-1)^2) m^2, m = n MED, t = max(s, r + 2); sharp for s >= r + 2",
        "this project",
        claim=about_law(by_med(least_2f_above(lambda r, s: _equal_cells(r, max(s, r + 2))))),
        applies=_proper,
        status="proved",
    ),
    *(
        Conjecture(
            f"one-vs-rest-{measure}",
            f"the extension of {measure} by one class against the rest is at least the one by pairs of classes",
            ESPINDOLA + ', "irrespective of the measure employed"',
            predicate=always(f"{measure}1", ge, f"{measure}2"),
            symmetry="simultaneous",
            applies=_square,
            status="refuted",
        )
        for measure in MEASURES
    ),
    *(at_the_end(measure, end) for end in _ENDS for measure in ALL_MEASURES),
    *(
        Conjecture(
            f"{low}-below-{high}",
            f"{low} is at most {high}, where both are defined",
            "observed, after " + ESPINDOLA,
            predicate=always(low, le, high),
            symmetry="simultaneous",
            applies=_square,
            status="proved",
        )
        for low, high in (("f1", "gsp1"), ("f2", "gsp2"), ("gss1", "auc1"), ("gss2", "auc2"))
    ),
    *(
        Conjecture(
            f"two-classes-{measure}",
            f"for two classes {measure}1 = {measure}2",
            "observed, after " + ESPINDOLA,
            predicate=always(f"{measure}1", eq, f"{measure}2"),
            symmetry="simultaneous",
            applies=_two_by_two,
            status="proved",
        )
        for measure in ("auc", "gss")
    ),
    *(
        Conjecture(
            f"equal-classes-{measure}",
            f"with true classes of equal size {measure}1 is at most {measure}2",
            "observed, after " + ESPINDOLA,
            predicate=always(f"{measure}1", le, f"{measure}2"),
            symmetry="simultaneous",
            applies=_with_equal_classes,
            family=equal_classes,
            status="proved",
        )
        for measure in ("f", "gsp")
    ),
    Conjecture(
        "equal-classes-auc",
        "with true classes of equal size and every sensitivity at least 1/K auc1 is at most auc2",
        "observed, after " + ESPINDOLA,
        predicate=better_than_chance(always("auc1", le, "auc2")),
        symmetry="simultaneous",
        applies=_with_equal_classes,
        family=equal_classes,
        status="proved",
    ),
    Conjecture(
        "equal-classes-gss",
        "with true classes of equal size and every sensitivity at least 1/K gss1 is at most gss2",
        "observed, after " + ESPINDOLA,
        predicate=better_than_chance(always("gss1", le, "gss2")),
        symmetry="simultaneous",
        applies=_with_equal_classes,
        family=equal_classes,
    ),
    Conjecture(
        "sari-below-ari",
        "the soft adjusted Rand index of (U, V), V hard, is at most the ARI of the hardened U and V",
        FLYNT + " (there: in the vast majority of cases)",
        claim=sari_at_most_ari,
        applies=lambda pairs: isinstance(pairs, MembershipPairs),
        family=grids,
        status="refuted",
    ),
    Conjecture(
        "ndc-crisp",
        "the normalised degree of concordance of two crisp clusterings is the Rand index",
        "Huellermeier, Rifqi, Henzgen & Senge (2012)",
        predicate=ndc_is_rand,
        symmetry="transposition",
        applies=_proper,
        status="proved",
    ),
    Conjecture(
        "aci-crisp",
        "the adjusted concordance index of two crisp clusterings is the adjusted Rand index",
        AMODIO + " (there: up to simulation error)",
        predicate=aci_is_adjusted_rand,
        symmetry="transposition",
        applies=_proper,
        status="proved",
    ),
]

LITERATURE = {conjecture.name: conjecture for conjecture in _STATEMENTS}
