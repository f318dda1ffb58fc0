"""One file, one memory: what an edit, a move, a rename of its words and a hostile path make of it."""

from __future__ import annotations

import os
from uuid import uuid4

import pytest

from frasier.kernel.errors import FrasierError, InvalidInput, NotAllowed, NotFound
from frasier.memory import Query, recall_by_words, save_memory
from frasier.memory.access import Caller
from frasier.memory.files.allowed_paths import Roots
from frasier.memory.files.index_file import FileStatus, index_file
from frasier.memory.files.links import retry_links
from frasier.memory.types import ImportanceTier, MemoryKind, NewMemory
from support.file_tiers import confirm_files

AGENT = Caller(name="agent", scopes=("agent:a", "shared"))
FOUNDER = Caller(name="founder", scopes=("agent:a", "shared", "founder"), founder=True)


async def index(db, roots, path, caller=AGENT, **given):
    async with db.transaction() as tx:
        indexed = await index_file(tx, caller, roots, path, **given)
        await retry_links(tx, caller)
        return indexed


async def rows(db, sql, **parameters):
    async with db.transaction() as tx:
        return await (await tx.execute(sql, parameters)).fetchall()


async def memory(db, memory_id):
    [row] = await rows(db, "select * from memory_items where id = %(id)s", id=memory_id)
    return row


async def found(db, text, scope="agent:a"):
    async with db.transaction() as tx:
        return [hit.memory.id for hit in await recall_by_words(tx, Query(text=text, scopes=(scope,)))]


async def test_a_file_becomes_a_memory_with_all_that_it_says(db, folder, roots):
    (folder / "choice.md").write_text(
        "---\ntitle: The storage engine\ndescription: Why we took PostgreSQL\ntriggerPhrases: [storage engine, which db]\n"
        "importance_tier: important\ncontextType: architecture\nmemory_type: procedural\ntags: [db, pg]\n"
        "valid_from: 2025-01-01\nvalid_until: 2026-01-01T00:00:00+02:00\nsession_id: s-7\n---\n"
        "# Ignored\n\n<!-- ANCHOR:summary -->\nOne durable store.\n<!-- /ANCHOR:summary -->\n"
    )
    indexed = await index(db, roots, folder / "choice.md")
    assert (indexed.status, indexed.version, indexed.warnings) == (FileStatus.INDEXED, 1, ())
    await confirm_files(db)
    row = await memory(db, indexed.memory_id)
    assert row["title"] == "The storage engine"
    assert row["content"].startswith("Why we took PostgreSQL\n\n# Ignored")
    assert "triggerPhrases" not in row["content"]
    assert row["kind"] == "decision"
    assert row["scope"] == "agent:a"
    assert row["tier"] == "important"
    assert (row["memory_type"], row["type_source"]) == ("procedural", "explicit")
    assert row["triggers"] == ["storage engine", "which db"]
    assert row["tags"] == ["db", "pg"]
    assert row["valid_from"].isoformat() == "2025-01-01T00:00:00+00:00"
    assert row["valid_until"].isoformat() == "2025-12-31T22:00:00+00:00"
    assert row["provenance"]["path"] == str(folder / "choice.md")
    assert row["provenance"]["session_id"] == "s-7"
    for words in ("durable", "storage", "PostgreSQL", "pg"):
        assert await found(db, words) == [indexed.memory_id], words


async def test_the_same_file_however_spelled_is_one_memory(db, folder, roots):
    (folder / "a.md").write_text("One memory of one file.")
    (folder / "link.md").symlink_to(folder / "a.md")
    spellings = [folder / "a.md", "a.md", f"{folder}/./a.md", str(folder) + "//a.md", folder / "link.md"]
    indexed = [await index(db, roots, spelling) for spelling in spellings]
    assert {file.memory_id for file in indexed} == {indexed[0].memory_id}
    assert [file.status for file in indexed] == [FileStatus.INDEXED, *[FileStatus.UNCHANGED] * 4]
    assert len(await rows(db, "select from memory_files")) == 1


