"""Classes of confusion matrices: count, iterate, rank and unrank their members."""

from confmat.classes.matrix_class import Margins, MatrixClass
from confmat.classes.memberships import MembershipGrids
from confmat.classes.one_margin import FixedColumns, FixedRows
from confmat.classes.orbits import canonical
from confmat.classes.tables import FixedMargins, Tables, class_from_json
from confmat.classes.texts import as_class, parse

__all__ = [
    "FixedColumns",
    "FixedMargins",
    "FixedRows",
    "Margins",
    "MatrixClass",
    "MembershipGrids",
    "Tables",
    "as_class",
    "canonical",
    "class_from_json",
    "parse",
]
