"""The post-mortem of a mission: its figures as tables with bars, and as files to keep."""

from __future__ import annotations

from frasier.interfaces.post_mortem_rendering import render_html, render_markdown, report_of
from frasier.interfaces.web.charts import meter
from frasier.interfaces.web.page import (
    DownloadedFile,
    FileDownload,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.kernel.errors import NotFound
from frasier.overview import PostMortem, read_post_mortem

_FILES = {
    "post-mortem.html": ("text/html; charset=utf-8", render_html),
    "post-mortem.md": ("text/markdown; charset=utf-8", render_markdown),
}


async def _read(request: PageRequest) -> PageContent:
    view = await _view(request)
    report = report_of(view)
    values = {"mission": view.telemetry, "report": report, "files": tuple(_FILES), "meter": meter}
    return PageContent(
        title=report.title,
        fragments=(Fragment(id="post-mortem", template="post_mortem/figures.html", values=values),),
        values=values,
    )


async def _send(request: PageRequest) -> DownloadedFile:
    """Return the post-mortem as a file."""
    name = request.params["name"]
    if name not in _FILES:
        raise NotFound(f"A post-mortem has no file {name!r}.", hint=f"There is: {', '.join(_FILES)}.")
    media_type, render = _FILES[name]
    content = render(report_of(await _view(request))).encode()
    return DownloadedFile(name=name, media_type=media_type, content=content)


async def _view(request: PageRequest) -> PostMortem:
    return await request.services.in_transaction(read_post_mortem, request.params["id"])


PAGES = (
    PageRoute(
        path="/missions/{id}/post-mortem", section="Missions", template="post_mortem/page.html", read=_read
    ),
)
DOWNLOADS = (FileDownload(path="/missions/{id}/post-mortem/{name}", read=_send),)
