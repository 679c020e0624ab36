"""Compiled function for the mean of |x - y| over x in one sorted sample and y in another."""

import numpy as np

from confmat._numba import njit


@njit
def mean_absolute_difference(e: np.ndarray, f: np.ndarray) -> float:  # pragma: no cover (compiled)
    """Return the mean of |e_i - f_j| over all i and j, for sorted arrays e and f.

    It is the integral of F(1 - G) + G(1 - F), where F and G are the two distribution functions. One merge adds up
    the intervals by compensated summation, without further memory.

    >>> float(mean_absolute_difference(np.array([0.0, 1.0]), np.array([0.25, 0.5])))
    0.5
    """
    i = 0
    j = 0
    result = 0.0
    lost = 0.0
    previous = 0.0  # any number: below the first value F = G = 0, so that this interval has no weight
    for _ in range(len(e) + len(f)):
        from_e = j == len(f) or (i < len(e) and e[i] <= f[j])
        value = e[i] if from_e else f[j]
        below_e = i / len(e)
        below_f = j / len(f)
        term = (value - previous) * (below_e * (1.0 - below_f) + below_f * (1.0 - below_e)) - lost
        new_result = result + term
        lost = (new_result - result) - term
        result = new_result
        previous = value
        if from_e:
            i += 1
        else:
            j += 1
    return result
