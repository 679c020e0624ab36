"""Contracts: what an index claims, tried on everything small, and then at random."""

import math
from collections.abc import Callable
from typing import Any

from confmat._arguments import as_amount, as_choice, as_count, as_count_if_said, as_flag
from confmat._limits import Limits, limited
from confmat.errors import UndefinedIndexError
from confmat.statistics import Statistic
from confmat.testing.claims import Wishes, is_number
from confmat.testing.findings import Contract, Words
from confmat.testing.indexed import as_indexed, as_undefined
from confmat.testing.invariants import claims_of
from confmat.testing.kinds import LABELS, OfLabels, OfTables
from confmat.testing.of_memberships import OfMemberships
from confmat.testing.probing import try_all
from confmat.testing.references import against, as_reference, record_of
from confmat.testing.small import MOST_LISTED, admit_small

__all__ = ["check_metric"]

_MOST = 2**63 - 1

TRIED = 5e-3  # seconds that a claim takes for each example, by measurement


@limited
def check_metric(
    index: Callable[..., Any] | str | Statistic,
    *,
    takes: str = "table",
    reference: Any = None,
    classifier: bool | None = None,
    symmetric: bool | None = None,
    metric: bool = False,
    bounds: tuple[Any, Any] | None = None,
    identity: Any = None,
    refinement: bool = False,
    other_input: Callable[..., Any] | None = None,
    limit: Callable[..., Any] | None = None,
    soft: Callable[..., Any] | None = None,
    undefined: Any = (),
    labels: str = "any",
    n: int = 6,
    every: int = 4,
    max_n: int | None = None,
    examples: int = 100,
    rng: int = 0,
    progress: Callable[[str], None] | None = None,
    limits: Limits | None = None,
) -> Contract:
    """Try all that an index claims: on everything small, in order of size, and then at random; all broken claims.

    ``index`` may be anyone's, or its name, "module:function"; a ``Statistic``, or its short name, brings what is known
    of it (its record, and `confmat.testing.INVARIANTS`), and is undefined where it is nan.  It is called with what it
    ``takes``:

    - "table": a contingency table, an int64 array; with ``classifier`` a confusion matrix, rows true classes;
    - "labels": two lists of labels; ``labels`` says which: "ints", or "any" (default), also texts and negative numbers;
    - "memberships": two float arrays, a row for each object, a column for each cluster.

    Claimed first is "deterministic": the index can be called, gives the same when called again, and leaves its
    arguments as they were; where it does not, nothing else is tried.  Always claimed, too: a finite real number
    everywhere ("value") but where it is ``undefined``, and the same if the array of a table is held by columns, or if
    a table of two clusterings has an empty row or column; the
    "order" of objects and clusters does not matter, nor do the "names" of the labels (of a classifier: both sides
    renamed alike).  ``undefined`` is an exception, a number such as nan, a kind of degenerate cases ("one object", "one
    cluster", "all singletons", "one side singletons", "equal"), where the index then may do as it likes, or several of
    these.  Claims by argument:

    - ``reference``: the values of another index of the same input: a function, or the name of a statistic; undefined
      where that is.  Also tried on corners: 9 to 40
      clusters, every number of objects up to 64, 3 * 10^9 objects, 70000 labels.  Exact
      numbers are compared exactly, doubles of n objects up to 10^-9 and n 2^-48, what they may lose.
    - ``symmetric``: the same value with the two sides exchanged; unless False for two clusterings, if True for
      classifiers.
    - ``metric``: 0 exactly for equal clusterings, and the triangle inequality (sets ``identity=0``).
    - ``bounds=(low, high)``: no value beyond; None for an open side.
    - ``identity``: the value of equal clusterings, or of perfect predictions, and of no others; of memberships, of
      equal ones.
    - ``refinement``: the value moves away from ``identity``, or stays, where one clustering refines the other further.
    - ``other_input``: the same index for the other kind of input: labels, or of an index of labels a table.
    - ``limit``: its value, from a table, for infinitely many replicas of each object; compared with the index of
      10^6 times the table (up to 10^-4).
    - ``soft``: its version for memberships, called with two one-hot matrices.

    Small is: all tables (of labels all pairs of partitions) of up to ``every`` objects, and one of each orbit of up to
    ``n`` (437 up to 6, 1347 up to 7); all triples of partitions and all chains of refinements of up to 5; confusion
    matrices of up to 3 classes.  Then ``examples`` random ones for each claim, of ``max_n`` (10^6 in a table, 300
    labels) at most, with at most 6 clusters.
    A claim that is kept holds for all small cases; a counterexample has the least n.  One that is degenerate is told
    and does not hide others.  A claim for which nothing is defined, but degenerate cases, is broken.  Values may
    differ by 10^-9, values beyond 1 by this share of them.

    Some 2700 calls of an index of tables, 3400 of labels; beyond five seconds ``progress`` is called
    with words (unless said, they appear on a terminal).  Arguments that are wrong, or contradict each other, raise
    TypeError or ValueError before any call; so does an ``n`` beyond 11, and TooLargeError what takes more than
    ``limits``.

    >>> def purity(table):
    ...     return table.max(axis=0).sum() / table.sum()
    >>> found = check_metric(purity, identity=1, bounds=(0, 1), n=4, every=4, examples=30)
    >>> found.kept, list(found.broken)
    (('deterministic', 'value', 'order', 'bounds'), ['symmetry', 'identity'])
    >>> print(found["symmetry"].counterexample)
    [[1, 1]] has 1.0, [[1], [1]] has 0.5 (one cluster)
    >>> found["symmetry"].beyond.example.tolist(), found["identity"].beyond.n
    ([[0, 0, 1], [1, 1, 0]], 3)
    """
    # reads: a parameter for each thing that may be claimed or asked
    claims_asked = {"metric": metric, "identity": identity, "refinement": refinement}
    subject_of = as_indexed(index)
    index, name, record = subject_of
    undefined_values, silenced = as_undefined(undefined)
    if record is not None:
        undefined_values = (*undefined_values, UndefinedIndexError, math.nan)
        bounds = bounds or (None if record.bounds == (None, None) else record.bounds)
        own_claims = claims_of(record.name)
        undefined_values += own_claims.get("undefined", ())
        symmetric = own_claims.get("symmetric") if symmetric is None else symmetric
        if all(value is None or value is False for value in claims_asked.values()):
            metric, identity, refinement = (own_claims.get(key, value) for key, value in claims_asked.items())
    compared_record = record if record is not None else record_of(reference)
    if compared_record is not None:
        classifier = not compared_record.of_clusterings if classifier is None else classifier
        symmetric = "transposition" in compared_record.generators if symmetric is None else symmetric
    classifier = False if classifier is None else as_flag("classifier", classifier)
    crisp = takes in ("table", "labels")
    symmetric = (
        (crisp and not classifier) or takes == "memberships"
        if symmetric is None
        else as_flag("symmetric", symmetric)
    )
    kind = _KINDS[as_choice("takes", takes, _KINDS)]
    for key, function in {"index": index, "other_input": other_input, "limit": limit, "soft": soft}.items():
        if not callable(function) and (function is not None or key == "index"):
            raise TypeError(f"{key} must be a function, got {function!r}")
    for key, flag in {"metric": metric, "refinement": refinement}.items():
        as_flag(key, flag)
    low, high = _as_bounds((None, None) if bounds is None else bounds)
    if identity is not None and not (is_number(identity) and abs(identity) < math.inf):
        raise TypeError(f"identity must be a number, got {identity!r}")
    if metric and identity not in (None, 0):
        raise ValueError(f"metric needs identity=0, got identity={identity!r}")
    identity = 0 if metric else identity
    if refinement and identity is None:
        raise ValueError("refinement needs identity, the value of equal clusterings, got None")
    arguments_given = {
        "metric": metric,
        "refinement": refinement,
        "soft": soft,
        "limit": limit,
        "classifier": classifier,
        "symmetric": symmetric,
        "identity": identity is not None,
        "other_input": other_input,
    }
    for key in [key for key, value in arguments_given.items() if value and key in kind.not_for]:
        fits = " or ".join(f'"{name}"' for name, other in _KINDS.items() if key not in other.not_for)
        raise ValueError(f"{key} needs an index that takes={fits}, got takes={takes!r}")
    if classifier and (refinement or soft is not None):
        raise ValueError("refinement and soft need an index of two clusterings, got classifier=True")
    wishes = _as_wishes(kind.most_objects, n, every, max_n)
    examples = as_amount("examples", examples, 1)
    rng = as_count("rng", rng)
    options: dict[str, Any] = {"classifier": classifier} if crisp else {}
    if as_choice("labels", labels, LABELS) != "any" and takes != "labels":
        raise ValueError(f'labels needs an index that takes="labels", got takes={takes!r}')
    if takes == "labels":
        options["words"] = labels
    subject = kind(index, undefined_values, wishes, silenced, **options)
    claims = [subject.has_value()]
    if reference is not None:
        claims.append(against(subject, as_reference(reference, subject), max_n))
    claims += subject.unchanged()
    if symmetric:
        claims.append(subject.symmetry())
    if bounds is not None:
        claims.append(subject.bounds(low, high))
    if identity is not None:
        claims.append(subject.identity(identity))
    if metric:
        claims.append(subject.triangle())
    if refinement:
        claims.append(subject.refinement(identity))
    if other_input is not None:
        claims.append(subject.other_input(other_input))
    if limit is not None:
        claims.append(subject.limit(limit))
    if soft is not None:
        claims.append(subject.soft(soft, subject.pairs, subject.random_pairs()))
    work_words = f"{len(claims)} claims on {examples} examples"
    examples_drawn = len(claims) * examples * TRIED
    admit_small(work_words, wishes.n, wishes.every, classifier=classifier, seconds=examples_drawn)
    findings = tuple(try_all(subject, claims, examples, rng, Words(name, progress)))
    return Contract(
        name,
        takes,
        wishes.n,
        findings,
        len(subject.memory),
        subject.digest(),
    )


_KINDS: dict[str, Any] = {kind.takes: kind for kind in (OfTables, OfLabels, OfMemberships)}


def _as_wishes(most_objects: int, n: Any, every: Any, max_n: Any) -> Wishes:
    largest_n = as_count_if_said("max_n", max_n, most_objects, 1)
    if largest_n > _MOST:
        raise ValueError(f"max_n must be at most {_MOST}, what int64 tables hold, got {largest_n}")
    return Wishes(as_count("n", n, 1, MOST_LISTED), as_count("every", every), largest_n)


def _as_bounds(bounds: Any) -> tuple[Any, Any]:
    if isinstance(bounds, (tuple, list)):
        sides = list(bounds)
    else:
        sides = []
    numbers = [side for side in sides if side is not None]
    if len(sides) != 2 or not all(is_number(side) and side == side for side in numbers):
        raise TypeError(f"bounds must be a pair (low, high) of numbers or None, got {bounds!r}")
    if len(numbers) == 2 and numbers[0] > numbers[1]:
        raise ValueError(f"bounds must be in order, low and high, got {bounds!r}")
    return sides[0], sides[1]
