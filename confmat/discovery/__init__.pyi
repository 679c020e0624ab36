from .discovering import conjecture_in_words as conjecture_in_words
from .discovering import discover as discover
from .facts import DISTANCE_NAMES as DISTANCE_NAMES
from .proposals import KINDS_OF_PROPOSALS as KINDS_OF_PROPOSALS
from .proposals import Discovery as Discovery
from .proposals import Proposal as Proposal
from .proposals import picture as picture
