"""Read what the founder said, and the answer."""

from __future__ import annotations

from uuid import UUID

from frasier.interfaces.operations import Layer, OperationContext, OperationInput, Output, Result
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.kernel.advice import Advice
from frasier.overview import AnswerProgress, read_answer


class MessageInput(OperationInput):
    """The id of a message."""

    message: UUID


class MessageOutput(Output):
    """A message with its answer as far as it is."""

    message: AnswerProgress


async def _get(context: OperationContext, request: MessageInput) -> Result[MessageOutput]:
    progress = await services_of(context).in_transaction(read_answer, request.message)
    if progress.message.answered_at is not None:
        summary = "It is answered."
    elif progress.blocked or progress.ended:
        summary = f"It is not answered: {progress.blocked or progress.ended}"
    else:
        summary = "It is not answered yet."
    return Result(
        summary=summary,
        data=MessageOutput(message=progress),
        hints=tuple(map(Advice.from_dict, progress.message.advice)),
    )


GET = declare_founders(
    _get,
    name="message_get",
    title="Read an answer",
    layer=Layer.DETAIL,
    about="A message of the founder's to the chief of staff or about a mission, with its answer once there is one.",
    read_only=True,
    idempotent=True,
)
