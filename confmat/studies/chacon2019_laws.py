"""The laws behind the figures of Chacon (2019), each computed once for its numbers and its picture."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from itertools import permutations, product
from math import factorial, prod

from confmat.chance.null_laws import null_law
from confmat.classes import Tables, random_model
from confmat.laws.family import Family
from confmat.laws.law import Law
from confmat.laws.over_class import joint
from confmat.matrices.arguments import as_amount
from confmat.plans.methods import Resources

N = 20
SEED = 2019
REPLICATIONS = 20_000
LARGEST_EXACT = 120
LARGE = Tables(50, 4, 4)


@cache
def class_law() -> Law:
    """MED, RD and ARD over the 2 806 281 matrices of (20, 3, 3).

    >>> class_law().total
    2806281
    """
    return joint(Tables(N, 3, 3), "med", "rd", "ard")


@cache
def given_med() -> Family:
    """RD and ARD given the MED, over (20, 3, 3).

    >>> [(str(row.value), row.weight) for row in given_med().rows[:2]]
    [('0', 1026), ('1/20', 5508)]
    """
    return class_law().given_each("med")


@lru_cache(maxsize=4)
def null_laws(n: int, replications: int, seed: int) -> tuple[Law, ...]:
    """The five distances of labels drawn at random, r = s in 2..5; exact where that takes seconds, up to n = 120.

    Beyond, the exact law of 2 x 2 tables has millions of values: seconds and a gigabyte at n = 400.

    >>> [law.exact for law in null_laws(100, 100, 1)]
    [True, False, False, False]
    """
    from confmat.chance.null_laws import DISTANCES

    as_amount("replications", replications, minimum=100)  # with fewer, standard deviations say nothing
    exact = None if n <= LARGEST_EXACT else False
    return tuple(
        null_law(random_model("labels", n, k, k), *DISTANCES, exact=exact, draws=replications, rng=seed)
        for k in (2, 3, 4, 5)
    )


@cache
def overlap_law(sizes: tuple[int, ...]) -> dict[int, dict[int, int]]:
    """Objects off the diagonal -> n MED -> number of ways, all ways to move objects of these clusters.

    Moving t objects: any t of them, each to any other cluster.  Visits prod C(size + k - 1, k - 1) tables.

    >>> overlap_law((2, 1))
    {0: {0: 1}, 1: {1: 3}, 2: {1: 3}, 3: {0: 1}}
    """
    k = len(sizes)
    rows = [
        [
            (row, row[i], factorial(size) // prod(map(factorial, row)))
            for row in product(range(size + 1), repeat=k)
            if sum(row) == size
        ]
        for i, size in enumerate(sizes)
    ]
    matchings = list(permutations(range(k)))
    laws: dict[int, dict[int, int]] = {}
    for chosen in product(*rows):
        matched = max(sum(row[j] for (row, _, _), j in zip(chosen, matching)) for matching in matchings)
        law = laws.setdefault(sum(sizes) - sum(stay for _, stay, _ in chosen), {})
        med = sum(sizes) - matched
        law[med] = law.get(med, 0) + prod(ways for _, _, ways in chosen)
    return dict(sorted(laws.items()))


@dataclass(frozen=True)
class LargeLaw:
    """The law of the MED over all tables of a size, and the means of RD and ARD at m/n, m = 0, 1, ...

    >>> law = enumerated(Tables(6, 2, 2))
    >>> law.total, law.counts, str(law.mean_rd[1])
    (60, (10, 16, 22, 12), '1/3')
    """

    total: int
    counts: tuple[int, ...]
    mean_rd: tuple[Fraction, ...]
    mean_ard: tuple[float, ...]
    digest: str


def large_class(recompute: bool = False, progress: bool = False) -> LargeLaw:
    """All 2 * 10^14 matrices of (50, 4, 4): the recorded result, or the enumeration anew (minutes).

    >>> large_class() == recorded()
    True
    """
    return enumerated(LARGE, progress) if recompute else recorded()


def recorded() -> LargeLaw:
    """The recorded enumeration, shipped with the package.

    >>> law = recorded()
    >>> law.total, law.counts[:2]
    (204063621701016, (442176, 4981248))
    """
    record = json.loads((files("confmat.studies") / "data" / "tables_50_4_4.json").read_text())
    return LargeLaw(
        record["total"],
        tuple(record["med_counts"]),
        tuple(map(Fraction, record["conditional_mean_rd"])),
        tuple(record["conditional_mean_ard"]),
        record["digest"],
    )


@cache
def enumerated(matrices: Tables, progress: bool = False) -> LargeLaw:
    """The law of every matrix of a class, enumerated.

    >>> enumerated(Tables(6, 2, 2)).counts
    (10, 16, 22, 12)
    """
    with _resources(progress) as resources:
        law = joint(matrices, "med", "rd", "ard", resources=resources)
        rows = law.given_each("med").rows
    return LargeLaw(
        law.total,
        tuple(row.weight for row in rows),
        tuple(Fraction(row.law["rd"].mean) for row in rows),
        tuple(float(row.law["ard"].mean) for row in rows),
        law.digest_of_sums,
    )


@contextmanager
def _resources(progress: bool) -> Iterator[Resources]:
    """Resources with a bar on the standard error stream, if asked for."""
    if not progress:
        yield Resources()
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("matrices", total=1.0)
        yield Resources(progress=lambda at: bars.update(task, description=at.stage, completed=at.fraction))
