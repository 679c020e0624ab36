"""The statistics of a classifier, a record each: rows are the true classes, columns the predicted ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from confmat.arguments import as_fraction
from confmat.indices import classification as metrics
from confmat.indices.cell_sums import DIAGONAL, SHARES, CellSum
from confmat.indices.classification import macro
from confmat.indices.classification.agreement import kappas, mccs
from confmat.indices.classification.batch import (
    RATIONAL,
    f_means,
    ratios,
    root_means,
)
from confmat.statistics.record import Statistic


def _metric(
    name: str,
    title: str,
    index: Callable[..., Any],
    label: str,
    *aliases: Any,
    names: tuple[str, ...] = (),
    in_batches: str = "",
    rises_with: CellSum | None = None,
    **options: Any,
) -> Statistic:
    """A mean over classes; ``in_batches``: what ``batch`` calls it, its name unless said."""
    # reads: it hands a record's fields on, a name each
    fast = in_batches or name
    rational = fast in RATIONAL
    return Statistic(
        name,
        partial(index, exact=True, **options),
        names=names,
        title=title,
        label=label,
        index=index,
        aliases=aliases,
        batch=partial(ratios if rational else root_means, fast),
        exact=rational,
        symmetry="simultaneous",
        bounds=(0, 1),
        rises_with=rises_with,
    )


def _macro(name: str, title: str, index: Callable[..., Any]) -> Statistic:
    """The mean over all classes, each alike."""
    return Statistic(
        name,
        partial(index, exact=True, undefined="nan"),
        names=(f"macro_{name}",),
        title=title,
        index=index,
        batch=partial(ratios, name),
        exact=True,
        symmetry="simultaneous",
        bounds=(0, 1),
    )


def _by_class(
    name: str, title: str, index: Callable[..., Any], over_pairs: Callable[..., Any]
) -> Iterator[Statistic]:
    """The mean over the classes, weighted by their frequency, and the mean over all pairs of classes."""
    if name == "f":
        weighted_name = "f1_weighted"
        names = ("f", "weighted_f1")
        yield _metric(
            weighted_name, "weighted F1", index, "weighted F1", names=names, in_batches=name, undefined="nan"
        )
    else:
        yield _metric(name, title, index, f"{name.upper()} ({title})", undefined="nan")
    title = f"{title}, pairs"
    alias = partial(index, strategy="pairs")
    yield _metric(
        f"{name}_pairs",
        title,
        over_pairs,
        f"{name.upper()} ({title})",
        alias,
        undefined="nan",
    )


def f_beta(beta: Any) -> Statistic:
    """The F-measure with any beta >= 0, one class against the rest, as a statistic: `register` gives it to texts.

    >>> weighted = f_beta(3)
    >>> weighted.name, weighted([[8, 2], [1, 4]])
    ('f_3', Fraction(4040, 5049))
    >>> from confmat import FixedRows, joint
    >>> joint(FixedRows((2, 2), 2), weighted).total
    9
    """
    exact = as_fraction("beta", beta)
    if exact < 0:
        raise ValueError(f"beta must be at least 0, got {beta}")
    p, q = (exact**2).as_integer_ratio()
    index = partial(metrics.f_measure, beta=exact)
    return Statistic(
        f"f_{exact}".replace("/", "_"),
        partial(metrics.f_measure, beta=exact, exact=True, undefined="nan"),
        title=f"F-measure, beta = {exact}",
        label=f"F (F-measure, beta = {exact})",
        index=index,
        batch=partial(f_means, p, q),
        exact=True,
        symmetry="simultaneous",
        bounds=(0, 1),
    )


CLASSIFIERS = (
    _metric(
        "accuracy",
        "accuracy",
        metrics.accuracy,
        "accuracy",
        names=("acc", "cor", "accuracy_score", "correct_rate"),
        in_batches="cor",
        rises_with=DIAGONAL,
    ),
    _metric(
        "balanced_accuracy",
        "balanced accuracy",
        metrics.balanced_accuracy,
        "balanced accuracy",
        names=("bacc", "bcr", "balanced_accuracy_score", "balanced_rate"),
        in_batches="bcr",
        rises_with=SHARES,
    ),
    _macro("recall", "macro recall", macro.recall),
    _macro("precision", "macro precision", macro.precision),
    _macro("f1", "macro F1", macro.f1),
    Statistic(
        "kappa",
        partial(metrics.kappa, exact=True, undefined="nan"),
        names=("cohen_kappa_score", "cohen_kappa"),
        title="Cohen's kappa",
        label="Cohen's kappa",
        index=metrics.kappa,
        batch=kappas,
        symmetry="simultaneous",
        bounds=(-1, 1),
        rises_with=DIAGONAL,
    ),
    Statistic(
        "mcc",
        partial(metrics.mcc, exact=True, undefined="nan"),
        names=("matthews_corrcoef", "matthews_correlation"),
        title="Matthews' correlation",
        label="MCC (Matthews' correlation coefficient)",
        index=metrics.mcc,
        batch=mccs,
        symmetry="simultaneous",
        bounds=(-1, 1),
        rises_with=DIAGONAL,
    ),
    *_by_class("auc", "discrete AUC", metrics.auc, metrics.auc_pairs),
    *_by_class("f", "F-measure", metrics.f, metrics.f_pairs),
    *_by_class("gsp", "G-mean sens/prec", metrics.gsp, metrics.gsp_pairs),
    *_by_class("gss", "G-mean sens/spec", metrics.gss, metrics.gss_pairs),
    Statistic(
        "auc3",
        partial(metrics.auc3, exact=True, undefined="nan"),
        title="discrete AUC, Hand & Till",
        label="AUC (discrete AUC, Hand & Till)",
        index=metrics.auc3,
        aliases=(partial(metrics.discrete_auc, strategy="ovo"),),
        batch=partial(ratios, "auc3"),
        exact=True,
        symmetry="simultaneous",
        bounds=(0, 1),
    ),
)
