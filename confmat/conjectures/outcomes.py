"""Outcomes of a predicate over a class, in a form that does not depend on the order of the enumeration.

An outcome is the truth value of the predicate at a matrix. Outcomes are counted for each (m, {A, B}, P). m = n MED
is the number of objects outside the best matching. A and B are the numbers of pairs of objects in a common row and
in a common column, the smaller one first. P is the number of pairs in a common cell. A second enumerator, which
lists matrices in another order, finds the same counts and the same digest.

Classes for the parts of certificates are also defined here.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, permutations, product
from math import factorial, prod
from typing import Any

import numpy as np

from confmat._arguments import as_count
from confmat._display import Fields
from confmat._engine.walks import CHUNK, Chunk
from confmat._integers.arrays import groups
from confmat.certificates import standalone
from confmat.classes import class_from_json
from confmat.classes.burnside import orbits_count
from confmat.classes.matrix_class import MatrixClass
from confmat.classes.orbits import PERMUTATIONS, Generators, as_symmetry
from confmat.contingency.texts import matrix_text
from confmat.errors import CertificateError, InvalidCertificateError, TooLargeError

# Tables that the second enumerator visits at most: it is plain Python, and takes a microsecond or two for each.
MOST_WALKED = 2 * 10**8


@dataclass(frozen=True)
class Violation:
    """Description of why a claim is false for a class: a sentence, and example tables by name."""

    detail: str
    witness: Mapping[str, Any] = field(default_factory=dict)


def explained(answer: Any, *where: Any) -> tuple[bool, str]:
    """Return the answer of a predicate, a bool or a pair (bool, reason), as such a pair. By default the reason is "".

    Raise TypeError for another answer. Its message names ``where``, the arguments of the predicate.

    >>> explained(True), explained((False, "the cell [0, 1] is too large"))
    ((True, ''), (False, 'the cell [0, 1] is too large'))
    >>> explained("yes", np.array([[2, 0], [0, 1]]))
    Traceback (most recent call last):
    ...
    TypeError: predicate must return True or False, got 'yes' for 2,0;0,1
    """
    if isinstance(answer, tuple) and len(answer) == 2:
        holds, reason = answer
    else:
        holds = answer
        reason = ""
    if not isinstance(holds, bool | np.bool_):
        texts = [matrix_text(x) if isinstance(x, np.ndarray) else str(x) for x in where]
        raise TypeError(f"predicate must return True or False, got {answer!r} for {', '.join(texts)}")
    return bool(holds), str(reason)


@dataclass(frozen=True)
class Finding:
    """Result of a check of a statement for one class.

    ``covered`` is the number of matrices, and ``digest`` the digest of the outcomes or of the distribution.
    ``violation`` is None if the statement is true. ``cases`` is the number of matrices that satisfy the premise of
    an implication. It is None for a statement without a premise.
    """

    covered: int
    digest: str
    violation: Violation | None = None
    cases: int | None = None


class Outcomes:
    """Accumulator of the number of matrices for each (m, {A, B}, P, outcome), in any order of the matrices.

    An outcome is the truth value of the statement at a matrix. For a class with more than ``standalone.FINE``
    matrices, the sums of A + B, AB, P and P^2 for each (m, outcome) are stored instead.

    >>> outcomes = Outcomes(8)
    >>> outcomes.add(np.array([[0, 1, 1, 1], [1, 1, 1, 0]]), np.array([4, 4]), np.array([1, 1]))
    >>> outcomes.counts
    {(0, 1, 1, 1, 1): 4, (1, 1, 1, 0, 1): 4}
    """

    def __init__(self, members: int = 0) -> None:
        self.covered = 0
        self.cases: int | None = None
        self._fine = members <= standalone.FINE
        self._counts: dict[tuple[int, ...], int] = defaultdict(int)
        self._sums: dict[tuple[int, ...], np.ndarray] = defaultdict(lambda: np.zeros(5, np.uint64))

    def add(
        self, sums: np.ndarray, weights: np.ndarray, outcomes: np.ndarray, cases: np.ndarray | None = None
    ) -> None:
        """Add the outcomes of N tables.

        Parameters
        ----------
        sums : array of int, shape (N, 4)
            Columns m = n MED, and A, B, P: pairs of objects in common rows, columns and cells.
        weights : array of int, shape (N,)
            Number of matrices of the class that each table represents.
        outcomes : array of bool, shape (N,)
            Truth value of the statement.
        cases : array of bool, shape (N,), optional
            Truth value of the premise.
        """
        self.covered += int(weights.sum())
        if cases is not None and len(cases):
            self.cases = (self.cases or 0) + int((weights * cases).sum())
        if self._fine:
            self._count(sums, weights, outcomes)
        else:
            self._add_up(sums, weights, outcomes)

    def _count(self, sums: np.ndarray, weights: np.ndarray, outcomes: np.ndarray) -> None:
        """Add the numbers of matrices by (m, min(A, B), max(A, B), P, outcome), where m, A, B and P are as in `add`."""
        A_and_B = np.sort(sums[:, 1:3], axis=1)
        columns = sums[:, 0], A_and_B, sums[:, 3], outcomes
        keys, order, starts = groups(np.column_stack(columns))
        ordered_weights = weights.astype(object)[order]
        counts = np.add.reduceat(ordered_weights, starts)
        for key, weight in zip(map(tuple, keys.tolist()), counts.tolist()):
            self._counts[key] += weight

    def _add_up(self, sums: np.ndarray, weights: np.ndarray, outcomes: np.ndarray) -> None:
        """Add the number of matrices and the sums of A + B, AB, P and P^2 over them by (m, outcome), modulo 2^64."""
        if weights.dtype == object:
            weights = weights % 2**64
        w, (a, b, p) = weights.astype(np.uint64), sums[:, 1:].T.astype(np.uint64)
        wp = w * p
        terms = np.stack(
            [
                w,
                w * (a + b),
                w * a * b,
                wp,
                wp * p,
            ]
        )
        for level in np.unique(sums[:, 0]).tolist():
            for outcome in (0, 1):
                places = (sums[:, 0] == level) & (outcomes == outcome)
                self._sums[level, outcome] += terms[:, places].sum(axis=1)

    @property
    def counts(self) -> dict[tuple[int, ...], int]:
        """Return the number of matrices by (m, min(A, B), max(A, B), P, outcome), sorted.

        m = n MED. A, B and P are the numbers of pairs of objects in common rows, columns and cells.
        """
        return dict(sorted(self._counts.items()))

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the sorted text lines "m A B P outcome count", where m, A, B and P are as in `add`.

        For a class with many matrices, lines are "m outcome sums", with sums modulo 2^64.
        """
        if self._fine:
            lines = [(*key, count) for key, count in self.counts.items()]
        else:
            lines = [(*key, *sums.tolist()) for key, sums in sorted(self._sums.items()) if sums.any()]
        seal = hashlib.sha256()
        for numbers in lines:
            seal.update(f"{' '.join(map(str, numbers))}\n".encode())
        return seal.hexdigest()


