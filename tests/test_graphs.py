"""Graphs of tables against brute force, and of indices against the values of all small tables."""

from fractions import Fraction
from itertools import product

import networkx as nx
import numpy as np
import pytest

from confmat.classes import FixedMargins, Tables, canonical
from confmat.conjectures import STATEMENTS
from confmat.errors import TooLargeError
from confmat.graphs import implication_graph, implication_plot, transfer_graph
from confmat.indices import partition
from confmat.statistics import STATISTICS


def key(table):
    return tuple(map(tuple, canonical(table).tolist()))


def neighbours(table):
    """All tables that differ by one object in one row or one column, found by pairs of cells."""
    r, s = table.shape
    for a, b in product(product(range(r), range(s)), repeat=2):
        if table[a] and a != b and (a[0] == b[0] or a[1] == b[1]):
            moved = table.copy()
            moved[a] -= 1
            moved[b] += 1
            yield moved


SMALL = [(1, 2, 2), (3, 2, 2), (5, 2, 2), (4, 2, 3), (3, 3, 3), (3, 2, 4), (4, 3, 2)]


@pytest.mark.parametrize(("n", "r", "s"), SMALL)
@pytest.mark.parametrize("allow_empty", [True, False])
def test_edges_are_the_moves_of_one_object(n, r, s, allow_empty):
    matrices = Tables(n, r, s, allow_empty=allow_empty)
    graph = transfer_graph(matrices)
    assert set(graph) == {key(table) for table in matrices}
    edges = {
        frozenset((key(table), key(moved)))
        for table in matrices
        for moved in neighbours(np.array(table))
        if key(moved) in graph and key(moved) != key(table)
    }
    assert set(map(frozenset, graph.edges)) == edges
    assert sum(count for _, count in graph.nodes(data="count")) == matrices.count()


@pytest.mark.parametrize(("n", "r", "s"), SMALL)
def test_the_med_is_the_distance_to_perfect_agreement(n, r, s):
    graph = transfer_graph(Tables(n, r, s, allow_empty=True), "med")
    perfect = {node for node in graph if all(np.count_nonzero(line) <= 1 for line in (*node, *zip(*node)))}
    distances = nx.multi_source_dijkstra_path_length(graph, perfect)
    assert set(distances) == set(graph)
    for node, distance in distances.items():
        assert distance == n * graph.nodes[node]["med"]


def test_statistics_are_exact_attributes():
    graph = transfer_graph(Tables(5, 2, 3), "ari", "rd", STATISTICS["med"])
    for node, values in graph.nodes(data=True):
        assert values["ari"] == partition.adjusted_rand_index(node, exact=True)
        assert values["rd"] == partition.rand_distance(node, exact=True)
        assert isinstance(values["med"], Fraction)
    with pytest.raises(ValueError, match="rather"):
        transfer_graph(Tables(5, 2, 3), "rather")


def test_other_classes_and_large_ones_are_refused():
    for other in (FixedMargins([2, 1], [2, 1]), 5, [[1, 2]]):
        with pytest.raises(TypeError, match=r"tables must be a Tables such as .*, got"):
            transfer_graph(other)
    for matrices in (Tables(40, 4, 4), Tables(10**6, 30, 30)):
        with pytest.raises(TooLargeError, match=r"at most 1,000,000 members, got Tables"):
            transfer_graph(matrices)
    assert len(transfer_graph(Tables(1, 2, 2))) == 0


def test_every_edge_is_a_proved_statement():
    graph = implication_graph(reduced=False)
    assert nx.is_directed_acyclic_graph(graph)
    assert {("ari", "ri"), ("ari", "fm"), ("jaccard", "fm"), ("ami", "nmi"), ("van_dongen", "med")} <= set(
        graph.edges
    )
    for low, high, name in graph.edges(data="statement"):
        statement = STATEMENTS[name]
        assert statement.status == "proved"
        assert f"{low} <= {high}" in statement.formula
    assert ("ari", "jaccard") not in graph.edges  # refuted


def test_the_reduction_has_the_same_consequences():
    graph, reduced = implication_graph(reduced=False), implication_graph()
    assert set(nx.transitive_closure(graph).edges) == set(nx.transitive_closure(reduced).edges)
    assert set(reduced.edges) == set(nx.transitive_reduction(graph).edges)
    assert all(reduced.edges[edge] == graph.edges[edge] for edge in reduced.edges)


@pytest.mark.parametrize(("n", "r", "s"), [(2, 2, 2), (4, 2, 2), (5, 2, 3), (5, 3, 3), (6, 3, 2)])
def test_inequalities_hold_on_all_small_tables(n, r, s):
    edges = nx.transitive_closure(implication_graph()).edges
    for table in map(np.array, Tables(n, r, s)):
        values = {name: float(STATISTICS[name](table)) for edge in edges for name in edge}
        for low, high in edges:
            assert not values[low] > values[high] + 1e-12, (low, high, table)


def test_the_picture_names_every_index():
    (ax,) = implication_plot().axes
    assert {text.get_text() for text in ax.texts} == set(implication_graph())
