"""Read the effects outside the database, and try them again."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.organisation.services import Limit, declare_founders, services_of
from frasier.interfaces.operations.paging import More, first_of, more_hint
from frasier.kernel.humanize import plural
from frasier.overview import UnsettledEffect, effects_by_id, read_effects
from frasier.store import resend_effects

_FOUNDER = "founder:founder"
_DRAINED_MIN = 20


class OutboxListInput(StorableInput):
    """The effects that are wanted."""

    limit: Limit = 50
    sent: Annotated[bool, CliOption(flags=("--all",))] = Field(False, description="Also those that were sent")


class OutboxOutput(Output):
    """Effects, newest first."""

    effects: tuple[UnsettledEffect, ...]
    more: More = False


async def _list(context: OperationContext, request: OutboxListInput) -> Result[OutboxOutput]:
    read = await services_of(context).in_transaction(read_effects, limit=request.limit + 1, sent=request.sent)
    effects, more = first_of(read, request.limit)
    trouble = sum(effect.in_trouble for effect in effects)
    return Result(
        summary=f"{plural(len(effects), 'effect')}, {trouble} in trouble.",
        data=OutboxOutput(effects=effects, more=more),
        hints=more_hint(more=more),
    )


class OutboxResendInput(StorableInput):
    """The effect that is tried again."""

    effect: Annotated[str | None, CliOption(argument="EFFECT")] = Field(
        None, max_length=100, description="An effect's id, its beginning or end; default: all in trouble"
    )


async def _resend(context: OperationContext, request: OutboxResendInput) -> Result[OutboxOutput]:
    services = services_of(context)
    chosen = await services.in_transaction(resend_effects, request.effect, actor=_FOUNDER)
    if chosen:
        await services.outbox.drain(limit=max(len(chosen), _DRAINED_MIN))
    effects = await services.in_transaction(effects_by_id, chosen)
    trouble = sum(effect.in_trouble for effect in effects)
    return Result(
        summary=f"{plural(len(effects), 'effect')} tried again, {trouble} still in trouble.",
        data=OutboxOutput(effects=effects),
    )


LIST = declare_founders(
    _list,
    name="outbox_list",
    title="List effects",
    layer=Layer.EXPLORATION,
    about="Publications and announcements on their way, in trouble or in doubt.",
    read_only=True,
)
RESEND = declare_founders(
    _resend,
    name="outbox_resend",
    title="Try effects again",
    layer=Layer.SURGICAL,
    about="Try again at once what failed, is in doubt or waits for its next try.",
)
