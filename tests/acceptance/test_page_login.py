"""Login to the founder's page: a link used once, a session that ends, and forms that only its pages can send."""

from __future__ import annotations

from pathlib import Path

from support.founder_page import logged_in, served_page
from support.organisation import organisation


async def test_the_page_is_shown_after_a_login_by_link(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        assert browser.page.status_code == 200, browser.page.text
        assert "Nothing waits for you" in browser.page.text
        for path in ("/missions", "/new"):
            page = await browser.get(path)
            assert page.status_code == 200, page.text
