"""A host is answered at once; the server is loaded meanwhile, and takes over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from frasier.interfaces.mcp_startup.first_answers import FirstAnswers
from frasier.interfaces.mcp_startup.stdio_lines import Wire, open_wire

ServeWire: TypeAlias = Callable[[Wire], Awaitable[None]]


async def serve_host(first: FirstAnswers, load: Callable[[], ServeWire], stop: asyncio.Event) -> None:
    """Answer the host by `first` until `load` has brought a server, which serves it from then on.

    Returns when the host is gone or `stop` is set.
    """
    wire = open_wire(first)
    serve = await asyncio.to_thread(load)  # to import takes a second, in which the loop hands lines over
    if not (wire.gone.is_set() or stop.is_set()):
        await serve(wire)
