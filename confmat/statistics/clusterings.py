"""The statistics of two clusterings, a record each: of the matching, of pairs of objects, of information."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from confmat.classes import MatrixClass
from confmat.indices import information, overlaps, partition
from confmat.indices.extremes import (
    max_adjusted_rand_matrices,
    max_adjusted_rand_matrix,
    max_med,
    max_med_matrix,
    max_rand_distance,
    max_rand_matrix,
)
from confmat.statistics.cell_sums import POWERS, CellSum
from confmat.statistics.record import Statistic, Theorem


def _adjusted(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    pairs = n * (n - 1) // 2
    return (a + b - 2 * p) * pairs, a * (pairs - b) + b * (pairs - a)


def _over_largest(largest: Callable[..., Fraction], cls: MatrixClass) -> Fraction:
    """One over the largest value of a distance at this n, r and s (lines may be empty where the class allows it)."""
    r, s, empty = cls.clusters
    if cls.n:
        largest_value = largest(cls.n, r, s, empty=empty)
    else:
        largest_value = Fraction(0)
    return 1 / largest_value if largest_value else Fraction(0)


def _mirkin_over_rand(cls: MatrixClass) -> Fraction:
    return Fraction(cls.n - 1, cls.n) if cls.n else Fraction(0)


# A distance that is 0/0 belongs to clusterings that coincide: it is 0.
MED = Statistic(
    "med",
    names=("misclassification_error", "misclassification_error_distance"),
    title="misclassification error",
    label="MED (misclassification error distance)",
    index=partition.med,
    formula=lambda n, m, a, b, p: (m, n),
    depends="m",
    undefined=0,
    symmetry="transposition",
    bounds=(0, 1),
    largest=Theorem("med-max", max_med_matrix),
)
RD = Statistic(
    "rd",
    names=("rand_distance",),
    title="Rand distance",
    label="RD (Rand distance)",
    index=partition.rand_distance,
    formula=lambda n, m, a, b, p: (a + b - 2 * p, n * (n - 1) // 2),
    depends="F",
    undefined=0,
    symmetry="transposition",
    bounds=(0, 1),
    largest=Theorem("rd-max", max_rand_matrix),
)
ARD = Statistic(
    "ard",
    names=("adjusted_rand_distance",),
    title="adjusted Rand distance",
    label="ARD (adjusted Rand distance)",
    index=partition.adjusted_rand_distance,
    formula=_adjusted,
    depends="ABP",
    undefined=0,
    symmetry="transposition",
    bounds=(0, Fraction(3, 2)),  # statement `ari-least`
    largest=Theorem("ard-max", max_adjusted_rand_matrix, max_adjusted_rand_matrices),
)


def _information(
    name: str,
    title: str,
    label: str,
    symmetry: str = "transposition",
    most: int | None = None,
    names: tuple[str, ...] = (),
    rises_with: CellSum | None = POWERS,
    falls_with: CellSum | None = None,
) -> Statistic:
    """An index with logarithms, not negative: exact, but in doubles where entries are too large to be factored."""
    index = getattr(information, name)
    return Statistic(
        name,
        partial(information.exact_if_small, index),
        names=names,
        title=title,
        label=label,
        index=index,
        batch=partial(information.values_of_tables, name, index=index),
        symmetry=symmetry,
        bounds=(0, most),
        rises_with=rises_with,
        falls_with=falls_with,
    )


# Of mutual information in something: from 0 to 1.
_share_of_information = partial(_information, most=1)


CLUSTERINGS = (
    MED,
    Statistic(
        "nmed",
        names=("normalized_med",),
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
        names=("rand", "rand_index", "rand_score"),
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
        names=("normalized_rand_distance",),
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
        names=("adjusted_rand", "adjusted_rand_index", "adjusted_rand_score"),
        title="adjusted Rand index",
        label="ARI (adjusted Rand index)",
        index=partition.adjusted_rand_index,
        of=ARD,
        complement=True,
        symmetry="transposition",
        bounds=(Fraction(-1, 2), 1),
    ),
    Statistic(
        "mirkin",
        names=("mirkin_distance",),
        title="Mirkin distance",
        index=partition.mirkin_distance,
        of=RD,
        factor=_mirkin_over_rand,
        symmetry="transposition",
        bounds=(0, 1),
    ),
    Statistic(
        "fm",
        names=("fowlkes_mallows", "fowlkes_mallows_index", "fowlkes_mallows_score"),
        title="Fowlkes-Mallows",
        label="FM (Fowlkes-Mallows index)",
        index=partition.fowlkes_mallows,
        formula=lambda n, m, a, b, p: (p * p, a * b),
        depends="ABP",
        root=True,
        exact=False,
        symmetry="transposition",
        bounds=(0, 1),
    ),
    Statistic(
        "jaccard",
        names=("jaccard_index",),
        title="Jaccard",
        label="Jaccard index",
        index=partition.jaccard,
        formula=lambda n, m, a, b, p: (p, a + b - p),
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
        formula=lambda n, m, a, b, p: (p, a),
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
        formula=lambda n, m, a, b, p: (p, b),
        depends="ABP",
        symmetry="permutations",
        bounds=(0, 1),
    ),
    _information(
        "vi",
        "variation of information",
        "VI (variation of information)",
        names=("variation_of_information",),
        rises_with=None,
        falls_with=POWERS,
    ),
    _information(
        "mi", "mutual information", "mutual information", names=("mutual_info_score", "mutual_information")
    ),
    _information("entropy_a", "entropy of a", "entropy of the clustering a", "permutations", rises_with=None),
    _information("entropy_b", "entropy of b", "entropy of the clustering b", "permutations", rises_with=None),
    _share_of_information(
        "nmi",
        "normalised mutual inf.",
        "NMI (normalised mutual information)",
        names=(
            "normalized_mutual_info_score",
            "normalized_mutual_information",
            "normalised_mutual_information",
        ),
    ),
    _share_of_information(
        "nmi_geometric", "NMI, geometric mean", "NMI by the geometric mean of the entropies"
    ),
    _share_of_information("nmi_max", "NMI, larger entropy", "NMI by the larger entropy"),
    _share_of_information("nmi_min", "NMI, smaller entropy", "NMI by the smaller entropy"),
    _share_of_information("nmi_joint", "NMI, joint entropy", "NMI by the joint entropy"),
    _share_of_information("v_measure", "V-measure", "V-measure", names=("v_measure_score",)),
    _share_of_information(
        "homogeneity", "homogeneity", "homogeneity of b in a", "permutations", names=("homogeneity_score",)
    ),
    _share_of_information(
        "completeness",
        "completeness",
        "completeness of b in a",
        "permutations",
        names=("completeness_score",),
    ),
    Statistic(
        "ami",
        partial(
            information.exact_if_small,
            information.adjusted_mutual_information,
            largest=information.LARGEST_MEAN,
        ),
        names=("adjusted_mutual_info_score", "adjusted_mutual_information"),
        title="adjusted mutual inf.",
        label="AMI (adjusted mutual information)",
        index=information.adjusted_mutual_information,
        batch=partial(
            information.values_of_tables,
            "ami",
            index=information.adjusted_mutual_information,
            largest=information.LARGEST_MEAN,
        ),
        symmetry="transposition",
        bounds=(None, 1),
        rises_with=POWERS,
    ),
    Statistic(
        "purity",
        partial(overlaps.purity, exact=True),
        names=("purity_score",),
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
        names=("van_dongen_distance",),
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
        bounds=(Fraction(-1, 2), 1),
    ),
)
