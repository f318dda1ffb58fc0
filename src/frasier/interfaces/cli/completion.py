"""Values that the shell offers for an argument: the ids of missions, of steps, and of what waits for an answer."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

import typer

from frasier.kernel.errors import FrasierError

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application
    from frasier.overview import OfferedName
    from frasier.store import Tx

P = ParamSpec("P")

_SECONDS_MAX = 2.0  # whoever pressed the key waits


def complete_mission(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Offer the newest missions by the ends of their ids, and `last`."""
    from frasier.overview import read_mission_names

    return _offer(incomplete, _read(context, read_mission_names))


def complete_step(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Offer missions, each with the slash behind which its steps are offered."""
    mission, slash, _ = incomplete.partition("/")
    if slash:
        from frasier.overview import read_step_names

        return _offer(incomplete, _read(context, read_step_names, mission))
    return [(f"{name}/", about) for name, about in complete_mission(context, incomplete)]


def complete_mission_or_step(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Offer missions, and behind a slash their steps."""
    return (complete_step if "/" in incomplete else complete_mission)(context, incomplete)


def complete_question(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Offer what waits for an answer, by the ends of the ids."""
    from frasier.overview import read_question_names

    return _offer(incomplete, _read(context, read_question_names))


def complete_kind(incomplete: str) -> list[str]:
    """Offer the kinds of deliverables."""
    from frasier.kernel.deliverable_kind import DeliverableKind

    return [kind.words for kind in DeliverableKind if kind.words.startswith(incomplete)]


def _offer(incomplete: str, names: tuple[OfferedName, ...]) -> list[tuple[str, str]]:
    return [(one.name, one.about) for one in names if one.name.startswith(incomplete)]


def _read(
    context: typer.Context,
    view: Callable[Concatenate[Tx, P], Coroutine[Any, Any, tuple[OfferedName, ...]]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> tuple[OfferedName, ...]:
    import asyncio

    from frasier.interfaces.cli.acting_as import check_founder

    application: Application = context.find_root().obj

    async def read() -> tuple[OfferedName, ...]:
        async with asyncio.timeout(_SECONDS_MAX), application.reader() as in_transaction:
            if in_transaction is None:
                return ()
            await check_founder(in_transaction)
            return await in_transaction(view, *args, **kwargs)

    try:
        return asyncio.run(read())
    except (FrasierError, TimeoutError):
        # The shell is in the midst of a line and can show no error. The command itself will.
        return ()
