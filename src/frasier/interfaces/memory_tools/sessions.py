"""Sessions: where the work stands, kept for whoever goes on with it."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from frasier.interfaces.memory_tools.fields import Page, secret_hints
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput, told
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import plural
from frasier.memory import (
    Session,
    SessionStatus,
    list_sessions,
    read_session,
    resume_latest_session,
    save_session,
    write_continue_file,
)

_TEXT_MAX = 10_000


class SessionSaveInput(ToolInput):
    session: str | None = Field(
        None, max_length=128, description="Default: a new one, whose id you are given"
    )
    task: str | None = Field(None, max_length=_TEXT_MAX)
    last_action: str | None = Field(None, max_length=_TEXT_MAX)
    summary: str | None = Field(None, max_length=_TEXT_MAX)
    pending_work: str | None = Field(None, max_length=_TEXT_MAX)
    state: dict[str, Any] | None = Field(None, description="Anything else, as a small JSON object")
    done: bool = Field(False, description="The work is finished")
    continue_folder: str | None = Field(
        None, max_length=500, description="Folder in a memory folder that gets a CONTINUE_SESSION.md"
    )


async def _save(around: Surroundings, given: SessionSaveInput) -> Reply:
    session = await around.engine.in_transaction(
        save_session,
        around.caller,
        given.session,
        task=given.task,
        last_action=given.last_action,
        summary=given.summary,
        pending_work=given.pending_work,
        state=given.state,
        completed=given.done,
    )
    written = None
    if given.continue_folder is not None:
        written = await write_continue_file(
            around.engine.files.roots,
            given.continue_folder,
            session,
            resume=around.dialect.advise(Advice("session.recover", to="go on with it", session=session.id)),
        )
    return Reply(
        summary=f"Session {session.id} is saved{' and completed' if given.done else ''}.",
        data=_shape(session) | told(continue_file=str(written) if written else None),
        hints=(
            *secret_hints(given),
            *(
                "Give this session's id with every search, so that nothing is sent twice."
                for _ in range(not given.done)
            ),
        ),
    )


class RecoverInput(ToolInput):
    session: str | None = Field(None, max_length=128, description="Default: the latest that is not completed")
    take_over: bool = Field(False, description="Even if another process serves it")
    forget_sent: bool = Field(True, description="You lost your context: what was given counts as not given")


async def _recover(around: Surroundings, given: RecoverInput) -> Reply:
    session = await around.engine.in_transaction(
        resume_latest_session,
        around.caller,
        given.session,
        force=given.take_over,
        forget_sent=given.forget_sent,
    )
    if session is None:
        return Reply(
            summary="There is no session to go on with.",
            data={"recovered": False},
            hints=(Advice("session.save", to="begin one"),),
        )
    return Reply(
        summary=f"Session {session.id} goes on.",
        data=_shape(session) | {"recovered": session.recovered},
        hints=(Advice("memory.context", to="get what it needs", mode="resume"),),
    )


class SessionListInput(ToolInput):
    status: SessionStatus | None = None
    limit: Page = 20


async def _list(around: Surroundings, given: SessionListInput) -> Reply:
    found = await around.engine.in_transaction(
        list_sessions, around.caller, status=given.status, limit=given.limit
    )
    return Reply(
        summary=f"{plural(len(found), 'session')}.", data={"sessions": [_shape(session) for session in found]}
    )


class SessionGetInput(ToolInput):
    session: str = Field(max_length=128)


async def _get(around: Surroundings, given: SessionGetInput) -> Reply:
    session = await around.engine.in_transaction(read_session, around.caller, given.session)
    return Reply(summary=f"Session {session.id} is {session.status}.", data=_shape(session))


def _shape(session: Session) -> dict[str, Any]:
    return told(
        session=session.id,
        scope=session.scope,
        status=session.status,
        task=session.task,
        last_action=session.last_action,
        summary=session.summary,
        pending_work=session.pending_work,
        state=session.state,
        active_at=session.active_at,
        created_at=session.created_at,
    )


SESSIONS = (
    Tool(
        name="session_save",
        title="Save where the work stands",
        layer=Layer.DETAIL,
        about="Note where the work stands, so that it can go on after a crash or a lost context.",
        input=SessionSaveInput,
        run=_save,
        idempotent=True,
    ),
    Tool(
        name="session_recover",
        title="Go on with a session",
        layer=Layer.DISCOVERY,
        about="Take up a session that was left or interrupted, with all that was noted of it.",
        input=RecoverInput,
        run=_recover,
        idempotent=True,
    ),
    Tool(
        name="session_get",
        title="Read a session",
        layer=Layer.DISCOVERY,
        about="Where the work of one session stands, without taking it up.",
        input=SessionGetInput,
        run=_get,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="session_list",
        title="Sessions",
        layer=Layer.DISCOVERY,
        about="Your sessions, those used last first.",
        input=SessionListInput,
        run=_list,
        read_only=True,
        idempotent=True,
    ),
)
