"""Fault 35, of sessions: what a session was given is not given again, and no session is taken from who serves it."""

from __future__ import annotations

import asyncio
import sys

import pytest
from mcp import Client, StdioServerParameters

from frasier.kernel.errors import NotFound, Stale
from frasier.memory import SessionSettings, upkeep
from support.memory_client import open_memory_client

SECTIONS = (
    "<!-- ANCHOR:summary -->The crane is fixed.<!-- /ANCHOR:summary -->\n"
    "<!-- ANCHOR:decisions -->Buy a new bolt for the crane.<!-- /ANCHOR:decisions -->\n" + "Details. " * 100
)


async def test_fault_35_of_many_searches_at_once_none_gives_what_another_gave(memory_client):
    ids = [await memory_client.save(f"Crane number {number} is green.") for number in range(12)]
    pages = await asyncio.gather(
        *(memory_client.found("green crane", session=memory_client.session, limit=2) for _ in range(6))
    )
    assert sorted(one for page in pages for one in page) == sorted(ids)


async def test_fault_35_the_oldest_are_forgotten_beyond_the_cap_whoever_sends_at_once(memory_client):
    memory_client = memory_client.set_to(sessions=SessionSettings(deliveries_max=3))
    for number in range(8):
        await memory_client.save(f"Crane number {number} is green.")
    pages = await asyncio.gather(
        *(memory_client.found("green crane", session=memory_client.session, limit=2) for _ in range(4))
    )
    assert [len(page) for page in pages] == [2] * 4
    [row] = await memory_client.rows(
        "select count(*) as n from memory_deliveries where session_id = %s", memory_client.session
    )
    assert row["n"] == 3


async def test_fault_35_other_content_other_sections_and_more_detail_are_given(memory_client):
    crane = await memory_client.save(SECTIONS, title="Crane")
    asked = {"query": "crane", "session": memory_client.session}
    ways = [{"detail": "minimal"}, {"detail": "full"}, {"anchors": ["summary"]}, {"anchors": ["decisions"]}]
    for way in ways:
        first, second = [(await memory_client("memory_search", **asked, **way)) for _ in range(2)]
        assert [hit["id"] for hit in first["results"]] == [crane], way
        assert second["results"] == [], way
        assert second["seen"] == [{"id": crane, "title": "Crane"}]
    await memory_client("memory_update", id=crane, content=SECTIONS.replace("fixed", "broken again"))
    [again] = (await memory_client("memory_search", **asked, anchors=["summary"]))["results"]
    assert "broken again" in again["text"]


async def test_fault_35_only_what_was_really_withheld_counts_as_saved(memory_client):
    texts = ["Crane one is green. " * times for times in (1, 4, 9)]
    for text in texts:
        await memory_client.save(text)
    asked = {"query": "green crane", "session": memory_client.session, "detail": "full"}
    first = await memory_client("memory_search", **asked)
    second = await memory_client("memory_search", **asked)
    sizes = [memory_client.engine.counter.count(text.strip()) for text in texts]
    assert sorted(hit["tokens"] for hit in first["results"]) == sorted(sizes)
    assert "tokens_saved" not in first
    assert second["tokens_saved"] == first["text_tokens"] == sum(sizes)
    fresh = await memory_client("memory_search", **asked | {"session": f"{memory_client.session}-2"})
    assert "tokens_saved" not in fresh


async def test_fault_35_a_session_forgets_after_its_own_silence_not_entry_by_entry(memory_client):
    crane = await memory_client.save("The green crane.")
    assert await memory_client.found("green crane", session=memory_client.session) == [crane]
    await memory_client.rows(
        "update memory_deliveries set sent_at = now() - interval '50 minutes' where session_id = %s",
        memory_client.session,
    )
    assert await memory_client.found("green crane", session=memory_client.session) == [], (
        "the session itself was used just now"
    )
    await memory_client.rows(
        "update memory_sessions set active_at = now() - interval '31 minutes' where id = %s",
        memory_client.session,
    )
    assert await memory_client.found("green crane", session=memory_client.session) == [crane]


async def interrupt(memory_client):
    """The job that looks for sessions whose process has died, as every server runs it."""
    [job] = [run for name, _, run in upkeep(memory_client.engine) if name == "sessions"]
    await job()


async def test_fault_35_a_session_that_another_process_serves_is_neither_interrupted_nor_taken(db, frasier):
    async with open_memory_client(db) as memory_client:
        here = memory_client.of("here", scopes=("shared",))
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "frasier", "memory", "mcp", "--scope", "shared", "--all"],
            env={**frasier._environment, "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"},
            cwd=frasier.home,
        )
        async with Client(server) as client:
            saved = await client.call_tool("session_save", {"session": "theirs", "task": "paint the crane"})
            assert not saved.is_error, saved.content
            await interrupt(here)
            [session] = (await here("session_list"))["sessions"]
            assert session["status"] == "active"
            with pytest.raises(Stale) as refused:
                await here("session_recover", session="theirs")
            assert refused.value.number == "E072"
        await interrupt(here)
        recovered = await here("session_recover", session="theirs")
        assert recovered["recovered"]
        assert recovered["task"] == "paint the crane"


async def test_fault_35_a_foreign_session_is_not_there(memory_client):
    await memory_client("session_save", session=memory_client.session, task="secret work")
    stranger = memory_client.of("stranger", scopes=(f"{memory_client.home}x",))
    for tool in ("session_recover", "session_save", "session_get"):
        with pytest.raises(NotFound) as refused:
            await stranger(tool, session=memory_client.session)
        assert "secret work" not in str(refused.value.as_dict())
    assert (await stranger("session_list"))["sessions"] == []
