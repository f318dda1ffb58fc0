"""Fault 38, of secrets: none is kept, and none is shown, whoever says it and wherever."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import SecretStr

from frasier.kernel.errors import FrasierError
from frasier.memory import EmbeddingSettings, MemorySettings
from support.embedding_server import EmbeddingServer, refusing
from support.memory_client import NO_VECTORS, open_memory_client


@pytest.fixture
async def memory_client(database, root):
    async with open_memory_client(
        database, NO_VECTORS.model_copy(update={"roots": (root,)})
    ) as memory_client:
        yield memory_client


CORE = "Zk9mQ2xw7RtY4uVb1NcX0aSdPf6H"
SECRET = f"sk-proj-{CORE}"


async def stored(memory_client):
    """The tables in which the secret stands, in any column, as text or as bytes."""
    found = []
    tables = await memory_client.rows(
        "select table_name from information_schema.tables where table_schema = current_schema()"
        " and table_type = 'BASE TABLE'"
    )
    for table in (row["table_name"] for row in tables):
        [row] = await memory_client.rows(
            f"select count(*) as n from {table} t where position(lower(%s) in lower(t::text)) > 0"
            " or position(%s in t::text) > 0",
            CORE,
            CORE.encode().hex(),
        )
        if row["n"]:
            found.append(table)
    return found


async def test_fault_38_no_tool_keeps_a_secret_that_it_is_told(memory_client, root):
    said = f"Log in with {SECRET} please."
    crane = await memory_client.save("The green crane.")
    other = await memory_client.save("The rusty bolt.")
    (root / "found.md").write_text(
        f"---\ntitle: {said}\ntrigger_phrases: ['{said}']\ntags: ['{SECRET}']\n"
        f"causal_links:\n  caused_by: ['{said}']\n---\n# Found\n\n{said}\n"
    )
    calls: list[tuple[str, dict[str, Any]]] = [
        (
            "memory_save",
            {
                "content": said,
                "title": said,
                "tags": [SECRET],
                "triggers": [said],
                "thread": said,
                "speaker": said,
            },
        ),
        ("memory_save", {"content": f"{said} Once more."}),
        ("memory_save", {"file_path": "written.md", "content": said, "title": said, "tags": [SECRET]}),
        (
            "memory_update",
            {
                "id": crane,
                "content": said,
                "title": said,
                "tags": [SECRET],
                "triggers": [said],
                "reason": said,
            },
        ),
        ("memory_update", {"id": crane, "content": "The green crane, without it."}),
        ("memory_link", {"source": other, "target": crane, "relation": "caused", "evidence": said}),
        (
            "memory_correct",
            {
                "id": other,
                "type": "refined",
                "reason": said,
                "replacement": f"{said} In the end.",
                "replacement_title": said,
                "pattern": said,
            },
        ),
        ("task_preflight", {"task": said, "knowledge": 1, "uncertainty": 1, "context": 1, "gaps": [said]}),
        (
            "task_postflight",
            {
                "task": said,
                "knowledge": 1,
                "uncertainty": 1,
                "context": 1,
                "gaps_closed": [said],
                "new_gaps": [said],
            },
        ),
        (
            "session_save",
            {
                "session": memory_client.session,
                "task": said,
                "last_action": said,
                "summary": said,
                "pending_work": said,
                "state": {"note": said, SECRET: [said]},
                "continue_folder": str(root),
            },
        ),
        ("memory_index_scan", {"force": True}),
        ("checkpoint_create", {"name": memory_client.session}),
        ("memory_consolidate", {"apply": True}),
    ]
    shown = []
    for tool, arguments in calls:
        try:
            shown.append((await memory_client.ask(tool, **arguments)).model_dump_json())
        except FrasierError as refused:
            shown.append(json.dumps(refused.as_dict()))
    assert await stored(memory_client) == []
    assert [text for text in shown if CORE in text] == []
    (root / "found.md").unlink()
    written = {path.name for path in root.rglob("*") if path.is_file() and CORE in path.read_text()}
    assert written == set()


SECRETS = [
    SECRET,
    "voy_1a2b3c4d5e6f7g8h",
    "Authorization: Bearer abcdef0123456789ABCDEF",
    "api_key=9f8e7d6c5b4a39281706",
    "postgresql://frasier:s3cr3tpassw0rd@db/x",
    "ghp_0123456789abcdefghijABCDEFGHIJ456789",
]


@pytest.mark.parametrize("secret", SECRETS)
async def test_fault_38_a_secret_is_taken_out_and_that_is_said(memory_client, secret):
    data = await memory_client("memory_save", content=f"The deployment uses {secret} since Monday.")
    text = (await memory_client("memory_get", id=data["id"]))["content"]
    assert "[redacted]" in text
    assert secret.split()[-1].split("=")[-1].split("@")[0][-10:] not in text
    assert any("secret" in warning for warning in data["warnings"])


async def test_fault_38_what_a_provider_says_of_a_key_is_shown_to_nobody(db, capfd):
    with EmbeddingServer(refusing(401, f"Incorrect API key provided: {SECRET}. See key={CORE}")) as server:
        settings = MemorySettings(
            embedding=EmbeddingSettings(
                provider="openai",
                model="m",
                dimension=8,
                base_url=server.base_url,
                api_key=SecretStr(SECRET),
            )
        )
        async with open_memory_client(db, settings) as memory_client:
            await memory_client.save("The green crane.")
            await memory_client.engine.embed_due()
            shown = [
                await memory_client.ask("memory_search", query="green crane"),
                await memory_client.ask("memory_health"),
                await memory_client.ask("memory_save", content="The rusty bolt."),
                await memory_client.ask("memory_retry_embeddings"),
            ]
            assert shown[0].meta.degraded
            assert shown[0].data["results"]
            assert CORE not in "".join(envelope.model_dump_json() for envelope in shown)
            assert await stored(memory_client) == []
    said = capfd.readouterr()
    assert CORE not in said.out + said.err
