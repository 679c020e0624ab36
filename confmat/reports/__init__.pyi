from .classification import Classification as Classification
from .classification import classification_report as classification_report
from .comparison import Comparison as Comparison
from .comparison import Rank as Rank
from .comparison import compare as compare