async def test_fault_17_an_edited_file_changes_its_own_memory_and_keeps_what_it_said(db, folder, roots):
    path = folder / "a.md"
    path.write_text("# First\n\nThe cache lives for sixty seconds.")
    first = await index(db, roots, path)
    path.write_text("# Second\n\nThe cache lives for sixty minutes.")
    second = await index(db, roots, path)
    assert (second.status, second.memory_id, second.version) == (FileStatus.UPDATED, first.memory_id, 2)
    assert (await memory(db, first.memory_id))["title"] == "Second"
    [old] = await rows(db, "select * from memory_versions")
    assert (old["memory_id"], old["version"], old["title"]) == (first.memory_id, 1, "First")
    assert "seconds" in old["content"]
    assert await found(db, "minutes") == [first.memory_id]


async def test_fault_7_nothing_finds_what_an_edit_took_out(db, folder, roots):
    path = folder / "a.md"
    path.write_text("---\ntrigger_phrases: [old phrase]\n---\nThe walrus sleeps here.")
    indexed = await index(db, roots, path)
    path.write_text("---\ntrigger_phrases: [new phrase]\n---\nThe badger sleeps here.")
    await index(db, roots, path)
    assert await found(db, "walrus") == []
    assert await found(db, "badger") == [indexed.memory_id]
    assert [row["phrase"] for row in await rows(db, "select phrase from memory_triggers")] == ["new phrase"]


async def test_fault_18_a_file_never_touches_the_memory_of_another(db, folder, roots):
    for name in ("a.md", "b.md"):
        (folder / name).write_text("Both files say the very same thing.")
    first, second = await index(db, roots, "a.md"), await index(db, roots, "b.md")
    assert first.memory_id != second.memory_id
    (folder / "b.md").write_text("This one says something else by now.")
    await index(db, roots, "b.md")
    assert "very same" in (await memory(db, first.memory_id))["content"]
    assert (await index(db, roots, "a.md")).status is FileStatus.UNCHANGED


async def test_fault_22_an_alias_of_the_folder_makes_no_second_memory(db, tmp_path, folder, roots):
    (folder / "a.md").write_text("A memory in an aliased folder.")
    (tmp_path / "alias").symlink_to(folder)
    through = Roots([tmp_path / "alias"])
    first = await index(db, roots, folder / "a.md")
    assert (await index(db, through, tmp_path / "alias" / "a.md")).memory_id == first.memory_id
    assert len(await rows(db, "select from memory_items")) == 1


async def test_fault_25_comments_and_code_give_neither_tier_nor_title(db, folder, roots):
    (folder / "a.md").write_text(
        "<!--\ntitle: Hidden\nimportance_tier: constitutional\n# Hidden\n-->\n"
        "```yaml\nimportance_tier: critical\ntitle: Code\n# Code\n```\n# Shown\n\nA memory from a template.\n"
    )
    row = await memory(db, (await index(db, roots, "a.md", FOUNDER)).memory_id)
    assert (row["tier"], row["title"]) == ("normal", "Shown")


async def test_fault_26_the_same_file_can_be_saved_again(db, folder, roots):
    (folder / "a.md").write_text("Saved once, and saved again.")
    first = await index(db, roots, "a.md")
    again = await index(db, roots, "a.md", force=True)
    assert (again.status, again.memory_id, again.version) == (FileStatus.UNCHANGED, first.memory_id, 1)


async def test_a_moved_file_keeps_its_memory_and_its_past(db, folder, roots):
    (folder / "old.md").write_text("---\ntitle: Moved\n---\nA file that moves house.")
    before = await index(db, roots, "old.md")
    (folder / "deep").mkdir()
    (folder / "old.md").rename(folder / "deep" / "new.md")
    after = await index(db, roots, "deep/new.md")
    assert (after.memory_id, after.status, after.moved_from) == (
        before.memory_id,
        FileStatus.UPDATED,
        str(folder / "old.md"),
    )
    [file] = await rows(db, "select path from memory_files")
    assert file["path"] == str(folder / "deep" / "new.md")
    assert (await memory(db, before.memory_id))["provenance"]["path"] == file["path"]


async def test_a_copy_is_a_memory_of_its_own(db, folder, roots):
    (folder / "a.md").write_text("A file that has a copy beside it.")
    first = await index(db, roots, "a.md")
    (folder / "b.md").write_bytes((folder / "a.md").read_bytes())
    copy = await index(db, roots, "b.md")
    assert (copy.status, copy.moved_from) == (FileStatus.INDEXED, "")
    assert copy.memory_id != first.memory_id


