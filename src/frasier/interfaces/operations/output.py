"""Outputs of operations: frozen values that the interfaces draw, or show as JSON."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from frasier.kernel.copy_fields import attributes_of


class Output(BaseModel):
    """A frozen value that an operation answers with, or a part of one.

    As JSON (see as_json) a field is left out where it has its default; one without a default is always there.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @classmethod
    def of(cls, *sources: object, **others: Any) -> Self:
        """Build the output from `others` and, for the fields that they leave, from attributes of the same names.

        The first of `sources` that has such an attribute gives it. Raises ValidationError for a value of another type.
        """
        return cls(**attributes_of(cls.model_fields.keys() - others.keys(), sources), **others)