def second_walk(matrices: Any, symmetry: str | Generators) -> Iterator[Chunk] | None:
    """Return an iterator over the tables of a class, which the enumerator of ``standalone`` lists.

    Each item is an array of tables (N x r x s) and an array of the numbers of matrices that they represent. The
    enumerator has no code in common with that of the engine. If ``symmetry`` contains all permutations, rows and
    columns with free sums are listed in one order only.

    Return None for an unknown type of class. Raise TooLargeError, before any work, if there are more than
    ``MOST_WALKED`` tables.

    >>> from confmat.classes import Tables
    >>> [(tables.shape, int(copies.sum())) for tables, copies in second_walk(Tables(6, 3, 3), "permutations")]
    [((104, 3, 3), 1038)]
    """
    try:
        other = standalone.Class(matrices.to_json())
    except standalone.Unreadable:
        return None
    exchanged = as_symmetry(symmetry) >= PERMUTATIONS
    free = [k for k, x in ((other.r, other.rows), (other.s, other.cols)) if exchanged and x is None]
    about = matrices.count() // prod(map(factorial, free))
    if about > MOST_WALKED:
        raise TooLargeError(
            f"{matrices!r} is too large to be verified by a second enumeration: about {about:.2g} tables "
            f"(limit {MOST_WALKED:.2g})"
        )
    return _chunks(other.tables() if exchanged else _every_table(other))


def _every_table(other_class: standalone.Class) -> Iterator[tuple[Any, int]]:
    """Yield all matrices of a class, each with the multiplicity 1."""
    row_sums, column_sums = map(_in_every_order, other_class.margins())
    for rows, cols in product(row_sums, column_sums):
        for table in standalone.fillings(rows, cols):
            yield table, 1


def _in_every_order(side: Any) -> list[Any]:
    """Return all possible sums of one margin. Free sums are listed in every order.

    ``side`` is a list of pairs (sums, number of orders), as ``standalone.Class.margins`` returns it for rows or
    columns.

    >>> sorted(_in_every_order([((2, 1), 2)]))
    [(1, 2), (2, 1)]
    """
    sums: list[Any] = []
    for sizes, orders in side:
        sums += set(permutations(sizes)) if orders > 1 else [sizes]
    return sums


def _chunks(tables: Iterator[tuple[Any, int]]) -> Iterator[Chunk]:
    """Yield arrays of tables and of their multiplicities from an iterator of both."""
    while block := list(islice(tables, CHUNK)):
        tables_of_block, weights = zip(*block)
        yield np.array(tables_of_block, np.int64), np.array(weights, object)


IN_FLOATS = " (evaluated in floating point)"
"""Ending of the text of a statement that compares floats."""


