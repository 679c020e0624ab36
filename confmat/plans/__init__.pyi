from .choice import Plan as Plan
from .choice import plan as plan
from .methods import Cost as Cost
from .methods import Method as Method
from .methods import register as register
from .resources import Progress as Progress
from .resources import Resources as Resources
from .resources import budget as budget
