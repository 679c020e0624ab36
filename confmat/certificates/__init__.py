"""Certificates: results as JSON with a digest, and their checker.

The checker is one file of plain Python, for readers who do not trust this package.

Certificates exist for conjectures with their counterexamples, for extreme values, and for distributions. ``check``
returns the claim that a certificate proves. ``python3 -I verify.py FILE`` does the same without this package, if
verify.py is the text that ``script`` returns.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
