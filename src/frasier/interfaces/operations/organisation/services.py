"""The services of the organisation, and the declaration of its operations."""

from __future__ import annotations

from functools import partial
from typing import Annotated, TypeAlias

from pydantic import Field

from frasier.interfaces.operations import OperationContext, declare
from frasier.interfaces.services import Services
from frasier.kernel.errors import ConfigurationError

declare_founders = partial(declare, founders=True)
"""Declare an operation of the founder's; one that only reads is for observers, too."""

MissionName: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=100, description="A mission's id, its beginning or end, or `last`")
]
StepName: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=200, description="MISSION/KEY, or a step's id, its beginning or end")
]
Limit: TypeAlias = Annotated[int, Field(ge=1, le=1_000, description="How many at most")]


def services_of(context: OperationContext) -> Services:
    """Return the services of the organisation; raise ConfigurationError where it is not served."""
    if context.services is None:
        raise ConfigurationError(
            "The organisation is not served here.", hint="`frasier mcp` and `frasier serve` serve it."
        )
    return context.services
