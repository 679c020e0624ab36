"""Compiled loops of the recursion over rows: edges from states, distributions along edges, and tails of sums.

A state is an array of remaining column sums. Columns whose cells contribute to the sum by the same function are of one
kind. They can be exchanged, and are adjacent and in decreasing order. An edge is
one way to fill the next row, and leads to another state. For the 3 x 3 tables with all sums 2, the first row leads
from (2, 2, 2) by 2 + 0 + 0 to (2, 2, 0) and by 1 + 1 + 0 to (2, 1, 1). The weight of each edge counts the three
orders of its columns.
"""

from typing import NamedTuple

import numpy as np

from confmat._numba import copy, njit

# NO_KEY marks an empty entry of a hash table.  FAR means "no path": it exceeds every value, and twice FAR fits into
# 64 bits.
NO_KEY, FAR = -(2**63), 2**61


class RowToAdd(NamedTuple):
    """Row that the recursion adds next.

    Attributes
    ----------
    total : int
        Row sum.
    kinds, next_kinds : array of int
        Kinds of the columns before the row and after it. Columns of one kind are interchangeable.
    share : array
        ``share[c, x]`` is the weight of taking x of c objects from a column.
    inverse : array
        ``inverse[k]`` is 1/k.
    value : array of int
        ``value[j, x]`` is the value of x objects in column j.
    modulus : int
        Weights are residues modulo this prime, or floats if it is 0.
    """

    total: int
    kinds: np.ndarray
    next_kinds: np.ndarray
    share: np.ndarray
    inverse: np.ndarray
    value: np.ndarray
    modulus: int


class Ahead(NamedTuple):
    """Bounds of the sum over the rows after the current one, and thresholds of the sum.

    Attributes
    ----------
    least, largest : array of int
        ``least[j, c]`` and ``largest[j, c]`` bound the values of column j if c objects remain in it.
    least_fixed, largest_fixed : int
        Constants to add to the sums over columns of these bounds.
    low, high : int
        A path is omitted if its value is certain to be below ``low``, and merged if it is certain to be at least
        ``high``.
    """

    least: np.ndarray
    largest: np.ndarray
    least_fixed: int
    largest_fixed: int
    low: int
    high: int


class Edges(NamedTuple):
    """Edges from the states of one level of the recursion to states of the next level.

    An edge is one way to fill the next row of the table.

    Attributes
    ----------
    start : array of int
        The edges of state i are those from ``start[i]`` to ``start[i + 1]`` (exclusive).
    target : array of int
        State to which each edge leads.
    weight : array
        Number or probability of the orders of cells that each edge represents.
    value : array of int
        Sum of the values of the cells of each edge.
    """

    start: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    value: np.ndarray


class Laws(NamedTuple):
    """Distributions of a sum, one for each state of a level, in common arrays.

    Attributes
    ----------
    first : array of int
        The entries of state i are those from ``first[i]`` to ``first[i + 1]`` (exclusive).
    keys : array of int
        Values of the sum, in increasing order within each state.
    weights : array
        Weight of each value.
    """

    first: np.ndarray
    keys: np.ndarray
    weights: np.ndarray


@njit
def _doubled(array):
    """Return an array of twice the length that begins with a copy of ``array``. The rest is not initialized."""
    shape = 2 * len(array), *array.shape[1:]
    larger = np.empty(shape, array.dtype)
    larger[: len(array)] = array
    return larger


@njit
def _slot(states, state, slots):
    """Find the entry of a state in a hash table.

    The state is row ``state`` of the array ``states``. An entry of the hash table ``slots`` is the row of a state,
    or -1 if it is empty. The length of ``slots`` is a power of two.

    Returns
    -------
    int
        Index in ``slots`` of an equal state, or of the empty entry for it.
    """
    hash_code = np.uint64(0)
    for k in range(states.shape[1]):
        hash_code += np.uint64(states[state, k]) + np.uint64(1)
        hash_code *= np.uint64(0x9E3779B97F4A7C15)
        hash_code ^= hash_code >> np.uint64(32)
    slot = np.int64(hash_code & np.uint64(len(slots) - 1))
    while slots[slot] >= 0:
        k = 0
        while k < states.shape[1] and states[slots[slot], k] == states[state, k]:
            k += 1
        if k == states.shape[1]:
            break
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@njit
def _leave(columns, x, next_kinds, states, state):
    """Store the state after a row with cells ``x``: the column sums that remain.

    Column j has ``columns[j]`` objects before the row. The state becomes row ``state`` of the array ``states``. The
    sums of interchangeable columns, which have equal numbers in ``next_kinds``, are stored in decreasing order.
    """
    for k in range(len(columns)):
        place = k
        rest = columns[k] - x[k]
        while place > 0 and next_kinds[place - 1] == next_kinds[k] and states[state, place - 1] < rest:
            states[state, place] = states[state, place - 1]
            place -= 1
        states[state, place] = rest


