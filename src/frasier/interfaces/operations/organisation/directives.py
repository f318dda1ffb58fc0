"""Read the founder's standing rules."""

from __future__ import annotations

from frasier.interfaces.operations import Layer, NoInput, OperationContext, Output, Result
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.kernel.humanize import plural
from frasier.overview import StandingRule, read_standing_rules


class DirectiveListOutput(Output):
    """The standing rules in force."""

    directives: tuple[StandingRule, ...]


async def _list(context: OperationContext, _request: NoInput) -> Result[DirectiveListOutput]:
    rules = await services_of(context).in_transaction(read_standing_rules)
    return Result(
        summary=f"{plural(len(rules), 'standing rule')}.", data=DirectiveListOutput(directives=rules)
    )


LIST = declare_founders(
    _list,
    name="directive_list",
    title="List standing rules",
    layer=Layer.DISCOVERY,
    about="The founder's standing rules in force, and which of them find no room in prompts.",
    read_only=True,
    idempotent=True,
)
