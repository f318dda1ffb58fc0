"""Declare an operation by the function that runs it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import get_annotations
from typing import get_args

from frasier.interfaces.operations.operation import Data, Input, Operation, OperationContext, Result
from frasier.interfaces.tool_catalog import Layer


def declare(
    run: Callable[[OperationContext, Input], Awaitable[Result[Data]]],
    *,
    name: str,
    title: str,
    layer: Layer,
    about: str,
    read_only: bool = False,
    destructive: bool = False,
    idempotent: bool | None = None,
    founders: bool = False,
) -> Operation[Input, Data]:
    """Return the operation that `run` carries out; its annotations say the input and the output.

    What only reads is idempotent unless `idempotent` says otherwise.
    """
    _context, input_, result = get_annotations(run, eval_str=True).values()
    return Operation(
        name=name,
        title=title,
        layer=layer,
        about=about,
        input=input_,
        output=get_args(result)[0],
        run=run,
        read_only=read_only,
        destructive=destructive,
        idempotent=read_only if idempotent is None else idempotent,
        founders=founders,
    )
