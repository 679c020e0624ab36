"""Multilevel splitting over a distance (MED, RD or ARD): rare distances in classes of any size.

Start from uniform draws of the class.  Keep those at or beyond a level of the distance, copy them up to the old
number, move every copy by a Markov chain that is symmetric on the class and never falls behind the level; then
the next level, about the median, until the wanted distance (Kahn and Harris 1951; Botev and Kroese 2012).

The product of the shares kept is an *unbiased* estimate of the probability, for any number of moves and whether
or not they connect the level sets, as the levels are fixed beforehand by a pilot (Del Moral 2004, Theorem 7.4.2)
and the first draws are exactly uniform.  Its error is measured over independent repetitions.  Draws are only
approximate: copies of one ancestor are dependent, and parts of a level set that the moves do not connect are
represented as the population of the level before happened to divide among them.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import ceil, comb, exp, floor, lcm, sqrt
from typing import NamedTuple

import numpy as np

from confmat.arguments import as_amount, as_count, as_instance
from confmat.classes import MatrixClass
from confmat.errors import TooRare, Unsupported
from confmat.matrices.matching import heaviest_totals
from confmat.plans import Resources, as_resources
from confmat.sampling.choice import sampler_of
from confmat.sampling.methods import LARGEST_INDEXED, DrawnTables, Sampler, Wanted, check_distance
from confmat.sampling.random_bits import copies, state_of
from confmat.sampling.splitting_kernels import ARD_UNITS, pair_distances, walk_within
from confmat.sampling.streams import Seed, seed_sequence
from confmat.statistics.clusterings import ARD, MED, RD

# Tables in a population; draws of one block all come from one.
POPULATION = 1024
SPLIT_BLOCK = 512

# Moves of every table at a level, and before the draws are handed out: so many for each cell.
MOVES = 20
LAST_MOVES = 200

# Populations that may pass without a table beyond the level, or at the wanted distance.
MOST_POPULATIONS = 20
_ROUNDS = lcm(*range(1, MOST_POPULATIONS + 1))

# A move looks for the best matching by sets of columns.
MOST_SPLIT_LINES = 8

# Pair sums are below 2^63 for fewer points than this.
_MOST_PAIRED = 2**31


@dataclass(frozen=True)
class Goal:
    """Where to climb: whole numbers of points (MED), of pairs (RD) or of units of 2^-40 (ARD), a member's distance.

    ``sign``: 1 for members at ``far`` or beyond, -1 for those at ``near`` or closer, 0 for those between.
    """

    name: str
    sign: int
    near: int
    far: int

    @classmethod
    def of(cls, target: Wanted) -> "Goal | None":
        """None where a condition is not one comparison of MED, RD, ARD, a multiple or a complement with a number.

        >>> from confmat.classes import Tables
        >>> Goal.of(Wanted.of(Tables(20, 3, 3), "ri > 4/5")), Goal.of(Wanted.of(Tables(20, 3, 3), "med <= rd"))
        (Goal(name='rd', sign=-1, near=38, far=38), None)
        """
        matrices = target.matrices
        n = target.matrices.n
        units = (
            (MED, n),
            (RD, comb(n, 2)),
            (ARD, ARD_UNITS),
        )
        match target.condition.comparison(matrices):
            case (statistic, "=" | "<" | "<=" | ">" | ">=" as sign, value):
                unit = next((units for distance, units in units if statistic.base == distance), None)
                factor = statistic.factor(matrices) if statistic.factor else 1
                if unit is not None and factor:
                    level = (1 - value if statistic.complement else value) / factor * unit
                    side = statistic.direction * {"=": 0, "<": -1, ">": 1}[sign[0]]
                    margin_of_doubles = int(statistic.base == ARD)  # doubles of ARD are not that far off
                    return cls(
                        statistic.base.name,
                        side,
                        floor(level) + margin_of_doubles,
                        ceil(level) - margin_of_doubles,
                    )
        return None


@dataclass(frozen=True)
class Ladder:
    """Levels on the way from the whole class to the wanted members.

    ``sign``: 1 to climb to larger distances, -1 to smaller ones.  ``levels``: increasing values of sign times the
    distance; no wanted member is behind the last one.
    """

    wanted: Wanted
    goal: Goal
    base: Sampler
    sign: int = 1
    levels: tuple[int, ...] = ()

    @property
    def matrices(self) -> MatrixClass:
        return self.wanted.matrices


class MedProbability(NamedTuple):
    """An estimated probability, its standard error, and the independent estimates of which it is the mean."""

    value: float
    error: float
    repetitions: tuple[float, ...]

    @property
    def interval(self) -> tuple[float, float]:
        """At 95 %, Student's on the scale of logarithms: estimates are skewed, and none is below 0.

        At the largest MED of (15,3,3), 60 times 20 repetitions of 256 tables, it covered in 95 %, value +- t error in
        92 %.

        >>> low, high = MedProbability(1e-9, 1e-10, (1e-9,) * 20).interval
        >>> f"{low:.3g}", f"{high:.3g}"
        ('8.11e-10', '1.23e-09')
        """
        from scipy.stats import t as student

        width = float(student.ppf(0.975, len(self.repetitions) - 1)) * self.error / self.value
        return self.value * exp(-width), self.value * exp(width)


def med_probability(
    matrices: MatrixClass,
    med: Fraction | int,
    *,
    rng: Seed = None,
    repetitions: int = 20,
    population: int = POPULATION,
    resources: Resources | None = None,
) -> MedProbability:
    """P(MED = med) for a uniform member of a class, by multilevel splitting, however rare.

    The mean of ``repetitions`` (at least 2) unbiased estimates, each from a population of its own, and the standard
    error of that mean.  The error is itself estimated: it covers neither a part of the class that no repetition
    came across (moves need not connect a level set), nor, where the class is drawn from by a Markov chain, how far
    that chain is from uniform.  Repetitions that differ by orders of magnitude ask for a larger population.
    Times the number of members this estimates how many have this MED.

    About ``MOVES`` r s moves a table and level, O(r 2^s) each, at most 8 lines.  Raises ValueError for a MED that no
    member of Tables has, TooRare where no repetition (or the pilot) finds a table at this MED.

    >>> from confmat.classes import Tables
    >>> estimate = med_probability(Tables(20, 3, 3), Fraction(1, 20), rng=1, population=200)
    >>> exact = 5508 / Tables(20, 3, 3).count()
    >>> abs(estimate.value - exact) < 4 * estimate.error < exact
    True
    """
    as_instance("matrices", matrices, MatrixClass, "a class of matrices such as Tables(20, 3, 3)")
    repetitions = as_count("repetitions", repetitions, 2, 10**4)
    population = as_amount("population", population, 8)
    target = Wanted.of(matrices, {"med": med})
    ladder = _build_ladder(target, sampler_of(matrices), population)
    seeds = seed_sequence(rng).spawn(repetitions)
    with ThreadPoolExecutor(as_resources(resources).cores) as executor:
        values = list(executor.map(partial(_probability, ladder, population), seeds))
    estimate = sum(values) / repetitions
    if estimate == 0:
        raise TooRare(f"{repetitions} populations of {population} tables: {_none_found(target)}")
    variance = sum((x - estimate) ** 2 for x in values) / (repetitions - 1)
    return MedProbability(
        estimate,
        sqrt(variance / repetitions),
        tuple(values),
    )


def multilevel(target: Wanted, base: Sampler, reason: str) -> Sampler:
    """Approximate draws of what is wanted, a population a block; ``base`` draws from the whole class.

    A block weighs what its population estimates the probability of being wanted to be.

    Raises ValueError as ``med_probability`` does: a pilot runs at once.

    >>> from confmat.classes import Tables
    >>> wanted = Wanted.of(Tables(20, 3, 3), "med=2/20")
    >>> method = multilevel(wanted, sampler_of(Tables(20, 3, 3)), "asked for")
    >>> method.exact, heaviest_totals(method.draw(np.random.SeedSequence(1), 2).tables).tolist()
    (False, [18, 18])
    """
    ladder = _build_ladder(target, base, POPULATION)

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        shares, tables, state = _climb_ladder(ladder, POPULATION, seeds)
        tables_kept: list[np.ndarray] = []
        tables_found = 0
        for rounds in range(1, 1 + MOST_POPULATIONS if shares else 1):
            _move_all(ladder, state, tables, ladder.levels[-1], LAST_MOVES)
            tables_kept.append(tables[target.each(tables)])
            tables_found += len(tables_kept[-1])
            if tables_found >= size:
                # Copies of one ancestor lie side by side: an even choice keeps few of each.
                chosen_tables = np.concatenate(tables_kept)[np.arange(size) * tables_found // size]
                weight = shares * tables_found * (_ROUNDS // rounds)
                return DrawnTables(chosen_tables, POPULATION * (len(ladder.levels) + 1), weight)
        raise TooRare(f"splitting found {tables_found} of {size} tables: {_none_found(target)}")

    return Sampler("splitting", f"approximate: {reason}", draw, exact=False, block=SPLIT_BLOCK)


def seconds_of_splitting(matrices: MatrixClass, size: int) -> float:
    """About how long ``size`` draws take on one core, within a factor of 5: ten levels or so, the matchings.

    >>> from confmat.classes import Tables
    >>> seconds_of_splitting(Tables(20, 3, 3), 10) < seconds_of_splitting(Tables(20, 3, 3), 10**6)
    True
    """
    r, s = sorted(matrices.shape)
    blocks = ceil(size / SPLIT_BLOCK)
    moves = POPULATION * r * s * (10 * MOVES + LAST_MOVES)
    microseconds = 0.1 + 0.00125 * (r << s)
    return blocks * moves * 1e-6 * microseconds


def _none_found(target: Wanted) -> str:
    return f"perhaps no member of {target.matrices!r} has {target}, or the moves do not lead there"


def _build_ladder(wanted: Wanted, base: Sampler, population: int) -> Ladder:
    """Levels at about the medians of a pilot's populations, always the same ones."""
    matrices = wanted.matrices
    goal = Goal.of(wanted)
    if goal is None:
        raise Unsupported(
            f"splitting climbs to a side of MED, RD or ARD (RI, ARI, ...), or to one value, got {wanted}"
        )
    if goal.name != "med" and matrices.n >= _MOST_PAIRED:
        raise ValueError(f"splitting by pairs needs n < 2^31, got {matrices!r}")
    if max(matrices.shape) > MOST_SPLIT_LINES or matrices.n >= LARGEST_INDEXED:
        raise ValueError(
            f"splitting needs at most {MOST_SPLIT_LINES} rows and columns and n < 2^62, got {matrices!r}"
        )
    if matrices.sides is None:
        raise Unsupported(
            f"splitting moves points within margins, and {matrices!r} is not known by its margins"
        )
    if matrices.unrestricted and wanted.unmatched is not None:
        check_distance(matrices, wanted.unmatched)
    start, moves = np.random.SeedSequence(0).spawn(2)
    state = state_of(moves)
    tables = np.ascontiguousarray(base.draw(start, population).tables, np.int64)
    ladder = Ladder(wanted, goal, base)
    ladder = replace(
        ladder, sign=goal.sign or (1 if np.median(_scores_on_ladder(ladder, tables)) < goal.far else -1)
    )
    scores = _scores_on_ladder(ladder, tables)
    if ladder.sign > 0:
        target = goal.far
    else:
        target = -goal.near
    while True:
        if ladder.levels:
            last_level = ladder.levels[-1]
        else:
            last_level = None
        level = min(target, int(np.sort(scores)[population // 2]))
        if level == last_level:  # half of the tables lie on the level itself: the next one that is found
            level = min(target, _next_level(ladder, state, tables, scores))
        ladder = replace(ladder, levels=(*ladder.levels, level))
        if level == target:
            return ladder
        survivors = np.flatnonzero(scores >= level)
        tables = tables[copies(state, survivors, population)]
        _move_all(ladder, state, tables, level, MOVES)
        scores = _scores_on_ladder(ladder, tables)


def _next_level(ladder: Ladder, state: np.ndarray, tables: np.ndarray, scores: np.ndarray) -> int:
    """The least score beyond the level that the population reaches, with patience."""
    level = ladder.levels[-1]
    for _ in range(MOST_POPULATIONS):
        if (scores > level).any():
            return int(scores[scores > level].min())
        _move_all(ladder, state, tables, level, MOVES)
        scores[:] = _scores_on_ladder(ladder, tables)
    raise TooRare(f"splitting is stuck on the way: {_none_found(ladder.wanted)}")


def _climb_ladder(
    ladder: Ladder, population: int, seeds: np.random.SeedSequence
) -> tuple[int, np.ndarray, np.ndarray]:
    """One run up the ladder: the product of how many passed each level, the tables there, the generator's state.

    Over population to the number of levels it estimates P(score >= last level).  It is 0, and the tables are what
    was left before, where a level finds none.
    """
    start, moves = seeds.spawn(2)
    state = state_of(moves)
    tables = np.ascontiguousarray(ladder.base.draw(start, population).tables, np.int64)
    shares = 1
    for level in ladder.levels:
        survivors = np.flatnonzero(_scores_on_ladder(ladder, tables) >= level)
        shares *= len(survivors)
        if not shares:
            break
        tables = tables[copies(state, survivors, population)]
        _move_all(ladder, state, tables, level, MOVES)
    return shares, tables, state


def _probability(ladder: Ladder, population: int, seeds: np.random.SeedSequence) -> float:
    """One estimate of the probability of being wanted."""
    shares, tables, _ = _climb_ladder(ladder, population, seeds)
    return shares / population ** len(ladder.levels) * float(ladder.wanted.each(tables).mean())


def _scores_on_ladder(ladder: Ladder, tables: np.ndarray) -> np.ndarray:
    """What levels are compared with: the kernel's numbers, so that both agree on who is behind."""
    if ladder.goal.name == "med":
        return ladder.sign * (ladder.matrices.n - heaviest_totals(tables))
    return ladder.sign * pair_distances(tables, ladder.goal.name == "ard")


def _move_all(ladder: Ladder, state: np.ndarray, tables: np.ndarray, level: int, moves: int) -> None:
    """Move every table (in place) ``moves`` times a cell within the members whose score is ``level`` or more."""
    assert ladder.matrices.sides is not None
    sides = ladder.matrices.sides
    if sides[0].sums is None and sides[1].sums is not None:  # moves keep rows, so this class moves transposed
        sides = sides[::-1]
        tables = tables.transpose(0, 2, 1)
    r, s = tables.shape[1:]
    rows, cols = (np.array(side.labels, np.int64) for side in sides)
    sides_fixed = sum(side.sums is not None for side in sides)
    if r * s == 1 or (sides_fixed and s == 1) or (sides_fixed == 2 and r == 1):
        return  # one member
    must_be_filled = sides[0].minimum > 0, sides[1].minimum > 0
    kind = ("med", "rd", "ard").index(ladder.goal.name)
    moved_tables = np.ascontiguousarray(tables)  # one order in memory: each would be compiled for itself
    walk_within(
        state, moved_tables, sides_fixed, must_be_filled, rows, cols, kind, ladder.sign, level, moves * r * s
    )
    tables[:] = moved_tables
