"""Classes of matrices from their JSON."""

from collections.abc import Mapping
from typing import Any

from confmat.classes.fixed import FixedMargins
from confmat.classes.matrix_class import MatrixClass
from confmat.classes.one_margin import FixedColumns, FixedRows
from confmat.classes.tables import Tables
from confmat.matrices.arguments import as_choice

KINDS = {
    "tables": Tables,
    "fixed_margins": FixedMargins,
    "fixed_rows": FixedRows,
    "fixed_columns": FixedColumns,
}


def class_from_json(spec: Mapping[str, Any]) -> MatrixClass:
    """The class whose ``to_json()`` is ``spec``.  Raises ValueError for a kind that this package does not have.

    >>> class_from_json(FixedColumns(2, [1, 2]).to_json())
    FixedColumns(r=2, cols=(1, 2))
    """
    arguments = dict(spec)
    kind = KINDS[as_choice("kind", arguments.pop("kind", None), KINDS)]
    n = arguments.pop("n", None)
    matrices = kind(n, **arguments) if kind is Tables else kind(**arguments)
    if n is not None and matrices.n != n:
        raise ValueError(f"the class {matrices!r} has total {matrices.n}, not {n}")
    return matrices
