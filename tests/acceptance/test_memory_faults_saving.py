"""Faults 17 to 24, of saving: files that are edited, texts that resemble others, and what is deleted."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from frasier.kernel import fault_points
from frasier.kernel.errors import InvalidInput, InvariantBroken, NotFound
from frasier.memory import MemorySettings
from frasier.store import Database
from support.memory_client import NO_VECTORS, WordVectors, open_memory_client

NOBODY = "01a20151-0000-7000-8000-000000000000"
BACKUP = (
    "The nightly backup of the customer database is always copied to the second disk by the maintenance job, before"
    " the morning report reaches the operators, and old snapshots are pruned by the janitor."
)
OPPOSITE = BACKUP.replace("always", "never")


@pytest.fixture
async def memory_client(database, root):
    async with open_memory_client(
        database, NO_VECTORS.model_copy(update={"roots": (root,)})
    ) as memory_client:
        yield memory_client


async def read(memory_client, memory_id, **more):
    return await memory_client("memory_get", id=memory_id, **more)


async def test_fault_17_an_edited_file_says_what_it_says_now(memory_client, root):
    text = "The nightly backup runs at three and is written to the second disk in the cellar."
    (root / "backup.md").write_text(f"# Backup\n\n{text}\n")
    first = await memory_client("memory_save", file_path="backup.md")
    (root / "backup.md").write_text(f"# Backup\n\n{text.replace('cellar', 'attic')}\n")
    second = await memory_client("memory_save", file_path="backup.md")
    assert (first["action"], second["action"]) == ("indexed", "updated")
    assert second["id"] == first["id"]
    assert "attic" in (await read(memory_client, first["id"]))["content"]
    assert await memory_client.found("attic") == [first["id"]]
    assert await memory_client.found("cellar") == []
    [before] = (await memory_client("memory_versions", id=first["id"]))["versions"]
    assert "cellar" in before["content"]


async def test_fault_18_files_that_say_nearly_the_same_stay_apart_and_are_read_once(memory_client, root):
    for name in ("first", "second"):
        (root / f"{name}.md").write_text(f"# Backup\n\n{BACKUP} That is the {name} rule.\n")
    (root / "copy.md").write_bytes((root / "first.md").read_bytes())
    assert (await memory_client("memory_index_scan"))["indexed"] == 3
    # What an agent says is about the file, and never changes it.
    await memory_client("memory_save", content=f"{BACKUP} That is the first rule indeed.")
    again = await memory_client("memory_index_scan", force=True)
    assert (again["indexed"], again["updated"], again["unchanged"]) == (0, 0, 3)
    (root / "second.md").write_text(f"# Backup\n\n{BACKUP} That is another rule.\n")
    changed = await memory_client("memory_index_scan", force=True)
    assert (changed["indexed"], changed["updated"], changed["unchanged"]) == (0, 1, 2)
    listed = (await memory_client("memory_list", limit=100))["memories"]
    texts = [(await read(memory_client, one["id"]))["content"].strip() for one in listed]
    assert sorted(text[text.rindex("That is") :] for text in texts) == [
        "That is another rule.",
        "That is the first rule indeed.",
        "That is the first rule.",
        "That is the first rule.",
    ]


@pytest.mark.parametrize(
    ("there", "new"),
    [
        (
            "Do not use the shared cache for session tokens in production at night.",
            "Don't use the shared cache for session tokens in production by night.",
        ),
        (
            "Never write the backup of the customer database to the second disk.",
            "Never ever write the backup of the customer database to the second disk.",
        ),
    ],
)
async def test_fault_19_a_prohibition_said_twice_contradicts_nothing(memory_client, there, new):
    await memory_client("memory_save", content=there)
    saved = await memory_client("memory_save", content=new)
    assert "contradiction" not in saved
    assert saved["action"] != "superseded"


async def test_fault_19_the_opposite_of_what_is_there_is_told_apart_by_its_content(memory_client):
    old = await memory_client("memory_save", content=BACKUP)
    new = await memory_client("memory_save", content=OPPOSITE)
    assert new["action"] == "superseded"
    assert new["contradiction"]
    assert new["existing_id"] == old["id"]
    assert await memory_client.found("nightly backup disk") == [new["id"]]


async def test_fault_20_while_the_new_one_is_not_saved_the_old_one_holds(memory_client, monkeypatch):
    old = (await memory_client("memory_save", content=BACKUP))["id"]
    with monkeypatch.context() as drill:
        drill.setattr(fault_points, "_armed", fault_points._read_setting("save.before_commit:raise"))
        with pytest.raises(InvariantBroken):
            await memory_client("memory_save", content=OPPOSITE)
    assert await memory_client.found("nightly backup disk") == [old]
    assert (await read(memory_client, old))["tier"] == "normal"
    assert (await memory_client("memory_graph_stats"))["edges"] == 0


async def test_fault_20_of_many_that_save_the_opposite_at_once_just_one_memory_is_left(memory_client):
    await memory_client("memory_save", content=BACKUP)
    saved = await asyncio.gather(*(memory_client("memory_save", content=OPPOSITE) for _ in range(4)))
    assert sorted(one["action"] for one in saved) == [*["reinforced"] * 3, "superseded"]
    assert {one["id"] for one in saved} == set(await memory_client.found("nightly backup disk", limit=100))


async def test_fault_21_every_verdict_can_be_recorded_and_read(memory_client):
    made = {}
    steps = {
        "created": BACKUP,
        "reinforced": BACKUP,
        "superseded": OPPOSITE,
        "updated": f"{OPPOSITE} Nobody waits.",
        "linked": f"{OPPOSITE} The founder asked for this after two disks had failed within the same week.",
    }
    for action, content in steps.items():
        saved = await memory_client("memory_save", content=content)
        assert saved["action"] == action
        said = (await memory_client("memory_versions", id=saved["id"])).get("said_before", [])
        made[action] = [one["action"] for one in said]
    assert made == {
        "created": [],
        "reinforced": ["reinforced"],
        "superseded": ["superseded"],
        "updated": ["updated", "superseded"],
        "linked": ["linked"],
    }


async def test_fault_22_however_a_path_is_spelled_it_is_one_memory(memory_client, root):
    (root / "specs" / "one").mkdir(parents=True)
    (root / "specs" / "one" / "note.md").write_text("# Note\n\nThe crane is green today.\n")
    (root / "alias").symlink_to(root / "specs")
    spelled = [
        "specs/one/note.md",
        "./specs//one/./note.md",
        str(root / "specs" / "one" / "note.md"),
        f"{root}//specs//one/note.md",
        "alias/one/note.md",
    ]
    saved = [await memory_client("memory_save", file_path=path) for path in spelled]
    assert len({one["id"] for one in saved}) == 1
    assert [one["action"] for one in saved] == ["indexed", *["unchanged"] * 4]
    with pytest.raises(InvalidInput, match="contains"):
        await memory_client("memory_save", file_path="specs/../specs/one/note.md")
    assert {one["path"] for one in saved} == {str(root / "specs" / "one" / "note.md")}
    assert (await memory_client("memory_index_scan"))["indexed"] == 0
    assert (await memory_client("memory_list"))["total"] == 1


async def test_fault_22_a_file_without_sections_is_one_memory_however_often_it_is_saved_at_once(
    memory_client, root
):
    (root / "note.md").write_text("# Note\n\nThe crane is green today.\n")
    saved = await asyncio.gather(
        *(memory_client("memory_save", file_path="note.md", force=True) for _ in range(6))
    )
    assert len({one["id"] for one in saved}) == 1
    assert (await memory_client("memory_list"))["total"] == 1


GONE = {
    "memory_update": {"title": "x"},
    "memory_delete": {},
    "memory_revert": {"version": 1},
    "memory_unarchive": {},
    "memory_reinstate": {},
    "memory_validate": {"useful": True},
    "memory_review": {"grade": "good"},
    "memory_promote": {},
    "memory_correct": {"type": "deprecated", "reason": "wrong"},
}


@pytest.mark.parametrize("tool", GONE)
async def test_fault_23_what_is_not_there_is_not_said_to_be_changed(memory_client, tool):
    deleted = await memory_client.save("The crane is green.")
    foreign = await memory_client.of("stranger", scopes=(f"{memory_client.home}x",)).save(
        "The winch is blue."
    )
    await memory_client("memory_delete", id=deleted)
    for unknown in (NOBODY, deleted, foreign):
        with pytest.raises(NotFound) as refused:
            await memory_client(tool, id=unknown, **GONE[tool])
        assert refused.value.number == "E080"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_unlink", {"edge_id": NOBODY}),
        ("memory_correct_undo", {"correction_id": NOBODY}),
        ("memory_outcome", {"ids": [NOBODY], "outcome": "accepted"}),
        ("memory_cite", {"ids": [NOBODY]}),
        ("checkpoint_delete", {"name": "no-such-checkpoint"}),
        ("checkpoint_restore", {"name": "no-such-checkpoint"}),
        ("session_recover", {"session": "no-such-session"}),
        ("task_postflight", {"task": "never begun", "knowledge": 1, "uncertainty": 1, "context": 1}),
    ],
)
async def test_fault_23_what_never_was_is_not_said_to_be_changed(memory_client, tool, arguments):
    with pytest.raises(NotFound):
        await memory_client(tool, **arguments)


async def test_fault_23_nothing_done_is_told_as_nothing_done(memory_client):
    crane = await memory_client.save("The crane is green.", title="Crane")
    same = await memory_client("memory_update", id=crane, title="Crane", content="The crane is green.")
    assert (same["version"], same.get("changed")) == (1, None)
    assert (await memory_client("memory_bulk_delete", tier="temporary", confirm=True))["deleted"] == 0
    assert not (await memory_client("memory_unarchive", id=crane))["restored"]
    assert (await memory_client("memory_retry_embeddings"))["due"] == 0


async def test_fault_20_what_another_memory_retired_is_brought_back_by_a_tool(memory_client):
    text = "The quay is swept by the harbour crew before the first ferry of the morning arrives at the pier."
    old = await memory_client("memory_save", content=text)
    saved = await memory_client.ask("memory_save", content=text.replace("is swept", "is not swept"))
    assert (saved.data["action"], saved.data["existing_id"]) == ("superseded", old["id"])
    assert list(saved.hints) == [
        f'Call memory_reinstate with id="{old["id"]}" to bring the retired one back.'
    ]
    assert await memory_client.found("quay ferry") == [saved.data["id"]]
    await memory_client("memory_reinstate", id=old["id"])
    assert set(await memory_client.found("quay ferry")) == {old["id"], saved.data["id"]}
    with pytest.raises(InvalidInput) as refused:
        await memory_client("memory_reinstate", id=old["id"])
    assert refused.value.number == "E030"


async def test_fault_24_nothing_of_a_deleted_memory_is_left_and_nothing_of_it_returns(db):
    async with open_memory_client(db, MemorySettings(), provider=WordVectors()) as memory_client:
        other = await memory_client.save("The rusty bolt.")
        crane = await memory_client.save("The green crane.", triggers=["green crane"])
        await memory_client("memory_link", source=other, target=crane, relation="caused")
        await memory_client("memory_update", id=crane, content="The green crane moved.")
        await memory_client("memory_review", id=crane, grade="good")
        await memory_client("memory_save", content="The green crane moved.")
        await memory_client.found("green crane", session=memory_client.session)
        await memory_client.engine.embed_due()
        [held] = await memory_client.rows("select num from memory_items where id = %s", crane)
        before = await left_of(memory_client, crane, held["num"])
        assert {"memory_vectors", "memory_terms", "memory_edges", "memory_versions"} <= before
        await memory_client("memory_delete", id=crane)
        assert await left_of(memory_client, crane, held["num"]) == set()
        assert {hit["id"]: list(hit["sources"]) for hit in await memory_client.search("green crane")} == {
            other: ["vector"]
        }
        new = await memory_client.save("A windmill in the dunes.")
        await memory_client.engine.embed_due()
        [row] = await memory_client.rows("select num from memory_items where id = %s", new)
        assert row["num"] > held["num"], "no number is used a second time"
        assert (await memory_client("memory_health"))["pending"] == 0


async def left_of(memory_client, memory_id, num):
    """The tables in which anything still names the memory, but for the record of what was decided."""
    columns = await memory_client.rows(
        "select table_name, column_name, udt_name from information_schema.columns"
        " where table_schema = current_schema() and table_name like 'memory%%'"
        " and (column_name in ('memory_num', 'num', 'id') or column_name like '%%memory_id'"
        " or column_name in ('source_id', 'target_id', 'original_id', 'replacement_id'))"
    )
    left = set()
    for column in columns:
        wanted = num if column["udt_name"] == "int8" else memory_id
        if column["udt_name"] not in {"int8", "uuid"}:
            continue
        [row] = await memory_client.rows(
            f"select count(*) as n from {column['table_name']} where {column['column_name']} = %s", wanted
        )
        if row["n"]:
            left.add(column["table_name"])
    return left


async def test_fault_24_nothing_is_encoded_while_a_transaction_is_open(db, database_url):
    open_ones = []

    async def look():
        """While this is waited for, the encoder works; whatever is read beside it ends, and does not wait for it."""
        for _ in range(5):  # what begins at the same time has begun then
            await open_transactions()
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                while left := await open_transactions():
                    await asyncio.sleep(0)
        open_ones.append(left)

    async def open_transactions():
        async with watcher.transaction() as tx:
            cursor = await tx.execute(
                "select count(*) as n from pg_stat_activity where datname = current_database()"
                " and state like 'idle in transaction%%' and pid <> pg_backend_pid()"
            )
            return (await cursor.fetchone())["n"]

    async with (
        Database(database_url) as watcher,
        open_memory_client(db, MemorySettings(), provider=WordVectors(watch=look)) as memory_client,
    ):
        await memory_client.save("The green crane.")
        await memory_client.engine.embed_due()
        await memory_client.search("green crane")
        await memory_client.search("", concepts=["green", "crane"])
        await memory_client("memory_context", input="green crane")
    assert len(open_ones) >= 4
    assert set(open_ones) == {0}
