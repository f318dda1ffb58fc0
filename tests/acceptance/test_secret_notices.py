"""Secrets in common shapes are taken out over every interface; the notice names the field and how to keep the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from mcp import Client

from frasier.interfaces.http import make_app
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS, memory_tools
from frasier.memory import issue_token
from frasier.store.embedded import EmbeddedServer
from support.brain import BASE
from support.cli_memory import MemoryProgram, memory_program
from support.mcp_server import served_to
from support.memory_client import NO_VECTORS, MemoryClient, open_memory_client

SHAPES = [
    "The login is password=hunter2 since Monday.",
    "Start it with DB_PASS=hunter2 and nothing else.",
    "Put TOKEN=hunter2 into the environment.",
    "For the wiki the password is hunter2, as ever.",
    "Das Passwort ist hunter2.",
    "Le mot de passe : hunter2",
    "La contraseña es hunter2.",
    "La parola d'ordine è hunter2.",
    "A senha é hunter2.",
]


@pytest.fixture(scope="module")
def program(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryProgram]:
    with memory_program(server, tmp_path_factory.mktemp("secrets")) as program:
        yield program


def test_the_command_line_takes_them_out_says_where_and_keeps_them_when_told_to(program: MemoryProgram):
    for number, text in enumerate(SHAPES):
        told = program.output("save", text, "--title", f"Note {number}, pwd: hunter2", "--force")
        assert "removed from: content, title." in told, text
        assert "--keep-secrets" in told
    listed = program.envelope("list", "--limit", "50")["data"]["memories"]
    assert len(listed) == len(SHAPES)
    assert "hunter2" not in str(program.envelope("recall", "hunter2 password login", "--limit", "20"))
    kept = program.saved(SHAPES[0], "--keep-secrets", "--title", "Kept")
    assert "hunter2" in program.output("show", kept)
    assert "taken out" not in program.output("update", kept, "--title", "Kept on purpose")
    assert "hunter2" in program.output("show", kept)
    told = program.output("update", kept, "--text", "Now the password is swordfish9 instead.")
    assert "removed from: content." in told
    assert "swordfish9" not in program.output("show", kept)


def test_a_file_is_written_and_read_in_with_its_secrets_only_when_told_to(program: MemoryProgram):
    told = program.output("save", SHAPES[3], "--file", str(program.notes / "a.md"))
    assert "removed from: the file." in told
    assert "hunter2" not in (program.notes / "a.md").read_text()
    program.output("save", SHAPES[3], "--file", str(program.notes / "b.md"), "--keep-secrets")
    assert "hunter2" in (program.notes / "b.md").read_text()
    (program.notes / "c.md").write_text(f"# Crane\n\n{SHAPES[0]}\n")
    scanned = program.output("scan", "--force")
    assert "removed from: text." in scanned
    assert "With keep_secrets, text is stored unchanged." in " ".join(scanned.split())
    listed = {
        one["title"]: one["id"] for one in program.envelope("list", "--limit", "50")["data"]["memories"]
    }
    assert "hunter2" not in program.output("show", listed["Crane"])
    assert "hunter2" in program.output("show", listed["b"])
    program.output("save", "--file", str(program.notes / "c.md"), "--keep-secrets")
    program.output("scan", "--force")
    assert "hunter2" in program.output("show", listed["Crane"])


@pytest.fixture
async def memory_client(db):
    async with open_memory_client(db, NO_VECTORS) as memory_client:
        yield memory_client


async def test_http_and_mcp_take_them_out_say_where_and_keep_them_when_told_to(memory_client: MemoryClient):
    async with memory_client.engine.database.transaction() as tx:
        token = await issue_token(tx, "coder", ["shared"])
    transport = httpx2.ASGITransport(app=make_app(memory_client.engine, MEMORY_OPERATIONS))
    headers = {"Authorization": f"Bearer {token}"}
    server = served_to(lambda: memory_client.caller, memory_client.engine, memory_tools(MEMORY_OPERATIONS))
    async with (
        httpx2.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client,
        Client(server) as host,
    ):

        async def post(path: str, **body: Any) -> Any:
            said = (await client.post(f"/api/v1/{path}", json=body)).json()
            return said["data"] if path.startswith("tools/") else said.get("contributed") or said

        async def call(tool: str, **given: Any) -> Any:
            return str((await host.call_tool(tool, given)).content)

        for number, text in enumerate(SHAPES):
            for path, name in (
                ("tools/memory_save", "content"),
                ("contribute", "content"),
                ("memory", "content"),
            ):
                said = await post(path, **{name: f"{path} {number}: {text}"})
                assert any(
                    "removed from: content." in one and "keep_secrets" in one for one in said["warnings"]
                )
            told = await call("memory_save", content=text, tags=[text], force=True)
            assert "removed from: content, tags." in told
            assert "keep_secrets" in told
        stored = await memory_client.rows("select content, tags, title from memory_items")
        assert len(stored) >= 2 * len(SHAPES)
        assert "hunter2" not in str(stored)
        for path in ("tools/memory_save", "contribute", "memory"):
            said = await post(path, content=f"{path}: {SHAPES[0]}", keep_secrets=True)
            assert "warnings" not in said or not any("taken out" in one for one in said["warnings"])
        assert "taken out" not in await call("memory_save", content=SHAPES[1], keep_secrets=True, force=True)
        wrong = await memory_client.save("The crane is green.")
        told = await call(
            "memory_correct", id=wrong, type="refined", replacement=f"Blue. {SHAPES[0]}", reason=SHAPES[1]
        )
        assert "removed from: reason, replacement." in told
        assert "removed from: summary." in await call(
            "session_save", session=memory_client.session, summary=SHAPES[2]
        )
        for state in ({"password": "hunter2"}, {"deep": [{"note": SHAPES[2]}]}):
            told = await client.post("/api/v1/tools/session_save", json={"state": state})
            assert "removed from: state." in told.text
            assert "removed from: state." in await call("session_save", state=state)
        assert "hunter2" not in str(await memory_client.rows("select state from memory_sessions"))
        [kept] = await memory_client.rows(
            "select count(*) as n from memory_items where position('hunter2' in content) > 0"
        )
        assert kept["n"] == 4


async def test_a_change_cleans_what_it_is_given_and_says_so_and_leaves_the_rest(memory_client: MemoryClient):
    """A text that was stored before its secret was known for one stays until it is given anew."""
    wrong = await memory_client.save(SHAPES[0], keep_secrets=True)
    async with memory_client.engine.database.transaction() as tx:
        await tx.execute("update memory_items set provenance = provenance - 'secrets_kept'")
    said = await memory_client("memory_update", id=wrong, title="The login")
    assert "warnings" not in said
    [stored] = await memory_client.rows("select content, provenance from memory_items")
    assert stored["content"] == SHAPES[0]
    assert "secrets_kept" not in stored["provenance"]
    assert not stored["provenance"].get("redacted_in")
    said = await memory_client("memory_update", id=wrong, title="Our login", reason=SHAPES[1])
    assert "removed from: reason." in said["warnings"][0]
    await memory_client("memory_update", id=wrong, title="His login", reason=SHAPES[1], keep_secrets=True)
    kept = await memory_client.rows("select reason from memory_versions order by version")
    assert [SHAPES[1] == row["reason"] for row in kept] == [False, False, True]
    assert "hunter2" not in str(kept[:2])
