"""Class `Conjecture`: a statement, its test, and the classes of matrices for which it is made.

The test is a predicate of one matrix, or a claim about a whole class. Examples of claims are that a statistic has a
given largest value, and that at least one matrix of every class satisfies a condition.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from operator import eq
from typing import Any

import numpy as np

from confmat._arguments import as_count, as_counts, as_few, as_instance
from confmat._engine.run import MOST_POINTS_OF_RUN
from confmat._engine.walks import Chunk
from confmat.classes import MatrixClass, Tables
from confmat.classes.orbits import NAMED, ONLY_SQUARE, Generators, as_symmetry
from confmat.classes.texts import parse, parse_shapes, parse_totals, read
from confmat.conjectures.distribution_shapes import LawClaim, condition_on_numbers, of_numbers
from confmat.conjectures.functions import sources_of
from confmat.conjectures.named import behind, named
from confmat.conjectures.outcomes import IN_FLOATS, Finding, Tested, Violation, explained
from confmat.conjectures.predicates import finding_of, of_predicate, usable
from confmat.statistics.conditions import Condition, as_condition
from confmat.statistics.declarations import check_symmetry
from confmat.statistics.grammar import EXISTS, NUMBERS
from confmat.statistics.record import Statistic
from confmat.statistics.table import is_known

SAYS = f"{EXISTS} "


@dataclass(frozen=True)
class Exists:
    """Claim that some matrix of a class satisfies a condition. A counterexample is a class without such a matrix.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_condition
    >>> [Exists(as_condition("ard > 13/10"))(Tables(n, 2, 2)).violation for n in (4, 5)]
    [None, Violation(detail='no member meets ard > 13/10', witness={})]
    """

    condition: Condition

    @property
    def stated(self) -> dict[str, str]:
        """Return the claim as a formula for certificates."""
        return {"formula": f"{SAYS}{self.condition}", "on": "distributions"}

    @property
    def symmetry(self) -> Generators:
        """Return the generators of the symmetry that leaves the condition unchanged."""
        return self.condition.symmetry

    def _usable(self, matrices: Any) -> str:
        """Return the name of the symmetry of the condition, or "none" if it does not map the class to itself."""
        return usable(name_of_symmetry(self.symmetry), matrices)

    def __call__(self, matrices: Any) -> Finding:
        by_signatures = self.condition.counted
        return self._turned(
            finding_of(
                self.condition.negated,
                matrices,
                self._usable(matrices),
                by_signatures,
            )
        )

    def of_walk(self, matrices: Any, walk: Iterable[Chunk]) -> Finding:
        """Return the finding for a class from the tables that another enumerator lists.

        ``walk`` yields arrays of tables (N x r x s), each with an array of the numbers of tables that they
        represent.
        """
        return self._turned(
            of_predicate(
                self.condition.negated,
                matrices,
                walk,
                self._usable(matrices),
            )
        )

    def _turned(self, none: Finding) -> Finding:
        """Return the finding of the claim from ``none``, the finding of its negation.

        The negation is that no matrix satisfies the condition.
        """
        if none.violation:
            missing = None
        else:
            missing = Violation(f"no member meets {self.condition}")
        return Finding(none.covered, none.digest, missing)


def name_of_symmetry(symmetry: Generators) -> str:
    """Return the name of the largest named symmetry whose generators are among ``symmetry``."""
    return next(name for name, generators in NAMED.items() if generators <= symmetry)


def _tables(n: int, shape: tuple[int, int]) -> Iterable[MatrixClass]:
    return [Tables(n, *shape)]


ABOUT = ("tables", "distributions")
"""Values of ``Conjecture.on``."""


@dataclass(frozen=True)
class Conjecture:
    """Statement that can be checked.

    A condition such as "med<=1/10 -> ari>=0" is a test by itself (see `as_condition`). Other statements need a
    ``predicate``.

    Parameters
    ----------
    name : str
        Name of the conjecture.
    statement : str
        The statement in words, or a condition.
    source : str
        Source, such as a paper. Default: "".
    predicate : callable or condition, optional
        Test of a matrix or of a class, see ``on``. Default: the statement is the test.
    on : {"tables", "distributions"}, optional
        Argument of the predicate. Default: "tables".

        - "tables": a matrix, as an r x s int64 array. The predicate returns a bool or (False, reason).
        - "distributions": a class of matrices. The predicate returns the same or a ``Finding``. Examples are the
          results of `rises`, conditions such as "ard_mean <= 1, med_max <= 1 - 1/s", and "exists ard > 1": some
          matrix of every class satisfies the condition.

        If the statement is a condition on statistics with formulas, ``on`` is changed from "tables" to
        "signatures". The distinct (m, A, B, P) of a class are then tested instead of its matrices.
    symmetry : {"none", "permutations", "simultaneous", "transposition"}
        Changes of a table that leave the predicate unchanged. "permutations" are those of rows and of columns.
        "simultaneous" is the same permutation of both. "transposition" are permutations and, for r = s,
        transposition. The symmetry is checked on small tables. Default: "none", or that of the statistics of a
        condition.
    applies : callable
        Function that returns whether the statement is made for a class. Default: all classes.
    family : callable, optional
        Function of n and a shape that returns classes. Default: ``Tables``.
    status : {"open", "proved", "refuted", "verified"}
        Status of the statement. Default: "open".
    sharpened : str, optional
        Name of a corrected conjecture that is true.

    Examples
    --------
    >>> conjecture = Conjecture("near", "med<=1/10 -> ari>=0")
    >>> conjecture.symmetry, conjecture.on
    ('transposition', 'signatures')
    """

    name: str
    statement: str
    source: str = ""
    predicate: Callable[..., Any] | None = None
    on: str = ""
    symmetry: str = "none"
    applies: Callable[[Any], bool] = lambda matrices: True
    family: Callable[[int, tuple[int, int]], Iterable[MatrixClass]] | None = None
    status: str = "open"
    sharpened: str | None = None
    registered: bool = field(default=False, init=False, repr=False, compare=False)  # by the package itself

    def __post_init__(self) -> None:
        as_instance("name", self.name, str, "a string")
        as_instance("statement", self.statement, str, "a string")
        if self.on not in ("", *ABOUT):
            raise ValueError(f"on must be one of {', '.join(ABOUT)}, got {self.on!r}")
        if self.predicate is not None and not callable(self.predicate):
            raise TypeError(
                f"predicate must be a function of a matrix, got {self.predicate!r}. Give a formula as statement="
            )
        if self.predicate is None:
            self._take_from_statement()
        elif self.on in ("", "tables") and not isinstance(self.predicate, Condition):
            self._check_symmetry(self.predicate)
        if not self.on:
            is_counted = isinstance(self.predicate, Condition) and self.predicate.counted
            object.__setattr__(self, "on", "signatures" if is_counted else "tables")
        if self.family is None:
            object.__setattr__(self, "family", _tables)
        elif not callable(self.family):
            raise TypeError(f"family must be a function of n and a shape, got {self.family!r}")
        if self.symmetry not in NAMED:
            raise ValueError(f"symmetry must be one of {', '.join(NAMED)}, got {self.symmetry!r}")

    def _check_symmetry(self, predicate: Callable[..., Any]) -> None:
        """Check a declared symmetry on small tables, except for predicates of the package."""
        module = str(getattr(predicate, "__module__", ""))
        if self.symmetry not in NAMED or module.startswith("confmat."):
            return

        def holds(table: np.ndarray) -> bool:
            truth, _ = explained(predicate(table))
            return truth

        check_symmetry("the predicate", as_symmetry(self.symmetry), holds, eq)

    def _take_from_statement(self) -> None:
        """Set the predicate, and the fields that depend on it, from the statement."""
        argument = "statement"
        if self.name != self.statement:
            argument = f"statement of {self.name!r}, which has no predicate,"
        claim: Exists | LawClaim | None = None
        if self.statement.startswith(SAYS):
            condition = as_condition(self.statement.removeprefix(SAYS), argument)
            claim = Exists(condition)
        elif named(self.statement, NUMBERS):
            condition = condition_on_numbers(self.statement, argument)
            claim = of_numbers(condition)
        elif self.on == "distributions":
            raise ValueError(
                f"{argument} must compare moments or quantiles of distributions, such as med_mean, or begin with "
                f"'exists', got {self.statement!r}"
            )
        else:
            condition = as_condition(self.statement, argument)
            if self.symmetry == "none":
                object.__setattr__(self, "symmetry", name_of_symmetry(condition.symmetry))
        if claim is not None:
            if self.on not in ("", "distributions"):
                raise ValueError(
                    f"on must be 'distributions' or left out for a statement about distributions, such as "
                    f"{self.statement!r}, got {self.on!r}"
                )
            object.__setattr__(self, "on", "distributions")
        object.__setattr__(self, "predicate", claim or condition)
        if not condition.exact:
            object.__setattr__(self, "statement", self.statement + IN_FLOATS)
        if any(x.generators and x.generators <= ONLY_SQUARE for x in condition.statistics):
            object.__setattr__(self, "applies", _is_square)

    @cached_property
    def identity(self) -> tuple[Any, ...] | None:
        """Return the key of the statement in checkpoints, or None if it has Python functions.

        >>> Conjecture("near", "med<=1/10 -> ari>=0").identity is None
        False
        >>> Conjecture("low", "", predicate=lambda t: t.max() < 3).identity is None
        True
        """
        if not self.about.bound:
            return None
        test = sorted((key, text) for key, text in self.about.test.items() if key != "source")
        return self.about.name, self.about.text, self.on, self.symmetry, test

    @cached_property
    def about(self) -> Tested:
        """Return the statement as in certificates, in a form that fixes its meaning if possible.

        This is the text of a condition on statistics of the package, or the name of a statement of the package. For
        a claim such as ``rises("ard", given="med")`` it is the arguments. For user-defined functions it is their
        source, which does not fix the meaning.
        """
        formula, own_statistics = self._formula
        if formula and not own_statistics:
            return Tested(formula["formula"], formula["formula"], formula)
        if self.registered:
            return Tested(self.name, self.statement, {"registered": self.name, "symmetry": self.symmetry})
        if type(self.predicate) is LawClaim and self.predicate.claim:
            claim = {"claim": self.predicate.claim, "symmetry": self.symmetry}
            return Tested(self.name, self.statement, claim)
        sources = {**formula, "source": sources_of(self.predicate), "symmetry": self.symmetry}
        return Tested(self.name, self.statement, sources)

    @property
    def _formula(self) -> tuple[dict[str, str], list[Statistic]]:
        """Return a dictionary with the formula of the test, and the list of its user-defined statistics.

        Both are empty if the test is a function.
        """
        test: Any = self.predicate
        if type(test) is Condition:
            condition = test
            formula = {"formula": str(test)}
        # Not a class of one's own_statistics that looks alike.
        elif type(test) in (Exists, LawClaim) and test.stated is not None:
            condition = test.condition
            formula = test.stated
        else:
            return {}, []
        own_statistics = [x for x in map(behind, condition.statistics) if not is_known(x)]
        return formula, own_statistics


def _is_square(matrices: Any) -> bool:
    return bool(matrices.shape[0] == matrices.shape[1])


def domain(
    conjecture: Conjecture, shapes: Iterable[tuple[int, int]] | str, sizes: Iterable[int] | None = None
) -> tuple[MatrixClass, ...]:
    """Return the classes of given shapes and sizes for which a conjecture is made, in increasing size.

    Parameters
    ----------
    conjecture : Conjecture
        The conjecture.
    shapes : list of (int, int), or str
        Shapes, or shapes and sizes as one text that `confmat.classes.parse` reads. If the text names another class,
        such as "rows=3,3 cols=2,4", the result is this class.
    sizes : iterable of int, optional
        Numbers of objects.

    Returns
    -------
    tuple of MatrixClass
        Classes without a matrix are left out.

    Raises
    ------
    ValueError
        For more than 10 000 shapes and sizes.

    Examples
    --------
    >>> from confmat.conjectures import LITERATURE
    >>> domain(LITERATURE["med-max"], [(2, 2), (2, 3)], range(1, 4))
    (Tables(n=2, r=2, s=2, allow_empty=False), Tables(n=3, r=2, s=2, allow_empty=False), \
Tables(n=3, r=2, s=3, allow_empty=False))
    >>> len(domain(LITERATURE["med-max"], "2x2,2x3 n=..3"))
    3
    """
    as_instance("conjecture", conjecture, Conjecture, "a Conjecture")
    if isinstance(shapes, str):
        words = read(shapes)
        if not words.of_sizes:
            model = parse(shapes)
            if isinstance(model, list):
                return tuple(model)
            return (model,)
        return domain(
            conjecture,
            parse_shapes(str(words.shapes)),
            parse_totals(str(words.n)),
        )
    in_increasing_size = sorted(set(_shapes(shapes)))
    if not isinstance(sizes, Iterable):
        raise TypeError(f"sizes must be a list of integers, got {sizes!r}")
    given_shapes = as_few("sizes", sizes, len(in_increasing_size))
    classes_found = (
        matrices
        for n in sorted({as_count("sizes", n) for n in given_shapes})
        for shape in in_increasing_size
        for matrices in conjecture.family(n, shape)  # type: ignore[misc]
        if matrices and conjecture.applies(matrices)
    )
    return tuple(dict.fromkeys(classes_found))


def _shapes(shapes: Any) -> Iterator[Any]:
    """Yield the shapes, after checking that each has two sizes."""
    for shape in as_few("shapes", shapes) if isinstance(shapes, Iterable) else [shapes]:
        if not isinstance(shape, Iterable) or len(sizes := as_counts("shapes", shape)) < 2:
            raise TypeError(f"shapes must be a list of pairs (r, s), got {shape!r}")
        yield sizes


def in_order(conjecture: Conjecture, classes: Iterable[MatrixClass] | MatrixClass | str) -> list[MatrixClass]:
    """Return the given classes in increasing size, each once.

    Raise ValueError if there are none, if one is outside the range of the conjecture, or if none has a matrix.

    >>> in_order(Conjecture("near", "med < 1"), [Tables(4, 2, 2), Tables(3, 2, 2), Tables(4, 2, 2)])
    [Tables(n=3, r=2, s=2, allow_empty=False), Tables(n=4, r=2, s=2, allow_empty=False)]
    """
    as_instance("conjecture", conjecture, Conjecture, "a Conjecture")
    if isinstance(classes, str):
        classes = parse(classes)
    is_one = isinstance(classes, MatrixClass) or not isinstance(classes, Iterable)
    given: list[Any] = [classes] if is_one else list(classes)
    for one in given:
        if not isinstance(one, MatrixClass):
            raise TypeError(f"classes must be classes of matrices, such as Tables(4, 2, 2), got {one!r:.60}")
    chosen: list[Any] = sorted(
        set(given),
        key=lambda c: (c.n, c.shape, repr(c)),
    )
    if not chosen:
        raise ValueError(
            f"classes must not be empty: conjecture {conjecture.name!r} has no class to be checked on"
        )
    for matrices in chosen:
        if not conjecture.applies(matrices):
            raise ValueError(
                f"classes must be classes that conjecture {conjecture.name!r} is about (applies() returns True), "
                f"got {matrices}"
            )
    if not any(chosen):
        raise ValueError(
            f"classes must have a class with at least one matrix to check conjecture {conjecture.name!r}, got only "
            "classes without a matrix"
        )
    return chosen


def decided_on_signatures(conjecture: Conjecture, matrices: Any) -> bool:
    """Return whether a statement can be decided from the distinct (m, A, B, P) of a class, without its tables.

    These are n MED, and the numbers of pairs of objects in common rows, columns and cells. The statement must be a
    condition with formulas, and n must not exceed the limit of an enumeration. For larger n every matrix is tested,
    because there may be few.

    >>> near = Conjecture("near", "med<=1/10 -> ari>=0")
    >>> decided_on_signatures(near, Tables(40, 3, 3)), decided_on_signatures(near, Tables(10**6, 3, 3))
    (True, False)
    """
    condition = conjecture.predicate
    if conjecture.on != "signatures" or not isinstance(condition, Condition):
        return False
    return bool(matrices.n <= MOST_POINTS_OF_RUN)
