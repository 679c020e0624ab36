"""Answers about draws, strategies and archives: whether they keep what they promise, and what they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .adapter import ALLOW_EMPTY, COLUMNS, DO, DRAWS, OBJECTS, STRATEGIES
from .plain import Table, all_filled, col_sums, members, row_sums, total
from .plain_answers import Condition
from .reading import ask, class_of, digest_of

LEAST_P = 1e-6
"""A chi-square test with a smaller p-value fails: a right sampler fails once in a million seeds."""


def uniform(name: str, method: str, number: str, condition: str = "") -> Any:
    """Answer the number of members that meet a condition, and whether draws are uniform over them.

    Chi-square over all of them, listed by loops, of a number of draws with a fixed seed.
    """
    from scipy.stats import chi2

    wanted = Condition(condition) if condition else None
    support = [table for table in members(name) if wanted is None or wanted.holds(table)]
    drawn = ask(DO.draws(class_of(name), int(number), 20261128, method, condition), DRAWS, "array")
    seen = Counter(map(bytes, drawn.astype("int8")))
    keys = {bytes(x for row in table for x in row) for table in support}
    expected = int(number) / len(support)
    assert expected >= 5, "too few draws for this class"
    if not set(seen) <= keys:
        return [len(support), "draws what is not a member"]
    statistic = sum((seen.get(key, 0) - expected) ** 2 / expected for key in keys)
    p = chi2.sf(statistic, len(support) - 1) if len(support) > 1 else 1.0
    return [len(support), "uniform" if p > LEAST_P else f"not uniform: p = {p:.1g}"]


def estimate(name: str) -> Any:
    """Answer the number of members, and whether the count estimated by rejection is within six standard errors."""
    draws = DO.draws(class_of(name), 20_000, 20261129, "rejection", "")
    ask(draws, DRAWS, "array")
    value, error = ask(draws, DRAWS, "estimate")
    count = len(members(name))
    return [count, abs(value - count) <= 6 * error + 1e-9]


# --- strategies -----------------------------------------------------------------------------------


def as_table(array: Any) -> Table:
    return tuple(map(tuple, array.tolist()))


def is_table(table: Table, n: int | None = None, shape: tuple[int, int] | None = None) -> bool:
    """Whether cells are non-negative Python integers, of this total and shape."""
    right_cells = all(type(x) is int and x >= 0 for row in table for x in row)
    return right_cells and n in (None, total(table)) and shape in (None, (len(table), len(table[0])))


def is_exact(array: Any) -> bool:
    return is_table(as_table(array)) and array.dtype == object


def is_labeling(labels: Any, n: int, clusters: int) -> bool:
    return len(labels) == n and set(labels) == set(range(clusters))


def is_membership(array: Any, n: int, clusters: int) -> bool:
    rows = array.tolist()
    in_range = all(isinstance(x, Fraction) and 0 <= x <= 1 for row in rows for x in row)
    return array.shape == (n, clusters) and in_range and all(sum(row) == 1 for row in rows)


def is_member_of(name: str, array: Any) -> bool:
    return as_table(array) in set(members(name))


def is_far_from_double(array: Any) -> bool:
    return any(x > 2**53 and int(float(x)) != x for x in array.ravel().tolist())


def nearly_worst(array: Any) -> bool:
    return is_table(as_table(array), 12, (3, 3)) and all_filled(as_table(array))


Promise = Callable[[Any], bool]

PROMISES: dict[str, tuple[Callable[[], Any], Promise]] = {
    "tables": (lambda: STRATEGIES.tables(), lambda x: is_table(as_table(x)) and all_filled(as_table(x))),
    "tables of a size": (
        lambda: STRATEGIES.tables(n=9, shape=(2, 3)),
        lambda x: is_table(as_table(x), 9, (2, 3)) and all_filled(as_table(x)),
    ),
    "tables with empty rows": (
        lambda: STRATEGIES.tables(n=4, shape=(3, 3), **ALLOW_EMPTY),
        lambda x: is_table(as_table(x), 4, (3, 3)),
    ),
    "tables of margins": (
        lambda: STRATEGIES.tables(rows=(4, 3), cols=(2, 2, 3)),
        lambda x: row_sums(as_table(x)) == (4, 3) and col_sums(as_table(x)) == (2, 2, 3) and x.min() >= 0,
    ),
    "tables of Python integers": (lambda: STRATEGIES.tables(**OBJECTS), is_exact),
    "margins": (
        lambda: STRATEGIES.margins(n=7, shape=(2, 3)),
        lambda x: [*map(len, x)] == [2, 3] and [*map(sum, x)] == [7, 7] and min(map(min, x)) >= 1,
    ),
    "partitions": (
        lambda: STRATEGIES.partitions(n=7, parts=3),
        lambda x: len(x) == 3 and sum(x) == 7 and min(x) >= 1 and sorted(x, reverse=True) == [*x],
    ),
    "members": (
        lambda: STRATEGIES.members(class_of("rows 3,2 3")),
        lambda x: is_member_of("rows 3,2 3", x),
    ),
    "labelings": (lambda: STRATEGIES.labelings(n=6, clusters=3), lambda x: is_labeling(x, 6, 3)),
    "pairs of labelings": (
        lambda: STRATEGIES.labeling_pairs(n=6, clusters=(2, 3)),
        lambda x: is_labeling(x[0], 6, 2) and is_labeling(x[1], 6, 3),
    ),
    "memberships": (
        lambda: STRATEGIES.memberships(n=3, clusters=2, exact=True),
        lambda x: is_membership(x, 3, 2),
    ),
    "worst tables": (lambda: STRATEGIES.worst_tables(n=12, shape=(3, 3)), nearly_worst),
}
REACHED: dict[str, tuple[Callable[[], Any], Promise]] = {
    "an empty row": (
        PROMISES["tables with empty rows"][0],
        lambda x: not all_filled(as_table(x)),
    ),
    "a cell that is no double": (PROMISES["tables"][0], is_far_from_double),
    "each table of a small class": (lambda: STRATEGIES.tables(n=4, shape=(2, 2)), lambda x: True),
}


def examples(strategy: Any, number: int = 300) -> list[Any]:
    """Return examples of a Hypothesis strategy."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    found: list[Any] = []

    @seed(20261128)
    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example: Any) -> None:
        found.append(example)

    collect()
    return found


