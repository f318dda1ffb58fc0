"""Read the versions of an agent's persona, compare them, and put an earlier one in force again."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from frasier.interfaces.operations import CliOption, Layer, OperationContext, Output, Result
from frasier.interfaces.operations.organisation.people import AgentInput
from frasier.interfaces.operations.organisation.services import Note, declare_founders, services_of
from frasier.kernel.humanize import plural
from frasier.org.improvement import roll_back_persona
from frasier.overview import (
    PersonaDifference,
    PersonaHistory,
    read_persona_difference,
    read_persona_history,
)

_VERSIONS_MAX = 2**31 - 1


class PersonaHistoryOutput(Output):
    """The versions and the history of an agent's persona."""

    history: PersonaHistory


async def _history(context: OperationContext, request: AgentInput) -> Result[PersonaHistoryOutput]:
    history = await services_of(context).in_transaction(read_persona_history, request.agent)
    return Result(
        summary=f"{history.name} has {plural(len(history.versions), 'version')} of their persona;"
        f" version {history.in_force} is in force.",
        data=PersonaHistoryOutput(history=history),
    )


class PersonaDiffInput(AgentInput):
    """The two versions that are compared."""

    old: Annotated[int | None, CliOption(flags=("--from",))] = Field(
        None,
        ge=1,
        le=_VERSIONS_MAX,
        description="The version that is compared; the one before the other by default",
    )
    new: Annotated[int | None, CliOption(flags=("--to",))] = Field(
        None,
        ge=1,
        le=_VERSIONS_MAX,
        description="The version that it is compared with; the newest by default",
    )


class PersonaDiffOutput(Output):
    """The difference between two versions."""

    difference: PersonaDifference


async def _diff(context: OperationContext, request: PersonaDiffInput) -> Result[PersonaDiffOutput]:
    difference = await services_of(context).in_transaction(
        read_persona_difference, request.agent, before=request.old, after=request.new
    )
    parts = ", ".join(one.part for one in difference.parts) or "nothing"
    return Result(
        summary=f"Versions {difference.before} and {difference.after} differ in: {parts}.",
        data=PersonaDiffOutput(difference=difference),
    )


class PersonaRollbackInput(AgentInput):
    """The version that comes into force again."""

    version: Annotated[int | None, CliOption(flags=("--to",))] = Field(
        None,
        ge=1,
        le=_VERSIONS_MAX,
        description="The version to go back to; the one before if not said",
    )
    why: Note = ""


class PersonaRollbackOutput(Output):
    """The version that is in force now, and the one that was."""

    agent: str
    version: int
    before: int


async def _rollback(
    context: OperationContext, request: PersonaRollbackInput
) -> Result[PersonaRollbackOutput]:
    services = services_of(context)
    before = (await services.in_transaction(read_persona_history, request.agent)).in_force
    agent = await services.in_transaction(
        roll_back_persona, request.agent, version=request.version, why=request.why
    )
    return Result(
        summary=f"Version {agent.persona_version} of {agent.name}'s persona is in force again;"
        f" version {before} is kept.",
        data=PersonaRollbackOutput(agent=agent.key, version=agent.persona_version, before=before),
    )


HISTORY = declare_founders(
    _history,
    name="persona_history",
    title="Show an agent's personas",
    layer=Layer.DETAIL,
    about="Every version of an agent's persona: who wrote it, why, with what hypothesis, and when it was in force.",
    read_only=True,
)
DIFF = declare_founders(
    _diff,
    name="persona_diff",
    title="Compare personas",
    layer=Layer.DETAIL,
    about="What differs between two versions of an agent's persona, sentence by sentence.",
    read_only=True,
)
ROLLBACK = declare_founders(
    _rollback,
    name="persona_rollback",
    title="Roll a persona back",
    layer=Layer.SURGICAL,
    about="Put an earlier version of an agent's persona in force again; nothing is deleted.",
)
