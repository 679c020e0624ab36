"""The law of a large class as files that anybody computes: split, checked, put together.

Each shard of a pass is a file of packed signatures (``confmat.engine.packing``) in a checkpoint folder.  What is one
shard, and what its bytes must be, is settled by the class: files that others computed are compared with that, with the
count of the class, and on a random sample with a computation of one's own.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.checkpoint import Checkpoint
from confmat.engine.jobs import RowJob, alike, row_jobs
from confmat.engine.lines import Lines, lines_of
from confmat.engine.numbers import number_of_distances
from confmat.engine.packing import Part, pack_jobs, packed, parts_of
from confmat.engine.reduce import pairs_of_margin
from confmat.engine.residues import from_residues, to_residues
from confmat.engine.run import results
from confmat.engine.signatures import by_table, packed_pass
from confmat.engine.sizes import jobs_of, shards
from confmat.engine.work import WEIGHTS, Arrays, Pass, is_weighted
from confmat.errors import CheckpointError, Unsupported
from confmat.laws.sources import independent_count
from confmat.matrices.arguments import as_amount, as_choice, as_count, as_counts, as_instance
from confmat.plans.methods import Resources, as_resources


class _Wrong(Exception):
    """A shard is not what its class makes it."""


@dataclass(frozen=True)
class Verified:
    """What ``verify_shards`` found: of how many shards, groups of margin classes computed again, problems."""

    shards: int
    groups: int
    recomputed: int
    problems: tuple[str, ...]


def compute_shards(
    matrices: MatrixClass,
    folder: str | os.PathLike[str],
    *,
    weight: str = "tables",
    part: tuple[int, int] = (1, 1),
    resources: Resources | None = None,
) -> None:
    """Compute ``part`` (i, k) of a law, every k-th shard from the i-th on, into a folder; finished ones are kept.

    Any machine may compute any part: the files are put into one folder, which ``verify_shards`` looks at, and which is
    a checkpoint of ``joint``.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.classes import Tables
    >>> with TemporaryDirectory() as folder:
    ...     compute_shards(Tables(12, 3, 3), folder, part=(1, 2))
    ...     print(*verify_shards(Tables(12, 3, 3), folder).problems, sep=chr(10))
    ...     compute_shards(Tables(12, 3, 3), folder, part=(2, 2))
    ...     verify_shards(Tables(12, 3, 3), folder, recompute=10, seed=1)
    signatures-0001.npz is missing
    signatures-0003.npz is missing
    Verified(shards=4, groups=55, recomputed=10, problems=())
    """
    if len(of := as_counts("part", part, minimum=1)) != 2:
        raise ValueError(f"part must be two whole numbers (i, k), got {part!r}")
    i, k = of
    if i > k:
        raise ValueError(f"part must be one of 1/{k} to {k}/{k}, got {i}/{k}")
    where = replace(as_resources(resources), checkpoint=folder)
    for _ in results(_task(matrices, weight), "signatures", where, (i, k)):
        pass


def verify_shards(
    matrices: MatrixClass,
    folder: str | os.PathLike[str],
    *,
    weight: str = "tables",
    recompute: int = 100,
    seed: int | None = None,
) -> Verified:
    """What is wrong with the shards of a law, whoever computed them; nothing if they are right and complete.

    Every byte of a file must be the packing of some signatures of its margins, under its seal, and all weights must
    add up to the count of the class.  ``recompute`` groups of margin classes (those with the same pairs A in rows and
    B in columns), drawn at random, are enumerated again and compared, where weights are large modulo a prime drawn at
    random.  Whoever invents a share f of the groups escapes with probability (1 - f)^recompute; with ``recompute``
    as large as ``groups`` nobody does.  ``seed``: draws that can be repeated, by those who know it too.

    A class without members has no shards, and nothing is wrong with them.

    Raises CheckpointError where the folder belongs to another class, weight or version.

    >>> from confmat.classes import Tables
    >>> verify_shards(Tables(12, 3, 3), "a folder that does not exist")
    Traceback (most recent call last):
    ...
    confmat.errors.CheckpointError: checkpoint a folder that does not exist has no manifest.json: ...
    """
    recompute, task = as_amount("recompute", recompute), _task(matrices, weight)
    if seed is not None:
        as_count("seed", seed)
    if not (Path(folder) / "manifest.json").exists():
        raise CheckpointError(f"checkpoint {folder} has no manifest.json: nothing was computed there")
    store, jobs = Checkpoint(folder, task), row_jobs(matrices)
    together = [alike(jobs_of(matrices, shard.pieces)) for shard in shards(matrices)]
    groups = [
        (shard, a, int(b))
        for shard, of_shard in enumerate(together)
        for a, same in enumerate(of_shard)
        for b in lines_of(same).bs
    ]
    rng = random.Random(seed)
    chosen: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for shard, a, b in rng.sample(groups, min(recompute, len(groups))):
        chosen[shard][a].append(b)
    once_more = replace(task, primes=(_prime(rng),)) if jobs and is_weighted(task, jobs[0]) else task
    problems, total = [], 0
    for shard, of_shard in enumerate(together):
        try:
            found = store.load("signatures", shard)
            if found is None:
                problems.append(f"signatures-{shard:04d}.npz is missing")
                continue
            total += sum(_checked(task, once_more, found, of_shard, chosen[shard]))
        except CheckpointError as error:
            problems.append(str(error))
        except _Wrong as error:
            problems.append(f"signatures-{shard:04d}.npz {error}")
    expected = independent_count(matrices, weight)
    if not problems and expected is not None and total != expected:
        problems.append(f"all weights add up to {total}, the {weight} of {matrices!r} are {expected}")
    return Verified(len(together), len(groups), min(recompute, len(groups)), tuple(problems))


def _task(matrices: MatrixClass, weight: str) -> Pass:
    as_instance("matrices", matrices, MatrixClass, "a class of matrices such as Tables(20, 3, 3)")
    as_choice("weight", weight, WEIGHTS)
    if not matrices.has_margins or by_table(matrices, weight):
        raise Unsupported(f"matrices must be enumerated by their margins to be split, got {matrices!r}")
    return packed_pass(matrices, weight)


def _prime(rng: random.Random) -> int:
    """A prime of 31 bits that nobody knows before."""
    from sympy import nextprime

    return int(nextprime(rng.randrange(2**30, 2**31 - 2**10)))


def _checked(
    task: Pass, once_more: Pass, found: Arrays, together: list[list[RowJob]], chosen: dict[int, list[int]]
) -> Iterator[int]:
    """The sum of the weights for each A of a shard; _Wrong where one is not what the class makes it."""
    if any(array.dtype.kind not in "iu" for array in found.values()):
        raise _Wrong("does not hold signatures (whole numbers)")
    try:
        parts = {int(part.a[0]): part for part in parts_of(found)}
    except (ValueError, TypeError, IndexError) as error:
        raise _Wrong(f"does not hold signatures ({error})") from None
    by_a = [int(pairs_of_margin(np.array(same[0].rows))) for same in together]
    if sorted(parts) != sorted(by_a):
        raise _Wrong("holds the margins of another shard")
    for i, same in enumerate(together):
        cells, weights = _unpacked(parts[by_a[i]], same, lines_of(same), task)
        yield (int((weights >> 32).sum()) << 32) + int((weights & 0xFFFFFFFF).sum())  # no 64 bits overflow
        for b in chosen.get(i, []):
            those = [job for job in (job.between(b, b + 1) for job in same) if len(job.cols)]
            again = parts_of(pack_jobs(once_more, those, np.zeros(1, np.uint8)))[0]
            computed = _residues(*_unpacked(again, those, lines_of(those), once_more), once_more.primes[0])
            at_b = cells[:, 1] == b
            if _residues(cells[at_b], weights[at_b], once_more.primes[0]) != computed:
                raise _Wrong(f"has other weights at A = {by_a[i]}, B = {b} than those computed again")


def _residues(cells: np.ndarray, weights: np.ndarray, prime: int) -> dict[tuple[int, ...], int]:
    """The weights that do not vanish modulo a prime, by (m, B, P)."""
    found = to_residues(weights, (prime,))[0].tolist()
    return {tuple(cell): x for cell, x in zip(cells.tolist(), found) if x}


def _unpacked(part: Part, jobs: list[RowJob], lines: Lines, task: Pass) -> tuple[np.ndarray, np.ndarray]:
    """Signatures (m, B, P) and weights, Python ints where they are residues.

    _Wrong unless every byte is as ``packed`` makes it: compiled code trusts what is packed.
    """
    a = int(part.a[0])
    try:
        bits = np.unpackbits(part.present, axis=1, count=lines.number).astype(bool)
        m, line = np.nonzero(bits)
        weights = np.zeros(len(m), np.int64)
        if not (weighted := is_weighted(task, jobs[0])):
            codes = np.unpackbits(part.sizes)[: 2 * len(m)].reshape(-1, 2) @ np.array([2, 1])
            for code, kept in enumerate((part.of_1, part.of_2, part.of_4, part.of_8)):
                weights[codes == code] = kept
        residues = (
            part.residues.astype(np.uint32) % np.array(task.primes, np.uint32)
            if weighted
            else part.residues[:0]
        )
        expected = packed(a, lines, bits, weights, residues)
        same = all(_same(getattr(part, field.name), getattr(expected, field.name)) for field in fields(Part))
        if weighted:
            weights = from_residues(residues.astype(np.int64).T, task.primes)
    except (ValueError, IndexError, TypeError) as error:
        raise _Wrong(f"is not packed as it should be at A = {a} ({error})") from None
    if (
        not same
        or bits.shape[0] != number_of_distances(task.matrices)
        or len(weights) != len(m)
        or not np.all(weights > 0)
    ):
        raise _Wrong(f"is not packed as it should be at A = {a}")
    key = np.searchsorted(lines.starts, line, side="right") - 1
    return np.column_stack([m, lines.bs[key], lines.bottoms[key] + line - lines.starts[key]]), weights


def _same(found: np.ndarray, expected: np.ndarray) -> bool:
    return found.dtype == expected.dtype and np.array_equal(found, expected)