class TestWhoMayWhat:
    @pytest.mark.parametrize("caller", [AGENT, FOUNDER])
    async def test_whoever_reads_it_a_file_is_normal_until_the_founder_confirms_more(
        self, db, folder, roots, caller
    ):
        (folder / "a.md").write_text("---\nimportance_tier: constitutional\n---\nNever delete a backup.")
        indexed = await index(db, roots, "a.md", caller)
        assert indexed.asks_for == "constitutional"
        assert (await memory(db, indexed.memory_id))["tier"] == "normal"
        assert await confirm_files(db) == 1
        assert (await memory(db, indexed.memory_id))["tier"] == "constitutional"
        again = await index(db, roots, "a.md", caller, force=True)
        assert (again.memory_id, again.asks_for) == (indexed.memory_id, None)
        assert (await memory(db, indexed.memory_id))["tier"] == "constitutional"

    async def test_nobody_else_edits_what_binds_everybody(self, db, folder, roots):
        path = folder / "a.md"
        path.write_text("---\nimportance_tier: constitutional\n---\nNever delete a backup.")
        indexed = await index(db, roots, path, FOUNDER)
        await confirm_files(db)
        path.write_text("---\nimportance_tier: normal\n---\nDelete backups as you like.")
        with pytest.raises(NotAllowed, match="Only the founder"):
            await index(db, roots, path)
        row = await memory(db, indexed.memory_id)
        assert (row["tier"], row["content"].strip()) == ("constitutional", "Never delete a backup.")

    async def test_a_forced_reading_of_an_unchanged_binding_file_is_no_change(self, db, folder, roots):
        (folder / "a.md").write_text("---\nimportance_tier: critical\n---\nNever delete a backup.")
        await index(db, roots, "a.md", FOUNDER)
        await confirm_files(db)
        assert (await index(db, roots, "a.md", force=True)).status is FileStatus.UNCHANGED

    async def test_a_file_of_a_foreign_scope_is_neither_read_nor_changed(self, db, folder, roots):
        (folder / "a.md").write_text("What only one agent remembers.")
        await index(db, roots, "a.md")
        stranger = Caller(name="stranger", scopes=("agent:b",))
        (folder / "a.md").write_text("What the stranger would like to have.")
        with pytest.raises(NotAllowed) as refused:
            await index(db, roots, "a.md", stranger)
        assert "agent:a" not in f"{refused.value.as_dict()}"
        assert await found(db, "stranger") == []

    async def test_a_scope_that_is_not_the_callers_is_refused(self, db, folder, roots):
        (folder / "a.md").write_text("For whom is this one meant?")
        with pytest.raises(NotAllowed):
            await index(db, roots, "a.md", scope="founder")

    async def test_a_memory_stays_in_its_scope(self, db, folder, roots):
        (folder / "a.md").write_text("A memory has one scope.")
        await index(db, roots, "a.md", scope="shared")
        (folder / "a.md").write_text("A memory keeps its scope.")
        assert (await index(db, roots, "a.md")).status is FileStatus.UPDATED
        assert await found(db, "keeps", "shared")
        with pytest.raises(InvalidInput, match="already a memory of the scope shared"):
            await index(db, roots, "a.md", scope="agent:a")

    async def test_an_edit_keeps_the_tier_that_was_decided_since(self, db, folder, roots):
        (folder / "a.md").write_text("---\nimportance_tier: normal\n---\nThe first text of it.")
        indexed = await index(db, roots, "a.md")
        async with db.transaction() as tx:
            await tx.execute("update memory_items set tier = 'deprecated', importance = 9")
        (folder / "a.md").write_text("---\nimportance_tier: normal\n---\nThe second text of it.")
        edited = await index(db, roots, "a.md")
        row = await memory(db, indexed.memory_id)
        assert (row["tier"], row["importance"], row["version"]) == ("deprecated", 9, 2)
        assert any("deprecated" in warning for warning in edited.warnings)
        (folder / "a.md").write_text("---\nimportance_tier: important\n---\nThe third text of it.")
        await index(db, roots, "a.md")
        assert (await memory(db, indexed.memory_id))["tier"] == "deprecated"
        await confirm_files(db)
        assert (await memory(db, indexed.memory_id))["tier"] == "important"

    async def test_a_tier_that_the_file_no_longer_states_is_gone(self, db, folder, roots):
        (folder / "a.md").write_text("---\nimportance_tier: important\n---\nThe first text of it.")
        indexed = await index(db, roots, "a.md")
        await confirm_files(db)
        (folder / "a.md").write_text("The second text of it.")
        await index(db, roots, "a.md")
        assert (await memory(db, indexed.memory_id))["tier"] == "normal"


