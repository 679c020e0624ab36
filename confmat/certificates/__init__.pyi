from .seals import check as check
from .seals import read_certificate as read_certificate
from .seals import script as script
from .seals import script_for as script_for
from .seals import write_certificate as write_certificate
