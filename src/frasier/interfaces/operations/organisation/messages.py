"""Say something to the chief of staff or about a mission, and read the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated, TypeAlias

from pydantic import Field

from frasier.board import anybody_works
from frasier.interfaces.deliverable_rendering import in_own_language
from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.organisation.given_files import Documents, Paths, Uploads, given_files
from frasier.interfaces.operations.organisation.services import (
    TEXT_CHARS_MAX,
    MissionName,
    declare_founders,
    how_it_goes_on,
    services_of,
)
from frasier.kernel.advice import Advice
from frasier.org.conversation import FounderMessage
from frasier.org.execution import ask_mission, revise_mission, steer_mission
from frasier.overview import AnswerProgress, read_answer

Text: TypeAlias = Annotated[str, Field(max_length=TEXT_CHARS_MAX)]


class MessageOutput(Output):
    """A message with its answer as far as it is; `attended` if somebody works."""

    message: AnswerProgress
    attended: bool


class MessageInput(StorableInput):
    """The name of a message."""

    message: Annotated[str, CliOption(argument="MESSAGE")] = Field(
        max_length=200, description="A message's id, its beginning or end, or `last`"
    )


async def _get(context: OperationContext, request: MessageInput) -> Result[MessageOutput]:
    return await _progress(context, request.message)


async def _progress(context: OperationContext, message: str) -> Result[MessageOutput]:
    services = services_of(context)
    progress = await services.in_transaction(read_answer, message)
    progress = replace(progress, message=in_own_language(progress.message))
    attended = await services.in_transaction(anybody_works)
    answered = progress.message.answered_at is not None
    stopped = progress.blocked or progress.ended
    if answered:
        summary = "It is answered."
    elif stopped:
        summary = f"It is kept, and not answered: {stopped}"
    else:
        summary = "It is kept, and not answered yet."
    waits = Advice("message.show", to="read the answer", message=str(progress.message.id))
    return Result(
        summary=summary,
        data=MessageOutput(message=progress, attended=attended),
        hints=tuple(map(Advice.from_dict, progress.message.advice))
        if answered or stopped
        else (waits, *how_it_goes_on(attended=attended)),
    )


class SayInput(StorableInput):
    """A message with what is attached to it."""

    text: Annotated[Text, CliOption(argument="TEXT")] = Field(
        description="A question, a remark, a standing rule, or a small task"
    )
    documents: Documents = ()
    uploads: Uploads = ()
    attach: Paths = ()


async def _say(context: OperationContext, request: SayInput) -> Result[MessageOutput]:
    async with given_files(
        context, documents=request.documents, uploads=request.uploads, paths=request.attach
    ) as files:
        message = await services_of(context).take_message(request.text, files)
    return await _progress(context, str(message.id))


StoreMessage: TypeAlias = Callable[..., Awaitable[FounderMessage]]


async def _store(
    context: OperationContext, store: StoreMessage, mission: str, text: str
) -> Result[MessageOutput]:
    services = services_of(context)
    message = await services.in_transaction(store, mission, text, rehearsal=services.setup.rehearsal)
    return await _progress(context, str(message.id))


class AskInput(StorableInput):
    """A question about a mission."""

    mission: MissionName
    question: Annotated[Text, CliOption(argument="QUESTION")]


async def _ask(context: OperationContext, request: AskInput) -> Result[MessageOutput]:
    return await _store(context, ask_mission, request.mission, request.question)


class ReviseInput(StorableInput):
    """A wish for a new version of a result."""

    mission: MissionName
    wish: Annotated[Text, CliOption(argument="WISH")] = Field(description="What shall be different")


async def _revise(context: OperationContext, request: ReviseInput) -> Result[MessageOutput]:
    return await _store(context, revise_mission, request.mission, request.wish)


class SteerInput(StorableInput):
    """A change of a mission that runs."""

    mission: MissionName
    change: Annotated[Text, CliOption(argument="CHANGE")] = Field(description="What shall be different")


async def _steer(context: OperationContext, request: SteerInput) -> Result[MessageOutput]:
    return await _store(context, steer_mission, request.mission, request.change)


SAY = declare_founders(
    _say,
    name="say",
    title="Say something to the chief of staff",
    layer=Layer.ORCHESTRATION,
    about="A message to the chief of staff, stored at once and answered by a worker: message_get has the answer. Work"
    " that it asks for begins, a standing rule is recorded.",
)
ASK = declare_founders(
    _ask,
    name="mission_ask",
    title="Ask about a mission",
    layer=Layer.SURGICAL,
    about="A question about a mission, answered from its evidence; message_get has the answer.",
)
REVISE = declare_founders(
    _revise,
    name="mission_revise",
    title="Have a new version of a result made",
    layer=Layer.SURGICAL,
    about="Have a new version of a delivered result made from what was read for it; the version before it is kept.",
)
STEER = declare_founders(
    _steer,
    name="mission_steer",
    title="Change what is not done yet of a mission",
    layer=Layer.SURGICAL,
    about="Say what shall be different of a running mission: what is done stays; message_get tells the changes.",
)
GET = declare_founders(
    _get,
    name="message_get",
    title="Read an answer",
    layer=Layer.DETAIL,
    about="A message of the founder's to the chief of staff or about a mission, with its answer once there is one.",
    read_only=True,
)
