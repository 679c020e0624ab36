"""The table of statistics: one record each, and one's own beside them.

Those of two clusterings have a formula in the MED and the pair sums A, B, P, which the fast kernels count.  Metrics of
a classifier (rows = truth), and functions of one's own, are evaluated at every table that their symmetry leaves to
visit.  The values over a whole class: ``confmat.laws.evaluation``.
"""

from __future__ import annotations

import copyreg
import inspect
import math
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import factorial, prod
from types import MappingProxyType
from typing import Any

import numpy as np

from confmat.classes import MatrixClass, RandomModel
from confmat.classes.symmetry import ONLY_SQUARE
from confmat.indices import classification as metrics
from confmat.indices import information, overlaps, partition
from confmat.indices.classification.agreement import kappas, mccs
from confmat.indices.classification.batch import RATIONAL, ratios, root_means
from confmat.indices.extremes import (
    max_adjusted_rand_matrix,
    max_med,
    max_med_matrix,
    max_rand_distance,
    max_rand_matrix,
)
from confmat.matrices.arguments import meant
from confmat.statistics.derived import derived
from confmat.statistics.grammar import CONNECTIVES
from confmat.statistics.record import Number, Statistic, Theorem

# --- of two clusterings ---------------------------------------------------------------------------


def _med(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    return m, n


def _rand(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    return a + b - 2 * p, n * (n - 1) // 2


def _adjusted(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    pairs = n * (n - 1) // 2
    return (a + b - 2 * p) * pairs, a * (pairs - b) + b * (pairs - a)


def _fowlkes_mallows_squared(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    return p * p, a * b


def _jaccard(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    return p, a + b - p


def _wallace_ab(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    return p, a


def _wallace_ba(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    return p, b


def _over_largest(largest: Callable[..., Fraction], cls: MatrixClass) -> Fraction:
    """One over the largest value of a distance at this n, r and s (lines may be empty where the class allows it)."""
    r, s, empty = cls.clusters
    most = largest(cls.n, r, s, empty=empty) if cls.n else Fraction(0)
    return 1 / most if most else Fraction(0)


def _mirkin_over_rand(cls: MatrixClass) -> Fraction:
    return Fraction(cls.n - 1, cls.n) if cls.n else Fraction(0)


# A distance that is 0/0 belongs to clusterings that coincide: it is 0.
MED = Statistic(
    "med",
    title="misclassification error",
    label="MED (misclassification error distance)",
    index=partition.med,
    formula=_med,
    depends="m",
    undefined=0,
    symmetry="transposition",
    bounds=(0, 1),
    largest=Theorem("med-max", max_med_matrix),
)
RD = Statistic(
    "rd",
    title="Rand distance",
    label="RD (Rand distance)",
    index=partition.rand_distance,
    formula=_rand,
    depends="F",
    undefined=0,
    symmetry="transposition",
    bounds=(0, 1),
    largest=Theorem("rd-max", max_rand_matrix),
)
ARD = Statistic(
    "ard",
    title="adjusted Rand distance",
    label="ARD (adjusted Rand distance)",
    index=partition.adjusted_rand_distance,
    formula=_adjusted,
    depends="ABP",
    undefined=0,
    symmetry="transposition",
    bounds=(0, None),
    largest=Theorem("ard-max", max_adjusted_rand_matrix),
)


def _information(
    name: str,
    title: str,
    index: Callable[..., Any],
    label: str,
    symmetry: str = "transposition",
    bounds: tuple[int | None, int | None] = (None, 1),
    batch: Callable[[np.ndarray], Any] | None = None,
    **options: Any,
) -> Statistic:
    """An index with logarithms: exact, but in doubles where entries are too large to be factored."""
    return Statistic(
        name,
        partial(information.exact_if_small, index, **options),
        title=title,
        label=label,
        index=index,
        batch=batch,
        symmetry=symmetry,
        bounds=bounds,
    )


def _share(name: str, title: str, label: str, symmetry: str = "transposition") -> Statistic:
    """Of mutual information in something: from 0 to 1."""
    return _logarithm(name, title, label, symmetry, 1)


def _logarithm(
    name: str, title: str, label: str, symmetry: str = "transposition", most: int | None = None
) -> Statistic:
    batch = partial(information.values_of_tables, name)
    return _information(name, title, getattr(information, name), label, symmetry, (0, most), batch)


_CLUSTERINGS = (
    MED,
    Statistic(
        "nmed",
        title="MED over its largest",
        label="NMED (MED over its largest value)",
        index=partition.normalized_med,
        of=MED,
        factor=partial(_over_largest, max_med),
        symmetry="transposition",
        bounds=(0, 1),
    ),
    RD,
    Statistic(
        "ri",
        title="Rand index",
        label="RI (Rand index)",
        index=partition.rand_index,
        of=RD,
        complement=True,
        symmetry="transposition",
        bounds=(0, 1),
    ),
    Statistic(
        "nrd",
        title="RD over its largest",
        label="NRD (RD over its largest value)",
        index=partition.normalized_rand_distance,
        of=RD,
        factor=partial(_over_largest, max_rand_distance),
        symmetry="transposition",
        bounds=(0, 1),
    ),
    ARD,
    Statistic(
        "ari",
        title="adjusted Rand index",
        label="ARI (adjusted Rand index)",
        index=partition.adjusted_rand_index,
        of=ARD,
        complement=True,
        symmetry="transposition",
        bounds=(None, 1),
    ),
    Statistic(
        "mirkin",
        title="Mirkin distance",
        index=partition.mirkin_distance,
        of=RD,
        factor=_mirkin_over_rand,
        symmetry="transposition",
        bounds=(0, 1),
    ),
    Statistic(
        "fm",
        title="Fowlkes-Mallows",
        label="FM (Fowlkes-Mallows index)",
        index=partition.fowlkes_mallows,
        formula=_fowlkes_mallows_squared,
        depends="ABP",
        root=True,
        exact=False,
        symmetry="transposition",
        bounds=(0, 1),
    ),
    Statistic(
        "jaccard",
        title="Jaccard",
        label="Jaccard index",
        index=partition.jaccard,
        formula=_jaccard,
        depends="ABP",
        symmetry="transposition",
        bounds=(0, 1),
    ),
    Statistic(
        "wallace_ab",
        title="Wallace, a to b",
        label="Wallace coefficient, a to b",
        index=partition.wallace_ab,
        aliases=(partial(partition.wallace, direction="ab"),),
        formula=_wallace_ab,
        depends="ABP",
        symmetry="permutations",
        bounds=(0, 1),
    ),
    Statistic(
        "wallace_ba",
        title="Wallace, b to a",
        label="Wallace coefficient, b to a",
        index=partition.wallace_ba,
        aliases=(partial(partition.wallace, direction="ba"),),
        formula=_wallace_ba,
        depends="ABP",
        symmetry="permutations",
        bounds=(0, 1),
    ),
    _logarithm("vi", "variation of information", "VI (variation of information)"),
    _logarithm("mi", "mutual information", "mutual information"),
    _logarithm("entropy_a", "entropy of a", "entropy of the clustering a", "permutations"),
    _logarithm("entropy_b", "entropy of b", "entropy of the clustering b", "permutations"),
    _share("nmi", "normalised mutual inf.", "NMI (normalised mutual information)"),
    _share("nmi_geometric", "NMI, geometric mean", "NMI by the geometric mean of the entropies"),
    _share("nmi_max", "NMI, larger entropy", "NMI by the larger entropy"),
    _share("nmi_min", "NMI, smaller entropy", "NMI by the smaller entropy"),
    _share("nmi_joint", "NMI, joint entropy", "NMI by the joint entropy"),
    _share("v_measure", "V-measure", "V-measure"),
    _share("homogeneity", "homogeneity", "homogeneity of b in a", "permutations"),
    _share("completeness", "completeness", "completeness of b in a", "permutations"),
    _information(
        "ami",
        "adjusted mutual inf.",
        information.adjusted_mutual_information,
        "AMI (adjusted mutual information)",
        largest=information.LARGEST_MEAN,
    ),
    Statistic(
        "purity",
        partial(overlaps.purity, exact=True),
        title="purity of b in a",
        label="purity of the clusters b in the classes a",
        index=overlaps.purity,
        batch=overlaps.purities,
        symmetry="permutations",
        bounds=(0, 1),
    ),
    Statistic(
        "van_dongen",
        partial(overlaps.van_dongen, exact=True),
        title="van Dongen distance",
        label="van Dongen distance over 2n",
        index=overlaps.van_dongen,
        batch=overlaps.van_dongens,
        symmetry="transposition",
        bounds=(0, 1),
    ),
    Statistic(
        "pair_kappa",
        title="kappa of pairs",
        label="Cohen's kappa of pairs",
        index=overlaps.pair_kappa,
        formula=overlaps.kappa_of_pairs,
        depends="ABP",
        undefined=1,
        symmetry="transposition",
        bounds=(None, 1),
    ),
)

# --- of a classifier ------------------------------------------------------------------------------


def _metric(
    name: str, title: str, index: Callable[..., Any], label: str, *aliases: Any, **options: Any
) -> Statistic:
    rational = name in RATIONAL
    return Statistic(
        name,
        partial(index, exact=True, **options),
        title=title,
        label=label,
        index=index,
        aliases=aliases,
        batch=partial(ratios if rational else root_means, name),
        exact=rational,
        symmetry="simultaneous",
        bounds=(0, 1),
    )


def _by_class(
    name: str, title: str, index: Callable[..., Any], over_pairs: Callable[..., Any]
) -> Iterator[Statistic]:
    """The mean over the classes, weighted by their frequency, and the mean over all pairs of classes."""
    yield _metric(name, title, index, f"{name.upper()} ({title})", undefined="nan")
    title = f"{title}, pairs"
    alias = partial(index, strategy="pairs")
    yield _metric(f"{name}_pairs", title, over_pairs, f"{name.upper()} ({title})", alias, undefined="nan")


_CLASSIFIERS = (
    _metric("cor", "accuracy", metrics.cor, "COR (accuracy)"),
    _metric("bcr", "balanced rate", metrics.bcr, "BCR (balanced rate)"),
    Statistic(
        "kappa",
        partial(metrics.kappa, exact=True, undefined="nan"),
        title="Cohen's kappa",
        label="Cohen's kappa",
        index=metrics.kappa,
        batch=kappas,
        symmetry="simultaneous",
        bounds=(-1, 1),
    ),
    Statistic(
        "mcc",
        partial(metrics.mcc, exact=True, undefined="nan"),
        title="Matthews' correlation",
        label="MCC (Matthews' correlation coefficient)",
        index=metrics.mcc,
        batch=mccs,
        symmetry="simultaneous",
        bounds=(-1, 1),
    ),
    *_by_class("auc", "discrete AUC", metrics.auc, metrics.auc_pairs),
    *_by_class("f", "F-measure", metrics.f, metrics.f_pairs),
    *_by_class("gsp", "G-mean sens/prec", metrics.gsp, metrics.gsp_pairs),
    *_by_class("gss", "G-mean sens/spec", metrics.gss, metrics.gss_pairs),
)

# --- the table ------------------------------------------------------------------------------------

_own: dict[str, Statistic] = {}
_known = {statistic.name: statistic for statistic in (*_CLUSTERINGS, *_CLASSIFIERS)}

STATISTICS: Mapping[str, Statistic] = MappingProxyType(ChainMap(_own, _known))
"""Every statistic by its short name, those registered at run time last."""

SIZES = ("n", "r", "s")
"""What conditions may name beside statistics: total, rows and columns."""


def _pickled(statistic: Statistic) -> Any:
    """One of the package's by its name, so that it is the same record elsewhere; one's own by its fields."""
    if is_known(statistic):
        return as_statistic, (statistic.name,)
    return object.__reduce_ex__(statistic, 2)


copyreg.pickle(Statistic, _pickled)


def is_known(statistic: Statistic) -> bool:
    """Whether it is one of the package's own, whose declarations are tried in its tests.

    >>> is_known(as_statistic("med")), is_known(Statistic("med", len))
    (True, False)
    """
    return _known.get(statistic.name) is statistic


def register(statistic: Statistic) -> Statistic:
    """Put a statistic of one's own into the table: its short name then stands wherever a name does.

    Raises TypeError for what is no ``Statistic``, ValueError for a name that is taken or no identifier.

    >>> largest = register(Statistic("largest", lambda table: int(table.max()), symmetry="transposition"))
    >>> largest is STATISTICS["largest"] is as_statistic("largest")
    True
    >>> unregister("largest")
    """
    if not isinstance(statistic, Statistic):
        raise TypeError(f"statistic must be a Statistic, got {statistic!r}")
    if not statistic.name.isidentifier():
        raise ValueError(f"statistic must have an identifier for a name, got {statistic.name!r}")
    if statistic.name in (*STATISTICS, *SIZES, *CONNECTIVES):
        raise ValueError(f"statistic must have a name that is free, got {statistic.name!r}")
    _own[statistic.name] = statistic
    return statistic


def unregister(name: str) -> None:
    """Take a statistic of one's own out of the table; ValueError for any other name.

    >>> unregister("med")
    Traceback (most recent call last):
    ...
    ValueError: name must be one that was registered, got 'med'
    """
    if name not in _own:
        raise ValueError(f"name must be one that was registered, got {name!r}")
    del _own[name]


def as_statistic(statistic: str | Statistic | Callable[[np.ndarray], Any]) -> Statistic:
    """A ``Statistic`` from a short name, a text such as "ard/med", an index function, one's own, or itself.

    Of a function of one's own no symmetry is assumed.

    >>> as_statistic("med").name, as_statistic("cor").symmetry
    ('med', 'simultaneous')
    >>> as_statistic(partition.med) is as_statistic("med")
    True
    """
    if isinstance(statistic, Statistic):
        return statistic
    if isinstance(statistic, str):
        if statistic not in STATISTICS and any(sign in statistic for sign in "+-*/"):
            return derived(statistic, STATISTICS)
        if statistic not in STATISTICS:
            hint = meant(statistic, STATISTICS) or f", which is none of {', '.join(STATISTICS)}"
            raise ValueError(f"statistic must be a short name, got {statistic!r}{hint}")
        return STATISTICS[statistic]
    if not callable(statistic):
        raise TypeError(f"statistic must be a short name or a function of a matrix, got {statistic!r}")
    called = _called(statistic)
    for known in STATISTICS.values():
        if any(
            _called(own) == called for own in (known.index, known.function, *known.aliases) if own is not None
        ):
            return known
    return Statistic(getattr(statistic, "__name__", "statistic"), statistic)


def _called(function: Callable[..., Any]) -> tuple[Callable[..., Any], dict[str, Any]]:
    """A function and the options it is called with, defaults included; ``exact`` changes no statistic.

    So ``wallace`` is ``partial(wallace, direction="ab")``.
    """
    options: dict[str, Any] = {}
    if isinstance(function, partial) and not function.args:
        options, function = function.keywords, function.func
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a function of C that does not say
        parameters = []
    defaults = {x.name: x.default for x in parameters if x.default is not x.empty}
    return function, {name: value for name, value in (defaults | options).items() if name != "exact"}


def check_square(matrices: MatrixClass | RandomModel, statistics: tuple[Statistic, ...]) -> None:
    """Raise ValueError for a statistic that relabels rows and columns together, over matrices that are not square.

    >>> from confmat.classes import Tables
    >>> check_square(Tables(4, 2, 3), (as_statistic("med"),))
    >>> check_square(Tables(4, 2, 3), (as_statistic("cor"),))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: statistic 'cor' needs square matrices (rows and columns are the same classes), got ...
    """
    r, s = matrices.shape
    for statistic in statistics:
        if statistic.generators and statistic.generators <= ONLY_SQUARE and r != s:
            raise ValueError(
                f"statistic {statistic.name!r} needs square matrices (rows and columns are the same classes), "
                f"got {matrices!r}"
            )


def sort_key(x: Number) -> tuple[bool, float, Number]:
    """Increasing order with undefined values (nan) last; most Fractions are told apart by their doubles.

    Rounding is monotone, so the order is exact, and several times faster than that of Fractions.

    >>> sorted([math.nan, Fraction(1, 2), 0.25], key=sort_key)
    [0.25, Fraction(1, 2), nan]
    """
    if x != x:
        return True, 0, 0
    try:
        return False, float(x), x
    except OverflowError:
        return False, math.inf if x > 0 else -math.inf, x


def labelings(table: np.ndarray) -> int:
    """Number of pairs of labelings with this contingency matrix, n!/prod x!.

    >>> labelings(np.array([[1, 1], [0, 2]]))
    12
    """
    cells = table.ravel().tolist()
    return factorial(sum(cells)) // prod(map(factorial, cells))
