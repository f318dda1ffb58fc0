"""Every document of a folder is examined, or named; code filters, and what was extracted once is not paid for again."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from collections.abc import Collection
from pathlib import Path

import pytest

from frasier.kernel.text import estimate_tokens
from frasier.llm import LlmSettings, Purpose
from frasier.org.planning import MissionStatus, find_mission
from frasier.org.planning.escalations import continue_mission
from frasier.overview import MissionProgress
from support.model_responder import CompetentModel, Prompt, read_prompt
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import RehearsalWithAnswers, carry_out, organisation, wait_until_settled

LICENCES = ("GNU General Public License version 3", "MIT License", "Apache License 2.0")
DIRECTIVE = "List every package that is licensed under version 3 of the GPL, with the year of its licence."
PER_REQUEST = 20
PLAN = {
    "title": "Packages under GPL 3",
    "steps": [
        {
            "key": "register",
            "title": "Packages under GPL 3",
            "task": "Write down package, licence and year of every document.",
            "role": "research",
            "depends_on": [],
            "acceptance": ["Every document is examined."],
            "sources_needed": 0,
            "queries_needed": 0,
            "documents": [],
            "table": {
                "columns": [
                    {"name": "package", "asks": "The name of the package", "kind": "text"},
                    {"name": "licence", "asks": "The licence with its version", "kind": "text"},
                    {"name": "year", "asks": "The year of the licence", "kind": "number"},
                ],
                "conditions": [
                    {"column": "licence", "operator": "contains", "value": "version 3"},
                    {"column": "year", "operator": "at_least", "value": "2001"},
                ],
                "sort_by": "year",
                "descending": True,
            },
        }
    ],
    "escalation": "",
}
CRITERIA = ("relevance", "depth", "actionability", "accuracy", "executive_quality")
APPROVED = {**dict.fromkeys(CRITERIA, 4), "verdict": "approve", "feedback": "Every row has its source."}
_FIELD = re.compile(r"^(Package|Licence|Year): (.*)$", re.MULTILINE)


def _folder(path: Path, count: int) -> Path:
    """Write documents, a third of them under GPL 3, of the years 2000 and after."""
    path.mkdir()
    for number in range(count):
        name = f"=pack-{number}" if number == 3 else f"pack-{number}"
        text = f"Package: {name}\nLicence: {LICENCES[number % 3]}\nYear: {2000 + number % 24}\n\nYou may copy it.\n"
        (path / f"{number:04}.txt").write_text(text)
    return path


def _expected(count: int) -> list[tuple[str, int]]:
    """The packages under GPL 3 since 2001, with their years."""
    found = [(number, 2000 + number % 24) for number in range(0, count, 3)]
    return [(f"=pack-{n}" if n == 3 else f"pack-{n}", year) for n, year in found if year >= 2001]


class Extractor:
    """Extracts what stands in a document; of the `failing` ones it quotes words that do not."""

    def __init__(self, failing: Collection[str] = ()) -> None:
        self._failing = failing

    def __call__(self, prompt: Prompt) -> ScriptedAnswer:
        rows = []
        for document in prompt.sources:
            fields = dict(_FIELD.findall(document.text))
            wrong = fields["Package"] in self._failing
            cells = [
                {
                    "column": name.lower(),
                    "value": value,
                    "quotation": "Nobody ever wrote these words down" if wrong else f"{name}: {value}",
                }
                for name, value in fields.items()
            ]
            rows.append({"document": int(document.attributes["number"]), "cells": cells})
        return ScriptedAnswer.json({"rows": rows})


def _model(extractor: Extractor) -> CompetentModel:
    return CompetentModel(plan=lambda _: ScriptedAnswer.json(PLAN), ExtractReply=extractor)


def _llm(server: ModelServer) -> LlmSettings:
    return LlmSettings(base_url=server.base_url, t1_model="m1", t2_model="m2", t3_model="m3")


def _extractions(server: ModelServer) -> list[Prompt]:
    prompts = [read_prompt(request.body) for request in server.log]
    return [prompt for prompt in prompts if prompt.purpose == "ExtractReply"]


def _rows(progress: MissionProgress) -> list[dict[str, str]]:
    with (Path(progress.path or "") / "tables" / "register.csv").open(
        encoding="utf-8-sig", newline=""
    ) as file:
        return list(csv.DictReader(file))


def _text(progress: MissionProgress) -> str:
    return (Path(progress.path or "") / "deliverable.md").read_text("utf-8")


@pytest.mark.parametrize("count", [60, pytest.param(1_000, marks=pytest.mark.slow)])
async def test_every_document_is_examined_at_the_stated_price_and_a_second_mission_pays_for_nothing(
    database_url: str, tmp_path: Path, count: int
) -> None:
    folder = _folder(tmp_path / "licences", count)
    with ModelServer(_model(Extractor())) as server:
        async with organisation(database_url, tmp_path / "home", llm=_llm(server)) as services:
            first = await carry_out(services, folder, directive=DIRECTIVE, seconds=300)
            asked = _extractions(server)
            second = await carry_out(
                services, folder, directive=DIRECTIVE, out=tmp_path / "again", seconds=300
            )
            in_second = _extractions(server)[len(asked) :]
            (folder / "0001.txt").write_text(
                "Package: pack-1\nLicence: GPL version 3\nYear: 2023\n\nCopy it.\n"
            )
            third = await carry_out(
                services, folder, directive=DIRECTIVE, out=tmp_path / "changed", seconds=300
            )
            in_third = _extractions(server)[len(asked) :]
    assert {first.status, second.status, third.status} == {MissionStatus.DELIVERED}
    assert (
        f"> {count:,} of {count:,} documents examined; {len(_expected(count))} rows where licence contains"
        in _text(first)
    )
    assert "not cited" not in _text(first)
    written = [(row["package"].removeprefix("'"), int(row["year"])) for row in _rows(first)]
    assert sorted(written) == sorted(_expected(count))
    assert [year for _, year in written] == sorted((year for _, year in written), reverse=True)
    assert _rows(first) == _rows(second)
    assert {row["package"] for row in _rows(third)} - {row["package"] for row in _rows(second)} == {"pack-1"}

    assert len(asked) == -(-count // PER_REQUEST)
    documents = sum(estimate_tokens(path.read_text()) for path in folder.iterdir())
    fences = sum(
        estimate_tokens(f'## Source {n}\n\n<source number="{n}" title="{n:04}">\n</source>\n\n')
        for n in range(count)
    )
    told = sum(prompt.tokens for prompt in asked)
    instructions = asked[0].tokens - sum(
        estimate_tokens(source.text)
        + estimate_tokens('## Source 1\n\n<source number="1" title="0001">\n</source>\n\n')
        for source in asked[0].sources
    )
    assert told == pytest.approx(documents + fences + len(asked) * instructions, rel=0.1)
    assert in_second == []
    assert [len(prompt.sources) for prompt in in_third] == [1], "only the changed document is paid for"


async def test_documents_that_cannot_be_examined_are_named_and_the_others_are_kept(
    database_url: str, tmp_path: Path
) -> None:
    failing = {f"pack-{number}" for number in (6, 7, 18, 30, 59)}
    with ModelServer(_model(Extractor(failing))) as server:
        async with organisation(database_url, tmp_path / "home", llm=_llm(server)) as services:
            progress = await carry_out(services, _folder(tmp_path / "licences", 60), directive=DIRECTIVE)
    text = _text(progress)
    assert "> 55 of 60 documents examined" in text
    named = next(line for line in text.splitlines() if "Could not be examined" in line)
    for number in (6, 7, 18, 30, 59):
        assert f"{number:04} [{number + 1}] (the words quoted for “package” do not stand in it)" in named
    written = {row["package"].removeprefix("'") for row in _rows(progress)}
    assert written == {name for name, _ in _expected(60)} - failing
    assert len(_extractions(server)) == 3 + 5, "each of them is asked once more, alone"
    assert progress.steps[-1].degraded


async def test_a_spreadsheet_finds_text_where_a_document_has_a_formula(
    database_url: str, tmp_path: Path
) -> None:
    with ModelServer(_model(Extractor())) as server:
        async with organisation(database_url, tmp_path / "home", llm=_llm(server)) as services:
            progress = await carry_out(services, _folder(tmp_path / "licences", 6), directive=DIRECTIVE)
    assert "'=pack-3" in {row["package"] for row in _rows(progress)}
    workbook = Path(progress.path or "") / "tables" / "register.xlsx"
    with zipfile.ZipFile(workbook) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
        strings = parts.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in sheet
    assert "=pack-3" in strings
    assert "Licence: GNU General Public License version 3" in strings, "the words that a cell rests on"


async def test_what_a_rehearsal_extracted_is_not_reused_by_a_paid_mission(
    database_url: str, tmp_path: Path
) -> None:
    folder = _folder(tmp_path / "licences", 6)
    rehearsal = RehearsalWithAnswers({Purpose.PLAN: json.dumps(PLAN), Purpose.REVIEW: json.dumps(APPROVED)})
    async with organisation(database_url, tmp_path / "home", provider=rehearsal) as services:
        rehearsed = await carry_out(services, folder, directive=DIRECTIVE)
    assert rehearsed.status is MissionStatus.DELIVERED, rehearsed
    assert "6 of 6 documents examined" in _text(rehearsed)
    assert [row["package"] for row in _rows(rehearsed)] == ["'=pack-3"]
    with ModelServer(_model(Extractor())) as server:
        async with organisation(database_url, tmp_path / "home", llm=_llm(server)) as services:
            await carry_out(services, folder, directive=DIRECTIVE, out=tmp_path / "paid")
    assert len(_extractions(server)) == 1


async def test_what_was_extracted_before_an_outage_is_not_paid_for_again(
    database_url: str, tmp_path: Path
) -> None:
    extract, answered = Extractor(), 0

    def until_refused(prompt: Prompt) -> ScriptedAnswer:
        nonlocal answered
        answered += 1
        return extract(prompt) if answered <= 2 else ScriptedAnswer.error(401, "Incorrect API key provided")

    with ModelServer(
        CompetentModel(plan=lambda _: ScriptedAnswer.json(PLAN), ExtractReply=until_refused)
    ) as server:
        llm = _llm(server).model_copy(update={"attempts": 1})
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            stopped = await carry_out(services, _folder(tmp_path / "licences", 60), directive=DIRECTIVE)
            assert stopped.waits_for_founder
            paid = {str(prompt.sources[0].attributes) for prompt in _extractions(server)[:2]}
            before = len(server.log)
            server.responder = _model(extract)
            async with services.board.database.transaction() as tx:
                await continue_mission(tx, await find_mission(tx, "last"))
            async with services.running():
                ended = await wait_until_settled(services, stopped.mission_id)
        again = [read_prompt(request.body) for request in server.log[before:]]
    assert ended.status is MissionStatus.DELIVERED
    asked = [str(prompt.sources[0].attributes) for prompt in again if prompt.purpose == "ExtractReply"]
    assert len(asked) == 1
    assert not paid & set(asked)
    assert "> 60 of 60 documents examined" in _text(ended)
