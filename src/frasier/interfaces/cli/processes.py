"""`frasier up`, `worker` and `heartbeat`: processes that run until asked to stop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.advice import announcement_text
from frasier.interfaces.cli.page_server import PORT, serve_page
from frasier.interfaces.cli.status import means_line
from frasier.interfaces.cli.with_services import check_embedding_key, with_services
from frasier.kernel.errors import StoreError
from frasier.kernel.ids import new_id
from frasier.kernel.text import strip_control

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine
    from uuid import UUID

    from frasier.interfaces.cli.application import Application
    from frasier.interfaces.services import Services
    from frasier.overview import FailingServices

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
    no_web: Annotated[bool, typer.Option("--no-web", help="Without the page and the HTTP API.")] = False,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, help="The port of the page; 0 takes a free one.")
    ] = PORT,
) -> None:
    """Run everything until Ctrl-C. Worker, heartbeat, outbox and the founder's page in one process.

    Where the port is taken, everything else runs without the page.
    """
    with_services(
        context,
        lambda services: _serve(
            services,
            worker=not no_worker,
            concurrency=concurrency,
            page=None if no_web else lambda stop: _serve_page(context.obj, services, port, stop),
        ),
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
    services: Services,
    *,
    worker: bool = True,
    housekeeping: bool = True,
    concurrency: int | None = None,
    page: Callable[[asyncio.Event], Coroutine[Any, Any, None]] | None = None,
) -> None:
    import asyncio

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
        serving = asyncio.create_task(page(stop)) if page else None
        if serving is not None:
            serving.add_done_callback(partial(_end_with, stop))
        await _announce(services, stop)
        if serving is not None:
            await serving
    typer.echo("Stopped. What was begun goes on at the next start.")


def _end_with(stop: asyncio.Event, serving: asyncio.Task[None]) -> None:
    """End everything in order where the page fails for a reason that nobody expected: it is shown then."""
    if not serving.cancelled() and serving.exception():
        stop.set()


async def _serve_page(application: Application, services: Services, port: int, stop: asyncio.Event) -> None:
    """Serve the page until `stop` is set; tell where it cannot be served, and leave everything else alone."""
    from frasier.interfaces.cli.login_links import announce_login
    from frasier.kernel.errors import ConfigurationError

    try:
        await serve_page(
            application, services, port=port, stop=stop, on_served=lambda url: announce_login(services, url)
        )
    except ConfigurationError as error:
        typer.echo(
            f"The page is not served: {error.message} Everything else runs. Another --port serves it,"
            " --no-web leaves it out.",
            err=True,
        )


def _configured(services: Services) -> str:
    setup = services.setup
    means = means_line(rehearsal=setup.rehearsal, models=setup.models, web_search=setup.web_search)
    where = f"database at {setup.database_address}" if setup.database_address else "embedded database"
    return f"{means}; {where}; home {services.home}"


async def _announce(services: Services, stop: asyncio.Event) -> None:
    """Print announcements, work that cannot be carried out, and where outages begin and end to standard error while
    this process runs, until asked to stop.
    """
    from frasier.interfaces.cli.outage_lines import OutageLines
    from frasier.interfaces.cli.shutdown_signals import pause
    from frasier.org.conversation import ANNOUNCE
    from frasier.overview import read_failing_services
    from frasier.store import latest_effects, open_effects

    begun = new_id()
    announced: set[UUID] = set()
    causes: dict[UUID, str | None] = {}
    outages = OutageLines()
    while not await pause(stop, _EVERY_S):
        try:
            newest = await services.in_transaction(latest_effects, kind=ANNOUNCE, after=begun, limit=_AT_ONCE)
            troubles = await services.in_transaction(open_effects)
            failing = await services.in_transaction(read_failing_services)
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
        for line in outages.of(_causes_of(failing)):
            typer.echo(strip_control(line), err=True)


def _causes_of(failing: FailingServices) -> dict[str, str]:
    """Return why each service fails, and what happens next."""
    from frasier.interfaces.cli.waiting import trouble_text

    causes = {trouble.provider: trouble_text(trouble) for trouble in failing.models if trouble.is_outage}
    return causes | {receiver.what: receiver.why for receiver in failing.receivers}
