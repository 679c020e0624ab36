from .description import Description as Description
from .description import Witness as Witness
from .description import number_json as number_json
from .law import Conditional as Conditional
from .law import Given as Given
from .law import Joint as Joint
from .law import joint as joint
