from .classification import Classification as Classification
from .classification import classify as classify
from .comparison import Comparison as Comparison
from .comparison import Rank as Rank
from .comparison import compare as compare
