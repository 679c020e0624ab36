"""The null case of Chacon (2019), Figures 3 and 4: labels drawn uniformly and independently, r = s = k in 2..5.

Exact, where a formula or a short sum gives it:

- RD: two objects disagree with probability q = 2 (k - 1)/k^2, independently for any two pairs of objects, also where
  they share one (given its labels); so RD has mean q and variance q(1 - q)/C(n, 2).
- MED for k = 2: a folded binomial.  For k = 3 the six matchings are three with a constant difference and three with a
  constant sum of both labels modulo 3; difference and sum are independent and uniform, so the largest matching is the
  larger of two independent largest counts of n objects in three classes.
- The chance of the largest MED, where k divides n: all matchings are equal, so cell (i, j) is a_i + b_j.
- ARD for k = 2, by enumeration.

Standard deviations of the MED for k = 4, 5 and all of the ARD for k = 3, 4, 5 are of draws, and recorded.
"""

from collections import Counter
from functools import partial
from math import comb, factorial, prod, sqrt

import numpy as np
import pandas as pd

from confmat.chance.null_laws import null_law
from confmat.classes import random_model
from confmat.classes.compositions import partitions
from confmat.indices import extremes
from confmat.indices.soft.memberships import tracked
from confmat.matrices.arguments import as_amount
from confmat.studies.records import Simulation

CLUSTERS = (2, 3, 4, 5)


def med_law(n: int, k: int) -> dict[int, int]:
    """n MED -> number of the k^(2n) pairs of labelings, for k = 2 or 3.  O(n^2).

    >>> med_law(2, 2), med_law(3, 3)
    ({0: 8, 1: 8}, {0: 153, 1: 540, 2: 36})
    """
    law: Counter[int] = Counter()
    if k == 2:
        for d in range(n + 1):
            law[min(d, n - d)] += 2**n * comb(n, d)
        return dict(sorted(law.items()))
    largest: Counter[int] = Counter()
    for x in range(n + 1):
        for y in range(n - x + 1):
            largest[max(x, y, n - x - y)] += comb(n, x) * comb(n - x, y)
    below = 0
    for matched, ways in sorted(largest.items()):
        law[n - matched] = (below + ways) ** 2 - below**2
        below += ways
    return dict(sorted(law.items()))


def chance_of_largest_med(n: int, k: int) -> float:
    """P(MED = 1 - 1/k) for labels drawn uniformly, to some 1e-12 of it; k must divide n, else ValueError.

    The sum over all tables a_i + b_j, min b = 0, of the multinomial probability, a product of Poisson ones over that
    of the total.  Partitions of up to n/k into k - 1 parts: seconds for n = 400, k = 5.

    >>> from math import isclose
    >>> isclose(chance_of_largest_med(100, 2), comb(100, 50) / 2**100), round(chance_of_largest_med(4, 4), 12)
    (True, 0.0029296875)
    """
    from scipy.stats import poisson

    share, rest = divmod(n, k)
    if rest:
        raise ValueError(f"k must divide n, got n = {n}, k = {k}")
    cells = poisson.pmf(np.arange(share + 1), n / k**2)
    total = 0.0
    for moved in range(share + 1):
        left = share - moved
        for parts in partitions(moved, k - 1, minimum=0):
            b = (*parts, 0)
            power = row = np.prod([cells[x : x + left + 1] for x in b], axis=0)
            for _ in range(k - 1):
                power = np.convolve(power, row)[: left + 1]
            orders = factorial(k) // prod(map(factorial, Counter(b).values()))
            total += orders * power[left]
    return float(total / poisson.pmf(n, n))


def draws(n: int, replications: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """Mean and standard deviation of MED and ARD for each k, of draws (for k = 2 exact), and P(largest MED).

    >>> draws(12, 100, 1).loc[:2, ["clusters", "quantity", "method"]].to_numpy().tolist()
    [[2, 'med', 'exact'], [2, 'ard', 'exact'], [2, 'P(largest MED)', 'exact']]
    """
    as_amount("replications", replications, minimum=100)  # with fewer, standard deviations say nothing
    rows: list[tuple[int, str, float, float, str]] = []
    for k in tracked(CLUSTERS, "numbers of clusters", progress):
        model = random_model("labels", n, k, k)
        law = null_law(model, "med", "ard", exact=k == 2, draws=replications, rng=seed)
        how = "exact" if law.exact else "sampled"
        rows += [(k, name, float(law[name].mean), law[name].sd, how) for name in ("med", "ard")]
        if n % k == 0:
            rows.append((k, "P(largest MED)", chance_of_largest_med(n, k), np.nan, "exact"))
    return pd.DataFrame(rows, columns=["clusters", "quantity", "ours", "sd", "method"])


NULL_CASES = {
    n: Simulation("chacon2019", figure, partial(draws, n), 100_000, 2019)
    for n, figure in ((100, "figure-3"), (400, "figure-4"))
}


def null_case(n: int, drawn: pd.DataFrame) -> pd.DataFrame:
    """Means and standard deviations of the five distances, from what is drawn and what is exact.

    ``method`` says which.  NMED and NRD are MED and RD over their largest values.

    >>> null_case(100, NULL_CASES[100].rows()).loc[("r = s = 3", ["mean MED", "mean ARD"]), "method"].to_list()
    ['exact', 'sampled']
    """
    found = drawn.set_index(["clusters", "quantity"]).T.to_dict("list")
    rows: dict[tuple[str, str], tuple[float, float, str]] = {}
    ratios: dict[str, list[float]] = {"ARD": [], "RD": []}
    for k in CLUSTERS:
        largest = extremes.max_med(n, k, k, empty=True)
        disagree = 2 * (k - 1) / k**2
        here = {"RD": (disagree, sqrt(disagree * (1 - disagree) / comb(n, 2)), "exact")}
        here |= {name.upper(): tuple(found[k, name]) for name in ("med", "ard")}
        top = found.get((k, "P(largest MED)"), [np.nan])[0]
        if k < 4:
            law, ways = med_law(n, k), k ** (2 * n)
            mean, square = (sum(m**p * w for m, w in law.items()) / ways for p in (1, 2))
            here["MED"] = (mean / n, sqrt(square - mean**2) / n, "exact")
            top = law[int(largest * n)] / ways
        for name, unit in (("MED", largest), ("RD", extremes.max_rand_distance(n, k, k, empty=True))):
            x, sd, method = here[name]
            here[f"N{name}"] = (x / float(unit), sd / float(unit), method)
        rows |= {(f"r = s = {k}", f"mean {name}"): values for name, values in here.items()}
        rows[f"r = s = {k}", "largest MED"] = (float(largest), np.nan, "exact")
        rows[f"r = s = {k}", "P(largest MED)"] = (top, np.nan, "exact")
        for name, several in ratios.items():
            several.append(here["MED"][1] / here[name][1])
    for name, several in ratios.items():
        rows["all", f"least sd MED / sd {name}"] = (min(several), np.nan, "")
        rows["all", f"most sd MED / sd {name}"] = (max(several), np.nan, "")
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["ours", "sd", "method"])
    return frame.set_index(pd.MultiIndex.from_tuples(rows, names=["clusters", "quantity"]))
