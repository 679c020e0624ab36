"""Is a reported result possible?  Which confusion matrices have the scores that a paper prints, as it prints them.

Digits are texts ("0.90" has two decimals) and stand for an interval that their rounding gives.  Boxes of matrices are
halved until a printed score is out of reach in each, or matrices are listed; all comparisons are exact.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
