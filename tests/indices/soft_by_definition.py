"""Soft indices from their definitions: Fractions and loops over all pairs of objects, slow and obvious."""

from fractions import Fraction
from itertools import combinations


def rand(counts):
    a, b, c, d = counts
    return (a + d) / (a + b + c + d)


def adjusted(counts):
    """Amodio et al. (2015), equation (2.3)."""
    a, b, c, d = counts
    return 2 * (a * d - b * c) / (b * b + c * c + 2 * a * d + (a + d) * (c + b))


def flynt_equation_5(U, V):
    p = [[sum(u[r] * v[c] for u, v in zip(U, V)) for c in range(len(V[0]))] for r in range(len(U[0]))]
    n = len(U)
    squares = sum(x * x for row in p for x in row)
    rows = sum(sum(row) ** 2 for row in p)
    columns = sum(sum(column) ** 2 for column in zip(*p))
    a, b = (squares - n) / 2, (rows - squares) / 2
    c, d = (columns - squares) / 2, (squares + n * n - rows - columns) / 2
    pairs = Fraction(n * (n - 1), 2)
    chance = (a + b) * (a + c) + (c + d) * (b + d)
    return (pairs * (a + d) - chance) / (pairs**2 - chance)


def campello(U, V):
    def together(W, i, j):
        return max(min(W[i][k], W[j][k]) for k in range(len(W[0])))

    def apart(W, i, j):
        different = [(k, l) for k in range(len(W[0])) for l in range(len(W[0])) if k != l]
        return max((min(W[i][k], W[j][l]) for k, l in different), default=0)

    counts = [0, 0, 0, 0]
    for i, j in combinations(range(len(U)), 2):
        cells = [(f(U, i, j), g(V, i, j)) for f in (together, apart) for g in (together, apart)]
        counts = [total + min(x, y) for total, (x, y) in zip(counts, cells)]
    return counts


def bonding(U, V, bond):
    """Brouwer (cosine) and Frigui (inner product)."""
    counts = [0, 0, 0, 0]
    for i, j in combinations(range(len(U)), 2):
        e, f = bond(U[i], U[j]), bond(V[i], V[j])
        cells = (e * f, e * (1 - f), (1 - e) * f, (1 - e) * (1 - f))
        counts = [total + x for total, x in zip(counts, cells)]
    return counts


def inner(x, y):
    return sum(s * t for s, t in zip(x, y))


def cosine(x, y):
    return float(inner(x, y)) / float(inner(x, x) * inner(y, y)) ** 0.5


def equivalences(W):
    return [1 - sum(abs(s - t) for s, t in zip(x, y)) / Fraction(2) for x, y in combinations(W, 2)]


def concordance(e, f):
    return 1 - sum(abs(x - y) for x, y in zip(e, f)) / Fraction(len(e))


def huellermeier(U, V):
    counts = [0, 0, 0, 0]
    for e, f in zip(equivalences(U), equivalences(V)):
        concordant = 1 - abs(e - f)
        cells = (concordant * e * f, max(e - f, 0), max(f - e, 0), concordant * (1 - e * f))
        counts = [total + x for total, x in zip(counts, cells)]
    return counts