def strategy(name: str) -> Any:
    """Answer whether all examples keep the promise."""
    make, promise = PROMISES[name]
    found = examples(make())
    broken = [example for example in found if not promise(example)]
    return "keeps its promise" if found and not broken else f"breaks its promise in {len(broken)} examples"


def reached(name: str) -> Any:
    """Answer whether some example is of a kind, or how many different tables of a small class there are."""
    make, promise = REACHED[name]
    found = [example for example in examples(make(), 600) if promise(example)]
    if name == "each table of a small class":
        return len({as_table(example) for example in found})
    return bool(found)


def contract_sizes(most: str, limit: str) -> Any:
    """Answer whether a contract calls the index with at most so many objects, and which claims are broken.

    ``limit`` is a number or "default". The index is a constant and its own reference, so that no claim is broken.
    """
    sizes = []

    def index(U: Any, V: Any) -> float:
        sizes.append(len(U))
        return 1.0

    broken = DO.broken(index, None if limit == "default" else int(limit))
    return ["within the limit" if max(sizes) <= int(most) else f"up to {max(sizes)} objects", sorted(broken)]


# --- archive --------------------------------------------------------------------------------------


def archive(shapes: str, sizes: str) -> Any:
    """Answer what an archive holds after it was built and verified, and whether a changed file is found."""
    wanted = [tuple(map(int, shape.split("x"))) for shape in shapes.split()]
    with TemporaryDirectory() as folder:
        path = Path(folder, "archive")
        DO.build(path, wanted, [int(n) for n in sizes.split(",")])
        problems = list(DO.verify(path))
        frame = DO.query(path, COLUMNS)
        held = digest_of(",".join(map(str, row)) for row in sorted(frame.itertuples(index=False, name=None)))
        file = max(path.rglob("*.parquet"), key=lambda x: x.stat().st_size)
        file.write_bytes(file.read_bytes()[:-40] + bytes(40))
        return [len(wanted) * len(sizes.split(",")), len(problems), *held, is_refused(path)]


def is_refused(path: Path) -> bool:
    """Return whether an archive with a changed file has problems, or cannot be read."""
    try:
        return bool(DO.verify(path))
    except Exception:
        return True


KINDS: dict[str, Callable[..., Any]] = {
    "uniform": uniform,
    "estimate": estimate,
    "strategy": strategy,
    "reached": reached,
    "contract sizes": contract_sizes,
    "archive": archive,
}
