"""Faults 25 to 29, of indexing: what a file may say of itself, what is read of a folder, and all that may race."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from frasier.kernel.errors import FrasierError, TooOften
from frasier.memory import MemorySettings
from frasier.store import Database
from support.memory_client import NO_VECTORS, WordVectors, open_memory_client


@pytest.fixture
async def memory_client(database, root):
    async with open_memory_client(
        database, NO_VECTORS.model_copy(update={"roots": (root,)})
    ) as memory_client:
        yield memory_client


TEMPLATE = """\
<!-- How to fill this in:
title: The title of the template
importance_tier: constitutional
trigger_phrases: [everything]
-->

# Crane report

The crane is green.

```yaml
---
importance_tier: critical
title: An example
---
```

<!-- importance_tier: constitutional -->
"""


async def test_fault_25_comments_and_code_make_nothing_binding(memory_client, root):
    (root / "report.md").write_text(TEMPLATE)
    (root / "named.md").write_text(f"---\nimportance_tier: important\n---\n{TEMPLATE}")
    # Confirmed by the founder: only what stands in the frontmatter counts.
    assert (await memory_client.founder("memory_index_scan"))["indexed"] == 2
    [asking] = (await memory_client.founder("memory_confirm"))["asking"]
    await memory_client.founder("memory_confirm", id=asking["id"])
    memories = (await memory_client("memory_list"))["memories"]
    assert {(one["title"], one["tier"]) for one in memories} == {
        ("Crane report", "normal"),
        ("Crane report", "important"),
    }
    assert (await memory_client("memory_match_triggers", prompt="tell me everything"))["matches"] == []
    assert (await memory_client.founder("memory_list", tier="constitutional"))["total"] == 0


async def test_fault_25_an_agents_file_cannot_make_itself_binding(memory_client, root):
    (root / "rule.md").write_text("---\nimportance_tier: constitutional\n---\n# Rule\n\nObey the crane.\n")
    with suppress(FrasierError):
        await memory_client("memory_save", file_path="rule.md")
    assert (await memory_client.founder("memory_list", tier="constitutional"))["total"] == 0


async def test_fault_26_the_same_can_be_saved_again(memory_client, root):
    (root / "note.md").write_text("# Note\n\nThe crane is green today.\n")
    saved = [
        await memory_client("memory_save", file_path="note.md", force=force) for force in (False, False, True)
    ]
    assert [one["action"] for one in saved] == ["indexed", "unchanged", "unchanged"]
    written = await memory_client("memory_save", file_path="other.md", content="The winch is blue.")
    again = await memory_client("memory_save", file_path="other.md")
    assert (again["id"], again["action"]) == (written["id"], "unchanged")
    (root / "other.md").write_text((root / "other.md").read_text().replace("blue", "red"))
    edited = await memory_client("memory_save", file_path="other.md")
    assert (edited["id"], edited["action"]) == (written["id"], "updated")
    said = [
        await memory_client("memory_save", content="The nightly backup is copied to the second disk.")
        for _ in range(2)
    ]
    assert [one["action"] for one in said] == ["created", "reinforced"]


async def test_fault_27_two_processes_write_at_once_and_read_what_the_other_wrote(db, database_url):
    async with (
        Database(database_url) as second,
        open_memory_client(db) as here,
        open_memory_client(second) as other,
    ):
        there = other.of(here.caller.name, scopes=here.caller.scopes)
        assert await here.found("green crane") == await there.found("green crane") == []
        ids = await asyncio.gather(
            *((here, there)[n % 2].save(f"The green crane number {n}.") for n in range(16))
        )
        for memory_client in (here, there):
            assert sorted(await memory_client.found("green crane", limit=100)) == sorted(ids)
        await there("memory_update", id=ids[0], content="The yellow crane.")
        assert await here.found("yellow") == [ids[0]]
        assert len(await here.found("green crane", limit=100)) == 16
        await there("memory_delete", id=ids[0])
        assert await here.found("yellow") == []
        results = await asyncio.gather(
            *(
                memory_client("memory_update", id=ids[1], title=f"T{n}")
                for n, memory_client in enumerate((here, there) * 4)
            )
        )
        assert sorted(one["version"] for one in results) == list(range(2, 10))


async def test_fault_28_every_file_is_read_none_from_elsewhere_and_what_is_left_out_is_told(
    memory_client, root
):
    deep = root
    for level in range(8):
        deep = deep / f"level-{level}"
    deep.mkdir(parents=True)
    for number in range(60):
        (root / f"{number}.md").write_text(f"# Note {number}\n\nThe crane is green, says note {number}.\n")
        (deep / f"{number}.md").write_text(f"# Deep {number}\n\nThe winch is blue, says note {number}.\n")
    (root.parent / "elsewhere.md").write_text("# Elsewhere\n\nThe lighthouse is none of ours.\n")
    (root / "link.md").symlink_to(root.parent / "elsewhere.md")
    assert (await memory_client("memory_list"))["total"] == 0, "nothing is read before somebody asks for it"
    report = await memory_client("memory_index_scan")
    assert (report["indexed"], report["failed"]) == (120, 0)
    assert [left["path"] for left in report["left_out"]] == [str(root / "link.md")]
    assert (await memory_client("memory_list"))["total"] == 120
    assert await memory_client.found("lighthouse") == []
    with pytest.raises(TooOften) as refused:
        await memory_client("memory_index_scan")
    assert refused.value.number == "E429"


async def test_fault_28_too_deep_is_told(memory_client, root):
    deep = root.joinpath(*(f"level-{level}" for level in range(12)))
    deep.mkdir(parents=True)
    (deep / "note.md").write_text("# Note\n\nThe crane is green, down here.\n")
    report = await memory_client("memory_index_scan")
    assert report["indexed"] == 0
    [left] = report["left_out"]
    assert "deeper" in left["reason"]


async def test_fault_29_what_many_ask_at_once_is_encoded_once(db):
    provider = WordVectors()
    async with open_memory_client(db, MemorySettings(), provider=provider) as memory_client:
        crane = await memory_client.save("The green crane.")
        await memory_client.engine.embed_due()
        await memory_client.search("something else")
        provider.asked.clear()
        found = await asyncio.gather(*(memory_client.found("where is the green crane") for _ in range(12)))
        assert found == [[crane]] * 12
        assert provider.asked == ["where is the green crane"]


async def test_fault_29_what_binds_is_the_same_in_every_tool_at_once(memory_client):
    tools = {
        "memory_search": {"query": "crane"},
        "memory_context": {"input": "crane"},
        "memory_list": {},
        "memory_match_triggers": {"prompt": "crane"},
        "memory_save": {"content": "The crane is green."},
    }

    async def binding():
        data = {tool: await memory_client(tool, **arguments) for tool, arguments in tools.items()}
        return {tool: [one["id"] for one in said.get("binding", [])] for tool, said in data.items()}

    assert await binding() == {key: [] for key in tools}
    rule = await memory_client.founder.save("Nobody touches the lighthouse.", tier="constitutional")
    assert await binding() == {key: [rule] for key in tools}
    await memory_client.founder("memory_delete", id=rule)
    assert await binding() == {key: [] for key in tools}
