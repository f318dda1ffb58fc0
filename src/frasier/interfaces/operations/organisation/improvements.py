"""Have improvements proposed from post-mortems, read them, and accept or refuse them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from frasier.board import anybody_works
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
    Limit,
    Note,
    declare_founders,
    how_it_goes_on,
    services_of,
)
from frasier.interfaces.operations.paging import More, first_of, more_hint
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import plural
from frasier.org.improvement import accept_improvement, begin_reading, refuse_improvement
from frasier.overview import (
    ImprovementPage,
    ImprovementSummary,
    ReadingState,
    read_improvement,
    read_improvements,
    read_reading,
)

ProposalName = Annotated[
    str,
    Field(max_length=200, description="A proposal's id, its beginning or end, or `last`"),
    CliOption(argument="PROPOSAL"),
]


class ProposalRunOutput(Output):
    """The task that reads the post-mortems, with what it has proposed so far."""

    reading: ReadingState


async def _run(context: OperationContext, _request: NoInput) -> Result[ProposalRunOutput]:
    services = services_of(context)
    task = await services.in_transaction(begin_reading)
    attended = await services.in_transaction(anybody_works)
    return Result(
        summary="The post-mortems are read when a worker takes it up.",
        data=ProposalRunOutput(reading=await services.in_transaction(read_reading, task)),
        hints=(Advice("proposal.list", to="see what is proposed"), *how_it_goes_on(attended=attended)),
    )


class ProposalListInput(StorableInput):
    """The proposals that are wanted."""

    state: Annotated[Literal["", "proposed", "accepted", "refused"], CliOption(flags=("--state",))] = Field(
        "", description="Only those in this state"
    )
    limit: Limit = 20


class ProposalListOutput(Output):
    """Improvement proposals, newest first."""

    proposals: tuple[ImprovementSummary, ...]
    more: More = False


async def _list(context: OperationContext, request: ProposalListInput) -> Result[ProposalListOutput]:
    read = await services_of(context).in_transaction(
        read_improvements, state=request.state, limit=request.limit + 1
    )
    proposals, more = first_of(read, request.limit)
    return Result(
        summary=f"{plural(len(proposals), 'proposal')}.",
        data=ProposalListOutput(proposals=proposals, more=more),
        hints=more_hint(more=more),
    )


class ProposalInput(StorableInput):
    """The name of a proposal."""

    proposal: ProposalName


class ProposalOutput(Output):
    """A proposal with its figures, its log and what was measured afterwards."""

    proposal: ImprovementPage


async def _get(context: OperationContext, request: ProposalInput) -> Result[ProposalOutput]:
    page = await services_of(context).in_transaction(read_improvement, request.proposal)
    return _result(page)


class ProposalDecisionInput(ProposalInput):
    """A decision about a proposal."""

    why: Note = ""


async def _accept(context: OperationContext, request: ProposalDecisionInput) -> Result[ProposalOutput]:
    services = services_of(context)
    decided = await services.in_transaction(accept_improvement, request.proposal, why=request.why)
    return _result(await services.in_transaction(read_improvement, str(decided.id)))


async def _refuse(context: OperationContext, request: ProposalDecisionInput) -> Result[ProposalOutput]:
    services = services_of(context)
    decided = await services.in_transaction(refuse_improvement, request.proposal, why=request.why)
    return _result(await services.in_transaction(read_improvement, str(decided.id)))


def _result(page: ImprovementPage) -> Result[ProposalOutput]:
    return Result(
        summary=f"{page.summary.title}: {page.summary.state}. {page.effect}".strip(),
        data=ProposalOutput(proposal=page),
    )


RUN = declare_founders(
    _run,
    name="proposal_run",
    title="Propose improvements",
    layer=Layer.SURGICAL,
    about="Have a colleague read the newest post-mortems and propose improvements; a worker carries it out.",
    idempotent=True,
)
LIST = declare_founders(
    _list,
    name="proposal_list",
    title="List improvement proposals",
    layer=Layer.DISCOVERY,
    about="The newest improvement proposals: what they change, and what was decided.",
    read_only=True,
)
GET = declare_founders(
    _get,
    name="proposal_get",
    title="Show an improvement proposal",
    layer=Layer.DETAIL,
    about="One improvement proposal: the change, the figures behind it, its log, and what was measured afterwards.",
    read_only=True,
)
ACCEPT = declare_founders(
    _accept,
    name="proposal_accept",
    title="Accept an improvement proposal",
    layer=Layer.SURGICAL,
    about="Accept a proposal: a policy has its next version, a persona is revised and tried, the rest is stored.",
)
REFUSE = declare_founders(
    _refuse,
    name="proposal_refuse",
    title="Refuse an improvement proposal",
    layer=Layer.SURGICAL,
    about="Refuse a proposal; it is kept with the reason.",
)
