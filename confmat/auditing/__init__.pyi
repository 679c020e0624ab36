from .audits import Audit as Audit
from .audits import audit as audit
from .power import power as power
from .report import Report as Report
from .scores import SCORES as SCORES
