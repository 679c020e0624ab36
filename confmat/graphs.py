"""Graph of tables that differ by one object, and graph of inequalities between indices, for networkx."""

from __future__ import annotations

from itertools import pairwise, product

import networkx as nx
import numpy as np

from confmat._figures import PALE, Picture
from confmat.classes import Tables, canonical
from confmat.conjectures import STATEMENTS
from confmat.errors import TooLargeError
from confmat.statistics import STATISTICS, Statistic, as_statistic

__all__ = ["implication_graph", "implication_plot", "transfer_graph"]

_MOST_TABLES = 1_000_000

TableKey = tuple[tuple[int, ...], ...]


def transfer_graph(tables: Tables, *statistics: str | Statistic) -> nx.Graph:
    """Return the graph of tables up to symmetry, with an edge for each move of one object.

    A move takes one object to another cell of its row or of its column. It changes the cluster of the object in one
    of the two clusterings.

    Parameters
    ----------
    tables : Tables
        A class such as ``Tables(4, 2, 3, allow_empty=True)`` with at most 1,000,000 tables. Permutations of rows
        and of columns and, if r = s, transposition do not change the node of a table.
    *statistics : str or Statistic
        Statistics whose exact values become attributes of the nodes, such as "med" or "ari".

    Returns
    -------
    networkx.Graph
        Each node is a table as a tuple of rows. Its attribute ``count`` is the number of tables that it represents.
        Moves to tables outside the class have no edge.

    Raises
    ------
    TypeError
        If ``tables`` is not a ``Tables``.
    TooLargeError
        If there are more than 1,000,000 tables.

    Notes
    -----
    If empty rows and columns are allowed, n MED is the distance to the nearest table with MED = 0.

    Examples
    --------
    >>> from confmat import Tables
    >>> graph = transfer_graph(Tables(3, 2, 2, allow_empty=True), "med")
    >>> graph.number_of_nodes(), graph.number_of_edges()
    (4, 4)
    >>> graph.nodes[(1, 1), (1, 0)]
    {'count': 4, 'med': Fraction(1, 3)}
    >>> sorted(graph[(3, 0), (0, 0)])
    [((2, 1), (0, 0))]
    """
    if not getattr(tables, "unrestricted", False):
        raise TypeError(f"tables must be a Tables such as Tables(4, 2, 3, allow_empty=True), got {tables!r}")
    if tables.count() > _MOST_TABLES:
        raise TooLargeError(f"tables must have at most 1,000,000 members, got {tables!r}")
    records = [as_statistic(statistic) for statistic in statistics]
    graph: nx.Graph[TableKey] = nx.Graph()
    for matrix, count in tables.orbits():
        graph.add_node(_key(matrix), count=count, **{record.name: record(matrix) for record in records})
    for node in list(graph):
        graph.add_edges_from((node, other) for other in _reached_from(node) & graph.nodes if other != node)
    return graph


def _key(matrix: np.ndarray) -> TableKey:
    """Return the canonical table of an orbit as a node of the graph."""
    return tuple(map(tuple, canonical(matrix).tolist()))


def _reached_from(node: TableKey) -> set[TableKey]:
    """Return the canonical tables that result from a table by one move, also those outside the class."""
    table = np.array(node)
    reached = set()
    for (i, j), (k, m) in product(np.argwhere(table), np.ndindex(table.shape)):
        if (i == k) != (j == m):
            moved = table.copy()
            moved[i, j] -= 1
            moved[k, m] += 1
            reached.add(_key(moved))
    return reached


def implication_graph(*, reduced: bool = True) -> nx.DiGraph:
    """Return the graph of the proved inequalities between indices.

    There is an edge from x to y if a statement on record proves x <= y for all tables on which both are defined.
    Statements about some sizes only, and those with constants or sums, are left out.

    Parameters
    ----------
    reduced : bool
        Leave out edges that follow from other edges (transitive reduction). Default: True.

    Returns
    -------
    networkx.DiGraph
        Nodes are short names of indices. The attribute ``statement`` of an edge is the name of the statement in
        ``confmat.conjectures.STATEMENTS``.

    Examples
    --------
    >>> graph = implication_graph()
    >>> graph.edges["ari", "ri"]["statement"]
    'ari-below-ri'
    >>> import networkx as nx
    >>> sorted(nx.descendants(graph, "ami"))
    ['nmi', 'nmi_geometric', 'nmi_min']
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    for name, statement in STATEMENTS.items():
        if statement.status != "proved" or statement.where or statement.scope:
            continue
        # The premise of "fm >= 0 -> ari <= fm" means that the index is defined.
        terms = statement.formula.split("->")[-1].split("<=")
        for low, high in pairwise(map(str.strip, terms)):
            if {low, high} <= STATISTICS.keys():
                graph.add_edge(low, high, statement=name)
    edges = nx.transitive_reduction(graph).edges if reduced else graph.edges
    return graph.edge_subgraph(edges).copy()


def implication_plot() -> Picture:
    """Draw the graph of the proved inequalities between indices: an arrow from x to y means x <= y.

    Returns
    -------
    Picture
        The indices of ``implication_graph()``. Larger indices are above smaller ones.

    Examples
    --------
    >>> figure = implication_plot()
    >>> sorted(text.get_text() for text in figure.axes[0].texts)[:3]
    ['ami', 'ari', 'fm']
    """
    graph = implication_graph()
    ordered = [name for names in nx.weakly_connected_components(graph) for name in sorted(names)]
    generations = nx.topological_generations(graph)
    layers = {level: sorted(names, key=ordered.index) for level, names in enumerate(generations)}
    figure = Picture(7, 4)
    nx.draw_networkx(
        graph,
        nx.multipartite_layout(graph, subset_key=layers, align="horizontal"),
        ax=figure.add_subplot(frame_on=False),
        node_color=PALE,
        node_size=2000,
    )
    return figure
