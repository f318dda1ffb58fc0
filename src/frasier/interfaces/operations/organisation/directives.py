"""Read, record and withdraw the founder's standing rules."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    NoInput,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.organisation.services import (
    TEXT_CHARS_MAX,
    declare_founders,
    services_of,
)
from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten
from frasier.org.conversation import record_rule, withdraw_standing_directive
from frasier.overview import StandingRule, read_standing_rules

_SHOWN_CHARS = 200


class DirectiveListOutput(Output):
    """The standing rules in force."""

    directives: tuple[StandingRule, ...]


async def _list(context: OperationContext, _request: NoInput) -> Result[DirectiveListOutput]:
    rules = await services_of(context).in_transaction(read_standing_rules)
    return Result(
        summary=f"{plural(len(rules), 'standing rule')}.", data=DirectiveListOutput(directives=rules)
    )


class DirectiveOutput(Output):
    """A standing rule as it is now, and what was done."""

    directive: UUID
    text: str
    recorded_at: datetime
    in_prompts: bool
    done: str


class DirectiveAddInput(StorableInput):
    """A rule for all work."""

    text: Annotated[str, CliOption(argument="TEXT")] = Field(
        max_length=TEXT_CHARS_MAX, description="The rule, in a sentence"
    )


async def _add(context: OperationContext, request: DirectiveAddInput) -> Result[DirectiveOutput]:
    recorded = await services_of(context).in_transaction(record_rule, request.text)
    rule = recorded.directive
    data = DirectiveOutput(
        directive=rule.id,
        text=rule.content,
        recorded_at=rule.created_at,
        in_prompts=recorded.in_prompts,
        done=recorded.confirmation,
    )
    return Result(summary=data.done, data=data)


class DirectiveWithdrawInput(StorableInput):
    """The name of a rule."""

    directive: Annotated[str, CliOption(argument="DIRECTIVE")] = Field(
        max_length=200, description="A rule's id, its beginning or end"
    )


async def _withdraw(context: OperationContext, request: DirectiveWithdrawInput) -> Result[DirectiveOutput]:
    rule = await services_of(context).in_transaction(withdraw_standing_directive, request.directive)
    text = shorten(" ".join(rule.content.split()), _SHOWN_CHARS)
    data = DirectiveOutput(
        directive=rule.id,
        text=rule.content,
        recorded_at=rule.created_at,
        in_prompts=False,
        done=f"Withdrawn: “{text}”. Runs that began before finish with it.",
    )
    return Result(summary=data.done, data=data)


LIST = declare_founders(
    _list,
    name="directive_list",
    title="List standing rules",
    layer=Layer.DISCOVERY,
    about="The founder's standing rules in force, and which of them find no room in prompts.",
    read_only=True,
)
ADD_RULE = declare_founders(
    _add,
    name="directive_add",
    title="Record a standing rule",
    layer=Layer.SURGICAL,
    about="Record a rule for all work; it is in every prompt from now on.",
    idempotent=True,
)
WITHDRAW_RULE = declare_founders(
    _withdraw,
    name="directive_withdraw",
    title="Withdraw a standing rule",
    layer=Layer.SURGICAL,
    about="Withdraw a standing rule: it is in no prompt from now on; its text is kept.",
    destructive=True,
)
