"""Have an agent's persona revised, and read the trials in which new versions prove themselves."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from frasier.board import anybody_works
from frasier.interfaces.operations import CliOption, Layer, OperationContext, Output, Result, StorableInput
from frasier.interfaces.operations.organisation.people import AgentInput
from frasier.interfaces.operations.organisation.services import (
    Limit,
    Note,
    declare_founders,
    how_it_goes_on,
    services_of,
)
from frasier.interfaces.operations.paging import More, first_of, more_hint
from frasier.kernel.humanize import plural
from frasier.org.improvement import upskill_by_founder
from frasier.overview import TrialPage, read_trials


class AgentUpskillInput(AgentInput):
    """The agent whose persona is revised, or the skill that is, from their work, and why."""

    why: Note = ""
    skill: str = Field("", max_length=80, description="The skill that is revised in place of the persona")


class AgentUpskillOutput(Output):
    """The trial that begins with the writing of a new version."""

    trial: TrialPage


async def _upskill(context: OperationContext, request: AgentUpskillInput) -> Result[AgentUpskillOutput]:
    services = services_of(context)
    trial = await services.in_transaction(
        upskill_by_founder, request.agent, why=request.why, skill=request.skill
    )
    (page,) = await services.in_transaction(read_trials, str(trial.id))
    attended = await services.in_transaction(anybody_works)
    return Result(
        summary=f"A new version of {page.subject} is written from"
        f" {plural(len(trial.studied), 'rejected step')}. Version {page.before} stays in force until a trial shows"
        " that the new one helps.",
        data=AgentUpskillOutput(trial=page),
        hints=how_it_goes_on(attended=attended),
    )


class TrialListInput(StorableInput):
    """The trials that are wanted."""

    which: Annotated[str, CliOption(argument="AGENT|SKILL|TRIAL")] = Field(
        "",
        max_length=200,
        description="An agent's name or key, a skill's name, or a trial's id or a part of it; all without",
    )
    limit: Limit = 20


class TrialListOutput(Output):
    """The trials, newest first."""

    trials: tuple[TrialPage, ...]
    more: More = False


async def _trials(context: OperationContext, request: TrialListInput) -> Result[TrialListOutput]:
    read = await services_of(context).in_transaction(read_trials, request.which, limit=request.limit + 1)
    trials, more = first_of(read, request.limit)
    return Result(
        summary=f"{plural(len(trials), 'trial')}.",
        data=TrialListOutput(trials=trials, more=more),
        hints=more_hint(more=more),
    )


UPSKILL = declare_founders(
    _upskill,
    name="agent_upskill",
    title="Upskill an agent",
    layer=Layer.SURGICAL,
    about="Have a new version of an agent's persona, or of a skill, written from their rejected work; it comes into"
    " force only if a trial shows that it helps.",
)
TRIALS = declare_founders(
    _trials,
    name="trial_list",
    title="Show trials",
    layer=Layer.DETAIL,
    about="The trials of new personas and skills: hypothesis, price, pairs, the exact test, and the report of those"
    " that ended.",
    read_only=True,
)