@njit
def _edges_of(columns, least, largest, row, ahead, buffers, edges, used, stop):
    """Append all edges of one state to the buffers.

    Adjacent equal columns of one kind get decreasing cells. One edge represents all orders of these cells. A way to
    fill the row has no edge if the sum is then certain to reach ``ahead.high``. The weights of these ways are added
    up.

    Parameters
    ----------
    columns : array of int
        Remaining column sums of the state.
    least, largest : int
        Bounds of the sum over the rows before.
    row : RowToAdd
    ahead : Ahead
        Bounds of the sum over the later rows.
    edges, used : int
        Numbers of edges and of new states so far.

    Returns
    -------
    tuple
        Number of edges (-1 if a buffer is full), number of new states, and the weight and number of ways without an
        edge.
    """
    target, weight, value, cells, states, bounds, slots = buffers
    s = len(columns)
    modulus = row.modulus
    x, left, room, sums, least_sums, largest_sums, place, run = np.zeros((8, s + 1), np.int64)
    product = np.ones(s + 1, row.share.dtype)
    certain = product[0] - product[0]
    certain_rows = 0
    for k in range(s - 1, -1, -1):
        room[k] = room[k + 1] + columns[k]
    least_sums[0] = least + ahead.least_fixed
    largest_sums[0] = largest + ahead.largest_fixed
    left[0] = row.total
    x[0] = min(columns[0], row.total) + 1
    j = 0
    while j >= 0 and not stop[0]:
        x[j] -= 1
        if x[j] < 0 or left[j] - x[j] > room[j + 1]:
            j -= 1
            continue
        same = j > 0 and columns[j] == columns[j - 1] and row.kinds[j] == row.kinds[j - 1]
        place[j] = place[j - 1] + 1 if same else 1
        run[j] = 1
        if same and x[j] == x[j - 1]:
            run[j] += run[j - 1]
        factor = row.share[columns[j], x[j]]
        if place[j] > 1:
            orders = place[j] * row.inverse[run[j]]
            factor *= orders % modulus if modulus else orders
            if modulus:
                factor %= modulus
        product[j + 1] = product[j] * factor
        if modulus:
            product[j + 1] %= modulus
        rest = columns[j] - x[j]
        value_of_cell = row.value[j, x[j]]
        sums[j + 1] = sums[j] + value_of_cell
        least_ahead = ahead.least[j, rest]
        least_sums[j + 1] = least_sums[j] + value_of_cell + least_ahead
        largest_ahead = ahead.largest[j, rest]
        largest_sums[j + 1] = largest_sums[j] + value_of_cell + largest_ahead
        left[j + 1] = left[j] - x[j]
        if j < s - 1:
            j += 1
            x[j] = min(columns[j], left[j])
            if columns[j] == columns[j - 1] and row.kinds[j] == row.kinds[j - 1]:
                x[j] = min(x[j], x[j - 1])
            x[j] += 1
            continue
        if largest_sums[s] < ahead.low:
            continue
        if least_sums[s] >= ahead.high:
            certain += product[s]
            if modulus:
                certain %= modulus
            certain_rows += 1
            continue
        if edges == len(target) or used == len(states):
            return -1, used, certain, certain_rows
        _leave(columns, x, row.next_kinds, states, used)
        slot = _slot(states, used, slots)
        if slots[slot] < 0:
            slots[slot] = used
            bounds[used, 0] = FAR
            bounds[used, 1] = -FAR
            used += 1
        next_state = slots[slot]
        bounds[next_state, 0] = min(
            bounds[next_state, 0],
            least + sums[s],
        )
        bounds[next_state, 1] = max(
            bounds[next_state, 1],
            largest + sums[s],
        )
        target[edges] = next_state
        weight[edges] = product[s]
        value[edges] = sums[s]
        for k in range(cells.shape[1]):
            cells[edges, k] = x[k]
        edges += 1
    return edges, used, certain, certain_rows


