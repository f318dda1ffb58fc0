"""Settings on the founder's page: each with its value and its true source, and no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from frasier.app import open_services
from frasier.settings import load_settings
from support.founder_page import Browser, logged_in

SECRET = "sk-very-secret-1234567890"


def row(browser: Browser, name: str) -> tuple[str, str]:
    """Return the value and the source of a setting."""
    (found,) = browser.document.xpath(f"//tr[th/code='{name}']")
    return tuple(" ".join(" ".join(cell.itertext()).split()) for cell in found.xpath("td")[:2])


async def test_each_value_is_shown_with_its_true_source(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    home = tmp_path / "h"
    home.mkdir()
    file = home / "settings.env"
    file.write_text(
        "FRASIER_WORKER__CONCURRENCY=2\nFRASIER_LOG_LEVEL=warning\nFRASIER_MEMORY__EMBEDDING__PROVIDER=none\n"
    )
    monkeypatch.setenv("FRASIER_HOME", str(home))
    monkeypatch.setenv("FRASIER_ENV_FILE", str(file))
    monkeypatch.setenv("FRASIER_DATABASE_URL", database_url)
    monkeypatch.setenv("FRASIER_LOG_LEVEL", "debug")
    monkeypatch.setenv("FRASIER_WORKER", '{"lease_s": 45}')
    monkeypatch.setenv("OPENROUTER_API_KEY", SECRET)
    for name in ("FRASIER_LLM__API_KEY", "FRASIER_LLM__BASE_URL", "FRASIER_LLM__PROVIDER"):
        monkeypatch.delenv(name, raising=False)
    async with open_services(load_settings()) as services, logged_in(services) as browser:
        page = await browser.get("/settings")
        assert page.status_code == 200, page.text
        assert row(browser, "FRASIER_WORKER__CONCURRENCY") == ("2", f"file {file}")
        assert row(browser, "FRASIER_WORKER__LEASE_S") == ("45.0", "environment FRASIER_WORKER")
        assert row(browser, "FRASIER_LOG_LEVEL") == ("debug", "environment FRASIER_LOG_LEVEL")
        assert row(browser, "FRASIER_HOME") == (str(home), "environment FRASIER_HOME")
        assert row(browser, "FRASIER_DATABASE__CONNECTIONS")[1] == "default"
        assert row(browser, "FRASIER_LLM__API_KEY") == (
            "set, and not shown",
            "environment OPENROUTER_API_KEY",
        )
        assert row(browser, "FRASIER_DATABASE_URL")[0] == "set, and not shown"
        assert SECRET not in page.text
        assert database_url not in page.text
        await browser.get("/settings?changed=1&q=worker")
        names = set(browser.document.xpath("//tbody//th/code/text()"))
        assert names == {"FRASIER_WORKER__CONCURRENCY", "FRASIER_WORKER__LEASE_S"}
        assert not browser.document.xpath("//main//form[@method='post']")
