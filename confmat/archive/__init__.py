"""An archive of exact laws: every (MED, RD, ARD) that occurs among the tables of a class, with its exact count.

The laws of all r x s tables with total n, for some shapes and totals, in a folder of Parquet files that DuckDB,
pandas or any other reader opens without this program:

    classes.parquet                 one row a law: its class and weight, its size, digests, provenance
    laws/RxS-nNN-WEIGHT.parquet     the law of (MED, RD, ARD)
    extremes/RxS-nNN.parquet        extreme values and a matrix that attains each
    manifest.json, README.md        the format and its version; this text

Class: r x s matrices of non-negative integers with total n, no row or column empty.  Where n < max(r, s) there is
none: the law is listed with total 0 and has no rows.  Shapes are as asked for; a law for 2 x 3 is also that for
3 x 2.  Weight: "tables", each matrix counts once; "labelings", as often as there are pairs of labelings with this
contingency matrix, n!/prod x!.  Where an index is 0/0 the partitions coincide, and the distance is 0.

laws: n, r, s, weight; med_num, med_den, rd_num, rd_den, ard_num, ard_den, 64-bit integers in lowest terms;
count, a DECIMAL(38,0), as labelings do not fit 64 bits.  One row for every value, in increasing order of MED,
RD, ARD; the counts add up to the total of the class.

extremes: n, r, s; statistic ("med", "rd", "ard"); extreme ("min", "max"); given_med_num, given_med_den, the MED at
which it is the extreme, or null: over the whole class; num, den, its value; matrix, which attains it, one of
possibly several, as text "10,3,2;3,0,0;2,0,0".  The matrix is the largest of its orbit (row-major) under
permutations of rows and columns, and transposition where r = s.  These hold for both weights.

classes: n, r, s, weight; matrices, their number; total, sum of the counts; points, number of rows in laws;
law_digest, SHA-256 of the law and of its sums by margins as ``confmat.laws.Joint.digest`` has it;
content_digest and extremes_digest, SHA-256 of the rows of the two files, each the values as they stand in the
file, "-" for null, separated by spaces and ended by a line feed; version of confmat and method, how the law was
computed.

Digests do not depend on the bytes of a Parquet file, the machine, the number of threads or the order of the work.
The digest of the archive seals everything but version and method: archives with the same laws have the same one.
"""

from confmat.archive.build import Step, build, missing
from confmat.archive.folder import ArchiveError, Entry, digest, read_entries
from confmat.archive.queries import connect, export, query, query_to_file
from confmat.archive.verification import verify

__all__ = [
    "ArchiveError",
    "Entry",
    "Step",
    "build",
    "connect",
    "digest",
    "export",
    "missing",
    "query",
    "query_to_file",
    "read_entries",
    "verify",
]
