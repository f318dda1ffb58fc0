"""Calls of a tool by its name as a host makes them, with the JSON response parsed into an envelope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.interfaces.operations import (
    AnyOperation,
    Envelope,
    OperationContext,
    as_json,
    find_operation,
    run_operation,
)


async def call_tool(
    operations: Mapping[str, AnyOperation], context: OperationContext, name: str, arguments: Mapping[str, Any]
) -> Envelope[dict[str, Any]]:
    answer = await run_operation(find_operation(operations, name), context, arguments)
    return Envelope[dict[str, Any]].model_validate(as_json(answer))
