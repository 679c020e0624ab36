"""The errors that callers may want to tell apart; everything else is a TypeError or ValueError naming the argument."""

from typing import Any


class SymmetryError(ValueError):
    """A statistic, a predicate or a class is not invariant under a symmetry that it declares."""


class TooLargeError(ValueError):
    """The answer exists, but its cost is beyond what is allowed; the message has the number."""


class UnsupportedError(ValueError):
    """A class of matrices, or a statistic, lacks what the question needs; the message names it."""


class NotProvedError(ValueError):
    """No theorem gives the answer; the message says whether a conjecture does, and how to ask for it."""


class ConsistencyError(RuntimeError):
    """Two ways to the same number disagree: a fault of the package, or of a class of one's own."""


class UndecidedError(ArithmeticError):
    """Two numbers made of logarithms agree in thousands of digits, and nothing proves them equal."""


class CheckpointError(RuntimeError):
    """The checkpoint folder cannot be used: it is foreign, corrupt, or cannot be written."""


class NotKeptWarning(UserWarning):
    """A checkpoint was given for what nothing tells from something else, such as a function: it is not used."""


class WorkersLostError(RuntimeError):
    """The workers of an executor, or the scheduler of a cluster, were killed; the message says what was kept."""


class CertificateError(ValueError):
    """A certificate says something that is not so, or the text is not a certificate."""


class InvalidCertificateError(CertificateError):
    """The text is not a certificate."""


class ArchiveError(RuntimeError):
    """The folder is no archive, or one of its files is missing, damaged, or cannot be written."""


class TooRareError(ValueError):
    """Rejection found too few matrices, ``found``, within its budget of proposals."""

    def __init__(self, message: str, found: int = 0) -> None:
        super().__init__(message)
        self.found = found


class UndefinedIndexError(ZeroDivisionError):
    """The index is 0/0 for this matrix, and the caller asked for an error."""


class UndefinedIndexWarning(UserWarning):
    """The index is 0/0 for this matrix, and 0 was returned."""


class ContractError(AssertionError):
    """An index breaks a claim: ``claim`` is its name, ``example`` the smallest counterexample found."""

    def __init__(self, claim: str, example: Any, found: str) -> None:
        super().__init__(f"{claim} fails: {found}")
        self.claim = claim
        self.example = example
