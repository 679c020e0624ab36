from .table import Statistic as Statistic
from .table import as_statistic as as_statistic
