"""Commands that run one operation: each is declared as the function that draws the data of its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import typer

from frasier.interfaces.cli.operation_options import Arguments, Command, options_of
from frasier.interfaces.cli.run_operation import AlsoScopes, Draw, Out, ask, show
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations import Operation


def operation_command(
    operation: Operation[Any, Out],
    *,
    boards: bool = False,
    summary: bool = False,
    fixed: Mapping[str, Any] | None = None,
) -> Callable[[Draw[Out]], Command]:
    """Make the command of an operation from the function that draws its answer, below its `summary` on request.

    The function's docstring is the help. Inputs that are `fixed` are no options. An operation of the memory whose
    input has no field for scopes gets an option that adds some to the caller's.
    """
    others = fixed or {}

    def decorate(draw: Draw[Out]) -> Command:
        def run(
            context: typer.Context,
            arguments: Arguments,
            scope: AlsoScopes = None,
            as_json: JsonOption = False,
        ) -> None:
            scopes = scope or scopes_in(arguments)
            answer = ask(context, operation, {**arguments, **others}, boards=boards, scopes=scopes)
            show(answer, draw, as_json=as_json, summary=summary)

        def without_scope(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
            run(context, arguments, as_json=as_json)

        has_field = not {"scope", "scopes"}.isdisjoint(operation.input.model_fields)
        command: Command = without_scope if boards or has_field else run
        command.__name__, command.__doc__ = draw.__name__, draw.__doc__
        return options_of(operation.input, leave_out=others.keys())(command)

    return decorate


def scopes_in(arguments: Arguments) -> Sequence[str] | None:
    """Return the scopes that the arguments of an operation name."""
    return arguments.get("scopes") or ([arguments["scope"]] if "scope" in arguments else None)
