"""The protocol server: our tools under their own schemas, and every error in the shape that all interfaces show."""

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
    run_operation,
)
from frasier.kernel.advice import Advice
from frasier.kernel.errors import FrasierError
from frasier.kernel.logging_setup import get_logger

log = get_logger()

Context: TypeAlias = ServerRequestContext[Any, Any]
ContextOf: TypeAlias = Callable[[Context], Awaitable[OperationContext]]
"""Makes the context of a request, anew for each; raises NotAllowed for a caller who may not call any more."""

_DEFECT_FRAMES = 8
_PROGRESS_EVERY_S = 0.2


def make_server(
    tool_set: ToolSet, surroundings_of: ContextOf, sessions: LiveSessions
) -> Server[dict[str, Any]]:
    """A server of `tool_set`. Notes in `sessions` which sessions it serves."""
    introduction = tool_set.introduction
    dialect = ToolCalls(tool_set.tools)
    listed = ListToolsResult(
        tools=[ListedTool.model_validate(listing) for listing in introduction.listing(tool_set.tools)]
    )

    async def list_tools(_context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return listed

    async def call(context: Context, params: CallToolRequestParams) -> CallToolResult:
        try:
            operation_context = replace(
                await surroundings_of(context), dialect=dialect, progress=_progress_of(context)
            )
            envelope = await run_operation(
                find_operation(tool_set.tools, params.name), operation_context, params.arguments or {}
            )
        except FrasierError as error:
            return _result(error_facts(error, dialect), is_error=True)
        except Exception as error:  # noqa: BLE001  nobody is left without an answer that can be read
            _log_defect(params.name, error)
            return _result(_defect(dialect), is_error=True)
        answer = as_json(envelope)
        sessions.note(_session_of(params.arguments, answer))
        return _result(answer)

    return Server(
        introduction.name,
        version=__version__,
        title=introduction.title,
        instructions=introduction.instructions(tool_set.tools),
        on_list_tools=list_tools,
        on_call_tool=call,
    )


def _progress_of(context: Context) -> Progress:
    """Tells the host how far a call is, if it asked for that; not more often than anybody can see."""
    told_at = -math.inf

    async def tell(finished: int, total: int) -> None:
        nonlocal told_at
        now = time.monotonic()
        if finished == total or now - told_at >= _PROGRESS_EVERY_S:
            told_at = now
            await context.session.report_progress(finished, total)

    return tell


def _session_of(arguments: Mapping[str, Any] | None, answer: Mapping[str, Any]) -> str | None:
    """The session that a call was part of: the one that it named, else the one that it was given."""
    session = (arguments or {}).get("session") or answer["data"].get("session")
    return session if isinstance(session, str) else None


def whole_listing(operation: AnyOperation) -> ListedTool:
    """Return an operation as a host is shown it that is given every tool: the catalog is made of these."""
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
    """As text for hosts that show nothing else, and as an object that has the tool's output schema."""
    # Half a surrogate pair can be written in JSON and not in UTF-8: written as it is, it would end the connection.
    text = json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace").decode()
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
    """Log the place and the kind of a defect, not its message, which may quote a memory."""
    frames = traceback.extract_tb(error.__traceback__)[-_DEFECT_FRAMES:]
    log.error(
        "mcp.defect",
        tool=tool[:80],
        kind=type(error).__name__,
        at=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )
