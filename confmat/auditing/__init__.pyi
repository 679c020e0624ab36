from .audits import Audit as Audit
from .audits import audit as audit
from .folds import folds_possible as folds_possible
from .power import power as power
from .report import Report as Report
from .scores import SCORES as SCORES
