"""The protocol server: our tools under their own schemas, and every error in the shape that all interfaces show."""

from __future__ import annotations

import json
import math
import time
import traceback
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import structlog
from mcp.server import Server, ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ListedTool

from frasier import __version__
from frasier.interfaces.advice import Dialect, ToolCalls, error_facts
from frasier.interfaces.mcp.session_heartbeat import LiveSessions
from frasier.interfaces.tool_catalog import offered_advice, offered_schema
from frasier.interfaces.tools import (
    Envelope,
    Offer,
    Progress,
    Surroundings,
    Tool,
    call_tool,
    short_schema,
)
from frasier.kernel.advice import Advice
from frasier.kernel.errors import FrasierError

log = structlog.get_logger()

Context: TypeAlias = ServerRequestContext[Any, Any]
SurroundingsOf: TypeAlias = Callable[[Context], Awaitable[Surroundings]]
"""What a request works with, and for whom. Asked anew for each; raises NotAllowed for whoever may not any more."""

_DEFECT_FRAMES = 8
_PROGRESS_EVERY_S = 0.2


def make_server(
    offer: Offer, surroundings_of: SurroundingsOf, sessions: LiveSessions
) -> Server[dict[str, Any]]:
    """A server of `offer`. Notes in `sessions` which sessions it serves."""
    introduction = offer.introduction
    dialect = ToolCalls(offer.tools)
    listed = ListToolsResult(tools=[_listed(tool, offer.tools) for tool in offer.tools.values()])

    async def list_tools(_context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return listed

    async def call(context: Context, params: CallToolRequestParams) -> CallToolResult:
        try:
            around = replace(await surroundings_of(context), dialect=dialect, progress=_progress_of(context))
            envelope = await call_tool(offer.tools, around, params.name, params.arguments or {})
        except FrasierError as error:
            return _result(error_facts(error, dialect), is_error=True)
        except Exception as error:  # noqa: BLE001  nobody is left without an answer that can be read
            _log_defect(params.name, error)
            return _result(_defect(dialect), is_error=True)
        sessions.note(_session_of(params.arguments, envelope))
        return _result(envelope.model_dump())

    return Server(
        introduction.name,
        version=__version__,
        title=introduction.title,
        instructions=introduction.instructions(offer.tools),
        on_list_tools=list_tools,
        on_call_tool=call,
    )


def _progress_of(context: Context) -> Progress:
    """Tells the host how far a call is, if it asked for that; not more often than anybody can see."""
    told_at = -math.inf

    async def tell(done: int, total: int) -> None:
        nonlocal told_at
        now = time.monotonic()
        if done == total or now - told_at >= _PROGRESS_EVERY_S:
            told_at = now
            await context.session.report_progress(done, total)

    return tell


def _session_of(arguments: Mapping[str, Any] | None, envelope: Envelope) -> str | None:
    """The session that a call was part of: the one that it named, else the one that it was given."""
    session = (arguments or {}).get("session") or envelope.data.get("session")
    return session if isinstance(session, str) else None


def _listed(tool: Tool[Any], offered: Collection[str]) -> ListedTool:
    whole = whole_listing(tool)
    return whole.model_copy(
        update={
            "description": offered_advice(tool.description, offered),
            "input_schema": offered_schema(whole.input_schema, offered),
        }
    )


def whole_listing(tool: Tool[Any]) -> ListedTool:
    """A tool as a host is shown it that is given every tool."""
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.schema,
        output_schema=short_schema(Envelope),
        annotations=ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


def _result(said: Mapping[str, Any], *, is_error: bool = False) -> CallToolResult:
    """As text for hosts that show nothing else, and as an object that has the tool's output schema."""
    # Half a surrogate pair can be said in JSON and not in UTF-8: written as it is, it would end the connection.
    text = json.dumps(said, ensure_ascii=False).encode("utf-8", "replace").decode()
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=None if is_error else json.loads(text),
        is_error=is_error,
    )


def _defect(dialect: Dialect) -> dict[str, str]:
    return {
        "code": "defect",
        "message": "Frasier failed in a way that nobody foresaw; its log says where.",
        "kept": "What was saved before is kept.",
        "hint": f"Try it another way. {dialect.advise(Advice('doctor.run', to='look at the parts'))}",
    }


def _log_defect(tool: str, error: Exception) -> None:
    """Where it happened and of what kind it was. Not what it says: that may quote a memory."""
    frames = traceback.extract_tb(error.__traceback__)[-_DEFECT_FRAMES:]
    log.error(
        "mcp.defect",
        tool=tool[:80],
        kind=type(error).__name__,
        at=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )
