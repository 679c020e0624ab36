from .sums import Additive as Additive
from .sums import additive as additive