@njit
def row_edges(states, bounds, row, ahead, most, cells_kept, stop):
    """Compute the edges of one row from all states.

    Target -1 represents all ways to fill the row after which every path has at least the value ``ahead.high``. The
    result is invalid if ``stop`` was set.

    Parameters
    ----------
    states : array of int, shape (N, columns)
    bounds : array of int, shape (N, 2)
        Least and largest value of the paths to each state.
    row : RowToAdd
    ahead : Ahead
        Bounds of the sum over the later rows.
    most : int
        Limit of the number of edges.
    cells_kept : int
        Number of cells to store per edge: all columns, or 0.

    Returns
    -------
    tuple
        Edges, new states, their bounds, the largest number of weights added up for a target -1, the cells of the
        edges. The number is -1 if there are more than ``most`` edges.
    """
    start = np.zeros(len(states) + 1, np.int64)
    target = np.empty(256, np.int64)
    value = np.empty(256, np.int64)
    weight = np.empty(256, row.share.dtype)
    cells = np.empty((256, cells_kept), np.int32)
    new_states = np.empty((64, states.shape[1]), states.dtype)
    new_bounds = np.empty((64, 2), np.int64)
    slots = np.full(256, -1, np.int64)
    used = 0
    state = 0
    terms = 0
    while state < len(states) and not stop[0]:
        buffers = (target, weight, value, cells, new_states, new_bounds, slots)
        edges, used, certain, certain_rows = _edges_of(
            states[state],
            bounds[state, 0],
            bounds[state, 1],
            row,
            ahead,
            buffers,
            start[state],
            used,
            stop,
        )
        full = edges < 0 or (certain_rows > 0 and edges == len(target))
        if not full:
            if certain_rows > 0:
                target[edges] = -1
                weight[edges] = certain
                value[edges] = FAR // 2
                edges += 1
                terms = max(terms, certain_rows)
            state += 1
            start[state] = edges
        elif len(target) > most:
            return Edges(start, target, weight, value), new_states[:0], new_bounds[:0], -1, cells
        elif used < len(new_states):
            target = _doubled(target)
            weight = _doubled(weight)
            value = _doubled(value)
            cells = _doubled(cells)
        else:
            new_states = _doubled(new_states)
            new_bounds = _doubled(new_bounds)
            slots = np.full(8 * used, -1, np.int64)
            for k in range(used):
                slots[_slot(new_states, k, slots)] = k
    edges = start[state]
    edges_of_row = Edges(
        start,
        target[:edges].copy(),
        weight[:edges].copy(),
        value[:edges].copy(),
    )
    states_used = new_states[:used].copy()
    bounds_used = new_bounds[:used].copy()
    return edges_of_row, states_used, bounds_used, terms, cells[:edges].copy()


@njit
def extremes(edges, least, largest):
    """Return the smallest and largest sum over the rows from each state to the end.

    ``edges`` lead from these states. ``least`` and ``largest`` have the extreme sums from the targets of the edges.
    A state without edges has ``FAR`` and ``-FAR``.
    """
    size = len(edges.start) - 1
    new_least = np.full(size, FAR)
    new_largest = np.full(size, -FAR)
    for state in range(size):
        for e in range(edges.start[state], edges.start[state + 1]):
            next_state = edges.target[e]
            if least[next_state] < FAR:
                new_least[state] = min(
                    new_least[state],
                    edges.value[e] + least[next_state],
                )
                new_largest[state] = max(
                    new_largest[state],
                    edges.value[e] + largest[next_state],
                )
    return new_least, new_largest


@njit
def _first_at_least(keys, begin, end, bound):
    """Return the first index from ``begin`` to ``end`` (exclusive) with a key of at least ``bound``, by bisection.

    ``keys`` increase in this range. The result is ``end`` if no key is large enough.
    """
    while begin < end:
        middle = (begin + end) // 2
        if keys[middle] < bound:
            begin = middle + 1
        else:
            end = middle
    return begin


