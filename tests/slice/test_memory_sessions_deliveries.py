"""Nothing is sent twice within a session, whoever asks at the same time."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from frasier.kernel.errors import NotFound
from frasier.kernel.ids import new_id
from frasier.memory import MemoryKind, NewMemory, save_memories
from frasier.memory.access import Caller
from frasier.memory.sessions.dedupe import DeliveryCandidate, already_sent, fingerprint, mark_sent
from frasier.memory.sessions.lifecycle import expire_sessions, open_session, resume_session, update_session
from frasier.memory.sessions.types import SessionRules
from frasier.store import Database

ME = Caller(name="me", scopes=("shared",))
SOURCE = Path(__file__).resolve().parents[2] / "src"
PROGRAM = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from slice.test_memory_sessions_deliveries import send_in_rounds
asyncio.run(send_in_rounds(*sys.argv[2:]))
"""


async def saved(db, count):
    """That many memories, as candidates."""
    news = [
        NewMemory(kind=MemoryKind.PASSAGE, scope="shared", content=f"Passage {at}") for at in range(count)
    ]
    async with db.transaction() as tx:
        ids = await save_memories(tx, news)
        await open_session(tx, ME, "s")
    return [
        DeliveryCandidate(memory_id=memory_id, fingerprint=new_id().bytes, tokens=10 + at)
        for at, memory_id in enumerate(ids)
    ]


async def page_of(db, candidates, limit=10, session="s", **given):
    """What a recall does in the end: fills its page with what was not sent, and notes it. Returns the page."""
    async with db.transaction() as tx:
        sent = await already_sent(tx, session, candidates, **given)
        new = [one for one in candidates if one.fingerprint not in sent]
        await mark_sent(tx, session, new[:limit], **given)
    return new[:limit]


async def noted(db, columns="*"):
    async with db.transaction() as tx:
        cursor = await tx.execute(f"select {columns} from memory_deliveries order by sent_at")
        return await cursor.fetchall()


async def age(db, seconds):
    """Lets the session lie unused for so long, beaten for by its process all the while."""
    async with db.transaction() as tx:
        await tx.execute(f"update memory_sessions set active_at = active_at - interval '{seconds} seconds'")
        await tx.execute(f"update memory_deliveries set sent_at = sent_at - interval '{seconds} seconds'")


async def test_fault_12_following_pages_are_full_and_hold_nothing_twice(db):
    candidates = await saved(db, 25)
    pages = [await page_of(db, candidates) for _ in range(4)]
    assert [len(page) for page in pages] == [10, 10, 5, 0]
    delivered = [one.memory_id for page in pages for one in page]
    assert delivered == [one.memory_id for one in candidates]
    async with db.transaction() as tx:
        sent = await already_sent(tx, "s", [*candidates[:12], replace(candidates[0], fingerprint=bytes(16))])
    rows = {row["fingerprint"]: row["sent_at"] for row in await noted(db)}
    assert sent == {one.fingerprint: rows[one.fingerprint] for one in candidates[:12]}


@pytest.mark.parametrize("seed", range(4))
async def test_fault_12_a_page_is_never_short_while_candidates_remain(db, seed):
    """Against a list that remembers what was sent, renewed when it is sent again, the oldest dropped at the cap."""
    random = Random(seed)
    rules = SessionRules(deliveries_max=12)
    everything = await saved(db, 30)
    remembered: list[bytes] = []
    for _ in range(15):
        candidates = random.sample(everything, random.randint(1, 30))
        limit = random.randint(1, 8)
        page = await page_of(db, candidates, limit, rules=rules)
        expected = []
        for one in candidates:
            if len(expected) < limit and one.fingerprint not in remembered:
                expected.append(one)
        assert page == expected
        sent = [one.fingerprint for one in page]
        remembered = [*(old for old in remembered if old not in sent), *sent][-12:]
        rows = await noted(db, "fingerprint, sent_at")
        assert {row["fingerprint"] for row in rows} == set(remembered)


async def test_what_a_failed_answer_would_have_sent_does_not_count_as_sent(db):
    candidates = await saved(db, 3)
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await mark_sent(tx, "s", candidates)
            raise ZeroDivisionError
    assert len(await page_of(db, candidates)) == 3


async def test_fault_35_an_edited_memory_another_section_and_more_detail_are_sent(db):
    [one] = await saved(db, 1)

    def as_sent(content: bytes, anchors=(), detail="compact"):
        return replace(one, fingerprint=fingerprint(content.ljust(32), anchors=anchors, detail=detail))

    forms = [
        as_sent(b"old"),
        as_sent(b"new"),
        as_sent(b"new", ("summary",)),
        as_sent(b"new", ("decisions",)),
        as_sent(b"new", ("decisions",), "full"),
    ]
    assert [len(await page_of(db, [form])) for form in forms] == [1] * 5
    assert [len(await page_of(db, [form])) for form in forms] == [0] * 5


async def test_sessions_do_not_share_what_they_were_sent(db):
    candidates = await saved(db, 3)
    async with db.transaction() as tx:
        await open_session(tx, ME, "t")
    for session in ("s", "t"):
        assert len(await page_of(db, candidates, session=session)) == 3


async def test_a_session_that_nobody_opened_is_not_there(db):
    for use in (already_sent, mark_sent):
        with pytest.raises(NotFound) as refused:
            async with db.transaction() as tx:
                await use(tx, "none", ())
        assert refused.value.number == "E071"


