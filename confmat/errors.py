"""Errors and warnings of the package. Arguments that are not valid raise TypeError or ValueError."""

from typing import Any


class SymmetryError(ValueError):
    """Error: a statistic, a predicate or a class does not have a symmetry that it declares."""


class TooLargeError(ValueError):
    """Error: the computation would exceed a limit. The message names the cost and the limit."""


class UnsupportedError(ValueError):
    """Error: a class of matrices or a statistic does not support the operation."""


class NotProvedError(ValueError):
    """Error: the value is not proved. The message says whether a conjectured value exists."""


class ConsistencyError(RuntimeError):
    """Error: two computations of the same number differ, because of a bug of the package or of a user-defined class."""


class UndecidedError(ArithmeticError):
    """Error: two numbers with logarithms agree to thousands of digits, but are not proved to be equal."""


class CheckpointError(RuntimeError):
    """Error: the checkpoint directory belongs to other data, is damaged, or cannot be written."""


class NotKeptWarning(UserWarning):
    """Warning that a checkpoint is not used, because a part of the computation, such as a function, has no digest."""


class WorkersLostError(RuntimeError):
    """Error: the workers of an executor, or the scheduler of a cluster, stopped.

    The message names the stored results.
    """


class CertificateError(ValueError):
    """Error: the claim of a certificate is false, or a string is not a certificate."""


class InvalidCertificateError(CertificateError):
    """Error: a string is not a certificate."""


class ArchiveError(RuntimeError):
    """Error: a directory is not an archive, or one of its files is missing, damaged, or cannot be written."""


class TooRareError(ValueError):
    """Error: rejection sampling accepted only ``found`` matrices within its limit of proposals."""

    def __init__(self, message: str, found: int = 0) -> None:
        super().__init__(message)
        self.found = found


class UndefinedIndexError(ZeroDivisionError):
    """Error: an index is 0/0 for a matrix, and ``undefined`` is "raise"."""


class UndefinedIndexWarning(UserWarning):
    """Warning: an index is 0/0 for a matrix, and 0 is returned."""


class ContractError(AssertionError):
    """Error: an index does not have a claimed property.

    ``claim`` is the name of the property, ``example`` the smallest counterexample found.
    """

    def __init__(self, claim: str, example: Any, found: str) -> None:
        super().__init__(f"{claim} fails: {found}")
        self.claim = claim
        self.example = example
