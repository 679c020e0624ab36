"""What may be true: sharp bounds with closed forms, and properties of laws, proposed from exact data."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
