"""`frasier postmortem`: the figures are those of the telemetry and the verdicts, in every form the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lxml import html

from support.cli import FrasierProgram
from support.organisation import carry_out, organisation, write_documents


async def test_a_mission_has_a_post_mortem_in_every_form(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, home: Path
) -> None:
    async with organisation(database_url, home) as services:
        await carry_out(services, write_documents(tmp_path / "docs"))
    document: dict[str, Any] = frasier.json("postmortem", "last")
    telemetry = document["telemetry"]
    assert telemetry == frasier.json("telemetry", "last") | {"as_of": telemetry["as_of"]}
    assert document["accepted"] == sum(task["process"] == "mission_step" for task in telemetry["tasks"])
    assert document["statements"] >= document["verified"] > 0
    assert [line["name"] for line in document["estimate"]] == ["calls", "tokens", "usd", "seconds"]
    assert document["estimate"][0]["actual"] == telemetry["spending"]["calls"]
    assert document["judgements"]["verdicts"] > 0
    assert document["findings"] == []
    page = frasier("postmortem", "last", "--format", "html").out
    root = html.document_fromstring(page)
    assert root.xpath("//script") == []
    assert not re.search(r"(src|href)=", page)
    cells = {" ".join(cell.text_content().split()) for cell in root.xpath("//td | //th")}
    markdown = frasier("postmortem", "last", "--format", "markdown").out
    shown = frasier("postmortem", "last").out
    for figure in (
        f"{telemetry['wall_seconds']:.2f} s",
        f"{document['verified']} of {document['statements']}",
    ):
        assert figure in cells
        assert figure in markdown
        assert figure in shown
    for piece in telemetry["critical_path"]:
        assert f"{piece['seconds']:.2f} s" in cells
    for bar in root.xpath("//rect"):
        row = bar.xpath("ancestor::tr")[0]
        assert row.xpath("./td[normalize-space()]"), "a bar stands beside its figure"
    assert "not enough data" in shown
