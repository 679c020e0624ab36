"""Names of the interface of confmat: the only file of this directory that a rename changes."""

from types import SimpleNamespace

import confmat as cm
from confmat import archive, significance, testing
from confmat.distributions import formulas
from confmat.distributions import med_distribution as med
from confmat.distributions import rand_distribution as rand
from confmat.fixed_margins import additive
from confmat.indices import soft
from confmat.sampling import stream
from confmat.statistics import STATISTICS

CLASSES = {"tables": cm.Tables, "rows": cm.FixedRows, "margins": cm.FixedMargins}
CLASSES["columns"] = lambda r, cols, **options: cm.FixedColumns(cols, r, **options)
EMPTY, STRATEGIES, OBJECTS, ALLOW_EMPTY = "allow_empty", testing, {"n": 2**70}, {"nonempty": False}
MEMBERS = {name: name for name in ("count", "rank", "unrank", "orbits", "labelings_count", "n", "shape")}
JOINT = {name: name for name in ("probability", "given", "total", "save")}
JOINT |= {"csv": "to_csv", "examples": "example_tables", "sums": "sufficient_statistics"}
NUMBERS = {name: name for name in ("median", "total", "undefined", "quantile", "cdf")}
NUMBERS |= {"sd": "std", "least": "min", "at least": "argmin", "largest": "max", "at most": "argmax"}
RESULT = {name: name for name in ("value", "tables", "proved", "complete", "covered", "cases", "mid", "mean")}
RESULT |= {"statistic": "statistic", "p": "pvalue", "variance": "variance", "class": "matrices"}
RESULT["counterexample"] = "counterexample"
DRAWS = {"array": "array", "estimate": "estimated_count"}
DO = SimpleNamespace(
    joint=lambda matrices, statistics, weight: cm.joint_distribution(matrices, *statistics, weight=weight),
    one=lambda joint, statistic: joint[statistic],
    groups=lambda joint, statistic: list(joint.groupby(statistic)),
    exact_moments=lambda distribution: (distribution.mean(exact=True), distribution.var(exact=True)),
    mean_as_shown=lambda distribution: distribution._numbers()["mean"],
    largest=lambda matrices, statistic, condition: cm.maximize(matrices, statistic, given=condition),
    least=lambda matrices, statistic, condition: cm.minimize(matrices, statistic, given=condition),
    statistic=lambda name, function, symmetry: cm.Statistic(name, function, symmetry=symmetry),
    predicate=lambda name, test, symmetry: cm.Conjecture("claim", name, predicate=test, symmetry=symmetry),
    check=cm.check,
    open=cm.JointDistribution.load,
    index=lambda name, table: STATISTICS[name](table),
    index_of_labels=lambda name, a, b: getattr(cm, name)(a, b),
    soft_moments=lambda U, V, name: soft.null_moments(U, V, name)[:2],
    soft_adjusted=lambda U, V, name: soft.adjusted(U, V, name, undefined="nan"),
    soft_test=lambda U, V, name: cm.permutation_test(U, V, statistic=name),
    exact_test=lambda table, name, side: cm.exact_test(table, name, alternative=side, exact=True),
    additive=lambda table, f, side: cm.exact_test(table, additive(f), alternative=side, exact=True),
    permutation_test=lambda table, side: cm.permutation_test(table, exact=True, alternative=side),
    p_values=lambda test: (test.p_ari.pvalue, test.p_med.pvalue),
    pair_tail=lambda r, s, pairs: significance.pair_distribution(r, s).at_least(pairs),
    draws=lambda c, n, rng, method, given: stream(c, n, rng=rng, method=method, given=given or None),
    broken=lambda index, n: cm.check_metric(index, takes="memberships", reference=index, max_n=n).broken,
    build=archive.build,
    verify=lambda folder: archive.verify(folder, recompute=2),
    query=lambda folder, columns: archive.query(folder, f"SELECT {columns} FROM distributions ORDER BY ALL"),
)
SUMS = ("m", "A", "B", "P", "weight")
COLUMNS = "n, r, s, weight, med_num, med_den, rd_num, rd_den, ard_num, ard_den, count"
FORMULAS = {name: getattr(formulas, f"{name}_formulas") for name in ("count", "moments", "med")}
FORMULAS["density"] = med.limit_density
COUNTS = {"med": med.med_counts, "med at": med.med_count, "rd": rand.rand_distance_counts}
COUNTS["med moment"] = med.med_moment
