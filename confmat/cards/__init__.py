"""The reference card of two labelings: every index, and where the main ones stand among all tables and under chance."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
