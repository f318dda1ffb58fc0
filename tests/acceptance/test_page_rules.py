"""Standing rules on the founder's page: given, seen and withdrawn there."""

from __future__ import annotations

from pathlib import Path

from frasier.org.conversation import record_rule
from frasier.overview import read_standing_rules
from support.founder_page import BASE, logged_in
from support.organisation import organisation

RULE = "Always state prices in EUR net. <script>alert(1)</script>"
SAME_SITE = {"origin": BASE, "sec-fetch-site": "same-origin"}


async def test_a_rule_is_recorded_shown_and_withdrawn(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        assert "There is no standing rule." in (await browser.get("/rules")).text
        assert 'href="/rules"' in (await browser.get("/settings")).text
        await browser.get("/rules")
        assert (await browser.send("rules-add", text=RULE)).status_code == 303
        await browser.get("/rules")
        (rule,) = await services.in_transaction(read_standing_rules)
        card = f"rule-{rule.directive}"
        assert RULE in browser.element(card).text_content()
        assert "<script>" not in browser.page.text.partition("</head>")[2]
        assert (await browser.send(card)).status_code == 303
        shown = await browser.get("/rules")
        assert "Withdrawn:" in browser.element("notice").text_content()
        assert "There is no standing rule." in shown.text
        assert await services.in_transaction(read_standing_rules) == ()


async def test_a_rule_that_is_refused_is_kept_in_its_form(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await browser.get("/rules")
        long = "Prices in EUR. " * 2_000
        browser.page = await browser.send("rules-add", text=long)
        assert browser.page.status_code == 422
        assert browser.element("rule-text").text_content().strip() == long.strip()
        assert await services.in_transaction(read_standing_rules) == ()


async def test_an_observer_sees_the_rules_and_changes_none(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services:
        recorded = await services.in_transaction(record_rule, "Always state prices in EUR net.")
        async with logged_in(services, read_only=True) as reader:
            assert "EUR net" in (await reader.get("/rules")).text
            assert reader.document.xpath("//main//form") == []
            (csrf,) = reader.document.xpath("//footer//input[@name='csrf']/@value")
            for address in ("/rules", f"/rules/{recorded.directive.id}/withdraw"):
                sent = await reader.client.post(
                    address, data={"csrf": csrf, "text": "Another."}, headers=SAME_SITE
                )
                assert sent.status_code == 403, sent.text
        (rule,) = await services.in_transaction(read_standing_rules)
        assert rule.directive == recorded.directive.id
