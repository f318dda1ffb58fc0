"""Every document of a folder is examined, or named; code filters, and what was extracted once is not paid for again."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path

from frasier.llm import LlmSettings, Purpose
from frasier.org.execution.escalations import continue_mission
from frasier.org.missions import MissionStatus, find_mission
from frasier.overview import MissionProgress
from support.model_responder import Prompt, read_prompt
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import RehearsalWithAnswers, carry_out, organisation, wait_until_settled
from support.table_model import PatternExtractor, columns, extractions, table_model, table_plan

LICENCES = ("GNU General Public License version 3", "MIT License", "Apache License 2.0")
DIRECTIVE = "List every package that is licensed under version 3 of the GPL, with the year of its licence."
PLAN = table_plan(
    {
        "columns": columns(package="text", licence="text", year="number"),
        "conditions": [
            {"column": "licence", "operator": "contains", "value": "version 3"},
            {"column": "year", "operator": "at_least", "value": "2001"},
        ],
        "sort_by": "year",
        "descending": True,
    }
)
PATTERNS = {"package": r"^Package: (.*)$", "licence": r"^Licence: (.*)$", "year": r"^Year: (.*)$"}
EXTRACTOR = PatternExtractor(PATTERNS)
# What spreadsheets take for formulas, by the number of the document.
FORMULAS = {3: "=", 6: "+", 9: "-", 12: "@"}
CRITERIA = ("relevance", "depth", "actionability", "accuracy", "executive_quality")
APPROVED = {**dict.fromkeys(CRITERIA, 4), "verdict": "approve", "feedback": "Every row has its source."}
APPROVED |= {"passages": [{"quotation": "documents examined", "remark": "as asked"}], "changes": ""}


def _name(number: int) -> str:
    return f"{FORMULAS.get(number, '')}pack-{number}"


def _folder(path: Path, count: int) -> Path:
    """Write documents, a third of them under GPL 3, of the years 2000 and after."""
    path.mkdir()
    for number in range(count):
        text = f"Package: {_name(number)}\nLicence: {LICENCES[number % 3]}\nYear: {2000 + number % 24}\n\nCopy it.\n"
        (path / f"{number:04}.txt").write_text(text)
    return path


def _expected(count: int) -> list[tuple[str, int]]:
    """Return the packages under GPL 3 since 2001, with their years."""
    found = [(number, 2000 + number % 24) for number in range(0, count, 3)]
    return [(_name(number), year) for number, year in found if year >= 2001]


def _llm(server: ModelServer) -> LlmSettings:
    return LlmSettings(base_url=server.base_url, t1_model="m1", t2_model="m2", t3_model="m3")


def _rows(progress: MissionProgress) -> list[dict[str, str]]:
    with (Path(progress.path or "") / "tables" / "register.csv").open(
        encoding="utf-8-sig", newline=""
    ) as file:
        return list(csv.DictReader(file))


def _text(progress: MissionProgress) -> str:
    return (Path(progress.path or "") / "deliverable.md").read_text("utf-8")


async def test_rows_are_kept_and_sorted_by_code_and_only_a_changed_document_is_paid_for_again(
    database_url: str, tmp_path: Path
) -> None:
    folder = _folder(tmp_path / "licences", 60)
    with ModelServer(table_model(PLAN, EXTRACTOR)) as server:
        async with organisation(database_url, tmp_path / "home", llm=_llm(server)) as services:
            first = await carry_out(services, folder, directive=DIRECTIVE)
            asked = extractions(server)
            (folder / "0001.txt").write_text(
                "Package: pack-1\nLicence: GPL version 3\nYear: 2023\n\nCopy it.\n"
            )
            second = await carry_out(services, folder, directive=DIRECTIVE, out=tmp_path / "changed")
            in_second = extractions(server)[len(asked) :]
    assert {first.status, second.status} == {MissionStatus.DELIVERED}
    assert f"> 60 of 60 documents examined; {len(_expected(60))} rows where licence contains" in _text(first)
    assert "not cited" not in _text(first)
    written = [(row["package"].removeprefix("'"), int(row["year"])) for row in _rows(first)]
    assert sorted(written) == sorted(_expected(60))
    assert [year for _, year in written] == sorted((year for _, year in written), reverse=True)
    assert {row["package"] for row in _rows(second)} - {row["package"] for row in _rows(first)} == {"pack-1"}
    assert [len(prompt.sources) for prompt in in_second] == [1]


async def test_a_spreadsheet_finds_text_where_a_document_has_a_formula(
    database_url: str, tmp_path: Path
) -> None:
    with ModelServer(table_model(PLAN, EXTRACTOR)) as server:
        async with organisation(database_url, tmp_path / "home", llm=_llm(server)) as services:
            progress = await carry_out(services, _folder(tmp_path / "licences", 15), directive=DIRECTIVE)
    names = [_name(number) for number in FORMULAS]
    assert {f"'{name}" for name in names} == {row["package"] for row in _rows(progress)}
    workbook = Path(progress.path or "") / "tables" / "register.xlsx"
    with zipfile.ZipFile(workbook) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
        strings = parts.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in sheet
    assert "<v>2003</v>" in sheet, "a year is a number, with which can be computed"
    assert all(f">{name}<" in strings for name in names)
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
    with ModelServer(table_model(PLAN, EXTRACTOR)) as server:
        async with organisation(database_url, tmp_path / "home", llm=_llm(server)) as services:
            await carry_out(services, folder, directive=DIRECTIVE, out=tmp_path / "paid")
    assert len(extractions(server)) == 1


async def test_what_was_extracted_before_an_outage_is_not_paid_for_again(
    database_url: str, tmp_path: Path
) -> None:
    answered = 0

    def until_refused(prompt: Prompt) -> ScriptedAnswer:
        nonlocal answered
        answered += 1
        return EXTRACTOR(prompt) if answered <= 2 else ScriptedAnswer.error(401, "Incorrect API key provided")

    with ModelServer(table_model(PLAN, until_refused)) as server:
        llm = _llm(server).model_copy(update={"attempts": 1})
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            stopped = await carry_out(services, _folder(tmp_path / "licences", 60), directive=DIRECTIVE)
            assert stopped.waits_for_founder
            paid = {str(prompt.sources[0].attributes) for prompt in extractions(server)[:2]}
            before = len(server.log)
            server.responder = table_model(PLAN, EXTRACTOR)
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


async def test_a_rehearsal_plans_a_table_over_all_documents_by_itself(
    database_url: str, tmp_path: Path
) -> None:
    folder = _folder(tmp_path / "licences", 30)
    directive = "List every package licensed under GPL version 3 with its year."
    async with organisation(database_url, tmp_path / "home") as services:
        progress = await carry_out(services, folder, directive=directive)
    assert progress.status is MissionStatus.DELIVERED, progress
    text = _text(progress)
    assert "30 of 30 documents examined; 10 rows where licensed under GPL version 3 is not “no”" in text
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.endswith("] |")]
    assert [(name.lstrip("=+-@"), year, is_met) for name, year, is_met, _ in cells] == [
        (f"pack-{number}", str(2000 + number % 24), "yes") for number in range(0, 30, 3)
    ]