async def test_fault_35_what_was_sent_is_forgotten_by_inactivity_not_by_its_own_age(db):
    candidates = await saved(db, 3)
    await page_of(db, candidates[:1])
    for _ in range(3):
        await age(db, 1_200)
        await page_of(db, candidates[1:2])
    assert len(await page_of(db, candidates[:1])) == 0
    await age(db, 1_801)
    assert len(await page_of(db, candidates)) == 3
    assert len(await noted(db)) == 3


@pytest.mark.parametrize("use", [open_session, update_session, resume_session])
async def test_using_an_idle_session_otherwise_does_not_bring_back_what_it_forgot(db, use):
    candidates = await saved(db, 3)
    await page_of(db, candidates)
    await age(db, 1_801)
    async with db.transaction() as tx:
        await use(tx, ME, "s")
    assert len(await page_of(db, candidates)) == 3


async def test_working_in_a_session_keeps_what_it_was_sent(db):
    candidates = await saved(db, 3)
    await page_of(db, candidates)
    for _ in range(3):
        await age(db, 1_200)
        async with db.transaction() as tx:
            await update_session(tx, ME, "s", last_action="still reading")
    assert len(await page_of(db, candidates)) == 0


async def test_a_resumed_session_keeps_what_it_was_sent_unless_its_agent_forgot(db):
    candidates = await saved(db, 3)
    await page_of(db, candidates)
    async with db.transaction() as tx:
        await resume_session(tx, ME, "s")
    assert len(await page_of(db, candidates)) == 0
    async with db.transaction() as tx:
        await resume_session(tx, ME, "s", forget_sent=True)
    assert len(await page_of(db, candidates)) == 3


async def test_fault_35_sending_again_renews(db):
    candidates = await saved(db, 3)
    await page_of(db, candidates)
    async with db.transaction() as tx:  # asked for by force
        await mark_sent(tx, "s", candidates[:1])
    rules = SessionRules(deliveries_max=2)
    async with db.transaction() as tx:
        await mark_sent(tx, "s", [replace(candidates[0], tokens=99)], rules=rules)
    kept = {row["memory_id"]: row["tokens"] for row in await noted(db)}
    assert len(kept) == 2
    assert kept[candidates[0].memory_id] == 99


async def test_fault_35_of_more_than_the_cap_the_oldest_are_forgotten(db):
    rules = SessionRules(deliveries_max=5)
    candidates = await saved(db, 9)
    for one in candidates:
        await page_of(db, [one], rules=rules)
    assert [row["memory_id"] for row in await noted(db)] == [one.memory_id for one in candidates[4:]]


async def test_a_page_larger_than_the_cap_is_noted_up_to_the_cap(db):
    candidates = await saved(db, 9)
    page = await page_of(db, candidates, rules=SessionRules(deliveries_max=5))
    assert len(page) == 9
    assert {row["memory_id"] for row in await noted(db)} == {one.memory_id for one in candidates[:5]}


async def test_two_memories_of_the_same_content_on_one_page_are_one_delivery(db):
    candidates = await saved(db, 2)
    twins = [replace(one, fingerprint=bytes(16)) for one in candidates]
    assert len(await page_of(db, twins)) == 2
    assert [row["memory_id"] for row in await noted(db)] == [candidates[0].memory_id]


async def test_what_was_deleted_meanwhile_hinders_nobody(db):
    candidates = await saved(db, 3)
    async with db.transaction() as tx:
        await tx.execute("delete from memory_items where id = %s", (candidates[1].memory_id,))
    assert len(await page_of(db, candidates)) == 3
    assert len(await noted(db)) == 2


async def test_fault_35_two_recalls_at_once_do_not_send_the_same(db):
    candidates = await saved(db, 40)
    pages = await asyncio.gather(*(page_of(db, candidates, limit=5) for _ in range(8)))
    delivered = [one.memory_id for page in pages for one in page]
    assert sorted(delivered) == sorted(one.memory_id for one in candidates)


async def test_a_job_forgets_what_idle_sessions_were_sent_and_spares_those_in_use(db):
    candidates = await saved(db, 3)
    await page_of(db, candidates)
    async with db.transaction() as tx:
        assert await expire_sessions(tx) == (0, 0)
    await age(db, 1_801)
    async with db.transaction() as using:
        await open_session(using, ME, "s")
        await mark_sent(using, "s", candidates)
        async with db.transaction() as tx:
            assert await expire_sessions(tx) == (0, 0)
    await age(db, 1_801)
    async with db.transaction() as tx:
        assert await expire_sessions(tx) == (3, 0)
    assert await noted(db) == []


async def send_in_rounds(database_url: str, session: str) -> None:
    """What each of two processes does: sends every memory by itself, the last of each round beyond the cap."""
    rules = SessionRules(deliveries_max=7)
    async with Database(database_url) as db:
        async with db.transaction() as tx:
            await open_session(tx, ME, session)
            cursor = await tx.execute("select id from memory_items order by num")
            ids = [row["id"] for row in await cursor.fetchall()]
        for memory_id in ids:
            one = DeliveryCandidate(memory_id=memory_id, fingerprint=os.urandom(16), tokens=1)
            await page_of(db, [one], session=session, rules=rules)
            async with db.transaction() as tx:
                cursor = await tx.execute("select count(*) as n from memory_deliveries")
                row = await cursor.fetchone()
                assert row is not None
                assert row["n"] <= 7, "the cap was passed"


async def test_fault_35_two_processes_in_one_session_never_pass_its_cap(db, database_url):
    await saved(db, 30)
    command = [sys.executable, "-c", PROGRAM, str(Path(__file__).parents[1]), database_url, "both"]
    running = [
        subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(SOURCE)}, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in running:
        _, err = await asyncio.to_thread(process.communicate)
        assert process.returncode == 0, err.decode()
    assert len(await noted(db)) == 7
