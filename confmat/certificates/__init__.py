"""Results as files for readers who do not trust this package: JSON with a digest, and a checker in plain Python.

Certificates and counterexamples of conjectures, extreme values and digests of distributions write such files.
``check`` returns the claim that a file proves, as ``python3 -I verify.py FILE`` does with the text of ``script``.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
