"""The founder's decisions: what waits for one, and giving it, which takes the founder's own credential."""

from __future__ import annotations

from pydantic import Field

from frasier.board import Decision, answer_decision, briefs, open_decisions
from frasier.interfaces.task_tools.inputs import BoardInput, ProjectName
from frasier.interfaces.task_tools.resolve import board_of, projects_of, who_asks
from frasier.interfaces.task_tools.task_json import decision_line, how_to_make
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool
from frasier.kernel.humanize import person
from frasier.workflow import ActorKind


class DecisionsInput(BoardInput):
    project: ProjectName = None


async def _decisions(around: Surroundings, given: DecisionsInput) -> Reply:
    board = board_of(around)
    actor = await who_asks(around)
    found: list[Decision] = []
    for project in await projects_of(around, given.project):
        found += await board.in_transaction(open_decisions, project.id)
    found.sort(key=lambda one: one.asked_at)
    shown = await board.in_transaction(briefs, found)
    return Reply(
        summary=f"{len(found)} {'waits' if len(found) == 1 else 'wait'} for the founder.",
        data={
            "decisions": [decision_line(one) for one in shown],
            "you_decide": actor.kind is ActorKind.FOUNDER,
        },
    )


class DecideInput(BoardInput):
    decision: str = Field(
        min_length=4, max_length=64, description="Its id as task_decisions shows it, or the end of it"
    )
    approve: bool
    comment: str = Field(
        "", max_length=2_000, description="Why; whoever asked is told. A rejection needs one"
    )


async def _decide(around: Surroundings, given: DecideInput) -> Reply:
    board = board_of(around)
    decided = await board.in_transaction(
        answer_decision,
        given.decision,
        approve=given.approve,
        comment=given.comment,
        actor=await who_asks(around),
    )
    [shown] = await board.in_transaction(briefs, [decided])
    return Reply(
        summary=f"{decided.transition} of {decided.slug} is {decided.answer}.",
        data=decision_line(shown),
        hints=(how_to_make(decided) if given.approve else _what_rejecting_does(decided),),
    )


def _what_rejecting_does(decision: Decision) -> str:
    return f"{person(decision.asked_by)} is told so, with your reason; {decision.slug} stays where it is."


DECIDING = (
    Tool(
        name="task_decisions",
        title="What waits for the founder",
        layer=Layer.DISCOVERY,
        about="Moves that wait for the founder's decision: the work, its criteria, tests and evidence.",
        input=DecisionsInput,
        run=_decisions,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="task_decide",
        title="Decide, as the founder",
        layer=Layer.SURGICAL,
        about="Approves or rejects one move of one version of one task. Only with the founder's own credential.",
        input=DecideInput,
        run=_decide,
        destructive=True,
    ),
)
