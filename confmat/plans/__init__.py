"""Which method answers a question, what that costs and why; what a call may use.  Imports none of its users."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
