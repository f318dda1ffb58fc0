"""The MCP server: tools under their own schemas, and errors in the same shape as in every interface."""

from __future__ import annotations

import json
import math
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

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
from frasier.interfaces.operations import (
    AnyOperation,
    OperationContext,
    Progress,
    ToolSet,
    as_json,
    find_operation,
    reader_of,
    run_operation,
)
from frasier.kernel.advice import Advice
from frasier.kernel.errors import FrasierError
from frasier.kernel.logging_setup import get_logger

log = get_logger()

Context: TypeAlias = ServerRequestContext[Any, Any]
ContextOf: TypeAlias = Callable[[Context], Awaitable[OperationContext]]
"""Make the context of one request; raise NotAllowed if the caller's access was revoked."""

_DEFECT_FRAMES = 8
_PROGRESS_INTERVAL_S = 0.2


def make_server(tool_set: ToolSet, context_of: ContextOf, sessions: LiveSessions) -> Server[dict[str, Any]]:
    """Return a server of `tool_set` that records in `sessions` the sessions it serves."""
    introduction = tool_set.introduction
    listed = ListToolsResult(
        tools=[ListedTool.model_validate(listing) for listing in introduction.listing(tool_set.tools)]
    )

    async def list_tools(_context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return listed

    async def call(context: Context, params: CallToolRequestParams) -> CallToolResult:
        dialect = ToolCalls(tool_set.tools)
        try:
            told = await context_of(context)
            dialect = replace(dialect, reader=reader_of(told.caller))
            operation_context = replace(told, dialect=dialect, progress=_progress_reporter(context))
            envelope = await run_operation(
                find_operation(tool_set.tools, params.name), operation_context, params.arguments or {}
            )
        except FrasierError as error:
            return _result(error_facts(error, dialect), is_error=True)
        except Exception as error:  # noqa: BLE001  every call gets a readable response
            _log_unexpected_error(params.name, error)
            return _result(_unexpected_error(dialect), is_error=True)
        answer = as_json(envelope)
        sessions.note(_session_id(params.arguments, answer))
        return _result(answer)

    return Server(
        introduction.name,
        version=__version__,
        title=introduction.title,
        instructions=introduction.instructions(tool_set.tools),
        on_list_tools=list_tools,
        on_call_tool=call,
    )


def _progress_reporter(context: Context) -> Progress:
    """Return a function that reports the progress of a call to the host, at most five times a second."""
    reported_at = -math.inf

    async def report(finished: int, total: int) -> None:
        nonlocal reported_at
        now = time.monotonic()
        if finished == total or now - reported_at >= _PROGRESS_INTERVAL_S:
            reported_at = now
            await context.session.report_progress(finished, total)

    return report


def _session_id(arguments: Mapping[str, Any] | None, answer: Mapping[str, Any]) -> str | None:
    """Return the id of the session of a call: the one in its arguments, else the one in its result."""
    session = (arguments or {}).get("session") or answer["data"].get("session")
    return session if isinstance(session, str) else None


def full_listing(operation: AnyOperation) -> ListedTool:
    """Return the listing of an operation for a host that is offered every tool. The catalog is made of these."""
    return ListedTool(
        name=operation.name,
        title=operation.title,
        description=operation.description,
        input_schema=operation.input_schema,
        output_schema=operation.output_schema,
        annotations=ToolAnnotations(
            read_only_hint=operation.read_only,
            destructive_hint=operation.destructive,
            idempotent_hint=operation.idempotent,
            open_world_hint=False,
        ),
    )


def _result(answer: Mapping[str, Any], *, is_error: bool = False) -> CallToolResult:
    """Return a result as text, for hosts that show nothing else, and as an object of the tool's output schema."""
    # JSON can hold a lone surrogate and UTF-8 cannot: encoding it unchanged would end the connection.
    text = json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace").decode()
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=None if is_error else json.loads(text),
        is_error=is_error,
    )


def _unexpected_error(dialect: Dialect) -> dict[str, str]:
    return {
        "code": "defect",
        "message": "Frasier failed unexpectedly; its log says where.",
        "kept": "What was saved before is kept.",
        "hint": f"Try it another way. {dialect.advise(Advice('doctor.run', to='look at the parts'))}",
    }


def _log_unexpected_error(tool: str, error: Exception) -> None:
    """Log the type and the place of an error, not its message, which may quote a memory."""
    frames = traceback.extract_tb(error.__traceback__)[-_DEFECT_FRAMES:]
    log.error(
        "mcp.defect",
        tool=tool[:80],
        kind=type(error).__name__,
        at=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )
