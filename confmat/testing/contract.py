"""A contract for indices that compare two clusterings: `check_index` runs what an index claims.

Each claim is a property of generated tables or labelings; the error shows the smallest example that Hypothesis
finds against it.
"""

import math
from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import Phase, find, settings
from hypothesis.errors import NoSuchExample

from confmat.errors import ContractError, UndefinedIndexError
from confmat.matrices.arguments import as_count, as_flag
from confmat.statistics import Statistic, as_statistic
from confmat.testing.claims import Claim, OfLabels, OfTables, is_number, shown

__all__ = ["ContractError", "check_index"]

_MOST = 2**63 - 1


def check_index(
    index: Callable[..., Any] | str | Statistic,
    *,
    takes: str = "table",
    symmetric: bool | None = None,
    metric: bool = False,
    bounds: tuple[Any, Any] | None = None,
    identity: Any = None,
    refinement: bool = False,
    other_input: Callable[..., Any] | None = None,
    limit: Callable[..., Any] | None = None,
    soft: Callable[..., Any] | None = None,
    undefined: tuple[type[Exception], ...] = (),
    tolerance: float = 1e-9,
    largest: int = 10**6,
    max_examples: int = 100,
    seed: int = 0,
) -> tuple[str, ...]:
    """Check the claims of an index of two clusterings; return their names, raise ContractError at the first broken.

    ``index`` is called with a contingency table (an int64 array), or with two lists of labels if ``takes`` is
    "labels".  It may be anyone's; a ``Statistic``, or its short name, brings its own ``symmetric`` and ``bounds``, and
    is undefined where it is nan.  Always checked: the order of rows and columns does not matter (of labels: the
    order of the objects, and the names), and the input is left as it was.  Claims by argument:

    - ``symmetric``: the same value with the two clusterings exchanged; checked unless False.
    - ``metric``: 0 exactly for equal clusterings, and the triangle inequality (sets ``identity=0``).
    - ``bounds=(low, high)``: no value beyond; None for an open side.
    - ``identity``: the value of equal clusterings, and of no others.
    - ``refinement``: the value moves away from ``identity``, or stays, where one refines the other further.
    - ``other_input``: the same index for the other kind of input (labels or a table).
    - ``limit``: its value, from a table, for infinitely many replicas of each object; compared with the index of
      10^6 times the table (up to 10^-4).
    - ``soft``: its version for memberships, called with two one-hot matrices.

    An exception in ``undefined`` means that the index has no value there: such examples pass.  Any other one is
    a fault, and so is a NaN where a claim needs a number, and whatever is no real number.  Values may differ by
    ``tolerance``, values beyond 1 by this share of them.  Tables are small, and then large, with totals up to
    ``largest``: lower it for an index that writes out the objects, and raise it, up to 2^63 - 1, to check that
    nothing wraps around in 64 bits either.  Labelings have 24 objects at most.  Each claim takes about
    ``max_examples`` calls, with large tables twice as many, the same ones for the same ``seed``.  Arguments that
    are wrong, or contradict each other, raise TypeError or ValueError before any call.

    >>> from sklearn.metrics import adjusted_rand_score
    >>> check_index(adjusted_rand_score, takes="labels", bounds=(-0.5, 1), identity=1, refinement=True)
    ('order', 'names', 'symmetry', 'bounds', 'identity', 'refinement')
    >>> from confmat.indices.partition import adjusted_rand_distance, med
    >>> check_index(med, metric=True, bounds=(0, 1), refinement=True, limit=med)
    ('order', 'symmetry', 'bounds', 'identity', 'triangle inequality', 'refinement', 'limit')
    >>> check_index("wallace_ab"), check_index("ari", identity=1)
    (('order', 'bounds'), ('order', 'symmetry', 'bounds', 'identity'))
    >>> check_index(lambda table: table.trace() / table.sum())  # the accuracy
    Traceback (most recent call last):
    ...
    confmat.errors.ContractError: order fails: [[1, 0], [0, 1]] has 1.0, [[0, 1], [1, 0]] has 0.0
    """
    if isinstance(index, (str, Statistic)):
        statistic = as_statistic(index)
        index, undefined = _defined(statistic), (UndefinedIndexError, *_checked_errors(undefined))
        symmetric = "transposition" in statistic.generators if symmetric is None else symmetric
        bounds = bounds or (None if statistic.bounds == (None, None) else statistic.bounds)
    symmetric = True if symmetric is None else symmetric
    functions = {"index": index, "other_input": other_input, "limit": limit, "soft": soft}
    for name, function in functions.items():
        if not callable(function) and (function is not None or name == "index"):
            raise TypeError(f"{name} must be a function, got {function!r}")
    if takes not in ("table", "labels"):
        raise ValueError(f'takes must be "table" or "labels", got {takes!r}')
    for name, flag in {"symmetric": symmetric, "metric": metric, "refinement": refinement}.items():
        as_flag(name, flag)
    low, high = (None, None) if bounds is None else _checked_bounds(bounds)
    if identity is not None and not (is_number(identity) and abs(identity) < math.inf):
        raise TypeError(f"identity must be a number, got {identity!r}")
    if metric and identity not in (None, 0):
        raise ValueError(f"metric needs identity=0, got identity={identity!r}")
    if refinement and identity is None and not metric:
        raise ValueError("refinement needs identity, the value of equal clusterings, got None")
    if limit is not None and takes == "labels":
        raise ValueError('limit needs an index that takes="table", got takes="labels"')
    if not (is_number(tolerance) and 0 <= tolerance < math.inf):
        raise ValueError(f"tolerance must be a number, at least 0, got {tolerance!r}")
    identity = 0 if metric else identity
    errors, largest = _checked_errors(undefined), as_count("largest", largest, 1)
    if largest > _MOST:
        raise ValueError(f"largest must be at most {_MOST}, what int64 tables hold, got {largest}")
    max_examples, seed = as_count("max_examples", max_examples, 1), as_count("seed", seed)
    subject = (OfTables if takes == "table" else OfLabels)(index, errors, tolerance, largest)
    claims = [
        *subject.order(),
        *([subject.symmetry()] if symmetric else []),
        *([subject.bounds(low, high)] if bounds is not None else []),
        *([subject.identity(identity)] if identity is not None else []),
        *([subject.triangle()] if metric else []),
        *([subject.refinement(identity)] if refinement else []),
        *([subject.other_input(other_input)] if other_input is not None else []),
        *([subject.limit(limit)] if limit is not None else []),
        *([subject.soft(soft)] if soft is not None else []),
    ]
    for claim in claims:
        _check(claim, max_examples, seed)
    return tuple(claim.name for claim in claims)


def _defined(statistic: Statistic) -> Callable[[Any], Any]:
    """A statistic that raises where it is undefined, as indices do."""

    def index(table: Any) -> Any:
        value = statistic(table)
        if value != value:
            raise UndefinedIndexError(f"{statistic.name} is 0/0 here")
        return value

    return index


def _checked_bounds(bounds: Any) -> tuple[Any, Any]:
    sides = list(bounds) if isinstance(bounds, (tuple, list)) else []
    numbers = [side for side in sides if side is not None]
    if len(sides) != 2 or not all(is_number(side) and side == side for side in numbers):
        raise TypeError(f"bounds must be a pair (low, high) of numbers or None, got {bounds!r}")
    if len(numbers) == 2 and numbers[0] > numbers[1]:
        raise ValueError(f"bounds must be in order, low and high, got {bounds!r}")
    return sides[0], sides[1]


def _checked_errors(undefined: Any) -> tuple[type[Exception], ...]:
    errors = undefined if isinstance(undefined, (tuple, list)) else (undefined,)
    for error in errors:
        if not (isinstance(error, type) and issubclass(error, Exception)):
            raise TypeError(f"undefined must be exceptions such as (ZeroDivisionError,), got {undefined!r}")
    return tuple(errors)


def _check(claim: Claim, max_examples: int, seed: int) -> None:
    phases = (Phase.generate, Phase.shrink)
    options = settings(max_examples=max_examples, database=None, deadline=None, phases=phases)
    for examples in claim.examples:
        try:
            example = find(
                examples, lambda x: claim.fault(x) is not None, settings=options, random=Random(seed)
            )
        except NoSuchExample:
            continue
        raise ContractError(claim.name, example, claim.fault(example) or f"at times, for {shown(example)}")
