"""Login links of the founder's page, as the commands print them that serve it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from frasier.interfaces.services import Services


async def login_link(services: Services, address: str, *, read_only: bool = False) -> str:
    """Return a new login link to the page at an address."""
    from frasier.org.governance import issue_login_link

    secret = await services.in_transaction(issue_login_link, read_only=read_only)
    return f"{address}/login?token={secret}"


async def announce_login(services: Services, address: str) -> None:
    """Print a login link to standard error, for whoever began to serve the page."""
    from frasier.org.governance import LINK_MINUTES

    link = await login_link(services, address)
    typer.echo(
        f"The page: {link}\nThe link is used once, within {LINK_MINUTES} minutes; `frasier web` makes another.",
        err=True,
    )
