"""Indices of agreement between two partitions, two memberships, or a classifier and the truth."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
