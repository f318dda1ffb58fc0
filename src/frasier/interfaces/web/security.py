"""Protection of the page in the browser: headers of every response, and checks of every form."""

from __future__ import annotations

import hashlib
import hmac

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frasier.kernel.errors import NotAllowed

_HEADERS = {
    # Nothing is loaded from elsewhere, nothing inline runs, and text becomes HTML in one place of our script only.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none';"
        " require-trusted-types-for 'script'; trusted-types live"
    ),
    # Not no-referrer: forms would be sent with the origin "null", which the guard of the server rightly refuses.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_OWN_SITES = {"same-origin", "none"}


class SecurityHeaders:
    """ASGI middleware that adds the headers of the page to every response, and forbids to store what has no rule."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_with_headers)


def csrf_token(session_secret: str) -> str:
    """Return the token that each form of a session carries: derived from its secret, so that nothing is stored."""
    return hmac.new(session_secret.encode(), b"frasier-form", hashlib.sha256).hexdigest()


def check_fetch_site(request: Request) -> None:
    """Raise NotAllowed if the browser says that another site sent the request."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    if site not in _OWN_SITES:
        raise NotAllowed(
            "This was sent from another site.", kept="Nothing was changed.", hint="Use the page itself."
        )


def check_form(request: Request, sent: str, *, expected: str) -> None:
    """Raise NotAllowed if a form does not come from a page of this session."""
    check_fetch_site(request)
    if not hmac.compare_digest(sent.encode(), expected.encode()):
        raise NotAllowed(
            "This form is not one of your session.",
            kept="Nothing was changed.",
            hint="Reload the page, and send it again.",
        )
