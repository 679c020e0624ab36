"""Tables with fixed margins, row by row: one graph, in which every question is a sum over paths.

After some rows, the rest of a table is determined by what the columns have left. Columns that all further rows
treat alike are interchangeable. A *state* is therefore the rest of each kind of column, in decreasing order. A row
is an *edge*. Its weight is a product over cells: the probability of the row given the rests of the columns, if
labels are permuted at random. Its value is a sum over cells, such as of log x!. Tables are the paths from the
column sums to the empty state. All 3 x 3 tables with margins 2:

    (2, 2, 2)   -- 2 0 0, in 3 orders -->   (2, 2, 0)   -- 2 0 -->   (2, 0, 0)   -- 2 0 0 -->   nothing
                -- 1 1 0, in 3 orders -->   (2, 1, 1)   -- 1 1 -->   (1, 1, 0)   -- 1 1 0 -->
                                                        ...

The two states after the first row stand for six vectors of column rests. In a semiring the sum over edges of
(weight of the edge) x (sum from its end) is

    residues modulo primes             the number of labelings, an integer with enough primes
    floats                             probabilities: relative errors add up, as all terms are positive
    (min, +), (max, +)                 the smallest and the largest value
    distributions: weights by value    the distribution of the statistic

With the edges in the opposite direction it is the same for the paths to a state. A tail {value >= t} is computed
from both ends (``tails``). Only states from which some paths reach it and some do not are followed (``graph``).
This is the network algorithm of Mehta and Patel (1983), for any sum over cells.

Two other questions at fixed margins have different methods. The number of tables with a few long rows and columns
is a product of windows of running sums (`confmat.classes.fibers`). The MED is not a sum over cells, and its states
are matchings (`confmat._engine`).

Number of tables, CPU seconds by windows and by this recursion, measured on one machine:

    3 x 3, rows and columns of 200                 0.001       6.9
    4 x 4, rows and columns of 50                  0.015       7.3
    6 x 6, rows and columns of 10                  0.010      0.09
    6 x 6, 100 objects, different sums             0.29         13
    14 x 14, rows and columns of 2                 0.55      0.006

A uniform table is drawn in 30 to 70 microseconds along this graph.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
