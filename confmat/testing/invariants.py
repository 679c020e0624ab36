"""What is claimed of the package's own indices."""

from typing import Any


def claims_of(name: str) -> dict[str, Any]:
    """What a contract claims of an index of the package, beside its record."""
    return {}
