"""`frasier init` and `frasier demo`: from a fresh installation to models that answer, and to a first deliverable."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import stat
from pathlib import Path

from support.cli import FrasierProgram, Terminal
from support.model_server import ModelServer, ScriptedAnswer
from support.web_server import Reply, WebServer

KEY = "sk-or-v1-0123456789abcdef"
READY = ScriptedAnswer.json({"answer": "ready"})


def answer(terminal: Terminal, *answers: tuple[str, str]) -> None:
    """Answer each question as it is asked."""
    for question, text in answers:
        terminal.read_until(question)
        terminal.enter(text)


def set_up(terminal: Terminal, server: ModelServer, *, key: str = KEY) -> None:
    answer(
        terminal,
        ("Where do the models come from", "server"),
        ("Its address", server.base_url),
        ("Its key", key),
        ("model for quick work", "small"),
        ("model for research", "middle"),
        ("model for the hardest", "large"),
    )


def test_a_key_is_tested_written_for_its_owner_alone_and_never_shown(frasier: FrasierProgram, home: Path):
    with ModelServer(lambda body: READY) as server:
        with frasier.at_terminal("init", columns=100, rows=40) as terminal:
            set_up(terminal, server)
            answer(
                terminal,
                ("It works.", ""),
                ("in a day", "7.50"),
                ("in a month", ""),
            )
            drawn = terminal.read_to_end()
        assert KEY not in terminal.drawn
        assert drawn
        file = home / "settings.env"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        text = file.read_text("utf-8")
        assert f"FRASIER_LLM__API_KEY={KEY}\n" in text
        assert "FRASIER_LLM__CAPS__DAY_USD=7.5\n" in text
        assert {request.model for request in server.log} == {"small", "middle", "large"}
        # The file is read without being named, and its key is sent.
        server.log.clear()
        status = frasier.json("status")
        assert status["models"] == {"T1": "small", "T2": "middle", "T3": "large"}
        assert status["spend"]["day"]["cap_usd"] == 7.5
        frasier("doctor")
        digest = hashlib.sha256(f"Bearer {KEY}".encode()).hexdigest()
        assert {request.key_sha256 for request in server.log} == {digest}
        # A second time nothing is lost that is left empty.
        file.write_text(text + "FRASIER_TIME_ZONE=Europe/Berlin\n", "utf-8")
        with frasier.at_terminal("init", columns=100, rows=40) as terminal:
            set_up(terminal, server, key="")
            answer(terminal, ("Which service searches", ""), ("in a day", ""), ("in a month", ""))
            terminal.read_until("Written to")
            terminal.read_to_end()
        assert file.read_text("utf-8") == text + "FRASIER_TIME_ZONE=Europe/Berlin\n"
    assert list(home.glob(".settings*")) == []


def test_each_answer_is_checked_before_the_next_question(frasier: FrasierProgram, home: Path):
    with (
        ModelServer(lambda body: READY) as server,
        frasier.at_terminal("init", columns=100, rows=40) as terminal,
    ):
        answer(
            terminal,
            ("Where do the models come from", "server"),
            ("Its address", "localhost:11434/v1"),
            (r"will not do: it must be an http or https address[\s\S]*Its address", server.base_url),
            ("Its key", ""),
            ("model for quick work", ""),
            (r"will not do: it must[\s\S]*model for quick work", "small"),
            ("model for research", "middle"),
            ("model for the hardest", "large"),
            (r"count as free, unless FRASIER_LLM__PRICES[\s\S]*Which service searches", "none"),
            ("in a day", ""),
            ("in a month", ""),
        )
        terminal.read_until("Written to")
        terminal.read_to_end()
    assert f"FRASIER_LLM__BASE_URL={server.base_url}\n" in (home / "settings.env").read_text("utf-8")


def test_a_wrong_key_is_told_and_the_founder_decides(frasier: FrasierProgram, home: Path):
    with ModelServer(lambda body: ScriptedAnswer.error(401, "no such key")) as server:
        with frasier.at_terminal("init", columns=100, rows=40) as terminal:
            set_up(terminal, server)
            answer(
                terminal,
                ("It does not work", ""),
                ("Where do the models come from", "server"),
                ("Its address", ""),
                ("Its key", "sk-second"),
                ("model for quick work", "small"),
                ("model for research", ""),
                ("model for the hardest", ""),
                ("do without", "without"),
                ("Which service searches", "none"),
                ("in a day", ""),
                ("in a month", ""),
            )
            terminal.read_until("Written to")
            terminal.read_to_end()
        assert KEY not in terminal.drawn + (home / "settings.env").read_text("utf-8")
        assert "sk-second" not in terminal.drawn
    assert frasier.json("status")["rehearsal"] is True
    with frasier.at_terminal("init", columns=100, rows=40, OPENROUTER_API_KEY="sk-or") as terminal:
        answer(
            terminal,
            ("Where do the models come from", "rehearsal"),
            ("Which service searches", "none"),
            ("in a day", ""),
            ("in a month", ""),
        )
        terminal.read_until("Written to")
        terminal.read_to_end()
    assert frasier.json("status", OPENROUTER_API_KEY="sk-or")["rehearsal"] is True


def test_without_a_key_it_says_that_every_run_is_a_rehearsal(frasier: FrasierProgram):
    with frasier.at_terminal("init", columns=100, rows=40) as terminal:
        answer(terminal, ("Where do the models come from", "openrouter"), ("The key of OpenRouter", ""))
        answer(
            terminal,
            (r"Without a model every run is a rehearsal[\s\S]*Which service searches", "none"),
            ("in a day", ""),
            ("in a month", ""),
        )
        terminal.read_until("Written to")
        terminal.read_to_end()
    assert frasier.json("status")["rehearsal"] is True


async def test_a_search_is_tried_before_it_is_written(frasier: FrasierProgram, home: Path):
    async with WebServer() as web:
        hits = {"results": [{"url": web.url("/tea"), "title": "Tea", "content": "about tea"}]}
        nothing = Reply(body=b'{"results": []}', headers={"Content-Type": "application/json"})
        web.routes = {"/search": nothing}

        def ask(*verdict: tuple[str, str]) -> None:
            with frasier.at_terminal("init", columns=100, rows=40) as terminal:
                answer(
                    terminal,
                    ("Where do the models come from", "rehearsal"),
                    ("Which service searches", "searxng"),
                    ("The address of the instance", web.url("").rstrip("/")),
                    *verdict,
                    ("in a month", ""),
                )
                terminal.read_until("Written to")
                terminal.read_to_end()

        await asyncio.to_thread(ask, ("found nothing", "keep"), ("in a day", ""))
        web.routes = {"/search": Reply(body=json.dumps(hits).encode(), headers=nothing.headers)}
        await asyncio.to_thread(ask, (r"It works\.[\s\S]*in a day", ""))
    assert [path.partition("?")[0] for path in web.paths] == ["/search", "/search"]
    assert frasier.json("status")["web_search"] is True


def test_without_a_terminal_or_with_a_key_on_the_command_line_it_refuses(frasier: FrasierProgram, home: Path):
    refused = frasier("init", code=3)
    assert "this is not a terminal" in refused.err
    assert str(home / "settings.env") in refused.err
    refused = frasier("init", KEY, code=3)
    assert "the shell would keep it" in refused.err
    assert KEY not in refused.err + refused.out
    assert KEY not in frasier("init", f"--key={KEY}", code=2).err
    assert not (home / "settings.env").exists()


def test_a_mistyped_name_in_the_file_is_refused(frasier: FrasierProgram, home: Path):
    (home / "settings.env").write_text("FRASIER_LLM__T4_MODEL=x\n", "utf-8")
    refused = frasier("status", code=8)
    assert re.search(r"FRASIER_LLM__T4_MODEL in \S+settings\.env is not a setting", refused.err)
    (home / "settings.env").write_bytes(b"FRASIER_LLM__T1_MODEL=\xff\n")
    assert "cannot be read" in frasier("status", code=8).err


def test_the_example_runs_without_a_source_tree(frasier: FrasierProgram, home: Path):
    told = frasier.json("demo", "--out", "first")
    assert told["status"] == "delivered"
    assert Path(told["folder"]).parent == home / "first"
    assert len(frasier.json("missions", "show")["sources"]) == 6
