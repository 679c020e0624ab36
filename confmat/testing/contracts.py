"""Checks of the properties that an index should have, on all small examples and then on random ones."""

import math
from collections.abc import Callable
from typing import Any

from confmat._arguments import as_amount, as_choice, as_count, as_count_if_said, as_flag
from confmat._limits import Limits, limited
from confmat.errors import UndefinedIndexError
from confmat.statistics import Statistic
from confmat.testing.claims import Wishes, is_number
from confmat.testing.findings import Contract
from confmat.testing.indexed import as_indexed, as_undefined
from confmat.testing.invariants import claims_of
from confmat.testing.kinds import LABELS, OfLabels, OfTables
from confmat.testing.of_memberships import OfMemberships
from confmat.testing.probing import try_all
from confmat.testing.references import against, as_reference, record_of
from confmat.testing.small import MOST_LISTED, admit_small

__all__ = ["check_metric"]

_MOST = 2**63 - 1

TRIED = 5e-3  # measured seconds of a property for each example


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
    undefined: Any = (),
    labels: str = "any",
    n: int = 6,
    every: int = 4,
    max_n: int | None = None,
    examples: int = 100,
    rng: int = 0,
    limits: Limits | None = None,
) -> Contract:
    """Check the properties that an index should have, on all small examples in order of size and then on random ones.

    Parameters
    ----------
    index : callable, str or Statistic
        The index: a function, its name "module:function", or a statistic or its short name. A statistic brings the
        properties that `confmat.testing.INVARIANTS` lists for it, and is undefined if it is nan.
    takes : {"table", "labels", "memberships"}
        Input of the index: an int64 array, two lists of labels, or two float arrays with a row for each object and
        a column for each cluster. Default: "table".
    reference : callable or str, optional
        Another index of the same input. Its values must be equal, and undefined for the same examples. Further
        examples have 9 to 40 clusters, each number of objects up to 64, 3 * 10^9 objects and 70000 labels. Exact
        numbers are compared exactly, floats of n objects up to 10^-9 and n 2^-48.
    classifier : bool, optional
        The table is a confusion matrix with true classes in the rows. Default: False, or that of the statistic.
    symmetric : bool, optional
        The value is the same with the two partitions exchanged. Default: True for clusterings, False for
        classifiers.
    metric : bool
        The value is 0 exactly for equal clusterings, and the triangle inequality holds. Sets ``identity=0``.
        Default: False.
    bounds : (low, high), optional
        Least and largest possible value. None means without a bound.
    identity : number, optional
        Value for equal clusterings or perfect predictions, and for no other examples. For memberships other examples
        may have it, too.
    refinement : bool
        Let b be a refinement of a, and c of b. The value of (a, c) is not closer to ``identity`` than that of
        (a, b). Default: False.
    other_input : callable, optional
        The same index for the other input: of labels for an index of tables, of a table for an index of labels.
    undefined : exception, number, str or sequence of these
        Result of the index if it is undefined: an exception, or a number such as nan. It can also be a kind of
        degenerate example for which any result is accepted: "one object", "one cluster", "all singletons",
        "one side singletons", "equal". Default: never undefined.
    labels : {"any", "ints"}
        Labels for ``takes="labels"``: "any" includes texts and negative numbers. Default: "any".
    n : int
        One example of each orbit is enumerated up to this number of objects, at most 11. Default: 6 (437 tables, 1347
        for 7).
    every : int
        All examples are enumerated up to this number of objects. Default: 4.
    max_n : int, optional
        Largest number of objects of random examples, which have up to 6 clusters. Default: 10^6 in a table, 300
        labels.
    examples : int
        Number of random examples of each property. Default: 100.
    rng : int
        Seed. Default: 0.
    limits : Limits, optional
        Time and memory. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    Contract
        A finding for each property, with the smallest counterexample. True if all hold.

    Raises
    ------
    TypeError, ValueError
        For arguments that are not valid or contradict each other, before the first call of the index.
    TooLargeError
        If the calls take more than ``limits``.

    Notes
    -----
    These properties are always checked:

    - "deterministic": the index can be called, returns the same value again, and does not change its arguments. If
      this fails, nothing else is checked.
    - "value": a finite real number, unless it is ``undefined``. It is the same for an array in Fortran order, and
      for a table of two clusterings with an additional empty row or column.
    - "order": objects and clusters in any order have the same value.
    - "names": labels with other names have the same value. For a classifier, true and predicted classes are renamed
      together.

    Triples of partitions and chains of refinements are enumerated up to 5 objects, confusion matrices up to 3
    classes.

    A property in ``kept`` holds for all small examples. A counterexample has the smallest number of objects. A
    degenerate counterexample is reported and does not hide others. A property is broken if only degenerate examples
    have a value. Values may differ by 10^-9, and values above 1 by this fraction of them.

    An index of tables is called about 3800 times, an index of labels about 5500 times.

    Examples
    --------
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
    # reads: a parameter for each property and option
    claims_asked = {"metric": metric, "identity": identity, "refinement": refinement}
    index, name, record = as_indexed(index)
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
    if not callable(index):
        raise TypeError(f"index must be a function, got {index!r}")
    if not (other_input is None or callable(other_input)):
        raise TypeError(f"other_input must be a function, got {other_input!r}")
    for key, flag in {"metric": metric, "refinement": refinement}.items():
        as_flag(key, flag)
    low, high = _as_bounds((None, None) if bounds is None else bounds)
    if identity is not None and not (is_number(identity) and abs(identity) < math.inf):
        raise TypeError(f"identity must be a number, got {identity!r}")
    if metric and identity not in (None, 0):
        raise ValueError(f"identity must be 0 or None for metric=True, got {identity!r}")
    identity = 0 if metric else identity
    if refinement and identity is None:
        raise ValueError("identity must be the value of equal clusterings for refinement=True, got None")
    for key, flag in {"metric": metric, "refinement": refinement, "classifier": classifier}.items():
        if flag and not crisp:
            raise ValueError(f'takes must be "table" or "labels" for {key}, got {takes!r}')
    if classifier and refinement:
        raise ValueError("classifier must be False for refinement=True, got True")
    wishes = _as_wishes(kind.most_objects, n, every, max_n)
    examples = as_amount("examples", examples, 1)
    rng = as_count("rng", rng)
    options: dict[str, Any] = {"classifier": classifier} if crisp else {}
    if as_choice("labels", labels, LABELS) != "any" and takes != "labels":
        raise ValueError(f'takes must be "labels" for labels={labels!r}, got {takes!r}')
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
    work_words = f"{len(claims)} claims on {examples} examples"
    examples_drawn = len(claims) * examples * TRIED
    admit_small(work_words, wishes.n, wishes.every, classifier=classifier, seconds=examples_drawn)
    findings = tuple(try_all(subject, claims, examples, rng))
    return Contract(name, takes, wishes.n, findings)


_KINDS: dict[str, Any] = {kind.takes: kind for kind in (OfTables, OfLabels, OfMemberships)}


def _as_wishes(most_objects: int, n: Any, every: Any, max_n: Any) -> Wishes:
    """Check the arguments ``n``, ``every`` and ``max_n`` of `check_metric`, and return them as `Wishes`.

    ``most_objects`` is the default of ``max_n``.
    """
    largest_n = as_count_if_said("max_n", max_n, most_objects, 1)
    if largest_n > _MOST:
        raise ValueError(f"max_n must be at most {_MOST}, the limit of int64 tables, got {largest_n}")
    return Wishes(as_count("n", n, 1, MOST_LISTED), as_count("every", every), largest_n)


def _as_bounds(bounds: Any) -> tuple[Any, Any]:
    """Check the argument ``bounds``, and return it as a pair (low, high). None means without this bound."""
    if isinstance(bounds, (tuple, list)):
        sides = list(bounds)
    else:
        sides = []
    numbers = [side for side in sides if side is not None]
    if len(sides) != 2 or not all(is_number(side) and side == side for side in numbers):
        raise TypeError(f"bounds must be a pair (low, high) of numbers or None, got {bounds!r}")
    if len(numbers) == 2 and numbers[0] > numbers[1]:
        raise ValueError(f"bounds must be (low, high) with low <= high, got {bounds!r}")
    return sides[0], sides[1]
