"""`frasier memory import` and saving in bulk: each memory on its own, through the gate, once however often it is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from support.brain import open_memory_api
from support.cli_memory import MemoryProgram


def counts(report: dict[str, Any]) -> tuple[int, int, int]:
    return report["saved"], report["duplicate"], report["refused"]


def written(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def test_an_export_is_imported_once_also_elsewhere(memory: MemoryProgram, tmp_path: Path):
    memory.saved("The kettle is always descaled with vinegar.", "--type", "semantic", "--title", "Scale")
    memory.saved("The kettle is never descaled with vinegar.", "--type", "semantic")
    memory.saved("It boils at last.", "--kind", "conversation", "--thread", "tea", "--speaker", "Ada")
    memory.saved("The reed is cut on the day of the delivery.", "--occurred-at", "2026-05-01T09:30")
    export = written(tmp_path / "export.json", memory.output("export", "--json"))
    assert counts(memory.envelope("import", export)) == (0, 4, 0)
    elsewhere = memory.envelope("import", export, "--scope", "project:other")
    assert counts(elsewhere) == (4, 0, 0)
    assert counts(memory.envelope("import", export, "--scope", "project:other")) == (0, 4, 0)
    before, after = (
        {memory["content"]: memory for memory in json.loads(memory.output("export", "--json", *scope))}
        for scope in ((), ("--scope", "project:other"))
    )
    assert after.keys() == before.keys()
    for content, copied in after.items():
        same = {
            name: before[content][name]
            for name in before[content].keys() - {"id", "scope", "created_at", "provenance"}
        }
        assert copied | same == copied
        origin = copied["provenance"]["imported"]
        assert (origin["id"], origin["saved_by"]) == (before[content]["id"], "founder")
    replaced = next(copied for copied in after.values() if "always" in copied["content"])
    assert replaced["tier"] == "deprecated"


def test_a_bad_line_is_reported_by_its_number_and_costs_no_good_one(memory: MemoryProgram, tmp_path: Path):
    lines = [
        '{"content": "The tower leans by four degrees."}',
        "",
        "half a li",
        '{"content": "short"}',
        '{"content": "The mill stands at the river.", "colour": "red"}',
        '{"content": "Half a character \\ud800 in a text."}',
        '{"kind": "conversation", "content": "Hello, is anybody there?"}',
        '{"kind": "conversation", "content": "Hello, is anybody there?"}',
    ]
    file = written(tmp_path / "lines.jsonl", "\n".join(lines))
    report = memory.envelope("import", file, code=3)
    assert counts(report) == (3, 0, 4)
    refused = {
        result["index"]: result["reason"] for result in report["results"] if result["outcome"] == "refused"
    }
    assert list(refused) == [3, 4, 5, 6]
    assert "at least 10" in refused[4]
    assert "colour is not known" in refused[5]
    again = memory.envelope("import", "-", code=3, given="\n".join(lines))
    assert counts(again) == (0, 3, 4)
    markdown = written(tmp_path / "export.md", memory.output("export"))
    assert "holds no memory in JSON" in memory.refused("import", markdown)


def test_what_was_deleted_since_it_was_imported_stays_deleted(memory: MemoryProgram):
    line = json.dumps({"id": "note-7", "content": "The lamp of the pier is out of order."})
    [saved] = memory.envelope("import", "-", given=line)["results"]
    memory.output("delete", saved["id"], "--yes", "--final")
    [result] = memory.envelope("import", "-", given=line, code=3)["results"]
    assert "has been deleted since" in result["reason"]


async def test_bulk_saves_pass_the_gate_and_rights_of_single_ones(memory_client):
    ada = memory_client.of("token:ada")
    held = await ada.save("The crane is greased with green grease.")
    secret = "The password=hunter2-kestrel-99 opens the door of the crane."
    report = await ada(
        "memory_bulk_save",
        memories=[
            {"content": "The crane is greased with green grease."},
            {"content": "Nobody uses the crane at night.", "tier": "constitutional"},
            {"content": "The crane stands in a foreign yard.", "scope": "project:foreign"},
            {"content": secret},
        ],
    )
    assert [result["outcome"] for result in report["results"]] == ["duplicate", "refused", "refused", "saved"]
    assert report["results"][0]["id"] == held
    assert [result["code"] for result in report["results"][1:3]] == ["invalid_input", "not_allowed"]
    whole = await ada("memory_get", id=report["results"][3]["id"])
    assert "hunter2" not in whole["content"]
    assert whole["provenance"]["saved_by"] == "token:ada"


async def test_an_archived_memory_is_archived_where_it_is_imported(memory_client):
    archived = {
        "id": "old-1",
        "content": "The old quay was closed long ago.",
        "archived_at": "2026-01-01T00:00:00Z",
    }
    await memory_client("memory_bulk_save", memories=[archived])
    assert (await memory_client("memory_list"))["memories"] == []
    [listed] = (await memory_client("memory_list", archived=True))["memories"]
    assert listed["snippet"] == archived["content"]


async def test_a_replaced_memory_changes_none_where_it_is_imported(memory_client):
    held = await memory_client.save("The quay is painted in white and in red.")
    longer = "The quay is painted in white and in red, every year in May."
    replaced = {"id": "old-2", "content": longer, "tier": "deprecated"}
    [result] = (await memory_client("memory_bulk_save", memories=[replaced]))["results"]
    assert result["action"] == "created"
    assert (await memory_client("memory_get", id=held))[
        "content"
    ] == "The quay is painted in white and in red."


async def test_a_bulk_save_over_http_is_one_request(db):
    async with open_memory_api(db, MEMORY_OPERATIONS) as api:
        sent = {"memories": [{"content": f"Buoy {number} is painted red."} for number in (1, 2)] + [7]}
        saved = await api.post("memories/bulk-save", sent)
        assert saved.status_code == 200, saved.text
        assert counts(saved.json()["data"]) == (2, 0, 1)
        too_many = await api.post("memories/bulk-save", {"memories": sent["memories"] * 40})
        assert too_many.status_code == 422
