"""What numbers of points and clusters alone say: checked, as JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from confmat.answers import Fields
from confmat.arguments import as_count


@dataclass(frozen=True)
class OfSizes(Fields):
    """A frozen dataclass of whole numbers from 1 on; those whose default is None may be left open."""

    KIND: ClassVar[str]
    LEAST_N: ClassVar[int] = 1

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "n":
                least_value = self.LEAST_N
            else:
                least_value = 1
            if value is not None or field.default is not None:
                object.__setattr__(self, field.name, as_count(field.name, value, least_value))

    def as_dict(self) -> dict[str, Any]:
        """Its kind, and its sizes.

        >>> from confmat.classes import MembershipGrids
        >>> MembershipGrids(3, 2, 2, 4).to_json()
        {'kind': 'membership_grids', 'n': 3, 'r': 2, 's': 2, 'd': 4}
        """
        return {"kind": self.KIND, **super().as_dict()}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """The class whose ``to_json()`` this is.

        >>> from confmat.classes import MembershipGrids
        >>> MembershipGrids.from_json(MembershipGrids(3, 2, 2, 4).to_json())
        MembershipGrids(n=3, r=2, s=2, d=4)
        """
        return cls(**{field.name: content[field.name] for field in fields(cls)})
