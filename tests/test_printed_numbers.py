"""Numbers that README and the pages print, each found again by an obvious program that uses nothing of the package."""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb, factorial, lgamma, log, log10, prod
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def page(name):
    return (ROOT / "notebooks" / "pages" / f"{name}.md").read_text(encoding="utf-8")


# --- README -------------------------------------------------------------------------------------------


@cache
def all_tables(n, r, s):
    """All r x s tables with total n and no empty line, cell after cell: what is left is shared out."""
    tables, left = np.zeros((1, 0), np.int16), np.array([n])
    for _ in range(r * s - 1):
        which = np.repeat(np.arange(len(left)), left + 1)
        starts = np.cumsum(left + 1) - (left + 1)
        cell = np.arange(len(which)) - starts[which]
        tables, left = np.hstack([tables[which], cell[:, None].astype(np.int16)]), left[which] - cell
    tables = np.hstack([tables, left[:, None].astype(np.int16)]).reshape(-1, r, s)
    return tables[tables.any(axis=2).all(axis=1) & tables.any(axis=1).all(axis=1)]


def pairs(sizes):
    return (sizes.astype(np.int64) * (sizes - 1) // 2).sum(axis=-1)


def sums(tables):
    """Points off the best matching, and pairs in common rows, columns and cells, r <= s."""
    r, s = tables.shape[1:]
    matchings = [tables[:, range(r), order].sum(axis=1) for order in permutations(range(s), r)]
    off = int(tables[0].sum()) - np.max(matchings, axis=0)
    return np.stack(
        [off, *map(pairs, (tables.sum(axis=2), tables.sum(axis=1), tables.reshape(-1, r * s)))], axis=1
    )


def adjusted(n, a, b, p):
    """The ARD from pairs in common rows, columns and cells."""
    M = comb(n, 2)
    apart = M * (a + b) - 2 * a * b
    return Fraction(M * (a + b - 2 * p), apart) if apart else Fraction(0)


def names(line):
    return [list(word) for word in re.findall(r'list\("(\w+)"\)', line)]


TRUTH, FOUND = names(README)


def table_of(a, b):
    return np.array([[list(zip(a, b)).count((x, y)) for y in sorted({*b})] for x in sorted({*a})])


def test_two_labelings():
    table = table_of(TRUTH, FOUND)
    together = [
        {pair for pair in combinations(range(20), 2) if x[pair[0]] == x[pair[1]]} for x in (TRUTH, FOUND)
    ]
    a, b, both = len(together[0]), len(together[1]), len(together[0] & together[1])
    ari = 1 - adjusted(20, a, b, both)
    assert f"({float(ari)!r}, {ari!r})" in README

    margins = all_tables(20, 3, 3)
    margins = margins[(margins.sum(axis=2) == table.sum(axis=1)).all(axis=1)]
    margins = margins[(margins.sum(axis=1) == table.sum(axis=0)).all(axis=1)]
    ways = [factorial(20) // prod(map(factorial, x.ravel().tolist())) for x in margins]
    as_well = sum(w for w, x in zip(ways, margins) if pairs(x.ravel()) >= both)
    chance = Fraction(as_well, sum(ways))
    assert f"\n{chance!r}\n" in README
    assert f"\n{chance!r}\n" in page("labels_in_a_file")


def test_the_law_of_three_by_three_tables_of_twenty():
    tables = all_tables(20, 3, 3)
    numbers = sums(tables) @ 200 ** np.arange(3, -1, -1)  # none of the four reaches 200
    distinct, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    off = (distinct // 200**3).tolist()
    ards = [adjusted(20, *(x // 200**k % 200 for k in (2, 1, 0))) for x in distinct.tolist()]
    law = Counter()
    for ard, count in zip(ards, counts.tolist()):
        law[ard] += count
    larger = sum(count for ard, count in law.items() if 1 - ard > Fraction(36, 100))
    assert f"\n{Fraction(larger, len(tables))!r}\n" in README
    assert f"\n{1 - max(law)!r}\n" in README

    near = [(ard, place) for place, (m, ard) in enumerate(zip(off, ards)) if 5 * m <= 20]
    top, place = max(near)
    beyond = sum(int(counts[k]) for ard, k in near if ard > 1)
    all_near = sum(int(counts[k]) for _, k in near)
    assert f"({top!r}, {Fraction(beyond, all_near)!r})" in README
    shown = np.array(re.findall(r"\d+", README.partition("\narray(")[2].partition(")")[0]), int).reshape(3, 3)
    attaining = tables[places == place]
    assert (attaining == shown).all(axis=(1, 2)).any()
    assert {*map(tuple, np.sort(attaining.reshape(-1, 9)).tolist())} == {
        tuple(sorted(shown.ravel().tolist()))
    }


def test_the_conjecture():
    members = cases = 0
    for n in range(3, 11):
        signatures = sums(all_tables(n, 3, 3)).tolist()
        near = [adjusted(n, *x) for m, *x in signatures if 5 * m <= n]
        assert max(near) <= 1
        members, cases = members + len(signatures), cases + len(near)
    assert f"for all {members:,} members of 8 classes ({cases:,} cases)" in README


# --- pages --------------------------------------------------------------------------------------------


def count(n, r, s):
    """Tables by inclusion and exclusion of empty lines."""
    return sum(
        (-1) ** (i + j) * comb(r, i) * comb(s, j) * comb(n + (r - i) * (s - j) - 1, n)
        for i in range(r)
        for j in range(s)
    )


def test_numbers_of_matrices_of_the_page_on_cost():
    text = page("cost")
    shown = re.findall(r"`confmat (?:table|search ard) (\d+) (\d) (\d).*?` \| ([\d.]+) \* 10\^(\d+)", text)
    shown += re.findall(r"\((\d+),(\d),(\d)\), ([\d.]+) \* 10\^(\d+)", text)
    assert len(shown) == 11
    for n, r, s, digits, power in shown:
        assert f"{count(int(n), int(r), int(s)) / 10 ** int(power):.1f}" == digits, (n, r, s)
    checked = sum(count(n, 3, 3) for n in range(21))
    assert f"n=..20` | {checked / 10**6:.1f} * 10^6 |" in text
    onto = sum((-1) ** k * comb(4, k) * (4 - k) ** 50 for k in range(5))
    assert f"(4! S(50,4))^2 = {onto**2 / 10**60:.1f} * 10^60" in text


@pytest.mark.slow
def test_three_clusters_of_a_hundred():
    """P >= 13 000 of all tables with these margins, by doubles: row after row, the third is what is left."""
    log_factorial = np.array([lgamma(x + 1) for x in range(301)])
    of_margins = 6 * log_factorial[100] - log_factorial[300]
    tail = 0.0
    for x in range(101):
        for y in range(min(x, 100 - x) + 1):
            z = 100 - x - y
            if z > y:
                continue
            second = np.stack(np.meshgrid(range(101 - x), range(101 - y), indexing="ij"))
            first = np.array([x, y, z]).reshape(3, 1, 1)
            second = np.concatenate([second, 100 - second.sum(axis=0)[None]])
            cells = np.concatenate([np.broadcast_to(first, second.shape), second, 100 - first - second])
            cells = cells[:, (cells >= 0).all(axis=0)]
            chances = np.exp(of_margins - log_factorial[cells].sum(axis=0) + 200)
            orders = len({*permutations((x, y, z))})
            tail += orders * chances[pairs(cells.T) >= 13000].sum()
    assert f"for 10^{log10(tail) - 200 / log(10):.2f})" in page("p_values")


def soft_ari(U, V):
    """The ARI of the table U'V of sums of products; None for 0/0."""
    table = [[sum(u[i] * v[j] for u, v in zip(U, V)) for j in range(2)] for i in range(2)]
    a, b, p = (
        sum(x * (x - 1) / 2 for x in sizes)
        for sizes in (map(sum, table), map(sum, zip(*table)), [*table[0], *table[1]])
    )
    expected = a * b / Fraction(len(U) * (len(U) - 1), 2)
    return (p - expected) / ((a + b) / 2 - expected) if a + b != 2 * expected else None


def soft_ndc(U, V):
    """1 less the mean over pairs of objects of the difference of their degrees of being together."""
    differences = []
    for i, j in combinations(range(len(U)), 2):
        apart = [Fraction(sum(abs(x - y) for x, y in zip(side[i], side[j]))) / 2 for side in (U, V)]
        differences.append(abs(apart[0] - apart[1]))
    return 1 - Fraction(sum(differences)) / len(differences)


def quarters(*side):
    return [(Fraction(k, 4), Fraction(4 - k, 4)) for k in side]


def test_the_page_on_soft_agreement():
    text = page("soft_agreement")
    U = [(x, 1 - x) for x in (Fraction(9, 10), Fraction(1, 2), Fraction(0), Fraction(0))]
    V = [(1, 0), (1, 0), (0, 1), (0, 1)]
    values = [soft_ari(U, order) for order in permutations(V)]
    observed, mean = soft_ari(U, V), sum(values) / 24
    corrected = (observed - mean) / (1 - mean)
    assert f"\n({observed!r}, {mean!r})\n" in text
    assert f"\n{corrected!r}\n" in text
    assert f"\n({observed!r}, {soft_ndc(U, V)!r})\n" in text
    assert f"\n{Fraction(sum(x >= observed for x in values), 24)!r}\n" in text
    assert f"[{soft_ari(quarters(2, 2, 2), quarters(2, 2, 2))!r}, Fraction(1, 1)]" in text
    assert f"[Fraction(1, 1), {soft_ari(quarters(4, 4, 2), quarters(2, 2, 0))!r}]" in text
    sides = [*product(range(5), repeat=3)]
    grids = {tuple(sorted(zip(x, y))) for x in sides for y in sides}
    least = min(filter(None, (soft_ari(*(quarters(*side) for side in zip(*grid))) for grid in grids)))
    assert re.search(rf"\n\({len(grids)}, \d+, {re.escape(repr(least))}\)\n", text)


# --- the largest ARD ------------------------------------------------------------------------------------


def balanced_pairs(total, parts):
    size, larger = np.divmod(total, parts)
    return parts * (size * (size - 1) // 2) + larger * size


def largest_of_hooks(n, r, s):
    """Every arm and leg total, both spread evenly."""
    arm, leg = np.arange(s - 1, n)[:, None], np.arange(r - 1, n)[None, :]
    corner = np.maximum(n - arm - leg, 0)
    in_arm, in_leg = balanced_pairs(arm, s - 1), balanced_pairs(leg, r - 1)
    a, b = (
        in_leg + (corner + arm) * (corner + arm - 1) // 2,
        in_arm + (corner + leg) * (corner + leg - 1) // 2,
    )
    p = in_arm + in_leg + corner * (corner - 1) // 2
    M = comb(n, 2)
    ard = M * (a + b - 2 * p) / np.maximum(M * (a + b) - 2 * a * b, 1)
    return np.where(arm + leg <= n, ard, 0).max()


def largest_of_populations(r, s):
    """Over hooks of real numbers: a grid that closes in on the best arm and leg; the ARD, the arm and the leg."""
    best, width = (0.25, 0.25), 0.25
    for _ in range(12):
        arm, leg = np.meshgrid(*(np.linspace(x - width, x + width, 101) for x in best))
        corner = 1 - arm - leg
        in_arm, in_leg = arm**2 / (s - 1), leg**2 / (r - 1)
        a, b, p = (corner + arm) ** 2 + in_leg, (corner + leg) ** 2 + in_arm, corner**2 + in_arm + in_leg
        inside = (np.minimum(arm, leg) > 0) & (corner > 0)
        ard = np.where(inside, (a + b - 2 * p) / np.where(inside, a + b - 2 * a * b, 1), 0)
        place = np.unravel_index(ard.argmax(), ard.shape)
        best, width = (arm[place], leg[place]), width / 5
    return ard.max(), *best


def test_the_table_of_the_largest_ard():
    rows = re.findall(r"^\| (\d+) x (\d+) \| ([\d. |]+) \|", page("largest_ard"), re.MULTILINE)
    assert len(rows) == 13
    for *shape, values in rows:
        r, s = map(int, shape)
        of_fifty, of_many, *limit = values.split(" | ")[:5]
        assert of_fifty == f"{largest_of_hooks(50, r, s):.6f}"
        ard, arm, leg = largest_of_populations(r, s)
        assert limit == [f"{ard:.6f}", f"{arm:.4f}", f"{leg:.4f}"]
        assert of_many == limit[0]  # 10^9 objects are as good as infinitely many
        if s == 2:
            every = sums(all_tables(50, r, s)).tolist()
            assert of_fifty == f"{float(max(adjusted(50, *x) for _, *x in every)):.6f}"


# --- an exact test of a table ---------------------------------------------------------------------------

EXAMPLES = {
    "5 x 7": [
        [1, 2, 2, 1, 1, 0, 1],
        [2, 0, 0, 2, 3, 0, 0],
        [0, 1, 1, 1, 2, 7, 3],
        [1, 1, 2, 0, 0, 0, 1],
        [0, 1, 1, 1, 1, 0, 0],
    ],
    "4 x 4": [[1, 3, 10, 6], [2, 3, 10, 7], [1, 6, 14, 12], [0, 1, 9, 11]],
    "9 x 3": [[0, 1, 0], [8, 1, 8], *[[0, 1, 0]] * 5, *[[1, 0, 1]] * 2],
}


def columns(total, most):
    """All ways to share out a column sum among rows that have room."""
    if len(most) == 1:
        return [(total,)] if total <= most[0] else []
    firsts = range(min(total, most[0]) + 1)
    return [(x, *others) for x in firsts for others in columns(total - x, most[1:])]


def exact_p(table, of_cell, join, start):
    """P(sum or product over cells >= observed) at given margins, column after column, by numbers of labelings."""
    rows, cols = [*map(sum, table)], [*map(sum, zip(*table))]
    laws = {tuple(rows): Counter({start: 1})}
    for total in cols:
        joined = {}
        for left, law in laws.items():
            for column in columns(total, left):
                value = start
                for x, row in zip(column, rows):
                    value = join(value, of_cell(x, row, total))
                ways = factorial(total) // prod(map(factorial, column))
                after = joined.setdefault(tuple(a - x for a, x in zip(left, column)), Counter())
                for known, number in law.items():
                    after[join(known, value)] += number * ways
        laws = joined
    (law,) = laws.values()
    observed = start
    for line, row in zip(table, rows):
        for x, total in zip(line, cols):
            observed = join(observed, of_cell(x, row, total))
    return Fraction(sum(number for value, number in law.items() if value >= observed), law.total())


def test_the_lesions():
    text = page("exact_tests")
    table = EXAMPLES["9 x 3"]
    lines = prod(map(sum, table)) * prod(map(sum, zip(*table)))
    ffh = exact_p(table, lambda x, _, __: factorial(x), int.__mul__, 1)
    chi2 = exact_p(table, lambda x, a, b: x * x * (lines // (a * b)), int.__add__, 0)
    g2 = exact_p(table, lambda x, _, __: x**x, int.__mul__, 1)
    assert f"\n{ffh!r}\n" in text
    assert f"\n{chi2!r}\n" in text
    assert f"| {ffh} = {float(ffh):.13f} | {chi2} = {float(chi2):.13f} | {float(g2):.13f} |" in text


def test_objects_of_the_examples():
    text = page("exact_tests")
    examples = text.partition("CPU")[0]  # what follows is of random tables
    stated = re.findall(r"(\d x \d), (\d+) (?:objects|people|patients) \|", examples)
    assert stated
    for shape, objects in stated:
        assert sum(map(sum, EXAMPLES[shape])) == int(objects), shape
    assert f"the same {sum(map(sum, EXAMPLES['5 x 7']))} objects" in text


def laws_of_columns(rows, sums, of_cell):
    """By what some columns use of each row: values and numbers of labelings, in doubles."""
    laws = {(0,) * len(rows): (np.zeros(1), np.ones(1))}
    for total in sums:
        joined = {}
        for used, (values, numbers) in laws.items():
            for column in columns(total, [row - x for row, x in zip(rows, used)]):
                value = sum(of_cell(x, row, total) for x, row in zip(column, rows))
                ways = factorial(total) // prod(map(factorial, column))
                after = joined.setdefault(tuple(a + x for a, x in zip(used, column)), [])
                after.append((values + value, numbers * ways))
        laws = {}
        for used, parts in joined.items():
            values, numbers = map(np.concatenate, zip(*parts))
            distinct, places = np.unique(values.round(9), return_inverse=True)
            laws[used] = distinct, np.bincount(places, numbers)
    return laws


def p_in_halves(table, of_cell):
    """P(sum over cells >= observed): half of the columns against the other half."""
    rows, cols = [*map(sum, table)], [*map(sum, zip(*table))]
    half = len(cols) // 2
    firsts, lasts = (laws_of_columns(rows, sums, of_cell) for sums in (cols[:half], cols[half:]))
    observed = sum(of_cell(x, a, b) for line, a in zip(table, rows) for x, b in zip(line, cols))
    beyond = total = 0.0
    for used, (values, numbers) in firsts.items():
        others, weights = lasts[tuple(a - x for a, x in zip(rows, used))]
        tails = np.append(np.cumsum(weights[::-1])[::-1], 0)
        beyond += (numbers * tails[np.searchsorted(others, observed - values - 1e-7)]).sum()
        total += numbers.sum() * weights.sum()
    assert total == pytest.approx(factorial(sum(rows)) // prod(map(factorial, rows)), rel=1e-12)
    return beyond / total


STATISTICS = {
    "ffh": lambda x, _, __: lgamma(x + 1),
    "chi2": lambda x, a, b: 100 * x * x / (a * b),
    "g2": lambda x, _, __: x * log(x) if x else 0.0,
}


@pytest.mark.slow
def test_the_sixth_example_of_mehta_and_patel():
    row = page("exact_tests").partition("| 5 x 7, ")[2].partition("\n")[0]
    printed = re.findall(r"0\.\d{9,}", row)
    found = [p_in_halves(EXAMPLES["5 x 7"], of_cell) for of_cell in STATISTICS.values()]
    assert [f"{p:.{len(digits) - 2}f}" for p, digits in zip(found, printed)] == printed
    assert len(printed) == 3
