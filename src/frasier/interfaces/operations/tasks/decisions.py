"""The founder's decisions: list those that wait, and decide, which takes the founder's own credential."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from frasier.board import Decision, answer_decision, briefs, read_open_decisions
from frasier.interfaces.operations import CliOption, Layer, OperationContext, Output, Result, declare
from frasier.interfaces.operations.tasks.inputs import BoardInput, OneBoardInput
from frasier.interfaces.operations.tasks.outputs import DecisionOutput, next_step
from frasier.interfaces.operations.tasks.resolve import acting_caller, board_engine
from frasier.kernel.humanize import person
from frasier.workflow import ActorKind


class DecisionsOutput(Output):
    """The decisions that wait for the founder, longest first."""

    decisions: tuple[DecisionOutput, ...]
    you_decide: bool


async def _decisions(context: OperationContext, request: OneBoardInput) -> Result[DecisionsOutput]:
    waiting = await board_engine(context).in_transaction(read_open_decisions, context.caller, request.board)
    count = len(waiting.briefs)
    return Result(
        summary=f"{count} {'waits' if count == 1 else 'wait'} for the founder.",
        data=DecisionsOutput(
            decisions=tuple(DecisionOutput.of_brief(brief) for brief in waiting.briefs),
            you_decide=waiting.actor.kind is ActorKind.FOUNDER,
        ),
    )


class DecideInput(BoardInput):
    decision: Annotated[
        str,
        CliOption(argument="DECISION", help="Its id as `decisions` shows it, its beginning or end."),
    ] = Field(min_length=4, max_length=64, description="Its id as task_decisions shows it, or the end of it")
    approve: bool
    comment: Annotated[
        str,
        CliOption(flags=("--comment", "--note"), help="Why; whoever asked is told. A rejection needs one."),
    ] = Field("", max_length=2_000, description="Why; whoever asked is told. A rejection needs one")


async def _decide(context: OperationContext, request: DecideInput) -> Result[DecisionOutput]:
    engine = board_engine(context)
    decided = await engine.in_transaction(
        answer_decision,
        request.decision,
        approve=request.approve,
        comment=request.comment,
        actor=await acting_caller(context),
    )
    [brief] = await engine.in_transaction(briefs, [decided])
    return Result(
        summary=f"{decided.transition} of {decided.slug} is {decided.answer}.",
        data=DecisionOutput.of_brief(brief),
        hints=(next_step(decided) if request.approve else _effect_of_rejection(decided),),
    )


def _effect_of_rejection(decision: Decision) -> str:
    return f"{person(decision.asked_by)} is told so, with your reason; {decision.slug} stays where it is."


DECISIONS = declare(
    _decisions,
    name="task_decisions",
    title="What waits for the founder",
    layer=Layer.DISCOVERY,
    about="Moves that wait for the founder's decision: the work, its criteria, tests and evidence.",
    read_only=True,
)
DECIDE = declare(
    _decide,
    name="task_decide",
    title="Decide, as the founder",
    layer=Layer.SURGICAL,
    about="Approves or rejects one move of one version of one task. Only with the founder's own credential,"
    " which a host over standard input never has.",
    destructive=True,
)
