"""Publishing after a crash: what was left half done is neither believed nor left lying about."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from frasier.interfaces.publish import AnnouncementFile, FolderChannel
from frasier.kernel.ids import new_id
from frasier.store import Effect
from support.organisation import carry_out, organisation, write_documents


def _announcement(text: str) -> Effect:
    mission = new_id()
    return Effect(
        id=new_id(),
        kind="announce",
        key=f"announce:{mission}",
        stream=mission,
        payload={"text": text},
        attempts=1,
    )


async def test_a_line_that_a_crash_cut_off_was_never_announced(tmp_path: Path) -> None:
    file = AnnouncementFile(tmp_path / "announcements.jsonl")
    whole, torn = _announcement("It is delivered."), _announcement("It has failed.")
    await file.send(whole)
    await file.send(torn)
    path = tmp_path / "announcements.jsonl"
    path.write_bytes(path.read_bytes()[:-2])
    assert await file.find(whole)
    assert await file.find(torn) is None

    await file.send(torn)
    await file.send(whole)

    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [line["text"] for line in lines] == ["It is delivered.", "It has failed."]


async def test_a_folder_that_a_killed_process_was_building_is_swept_away(
    database_url: str, tmp_path: Path
) -> None:
    async with organisation(database_url, tmp_path / "frasier") as services:
        snapshot = await carry_out(services, write_documents(tmp_path / "drinks"), out=tmp_path / "out")
        folder = Path(snapshot.path or "")
        half_made = folder.with_name(f".{folder.name}.4711")
        folder.rename(half_made)
        (half_made / "provenance.json").unlink()
        effect = _publication(snapshot.mission_id, tmp_path / "out")

        await FolderChannel(services.in_transaction).send(effect)

    assert [path.name for path in (tmp_path / "out").iterdir()] == [folder.name]
    assert (folder / "provenance.json").is_file()


def _publication(mission_id: UUID, destination: Path) -> Effect:
    payload = {"mission": str(mission_id), "destination": str(destination)}
    return replace(_announcement(""), kind="publish.folder", payload=payload)
