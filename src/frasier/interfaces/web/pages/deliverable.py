"""The result of a mission as a page to read: a citation opens its passage in place, each statement has its verdict."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from markupsafe import Markup

from frasier.interfaces.deliverable_rendering import (
    ENGLISH,
    Dossier,
    Heading,
    HtmlBody,
    PublishedText,
    annotated_tokens,
    file_names,
    folder_contents,
    plain_text,
    read_dossier,
    read_outline,
    read_published_text,
)
from frasier.interfaces.services import Services
from frasier.interfaces.web.page import (
    DownloadedFile,
    FileDownload,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.interfaces.web.popover_note import popover_note
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.org.missions import Deliverable, MissionStep, find_mission

_CONTENTS_MIN = 4
_CONTENTS_RANK = 2
_TYPES = {
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """A text ready to be read: its title and body as HTML, and the headings that its contents list."""

    text: PublishedText
    title: str
    heading: Markup
    body: Markup
    contents: tuple[Heading, ...]


async def _read(request: PageRequest) -> PageContent:
    dossier = await _dossier(request.services, request.params["id"])
    step, version = _chosen(dossier, request.query.get("version", ""))
    read = await asyncio.to_thread(render_version, dossier, version)
    values = {
        "mission": dossier.mission,
        "step": step,
        "version": version,
        "versions": dossier.deliverables[step.task_id],
        "read": read,
        "text": read.text,
        "files": file_names(dossier, step, version),
        "approved": version.id == dossier.mission.final_deliverable,
    }
    return PageContent(
        title=read.title,
        fragments=(Fragment(id="deliverable", template="deliverable/text.html", values=values),),
        values=values,
    )


def render_version(dossier: Dossier, version: Deliverable) -> ReadText:
    """Render a version of a result for reading, with what was at hand besides."""
    return render_text(read_published_text(dossier, version, ENGLISH))


def render_text(text: PublishedText) -> ReadText:
    """Render a text for reading. Nothing in it is markup of its own."""
    outline = read_outline(annotated_tokens(text, verdicts=True), title=text.title)
    body = HtmlBody(outline, text.sources, popover_note)
    listed = tuple(heading for heading in outline.headings.values() if heading.rank <= _CONTENTS_RANK)
    return ReadText(
        text=text,
        title=plain_text(outline.title) or text.title,
        # The renderer escapes every text; raw HTML is off.
        heading=Markup(body.title()),  # noqa: S704
        body=Markup(body.body()),  # noqa: S704
        contents=listed if len(listed) >= _CONTENTS_MIN else (),
    )


async def _send(request: PageRequest) -> DownloadedFile:
    """Return a file of the deliverable, as its folder has it."""
    dossier = await _dossier(request.services, request.params["id"])
    step, version = _chosen(dossier, request.query.get("version", ""))
    files = await asyncio.to_thread(folder_contents, dossier, step, version)
    name = request.params["name"]
    if name not in files:
        raise NotFound(f"The deliverable has no file {name!r}.", hint=f"There is: {', '.join(files)}.")
    kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return DownloadedFile(name=name.rpartition("/")[2], media_type=kind, content=files[name])


async def _dossier(services: Services, name: str) -> Dossier:
    mission = await services.in_transaction(find_mission, name)
    return await services.in_transaction(read_dossier, mission.id)


def _chosen(dossier: Dossier, number: str) -> tuple[MissionStep, Deliverable]:
    """Return the final step with one of its versions: the approved one, or the `number`th."""
    if dossier.final is None:
        raise NotFound(
            f"The mission {dossier.mission.title!r} has no result yet.", hint="Its page shows how far it is."
        )
    step, version = dossier.final
    if not number:
        return step, version
    if not number.isdecimal():
        raise InvalidInput(f"A version is a number, not {number[:20]!r}.", kept="Nothing was changed.")
    for one in dossier.deliverables[step.task_id]:
        if one.version == int(number):
            return step, one
    raise NotFound(f"There is no version {int(number)}.")


PAGES = (
    PageRoute(
        path="/missions/{id}/deliverable", section="Missions", template="deliverable/page.html", read=_read
    ),
)
DOWNLOADS = (FileDownload(path="/missions/{id}/files/{name:path}", read=_send),)
