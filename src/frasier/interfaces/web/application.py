"""The ASGI application of the founder's page: sessions, pages, the actions of their forms, and the live stream."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Match, Route
from starlette.types import ASGIApp

from frasier.interfaces.services import Services
from frasier.interfaces.sse import HEADERS, MEDIA_TYPE
from frasier.interfaces.web.form import Form, read_form
from frasier.interfaces.web.live_pages import CSRF_MARK, LivePages
from frasier.interfaces.web.notices import PageNotice, read_notice, store_notice
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FileDownload,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.interfaces.web.pages import shared
from frasier.interfaces.web.rendering import render_fragment, render_page
from frasier.interfaces.web.routes import ACTIONS, DOWNLOADS, PAGES
from frasier.interfaces.web.security import SecurityHeaders, check_fetch_site, check_form
from frasier.interfaces.web.sessions import Viewer, log_in, log_out, viewer_of
from frasier.interfaces.web.shell import shell_fragments
from frasier.interfaces.web.static_files import serve_static
from frasier.interfaces.web.statuses import status_of
from frasier.kernel.errors import FrasierError, InvariantBroken, NotAllowed, NotFound
from frasier.kernel.fault_points import fault_point
from frasier.overview import count_waiting

Handler = Callable[[Request], Awaitable[Response]]
SecuredHandler = Callable[[Request, Viewer], Awaitable[Response]]

_GZIP_BYTES_MIN = 1_000
_PLACE_DIGITS_MAX = 18
_TAB_CHARS_MAX = 32
_PATHS = frozenset(page.path for page in PAGES)


def make_pages(services: Services, stop: asyncio.Event) -> ASGIApp:
    """Return the application of the page over these services. Its streams end when `stop` is set."""
    site = _Site(services, stop)
    app = Starlette(
        routes=site.routes(),
        middleware=[
            Middleware(SecurityHeaders),
            # A page's text and its form token are compressed together. That tells a foreign site nothing: it can
            # neither send requests with the cookie nor measure their answers.
            Middleware(GZipMiddleware, minimum_size=_GZIP_BYTES_MIN),
        ],
        exception_handlers={
            FrasierError: site.on_error,
            HTTPException: site.on_routing_error,
            Exception: site.on_defect,
        },
    )
    app.router.redirect_slashes = False
    return app


class _Site:
    """The handlers of the page. Each finds out who looks, runs one use case or reads one page, and presents it."""

    def __init__(self, services: Services, stop: asyncio.Event) -> None:
        self._services = services
        self._stop = stop
        self._live = LivePages(services.event_feed.listen, time_zone=services.setup.time_zone)
        self._pages = [(Route(page.path, _unused), page) for page in PAGES]

    def routes(self) -> list[Route]:
        return [
            Route("/static/{name}", serve_static, methods=["GET"]),
            Route("/login", self._log_in, methods=["GET"]),
            Route("/shared/{secret}", self._shared, methods=["GET"]),
            Route("/logout", self._secured(self._log_out), methods=["POST"]),
            Route("/live", self._secured(self._stream), methods=["GET"]),
            Route("/live/since", self._secured(self._since), methods=["GET"]),
            Route("/live/leave", self._secured(self._leave), methods=["POST"]),
            *(Route(page.path, self._secured(self._shows(page)), methods=["GET"]) for page in PAGES),
            *(Route(one.path, self._secured(self._sends(one)), methods=["GET"]) for one in DOWNLOADS),
            *(Route(action.path, self._secured(self._does(action)), methods=["POST"]) for action in ACTIONS),
        ]

    def _secured(self, handler: SecuredHandler) -> Handler:
        async def handle(request: Request) -> Response:
            viewer = await viewer_of(self._services, request)
            if viewer is None:
                return self._login_page(401)
            return await handler(request, viewer)

        return handle

    async def _log_in(self, request: Request) -> Response:
        try:
            if not request.query_params.get("token"):
                viewer = await viewer_of(self._services, request)
                return RedirectResponse("/", 303) if viewer else self._login_page(200)
            return await log_in(self._services, request)
        except NotAllowed as error:
            return self._login_page(403, error)

    async def _shared(self, request: Request) -> Response:
        """Show a shared deliverable to whoever has its link; the link is neither logged nor passed on."""
        request.state.path = "/shared/"
        try:
            content = await shared.read_shared_page(self._services, request.path_params["secret"])
        except NotFound as error:
            return self._bare_page("error.html", 404, "Not shared", PageNotice.of_error(error))
        values = {**self._live.values("", read_only=True), "notice": None}
        headers = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
        return HTMLResponse(render_page(shared.TEMPLATE, content, values), headers=headers)

    async def _log_out(self, request: Request, viewer: Viewer) -> Response:
        form = await read_form(request)
        check_form(request, form.text("csrf"), expected=viewer.csrf)
        return await log_out(self._services, request, viewer)

    def _shows(self, page: PageRoute) -> SecuredHandler:
        async def show(request: Request, viewer: Viewer) -> Response:
            page_request = self._page_request(
                request.url.path, request.path_params, dict(request.query_params)
            )
            return await self._page(page, page_request, viewer, read_notice(request))

        return show

    async def _page(
        self,
        page: PageRoute,
        page_request: PageRequest,
        viewer: Viewer,
        notice: PageNotice | None = None,
        status: int = 200,
    ) -> Response:
        read = self._reader(page, page_request)
        if page_request.sent:  # what somebody typed is of no other tab
            content, sequence = await read(), self._live.sequence
        else:
            content, sequence = await self._live.watch(viewer, page_request.address, read)
        values = {
            **self._live.values(page_request.address, read_only=viewer.read_only),
            "section": page.section,
            "sections": _PATHS,
            "notice": notice,
            "sequence": sequence,
        }
        html = render_page(page.template, content, values).replace(CSRF_MARK, viewer.csrf)
        response = HTMLResponse(html, status)
        if notice is not None:
            store_notice(response, None)
        return response

    def _sends(self, download: FileDownload) -> SecuredHandler:
        async def send(request: Request, _viewer: Viewer) -> Response:
            page_request = self._page_request(
                request.url.path, request.path_params, dict(request.query_params)
            )
            file = await download.read(page_request)
            # In a header only what every browser reads alike; the name is one of ours.
            name = "".join(
                char if char.isascii() and (char.isalnum() or char in ".-_") else "_" for char in file.name
            )
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            return Response(file.content, media_type=file.media_type, headers=headers)

        return send

    def _does(self, action: FormAction) -> SecuredHandler:
        async def act(request: Request, viewer: Viewer) -> Response:
            form = await read_form(request)
            try:
                try:
                    self._check(request, form, viewer)
                    result = await action.act(
                        ActionRequest(services=self._services, params=request.path_params, form=form)
                    )
                finally:
                    await form.close()
                fault_point("form.committed")
            except FrasierError as error:
                return await self._answer(request, form, viewer, PageNotice.of_error(error), status_of(error))
            if result.secret or ("x-live" in request.headers and not result.go_to):
                notice = PageNotice(text=result.text, secret=result.secret)
                return await self._answer(request, form, viewer, notice, 200)
            return self._redirect(request, form, result)

        return act

    def _check(self, request: Request, form: Form, viewer: Viewer) -> None:
        check_form(request, form.text("csrf"), expected=viewer.csrf)
        if viewer.read_only:
            raise NotAllowed("This session may look, and change nothing.", kept="Nothing was changed.")

    def _redirect(self, request: Request, form: Form, result: ActionResult) -> Response:
        """Answer a form that was carried out: with a page of ours, whatever address it names."""
        go_to = result.go_to or (form.text("page") if self._find(form.text("page")) else PAGES[0].path)
        live = "x-live" in request.headers
        response = (
            Response(status_code=204, headers={"X-Go-To": go_to}) if live else RedirectResponse(go_to, 303)
        )
        store_notice(response, PageNotice(text=result.text))
        return response

    async def _answer(
        self, request: Request, form: Form, viewer: Viewer, notice: PageNotice, status: int
    ) -> Response:
        """Answer a form with the page that it came from as it is now, or with its fragments."""
        page, page_request = self._find(form.text("page")) or (
            PAGES[0],
            self._page_request(PAGES[0].path, {}, {}),
        )
        notice = notice.without_links_to(page_request.path)
        if "x-live" not in request.headers:
            typed = replace(page_request, sent=form.fields() if notice.refused else {})
            return await self._page(page, typed, viewer, notice, status)
        told = render_fragment(
            _notice_fragment(notice), self._live.values(page_request.address, read_only=False)
        )
        html, sequence = await self._live.since(
            viewer, page_request.address, self._reader(page, page_request), after=0
        )
        return HTMLResponse(f"{told}\n{html}", status, headers={"X-Sequence": str(sequence)})

    async def _stream(self, request: Request, viewer: Viewer) -> Response:
        check_fetch_site(request)

        async def still_open() -> bool:
            return await viewer_of(self._services, request) is not None

        tabs = [name for name in request.query_params.get("tabs", "").split(",") if name]
        self._live.keep_tabs(viewer, tabs)
        return StreamingResponse(
            self._live.stream(viewer, still_open, self._stop), media_type=MEDIA_TYPE, headers=HEADERS
        )

    async def _since(self, request: Request, viewer: Viewer) -> Response:
        check_fetch_site(request)
        found = self._find(request.query_params.get("page", ""))
        after = request.query_params.get("after", "")
        if found is None or not after.isdecimal() or len(after) > _PLACE_DIGITS_MAX:
            raise NotFound("There is no such page.")
        page, page_request = found
        html, sequence = await self._live.since(
            viewer, page_request.address, self._reader(page, page_request), int(after), _tab_of(request)
        )
        return HTMLResponse(html, headers={"X-Sequence": str(sequence)})

    async def _leave(self, request: Request, viewer: Viewer) -> Response:
        check_fetch_site(request)
        self._live.leave(viewer, request.query_params.get("page", ""), _tab_of(request))
        return Response(status_code=204)

    def _reader(self, page: PageRoute, page_request: PageRequest) -> Callable[[], Awaitable[PageContent]]:
        async def read() -> PageContent:
            content, waiting = await asyncio.gather(
                page.read(page_request), self._services.in_transaction(count_waiting)
            )
            shell = shell_fragments(content.title, waiting)
            return PageContent(
                title=content.title,
                fragments=(*shell, *content.fragments),
                values=content.values,
                refresh_s=content.refresh_s,
            )

        return read

    def _find(self, address: str) -> tuple[PageRoute, PageRequest] | None:
        """Return the page at an address of ours, which a form or a tab names; None for any other."""
        path, _, query = address.partition("?")
        if not path.startswith("/") or path.startswith("//"):
            return None
        for route, page in self._pages:
            match, scope = route.matches({"type": "http", "method": "GET", "path": path, "root_path": ""})
            if match is Match.FULL:
                return page, self._page_request(
                    path, scope["path_params"], dict(parse_qsl(query, keep_blank_values=True))
                )
        return None

    def _page_request(self, path: str, params: Mapping[str, Any], query: Mapping[str, str]) -> PageRequest:
        if any(_is_no_value(value) for value in (*params.values(), *query.values())):
            raise NotFound(
                "There is no such page.", hint="An address holds something that no page is asked for."
            )
        return PageRequest(services=self._services, path=path, params=params, query=query)

    def _login_page(self, status: int, error: FrasierError | None = None) -> Response:
        notice = PageNotice.of_error(error) if error else None
        return self._bare_page("login.html", status, "Log in", notice)

    def _bare_page(self, template: str, status: int, title: str, notice: PageNotice | None) -> Response:
        values = {**self._live.values("", read_only=True), "notice": notice}
        return HTMLResponse(render_page(template, PageContent(title=title, fragments=()), values), status)

    async def on_error(self, _request: Request, error: Exception) -> Response:
        """Show an error of reading a page."""
        if not isinstance(error, FrasierError):
            raise error
        return self._bare_page("error.html", status_of(error), "Not shown", PageNotice.of_error(error))

    async def on_routing_error(self, request: Request, error: Exception) -> Response:
        """Show that there is nothing at an address."""
        if not isinstance(error, HTTPException):
            raise error
        wrong = NotFound("There is no such page.", hint="It may have been moved, or never was.")
        if await viewer_of(self._services, request) is None:
            return self._login_page(401)
        response = self._bare_page("error.html", error.status_code, "Not found", PageNotice.of_error(wrong))
        response.headers.update(error.headers or {})
        return response

    async def on_defect(self, request: Request, _error: Exception) -> Response:
        """Tell of a defect without its cause, which the guard of the server logs."""
        wrong = InvariantBroken(
            "Something went wrong here.",
            kept="Everything committed before is kept.",
            hint=f"The server's log has it under {request.state.request_id}."
            if hasattr(request.state, "request_id")
            else "",
        )
        return self._bare_page("error.html", 500, "Not shown", PageNotice.of_error(wrong))


def _tab_of(request: Request) -> str:
    """Return the name that a tab has given itself."""
    return request.query_params.get("tab", "")[:_TAB_CHARS_MAX]


def _is_no_value(text: str) -> bool:
    """Return whether a value of an address is one that neither the database nor a number can hold."""
    return "\0" in text or (text.isdecimal() and len(text) > _PLACE_DIGITS_MAX)


def _notice_fragment(notice: PageNotice) -> Fragment:
    return Fragment(id="notice", template="parts/notice.html", values={"notice": notice})


async def _unused(_request: Request) -> Response:
    raise InvariantBroken("a route that only matches was served")
