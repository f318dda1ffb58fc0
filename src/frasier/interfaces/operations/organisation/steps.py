"""Read a step of a mission."""

from __future__ import annotations

from frasier.interfaces.operations import Layer, OperationContext, OperationInput, Output, Result
from frasier.interfaces.operations.organisation.services import StepName, declare_founders, services_of
from frasier.overview import StepPage, read_step


class StepInput(OperationInput):
    """The name of a step."""

    step: StepName


class StepOutput(Output):
    """A step with its versions, critique, reviews, phases and calls."""

    step: StepPage


async def _get(context: OperationContext, request: StepInput) -> Result[StepOutput]:
    step = await services_of(context).in_transaction(read_step, request.step)
    return Result(
        summary=f"{step.title} is {step.status.replace('_', ' ')} with {step.agent}.",
        data=StepOutput(step=step),
    )


GET = declare_founders(
    _get,
    name="step_get",
    title="Show a step",
    layer=Layer.DETAIL,
    about="One step of a mission: its instruction, versions with critique, reviews and verification, calls and costs."
    " deliverable_get has the text of a version.",
    read_only=True,
    idempotent=True,
)
