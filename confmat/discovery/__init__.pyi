from .discovering import conjecture_in_words as conjecture_in_words
from .discovering import discover as discover
from .facts import DISTANCES as DISTANCES
from .proposals import KINDS as KINDS
from .proposals import Discovery as Discovery
from .proposals import Proposal as Proposal
from .proposals import picture as picture
