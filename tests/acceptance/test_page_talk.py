"""The conversation with the chief of staff on the founder's page: a message with a file, and its answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

from frasier.interfaces.services import Services
from frasier.org.conversation import attachments_of, find_message
from frasier.store import NotifyListener
from frasier.store.events import EVENTS_CHANNEL
from support.founder_page import BASE, Browser, logged_in
from support.organisation import organisation

SAME_SITE = {"origin": BASE, "sec-fetch-site": "same-origin"}


async def say(browser: Browser, text: str) -> int:
    """Send the form with a file, as a browser does."""
    action, hidden = browser.fields("talk-say")
    browser.page = await browser.client.post(
        action,
        data=hidden | {"text": text},
        files={"files": ("offer.md", b"# Offer\n\nA gasket costs 3.20 EUR.\n", "text/markdown")},
        headers=SAME_SITE,
    )
    return browser.page.status_code


async def answer_of_last(services: Services) -> str:
    """Work until the newest message is answered; return the answer."""
    async with (
        asyncio.timeout(60),
        NotifyListener(services.board.direct_url, EVENTS_CHANNEL) as events,
        services.running(),
    ):
        while not (answer := (await services.in_transaction(find_message, "last")).answer):
            await events.wait(1)
        return answer


async def test_a_message_with_a_file_is_answered_on_the_page(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        assert "Nothing was said yet." in (await browser.get("/talk")).text
        assert browser.document.xpath("//nav//a[@href='/talk']/@aria-current") == ["page"]
        assert await say(browser, "What does a gasket cost? <script>alert(1)</script>") == 303
        message = await services.in_transaction(find_message, "last")
        (file,) = await services.in_transaction(attachments_of, message.id)
        assert (file.name, "3.20 EUR" in file.content) == ("offer.md", True)
        await browser.get("/talk")
        card = f"message-{message.id}"
        assert "Heard." in browser.element("notice").text_content()
        assert "as soon as somebody works" in browser.element(card).text_content()
        assert "What does a gasket cost? <script>" in browser.element(card).text_content()
        told = await answer_of_last(services)
        await browser.get("/talk")
        assert " ".join(told.split()) in " ".join(browser.element(card).text_content().split())


async def test_a_rule_is_withdrawn_on_the_page_that_its_answer_names(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await browser.get("/talk")
        assert await say(browser, "From now on, always name prices in pounds.") == 303
        message = await services.in_transaction(find_message, "last")
        assert "Recorded as a standing rule" in await answer_of_last(services)
        await browser.get("/talk")
        card = browser.element(f"message-{message.id}")
        assert "Open Standing rules to withdraw the rule." in card.text_content()
        assert "frasier directives" not in card.text_content()
        assert "/rules" in card.xpath(".//a/@href")


async def test_an_empty_message_is_refused_and_an_observer_says_nothing(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services:
        async with logged_in(services) as browser:
            await browser.get("/talk")
            assert await say(browser, "  ") == 422
            assert "The message is empty." in browser.element("notice").text_content()
            assert "Choose the files again" in browser.element("say-about").text_content()
            long = "Why? " * 10_000
            assert await say(browser, long) == 422
            assert browser.element("say-text").text_content().strip() == long.strip()
        async with logged_in(services, read_only=True) as reader:
            await reader.get("/talk")
            assert reader.document.xpath("//main//form") == []
            (csrf,) = reader.document.xpath("//footer//input[@name='csrf']/@value")
            sent = await reader.client.post("/talk", data={"csrf": csrf, "text": "Hello"}, headers=SAME_SITE)
            assert sent.status_code == 403, sent.text
            assert "Nothing was said yet." in (await reader.get("/talk")).text