class TestPaths:
    @pytest.mark.parametrize(
        "path",
        [
            "../secret.md",
            "/etc/passwd",
            "a/../../secret.md",
            "a\0.md",
            "",
            " ",
            "x" * 5000 + ".md",
            "a\n.md",
            "\udcff.md",
        ],
    )
    async def test_fault_36_a_path_that_leads_out_is_refused_with_the_folders_named(
        self, db, tmp_path, folder, roots, path
    ):
        (tmp_path / "secret.md").write_text("What lies outside of the folder.")
        with pytest.raises(InvalidInput) as refused:
            await index(db, roots, path)
        assert refused.value.number in {"E011", "E014"}
        assert str(folder) in refused.value.hint
        assert await rows(db, "select from memory_files") == []

    async def test_fault_36_links_that_lead_out_are_not_followed(self, db, tmp_path, folder, roots):
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "a.md").write_text("What lies outside of the folder.")
        (folder / "file.md").symlink_to(tmp_path / "outside" / "a.md")
        (folder / "folder").symlink_to(tmp_path / "outside")
        for path in ("file.md", "folder/a.md"):
            with pytest.raises(InvalidInput) as refused:
                await index(db, roots, path)
            assert refused.value.number == "E011"

    async def test_what_is_no_regular_file_is_refused_and_never_waited_for(self, db, folder, roots):
        os.mkfifo(folder / "pipe.md")
        (folder / "folder.md").mkdir()
        for name in ("pipe.md", "folder.md"):
            with pytest.raises(InvalidInput) as refused:
                await index(db, roots, name)
            assert refused.value.number == "E011"

    async def test_a_missing_file_is_named(self, db, roots):
        with pytest.raises(NotFound) as refused:
            await index(db, roots, "gone.md")
        assert refused.value.number == "E010"

    async def test_what_is_no_markdown_is_refused(self, db, folder, roots):
        (folder / "a.py").write_text("print('not a memory')")
        with pytest.raises(InvalidInput, match="not a Markdown file"):
            await index(db, roots, "a.py")


@pytest.mark.parametrize(
    ("data", "number"),
    [
        (b"\xff\xfe\x00", "E012"),
        (b"\x80\x81 not utf-8 at all", "E012"),
        (b"a NUL \0 in the middle of it", "E012"),
        (b"#" * 10_000_001, "E013"),
        (b"short", "PF030"),
        (b"---\ntitle: nothing below\n---\n\n", "PF030"),
        (b"x" * 100_001, "PF031"),
        (b"---\na: *b\n---\nA text that is long enough.", "E090"),
        (b"---\nvalid_until: soon\n---\nA text that is long enough.", "E030"),
        (b"<!-- ANCHOR:a -->One<!-- ANCHOR:a -->Two<!-- /ANCHOR:a -->", "PF001"),
        (b"A text.\n<!-- /ANCHOR:a -->", "PF002"),
        (b"A text.\n<!-- ANCHOR:a -->", "PF003"),
    ],
)
async def test_what_cannot_be_a_memory_is_refused_by_its_rule_and_stores_nothing(
    db, folder, roots, data, number
):
    (folder / "a.md").write_bytes(data)
    with pytest.raises(FrasierError) as refused:
        await index(db, roots, "a.md")
    assert refused.value.number == number
    assert refused.value.hint or refused.value.advice or refused.value.facts
    assert await rows(db, "select from memory_items") == await rows(db, "select from memory_files") == []


async def test_fault_38_a_secret_in_a_file_does_not_become_a_memory(db, folder, roots):
    secret = "sk-" + "a1" * 16
    (folder / "a.md").write_text(f"---\ndescription: it is {secret}\n---\nThe key is {secret}, don't tell.")
    indexed = await index(db, roots, "a.md")
    stored = await rows(db, "select to_jsonb(m)::text as everything from memory_items m")
    assert secret not in stored[0]["everything"]
    assert any("The file itself was not changed." in warning for warning in indexed.warnings)


