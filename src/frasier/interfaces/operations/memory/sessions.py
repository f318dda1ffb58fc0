"""Sessions: where the work stands, kept for whoever goes on with it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    OperationInput,
    Output,
    Reads,
    Result,
    declare,
)
from frasier.interfaces.operations.memory.fields import Page, secret_hints
from frasier.interfaces.operations.memory.outputs import WorkState
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import plural
from frasier.memory import (
    SessionStatus,
    list_sessions,
    read_session,
    resume_latest_session,
    save_session,
    write_continue_file,
)

WorkText = Annotated[str | None, Field(max_length=10_000)]


class SessionOutput(WorkState):
    """A session, and where its work stands."""

    session: str
    scope: str
    status: SessionStatus
    active_at: datetime
    created_at: datetime


class SessionSaveInput(OperationInput):
    session: Annotated[
        str | None, CliOption(argument="SESSION", help="A session's id; a new one if not said.")
    ] = Field(None, max_length=128, description="Default: a new one, whose id you are given")
    task: Annotated[WorkText, CliOption(help="What is being done.")] = None
    last_action: Annotated[WorkText, CliOption(help="What was done last.")] = None
    summary: Annotated[WorkText, CliOption(help="What is known by now.")] = None
    pending_work: Annotated[WorkText, CliOption(help="What is still to be done.")] = None
    state: Annotated[
        dict[str, Any] | None, CliOption(help="Anything else, as a JSON object.", reads=Reads.JSON)
    ] = Field(None, description="Anything else, as a small JSON object")
    done: bool = Field(False, description="The work is finished")
    continue_folder: Annotated[
        str | None,
        CliOption(help="A folder in a memory folder that gets a CONTINUE_SESSION.md.", reads=Reads.PATH),
    ] = Field(None, max_length=500, description="Folder in a memory folder that gets a CONTINUE_SESSION.md")


class SessionSaveOutput(SessionOutput):
    """A session that was saved, with the file that was written for whoever goes on with it."""

    continue_file: str | None = None


async def _save(context: OperationContext, request: SessionSaveInput) -> Result[SessionSaveOutput]:
    session = await context.memory.in_transaction(
        save_session,
        context.caller,
        request.session,
        completed=request.done,
        **request.model_dump(exclude={"session", "done", "continue_folder"}),
    )
    written = None
    if request.continue_folder is not None:
        written = await write_continue_file(
            context.memory.files.roots,
            request.continue_folder,
            session,
            resume=context.dialect.advise(Advice("session.recover", to="go on with it", session=session.id)),
        )
    return Result(
        summary=f"Session {session.id} is saved{' and completed' if request.done else ''}.",
        data=SessionSaveOutput.of(
            session, session=session.id, continue_file=str(written) if written else None
        ),
        hints=(
            *secret_hints(request),
            *(
                "Give this session's id with every search, so that nothing is sent twice."
                for _ in range(not request.done)
            ),
        ),
    )


class RecoverInput(OperationInput):
    session: Annotated[
        str | None,
        CliOption(argument="SESSION", help="A session's id; the latest that is not completed if not said."),
    ] = Field(None, max_length=128, description="Default: the latest that is not completed")
    take_over: bool = Field(False, description="Even if another process serves it")
    forget_sent: bool = Field(True, description="You lost your context: nothing counts as given")


class SessionRecoverOutput(WorkState):
    """The session that goes on, and whether it had been interrupted; without a session there was none to go on with."""

    session: str = ""
    scope: str = ""
    status: SessionStatus | None = None
    active_at: datetime | None = None
    created_at: datetime | None = None
    recovered: bool


async def _recover(context: OperationContext, request: RecoverInput) -> Result[SessionRecoverOutput]:
    session = await context.memory.in_transaction(
        resume_latest_session,
        context.caller,
        request.session,
        force=request.take_over,
        forget_sent=request.forget_sent,
    )
    if session is None:
        return Result(
            summary="There is no session to go on with.",
            data=SessionRecoverOutput(recovered=False),
            hints=(Advice("session.save", to="begin one"),),
        )
    return Result(
        summary=f"Session {session.id} goes on.",
        data=SessionRecoverOutput.of(session, session=session.id),
        hints=(Advice("memory.context", to="get what it needs", mode="resume"),),
    )


class SessionListInput(OperationInput):
    status: Annotated[
        SessionStatus | None, CliOption(help="Only these: active, completed or interrupted.")
    ] = None
    limit: Page = 20


class SessionListOutput(Output):
    """Sessions, those used last first."""

    sessions: tuple[SessionOutput, ...]


async def _list(context: OperationContext, request: SessionListInput) -> Result[SessionListOutput]:
    sessions = await context.memory.in_transaction(
        list_sessions, context.caller, status=request.status, limit=request.limit
    )
    return Result(
        summary=f"{plural(len(sessions), 'session')}.",
        data=SessionListOutput(
            sessions=tuple(SessionOutput.of(session, session=session.id) for session in sessions)
        ),
    )


class SessionGetInput(OperationInput):
    session: Annotated[str, CliOption(argument="SESSION", help="A session's id.")] = Field(max_length=128)


async def _get(context: OperationContext, request: SessionGetInput) -> Result[SessionOutput]:
    session = await context.memory.in_transaction(read_session, context.caller, request.session)
    return Result(
        summary=f"Session {session.id} is {session.status}.",
        data=SessionOutput.of(session, session=session.id),
    )


SESSION_SAVE = declare(
    _save,
    name="session_save",
    title="Save where the work stands",
    layer=Layer.DETAIL,
    about="Note where the work stands, so that it can go on after a crash or a lost context.",
    idempotent=True,
)
SESSION_RECOVER = declare(
    _recover,
    name="session_recover",
    title="Go on with a session",
    layer=Layer.DISCOVERY,
    about="Take up a session that was left or interrupted, with all that was noted of it.",
    idempotent=True,
)
SESSION_GET = declare(
    _get,
    name="session_get",
    title="Read a session",
    layer=Layer.DISCOVERY,
    about="Where the work of one session stands, without taking it up.",
    read_only=True,
)
SESSION_LIST = declare(
    _list,
    name="session_list",
    title="Sessions",
    layer=Layer.DISCOVERY,
    about="Your sessions, those used last first.",
    read_only=True,
)
