"""Content of a distribution: its class, statistics, conditions and weights, its files and its digest."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from confmat._display import Part, Shown, Verbatim
from confmat._engine.fold import Sums
from confmat._engine.witnesses import Value
from confmat._limits import Limits, Plan, answered, choose
from confmat.certificates.seals import check_known, write_certificate
from confmat.distributions.arrays import signatures_of, witnesses_of
from confmat.distributions.files import ExactColumns, columns_of_law
from confmat.distributions.lines import Line, Number
from confmat.distributions.sources import Source, independent_count, save
from confmat.distributions.sums import digest_of_sums
from confmat.distributions.supports import (
    MOST_WRITTEN,
    PointsOfSupport,
    check_size,
    distances_of_sums,
    exact_columns,
    points_at,
)
from confmat.distributions.ways import ONE_PASS, LawQuestion
from confmat.errors import TooLargeError
from confmat.statistics.conditions import Condition
from confmat.statistics.record import Statistic
from confmat.statistics.table import assumptions_of, is_known, package_names

_EACH = {"tables": "matrix", "labelings": "pair of labelings"}

# Largest number of sufficient statistics whose values are listed as Python objects, or hashed one by one.
MOST_POINTS_LISTED = 3 * 10**7


def _told(statistic: Statistic) -> str | dict[str, str]:
    """Return the name of a statistic for the digest, or ``{"own": name}`` if it is user-defined."""
    if is_known(statistic):
        return statistic.name
    return {"own": statistic.name}


@dataclass(frozen=True, repr=False)
class Held(Shown):
    """Base of joint distributions: statistics and weights over a class.

    Values are listed, or they follow from sufficient statistics in memory or from repeated enumerations.
    ``matrices`` is the class. ``_source`` has the sufficient statistics, and is None for a distribution of given
    values.
    """

    matrices: Any
    _statistics: tuple[Statistic, ...]
    weight: str
    _source: Any = field(default=None, compare=False, repr=False)
    conditions: tuple[Condition, ...] = ()
    _given_points: PointsOfSupport | None = field(default=None, compare=False, repr=False)
    _known: Mapping[str, Line] | None = field(default=None, compare=False, repr=False)
    sample_size: int | None = None
    _fixed: tuple[Value, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Short names of the statistics."""
        return tuple(map(attrgetter("name"), self._statistics))

    def _beyond(self, condition: Condition) -> list[Statistic]:
        """Return the statistics of a condition that are not part of the distribution."""
        return [x for x in condition.statistics if x not in self._statistics]

    @property
    def _exact(self) -> bool:
        """True if the distribution is exact: neither from draws nor with values that are known as floats only."""
        return self.sample_size is None and not any(x.is_rounded for x in self._statistics)

    @property
    def _limits(self) -> Limits:
        """Limits that apply if the class is enumerated again."""
        return self._source.of.limits

    @cached_property
    def _lists(self) -> bool:
        """True if values are listed, False if they follow from sufficient statistics."""
        if self._given_points is not None:
            return True
        foreign = any(map(self._beyond, self.conditions))
        if foreign or self._source.part is not None or self._source.of.stored is not None:
            return False
        # Sums over a class have the complete distribution of m and F.
        return self._plan.method != ONE_PASS or (
            self._plan.question.of_distances and not self._source.is_held(surely=True)
        )

    @cached_property
    def _plan(self) -> Plan:
        """Plan of the method that computes the distribution of these statistics alone.

        It may be another method than the enumeration of all sufficient statistics, for example a recursion.
        """
        whole = self._source.of
        return choose(LawQuestion(whole.matrices, self._statistics, self.weight, whole.limits))

    @property
    def _whole(self) -> bool:
        """True for a distribution over the whole class, without conditions."""
        return (
            not self.conditions
            and self._given_points is None
            and self._known is None
            and self._source.part is None
        )

    @property
    def _held(self) -> bool:
        """True if the content is in memory, or certainly fits in memory when it is computed."""
        return self._known is None and (self._lists or self._source.is_held(surely=True))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Assumptions of the values: declared symmetries of user-defined statistics.

        >>> import numpy as np
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> from confmat.statistics import Statistic
        >>> largest = Statistic("largest", np.max, symmetry="transposition")
        >>> joint_distribution(Tables(60, 2, 2), "med", largest).assumptions
        ('declared symmetry of largest',)
        """
        conditioned = [x for c in self.conditions for x in c.statistics]
        return assumptions_of([*self._statistics, *conditioned])

    @cached_property
    def _listed(self) -> PointsOfSupport:
        """Values of the statistics that satisfy the conditions, with their weights.

        The distribution must list its values.
        """
        if self._given_points is not None:
            points = self._given_points
        else:
            points = self._values()
        for condition in self.conditions:
            if self._beyond(condition):  # it was applied before its statistic was dropped
                continue
            points = [(x, w) for x, w in points if condition.holds(dict(zip(self.names, x)))]
        return points

    def _values(self) -> PointsOfSupport:
        """Return the tuples of values over the whole class, with their weights.

        They come from the method of ``_plan``, or from an enumeration of the class.
        """
        if self._plan.method != ONE_PASS:
            plan, run_result = answered(self._plan.question)
            if plan.method != ONE_PASS:
                points: PointsOfSupport = run_result
                return points
        else:
            run_result = self._source.of.found
        if isinstance(run_result, Sums):
            blocks = [distances_of_sums(run_result)]
        else:
            blocks = run_result.blocks()
        return points_at(self.matrices, self._statistics, blocks)

    @cached_property
    def _support(self) -> PointsOfSupport:
        """Values of the statistics in increasing order, with their weights, in memory.

        (20,3,3) has 20 thousand points of (MED, RD, ARD), (50,3,3) has 7.6 million. Raise TooLargeError if there
        are too many points. If an upper bound of their number exceeds four times the limit, the error is raised
        before any work.
        """
        if self._known is not None:
            raise TooLargeError(self._refusal("support"))
        if self._lists:
            return self._listed
        if self._whole and not self._plan.question.of_distances:
            check_size(self.matrices, 4 * MOST_POINTS_LISTED)
        are_many = self._source.size > MOST_POINTS_LISTED and not self._plan.question.of_distances
        if not self._source.is_held() or are_many:
            raise TooLargeError(self._refusal("support"))
        return points_at(self.matrices, self._statistics, self._turned(self._statistics).blocks())

    def __iter__(self) -> Iterator[tuple[tuple[Number, ...], int]]:
        """Yield the tuples of values in increasing order, with their weights."""
        return iter(self._support)

    def _refusal(self, question: str) -> str:
        """Return the message for a result that needs a distribution in memory. ``question`` names the result."""
        return (
            f"the distribution over {self._over()} is too large for its {question}. "
            'Use d[name], d.given(condition), d.probability("ard>1", ...) or d.groupby("med").'
        )

    @cached_property
    def total(self) -> int:
        """Weight of all matrices: their number, or the number of pairs of labelings."""
        if self._known is not None:
            return next(iter(self._known.values())).total
        if self._whole:
            return independent_count(self.matrices, self.weight)
        if self._lists:
            return sum(weight for _, weight in self._listed)
        return self._source.weight

    def _turned(self, statistics: Iterable[Statistic]) -> Source:
        """Return the source of the sufficient statistics from which ``statistics`` can be computed.

        If one of them, or a condition, changes under transposition, the source counts A in the rows of the class.
        Otherwise it is the unchanged source, in which A and B may be interchanged.
        """
        oriented = False
        for statistic in statistics:
            oriented |= "transposition" not in statistic.generators
        for condition in self.conditions:
            oriented |= "transposition" not in condition.symmetry
        source: Source = self._source
        return replace(source, oriented=True) if oriented else source

    # --- as frames, files, digests --------------------------------------------------------------------

    def to_frame(self, *, exact: bool = False) -> Any:
        """Return the support as a DataFrame.

        Parameters
        ----------
        exact : bool, default: False
            Return exact values if True, floats if False.

        Returns
        -------
        pandas.DataFrame
            A column for each statistic, and ``count``.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(4, 2, 2), "med", "rd").to_frame()
            med        rd  count
        0  0.00  0.000000      6
        1  0.25  0.500000      8
        2  0.50  0.666667      5
        """
        import pandas as pd

        number = (lambda x: x) if exact else float
        rows = [(*map(number, values), weight) for values, weight in self._support]
        columns = [*self.names, "count"]
        return pd.DataFrame(rows, columns=columns, dtype=object if exact else None)

    def sufficient_statistics(self) -> dict[str, np.ndarray]:
        """Return the distinct sufficient statistics (m, A, B, P) with their weights.

        m is n MED, and A, B and P are the pairs of objects within rows, columns and cells.

        Returns
        -------
        dict of str to array of int
            Arrays "m", "A", "B", "P" and "weight", in increasing order. Weights are int64, or Python ints if these
            are too small. The weights add up to ``total``.

        Raises
        ------
        ValueError
            For a distribution of draws, or given a statistic without a formula.
        TooLargeError
            If there are too many.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> arrays = joint_distribution(Tables(3, 2, 2), "rd").sufficient_statistics()
        >>> {name: column.tolist() for name, column in arrays.items()}
        {'m': [0, 1], 'A': [1, 1], 'B': [1, 1], 'P': [1, 0], 'weight': [4, 4]}
        """
        cells, weights = signatures_of(self)
        return dict(
            zip(
                ("m", "A", "B", "P", "weight"),
                (*cells.T, weights),
            )
        )

    def example_tables(self) -> np.ndarray:
        """Return an example table for each of ``sufficient_statistics``, in their order.

        Returns
        -------
        array of int, shape (k, r, s)

        Raises
        ------
        TooLargeError
            Before any work, if enumerating the class again takes too long.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(3, 2, 2), "rd").example_tables().tolist()
        [[[2, 0], [0, 1]], [[1, 1], [1, 0]]]
        """
        return witnesses_of(self)

    def _arrays(self) -> ExactColumns:
        """Return the support as arrays. Raise TooLargeError if it has too many points."""
        if self._lists or self._known is not None:
            return columns_of_law(self.names, self._support)
        if not self._plan.question.of_distances:
            check_size(self.matrices, MOST_WRITTEN)
        return exact_columns(self.matrices, self._statistics, self._turned(self._statistics).blocks())

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write one row for each tuple of values: floats, exact values, and the count.

        Parameters
        ----------
        path : str or path-like
            File. It is replaced if it exists. An interrupted call does not leave a partial file.

        Raises
        ------
        TooLargeError
            If there would be too many rows. It is raised before any work.

        Notes
        -----
        A statistic ``x`` has the columns ``x`` (float), ``x_num`` and ``x_den`` (integers, texts beyond 64 bits), or
        ``x`` and ``x_text`` if its values are irrational.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> with TemporaryDirectory() as folder:
        ...     joint_distribution(Tables(4, 2, 2), "rd").to_csv(f"{folder}/d.csv")
        ...     Path(folder, "d.csv").read_text().split()
        ['rd,rd_num,rd_den,count', '0.0,0,1,6', '0.5,1,2,8', '0.6666666666666666,2,3,5']
        """
        self._arrays().write(path, "csv")

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the columns of ``to_csv`` as a Parquet file.

        Parameters
        ----------
        path : str or path-like

        Raises
        ------
        TooLargeError
            As from ``to_csv``.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> import duckdb
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> with TemporaryDirectory() as folder:
        ...     joint_distribution(Tables(4, 2, 2), "fm").to_parquet(f"{folder}/d.parquet")
        ...     duckdb.read_parquet(f"{folder}/d.parquet").columns
        ['fm', 'fm_text', 'count']
        """
        self._arrays().write(path, "parquet")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all sufficient statistics with their weights as one file, which `JointDistribution.load` reads.

        Parameters
        ----------
        path : str or path-like
            File, an archive in the format .npz.

        Raises
        ------
        ValueError
            For a conditional distribution, or one without sufficient statistics.
        TooLargeError
            Before any work, if a pass over the class takes too long.

        Notes
        -----
        The file has about 2 bytes for each sufficient statistic, and NumPy alone reads it. The array "distribution"
        is a description as JSON. Chunk i has the arrays "i.a", "i.b", and so on:

        - "i.a" and "i.b" are pairs (A, B). The triples (A, B, P) that may occur are numbered.
        - "i.starts" and "i.bottoms" are the number and the value of P of the first triple of each pair.
        - "i.places" has the triples that occur at each m, as a row of bits for each m, or as their numbers.
        - "i.ends" are the numbers of sufficient statistics up to each m.
        - "i.weights" are the bytes of their weights. "i.widths" are the bytes of one weight at each m.

        Examples
        --------
        >>> import confmat as cm
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cm.joint_distribution(cm.Tables(20, 3, 3), "ard").save(f"{folder}/20-3-3.law")
        ...     cm.JointDistribution.load(f"{folder}/20-3-3.law", "rd")["rd"].max()
        Fraction(61, 95)
        """
        if self._lists or not self._whole or not self._held:
            raise ValueError(
                f"distribution must be over a whole class and have sufficient statistics to be saved, got {self!r}"
            )
        save(path, self._source.of)

    @property
    def digest(self) -> str:
        """Return the SHA-256 digest of the class, the weight, statistics, conditions and support.

        It is the same on every machine, for every number of threads and every method. A user-defined statistic is
        never taken for one of the package. If the support is too large to be listed, the digest is that of
        ``digest_of_sums``.

        Returns
        -------
        str

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> law = joint_distribution(Tables(4, 2, 2), "med", "rd")
        >>> other = joint_distribution(Tables(4, 2, 2), "rd", "med")
        >>> law.digest == joint_distribution(Tables(4, 2, 2), "med", "rd").digest != other.digest
        True
        """
        if not self._exact:
            raise ValueError(f"digest must be of an exact distribution, got {self!r}")
        head = {
            "format": "confmat distribution 3",
            "class": self.matrices.to_json(),
            "weight": self.weight,
            "statistics": [_told(x) for x in self._statistics],
            "given": [{"text": text, "on": [*map(_told, on)]} for text, on in self._given.items()],
        }
        try:
            points = [[*map(str, values), int(weight)] for values, weight in self._support]
        except TooLargeError:
            points = [[self._digest_of_sums]]
        sha = hashlib.sha256()
        for part in (head, *points):
            sha.update(f"{json.dumps(part, sort_keys=True)}\n".encode())
        return sha.hexdigest()

    def certificate(self) -> str:
        """Return the digest as a certificate, which ``confmat verify`` or its script without this package checks.

        Returns
        -------
        str
            JSON.

        Raises
        ------
        UnsupportedError
            For statistics and classes that the checker does not know.
        TooLargeError
            If the values are not listed.

        Examples
        --------
        >>> from confmat.certificates import check
        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> check(joint_distribution(Tables(4, 2, 2), "med", "rd").certificate())[-30:]
        'lse} has this digest, 3 values'
        """
        spec = self.matrices.to_json()
        conditioned = [x for on in self._given.values() for x in on]
        check_known(spec, package_names([*self._statistics, *conditioned]))
        _ = self._support  # listed, or TooLargeError
        return write_certificate(
            "distribution",
            {
                "class": spec,
                "members": self.matrices.count(),
                "weight": self.weight,
                "statistics": list(self.names),
                "conditions": [*self._given],
                "distribution": self.digest,
            },
        )

    @property
    def _digest_of_sums(self) -> str:
        """SHA-256 digest of sums over the class.

        They are the weight of each (MED, RD), and the weighted sum of F = C(n, 2) RD for each (A, B) and MED.

        >>> from confmat.classes import Tables
        >>> from confmat.distributions import joint_distribution
        >>> joint_distribution(Tables(4, 2, 2), "med", "rd", "ard")._digest_of_sums[:8]
        '567fa653'
        """
        return digest_of_sums(self._source.of)

    # --- words ----------------------------------------------------------------------------------------

    @cached_property
    def _given(self) -> dict[str, tuple[Statistic, ...]]:
        """Dictionary of the conditions and fixed values as texts, with the statistics of each."""
        texts = {str(condition): condition.statistics for condition in self.conditions}
        for statistic, value in self._fixed:
            name = statistic.name
            texts[f"{name} = {value}" if value == value else f"not {name} = {name}"] = (statistic,)
        return texts

    @property
    def _given_in_words(self) -> str:
        """Text of the conditions and fixed values that begins with " given ". It is empty if there are none."""
        return f" given {' and '.join(self._given)}" if self._given else ""

    def _over(self) -> str:
        """Return the class and the conditions as text."""
        return f"{self.matrices!r}{self._given_in_words}"

    def _brief(self) -> Iterator[Part]:
        """Yield one line of text that names the distribution."""
        if self.sample_size is not None:
            equally_likely = ""
        else:
            equally_likely = f", each {_EACH[self.weight]} equally likely"
        law = f"distribution of {', '.join(self.names)} over {self._over()}"
        draws = f"; {self.sample_size} draws" if self.sample_size is not None else ""
        assumed = "".join(f"; assumes the {x}" for x in self.assumptions)
        yield Verbatim(f"<{law}{equally_likely}{draws}{assumed}>")
