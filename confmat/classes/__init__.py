"""Classes of confusion matrices as values: count, iterate, rank and unrank, without any index."""

from confmat.classes.margins import FixedMargins
from confmat.classes.orbits import MarginClass, canonical, margin_classes
from confmat.classes.ranking import MatrixClass
from confmat.classes.rows import FixedRows
from confmat.classes.tables import Tables

__all__ = ["FixedMargins", "FixedRows", "MarginClass", "MatrixClass", "Tables", "canonical", "margin_classes"]
