from .choice import Plan as Plan
from .choice import plan as plan
from .methods import Cost as Cost
from .methods import Method as Method
from .methods import Progress as Progress
from .methods import Resources as Resources
from .methods import budget as budget
from .methods import register as register
