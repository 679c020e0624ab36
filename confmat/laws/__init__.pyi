from . import medlaw as medlaw
from . import rdlaw as rdlaw
from .description import Description as Description
from .description import Witness as Witness
from .law import Conditional as Conditional
from .law import Given as Given
from .law import Joint as Joint
from .law import joint as joint
