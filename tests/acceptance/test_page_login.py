"""Login to the founder's page: a link is used once, and opens a session that ends."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from frasier.org.governance import issue_login_link, list_page_sessions
from support.cli import FrasierProgram
from support.founder_page import BASE, logged_in, served_page
from support.organisation import organisation


async def test_a_login_link_opens_one_session_and_leaves_the_address(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, served_page(services) as client:
        assert (await client.get("/")).status_code == 401
        secret = await services.in_transaction(issue_login_link)
        answer = await client.get(f"/login?token={secret}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert secret not in cookie
        assert (await client.get("/")).status_code == 200
        # The browser that has it may open its link again; no other may.
        assert (await client.get(f"/login?token={secret}")).status_code == 303
        client.cookies.clear()
        again = await client.get(f"/login?token={secret}")
        assert again.status_code == 403
        assert "used before, or is too old" in again.text
        assert "frasier web" in again.text


async def test_nothing_but_a_click_uses_a_login_link(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, served_page(services) as client:
        address = f"/login?token={await services.in_transaction(issue_login_link)}"
        assert (await client.get(address, headers={"sec-purpose": "prefetch"})).status_code == 403
        assert (await client.head(address)).status_code == 403
        assert (await client.get("/login?token=guessed")).status_code == 403
        assert (await client.get(address)).status_code == 303


@pytest.mark.parametrize(
    ("ends", "status"),
    [
        (
            "update org_login_links set created_at = now() - interval '1 hour', expires_at = now() - interval '1 s'",
            403,
        ),
        ("update org_page_sessions set seen_at = now() - interval '73 hours'", 401),
        ("update org_page_sessions set created_at = now() - interval '31 days', expires_at = now()", 401),
        ("update org_page_sessions set revoked_at = now()", 401),
    ],
)
async def test_links_and_sessions_end(
    ends: str, status: int, database_url: str, owner_url: str, tmp_path: Path
):
    async with organisation(database_url, tmp_path / "h") as services, served_page(services) as client:
        address = f"/login?token={await services.in_transaction(issue_login_link)}"
        if status == 401:
            await client.get(address)
            assert (await client.get("/")).status_code == 200
            address = "/"
        with psycopg.connect(owner_url, autocommit=True) as connection:
            connection.execute(ends)
        assert (await client.get(address)).status_code == status


async def test_only_hashes_of_secrets_are_stored(database_url: str, owner_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, served_page(services) as client:
        secret = await services.in_transaction(issue_login_link)
        answer = await client.get(f"/login?token={secret}")
        cookie = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
        with psycopg.connect(owner_url) as connection:
            stored = str(
                [
                    connection.execute(f"select {table}::text from {table}").fetchall()
                    for table in ("org_login_links", "org_page_sessions", "events")
                ]
            )
        assert secret not in stored
        assert cookie not in stored


async def test_the_founder_logs_out(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        form = browser.document.xpath("//form[@action='/logout']")[0]
        csrf = form.xpath(".//input[@name='csrf']")[0].get("value")
        assert (await browser.client.post("/logout", data={"csrf": "x"})).status_code == 403
        assert (await browser.client.post("/logout", data={"csrf": csrf})).status_code == 303
        assert (await browser.get("/")).status_code == 401


async def test_sessions_are_listed_and_ended_at_the_command_line(
    database_url: str, tmp_path: Path, frasier: FrasierProgram
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        async with logged_in(services, read_only=True) as reader:
            listed = frasier.json("web", "sessions")["sessions"]
            assert [one["read_only"] for one in listed] == [True, False]
            refused = frasier("web", "logout", listed[0]["id"][:4], code=3).err
            assert f"{listed[0]['id'][:4]!r} fits several sessions." in refused
            assert all(one["id"] in refused.replace("\n", "") for one in listed)
            assert frasier.json("web", "logout", listed[0]["id"])["ended"] == 1
            assert (await reader.get("/")).status_code == 401
        assert (await browser.get("/")).status_code == 200
        assert frasier.json("web", "logout", "--all")["ended"] == 1
        assert (await browser.get("/")).status_code == 401
        assert await services.in_transaction(list_page_sessions) == []
        frasier("web", "logout", code=2)


async def test_sessions_of_two_homes_on_one_machine_have_cookies_of_their_own(
    database_url: str, tmp_path: Path
):
    async with organisation(database_url, tmp_path / "h") as services, served_page(services) as client:
        address = f"/login?token={await services.in_transaction(issue_login_link)}"
        answer = await client.get(BASE.replace("8764", "9000") + address)
        assert answer.headers["set-cookie"].startswith("frasier_session_9000=")
