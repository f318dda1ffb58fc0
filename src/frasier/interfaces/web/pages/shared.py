"""A shared deliverable, for whoever has the link: its text and what it rests on, and nothing else."""

from __future__ import annotations

import asyncio

from frasier.interfaces.deliverable_rendering import read_dossier
from frasier.interfaces.services import Services
from frasier.interfaces.web.page import PageContent
from frasier.interfaces.web.pages.deliverable import render_version
from frasier.kernel.errors import NotFound
from frasier.org.missions import open_share

TEMPLATE = "shared/page.html"


async def read_shared_page(services: Services, secret: str) -> PageContent:
    """Read the deliverable that a link shares; raises NotFound unless the link is valid."""
    link = await services.in_transaction(open_share, secret)
    dossier = await services.in_transaction(read_dossier, link.mission_id)
    wanted = link.deliverable_id or dossier.mission.final_deliverable
    versions = (one for made in dossier.deliverables.values() for one in made)
    version = next((one for one in versions if one.id == wanted), None)
    if version is None:
        raise NotFound("The result of this link is not there any more.")
    read = await asyncio.to_thread(render_version, dossier, version)
    return PageContent(
        title=read.title,
        fragments=(),
        values={
            "read": read,
            "text": read.text,
            "version": version,
            "ends_at": link.ends_at,
            "wide": True,
        },
    )
