"""The page as the program serves it: by `serve`, `up` and `web`, beside the API on one port."""

from __future__ import annotations

import signal
import socket
import stat
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from support.cli import DEADLINE_S, FrasierProgram
from support.organisation import write_documents
from support.page_program import LINK, browser_of, serving_page


def test_api_and_page_are_served_on_one_port(frasier: FrasierProgram):
    with serving_page(frasier) as (process, client):
        assert "Nothing waits for you" in client.get("/").text
        assert client.get("/api/v1/health").json() == {"status": "ok"}
        assert client.get("/api/v1/tools").status_code == 401
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == 0


def test_a_server_with_an_open_stream_stops_at_once(frasier: FrasierProgram):
    with serving_page(frasier) as (process, client), client.stream("GET", "/live") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "retry: 1000"
        process.send_signal(signal.SIGTERM)
        assert process.wait(18) == 0  # requests in flight have 20 s


def test_another_link_is_printed_where_a_server_runs(frasier: FrasierProgram):
    with serving_page(frasier) as (_, client):
        port = str(client.base_url.port)
        for options, forms in (((), 2), (("--read-only",), 1)):
            said = frasier("web", "--no-open", "--port", port, *options).out
            link = LINK.search(said)
            assert link, said
            with browser_of(link[0]) as other:
                other.get("/new")
                assert other.get("/new").text.count("<form") == forms


def test_commands_find_the_port_of_a_running_page(frasier: FrasierProgram):
    frasier("run", "What is tea?", "--sources", str(write_documents(frasier.home.parent / "drinks")))
    share = ("missions", "share", "last", "--json")
    with serving_page(frasier) as (process, client):
        served = str(client.base_url).rstrip("/")
        assert frasier.json(*share[:-1])["link"].startswith(f"{served}/shared/")
        link = LINK.search(frasier("web", "--no-open").out)
        assert link
        assert link[1] == served
        named = frasier(*share, FRASIER_SERVER__ADDRESS="https://page.example").out
        assert '"link": "https://page.example/shared/' in named
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == 0
    assert frasier.json(*share[:-1])["link"].startswith("http://127.0.0.1:8764/shared/")


def test_the_browser_is_given_a_private_file_and_no_secret(frasier: FrasierProgram, tmp_path: Path):
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$*" > "{seen}"\n')
    browser.chmod(0o755)
    with serving_page(frasier):
        link = LINK.search(frasier("web", BROWSER=str(browser), HOME=str(tmp_path)).out)
    assert link
    page = Path(url2pathname(urlsplit(seen.read_text()).path))
    assert link[2] not in seen.read_text()
    assert f"url={link[0]}" in page.read_text()
    assert stat.S_IMODE(page.stat().st_mode) == 0o600


def test_web_serves_the_page_where_no_server_runs(frasier: FrasierProgram):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    with frasier.running("web", "--no-open", "--port", port) as process:
        assert process.stdout is not None
        link = LINK.search(process.stdout.readline())
        assert link
        with browser_of(link[0]) as client:
            assert client.get("/missions").status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == 0


def test_up_includes_the_page(frasier: FrasierProgram):
    with serving_page(frasier, "up", "--port", "0") as (process, client):
        assert "a worker is there" in client.get("/").text or "work" in client.get("/").text
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == 0


def test_up_goes_on_without_the_page_where_the_port_is_taken(frasier: FrasierProgram):
    with serving_page(frasier, "up", "--port", "0") as (_, client):
        port = str(client.base_url.port)
        with frasier.running("up", "--port", port) as second:
            assert second.stderr is not None
            while "The page is not served" not in (line := second.stderr.readline()):
                assert line, "it ended"
            assert f"port {port}" in line
            second.send_signal(signal.SIGTERM)
            assert second.wait(DEADLINE_S) == 0
        with frasier.running("up", "--no-web") as third:
            assert third.stdout is not None
            assert "Frasier is up" in third.stdout.readline()
            third.send_signal(signal.SIGTERM)
            _, said = third.communicate(timeout=DEADLINE_S)
            assert "login?token=" not in said
