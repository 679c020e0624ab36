"""Names of the interface of confmat: the only file of this directory that a rename changes."""

from types import SimpleNamespace

import confmat as cm
from confmat import archive, significance, testing
from confmat import fixed_margins as rows
from confmat.distributions import formulas
from confmat.distributions import med_distribution as med
from confmat.distributions import rand_distribution as rand
from confmat.indices import soft
from confmat.sampling import stream
from confmat.statistics import STATISTICS

CLASSES = {"tables": cm.Tables, "rows": cm.FixedRows, "columns": cm.FixedColumns, "margins": cm.FixedMargins}
EMPTY, STRATEGIES, OBJECTS, ALLOW_EMPTY = "empty", testing, {"dtype": object}, {"nonempty": False}
MEMBERS = {name: name for name in ("count", "rank", "unrank", "orbits", "labelings_count", "n", "shape")}
JOINT = {"probability": "probability", "given": "given", "total": "total"}
JOINT |= {"save": "save", "csv": "to_csv", "examples": "witnesses", "sums": "signatures"}
NUMBERS = {"sd": "sd", "least": "min", "median": "median", "largest": "max", "total": "total"}
NUMBERS |= {"undefined": "undefined", "quantile": "quantile", "cdf": "cdf", "about": "mean"}
NUMBERS |= {"at least": "argmin", "at most": "argmax"}
RESULT = {"value": "value", "tables": "maximizers", "proved": "proved", "complete": "complete"}
RESULT |= {"covered": "covered", "cases": "cases", "class": "matrices", "counterexample": "matrix"}
RESULT |= {"statistic": "statistic", "p": "pvalue", "mid": "mid", "mean": "mean", "variance": "variance"}
DRAWS = {"array": "array", "estimate": "estimated_count"}
METHODS = {"rejection": "rejection", "unranking": "unranking", "counting": "counting", "auto": "auto"}
DO = SimpleNamespace(
    joint=lambda matrices, statistics, weight: cm.joint(matrices, *statistics, weight=weight),
    one=lambda joint, statistic: joint[statistic],
    groups=lambda joint, statistic: [(value, law) for value, _, law in joint.given_each(statistic)],
    exact_moments=lambda distribution: distribution.moments(exact=True),
    largest=lambda matrices, statistic, condition: cm.maximize(matrices, statistic, given=condition),
    least=lambda matrices, statistic, condition: cm.minimize(matrices, statistic, given=condition),
    statistic=lambda name, function, symmetry: cm.Statistic(name, function, symmetry=symmetry),
    predicate=lambda name, test, symmetry: cm.Conjecture("claim", name, predicate=test, symmetry=symmetry),
    check=cm.check,
    open=cm.open_law,
    index=lambda name, table: STATISTICS[name](table),
    index_of_labels=lambda name, a, b: getattr(cm, name)(a, b),
    soft_moments=lambda U, V, name: soft.null_moments(U, V, name)[:2],
    soft_adjusted=lambda U, V, name: soft.adjusted(U, V, name, undefined="nan"),
    soft_test=lambda U, V, name: cm.permutation_test(U, V, statistic=name),
    exact_test=lambda table, name, side: cm.exact_test(table, name, alternative=side, exact=True),
    additive=lambda table, f, side: cm.exact_test(table, rows.additive(f), alternative=side, exact=True),
    permutation_test=lambda table, side: cm.permutation_test(table, exact=True, alternative=side),
    p_values=lambda test: (test.p_ari.value, test.p_med.value),
    pair_tail=lambda r, s, pairs: significance.pair_law(r, s).at_least(pairs),
    draws=lambda c, n, rng, method, given: stream(c, n, rng=rng, method=METHODS[method], given=given or None),
    broken=lambda index, n: cm.contract(index, takes="memberships", reference=index, max_n=n).broken,
    build=archive.build,
    verify=lambda folder: archive.verify(folder, recompute=2),
    query=lambda folder, columns: archive.query(folder, f"SELECT {columns} FROM laws ORDER BY ALL"),
)
SUMS = ("m", "A", "B", "P", "weight")
COLUMNS = "n, r, s, weight, med_num, med_den, rd_num, rd_den, ard_num, ard_den, count"
FORMULAS = {"count": formulas.count_formulas, "moments": formulas.moments_formulas}
FORMULAS |= {"med": formulas.med_formulas, "density": med.limit_density}
COUNTS = {"med": med.med_counts, "rd": rand.rand_distance_counts, "med at": med.med_count}
COUNTS |= {"med moment": med.med_moment}
