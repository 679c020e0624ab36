"""Settings of the whole suite."""

from hypothesis import settings

# No deadline: the first example of a test may compile kernels.  Derandomized: the same examples on every run.
settings.register_profile("confmat", deadline=None, derandomize=True)
settings.load_profile("confmat")
