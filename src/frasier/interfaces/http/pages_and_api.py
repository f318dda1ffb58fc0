"""The founder's page and the API on one port."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from starlette.types import ASGIApp, Receive, Scope, Send

from frasier.interfaces.http.limits import HttpRules
from frasier.interfaces.http.middleware import RequestGuard

_API = "/api/"
_METRICS = "/metrics"


class PagesAndApi:
    """ASGI application: the API below /api/ and at /metrics, the page everywhere else.

    Both are behind the guard of requests.

    The API is made at its first request: its operations take more memory than the page, and most founders call none.
    """

    def __init__(self, pages: ASGIApp, make_api: Callable[[], ASGIApp], rules: HttpRules) -> None:
        self._pages = RequestGuard(pages, rules)
        self._make_api = make_api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        app = self._api if path.startswith(_API) or path == _METRICS else self._pages
        await app(scope, receive, send)

    @cached_property
    def _api(self) -> ASGIApp:
        return self._make_api()
