"""Tables with fixed margins, row by row: one graph, and every question a sum over its paths.

What the rows so far leave of a table is what the columns still have.  Columns that all rows to come treat alike are
interchangeable, so a *state* is what is left in each kind of column, in decreasing order, and a row is an *edge*: its
cells, with a weight (a product over cells: the chance of the row given what the columns have left, when labels are
permuted at random) and a value (a sum over cells, such as of log x!).  Tables are the paths from the column sums to
nothing.  All 3 x 3 tables with every margin 2:

    (2, 2, 2)   -- 2 0 0, in 3 orders -->   (2, 2, 0)   -- 2 0 -->   (2, 0, 0)   -- 2 0 0 -->   nothing
                -- 1 1 0, in 3 orders -->   (2, 1, 1)   -- 1 1 -->   (1, 1, 0)   -- 1 1 0 -->
                                                        ...

Two states after the first row stand for six matrices of what is left.  In a semiring the sum over the edges of (weight
of the edge) x (sum from its end) gives

    residues modulo primes             how many labelings; with enough primes, in whole numbers
    doubles                            chances: all terms are positive, so relative errors add up (`row-tail-error`)
    (min, +), (max, +)                 the least and the largest value
    laws: weights by value             the law of the statistic

and, with the edges turned round, the same of what lies behind a state.  A tail {value >= t} is met in the middle
(``tails``), and only states over which some paths reach it and some do not are followed (``graph``): the network
algorithm of Mehta and Patel (1983), for any sum over cells.

Two other questions at fixed margins have methods of their own.  The number of tables with a few long rows and columns
is a product of windows of running sums (`confmat.classes.fibers`).  The MED is not a sum over cells, and its states are
matchings (`confmat._engine`).

The number of tables, CPU seconds by windows and by this recursion, measured on one machine:

    3 x 3, rows and columns of 200                 0.001       6.9
    4 x 4, rows and columns of 50                  0.015       7.3
    6 x 6, rows and columns of 10                  0.010      0.09
    6 x 6, 100 objects, different sums             0.29         13
    14 x 14, rows and columns of 2                 0.55      0.006

A uniform table is drawn in 30 to 70 microseconds by a walk along this graph.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