@njit
def edges_to(edges, laws, state, path_value):
    """Find the edges of a state with which the sum over this row and the later ones can be ``path_value``.

    ``laws`` are the distributions of the sum over the later rows, at the targets of the edges.

    Returns
    -------
    tuple of arrays
        The edges, and for each of them the index in ``laws`` of the sum that the later rows must have.
    """
    begin = edges.start[state]
    end = edges.start[state + 1]
    edge_numbers = np.empty(end - begin, np.int64)
    places = np.empty(end - begin, np.int64)
    number = 0
    for e in range(begin, end):
        law_end = laws.first[edges.target[e] + 1]
        place = _first_at_least(
            laws.keys,
            laws.first[edges.target[e]],
            law_end,
            path_value - edges.value[e],
        )
        wanted_key = path_value - edges.value[e]
        if place < law_end and laws.keys[place] == wanted_key:
            edge_numbers[number], places[number] = e, place
            number += 1
    return edge_numbers[:number].copy(), places[:number].copy()


@njit
def laid_out(cells, kinds, start, order, ranks):
    """Return the table of a path from the cells of its edges. Rows are in the order in which the recursion adds them.

    The cells of an edge represent all their orders among columns of one kind with equal remaining sums. The column
    with the smallest of the numbers ``ranks[i]`` gets the first of these cells in row i.

    Parameters
    ----------
    cells : array of int, shape (r, s)
        Cells of the edge in each row.
    kinds : array of int, shape (r + 1, s)
        Kinds of the columns before each row and after the last one.
    start : array of int
        Column sums, sorted by ``order``.
    order : array of int
        Order of the columns in the first state.
    ranks : array of int, shape (r, s)
        Different numbers in each row.

    Returns
    -------
    array of int, shape (r, s)
    """
    r, s = cells.shape
    table = np.zeros((r, s), np.int64)
    row_cells = np.zeros(s, np.int64)
    columns = order.copy()
    rests = start.astype(np.int64)
    for i in range(r):
        begin = 0
        while begin < s:
            end = begin + 1
            while end < s and rests[end] == rests[begin] and kinds[i, end] == kinds[i, begin]:
                end += 1
            for k in range(begin, end):
                place = begin
                for neighbour in range(begin, end):
                    place += ranks[i, neighbour] < ranks[i, k]
                row_cells[k] = cells[i, place]
            begin = end
        for k in range(s):
            column = columns[k]
            rest = rests[k] - row_cells[k]
            table[i, column] = row_cells[k]
            place = k
            while place > 0 and kinds[i + 1, place - 1] == kinds[i + 1, k] and rests[place - 1] < rest:
                rests[place] = rests[place - 1]
                columns[place] = columns[place - 1]
                place -= 1
            rests[place], columns[place] = rest, column
    return table


@njit
def turned(edges, size):
    """Return the same edges in the opposite direction: from their targets to the states where they began.

    ``size`` is the number of states at the targets.
    """
    start = np.zeros(size + 1, np.int64)
    for next_state in edges.target:
        start[next_state + 1] += 1
    start = np.cumsum(start)
    target = np.empty_like(edges.target)
    weight = np.empty_like(edges.weight)
    value = np.empty_like(edges.value)
    place = start.copy()
    for state in range(len(edges.start) - 1):
        for e in range(edges.start[state], edges.start[state + 1]):
            k = place[edges.target[e]]
            target[k] = state
            weight[k] = edges.weight[e]
            value[k] = edges.value[e]
            place[edges.target[e]] += 1
    return Edges(start, target, weight, value)


@njit
def _range_of_keys(edges, laws, state, low, high):
    """Return the number of terms of the distribution of a state, and bounds of its keys.

    A key is a value of the sum over cells, with at least one path. A term is an edge of the state together with a
    key of the distribution at its target. The bounds are the smallest and the largest key, replaced by ``low`` or
    ``high`` if they are outside this range. Terms with keys outside it are counted, too.
    """
    terms = 0
    least = FAR
    largest = -FAR
    for e in range(edges.start[state], edges.start[state + 1]):
        next_state = edges.target[e]
        value = edges.value[e]
        begin = laws.first[next_state]
        end = laws.first[next_state + 1]
        if end > begin:
            terms += end - begin
            least = min(least, laws.keys[begin] + value)
            largest = max(largest, laws.keys[end - 1] + value)
    return terms, min(max(least, low), high), min(largest, high)


