"""A deleted memory is gone from every table of the engine, and the deletion names what can bring it back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from frasier.kernel.errors import NotAllowed
from frasier.memory.snapshots.manage import checkpoints_with
from frasier.store import Database
from support.cli_memory import MemoryProgram

SECRET = "Marguerite Oyelaran"


async def columns_with(db: Database, words: str) -> list[str]:
    """Return the tables of which a row contains the words, in whatever column."""
    held = []
    async with db.transaction() as tx:
        cursor = await tx.execute(
            "select relname from pg_class where relkind in ('r', 'p') and not relispartition"
            " and relnamespace = 'public'::regnamespace"
        )
        for name in [row["relname"] for row in await cursor.fetchall()]:
            found = await tx.execute(
                f'select 1 from "{name}" as t where t::text ilike %s limit 1'.encode(), (f"%{words}%",)
            )
            held += [name] if await found.fetchall() else []
    return sorted(held)


async def test_no_table_keeps_the_words_of_a_memory_that_was_deleted_for_good(memory_client):
    kept = await memory_client.save("The witness lives beside the heath.")
    first = (await memory_client("memory_save", content=f"Witness {SECRET} lives at 5 Heath Row."))["id"]
    again = await memory_client("memory_save", content=f"witness {SECRET.lower()} lives at 5 heath row!")
    assert (again["id"], again["action"]) == (first, "reinforced")
    alike = await memory_client("memory_save", content=f"Witness {SECRET} lives at 7 Heath Row, they say.")
    await memory_client("memory_update", id=first, content=f"Witness {SECRET} lived at 5 Heath Row.")
    await memory_client("memory_search", query=f"Where does {SECRET} live?", session=memory_client.session)
    await memory_client("memory_delete", id=first)
    await memory_client("memory_delete", id=alike["id"])
    assert await columns_with(memory_client.engine.database, SECRET) == []
    assert await memory_client.found("witness heath") == [kept]


async def test_a_final_deletion_names_the_checkpoints_that_hold_the_memory(memory_client):
    name = f"kept-{memory_client.home[-8:]}"
    held = await memory_client.save("The witness lives at 5 Heath Row.")
    await memory_client("checkpoint_create", name=name)
    await memory_client.founder.of("founder", founder=True, scopes=("shared", memory_client.home))(
        "checkpoint_create", name=f"all-{name}"
    )
    later = await memory_client.save("The judge lives at 9 Mill Lane.")
    assert "held_in" not in await memory_client("memory_delete", id=later)
    answer = await memory_client.ask("memory_delete", id=held)
    assert (answer.data["held_in"], answer.data["held_elsewhere"]) == ([name], 1)
    assert f"1 earlier checkpoint can still bring it back: {name}." in answer.hints
    assert any("checkpoint_delete" in hint and name in hint for hint in answer.hints)
    await memory_client("checkpoint_restore", name=name)
    assert (await memory_client("memory_get", id=held))["content"] == "The witness lives at 5 Heath Row."


async def test_a_deletion_keeps_a_checkpoint_where_it_is_asked_to(memory_client):
    held = await memory_client.save("The witness lives at 5 Heath Row.")
    deleted = await memory_client.ask("memory_delete", id=held, keep_checkpoint=True)
    assert await memory_client.found("witness") == []
    name = deleted.data["checkpoint"]
    assert any("checkpoint_restore" in hint and name in hint for hint in deleted.hints)
    await memory_client("checkpoint_restore", name=name)
    assert await memory_client.found("witness") == [held]


async def test_a_peers_checkpoint_is_named_to_the_founder_only_and_deleted_by_its_maker(memory_client):
    name = f"peer-{memory_client.home[-8:]}"
    peer = memory_client.of("token:peer")
    held = await memory_client.save("The witness lives at 6 Heath Row.")
    await peer("checkpoint_create", name=name)
    with pytest.raises(NotAllowed, match="peer made the checkpoint"):
        await memory_client("checkpoint_delete", name=name)
    deleted = await memory_client("memory_delete", id=held)
    assert (deleted.get("held_in", []), deleted["held_elsewhere"]) == ([], 1)
    await peer("checkpoint_delete", name=name)


async def test_a_deletion_names_the_memory_that_was_retired_for_the_deleted_one(memory_client):
    old = await memory_client("memory_save", content="The bridge of Ulmar is open.")
    new = await memory_client("memory_save", content="The bridge of Ulmar is not open.")
    assert new["action"] == "superseded"
    deleted = await memory_client.ask("memory_delete", id=new["id"])
    assert "1 memory that it denied is still retired, and not recalled." in deleted.hints
    assert f'Call memory_reinstate with id="{old["id"]}" to bring it back.' in deleted.hints
    assert await memory_client.found("bridge of Ulmar") == []
    restored = await memory_client.ask("memory_reinstate", id=old["id"])
    assert (restored.summary, tuple(restored.hints)) == ("It is recalled again.", ())
    assert await memory_client.found("bridge of Ulmar") == [old["id"]]


async def test_both_go_without_a_word_if_both_are_deleted(memory_client):
    old = await memory_client("memory_save", content="The bridge of Ulmar is open.")
    new = await memory_client("memory_save", content="The bridge of Ulmar is not open.")
    deleted = await memory_client.ask(
        "memory_bulk_delete", ids=[old["id"], new["id"]], confirm=True, skip_checkpoint=True
    )
    assert not any("retired" in hint for hint in deleted.hints)


async def test_a_checkpoint_of_an_earlier_version_may_hold_what_existed_by_then(memory_client):
    name = f"old-{memory_client.home[-8:]}"
    held = await memory_client.save("The witness lives at 5 Heath Row.")
    await memory_client("checkpoint_create", name=name)
    await memory_client.rows("update memory_checkpoints set memory_ids = null where name = %s", name)
    later = await memory_client.save("The judge lives at 9 Mill Lane.")
    assert "held_in" not in await memory_client("memory_delete", id=later)
    assert (await memory_client("memory_delete", id=held))["held_in"] == [name]


def test_a_deletion_at_the_command_line_says_that_the_file_is_still_there(memory: MemoryProgram):
    path = memory.notes / "witness.md"
    path.write_text("# Witness\n\nThe witness lives at 5 Heath Row.\n")
    memory.envelope("scan", "--force")
    [witness] = [one for one in memory.envelope("list")["data"]["memories"] if one["title"] == "Witness"]
    deleted = memory.output("delete", witness["id"], "--final", "--yes")
    assert str(path) in deleted.replace("\n", "")
    assert "brings it back" in " ".join(deleted.split())


def test_a_forced_scan_says_that_it_took_back_a_change(memory: MemoryProgram):
    (memory.notes / "harbour.md").write_text("# Harbour\n\nThe harbour closes at noon, every day.\n")
    memory.envelope("scan", "--force")
    [harbour] = [one for one in memory.envelope("list")["data"]["memories"] if one["title"] == "Harbour"]
    memory.output("update", harbour["id"], "--text", "The harbour closes at night.")
    scanned = " ".join(memory.output("scan", "--force").split())
    assert "Its memory had been changed apart from the file" in scanned
    assert f"version 2 of the memory {harbour['id']} keeps the other text" in scanned
    assert "closes at noon" in memory.output("show", harbour["id"])
    assert "had been changed" not in memory.output("scan", "--force")


async def test_many_files_are_counted_and_the_first_are_named(memory_client, root):
    own = memory_client.set_to(roots=(root,))
    for number in range(52):
        (root / f"{number:02}.md").write_text(f"# Lamp {number}\n\nThe lamp number {number} is lit.\n")
    await own("memory_index_scan", folder=str(root))
    deleted = await own("memory_bulk_delete", scope=own.caller.home, confirm=True)
    assert (deleted["deleted"], deleted["file_count"], len(deleted["files"])) == (52, 52, 50)


async def test_the_checkpoints_of_many_memories_are_found_at_once(memory_client):
    await memory_client.save("The witness lives at 5 Heath Row.")
    await memory_client("checkpoint_create", name=f"many-{memory_client.home[-8:]}")
    many = "array(select gen_random_uuid() from generate_series(1, 60000))"
    await memory_client.rows(f"update memory_checkpoints set memory_ids = {many}")
    ids = [row["id"] for row in await memory_client.rows(f"select unnest({many}) as id")]
    scopes = memory_client.caller.scopes
    async with memory_client.engine.database.transaction() as tx:
        await tx.execute("set local statement_timeout = '2s'")
        before = datetime(2026, 1, 1, tzinfo=UTC)
        found = await checkpoints_with(tx, memory_client.caller, ids, scopes=scopes, oldest=before)
    assert found == ((), 0)


def test_a_file_that_comes_back_with_another_text_took_back_no_change(memory: MemoryProgram):
    path = memory.notes / "lighthouse.md"
    path.write_text("# Lighthouse\n\nThe lighthouse of the bay is white.\n")
    memory.envelope("scan", "--force")
    path.unlink()
    assert memory.envelope("scan", "--force")["data"]["removed"] == 1
    path.write_text("# Lighthouse\n\nThe lighthouse of the bay is painted red.\n")
    assert "had been changed" not in memory.output("scan", "--force")
    [held] = [one for one in memory.envelope("list")["data"]["memories"] if one["title"] == "Lighthouse"]
    assert "painted red" in memory.output("show", held["id"])


def test_a_folder_that_is_emptied_counts_the_memories_that_go(memory: MemoryProgram):
    folder = memory.notes / "mixed"
    folder.mkdir()
    for number in range(4):
        (folder / f"good-{number}.md").write_text(f"# Good {number}\n\nThe lamp number {number} is lit.\n")
        (folder / f"bad-{number}.md").write_bytes(b"\xff\xfe\xfa not a text \x00\xd8")
    data = memory.envelope("scan", str(folder), "--force")["data"]
    assert (data["indexed"], data["failed"]) == (4, 4)
    for file in folder.iterdir():
        file.unlink()
    assert memory.envelope("scan", str(folder), "--force")["data"]["removed"] == 4


def test_a_merged_checkpoint_counts_the_memories_that_were_changed_since(memory: MemoryProgram):
    changed = memory.saved("The bridge opens at six.", "--scope", "team:bridge")
    memory.saved("The tunnel opens at eight.", "--scope", "team:bridge")
    memory.output("checkpoint", "create", "bridge", "--scope", "team:bridge")
    memory.output("update", changed, "--text", "The bridge opens at seven.", "--scope", "team:bridge")
    told = memory.output("checkpoint", "restore", "bridge", "--scope", "team:bridge")
    assert told.startswith(
        "0 put back, 0 removed, 2 were there, 1 of them changed since and left as they are."
    )
