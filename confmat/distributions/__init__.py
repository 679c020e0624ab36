"""Exact distributions and joint distributions of statistics over a class of matrices."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