@njit
def _add_terms(edges, laws, state, low, high, least, dense, size, table, sums, slots, modulus, stop):
    """Compute the distribution of the sum from one state on, in a hash table.

    Each edge of the state contributes the distribution at its target (``laws``), shifted by the value of the edge.
    Values below ``low`` are dropped. Values above ``high`` count as ``high``. If ``dense`` is true, the hash of a
    value is ``value - least``. The indices of new entries are written to ``slots``.

    Returns
    -------
    int
        Number of entries.
    """
    # reads: a compiled loop takes each array and number as an argument
    taken = 0
    for e in range(edges.start[state], edges.start[state + 1]):
        if stop[0]:
            break
        next_state = edges.target[e]
        for k in range(laws.first[next_state], laws.first[next_state + 1]):
            key = laws.keys[k] + edges.value[e]
            if key < low:
                continue
            key = min(key, high)
            slot = key - least
            if not dense:
                slot = ((slot * 7046029254386353131) >> 20) & (size - 1)
                while table[slot] != key and table[slot] != NO_KEY:
                    slot = (slot + 1) & (size - 1)
            if table[slot] == NO_KEY:
                table[slot], sums[slot] = key, 0
                slots[taken] = slot
                taken += 1
            sums[slot] += edges.weight[e] * laws.weights[k]
            if modulus:
                sums[slot] %= modulus
    return taken


@njit
def laws_along(edges, laws, low, high, modulus, stop):
    """Compute the distribution of the sum from each state on, given those at the targets of its edges.

    Parameters
    ----------
    edges : Edges
        Edges of the states.
    laws : Laws
        Distributions at the targets.
    low, high : array of int
        Values below ``low[i]`` are dropped in state i. Values above ``high[i]`` are replaced by ``high[i]``.
    modulus : int
        Weights are residues modulo this prime, or floats if it is 0.
    stop : array
        Another thread sets ``stop[0]`` to end the computation.

    Returns
    -------
    tuple
        The distributions (`Laws`), and the largest number of values of a state.
    """
    states = len(edges.start) - 1
    starts = np.zeros(states + 1, np.int64)
    longest = 0
    used = 0
    keys = np.empty(64, np.int64)
    weights = np.empty(64, laws.weights.dtype)
    # No key is in the table between two states.
    table = np.full(64, NO_KEY)
    sums = np.empty(64, laws.weights.dtype)
    slots = np.empty(64, np.int64)
    for state in range(states):
        if stop[0]:
            break
        terms, least, largest = _range_of_keys(
            edges,
            laws,
            state,
            low[state],
            high[state],
        )
        longest = max(longest, terms)
        size = 1
        while size < min(largest - least + 1, 2 * terms):
            size *= 2
        dense = largest - least < size
        if size > len(table):
            table = np.full(size, NO_KEY)
            sums = np.empty(size, laws.weights.dtype)
            slots = np.empty(size, np.int64)
        taken = 0
        if terms:
            taken = _add_terms(
                edges,
                laws,
                state,
                low[state],
                high[state],
                least,
                dense,
                size,
                table,
                sums,
                slots,
                modulus,
                stop,
            )
        if dense:
            used_slots = np.flatnonzero(table[:size] != NO_KEY)
        else:
            used_slots = slots[:taken][np.argsort(table[slots[:taken]])]
        if used + len(used_slots) > len(keys):
            room = max(
                2 * len(keys),
                used + len(used_slots),
            )
            larger_keys = np.empty(room, np.int64)
            larger_weights = np.empty(room, laws.weights.dtype)
            copy(keys[:used], larger_keys[:used])
            copy(weights[:used], larger_weights[:used])
            keys = larger_keys
            weights = larger_weights
        for slot in used_slots:
            keys[used], weights[used] = table[slot], sums[slot]
            table[slot] = NO_KEY
            used += 1
        starts[state + 1] = used
    return Laws(
        starts,
        keys[:used].copy(),
        weights[:used].copy(),
    ), longest


