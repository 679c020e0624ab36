from .seals import check as check
from .seals import read_sealed as read_sealed
from .seals import script as script
from .seals import script_for as script_for
from .seals import sealed as sealed
