"""Bad input to `frasier run`: a clear message, a non-zero exit, and nothing stored, lost or invented."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from support.cli import FrasierProgram
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import DIRECTIVE, write_documents

REFUSED, WAITS, DATABASE, CONFIGURATION = 3, 5, 7, 8


def _empty(folder: Path) -> None:
    folder.mkdir()


def _only_hidden(folder: Path) -> None:
    write_documents(folder, {".notes.md": "# Hidden\n\nNobody shall read this, and nobody does.\n"})


def _binary(folder: Path) -> None:
    write_documents(folder)
    (folder / "program.md").write_bytes(b"\x7fELF" + bytes(range(256)) * 40)


def _huge(folder: Path) -> None:
    write_documents(folder)
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(50 * 1024 * 1024)


def _dangling(folder: Path) -> None:
    write_documents(folder)
    (folder / "gone.md").symlink_to(folder / "nowhere.md")


def _outside(folder: Path) -> None:
    write_documents(folder)
    (folder / "passwords.md").symlink_to("/etc/passwd")


def _pipe(folder: Path) -> None:
    write_documents(folder)
    os.mkfifo(folder / "pipe.md")


def _missing(folder: Path) -> None:
    return


SOURCES: list[tuple[Callable[[Path], None], str]] = [
    (_empty, "nothing to read"),
    (_only_hidden, "nothing to read"),
    (_binary, "program.md"),
    (_huge, "huge.txt"),
    (_dangling, "gone.md"),
    (_outside, "passwords.md"),
    (_pipe, "pipe.md"),
    (_missing, "There is no"),
]


async def _missions(url: str) -> int:
    async with await psycopg.AsyncConnection.connect(url) as connection:
        exists = await (await connection.execute("select to_regclass('org_missions') is not null")).fetchone()
        assert exists == (True,)
        row = await (await connection.execute("select count(*) from org_missions")).fetchone()
        assert row is not None
        return int(row[0])


@pytest.mark.parametrize(("make", "said"), SOURCES, ids=[make.__name__.strip("_") for make, _ in SOURCES])
def test_a_source_that_cannot_serve_is_named_and_nothing_is_started(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, make: Callable[[Path], None], said: str
) -> None:
    make(tmp_path / "sources")
    error = frasier.json("run", DIRECTIVE, "--sources", str(tmp_path / "sources"), code=REFUSED)["error"]
    assert said in error["message"]
    assert error["kept"] == "Nothing was started."
    assert error["hint"]
    assert asyncio.run(_missions(database_url)) == 0


def test_a_file_that_may_not_be_read_is_named(frasier: FrasierProgram, tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "sources")
    if os.geteuid() == 0:
        pytest.skip("root may read every file")
    (folder / "tea.md").chmod(0)
    error = frasier.json("run", DIRECTIVE, "--sources", str(folder), code=REFUSED)["error"]
    assert "tea.md" in error["message"]


def test_what_cannot_be_read_is_left_out_where_that_is_asked_for(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    _binary(tmp_path / "sources")
    (tmp_path / "sources" / "zero.txt").touch()
    refused = frasier.json("run", DIRECTIVE, "--sources", str(tmp_path / "sources"), code=REFUSED)["error"]
    assert refused["message"].endswith(". zero.txt: The file is empty.")
    assert "`frasier run DIRECTIVE --sources DIR --skip-unreadable`" in refused["hint"]
    told = frasier.json("run", DIRECTIVE, "--sources", str(tmp_path / "sources"), "--skip-unreadable")
    assert told["status"] == "delivered"
    text = (Path(told["folder"]) / "deliverable.md").read_text("utf-8")
    assert ". zero.txt: The file is empty.\n" in text


@pytest.mark.parametrize(
    "directive", ["x", "   ", "???!!!???", "x" * 200_000], ids=["one", "blank", "signs", "huge"]
)
def test_a_directive_that_cannot_be_one_is_refused(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, directive: str
) -> None:
    folder = write_documents(tmp_path / "sources")
    # No system takes an argument of that length, so a long directive comes through standard input.
    long = len(directive) > 100_000
    error = frasier.json(
        "run",
        "-" if long else directive,
        "--sources",
        str(folder),
        code=REFUSED,
        given=directive if long else "",
    )["error"]
    assert "directive" in error["message"]
    assert asyncio.run(_missions(database_url)) == 0


@pytest.mark.parametrize("place", ["file", "below a file"])
def test_a_destination_that_cannot_be_written_is_found_out_before_the_work(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, place: str
) -> None:
    folder = write_documents(tmp_path / "sources")
    (tmp_path / "taken").write_text("a file")
    out = tmp_path / "taken" if place == "file" else tmp_path / "taken" / "deep" / "er"
    error = frasier.json("run", DIRECTIVE, "--sources", str(folder), "--out", str(out), code=REFUSED)["error"]
    assert "cannot be written" in error["message"]
    assert asyncio.run(_missions(database_url)) == 0


def test_a_database_that_does_not_answer_is_named_without_its_password(home: Path, tmp_path: Path) -> None:
    url = "postgresql://someone:s3cr3t-word@127.0.0.1:1/nowhere"
    ended = FrasierProgram(home, url)("run", DIRECTIVE, "--sources", str(tmp_path), code=DATABASE)
    assert "database" in ended.err
    assert "FRASIER_DATABASE_URL" in ended.err
    assert "s3cr3t-word" not in ended.out + ended.err


def test_without_model_source_or_search_it_says_so_and_how_to_add_them(frasier: FrasierProgram) -> None:
    error = frasier.json("run", DIRECTIVE, code=REFUSED)["error"]
    assert error["code"] == "nothing_to_work_with"
    for way in ("--sources", "OPENROUTER_API_KEY", "FRASIER_WEB__SEARCH"):
        assert way in error["hint"]


@pytest.mark.parametrize(
    ("setting", "value", "accepted"),
    [
        ("FRASIER_WORKER__LEASE_S", "soon", "FRASIER_WORKER__LEASE_S must be a number."),
        ("FRASIER_WEB__SEARCH", "altavista", "FRASIER_WEB__SEARCH must be 'none', 'brave' or 'searxng'."),
        ("FRASIER_LLM__BASE_URL", "not an address", "FRASIER_LLM__BASE_URL must be an http or https address"),
        ("FRASIER_WEB", "altavista", "FRASIER_WEB cannot be read: a group of settings is written as JSON."),
        ("FRASIER_FAULT", "nowhere:kill", "FRASIER_FAULT"),
        ("FRASIER_ENV_FILE", "/nowhere/.env", "FRASIER_ENV_FILE"),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_accepted(
    frasier: FrasierProgram, tmp_path: Path, setting: str, value: str, accepted: str
) -> None:
    folder = write_documents(tmp_path / "sources")
    ended = frasier("run", DIRECTIVE, "--sources", str(folder), code=CONFIGURATION, **{setting: value})
    assert accepted in ended.err
    assert "Traceback" not in ended.err
    assert value not in ended.err.replace(accepted, "") or setting in {"FRASIER_FAULT", "FRASIER_ENV_FILE"}


def test_a_key_that_is_refused_waits_for_the_founder_and_loses_nothing(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    def refuse(_request: Any) -> ScriptedAnswer:
        return ScriptedAnswer.error(401, "no such key")

    folder = write_documents(tmp_path / "sources")
    with ModelServer(refuse) as server:
        model = {
            "FRASIER_LLM__BASE_URL": server.base_url,
            "FRASIER_LLM__API_KEY": "sk-wrong-key-0123456789abcdef",
        }
        prices = {tier: {"input": 1, "output": 1} for tier in ("small", "middle", "large")}
        names = {f"FRASIER_LLM__T{n}_MODEL": name for n, name in enumerate(prices, 1)}
        told = frasier.json(
            "run",
            DIRECTIVE,
            "--sources",
            str(folder),
            code=WAITS,
            FRASIER_LLM__PRICES=json.dumps(prices),
            **model,
            **names,
        )
    assert told["status"] == "planning"
    assert told["deliverable"] is None
    assert any("FRASIER_LLM__API_KEY" in line or "key" in line for line in told["waiting_for_founder"])
    inbox = frasier.json("inbox")
    assert "sk-wrong-key" not in str(inbox) + str(told)
    assert told["mission"] in str(inbox)


@pytest.mark.parametrize("command", ["say", "run", "retry"])
def test_what_is_typed_and_is_no_text_is_refused_and_starts_nothing(
    frasier: FrasierProgram, database_url: str, command: str
) -> None:
    error = frasier.json(command, "The caf\udce9 is open.", code=REFUSED)["error"]
    assert "not UTF-8" in error["message"]
    assert error["kept"] == "Nothing was changed."


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            ("task", "renew", "tea", "--attempt", "soon"),
            "Invalid value for '--attempt': must be a whole number.",
        ),
        (
            ("memory", "recall", "tea", "--as-of", "30.11.2026"),
            "Write a day, such as 2026-11-30, or a time in UTC, such as 2026-11-30T14:05.",
        ),
        (
            ("costs", "--since", "yesterday"),
            "Invalid value for '--since': 'yesterday' cannot be read. Write a day, such as 2026-11-30.",
        ),
        (("serve", "--port", "99999"), "Invalid value for '--port': must be at most 65,535."),
        (("task", "decide", "tea", "maybe"), "'maybe' is not one of 'approve', 'reject'."),
    ],
)
def test_a_wrong_argument_is_told_in_our_words(
    frasier: FrasierProgram, command: tuple[str, ...], told: str
) -> None:
    assert frasier(*command, code=2).err.endswith(f"{told}\n")
    as_json = ("task", "renew", "tea", "--attempt", "", "--json")
    error = json.loads(frasier(*as_json, code=2).out)["error"]
    assert error["message"] == "Invalid value for '--attempt': must be a whole number."
