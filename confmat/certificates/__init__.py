"""Results as files for those who do not trust this package: sealed JSON, and its checker in one file of plain Python.

Certificates and counterexamples of conjectures, extremes and digests of laws write themselves; ``check`` says what a
file shows, as ``python3 -I verify.py FILE`` does with the text of ``script``.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
