"""Saving through the gate, on a real database: nothing is lost, nothing of another's is touched, all of it is told."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound
from frasier.memory import ImportanceTier, MemoryKind, NewMemory, Query, recall_by_words, save_memory
from frasier.memory.access import Caller
from frasier.memory.admission.admit import admit_and_save
from frasier.memory.admission.save_gate import GateAction
from frasier.memory.admission.versions import admissions_of, reinstate, revert_to_version, versions_of
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.types import MemoryType
from support.recall_snapshot import snapshot

AGENT = uuid4()
CALLER = Caller(name="writer", scopes=("shared", "founder"))
FOUNDER = Caller(name="founder", scopes=("shared", "founder"), founder=True)

BACKUP = (
    "The nightly backup of the primary database cluster is copied to cold storage by the maintenance job before "
    "the morning report, and old snapshots are pruned afterwards by the janitor."
)
OPPOSITE = (
    "The nightly backup of the primary database cluster is not copied to cold storage by the maintenance job before "
    "the morning report, and old snapshots are pruned afterwards by the janitor."
)
ELABORATED = BACKUP[:-1] + ", quietly."


def observation(content=BACKUP, **fields):
    given = {"kind": MemoryKind.OBSERVATION, "scope": "shared", "content": content, "agent_id": AGENT}
    return NewMemory(**given | fields)


async def save(db, new, *, caller=CALLER, **options):
    async with db.transaction() as tx:
        return await admit_and_save(tx, caller, new, **options)


async def rows(db, table="memory_items", order="num"):
    async with db.transaction() as tx:
        cursor = await tx.execute(f"select * from {table} order by {order}")
        return await cursor.fetchall()


async def found(db, text="nightly backup", scope="shared"):
    async with db.transaction() as tx:
        return [hit.memory.content for hit in await recall_by_words(tx, Query(text=text, scopes=(scope,)))]


async def test_what_is_new_is_created_and_found_at_once(db):
    saved = await save(db, observation())
    assert (saved.action, saved.existing_id, saved.warnings, saved.dry_run) == (
        GateAction.CREATED,
        None,
        (),
        False,
    )
    assert await found(db) == [BACKUP]
    assert await rows(db, "memory_admissions", "created_at") == []
    [row] = await rows(db)
    assert row["id"] == saved.id
    assert row["provenance"] == {"saved_by": "writer"}


async def test_the_same_again_is_one_memory_and_says_so(db):
    first = await save(db, observation())
    again = await save(db, observation())
    assert (again.action, again.id, again.similarity) == (GateAction.REINFORCED, first.id, 1.0)
    [row] = await rows(db)
    assert row["access_count"] == 1
    assert [record["action"] for record in await rows(db, "memory_admissions", "created_at")] == [
        "reinforced"
    ]


async def test_the_same_in_other_small_words_reinforces_and_its_wording_is_kept(db):
    first = await save(db, observation())
    reworded = BACKUP.replace("The nightly", "A nightly").replace("is copied", "is being copied")
    again = await save(db, observation(reworded, importance=8, tier=ImportanceTier.IMPORTANT))
    assert (again.action, again.id) == (GateAction.REINFORCED, first.id)
    [row] = await rows(db)
    assert (row["content"], row["access_count"], row["importance"], row["tier"]) == (
        BACKUP,
        1,
        8,
        "important",
    )
    [record] = await rows(db, "memory_admissions", "created_at")
    assert (record["content"], record["memory_id"]) == (reworded, first.id)


async def test_fault_19_the_opposite_of_ones_own_retires_it_after_the_new_one_is_there(db):
    old = await save(db, observation(memory_type=MemoryType.SEMANTIC))
    new = await save(db, observation(OPPOSITE))
    assert (new.action, new.existing_id, new.contradiction) == (GateAction.SUPERSEDED, old.id, "is/is not")
    assert new.id != old.id
    assert await found(db) == [OPPOSITE]
    was, now = await rows(db)
    assert (was["tier"], now["tier"]) == ("deprecated", "normal")
    assert was["valid_until"] is not None
    [edge] = await rows(db, "memory_edges", "created_at")
    assert (edge["source_id"], edge["target_id"]) == (new.id, old.id)
    assert (edge["relation"], edge["origin"]) == ("supersedes", "gate")


async def test_fault_20_when_the_new_memory_cannot_be_written_the_old_one_stays(db):
    old = await save(db, observation())
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await admit_and_save(tx, CALLER, observation(OPPOSITE))
            raise ZeroDivisionError
    [row] = await rows(db)
    assert (row["id"], row["tier"]) == (old.id, "normal")
    assert await rows(db, "memory_edges", "created_at") == []


async def test_fault_20_the_new_row_is_written_before_the_old_one_is_retired(db):
    old = await save(db, observation())
    new = await save(db, observation(OPPOSITE))
    async with db.transaction() as tx:
        cursor = await tx.execute(
            "select n.xmin = o.xmin as together, n.cmin::text::int as written, o.cmin::text::int as retired"
            " from memory_items n, memory_items o where n.id = %s and o.id = %s",
            (new.id, old.id),
        )
        order = await cursor.fetchone()
    assert order["together"]
    assert order["written"] < order["retired"]


async def test_what_was_retired_can_be_given_back_as_it_was(db):
    ends = datetime.now(UTC) + timedelta(days=30)
    old = await save(db, observation(tier=ImportanceTier.IMPORTANT, valid_until=ends))
    new = await save(db, observation(OPPOSITE, tier=ImportanceTier.IMPORTANT))
    assert new.action is GateAction.SUPERSEDED
    async with db.transaction() as tx:
        await reinstate(tx, CALLER, old.id)
    was, _ = await rows(db)
    assert (was["tier"], was["valid_until"], was["provenance"]) == ("important", ends, {"saved_by": "writer"})
    [edge] = await rows(db, "memory_edges", "created_at")
    assert (edge["relation"], edge["source_id"]) == ("contradicts", new.id)
    assert sorted(await found(db)) == sorted([BACKUP, OPPOSITE])
    with pytest.raises(InvalidInput) as caught:
        async with db.transaction() as tx:
            await reinstate(tx, CALLER, old.id)
    assert caught.value.number == "E030"


async def test_what_was_retired_is_not_given_back_beside_its_twin(db):
    old = await save(db, observation())
    await save(db, observation(OPPOSITE))
    async with db.transaction() as tx:
        await save_memory(tx, observation())
        with pytest.raises(InvalidInput) as caught:
            await reinstate(tx, CALLER, old.id)
    assert caught.value.number == "E084"


async def test_saying_anew_what_was_retired_is_not_swallowed(db):
    await save(db, observation())
    await save(db, observation(OPPOSITE))
    again = await save(db, observation())
    assert again.action is GateAction.SUPERSEDED
    assert await found(db) == [BACKUP]


async def test_a_fact_that_holds_only_later_ends_the_old_one_then(db):
    later = datetime.now(UTC) + timedelta(days=3)
    await save(db, observation(memory_type=MemoryType.SEMANTIC))
    new = await save(db, observation(OPPOSITE, valid_from=later))
    assert new.action is GateAction.SUPERSEDED
    was, _ = await rows(db)
    assert (was["tier"], was["valid_until"]) == ("normal", later)


async def test_a_fact_that_was_over_holds_again_when_it_is_said_again(db):
    saved = await save(db, observation())
    async with db.transaction() as tx:
        await tx.execute("update memory_items set valid_until = now() - interval '1 day'")
    again = await save(db, observation(agent_id=AGENT))
    assert (again.action, again.id) == (GateAction.REINFORCED, saved.id)
    [row] = await rows(db)
    assert row["valid_until"] is None


async def test_ones_own_memory_said_anew_is_replaced_and_the_old_wording_kept(db):
    old = await save(db, observation(tags=("ops",), triggers=("backup day",), importance=7, title="Backups"))
    new = await save(db, observation(ELABORATED, tags=("night",), triggers=("cold storage",)))
    assert (new.action, new.id) == (GateAction.UPDATED, old.id)
    [row] = await rows(db)
    assert (row["content"], row["version"], row["importance"], row["title"]) == (ELABORATED, 2, 7, "Backups")
    assert (set(row["tags"]), set(row["triggers"])) == ({"ops", "night"}, {"backup day", "cold storage"})
    async with db.transaction() as tx:
        [version] = await versions_of(tx, CALLER, old.id)
        [record] = await admissions_of(tx, CALLER, old.id)
    assert (version.version, version.content, version.reason) == (1, BACKUP, new.reason)
    assert (record.action, record.content) == (GateAction.UPDATED, ELABORATED)
    assert await found(db, "quietly") == [ELABORATED]


async def test_an_earlier_version_can_be_taken_back_and_forth(db):
    saved = await save(db, observation())
    await save(db, observation(ELABORATED))
    async with db.transaction() as tx:
        assert await revert_to_version(tx, CALLER, saved.id, 1) == 3
    assert await found(db) == [BACKUP]
    assert await found(db, "quietly") == []
    async with db.transaction() as tx:
        assert await revert_to_version(tx, CALLER, saved.id, 2) == 4
        assert [version.content for version in await versions_of(tx, CALLER, saved.id)] == [
            BACKUP,
            ELABORATED,
            BACKUP,
        ]
    assert await found(db, "quietly") == [ELABORATED]


async def test_a_version_that_is_not_there_or_another_memory_by_now_is_refused(db):
    saved = await save(db, observation())
    await save(db, observation(ELABORATED))
    twin = await save(db, observation(), gate=False)
    async with db.transaction() as tx:
        with pytest.raises(NotFound):
            await revert_to_version(tx, CALLER, saved.id, 9)
        with pytest.raises(InvalidInput) as caught:
            await revert_to_version(tx, CALLER, saved.id, 1)
    assert caught.value.number == "E084"
    assert str(twin.id) in caught.value.message


@pytest.mark.parametrize(
    "change",
    [{"agent_id": uuid4()}, {"agent_id": None}, {"kind": MemoryKind.DECISION}],
    ids=["another agent", "nobody", "another kind"],
)
@pytest.mark.parametrize("content", [ELABORATED, OPPOSITE], ids=["anew", "opposite"])
async def test_fault_18_another_ones_memory_is_never_changed(db, change, content):
    old = await save(db, observation(**change))
    before = (await rows(db))[0]
    new = await save(db, observation(content))
    assert (new.action, new.existing_id, new.related) == (GateAction.LINKED, old.id, (old.id,))
    assert new.id != old.id
    assert (await rows(db))[0] == before
    [edge] = await rows(db, "memory_edges", "created_at")
    relation = "contradicts" if content == OPPOSITE else "resembles"
    assert (edge["source_id"], edge["target_id"], edge["relation"]) == (new.id, old.id, relation)
    assert (edge["origin"], round(edge["strength"], 5)) == ("gate", round(new.similarity, 5))


async def test_fault_18_two_callers_without_agents_do_not_change_each_other(db):
    await save(db, observation(agent_id=None))
    theirs = await save(
        db, observation(ELABORATED, agent_id=None), caller=Caller(name="other", scopes=("shared",))
    )
    assert theirs.action is GateAction.LINKED
    mine = await save(db, observation(ELABORATED[:-1] + " too.", agent_id=None))
    assert mine.action in {GateAction.UPDATED, GateAction.LINKED}
    assert len(await rows(db)) == (2 if mine.action is GateAction.UPDATED else 3)


@pytest.mark.parametrize("content", [ELABORATED, OPPOSITE], ids=["anew", "opposite"])
@pytest.mark.parametrize("tier", ["constitutional", "critical"])
async def test_what_binds_everybody_is_never_changed_by_saving(db, content, tier):
    old = await save(db, observation(tier=ImportanceTier(tier)), caller=FOUNDER)
    for caller in (CALLER, FOUNDER):
        new = await save(db, observation(content), caller=caller)
        assert new.action in {GateAction.LINKED, GateAction.REINFORCED}
        assert new.id != old.id
    assert (await rows(db))[0]["content"] == BACKUP
    assert (await rows(db))[0]["tier"] == tier


async def test_what_stands_in_a_file_is_never_changed_by_saving(db):
    old = await save(db, observation())
    async with db.transaction() as tx:
        await tx.execute(
            "insert into memory_files (id, path, root, scope, status) values (gen_random_uuid(), '/a.md', '/', 'shared',"
            " 'indexed')"
        )
        await tx.execute("update memory_items set file_id = (select id from memory_files)")
    for content in (BACKUP, ELABORATED, OPPOSITE):
        new = await save(db, observation(content), gate=True)
        assert new.id != old.id
    assert (await rows(db))[0]["content"] == BACKUP
    assert (await rows(db))[0]["tier"] == "normal"


async def test_another_number_keeps_both_and_warns(db):
    old = await save(
        db,
        observation(
            "Customer 4711 paid the invoice by card in the northern shop on time, without a reminder."
        ),
    )
    new = await save(
        db,
        observation(
            "Customer 4712 paid the invoice by card in the northern shop on time, without a reminder."
        ),
    )
    assert (new.action, new.existing_id) == (GateAction.LINKED, old.id)
    [warning] = new.warnings
    assert "4711" in warning
    assert len(await rows(db)) == 2


async def test_the_same_at_another_time_is_another_memory(db):
    monday = datetime(2024, 5, 6, tzinfo=UTC)
    await save(db, observation(occurred_at=monday))
    new = await save(db, observation(ELABORATED, occurred_at=monday + timedelta(days=1)))
    assert new.action is GateAction.LINKED
    assert len(await rows(db)) == 2


async def test_an_update_that_would_equal_the_memory_of_another_is_a_memory_of_its_own(db):
    text = "The deploy of the api service needs an approval of two reviewers before it goes out."
    reworded = "The deploys of the api service need an approval of two reviewers before it goes out."
    alice = Caller(name="alice", scopes=("shared",))
    theirs = await save(db, observation(text, agent_id=None, speaker="Anna"), caller=alice)
    mine = await save(db, observation(reworded, agent_id=None, speaker="Anna", importance=6), gate=False)
    new = observation(text, agent_id=None, importance=9, tags=("zebra",))
    assert (await save(db, new, dry_run=True)).action is GateAction.LINKED
    saved = await save(db, new)
    assert (saved.action, saved.existing_id) == (GateAction.LINKED, mine.id)
    assert [(row["id"], row["content"], row["speaker"]) for row in await rows(db)] == [
        (theirs.id, text, "Anna"),
        (mine.id, reworded, "Anna"),
        (saved.id, text, None),
    ]


async def test_the_comparison_of_many_negations_takes_time_that_grows_with_the_text(db):
    denied = "not " * 24_000
    await save(db, observation(f"{denied}alpha beta"))
    started = time.process_time()
    saved = await save(db, observation(f"{denied}beta alpha"))
    assert time.process_time() - started < 3
    assert saved.action is GateAction.LINKED


async def test_at_most_three_relatives_are_linked_the_nearest_first(db):
    texts = [BACKUP.replace("janitor", word) for word in ("caretaker", "cleaner", "sweeper", "keeper")]
    for text in texts:
        await save(db, observation(text, agent_id=uuid4()))
    new = await save(db, observation(BACKUP))
    assert new.action is GateAction.LINKED
    assert len(new.related) == len(set(new.related)) == 3


async def test_what_is_only_about_the_same_thing_is_created(db):
    await save(db, observation())
    new = await save(db, observation("The nightly report of the shop is printed by the clerk."))
    assert new.action is GateAction.CREATED
    assert await rows(db, "memory_edges", "created_at") == []


@pytest.mark.parametrize("kind", [MemoryKind.CONVERSATION, MemoryKind.MARKER, MemoryKind.PASSAGE])
async def test_turns_markers_and_passages_are_never_compared(db, kind):
    saved = [await save(db, observation(kind=kind)) for _ in range(2)]
    assert [one.action for one in saved] == [GateAction.CREATED] * 2
    assert len(await rows(db)) == 2
    assert (await save(db, observation(ELABORATED))).action is GateAction.CREATED


async def test_parts_of_a_thread_are_never_compared(db):
    for content in (BACKUP, ELABORATED, OPPOSITE):
        assert (await save(db, observation(content, thread="talk-1"))).action is GateAction.CREATED
    assert len(await rows(db)) == 3


@pytest.mark.parametrize(
    "gone",
    ["tier = 'deprecated'", "archived_at = now()", "expires_at = now()", "valid_until = now()"],
)
async def test_what_was_put_away_is_not_compared_with(db, gone):
    await save(db, observation())
    async with db.transaction() as tx:
        await tx.execute(f"update memory_items set {gone}")
    assert (await save(db, observation(ELABORATED))).action is GateAction.CREATED


async def test_memories_of_another_scope_are_not_compared_with(db):
    await save(db, observation(scope="founder"))
    assert (await save(db, observation(ELABORATED))).action is GateAction.CREATED


async def test_without_the_gate_everything_but_the_very_same_is_created(db):
    first = await save(db, observation())
    for content in (ELABORATED, OPPOSITE):
        assert (await save(db, observation(content), gate=False)).action is GateAction.CREATED
    again = await save(db, observation(), gate=False)
    assert (again.action, again.id) == (GateAction.REINFORCED, first.id)
    assert len(await rows(db)) == 3


async def test_a_dry_run_tells_and_changes_nothing(db):
    old = await save(db, observation())
    before = await rows(db)
    told = [
        await save(db, observation(content), dry_run=True)
        for content in (BACKUP, ELABORATED, OPPOSITE, "Else.")
    ]
    assert [one.action for one in told] == ["reinforced", "updated", "superseded", "created"]
    assert [one.id for one in told] == [old.id, old.id, None, None]
    assert all(one.dry_run for one in told)
    assert await rows(db) == before
    for table in ("memory_admissions", "memory_edges", "memory_versions"):
        assert await rows(db, table, "1") == []


async def test_the_very_same_words_take_up_new_phrases_of_their_author_only(db):
    saved = await save(db, observation())
    again = await save(db, observation(triggers=("backup day",)))
    assert (again.action, again.id) == (GateAction.UPDATED, saved.id)
    [row] = await rows(db)
    assert row["triggers"] == ["backup day"]
    nobodys = await save(db, observation(agent_id=None), gate=False)
    other = Caller(name="other", scopes=("shared",))
    told = await save(db, observation(agent_id=None, triggers=("cold storage",)), caller=other)
    assert (told.action, told.id) == (GateAction.REINFORCED, nobodys.id)
    assert "trigger phrases" in told.warnings[0]


async def test_a_scope_of_others_is_refused(db):
    for scope in ("mission:one", "agent:x"):
        with pytest.raises(NotAllowed):
            await save(db, observation(scope=scope))
    stranger = Caller(name="stranger", scopes=("mission:one",))
    saved = await save(db, observation())
    async with db.transaction() as tx:
        for call in (
            versions_of(tx, stranger, saved.id),
            admissions_of(tx, stranger, saved.id),
            revert_to_version(tx, stranger, saved.id, 1),
            reinstate(tx, stranger, saved.id),
        ):
            with pytest.raises(NotFound):
                await call


async def test_what_binds_is_written_and_reverted_by_the_founder_only(db):
    with pytest.raises(InvalidInput, match="founder"):
        await save(db, observation(tier=ImportanceTier.CRITICAL))
    saved = await save(db, observation(tier=ImportanceTier.CRITICAL), caller=FOUNDER)
    async with db.transaction() as tx:
        with pytest.raises(NotAllowed):
            await revert_to_version(tx, CALLER, saved.id, 1)


async def test_fault_38_a_secret_is_neither_saved_nor_recorded_and_the_author_is_told(db):
    secret = "sk-" + "Ab3" * 12
    saved = await save(db, observation(f"{BACKUP} Its key is {secret}."))
    again = await save(db, observation(f"{BACKUP} Its key is {secret}."))
    assert "secret" in saved.warnings[0]
    assert again.action is GateAction.REINFORCED
    for table, order in (("memory_items", "num"), ("memory_admissions", "created_at")):
        assert secret not in repr(await rows(db, table, order))


@pytest.mark.parametrize("content", [BACKUP, ELABORATED, OPPOSITE])
async def test_every_action_tells_caches_that_the_scope_changed(db, content):
    await save(db, observation())
    async with db.transaction() as tx:
        seen = await snapshot(tx)
    await save(db, observation(content))
    async with db.transaction() as tx:
        assert not await unchanged_since(tx, ["shared"], seen)


async def test_fault_21_every_action_can_be_recorded(db):
    await save(db, observation())
    for content in (BACKUP, ELABORATED, OPPOSITE[:-1] + ", quietly."):
        await save(db, observation(content))
    await save(db, observation(ELABORATED, agent_id=uuid4()))
    recorded = {row["action"] for row in await rows(db, "memory_admissions", "created_at")}
    assert recorded == {"reinforced", "updated", "superseded", "linked"}


async def test_those_who_save_the_opposite_at_once_keep_one_chain(db):
    await save(db, observation())
    saved = await asyncio.gather(*(save(db, observation(OPPOSITE)) for _ in range(5)))
    assert {one.id for one in saved} == {one.id for one in saved if one.action is GateAction.SUPERSEDED} | {
        one.id for one in saved if one.action is GateAction.REINFORCED
    }
    assert len({one.id for one in saved}) == 1
    assert await found(db) == [OPPOSITE]
    assert len(await rows(db, "memory_edges", "created_at")) == 1


async def test_fault_23_nothing_is_reported_that_did_not_happen(db):
    """Somebody else changes the memory between the comparison and the save: it is compared again."""
    old = await save(db, observation())
    async with db.transaction() as other:
        await other.execute("update memory_items set tier = 'deprecated' where id = %s", (old.id,))
        waiting = asyncio.create_task(save(db, observation(ELABORATED)))
        await wait_for_lock(db)
    new = await waiting
    assert (new.action, new.existing_id) == (GateAction.CREATED, None)
    assert await found(db) == [ELABORATED]


async def wait_for_lock(db):
    for _ in range(2_000):
        async with db.transaction() as tx:
            cursor = await tx.execute("select count(*) as n from pg_locks where not granted")
            if (await cursor.fetchone())["n"]:
                return
    raise AssertionError("nobody waited")


async def test_a_vector_is_owed_where_there_is_a_space_for_it(db):
    assert (await save(db, observation())).embedding == "none"
    async with db.transaction() as tx:
        await tx.execute(
            "insert into memory_spaces (provider, model, dimension, state) values ('local', 'm', 4, 'active')"
        )
    assert (await save(db, observation(ELABORATED))).embedding == "pending"


async def test_a_memory_is_not_changed_to_what_another_one_says(db):
    from frasier.memory import Caller, MemoryKind, NewMemory, save_memory, update_memory

    caller = Caller(name="tester", scopes=("shared",))
    async with db.transaction() as tx:
        first, second = [
            await save_memory(tx, NewMemory(kind=MemoryKind.OBSERVATION, scope="shared", content=content))
            for content in ("The crane is green.", "The crane is blue.")
        ]
    with pytest.raises(InvalidInput) as refused:
        async with db.transaction() as tx:
            await update_memory(tx, caller, second, content="The crane is green.", reason="")
    assert refused.value.number == "E084"
    assert str(first) in refused.value.message
