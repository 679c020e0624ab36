"""In which numbers a pass over a class adds up: 64 bits, residues, quotients rounded down; how many bins of ARD.

From the sizes of a class alone, so that every part of a pass, and its forecast, finds the same.
"""

from functools import lru_cache
from math import comb, prod

from confmat.classes import MatrixClass
from confmat.engine import reduce
from confmat.engine.jobs import MOST_MARGIN_CLASSES, RowJob, number_of_margin_classes, row_jobs
from confmat.engine.residues import primes_for
from confmat.engine.sizes import sizes_of, tables_to_visit

# Of the places for signatures about this share is filled; of the signatures this share is in the bins of quartiles,
# where there are fewest of these.
FILLED, SHARE_OF_QUARTILES = 0.2, 2e-3

# Bytes that exact sums of F by (A, B) may take; beyond, sums of quotients are rounded down to so many binary digits.
MOST_MOMENTS = 2**33 // 3
_DIGITS = 200

# The weights of all margin classes leave room for 30 binary digits in sums of 62.
MOST_ORDERS = 2**32


def total_weight(matrices: MatrixClass, weight: str) -> int:
    """An upper bound, attained with ``weight="tables"``, on the sum of the weights of all matrices."""
    r, s = matrices.shape
    return matrices.count() if weight == "tables" else (r * s) ** matrices.n


@lru_cache(maxsize=16)
def primes_of_pass(matrices: MatrixClass, weight: str) -> tuple[int, ...]:
    """Primes whose product exceeds every sum of a pass (second moments of F <= C(n, 2) are the largest).

    Where each sum fits 62 bits and no kernel multiplies residues, the one modulus 2^62: half the work of two primes.
    """
    most = _most_of_sums(matrices, weight)
    plain = weight == "tables" and most < 2**62
    if plain and all(fits_64_bits(matrices, job) for job in row_jobs(matrices)):
        return (2**62,)
    return (2**62,) if is_rounded(matrices, weight) else primes_for(most)


def _most_of_sums(matrices: MatrixClass, weight: str) -> int:
    return total_weight(matrices, weight) * max(1, comb(matrices.n, 2)) ** 2


@lru_cache(maxsize=16)
def memory_of_moments(matrices: MatrixClass, weight: str) -> int:
    """Bytes, at most, of the exact sums of F by (A, B) and MED of a whole pass."""
    a, b = {job.a for job in row_jobs(matrices)}, set(sizes_of(matrices).b.tolist())
    keys = len(a) * len(b) // (2 if a == b else 1)
    primes = len(primes_for(_most_of_sums(matrices, weight)))
    return 8 * keys * 2 * number_of_distances(matrices) * primes


@lru_cache(maxsize=16)
def is_rounded(matrices: MatrixClass, weight: str) -> bool:
    """Whether sums of F / D and of its square are added up rounded down: the exact ones by (A, B) are too many.

    >>> from confmat.classes import Tables
    >>> is_rounded(Tables(100, 3, 3), "tables"), is_rounded(Tables(250, 2, 3), "tables")
    (False, True)
    """
    if weight != "tables" or not counts_fit(matrices):
        return False
    if number_of_margin_classes(matrices) > MOST_MARGIN_CLASSES:
        return False
    jobs = row_jobs(matrices)
    orders = sum(int(job.weights.sum()) for job in jobs)
    return (
        orders < MOST_ORDERS
        and memory_of_moments(matrices, weight) > MOST_MOMENTS
        and all(fits_64_bits(matrices, job) for job in jobs)
    )


def digits_of_quotients(matrices: MatrixClass) -> tuple[int, int]:
    """How many digits after the point quotients of rounded sums have, and how many bits each of them.

    A remainder of at most M^2 is followed by a digit within 62 bits.

    >>> from confmat.classes import Tables
    >>> digits_of_quotients(Tables(200, 3, 3)), digits_of_quotients(Tables(2000, 2, 2))
    ((7, 30), (10, 20))
    """
    bits = min(30, 62 - 2 * comb(matrices.n, 2).bit_length())
    return -(-_DIGITS // bits), bits


@lru_cache(maxsize=16)
def counts_fit(matrices: MatrixClass) -> bool:
    """Whether 62 bits hold the number of all matrices."""
    return matrices.count() < 2**62


def fits_64_bits(matrices: MatrixClass, job: RowJob) -> bool:
    """Whether plain counts can hold the law of the class, and the second moments of each of its margin classes."""
    s = job.cols.shape[1]
    tables = prod(comb(row + s - 1, s - 1) for row in job.rows[1:])  # the others tell the first row
    return counts_fit(matrices) and tables * max(1, comb(job.n, 2)) ** 2 < 2**62


def number_of_distances(matrices: MatrixClass) -> int:
    """How many values m = n MED can have at most."""
    return matrices.n - -(-matrices.n // max(matrices.shape)) + 1


def places_by_a(matrices: MatrixClass) -> list[int]:
    """Places for signatures, a line (B, P) at each m, of the row margins with each A."""
    return [number * number_of_distances(matrices) for number in sizes_of(matrices).lines.tolist()]


def expected_signatures(matrices: MatrixClass) -> float:
    """About how many distinct (m, A, B, P) a class has."""
    return min(FILLED * sum(places_by_a(matrices)), tables_to_visit(matrices))


@lru_cache(maxsize=16)
def number_of_bins(matrices: MatrixClass, weight: str) -> int:
    """Bins of ARD: the more, the more signatures there are, for those of the quartiles to have some 10^7.

    >>> from confmat.classes import Tables
    >>> [number_of_bins(Tables(n, 3, 3), "tables") // reduce.BINS for n in (100, 130, 200)]
    [1, 4, 32]
    """
    listed = SHARE_OF_QUARTILES * expected_signatures(matrices) if weight == "tables" else 0.0
    return reduce.BINS << min(5, int(listed / 2**24).bit_length())
