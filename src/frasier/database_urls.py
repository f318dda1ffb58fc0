"""The addresses of the database: of a server that the settings name, or of the embedded one, which is started."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frasier.settings import Settings
    from frasier.store.embedded import EmbeddedServer


@dataclass(frozen=True, slots=True)
class DatabaseUrls:
    """`direct` reaches the server past any pooler; `owner` may change the schema. `ensure` restarts our own server."""

    app: str
    direct: str
    owner: str
    ensure: Callable[[], None]
    pooled: bool = False


@asynccontextmanager
async def open_database_urls(settings: Settings) -> AsyncIterator[DatabaseUrls]:
    """Yield the addresses of the database of the settings; the embedded server runs until the end."""
    import asyncio

    if settings.external_url is not None:
        from frasier.store import check_address, check_direct, close_home

        with suppress(OSError):  # whoever needs to write there says what is wrong with it
            await asyncio.to_thread(close_home, settings.home)
        app = check_address(settings.external_url)
        direct = check_address(settings.direct_url or app, setting="FRASIER_DATABASE__DIRECT_URL")
        owner = check_address(settings.owner_url or app, setting="FRASIER_DATABASE__OWNER_URL")
        pooled = settings.database.pooled
        if pooled:
            await check_direct(app, direct)
        yield DatabaseUrls(app=app, direct=direct, owner=owner, ensure=lambda: None, pooled=pooled)
        return
    from frasier.store import DatabaseFull

    server = embedded_server(settings)
    starting = asyncio.create_task(asyncio.to_thread(server.start))
    try:
        await asyncio.shield(starting)
        app = server.url("frasier_app")
        yield DatabaseUrls(app=app, direct=app, owner=server.url("frasier_owner"), ensure=server.ensure)
    except DatabaseFull as error:
        raise DatabaseFull(str(await asyncio.to_thread(server.connected))) from error
    finally:
        # Whoever leaves while it starts waits for that: it would stay behind, and nobody would stop it.
        await asyncio.gather(starting, return_exceptions=True)
        await asyncio.to_thread(server.release, stop_if_last=not keep_running_marker(settings).exists())


def keep_running_marker(settings: Settings) -> Path:
    """The marker of a server that keeps running after its last user leaves."""
    return settings.home / "database-stays"


def embedded_server(settings: Settings) -> EmbeddedServer:
    """The embedded server of the home, not started."""
    from frasier.store.embedded import EmbeddedServer, default_root

    root = default_root(settings.home, explicit=settings.home_named)
    return EmbeddedServer(root, home=settings.home)
