"""`frasier db`: the database that stores everything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.output import Cell, Page, show_done, show_view
from frasier.interfaces.cli.with_services import JsonOption, command_group, embedded_server
from frasier.kernel.errors import InvalidInput

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application
    from frasier.store import Condition

db = command_group("Database: the embedded server, or the one that you named.")

_MB = 1024 * 1024


@db.command()
def start(context: typer.Context, as_json: JsonOption = False) -> None:
    """Start the embedded server. It stays until `frasier db stop`."""
    application = _embedded(context)
    place = application.place()
    server = application.server()
    server.start()
    place.keep_running.touch(mode=0o600)
    server.release(stop_if_last=False)
    document = {"running": True, "pid": server.pid, "url": server.url(), "directory": place.server_root}
    show_done(f"PostgreSQL runs in {place.server_root} until `frasier db stop`.", document, as_json=as_json)


@db.command()
def stop(context: typer.Context, as_json: JsonOption = False) -> None:
    """Stop the embedded server. Committed data is safe, and the next command starts it again."""
    application = _embedded(context)
    place = application.place()
    server = application.server()
    was_running = server.running
    place.keep_running.unlink(missing_ok=True)
    server.stop()
    told = (
        "PostgreSQL is stopped; the next command starts it again."
        if was_running
        else "PostgreSQL was not running."
    )
    document = {"running": False, "was_running": was_running, "directory": place.server_root}
    show_done(told, document, as_json=as_json)


@db.command()
def url(
    context: typer.Context,
    show_password: Annotated[bool, typer.Option("--show-password", help="Show the password too.")] = False,
    owner: Annotated[
        bool, typer.Option("--owner", help="For the role that owns the schema, as a dump needs.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print where the database is, as a URL."""
    application: Application = context.obj
    place = application.place()
    if place.database_url is None:
        from frasier.store.embedded import OWNER_ROLE

        server = application.server()
        shown = server.url(OWNER_ROLE) if owner else server.url()
    else:
        from frasier.store import check_address, mask_address

        address = place.owner_url or place.database_url if owner else place.database_url
        shown = (check_address if show_password else mask_address)(address)
    show_done(shown, {"url": shown, "embedded": place.database_url is None}, as_json=as_json)


@db.command()
def migrate(context: typer.Context, as_json: JsonOption = False) -> None:
    """Bring the schema up to date. Every command does so when it starts; this does it alone."""
    import asyncio

    from frasier.store import migrate as bring_up_to_date

    with _owner_url(context.obj) as owner_url:
        applied = asyncio.run(bring_up_to_date(owner_url))
    told = f"Applied: {', '.join(applied)}." if applied else "The schema is up to date."
    show_done(told, {"applied": applied}, as_json=as_json)


@db.command()
def backup(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder.")],
    as_json: JsonOption = False,
) -> None:
    """Back up to a new folder. The database, the keys and the settings; complete or not at all."""
    from frasier.store import write_backup

    application: Application = context.obj
    settings = application.installation().settings_file
    with _owner_url(application) as owner_url:
        files = write_backup(owner_url, application.place().home, settings, folder.expanduser().absolute())
    told = (
        f"Backed up to {folder}: {', '.join(files)}. `frasier db restore {quote(str(folder))}` restores it."
    )
    show_done(told, {"folder": folder, "files": files}, as_json=as_json)


@db.command()
def restore(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a backup.")],
    as_json: JsonOption = False,
) -> None:
    """Restore a backup into a new home. Nothing that exists is overwritten."""
    from frasier.store import restore_backup

    application: Application = context.obj
    home, settings = application.place().home, application.installation().settings_file
    with _owner_url(application) as owner_url:
        files = restore_backup(owner_url, home, settings, folder.expanduser().absolute())
    told = f"Restored into {home}: {', '.join(files)}. `frasier doctor` checks it."
    show_done(told, {"home": home, "files": files}, as_json=as_json)


@db.command()
def status(context: typer.Context, as_json: JsonOption = False) -> None:
    """Show the server and its schema. Version, size, migrations; starts nothing."""
    show_view(_read_status(context.obj), _draw_status, dict, as_json=as_json)


@contextmanager
def _owner_url(application: Application) -> Iterator[str]:
    """Yield the address of the database for the role that owns the schema; the embedded server runs for the body."""
    owner_url = application.place().owner_url
    if owner_url is not None:
        from frasier.store import check_address

        yield check_address(owner_url)
    else:
        from frasier.store.embedded import OWNER_ROLE

        with embedded_server(application) as server:
            yield server.url(OWNER_ROLE)


def _embedded(context: typer.Context) -> Application:
    application: Application = context.obj
    if application.place().database_url is not None:
        raise InvalidInput(
            "The database is at FRASIER_DATABASE_URL; this program neither starts nor stops it.",
            kept="Nothing was changed.",
            hint="`frasier db status` shows it.",
        )
    return application


def _read_status(application: Application) -> dict[str, Any]:
    place = application.place()
    if place.database_url is not None:
        from frasier.store import mask_address

        document: dict[str, Any] = {
            "embedded": False,
            "running": True,
            "url": mask_address(place.database_url),
        }
        return document | _condition(place.database_url, past=place.direct_url if place.pooled else None)
    server = application.server()
    document = {
        "embedded": True,
        "running": server.running,
        "pid": server.pid,
        "url": server.url(),
        "directory": place.server_root,
        "keeps_running": place.keep_running.exists(),
    }
    return document | (_condition(server.url()) if document["running"] else {})


def _condition(database_url: str, *, past: str | None = None) -> dict[str, Any]:
    """Read the condition of the database; `past` is its direct address if `database_url` goes through a pooler."""
    import asyncio

    from frasier.store import check_address, check_direct, condition_of

    async def look() -> Condition:
        if past is not None:
            direct = check_address(past, setting="FRASIER_DATABASE__DIRECT_URL")
            await check_direct(database_url, direct)
        return await condition_of(database_url, pooled=past is not None)

    return asdict(asyncio.run(look()))


def _draw_status(page: Page, document: dict[str, Any]) -> None:
    rows: list[tuple[str, Cell]] = []
    if document["embedded"]:
        stays = "until `frasier db stop`" if document["keeps_running"] else "while a command uses it"
        running = f"running (process {document['pid']}), {stays}" if document["running"] else "not running"
        rows += [("server", f"embedded, {running}"), ("directory", str(document["directory"]))]
    else:
        rows.append(("server", "yours"))
    rows.append(("address", document["url"]))
    if "version" in document:
        rows += [
            ("PostgreSQL", document["version"]),
            ("pgvector", document["vector"] or ("missing", "red")),
            ("database", f"{document['database']}, {document['bytes'] / _MB:,.0f} MB"),
            ("role", document["role"]),
            ("connections", str(document["connections"])),
            ("schema", _schema(document)),
        ]
    page.facts(*rows)


def _schema(document: dict[str, Any]) -> str:
    applied = f"{len(document['applied'])} migrations"
    if document["development"]:
        return "made by an earlier development version, which cannot be upgraded"
    if document["foreign"]:
        return f"{applied}; {', '.join(document['foreign'])} not known to this program: upgrade it"
    if document["pending"]:
        return f"{applied}, {len(document['pending'])} to apply: `frasier db migrate`"
    return f"{applied}, up to date"
