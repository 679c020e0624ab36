"""Recursion over the rows of tables with fixed margins: distributions, tails and extremes of sums over cells.

After some rows, the rest of a table is determined by the column sums that remain. Columns that all further rows
treat alike are interchangeable. A *state* is therefore the tuple of remaining column sums, in decreasing order
within each kind of column. An *edge* is one way to fill the next row. Its weight is a product over cells: the
probability of the row given the remaining column sums, if labels are permuted at random. Its value is a sum over
cells, for example of log x!. Each table is a path from the column sums to the empty state. All 3 x 3 tables with
margins 2:

    (2, 2, 2)   -- 2 0 0, in 3 orders -->   (2, 2, 0)   -- 2 0 0 -->   (2, 0, 0)   -- 2 0 0 -->   nothing
                -- 1 1 0, in 3 orders -->   (2, 1, 1)   -- 1 1 0 -->   (1, 1, 0)   -- 1 1 0 -->
                                                        ...

The two states after the first row represent six vectors of remaining column sums. The sum at a state is the sum
over its edges of weight x (sum at the end of the edge). The same recursion is run in different semirings:

    residues modulo primes             the number of labelings: enough primes determine the integer
    floats                             probabilities: relative errors add up, as all terms are positive
    (min, +), (max, +)                 the smallest and the largest value
    distributions: weights by value    the distribution of the statistic

With reversed edges, the same recursion sums over the paths from the column sums to a state. A tail {value >= t} is
computed from both ends (module ``tails``). A state is expanded only if some paths through it reach the tail and
some do not (module ``graph``). This is the network algorithm of Mehta and Patel (1983), for any sum over cells.

Two other computations at fixed margins use different methods. Tables with few rows and columns but large margins
are counted by sums over windows of running sums (`confmat.classes.fibers`). The misclassification error distance
(MED) is not a sum over cells, and its states are matchings (`confmat._engine`).

CPU seconds to count tables by two methods, measured on one machine:

                                          running sums    this recursion

    3 x 3, rows and columns of 200               0.001               6.9
    4 x 4, rows and columns of 50                0.015               7.3
    6 x 6, rows and columns of 10                0.010              0.09
    6 x 6, 100 objects, different sums            0.29                13
    14 x 14, rows and columns of 2                0.55             0.006

Drawing a uniformly distributed table along this graph takes 30 to 70 microseconds.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
