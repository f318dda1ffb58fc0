"""Login and logout: the link that was printed becomes a cookie, and leaves the address."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from frasier.interfaces.services import Services
from frasier.interfaces.web.security import csrf_token
from frasier.kernel.errors import NotAllowed
from frasier.org.governance import (
    SESSION_DAYS,
    PageSession,
    find_page_session,
    open_page_session,
    revoke_page_sessions,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """A reader of the page: the session, and the token that its forms carry."""

    session: PageSession
    csrf: str

    @property
    def read_only(self) -> bool:
        return self.session.read_only


async def viewer_of(services: Services, request: Request) -> Viewer | None:
    """Return who looks at the page, by the cookie of the request; None without an open session."""
    secret = request.cookies.get(_cookie_name(request.headers), "")
    session = await services.in_transaction(find_page_session, secret) if secret else None
    return Viewer(session=session, csrf=csrf_token(secret)) if session else None


async def log_in(services: Services, request: Request) -> Response:
    """Exchange the secret of a login link for a cookie. Raises NotAllowed for one that cannot be used.

    A browser that fetches the link ahead of a click must not use it up, nor one that opens it again be refused.
    """
    if await viewer_of(services, request) is None:
        if request.method != "GET" or "prefetch" in request.headers.get("sec-purpose", ""):
            raise NotAllowed("A login link is opened by a click.", kept="The link was not used.")
        secret, _ = await services.in_transaction(
            open_page_session,
            request.query_params.get("token", ""),
            device=request.headers.get("user-agent", ""),
        )
    else:
        secret = ""
    response = RedirectResponse("/", 303, headers={"Referrer-Policy": "no-referrer"})
    if secret:
        # Lax: the first click from another program's window arrives with it; forms are checked apart.
        response.set_cookie(
            _cookie_name(request.headers),
            secret,
            max_age=SESSION_DAYS * 86_400,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
    return response


async def log_out(services: Services, request: Request, viewer: Viewer) -> Response:
    """End the session of the request."""
    await services.in_transaction(revoke_page_sessions, str(viewer.session.id))
    response = RedirectResponse("/login", 303)
    response.delete_cookie(_cookie_name(request.headers))
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    return response


def _cookie_name(headers: Headers) -> str:
    """Browsers share cookies between the ports of a host: two homes on one machine need two names."""
    port = headers.get("host", "").rpartition(":")[2]
    return f"frasier_session_{port}" if port.isdecimal() else "frasier_session"
