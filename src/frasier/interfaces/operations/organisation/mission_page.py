"""Read one mission whole."""

from __future__ import annotations

from frasier.interfaces.operations import Layer, OperationContext, Output, Result
from frasier.interfaces.operations.organisation.missions import MissionInput
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import plural
from frasier.overview import MissionPage, read_mission


class MissionOutput(Output):
    """A mission with its steps, plan, estimate, spend, sources and what it waits for."""

    mission: MissionPage


async def _get(context: OperationContext, request: MissionInput) -> Result[MissionOutput]:
    mission = await services_of(context).in_transaction(read_mission, request.mission)
    progress = mission.progress
    done = sum(step.status == "completed" for step in progress.steps if step.level)
    of = sum(bool(step.level) for step in progress.steps)
    return Result(
        summary=f"{progress.title}: {progress.status}, {done} of {plural(of, 'step')} done.",
        data=MissionOutput(mission=mission),
        hints=tuple(
            Advice(
                "question.decide",
                to="answer its question",
                question=str(one.question),
                answer="ANSWER" if one.asks_for_words else one.options[0],
            )
            for one in mission.questions
        ),
    )


GET = declare_founders(
    _get,
    name="mission_get",
    title="Show a mission",
    layer=Layer.DETAIL,
    about="One mission whole: its steps with status, phase, scores and costs, its plan and estimate, the expected end,"
    " sources, open questions and what holds it up.",
    read_only=True,
)
