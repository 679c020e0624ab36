from .classifiers import f_beta as f_beta
from .conditions import Condition as Condition
from .conditions import as_condition as as_condition
from .record import Statistic as Statistic
from .table import STATISTICS as STATISTICS
from .table import as_statistic as as_statistic
from .table import register as register
from .table import unregister as unregister
