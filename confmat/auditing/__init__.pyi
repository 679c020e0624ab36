from .audits import Audit as Audit
from .audits import audit as audit
from .report import Report as Report
from .scores import SCORES as SCORES
