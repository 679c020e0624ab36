"""From labels, memberships and arrays to a contingency matrix; best matchings; argument checks."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
