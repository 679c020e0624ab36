from .null_laws import null_law as null_law
from .p_values import PValue as PValue
from .p_values import Significance as Significance
from .p_values import significance as significance
from .simulation import SimulatedTail as SimulatedTail
from .volume import volume_test as volume_test
