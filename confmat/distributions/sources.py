"""Sources of the sufficient statistics of a distribution.

A source has them in memory, enumerates the class again when they are read, or selects a part of another source.

A distribution on disk is one file with a digest. Loading it fails if a byte was changed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from confmat._engine.blocks import WeightedSignatures
from confmat._engine.checkpoint import sealed_arrays, unsealed_arrays, written_whole
from confmat._engine.margins import is_transposed
from confmat._engine.run import Enumeration
from confmat._engine.signatures import Signatures, read
from confmat._limits import Limits, Plan, choose, deadline
from confmat.classes import MatrixClass, class_from_json
from confmat.distributions.ways import LawQuestion
from confmat.errors import CheckpointError
from confmat.statistics.conditions import Condition


def independent_count(matrices: MatrixClass, weight: str) -> int:
    """Return the total weight of a class in closed form: the number of its members or of their pairs of labelings.

    >>> from confmat.classes import Tables
    >>> independent_count(Tables(4, 2, 2), "tables"), independent_count(Tables(4, 2, 2), "labelings")
    (19, 196)
    """
    return matrices.count() if weight == "tables" else matrices.labelings_count()


@dataclass(frozen=True, eq=False)
class Pass(Enumeration):
    """Enumeration whose result is used for all distributions over a class.

    ``stored`` is the result if it was loaded from a file.
    """

    stored: Signatures | None = None

    @cached_property
    def plan(self) -> Plan:
        """Method and cost of the enumeration.

        It returns the sufficient statistics with their weights or, if they do not fit in memory, `Sums` over them.
        """
        return choose(LawQuestion(self.matrices, (), self.weight, self.limits))

    def is_held(self, *, surely: bool = False) -> bool:
        """Return whether the sufficient statistics fit in memory.

        If an estimate of their number does not decide this, the class is enumerated. With ``surely=True`` it is not
        enumerated, and the result is False.
        """
        if self.stored is not None or "found" in self.__dict__:
            return isinstance(self.found, Signatures)
        if self.plan.excess is not None:
            return True  # computing them raises TooLargeError
        told_by_counts = self.fits()
        if told_by_counts is None and not surely:
            return isinstance(self.found, Signatures)
        return told_by_counts is True

    @cached_property
    def found(self) -> Any:
        """Result of the enumeration: ``Signatures`` or, if these do not fit in memory, ``Sums``."""
        return self.plan.run() if self.stored is None else self.stored

    def blocks(self) -> Iterator[WeightedSignatures]:
        """Yield all sufficient statistics in chunks, from memory or by another enumeration."""
        if self.is_held():
            yield from self.found.blocks()
            return
        self.plan.admitted()
        with deadline(self.limits):
            for block in self.chunks():
                yield from Signatures((block,), self.moduli).blocks()


@dataclass(frozen=True, eq=False)
class SomeSignatures:
    """Part of the sufficient statistics of a class, which can be read repeatedly.

    ``blocks()`` yields them in chunks. ``size`` is their number, ``weight`` the total number of tables (or
    labelings) with them. ``turned`` is True if A is counted in the rows of the class. If it is False, A and B may
    be interchanged.
    """

    blocks: Callable[[], Iterable[WeightedSignatures]]
    size: int
    weight: int
    turned: bool = False


@dataclass(frozen=True, eq=False)
class Source:
    """Iterable of the sufficient statistics of a class, or of one ``part`` of it, that satisfy the conditions.

    ``oriented`` is True if A is counted in the rows of the class. If it is False, A and B may be interchanged.
    """

    of: Pass
    conditions: tuple[Condition, ...] = ()
    part: SomeSignatures | None = None
    oriented: bool = False

    def is_held(self, *, surely: bool = False) -> bool:
        """Return whether the sufficient statistics are in memory. ``surely`` is explained in ``Pass.is_held``."""
        return self.part is not None or self.of.is_held(surely=surely)

    @cached_property
    def size(self) -> int:
        """Upper bound of the number of sufficient statistics."""
        if self.conditions and self.is_held():
            return sum(len(cells) for cells, _ in self.blocks())
        if self.part is not None:
            return self.part.size * (1 if self.part.turned or not self.oriented else 2)
        if self.of.is_held():
            return len(self.of.found)
        self.of.plan.admitted()
        return self.of.work.signatures

    def blocks(self) -> Iterator[WeightedSignatures]:
        """Yield the sufficient statistics that satisfy the conditions, in chunks."""
        turned = self.part is not None and self.part.turned
        for cells, weights in self.of.blocks() if self.part is None else self.part.blocks():
            if self.oriented and not turned:  # count A in the rows of the class
                cells, weights = oriented(self.of.matrices, cells, weights)
            if self.conditions:
                meets_all = np.logical_and.reduce(
                    [c.mask(self.of.matrices, *cells.T) for c in self.conditions]
                )
                cells = cells[meets_all]
                weights = weights[meets_all]
            if len(cells):
                yield cells, weights

    @property
    def weight(self) -> int:
        """Sum of the weights."""
        if self.part is not None and not self.conditions:
            return self.part.weight
        return sum(int(weights.sum()) for _, weights in self.blocks())

    def at(self, m: int) -> Source:
        """Return the source of the sufficient statistics with n MED = m. Those of the class must be in memory."""
        kept = self.of.found
        return replace(
            self,
            part=SomeSignatures(
                partial(kept.blocks, m),
                kept.count(m),
                kept.weights[m],
            ),
        )

    def listed(self, cells: np.ndarray, weights: np.ndarray) -> Source:
        """Return this source restricted to some of its sufficient statistics.

        ``cells`` (N x 4) are the sufficient statistics, ``weights`` their N weights. The conditions are dropped.
        """
        part = SomeSignatures(
            blocks=partial(iter, [(cells, weights)]),
            size=len(cells),
            weight=int(weights.sum()),
            turned=self.oriented,
        )
        return replace(self, part=part, conditions=())

    def weights_where(self, conditions: tuple[Condition, ...]) -> list[int]:
        """Return, for each condition, the total weight of the sufficient statistics that satisfy it.

        All are computed in one pass.
        """
        sums = [0] * len(conditions)
        for cells, weights in self.blocks():
            for i, condition in enumerate(conditions):
                sums[i] += int(weights[condition.mask(self.of.matrices, *cells.T)].sum())
        return sums


def oriented(matrices: MatrixClass, cells: np.ndarray, weights: np.ndarray) -> WeightedSignatures:
    """Return sufficient statistics with A counted in the rows of the class, and their weights.

    ``cells`` and ``weights`` are sufficient statistics and weights as the enumeration returns them. If the class
    contains the transposes of its members, the enumeration has only one of the margins (a, b) and (b, a). Then (m,
    A, B, P) and (m, B, A, P) get half of the weight each. The result may have repeated rows.

    >>> from confmat.classes import FixedRows
    >>> oriented(FixedRows((2, 1), 3), np.array([[1, 0, 1, 0]]), np.array([6]))[0].tolist()
    [[1, 1, 0, 0]]
    """
    if is_transposed(matrices):
        cells = cells[:, [0, 2, 1, 3]]
    if "transposition" not in matrices.symmetry:
        return cells, weights
    have_two_orders = cells[:, 1] != cells[:, 2]
    halves = np.where(have_two_orders, weights // 2, weights)
    turned_cells = cells[have_two_orders][:, [0, 2, 1, 3]]
    return np.concatenate([cells, turned_cells]), np.concatenate([halves, halves[have_two_orders]])


_FORMAT = "confmat distribution 4"


def save(path: str | os.PathLike[str], of: Pass) -> None:
    """Write the sufficient statistics of a class to a file, completely or not at all.

    See ``JointDistribution.save``.
    """
    head = {
        "format": _FORMAT,
        "version": version("confmat"),
        "class": of.matrices.to_json(),
        "weight": of.weight,
    }
    law = np.frombuffer(json.dumps(head).encode(), np.uint8)
    content = sealed_arrays({"distribution": law, **of.found.arrays()}, _FORMAT)
    with written_whole(path) as temporary:
        temporary.write_bytes(content)


def load(path: Path) -> Pass:
    """Return the sufficient statistics of a class that ``save`` wrote to a file.

    Raise CheckpointError if a byte differs, the file has another format, or its weights do not add up to the count.
    """
    try:
        arrays = unsealed_arrays(path.read_bytes(), _FORMAT)
        head = json.loads(arrays.pop("distribution").tobytes())
        if head["format"] != _FORMAT:
            raise ValueError(f"its format is {head['format']!r}, not {_FORMAT!r}")
        matrices = class_from_json(head["class"])
        weight = head["weight"]
        signatures = read(matrices, weight, arrays)
        count = independent_count(matrices, weight)
        if sum(signatures.weights) != count:
            raise ValueError(
                f"the weights in the file add up to {sum(signatures.weights)}, not to the number of matrices {count}"
            )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(
            f"path must be a file of JointDistribution.save that is not damaged, got {str(path)!r}: {error}"
        ) from error
    return Pass(matrices, weight, Limits(), signatures)