@dataclass(frozen=True)
class Tested(Fields):
    """Statement of a certificate, in a form that fixes its meaning if possible.

    ``name`` and ``text`` are its name and its words. ``test`` is one of these dictionaries:

    - {"formula": text} for a condition on statistics of the package. ``name`` and ``text`` are then this text. If
      the
      condition is about classes, the dictionary has the key "on" with the value "distributions".
    - {"registered": name} for a statement of the package.
    - {"claim": arguments} for a statement made by `rises`.
    - {"source": {name of a function: its source text}} for user-defined functions. The texts are displayed, but do
      not
      fix the meaning.

    If the test has a declared symmetry, the dictionary has the key "symmetry", too.
    """

    name: str
    text: str
    test: Mapping[str, Any]

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Return the assumptions of a check: a declared symmetry, and floating-point values.

        >>> Tested("flat", "no cell holds 5", {"source": {}, "symmetry": "permutations"}).assumptions
        ('declared symmetry (permutations)',)
        """
        declared_symmetry = self.test.get("symmetry", "none")
        assumed = () if declared_symmetry == "none" else (f"declared symmetry ({declared_symmetry})",)
        return (*assumed, "floating-point values") if self.text.endswith(IN_FLOATS) else assumed

    @property
    def bound(self) -> bool:
        """Return whether the certificate contains the whole test. It does unless a function is user-defined."""
        return "source" not in self.test

    def _facts(self) -> dict[str, Any]:
        """Return the fields of a certificate that describe the statement.

        >>> Tested.from_json(Tested("med < 1", "med < 1", {"formula": "med < 1"}).to_json()).name
        'med < 1'
        """
        return {"conjecture": self.name, "statement": self.text, "test": self.test}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Tested:
        """Return the statement from the fields of a certificate. Raise CertificateError if they are not valid.

        >>> Tested.from_json({"conjecture": "flat", "statement": "", "test": {"formula": 3}})
        Traceback (most recent call last):
        ...
        confmat.errors.InvalidCertificateError: this is not a certificate: the field 'formula' of its test has ...
        """
        name, text, test = (content[key] for key in ("conjecture", "statement", "test"))
        texts = ("formula", "on", "symmetry", "registered")
        kinds = dict.fromkeys(texts, str) | {"source": dict, "claim": list}
        for key, value in test.items():
            if not isinstance(value, kinds[key]):
                raise InvalidCertificateError(
                    f"this is not a certificate: the field {key!r} of its test has a wrong type, "
                    f"got {value!r:.200}"
                )
        return cls(as_word(name), as_word(text), test)


@dataclass(frozen=True)
class OutcomeEntry(Fields):
    """Class of matrices in a certificate: its number of matrices, and the digest of their outcomes.

    ``cases`` is the number of matrices that satisfy the premise of an implication, None without a premise.
    """

    matrices: MatrixClass
    covered: int
    digest: str
    cases: int | None = None
    seconds: float = field(default=0.0, compare=False)

    def compare_count(self) -> None:
        """Raise CertificateError unless the number of checked matrices equals the number of matrices of the class.

        >>> from confmat.classes import Tables
        >>> OutcomeEntry(Tables(4, 2, 2), 18, "5e1f").compare_count()
        Traceback (most recent call last):
        ...
        confmat.errors.CertificateError: Tables(n=4, r=2, s=2, ...) has 19 members, but the certificate says 18
        """
        count = self.matrices.count()
        if self.covered != count:
            raise CertificateError(
                f"{self.matrices} has {count} members, but the certificate says {self.covered}"
            )

    @property
    def orbits(self) -> int | None:
        """Return the number of orbits of the class, or None if there is no formula for this number.

        Orbits are those of permutations of rows and of columns and, if r = s, of transposition.
        """
        return orbits_count(self.matrices)

    def _facts(self) -> dict[str, Any]:
        """Return the fields of a certificate that describe the class.

        >>> from confmat.classes import Tables
        >>> OutcomeEntry(Tables(4, 2, 2), 19, "5e1f").to_json()["orbits"]
        5
        """
        return {
            "class": self.matrices,
            "members": self.covered,
            **({} if self.cases is None else {"cases": self.cases}),
            "orbits": self.orbits,
            "digest": self.digest,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> OutcomeEntry:
        """Return the entry of a class from fields of a certificate.

        Raise CertificateError if the number of matrices or of orbits differs from the closed form.

        >>> from confmat.classes import Tables
        >>> OutcomeEntry.from_json(OutcomeEntry(Tables(4, 2, 2), 19, "5e1f").to_json() | {"orbits": 6})
        Traceback (most recent call last):
        ...
        confmat.errors.CertificateError: Tables(n=4, r=2, s=2, ...) has 5 orbits, but the certificate says 6
        """
        matrices = class_from_json(content["class"])
        if "cases" in content:
            cases = as_count("cases", content["cases"])
        else:
            cases = None
        entry = cls(
            matrices,
            as_count("members", content["members"]),
            as_word(content["digest"]),
            cases,
        )
        entry.compare_count()
        if content["orbits"] != entry.orbits:
            raise CertificateError(
                f"{matrices} has {entry.orbits} orbits, but the certificate says {content['orbits']!r}"
            )
        return entry


def as_word(text: Any) -> str:
    """Return a string unchanged. Raise TypeError for other objects."""
    if not isinstance(text, str):
        raise TypeError(f"a text in a certificate must be a string, got {text!r}")
    return text
