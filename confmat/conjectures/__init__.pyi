from .certificates import Certificate as Certificate
from .certificates import read as read
from .checking import Conjecture as Conjecture
from .checking import Finding as Finding
from .checking import Violation as Violation
from .checking import check as check
from .checking import verify as verify
from .literature import LITERATURE as LITERATURE