async def test_utf_16_files_are_read(db, folder, roots):
    for name, encoding in (("le.md", "utf-16-le"), ("be.md", "utf-16-be"), ("bom.md", "utf-8")):
        (folder / name).write_bytes(
            f"\ufeff---\ntitle: Ünïcode {name}\n---\r\nDer Fluss heißt Spree.\r\n".encode(encoding)
        )
        row = await memory(db, (await index(db, roots, name)).memory_id)
        assert (row["title"], row["content"]) == (f"Ünïcode {name}", "Der Fluss heißt Spree.\n")


async def test_a_deleted_memory_comes_back_only_by_force_or_by_an_edit(db, folder, roots):
    (folder / "a.md").write_text("A memory that somebody deletes.")
    first = await index(db, roots, "a.md")
    async with db.transaction() as tx:
        await tx.execute("delete from memory_items")
    unchanged = await index(db, roots, "a.md")
    assert (unchanged.status, unchanged.memory_id) == (FileStatus.UNCHANGED, None)
    assert "deleted" in unchanged.warnings[0]
    forced = await index(db, roots, "a.md", force=True)
    assert forced.status is FileStatus.INDEXED
    assert forced.memory_id not in {None, first.memory_id}


class TestLinks:
    async def edges(self, db):
        return {
            (row["source"], row["relation"], row["target"])
            for row in await rows(
                db,
                "select s.title as source, relation, t.title as target from memory_edges e"
                " join memory_items s on s.id = e.source_id join memory_items t on t.id = e.target_id where origin = 'file'",
            )
        }

    def write(self, folder, name, *, title, links=""):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"---\ntitle: {title}\n{links}---\nThe text of {title}, long enough.")

    async def test_each_word_means_its_relation_in_its_direction(self, db, folder, roots):
        words = {
            "caused_by": ("other", "caused", "me"),
            "supersedes": ("me", "supersedes", "other"),
            "derived_from": ("me", "derived_from", "other"),
            "blocks": ("other", "enabled", "me"),
            "related_to": ("me", "supports", "other"),
            "contradicts": ("me", "contradicts", "other"),
        }
        for word, (source, relation, target) in words.items():
            self.write(folder, f"{word}-other.md", title=f"other {word}")
            self.write(
                folder, f"{word}.md", title=f"me {word}", links=f"causal_links:\n  {word}: other {word}\n"
            )
            await index(db, roots, f"{word}-other.md")
            await index(db, roots, f"{word}.md")
            assert (f"{source} {word}", relation, f"{target} {word}") in await self.edges(db), word
        assert len(await self.edges(db)) == len(words)

    async def test_a_reference_is_an_id_a_path_or_a_title(self, db, folder, roots):
        self.write(folder, "sub/near.md", title="near")
        self.write(folder, "sub/far.md", title="far")
        self.write(folder, "other.md", title="titled")
        near = await index(db, roots, "sub/near.md")
        await index(db, roots, "sub/far.md")
        await index(db, roots, "other.md")
        self.write(
            folder,
            "sub/me.md",
            title="me",
            links=f"causalLinks:\n  related_to: [{near.memory_id}, far.md, titled]\n  derivedFrom: sub/far.md\n",
        )
        assert (await index(db, roots, "sub/me.md")).unresolved == ()
        assert await self.edges(db) == {
            ("me", "supports", "near"),
            ("me", "supports", "far"),
            ("me", "supports", "titled"),
            ("me", "derived_from", "far"),
        }

    @pytest.mark.parametrize("reference", ["oth", "%", "_ther", "OTHER", "../other.md", "twin", "latest"])
    async def test_fault_33_a_reference_that_is_not_exact_is_kept_and_never_guessed(
        self, db, folder, roots, reference
    ):
        for name, title in (("other.md", "other"), ("t1.md", "twin"), ("t2.md", "twin")):
            self.write(folder, name, title=title)
            await index(db, roots, name)
        self.write(folder, "me.md", title="me", links=f"causal_links: {{related_to: ['{reference}']}}\n")
        indexed = await index(db, roots, "me.md")
        assert await self.edges(db) == set()
        [kept] = await rows(db, "select relation, reference from memory_unresolved_links")
        assert kept == {"relation": "related_to", "reference": reference}
        assert any(reference in warning for warning in indexed.warnings)

    async def test_fault_33_a_link_is_drawn_when_what_it_means_comes(self, db, folder, roots):
        self.write(folder, "me.md", title="me", links="causal_links: {caused_by: [later.md]}\n")
        indexed = await index(db, roots, "me.md")
        assert [link.reference for link in indexed.unresolved] == ["later.md"]
        self.write(folder, "later.md", title="later")
        await index(db, roots, "later.md")
        assert await self.edges(db) == {("later", "caused", "me")}
        assert await rows(db, "select from memory_unresolved_links") == []

    async def test_an_edit_renews_the_files_own_edges_and_no_others(self, db, folder, roots):
        for name in ("a", "b", "c"):
            self.write(folder, f"{name}.md", title=name)
            await index(db, roots, f"{name}.md")
        self.write(folder, "me.md", title="me", links="causal_links: {related_to: [a, b]}\n")
        me = await index(db, roots, "me.md")
        kept = {
            row["target_id"]: row["id"] for row in await rows(db, "select id, target_id from memory_edges")
        }
        self.write(folder, "you.md", title="you", links="causal_links: {related_to: [me]}\n")
        await index(db, roots, "you.md")
        async with db.transaction() as tx:
            await tx.execute(
                "insert into memory_edges (id, source_id, target_id, relation, origin, created_by)"
                " select %s, %s, id, 'caused', 'manual', 'somebody' from memory_items where title = 'a'",
                (uuid4(), me.memory_id),
            )
        self.write(folder, "me.md", title="me", links="causal_links: {related_to: [b, c]}\n")
        await index(db, roots, "me.md")
        assert await self.edges(db) == {
            ("me", "supports", "b"),
            ("me", "supports", "c"),
            ("you", "supports", "me"),
        }
        assert len(await rows(db, "select from memory_edges where origin = 'manual'")) == 1
        [b] = await rows(db, "select id from memory_items where title = 'b'")
        [edge] = await rows(db, "select id from memory_edges where target_id = %(b)s", b=b["id"])
        assert edge["id"] == kept[b["id"]], "an edge that is still stated is the same edge"

    async def test_a_link_into_a_foreign_scope_leads_nowhere(self, db, folder, roots):
        async with db.transaction() as tx:
            foreign = await save_memory(
                tx, NewMemory(kind=MemoryKind.LESSON, scope="agent:b", content="Foreign.", title="foreign")
            )
        self.write(folder, "me.md", title="me", links=f"causal_links: {{related_to: [{foreign}, foreign]}}\n")
        assert len((await index(db, roots, "me.md")).unresolved) == 2
        assert await self.edges(db) == set()

    async def test_only_the_founders_file_supersedes_what_binds_everybody(self, db, folder, roots):
        async with db.transaction() as tx:
            await save_memory(
                tx,
                NewMemory(
                    kind=MemoryKind.LESSON,
                    scope="shared",
                    content="Never delete a backup.",
                    title="rule",
                    tier=ImportanceTier.CONSTITUTIONAL,
                ),
                founder=True,
            )
        self.write(folder, "me.md", title="me", links="causal_links: {supersedes: [rule]}\n")
        indexed = await index(db, roots, "me.md")
        assert any("not drawn" in warning for warning in indexed.warnings)
        self.write(folder, "other.md", title="other")
        await index(
            db, roots, "other.md", FOUNDER
        )  # whose reading of another file does not lend its authority
        assert await self.edges(db) == set()
        await index(db, roots, "me.md", FOUNDER, force=True)
        assert await self.edges(db) == {("me", "supersedes", "rule")}

    async def test_fault_32_a_link_to_itself_and_a_doubled_link_do_no_harm(self, db, folder, roots):
        self.write(folder, "other.md", title="other")
        await index(db, roots, "other.md")
        self.write(folder, "me.md", title="me", links="causal_links: {related_to: [me, other, other.md]}\n")
        await index(db, roots, "me.md")
        await index(db, roots, "me.md", force=True)
        assert await self.edges(db) == {("me", "supports", "other")}