@njit
def sums_from_above(laws, modulus):
    """Return for each key of a distribution the weight of this key and all larger ones (upper cumulative sums).

    Weights are residues modulo ``modulus``, or floats if it is 0.
    """
    tails = laws.weights.copy()
    for state in range(len(laws.first) - 1):
        for k in range(laws.first[state + 1] - 2, laws.first[state] - 1, -1):
            tails[k] += tails[k + 1]
            if modulus:
                tails[k] %= modulus
    return tails


@njit
def _place_of(keys, begin, end, bound, search):
    """Return the first index from ``begin`` to ``end`` (exclusive) with a key of at least ``bound``, or ``end``.

    It is found by bisection if ``search`` is true, otherwise by steps down from ``end``.
    """
    if search:
        return _first_at_least(keys, begin, end, bound)
    while end > begin and keys[end - 1] >= bound:
        end -= 1
    return end


@njit
def _pairs_at_least(shorter, a, b, longer, tails, c, d, edge_value, thresholds, modulus, places, totals):
    """Compute, for each threshold t, the weight of all pairs of keys whose sum with ``edge_value`` is at least t.

    A pair has one key of ``shorter`` (entries from a to b) and one of ``longer`` (entries from c to d). ``tails``
    has the upper cumulative sums of ``longer``. ``thresholds`` increase. Two pointers move along both ranges. If
    ``longer`` is much longer, each key of ``shorter`` is searched in it instead. The results are written to
    ``totals``. ``places`` is working memory.
    """
    # reads: a compiled loop takes each array and number as an argument
    totals[:], places[:] = 0, d
    search = 16 * (b - a) < d - c
    highest = d
    reaching_all = shorter.weights[0] - shorter.weights[0]
    for i in range(a, b):
        value_so_far = edge_value + shorter.keys[i]
        highest = _place_of(longer.keys, c, highest, thresholds[-1] - value_so_far, search)
        if highest == c or longer.keys[highest - 1] < thresholds[0] - value_so_far:
            if highest < d:
                term = shorter.weights[i] * tails[highest]
                reaching_all += term % modulus if modulus else term
            continue
        for t in range(len(thresholds)):
            end = min(places[t], highest)
            places[t] = _place_of(longer.keys, c, end, thresholds[t] - value_so_far, search)
            if places[t] < d:
                term = shorter.weights[i] * tails[places[t]]
                totals[t] += term % modulus if modulus else term
    totals += reaching_all


@njit
def meet(edges, past, future, past_tails, future_tails, thresholds, modulus, stop):
    """Return the weight of all tables whose sum is at least t, for each of the increasing ``thresholds`` t.

    Each table is a path that uses one of ``edges``, the edges of one row.

    Parameters
    ----------
    past, future : Laws
        Distributions of the sums over the rows before the edges and after them.
    past_tails, future_tails : array
        Upper cumulative sums of these distributions (`sums_from_above`).
    modulus : int
        Weights are residues modulo this prime, or floats if it is 0.

    Returns
    -------
    tuple
        The weights, and the largest number of terms of a state.
    """
    sums = np.zeros(len(thresholds), past.weights.dtype)
    of_state = sums.copy()
    pairs = sums.copy()
    places = np.zeros(len(thresholds), np.int64)
    longest = 0
    for state in range(len(edges.start) - 1):
        a = past.first[state]
        b = past.first[state + 1]
        of_state[:], terms = 0, 0
        for e in range(edges.start[state], edges.start[state + 1]):
            c = future.first[edges.target[e]]
            d = future.first[edges.target[e] + 1]
            if a == b or c == d or stop[0]:
                continue
            terms += min(b - a, d - c)
            value = edges.value[e]
            if b - a <= d - c:
                _pairs_at_least(
                    past, a, b, future, future_tails, c, d, value, thresholds, modulus, places, pairs
                )
            else:
                _pairs_at_least(
                    future, c, d, past, past_tails, a, b, value, thresholds, modulus, places, pairs
                )
            for t in range(len(thresholds)):
                of_edge = pairs[t]
                if modulus:
                    of_edge %= modulus
                of_edge *= edges.weight[e]
                of_state[t] += of_edge % modulus if modulus else of_edge
        for t in range(len(thresholds)):
            sums[t] += of_state[t] % modulus if modulus else of_state[t]
        longest = max(longest, terms)
    return sums % modulus if modulus else sums, longest
