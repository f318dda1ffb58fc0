"""Options of a command, derived from the input of its operation: a new field there is an option here."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import wraps
from typing import Annotated, Any, TypeAlias, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from frasier.interfaces.cli.parse_args import MOMENT_FORMATS, absolute, in_utc, json_object
from frasier.interfaces.cli.text_args import HOW, given_text
from frasier.interfaces.operations import OperationInput, Reads, option_of

Arguments: TypeAlias = dict[str, Any]
"""Typed arguments by the names of the operation's fields; only those that were typed."""

Command: TypeAlias = Callable[..., None]

_TYPER_TYPES: Mapping[Any, type] = {
    bool: bool,
    int: int,
    float: float,
    datetime: datetime,
}


def options_of(
    operation_input: type[OperationInput], *, leave_out: Collection[str] = ()
) -> Callable[[Command], Command]:
    """Give a command an option for each field of `operation_input` except those in `leave_out`.

    The command receives them as `arguments`; its own parameters come after them.
    """
    fields = {name: field for name, field in operation_input.model_fields.items() if name not in leave_out}

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*, _context: typer.Context, **typed: Any) -> None:
            arguments = {name: _value(fields[name], name, typed.pop(name)) for name in fields}
            return command(
                _context, {name: value for name, value in arguments.items() if value is not None}, **typed
            )

        own = inspect.signature(command, eval_str=True).parameters.values()
        context, _arguments, *others = (
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own
        )
        context = context.replace(name="_context")  # a name that no field has
        in_order = sorted(fields.items(), key=lambda item: _takes_the_rest(item[1]))
        derived = [_parameter(name, field) for name, field in in_order]
        run.__signature__ = inspect.Signature([context, *derived, *others])  # type: ignore[attr-defined]
        run.__annotations__ = {}  # Typer reads them along with the signature
        return run

    return decorate


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    option = option_of(field)
    kind, many = _type_of(field.annotation)
    text = option.help or f"{field.description}."
    settings: dict[str, Any] = {
        "help": f"{text} {HOW}" if option.reads is Reads.TEXT else text,
        "metavar": option.argument or option.metavar,
    }
    if kind is datetime:
        settings |= {"formats": MOMENT_FORMATS, "metavar": option.metavar or "TIME"}
    default = _default(field, kind, many=many)
    if option.argument:
        info = typer.Argument(**settings)
    else:
        flag = f"--{name.replace('_', '-')}"
        flags = option.flags or (f"{flag}/--no-{flag[2:]}" if field.default is True else flag,)
        info = typer.Option(*flags, **settings)
    whole = list[kind] if many else kind  # type: ignore[valid-type]
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[whole if default is not None else whole | None, info],
    )


def _default(field: FieldInfo, kind: type, *, many: bool) -> Any:
    """Return the default as the help shows it; a default without information stays with the operation."""
    if field.is_required():
        return inspect.Parameter.empty
    if (own := option_of(field).default) is not None:
        return own
    if many or kind is datetime or field.default in (None, "", ()):
        return None
    return str(field.default) if kind is str else field.default


def _takes_the_rest(field: FieldInfo) -> bool:
    """Whether this is a positional argument that repeats, which no other can follow."""
    return bool(option_of(field).argument) and _type_of(field.annotation)[1]


def _type_of(annotation: Any) -> tuple[type, bool]:
    """Return the type as Typer reads it, and whether the option is repeatable. Enums are texts, which the operation
    checks.
    """
    if get_origin(annotation) is Annotated:
        return _type_of(get_args(annotation)[0])
    parts = [part for part in get_args(annotation) if part is not type(None)]
    if get_origin(annotation) in (tuple, list, frozenset):
        return _type_of(parts[0])[0], True
    if len(parts) == 1:
        return _type_of(parts[0])
    return _TYPER_TYPES.get(annotation, str), False


def _value(field: FieldInfo, name: str, typed: Any) -> Any:
    """Return the value as the operation takes it; None if nothing was typed."""
    option = option_of(field)
    if typed is None or typed == []:
        return None
    if isinstance(typed, datetime):
        return in_utc(typed)
    label = option.label(name)
    match option.reads:
        case Reads.TEXT:
            return given_text("@-" if typed == "-" and option.argument else typed, label)
        case Reads.PATH:
            return absolute(typed)
        case Reads.JSON:
            return json_object(typed, label)
        case Reads.PLAIN:
            return typed
