"""`frasier memory export`, and lists of whole memories over the interfaces: everything that was saved, readable."""

from __future__ import annotations

import json

from support.cli_memory import MemoryProgram


def test_an_export_has_every_memory_whole_and_the_oldest_first(memory: MemoryProgram):
    long = "The reed whistles. " + "It is punched out of the spout's own steel." * 20
    memory.saved(
        long, "--title", "Reed", "--kind", "decision", "--tag", "kettle", "--occurred-at", "2026-05-01T09:30"
    )
    memory.saved("The kettle is always descaled with vinegar.", "--type", "semantic")
    memory.saved("The kettle is never descaled with vinegar.", "--type", "semantic")
    memory.saved("It boils at last.", "--kind", "conversation", "--thread", "tea", "--speaker", "Ada")
    shown = memory.output("export")
    assert shown.startswith("## Reed\n\n- id: ")
    assert long in shown
    places = [shown.index(text) for text in (long[:18], "always descaled", "never descaled", "boils at last")]
    assert places == sorted(places)
    assert "- kind: deprecated observation\n" in shown  # the one that was replaced
    assert "- said by: Ada\n- thread: tea\n" in shown
    whole = json.loads(memory.output("export", "--json"))
    assert whole[0]["content"] == long
    assert whole[0] | {"title": "Reed", "tags": ["kettle"], "occurred_at": "2026-05-01T09:30:00Z"} == whole[0]
    assert (whole[3]["speaker"], whole[3]["thread"]) == ("Ada", "tea")
    of_may = json.loads(memory.output("export", "--json", "--occurred-before", "2026-06-01"))
    assert of_may == whole[:1]
    assert json.loads(memory.output("export", "--json", "--scope", "project:none")) == []
    assert memory.output("export", "--scope", "project:none") == ""


def test_a_list_shows_the_words_of_a_turn_instead_of_the_title_that_it_shares(memory: MemoryProgram):
    for words in ("The quay is closed today.", "Then we take the bridge."):
        memory.saved(words, "--kind", "conversation", "--thread", "quay", "--title", "Talk of Monday")
    listed = memory.output("list", "--kind", "conversation")
    assert "The quay is closed today." in listed
    assert "Then we take the bridge." in listed


async def test_an_export_goes_through_all_pages_and_the_archive(memory_client):
    ids = [
        await memory_client.save(f"Note {nth} of the lighthouse.", importance=nth % 9 + 1) for nth in range(5)
    ]
    await memory_client.rows("update memory_items set archived_at = now() where id = %s", ids[0])
    pages, after = [], None
    while after != "":
        page = await memory_client("memory_list", limit=2, full=True, after=after)
        pages += page["memories"]
        after = page.get("next", "")
    assert [one["id"] for one in pages] == ids[:0:-1]
    assert pages[0] | {"content": "Note 4 of the lighthouse.", "importance": 5} == pages[0]
    assert "snippet" not in pages[0]
    [archived] = (await memory_client("memory_list", full=True, archived=True))["memories"]
    assert archived["content"] == "Note 0 of the lighthouse."
    assert "content" not in (await memory_client("memory_list"))["memories"][0]
