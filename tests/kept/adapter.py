"""Names of the interface of confmat: the only file of this directory that a rename changes."""

from types import SimpleNamespace

import confmat as cm
from confmat.indices import soft
from confmat.statistics import STATISTICS

SOFT_INDICES = soft.INDICES
CLASSES = {
    "tables": lambda n, r, s, empty: cm.Tables(n, r, s, empty=empty),
    "rows": lambda rows, s, empty: cm.FixedRows(rows, s, empty=empty),
    "columns": lambda r, cols, empty: cm.FixedColumns(r, cols, empty=empty),
    "margins": lambda rows, cols, empty: cm.FixedMargins(rows, cols),
}
MATRICES = SimpleNamespace(
    count=lambda matrices: matrices.count(),
    rank=lambda matrices, table: matrices.rank(table),
    unrank=lambda matrices, position: matrices.unrank(position),
    sizes=lambda matrices: (matrices.n, *matrices.shape),
)
JOINT = SimpleNamespace(
    of=lambda matrices, statistics, weight: cm.joint(matrices, *statistics, weight=weight),
    one=lambda joint, statistic: joint[statistic],
    total=lambda joint: joint.total,
    given=lambda joint, condition: joint.given(condition),
    probability=lambda joint, condition: joint.probability(condition),
    groups=lambda joint, statistic: joint.given_each(statistic),
)
ONE = {
    "mean": lambda one: one.moments(exact=True)[0],
    "variance": lambda one: one.moments(exact=True)[1],
    "sd": lambda one: one.sd,
    "least": lambda one: one.min,
    "median": lambda one: one.median,
    "largest": lambda one: one.max,
    "total": lambda one: one.total,
    "undefined": lambda one: one.undefined,
    "quantile": lambda one, p: one.quantile(p),
    "cdf": lambda one, x: one.cdf(x),
}
INDEX = SimpleNamespace(
    of_table=lambda name, table: STATISTICS[name](table),
    of_labels=lambda name, a, b: getattr(cm, name)(a, b),
    soft_moments=lambda U, V, name: soft.null_moments(U, V, name)[:2],
    soft_adjusted=lambda U, V, name: soft.adjusted(U, V, name, undefined="nan"),
    soft_test=lambda U, V, name: cm.significance(U, V, statistic=name),
    exact_test=lambda table, name, side: cm.exact_test(table, name, alternative=side, exact=True),
    permutation_test=lambda table, side: cm.significance(table, exact=True, alternative=side),
    of_soft_test=lambda test: (test.statistic, test.pvalue),
    of_exact_test=lambda test: (test.statistic, test.pvalue, test.mid),
    of_permutation_test=lambda test: (test.p_ari.value, test.p_med.value, test.mean, test.variance),
)
SEARCH = {"largest": cm.maximize, "least": cm.minimize}
FOUND = lambda result: (result.value, result.maximizers, result.proved, result.complete)  # noqa: E731
CHECK = cm.check
HOLDS = lambda answer: (answer.covered, answer.cases) if hasattr(answer, "covered") else None  # noqa: E731
REFUTED = lambda answer: (answer.matrices, answer.matrix)  # noqa: E731
