"""The services of the organisation, and the declaration of its operations."""

from __future__ import annotations

from functools import partial
from typing import Annotated, TypeAlias

from pydantic import Field

from frasier.interfaces.operations import CliOption, OperationContext, declare
from frasier.interfaces.services import Services
from frasier.kernel.advice import Advice
from frasier.kernel.errors import ConfigurationError

TEXT_CHARS_MAX = 1_000_000
"""The longest text that is read at all; the use cases tell what is too long for them."""

declare_founders = partial(declare, founders=True)
"""Declare an operation of the founder's; one that only reads is for observers, too."""

MissionName: TypeAlias = Annotated[
    str,
    Field(max_length=200, description="A mission's id, its beginning or end, or `last`"),
    CliOption(argument="MISSION"),
]
StepName: TypeAlias = Annotated[
    str,
    Field(max_length=200, description="MISSION/KEY, or a step's id, its beginning or end"),
    CliOption(argument="STEP"),
]
Limit: TypeAlias = Annotated[
    int, Field(ge=1, le=1_000, description="How many at most"), CliOption(flags=("--limit", "-n"))
]
Note: TypeAlias = Annotated[str, Field(max_length=10_000, description="Why; it is kept with what is done")]
Budget: TypeAlias = Annotated[
    float | None, Field(ge=0, le=1_000_000, description="The most to spend, in US dollars")
]

_START_WORKER = Advice("worker.start", to="have it worked on: nobody is at work")


def usd_micros(usd: float | None) -> int | None:
    """Convert a budget to micro-dollars."""
    return None if usd is None else round(usd * 1_000_000)


def services_of(context: OperationContext) -> Services:
    """Return the services of the organisation; raise ConfigurationError where it is not served."""
    if context.services is None:
        raise ConfigurationError(
            "The organisation is not served here.", hint="`frasier mcp` and `frasier serve` serve it."
        )
    return context.services


def how_it_goes_on(*, attended: bool) -> tuple[Advice, ...]:
    """Advise to start a worker where work was left for one and nobody is at work."""
    return () if attended else (_START_WORKER,)
