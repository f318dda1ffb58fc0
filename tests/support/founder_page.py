"""The founder's page inside a test: the real application over real services, a session, and what a page shows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from lxml import html as lxml_html

from frasier.interfaces.http import HttpRules, PagesAndApi, make_app
from frasier.interfaces.services import Services
from frasier.interfaces.web import make_pages
from frasier.org.governance import issue_login_link

BASE = "http://127.0.0.1:8764"


class Browser:
    """A client of the page with cookies, and the forms of the page that it shows."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self.client = client
        self.page: httpx2.Response

    async def get(self, address: str, **options: object) -> httpx2.Response:
        self.page = await self.client.get(address, **options)
        return self.page

    @property
    def document(self) -> lxml_html.HtmlElement:
        return lxml_html.document_fromstring(self.page.text)

    def element(self, identity: str) -> lxml_html.HtmlElement:
        found = self.document.get_element_by_id(identity)
        assert found is not None
        return found

    def fields(self, within: str) -> tuple[str, dict[str, str]]:
        """Return the action and the hidden fields of the first form within an element."""
        form = self.element(within).xpath(".//form")[0]
        return form.get("action"), {
            one.get("name"): one.get("value") for one in form.xpath(".//input[@type='hidden']")
        }

    async def send(
        self, within: str, *, headers: dict[str, str] | None = None, live: bool = False, **fields: str
    ) -> httpx2.Response:
        """Send the first form within an element with these fields besides its hidden ones."""
        action, hidden = self.fields(within)
        sent = (
            {"origin": BASE, "sec-fetch-site": "same-origin"}
            | ({"x-live": "1"} if live else {})
            | (headers or {})
        )
        return await self.client.post(action, data=hidden | fields, headers=sent)


@asynccontextmanager
async def served_page(services: Services) -> AsyncIterator[httpx2.AsyncClient]:
    """Serve the page without a socket; yield a client without a session."""
    stop = asyncio.Event()
    app = PagesAndApi(make_pages(services, stop), lambda: make_app(services.memory, {}), HttpRules())
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
        yield client
        stop.set()


@asynccontextmanager
async def another_client(browser: Browser) -> AsyncIterator[httpx2.AsyncClient]:
    """Yield a client without a session at the server of a browser."""
    async with httpx2.AsyncClient(transport=browser.client._transport, base_url=BASE) as client:
        yield client


@asynccontextmanager
async def logged_in(
    services: Services, *, read_only: bool = False, beside: Browser | None = None
) -> AsyncIterator[Browser]:
    """Serve the page and log in by a link; with `beside` at the server of another browser."""
    async with another_client(beside) if beside else served_page(services) as client:
        secret = await services.in_transaction(issue_login_link, read_only=read_only)
        answer = await client.get(f"/login?token={secret}")
        assert answer.status_code == 303, answer.text
        browser = Browser(client)
        await browser.get("/")
        yield browser
