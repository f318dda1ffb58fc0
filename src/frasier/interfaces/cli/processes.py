"""`frasier up`, `worker` and `heartbeat`: processes that run until asked to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.advice import announcement_text
from frasier.interfaces.cli.status import means_line
from frasier.interfaces.cli.with_services import check_embedding_key, with_services
from frasier.kernel.errors import StoreError
from frasier.kernel.ids import new_id
from frasier.kernel.text import strip_control

if TYPE_CHECKING:
    import asyncio
    from uuid import UUID

    from frasier.interfaces.services import Services

_EVERY_S = 1.0
_AT_ONCE = 100

ConcurrencyOption = Annotated[
    int | None,
    typer.Option("--concurrency", "-c", min=1, max=64, help="How many tasks are worked on at once."),
]


def up(
    context: typer.Context,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Only the heartbeat and the outbox.")
    ] = False,
    concurrency: ConcurrencyOption = None,
) -> None:
    """Run everything until Ctrl-C. Worker, heartbeat and outbox in one process."""
    with_services(
        context,
        lambda services: _serve(services, worker=not no_worker, concurrency=concurrency),
        any_actor=True,
    )


def worker(context: typer.Context, concurrency: ConcurrencyOption = None) -> None:
    """Run a worker alone. On as many machines as wanted; `frasier heartbeat` must run on one of them."""
    with_services(
        context,
        lambda services: _serve(services, housekeeping=False, concurrency=concurrency),
        any_actor=True,
    )


def heartbeat(context: typer.Context) -> None:
    """Run the heartbeat and the outbox alone. They seal, index, publish and announce; no task is worked on."""
    with_services(context, lambda services: _serve(services, worker=False), any_actor=True)


async def _serve(
    services: Services, *, worker: bool = True, housekeeping: bool = True, concurrency: int | None = None
) -> None:
    from frasier.interfaces.cli.shutdown_signals import stop_on_signals

    await check_embedding_key(services)
    stop = stop_on_signals()
    async with services.running(
        worker=worker, housekeeping=housekeeping, concurrency=concurrency, staying=True
    ):
        parts = [name for name, runs in (("worker", worker), ("heartbeat and outbox", housekeeping)) if runs]
        typer.echo(f"Frasier is up ({', '.join(parts)}): {_configured(services)}.")
        typer.echo(
            "`frasier status` and `frasier inbox` show how it goes; Ctrl-C stops it, and nothing is lost."
        )
        await _announce(services, stop)
    typer.echo("Stopped. What was begun goes on at the next start.")


def _configured(services: Services) -> str:
    setup = services.setup
    means = means_line(rehearsal=setup.rehearsal, models=setup.models, web_search=setup.web_search)
    where = f"database at {setup.database_address}" if setup.database_address else "embedded database"
    return f"{means}; {where}; home {services.home}"


async def _announce(services: Services, stop: asyncio.Event) -> None:
    """Print announcements, and work that cannot be carried out, to standard error while this process runs, until
    asked to stop.
    """
    from frasier.interfaces.cli.shutdown_signals import pause
    from frasier.org.planning import ANNOUNCE
    from frasier.store import latest_effects, open_effects

    begun = new_id()
    announced: set[UUID] = set()
    causes: dict[UUID, str | None] = {}
    while not await pause(stop, _EVERY_S):
        try:
            newest = await services.in_transaction(latest_effects, kind=ANNOUNCE, after=begun, limit=_AT_ONCE)
            troubles = await services.in_transaction(open_effects)
        except StoreError:
            continue  # the parts log it, and all continue when the database is back
        for effect in newest:
            if effect.id not in announced:
                typer.echo(strip_control(announcement_text(effect.payload)), err=True)
        announced = {effect.id for effect in newest}
        for effect in troubles:
            if causes.get(effect.id, "") != effect.error:
                causes[effect.id] = effect.error
                typer.echo(strip_control(f"{effect.kind} is in trouble: {effect.error}"), err=True)
